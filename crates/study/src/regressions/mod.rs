//! The study of regressions: does a suite made on the release with a fix notice the release with
//! the bug?
//!
//! How pairs were chosen, before anything was measured. For each of twelve libraries whose change
//! list has an entry per fix, the list was read from the newest release on Maven Central backwards.
//! An entry is taken if
//!
//! - it is listed as a fix, with a key;
//! - it names a public class, or a public method of one, and says what a call of it did wrong;
//! - the wrong is one of values or exceptions: nothing of files, network, threads, clock, random
//!   numbers, static state, endless loops, memory or speed, nor of messages and documentation, nor
//!   of lists of data;
//! - the release before it is on Maven Central too, and the bytes of the class differ.
//!
//! Of a release the first such entry is taken, of a library the two newest releases that have one.
//! Roles alternate in the order of the table, beginning with tuning.
//!
//! A bug is detected if a test that passes on the fixed release fails on the one before. Tests that
//! only show that the older release has another API are no detection, and are counted apart: those
//! that do not compile against it are left out one by one, and those that fail are run once more as
//! they were compiled against the fixed release; if they cannot be linked then, javac had silently
//! taken another overload. Whether a test fails because of the documented bug is for a reader to
//! judge; the result names the tests and what they said.

mod linked;
mod pairs;
mod result;
mod study;
mod table;
mod trim;

pub use pairs::{PAIRS, Pair};
pub use result::{PairQuestion, PairResult, RegressionResult};
pub use study::{RegressionStage, RegressionStudy};
pub use table::regression_table;
