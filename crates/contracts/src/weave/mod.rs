//! The weaver: sources with specifications → sources that check them.
//!
//! All checks are members of the classes themselves, so that javac resolves every name; text is
//! only put in, within lines. What the result needs at run time is `testhound.contracts.*`. How the
//! parts look is in `docs/contracts.md`.
//!
//! Invariants: a source that owes nothing is not changed by a byte; lines keep their numbers; every
//! clause is either checked or listed with the reason why not.

mod clause;
mod constructor;
mod contract;
mod express;
mod forward;
mod frame;
mod inherited;
mod invariants;
mod members;
mod model;
mod names;
mod owed;
mod places;
mod program;
mod refusal;
mod splice;
mod statements;
mod told;
mod weaver;
mod whole;
mod wrapper;

pub use clause::{CheckedMethod, Clause, ClauseId, Kind, Skipped, Unforwarded};
pub use program::{NoSupertypes, Supertypes};
pub use refusal::CompilerError;
pub use whole::{Weaving, Woven, weave};

/// How numbers in clauses are calculated with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Arithmetic {
    /// Without overflow: JML's own.
    #[default]
    Mathematical,
    /// As in Java.
    Java,
}

/// How specifications are read and woven.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Whether parameters, results and fields that say nothing are never `null`, in sources that
    /// have any specification.
    pub non_null_by_default: bool,
    /// How numbers in clauses are calculated with.
    pub arithmetic: Arithmetic,
    /// Whether violations can tell the values of the parts of their clause. Makes classes larger.
    pub values: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { non_null_by_default: true, arithmetic: Arithmetic::Mathematical, values: false }
    }
}
