//! Canonical forms of unit tests (requirement E2; the proof of conversion in the source document).
//!
//! A test is run once, and what it calls is recorded ([`Record`]): execution has decided branches, loop
//! counts and arithmetic, so what is left is straight-line code. That becomes a [`Form3`]: a
//! [`model::TestCase`] and the exceptions that the test caught. From it the source of all three forms is
//! written ([`write_class`]): form 3 with pools of values, form 2 with a variable for each value, form 1
//! with the arithmetic that made them besides.
//!
//! What cannot be converted is refused with a [`Refusal`], whose code is printed.
//!
//! Invariant: a conversion is a claim that is checked by running what was written
//! ([`Equivalence`]); nothing is taken for u-equivalent because of how it was made.
//!
//! It does not know how tests are run, nor what rewrites them.

mod convert;
mod equivalence;
mod kept;
mod reach;
mod record;
mod refusal;
mod seed;
mod source;
mod typing;

pub use convert::{Form3, Sum, convert};
pub use equivalence::Equivalence;
pub use kept::Keep;
pub use record::{
    BadRecord, CallEnd, End, Event, How, Object, ObjectOrigin, Part, Record, Site, Value, Where,
};
pub use refusal::Refusal;
pub use source::{Form, Junit, Method, Written, write_class};
