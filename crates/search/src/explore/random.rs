//! R: every test is drawn from the root of the search tree to a leaf, uniformly at every node, with
//! replacement (requirement E8).
//!
//! Each test has a generator of its own, made of the seed, the shard and the test's place in the
//! order. So a run can begin anywhere, and shards draw other tests.

use std::sync::Arc;

use model::TestCase;
use oorandom::Rand64;
use space::{BigUint, Context};

use super::tally::{Explored, Tally};
use super::{Exploration, Explorer};
use crate::Rng;
use crate::strategy::{Move, Report, Strategy, Values};

/// The strategy R.
pub(super) struct Randomized<'c> {
    context: &'c Context,
    length: usize,
    seed: u128,
    /// The place of the next test in the order.
    at: u128,
    tally: Tally,
}

impl<'c> Randomized<'c> {
    pub(super) fn new(exploration: &Exploration, context: &'c Context, seed: u64) -> Self {
        // The shards of the order are as long as there are numbers to count with.
        let (shard, _) = exploration.shard.range(&(BigUint::from(1u32) << 100));
        let at = u128::try_from(&(shard + &exploration.from)).unwrap_or(u128::MAX);
        let tests = exploration.tests.unwrap_or(u64::MAX);
        let part = (exploration.from.clone(), tests);
        let tally = Tally::new(context.calls(), exploration.length, part, false);
        let seed = u128::from(seed) << 64 | u128::from(!seed);
        Self { context, length: exploration.length as usize, seed, at, tally }
    }
}

impl Strategy for Randomized<'_> {
    fn propose(&mut self, _: &mut Rng) -> Option<Move> {
        if self.tally.is_over() {
            return None;
        }
        let place = self.at.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        let mut rng = Rand64::new(self.seed ^ place);
        self.at = self.at.wrapping_add(1);
        let mut digits = vec![0; self.length];
        // The first number of a generator shows what it was made of.
        rng.rand_u64();
        self.context.draw_test(&mut rng, &mut digits);
        let case = self.context.case(&digits);
        self.tally.begin(digits);
        Some(Move::Run(Arc::new(case)))
    }

    fn observe(&mut self, _: &TestCase, report: &Report, _: &dyn Values, _: &mut Rng) {
        self.tally.end(report, 1);
    }

    fn wants_verdicts(&self) -> bool {
        true
    }
}

impl Explorer for Randomized<'_> {
    fn explored(&self) -> Explored {
        self.tally.explored()
    }
}
