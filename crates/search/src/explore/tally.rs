//! What an exploration came to (requirement E10).

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashSet, FxHasher};
use serde::{Deserialize, Serialize};
use space::{BigUint, index_of};

use crate::strategy::Report;

/// Tests that are remembered to tell duplicates; those that come later are not compared.
const MAX_REMEMBERED: usize = 1 << 21;

/// Counts of an exploration.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Explored {
    /// `j`.
    pub calls: u64,
    /// How many calls a test has.
    pub length: u32,
    /// Tests that were run, or that begin as one that ended early and so were not run again.
    pub tests: u64,
    /// Tests that show a failure.
    pub failing: u64,
    /// Which test was the first of these, counted from 1.
    pub earliest: Option<u64>,
    /// Its index among all tests.
    pub earliest_index: Option<BigUint>,
    /// Tests that had been run before.
    pub duplicates: u64,
    /// How many tests were compared for that.
    pub compared: u64,
    /// Where in the order the next test is; `None` if there is none, or not in this part.
    pub next: Option<BigUint>,
}

/// Counts tests as they are reported.
#[derive(Debug)]
pub(super) struct Tally {
    explored: Explored,
    from: BigUint,
    /// Tests that are left of this run, and of this part of the order.
    left: u64,
    seen: FxHashSet<u64>,
    /// The test that is being run.
    under_way: Option<Vec<u64>>,
    /// Whether the part ends with the last test of the run.
    is_whole: bool,
}

impl Tally {
    pub(super) fn new(
        calls: u64,
        length: u32,
        (from, tests): (BigUint, u64),
        is_whole: bool,
    ) -> Self {
        let explored = Explored { calls, length, ..Explored::default() };
        let seen = FxHashSet::default();
        Self { explored, from, left: tests, seen, under_way: None, is_whole }
    }

    /// Whether all tests were run.
    pub(super) fn is_over(&self) -> bool {
        self.left == 0
    }

    /// How many tests are left.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Notes which test comes now.
    pub(super) fn begin(&mut self, digits: Vec<u64>) {
        self.under_way = Some(digits);
    }

    /// The test under way. Reports of other tests, which an earlier worker kept, are none of ours.
    pub(super) fn under_way(&self) -> Option<&[u64]> {
        self.under_way.as_deref()
    }

    /// Counts the test under way, and others that it stands for; so many in all.
    pub(super) fn end(&mut self, report: &Report, tests: u64) {
        let Some(digits) = self.under_way.take() else { return };
        let tests = tests.min(self.left);
        self.left -= tests;
        let explored = &mut self.explored;
        if report.failed {
            explored.failing += tests;
            if explored.earliest.is_none() {
                explored.earliest = Some(explored.tests + 1);
                explored.earliest_index = Some(index_of(&digits, explored.calls));
            }
        }
        explored.tests += tests;
        if self.seen.len() < MAX_REMEMBERED {
            let mut hasher = FxHasher::default();
            digits.hash(&mut hasher);
            explored.compared += 1;
            explored.duplicates += u64::from(!self.seen.insert(hasher.finish()));
        }
    }

    pub(super) fn explored(&self) -> Explored {
        let next = (self.left > 0 || !self.is_whole).then(|| &self.from + self.explored.tests);
        Explored { next, ..self.explored.clone() }
    }
}
