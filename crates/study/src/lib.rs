//! Experiments on real libraries: what the emitted suites are worth to whoever gets them.
//!
//! [`Study`] draws classes of pinned libraries, has the program itself write tests for them, and
//! judges those as a user would: a generated Maven project, a plain Surefire run, JaCoCo. Nothing
//! of what the program says about its tests is taken on trust; what it measured stands beside
//! what JaCoCo measured.
//!
//! Invariants: emitted tests run under the sandbox's file rules only; the results of a library
//! are stored as a whole or not at all, and used again only for the same question. Deliberately
//! absent: printing, JVMs in this process.

mod confined_maven;
mod coverage;
mod draw;
mod error;
mod generated;
mod leftovers;
mod library;
mod project;
mod result;
mod run;
mod store;
mod surefire;
mod table;

pub use coverage::{Count, Coverage};
pub use error::StudyError;
pub use library::{LIBRARIES, Library};
pub use result::{ClassResult, LibraryResult, RedTest, Seconds, StudyResult, Totals};
pub use run::{Question, Stage, Study};
pub use table::table;
