//! What a run found, for people and for machines. The names of JSON keys are used from outside.

use instrument::coverage::Count;
use search::Reason;
use serde::Serialize;
use worker::Dropped;

/// So many of so many.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub(crate) struct Branches {
    pub(crate) covered: u32,
    pub(crate) total: u32,
}

impl Branches {
    pub(crate) fn add(&mut self, count: Count) {
        self.covered += count.covered;
        self.total += count.total;
    }
}

/// One class.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ClassReport {
    pub(crate) name: String,
    pub(crate) tests: u32,
    pub(crate) failures: u32,
    pub(crate) branches: Branches,
    pub(crate) lines: Branches,
    /// The classes that `branches` and `lines` are of: itself and those nested classes that only
    /// it can reach.
    pub(crate) measured: Vec<String>,
    pub(crate) reasons: Vec<Reason>,
    pub(crate) dropped: Dropped,
    pub(crate) files: Vec<String>,
    pub(crate) calls: u64,
    pub(crate) failing: Vec<String>,
    /// Tests that were dropped, and why, a line each.
    pub(crate) notes: Vec<String>,
}

/// The whole run.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Report {
    pub(crate) tests: u32,
    pub(crate) failures: u32,
    pub(crate) branches: Branches,
    pub(crate) lines: Branches,
    pub(crate) classes: Vec<ClassReport>,
    pub(crate) dropped: Dropped,
    pub(crate) warnings: Vec<String>,
    pub(crate) interrupted: bool,
    pub(crate) out: String,
}

impl Report {
    pub(crate) fn add(&mut self, class: ClassReport) {
        self.tests += class.tests;
        self.failures += class.failures;
        for (all, one) in [(&mut self.branches, class.branches), (&mut self.lines, class.lines)] {
            all.covered += one.covered;
            all.total += one.total;
        }
        self.dropped.add(class.dropped);
        self.classes.push(class);
    }
}
