//! The study of test data for classes with contracts: the three strategies of "Random Test Data
//! Generation for Java Classes Annotated with JML Specifications" on five classes like the paper's.
//!
//! Rules, fixed before anything was measured:
//!
//! - The classes were written for this project after the paper's descriptions (its own are not
//!   published); they are part of this program, so nothing is fetched. Their contracts do not change
//!   for the sake of the figures.
//! - T, the attempts of a class, is the paper's. Only constructors and methods that a class declares are
//!   tested, inherited ones are used; redundant test cases are told. All options of the program are
//!   as they are for everybody.
//! - A1 is `--strategy pure`, A2 `pooled`, A3 `incremental`. MF, R, ML and T are counted as in the paper;
//!   SR is MF/T, RR is R/(MF+R).
//! - Every figure is the median over consecutive seeds, from 1 on if nothing else is said, of runs one
//!   after the other, each with a process of its own for each class.
//! - Time is that of the search alone: classes are woven, compiled and loaded before, no tests are written
//!   after it. It is the time that the thread which makes the calls has a processor, so that what
//!   else the machine does falls on nobody. *first* is in a JVM that has just been started, where most of it is
//!   interpreting; *warm* is the median of the later half of the same searches made again in that JVM.
//! - What checking, the pool and the comparison of test cases cost is A3 with each of them off. Without
//!   checks no call is infeasible, so MF counts all calls there.

mod child;
mod result;
mod study;
mod subjects;
mod table;

pub use result::{
    JetFigures, JetMedian, JetQuestion, JetResult, JetRun, JetRunOfClass, JetVariant,
};
pub use study::{JetOptions, JetStage, JetStudy};
pub use subjects::{JET_SUBJECTS, JetSubject};
pub use table::jet_table;
