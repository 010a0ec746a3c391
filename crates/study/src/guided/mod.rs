//! The study of the guided search: what its suites reach on the programs that the published systems
//! were measured on.
//!
//! The rules, set before anything was measured:
//!
//! - **Programs**: every second one of the published list as far as it is on Maven Central, from the
//!   first (`programs.rs`), in the published versions. They alternate between *tuning*, which may be
//!   looked at while the search is improved, and *held out*, which may not.
//! - **Classes**: five of each program by the rule of `draw.rs`: public, top-level, with at least one
//!   branch, those whose names hash lowest.
//! - **Class path**: the program, and all dependencies that its POM declares but those of scope `test`
//!   and `system`, with what they need: optional and provided ones too, which those who compile the
//!   program have. What no repository has is left out and told. (Set after the first measurements, in
//!   which classes that use an optional library could not be linked; the same for every program.)
//! - **Components**: of the classes drawn, the twenty whose names hash lowest.
//! - **Coverage** is JaCoCo's, of a plain Surefire run of the suite of a program's classes; a class
//!   that got no tests counts with nothing covered. **Mutation score** is PIT's with its default
//!   mutators: mutants detected of all mutants, those that no test reaches included.
//! - **Averages**: over programs, each by the sums of its classes, as the published figures are; and
//!   beside it over classes.
//!
//! Invariant: a piece (a program with one budget, a variant of components, a peer's suite) is stored
//! as a whole or not at all, so that a study cut short loses the piece under way and nothing else.

mod average;
mod components;
pub(crate) mod mutation;
mod peer;
mod piece;
mod plan;
mod programs;
mod published;
mod result;
mod study;
mod table;

pub use average::{Average, Figures};
pub use peer::{Peer, PeerKind};
pub use programs::{PROGRAMS, Program, Role};
pub use result::{
    ComponentQuestion, ComponentRow, GuidedClass, GuidedResult, Piece, PieceKind, PieceQuestion,
};
pub use study::{GuidedOptions, GuidedStage, GuidedStudy};
pub use table::guided_table;
