//! What a study found, as data. The names of JSON keys are used from outside.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use crate::generated::GeneratedReason;
use crate::{Coverage, Question};

/// The whole study.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StudyResult {
    /// All libraries together.
    pub totals: Totals,
    /// Each of them.
    pub libraries: Vec<LibraryResult>,
}

impl StudyResult {
    /// The result with its totals.
    pub(crate) fn of(libraries: Vec<LibraryResult>) -> Self {
        let mut totals = Totals::default();
        for library in &libraries {
            totals.classes += library.classes.len() as u32;
            totals.with_tests += library.with_tests();
            totals.tests += library.tests;
            totals.green += library.green;
            totals.red += library.red.len() as u32;
            totals.not_run += library.not_run();
            totals.left_behind += library.left_behind.len() as u32;
            totals.own += library.own;
            totals.jacoco += library.jacoco;
        }
        Self { totals, libraries }
    }

    /// Whether every suite is one that a user can take as it is.
    pub fn is_clean(&self) -> bool {
        self.libraries.iter().all(LibraryResult::is_clean)
    }
}

/// Sums over libraries.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Totals {
    /// Classes tried.
    pub classes: u32,
    /// Classes that got tests.
    pub with_tests: u32,
    /// Tests written.
    pub tests: u32,
    /// Tests that passed.
    pub green: u32,
    /// Tests that did not.
    pub red: u32,
    /// Tests that Surefire has no word of.
    pub not_run: u32,
    /// Files that were left behind.
    pub left_behind: u32,
    /// Coverage by the program itself.
    pub own: Coverage,
    /// Coverage by JaCoCo.
    pub jacoco: Coverage,
}

/// One library.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LibraryResult {
    /// Its name.
    pub library: String,
    /// Its version.
    pub version: String,
    /// What was asked.
    pub question: Question,
    /// Classes that the drawing rule allows.
    pub candidates: u32,
    /// Classes that were tried.
    pub classes: Vec<ClassResult>,
    /// Tests written.
    pub tests: u32,
    /// Failures that the program found in the library.
    pub failures: u32,
    /// Tests that passed.
    pub green: u32,
    /// Tests that were skipped.
    pub skipped: u32,
    /// Tests that did not pass.
    pub red: Vec<RedTest>,
    /// What Maven said if it failed: then the suite does not even compile.
    pub maven_failure: Option<String>,
    /// Files that were left behind, by the program or by the tests.
    pub left_behind: Vec<String>,
    /// Coverage by the program itself.
    pub own: Coverage,
    /// Coverage by JaCoCo, of the same classes.
    pub jacoco: Coverage,
    /// Tests the program dropped before it wrote any, by why.
    pub dropped: BTreeMap<String, u32>,
    /// What the program could not read.
    pub warnings: Vec<String>,
    /// How long it took.
    pub seconds: Seconds,
}

impl LibraryResult {
    /// Classes that got tests.
    pub fn with_tests(&self) -> u32 {
        self.classes.iter().filter(|class| class.tests > 0).count() as u32
    }

    /// Tests that were written and that Surefire has no word of.
    pub fn not_run(&self) -> u32 {
        self.tests.saturating_sub(self.green + self.skipped + self.red.len() as u32)
    }

    /// Whether the suite is one that a user can take as it is.
    pub fn is_clean(&self) -> bool {
        self.red.is_empty()
            && self.not_run() == 0
            && self.skipped == 0
            && self.left_behind.is_empty()
            && self.maven_failure.is_none()
    }
}

/// One class.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClassResult {
    /// Its binary name.
    pub name: String,
    /// Tests written.
    pub tests: u32,
    /// Failures found in it.
    pub failures: u32,
    /// Calls made while searching.
    pub calls: u64,
    /// Coverage by the program itself.
    pub own: Coverage,
    /// Coverage by JaCoCo.
    pub jacoco: Coverage,
    /// Why it or a member of it got no test.
    pub reasons: Vec<GeneratedReason>,
    /// Tests that were dropped, by why.
    pub dropped: BTreeMap<String, u32>,
    /// The same in words.
    pub notes: Vec<String>,
}

/// A test that was written as passing and did not pass.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RedTest {
    /// Class and method.
    pub name: String,
    /// What it said.
    pub message: String,
    /// The class of what it threw; empty if that is not told.
    pub exception: String,
}

/// How long things took.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Seconds {
    /// The time for search that was asked for, divided by the jobs it was spread over.
    pub budget: f64,
    /// All of `generate`.
    pub generate: f64,
    /// What `generate` took beyond the budget, per class.
    pub overhead_per_class: f64,
    /// Maven's run.
    pub maven: f64,
}
