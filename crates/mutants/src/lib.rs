//! Class to mutants (requirement E12): small faults put into a class, one at a time, to see whether
//! tests find them.
//!
//! ```text
//! mutants(class, operators) ─► Vec<Mutant>      what can be changed, where, in words of Java
//! apply(class bytes, mutant) ─► class bytes     the changed class, which passes the verifier
//! ```
//!
//! A [`Mutant`] is data: it can be stored, sent, and applied by another process that has the same class
//! bytes. Its [`Edit`]s say which instructions are replaced by what, so that applying needs neither
//! operators nor analysis: [`apply_to`] decodes one method and lays it out anew.
//!
//! The [`Operator`]s are the four of the source document (replace operator, replace constant, negate
//! decision, delete statement) and those that users of PIT know, under PIT's names; [`Operators`] are chosen
//! by name or by group: `default` (PIT's defaults, the same change at the same place), `paper` (the four),
//! `all`.
//!
//! Invariants:
//!
//! - Mutants and their ids depend on the bytes of the class only. All operators are always looked for,
//!   then those asked for are chosen; what several operators make alike is one mutant, which belongs to
//!   each of them. An id counts places within its method, so other methods may change.
//! - Mutants pass the verifier. No frame is computed: edits stand between the frames that are there,
//!   take from the stack what the instructions did that they replace, and leave there the same types.
//!   Methods with subroutines (`jsr`, from before Java 6) have no mutants.
//! - What a compiler added is not mutated (`instrument::Artefacts`, and `plumbing`), and a `finally` block,
//!   which is compiled several times, has one mutant for each place in the source, applied to all its
//!   copies at once.
//! - What can be seen to behave like the original is not made: returning what is returned anyway, `x * 1`
//!   as `x / 1`, a condition with nothing to guard, `a > b ? a : b` as `a >= b ? a : b`, an increment or
//!   assignment that nobody reads, a call of an empty method.
//!
//! The last two are what PIT makes beyond `default`, as far as it does not filter it as well.
//!
//! Deliberately absent: JVMs, files, knowledge of how mutants are run. Mutants of static initializers are
//! there ([`Mutant::is_in_initializer`]): whether they can be run is for others to know.

mod body;
mod edit;
mod error;
mod expression;
mod found;
mod java;
mod liveness;
mod mutant;
mod operator;
mod operators;
mod plumbing;
mod types;

pub use edit::{Edit, Op, apply, apply_to};
pub use error::MutantsError;
pub use mutant::{Mutant, mutants};
pub use operator::{Operator, Operators, UnknownOperator};
