//! BOBW, the best of both worlds: every test exactly once, in an order that looks random (requirement
//! E9). The order is the space's (`space::Permutation`), and belongs to the seed.

use std::sync::Arc;

use model::TestCase;
use space::{Context, Cursor, Permutation};

use super::tally::{Explored, Tally};
use super::{Exploration, Explorer, part};
use crate::Rng;
use crate::strategy::{Move, Report, Strategy, Values};

/// The strategy BOBW.
pub(super) struct BestOfBothWorlds<'c> {
    context: &'c Context,
    length: usize,
    /// `None` if it was to begin beyond the last test.
    cursor: Option<Cursor>,
    tally: Tally,
}

impl<'c> BestOfBothWorlds<'c> {
    pub(super) fn new(exploration: &Exploration, context: &'c Context, seed: u64) -> Self {
        let length = exploration.length as usize;
        let order = Permutation::new(context.calls(), length, seed);
        let (from, tests) = part(exploration, context);
        let whole = part(&Exploration { tests: None, ..exploration.clone() }, context).1;
        let cursor = order.cursor(&from);
        let tally = Tally::new(context.calls(), exploration.length, (from, tests), tests == whole);
        Self { context, length, cursor, tally }
    }
}

impl Strategy for BestOfBothWorlds<'_> {
    fn propose(&mut self, _: &mut Rng) -> Option<Move> {
        if self.tally.is_over() {
            return None;
        }
        let mut digits = vec![0; self.length];
        if !self.cursor.as_mut()?.next(&mut digits) {
            return None;
        }
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

impl Explorer for BestOfBothWorlds<'_> {
    fn explored(&self) -> Explored {
        self.tally.explored()
    }
}
