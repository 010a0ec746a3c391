//! What the study of regressions found, as data. The names of JSON keys are used from outside.

use serde::{Deserialize, Serialize};

use crate::store::Answer;
use crate::{FailedPiece, GeneratedReason, RedTest, Role};

/// What decides the result of a pair, machine and chance aside.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairQuestion {
    /// The library in its fixed release, by its Maven coordinates.
    pub fixed: String,
    /// The version of the release with the bug.
    pub buggy: String,
    /// The classes that tests were asked for.
    pub classes: Vec<String>,
    /// Seconds of search per class.
    pub time_per_class: f64,
    /// Where random numbers start.
    pub seed: u64,
    /// Classes worked on at a time.
    pub jobs: usize,
    /// The JDK's version.
    pub jdk: String,
    /// Which build of this program was asked.
    pub build: String,
}

/// One pair.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairResult {
    /// What was asked.
    pub question: PairQuestion,
    /// The library's name.
    pub library: String,
    /// The fixed release.
    pub fixed: String,
    /// The release with the bug.
    pub buggy: String,
    /// The key of the bug.
    pub issue: String,
    /// What was wrong.
    pub wrong: String,
    /// What the pair is used for.
    pub role: Role,
    /// Tests written on the fixed release.
    pub tests: u32,
    /// Of them, green on the fixed release in Maven's run.
    pub green_on_fixed: u32,
    /// Tests that were not green on the fixed release: there must be none.
    pub red_on_fixed: Vec<RedTest>,
    /// Tests that do not compile against the release with the bug; they do not count.
    pub uncompilable: Vec<String>,
    /// Tests that compile against the release with the bug, but call another overload there; they do
    /// not count.
    pub other_overload: Vec<String>,
    /// Tests that pass on the fixed release and fail on the one with the bug.
    pub red_on_buggy: Vec<RedTest>,
    /// Tests that pass on both.
    pub green_on_buggy: u32,
    /// Why there is no verdict, if there is none.
    pub rejected: Option<String>,
    /// Why members of the classes got no test.
    pub reasons: Vec<GeneratedReason>,
    /// Seconds that writing the suite took.
    pub wall: f64,
}

impl Answer for PairResult {
    type Question = PairQuestion;

    fn question(&self) -> &PairQuestion {
        &self.question
    }
}

impl PairResult {
    /// Whether the suite notices the bug.
    pub fn detected(&self) -> bool {
        self.rejected.is_none() && !self.red_on_buggy.is_empty()
    }
}

/// The whole study.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RegressionResult {
    /// Pairs with a verdict, and those whose bug was noticed.
    pub judged: u32,
    /// Of them, noticed.
    pub detected: u32,
    /// The same of pairs held out.
    pub held_out_judged: u32,
    /// Of them, noticed.
    pub held_out_detected: u32,
    /// Each pair.
    pub pairs: Vec<PairResult>,
    /// Pairs that have no result.
    pub failed: Vec<FailedPiece>,
}

impl RegressionResult {
    pub(super) fn of(pairs: Vec<PairResult>, failed: Vec<FailedPiece>) -> Self {
        let count = |wanted: &dyn Fn(&PairResult) -> bool| {
            pairs.iter().filter(|pair| wanted(pair)).count() as u32
        };
        let held_out = |pair: &PairResult| pair.role == Role::HeldOut;
        Self {
            judged: count(&|pair| pair.rejected.is_none()),
            detected: count(&PairResult::detected),
            held_out_judged: count(&|pair| held_out(pair) && pair.rejected.is_none()),
            held_out_detected: count(&|pair| held_out(pair) && pair.detected()),
            pairs,
            failed,
        }
    }

    /// Whether every pair has a result and every suite is green on the release it was made on.
    pub fn is_clean(&self) -> bool {
        let is_green = |p: &PairResult| p.red_on_fixed.is_empty() && p.green_on_fixed == p.tests;
        self.failed.is_empty() && self.pairs.iter().all(is_green)
    }
}
