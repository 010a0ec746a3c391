//! What is said of a suite and of mutants, between those who judge and those who are asked.

use std::path::PathBuf;

use mutants::Mutant;
use serde::{Deserialize, Serialize};

/// A suite of compiled tests, and how it is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suite {
    /// JUnit's launcher, the tests, what is tested, what both need, in that order.
    pub class_path: Vec<PathBuf>,
    /// The part of it that is the project's own: what is tested, and its tests.
    pub own: Vec<PathBuf>,
    /// Folders and jars all of whose tests are run.
    pub roots: Vec<PathBuf>,
    /// Test classes, by binary name; if there are any, only their tests are run.
    pub classes: Vec<String>,
    /// Where the tests stand; they cannot write there.
    pub working: PathBuf,
}

/// A test: a method, with all its invocations.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SuiteTest {
    /// The class, by binary name.
    pub class: String,
    /// The method, with what tells it from others of the class.
    pub name: String,
    /// What JUnit knows it by.
    pub id: String,
}

impl std::fmt::Display for SuiteTest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}#{}", self.class, self.name)
    }
}

/// A place that tests cover: the code of a method that one line has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Place {
    /// The class, by its position among those that are measured.
    pub(crate) class: u32,
    /// The method, by its index in the class file.
    pub(crate) method: u16,
    /// The line; 0 for code that has none.
    pub(crate) line: u16,
}

/// How the run of a test ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Ending {
    Passed,
    /// It failed; what was thrown, in words.
    Failed(String),
    /// It was left out, by itself or by an annotation.
    Skipped,
    /// JUnit does not find it.
    Absent,
    /// It took more steps than it may.
    Stopped,
    /// It tried to end the JVM.
    Exited,
}

/// What came of the run of a test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Observed {
    pub(crate) end: Ending,
    pub(crate) steps: i32,
    pub(crate) millis: u32,
    /// What it covered, as positions among the places.
    pub(crate) places: Vec<u32>,
}

/// What is to be known of a suite before any of its tests can run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct SuiteOrder {
    pub(crate) class_path: String,
    pub(crate) own: String,
    /// The classes whose coverage is measured, by internal name.
    pub(crate) measured: Vec<String>,
}

/// Tests to run as they are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Observing {
    /// Their unique ids, in order.
    pub(crate) tests: Vec<String>,
    pub(crate) limit_millis: u32,
}

/// A test that judges mutants.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct JudgingTest {
    pub(crate) id: String,
    /// The steps it may take.
    pub(crate) steps: i32,
    /// How long it may take by the clock.
    pub(crate) limit_millis: u32,
}

/// Which tests reach a place, cheapest first, as positions among the tests of a batch.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Reach {
    /// Those that come there every time.
    pub(crate) warm: Vec<u32>,
    /// Those that come there, or depend on it, where the classes were loaded anew.
    pub(crate) cold: Vec<u32>,
}

/// A mutant to judge.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct ToJudge {
    /// What it is known by to whoever asks.
    pub(crate) number: u32,
    pub(crate) mutant: Mutant,
    /// The tests, by position among the reaches of the batch.
    pub(crate) reach: u32,
}

/// Mutants that are judged one after the other by one process.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Batch {
    pub(crate) mutants: Vec<ToJudge>,
    pub(crate) reaches: Vec<Reach>,
    pub(crate) tests: Vec<JudgingTest>,
    /// Classes that are initialized before any mutant is there, by binary name.
    pub(crate) initialize: Vec<String>,
    /// How many times the steps of the unmutated code a test may take.
    pub(crate) factor: u32,
    /// Whether all tests that kill a mutant are wanted, and not only the first.
    pub(crate) all_kills: bool,
    /// Whether each failure is confirmed before the next mutant comes.
    pub(crate) is_strict: bool,
}

/// Stands for no mutant where the mutant under way is told: failures are being confirmed.
pub(crate) const CONFIRMING: u32 = u32::MAX;

/// What became of a mutant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Judged {
    /// Tests failed that pass without it, as positions among those of the batch, and why the first did.
    Killed(Vec<u32>, String),
    /// This test did not come to its end.
    TimedOut(u32),
    /// So many tests passed.
    Survived(u32),
    /// It could not be judged.
    Unjudged(String),
}
