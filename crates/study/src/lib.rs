//! Experiments on real libraries: what the emitted suites are worth to whoever gets them.
//!
//! Each study has the program itself write tests for classes of pinned libraries and judges those
//! as a user would: a generated Maven project, a plain Surefire run, JaCoCo. [`Study`] asks whether
//! suites can be taken as they are, [`GuidedStudy`] what they reach on the programs of published
//! experiments, [`RegressionStudy`] whether they notice the bugs that releases fixed, [`JetStudy`] what
//! the strategies for classes with contracts are worth. Nothing of
//! what the program says about its tests is taken on trust; what it measured stands beside what
//! JaCoCo measured.
//!
//! Invariants: emitted tests run under the sandbox's file rules only; results of a piece are stored
//! as a whole or not at all, and used again only for the same question. Deliberately absent:
//! printing, JVMs in this process.

mod assertions;
mod bench;
mod columns;
mod confined_maven;
mod coverage;
mod draw;
mod error;
mod generated;
mod guided;
mod javac_errors;
mod jet;
mod leftovers;
mod library;
mod project;
mod regressions;
mod result;
mod run;
mod store;
mod surefire;
mod table;

pub use coverage::{Count, Coverage};
pub use error::{FailedPiece, StudyError};
pub use guided::{
    Average, ComponentQuestion, ComponentRow, Figures, GuidedClass, GuidedOptions, GuidedResult,
    GuidedStage, GuidedStudy, PROGRAMS, Peer, PeerKind, Piece, PieceKind, PieceQuestion, Program,
    Role, guided_table,
};
pub use jet::{
    JET_SUBJECTS, JetFigures, JetMedian, JetOptions, JetQuestion, JetResult, JetRun, JetRunOfClass,
    JetStage, JetStudy, JetSubject, JetVariant, jet_table,
};
pub use library::{LIBRARIES, Library};
pub use regressions::{
    PAIRS, Pair, PairQuestion, PairResult, RegressionResult, RegressionStage, RegressionStudy,
    regression_table,
};
pub use result::{
    ClassResult, GeneratedReason, LibraryResult, RedTest, Seconds, StudyResult, Totals,
};
pub use run::{Question, Stage, Study};
pub use table::table;
