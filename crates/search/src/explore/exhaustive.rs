//! BE: all tests, depth first (requirement E7).
//!
//! Most tests differ from the one before in their last call only. What they share is shared where
//! that is sound:
//! - A test that ends early (a call is cut short, cannot be linked or breaks a contract) stands for all
//!   that begin with the same calls up to there. They would end there too, so they are counted and not run.
//! - A call of `null` leaves everything as it was: the next last call is made in its place.
//! - Any other call may have changed anything, so the calls before it are made again before the next one.
//!
//! The naive form runs every test from its start. Both come to the same counts.

use std::sync::Arc;

use model::{Call, TestCase};
use space::{BigUint, Context, DepthFirst};

use super::tally::{Explored, Tally};
use super::{Exploration, Explorer, part};
use crate::Rng;
use crate::strategy::{Ending, Move, Report, Strategy, Values};

/// The strategy BE.
pub(super) struct Exhaustive<'c> {
    context: &'c Context,
    length: usize,
    /// `None` once there is no next test.
    walk: Option<DepthFirst>,
    size: BigUint,
    is_naive: bool,
    /// The depth of the first call in which the next test differs from the open one, if one is open.
    differs_at: Option<usize>,
    /// The move after the one made now.
    next: Option<Move>,
    tally: Tally,
}

impl<'c> Exhaustive<'c> {
    pub(super) fn new(exploration: &Exploration, context: &'c Context, is_naive: bool) -> Self {
        let length = exploration.length as usize;
        let (from, tests) = part(exploration, context);
        let whole = part(&Exploration { tests: None, ..exploration.clone() }, context).1;
        let walk = DepthFirst::new(context, length, &from);
        let size = space::size(context.calls(), length);
        let tally = Tally::new(context.calls(), exploration.length, (from, tests), tests == whole);
        Self { context, length, walk, size, is_naive, differs_at: None, next: None, tally }
    }

    fn calls(&self, digits: &[u64]) -> Vec<Call> {
        digits.iter().map(|digit| self.context.call(*digit)).collect()
    }

    /// Goes on behind a test that ended after so many calls; how many tests that stands for.
    fn advance(&mut self, calls: usize) -> u64 {
        let Some(walk) = &mut self.walk else { return 1 };
        if self.is_naive || calls >= self.length {
            self.differs_at = walk.advance();
            if self.differs_at.is_none() {
                self.walk = None;
            }
            return 1;
        }
        let before = walk.position();
        self.differs_at = walk.skip(calls);
        let after = if self.differs_at.is_some() { walk.position() } else { self.size.clone() };
        if self.differs_at.is_none() {
            self.walk = None;
        }
        u64::try_from(&(after - before)).unwrap_or(u64::MAX)
    }
}

impl Strategy for Exhaustive<'_> {
    fn propose(&mut self, _: &mut Rng) -> Option<Move> {
        if let Some(next) = self.next.take() {
            return Some(next);
        }
        if self.tally.is_over() {
            return None;
        }
        let digits = self.walk.as_ref()?.digits();
        let calls = self.calls(&digits);
        self.tally.begin(digits);
        if self.is_naive {
            let slots = self.context.slots().to_vec();
            return Some(Move::Run(Arc::new(TestCase { slots, calls })));
        }
        if self.differs_at.is_some_and(|depth| depth + 1 == self.length)
            && let Some(last) = calls.last()
        {
            self.next = Some(Move::Call(last.clone()));
            return Some(Move::Undo);
        }
        self.next = Some(Move::Extend(Vec::new(), calls));
        Some(Move::Open(self.context.slots().to_vec()))
    }

    fn observe(&mut self, _: &TestCase, report: &Report, _: &dyn Values, _: &mut Rng) {
        if self.tally.under_way().is_none() {
            return;
        }
        let calls = match &report.ending {
            Ending::Normal => self.length,
            ending => ending.last(self.length).map_or(self.length, |last| last + 1),
        };
        let tests = self.advance(calls).min(self.tally.left());
        self.tally.end(report, tests);
        if calls < self.length {
            // The open test lacks calls that the next one may share.
            self.differs_at = self.differs_at.map(|_| 0).filter(|_| self.length > 1);
        }
    }

    fn wants_verdicts(&self) -> bool {
        true
    }
}

impl Explorer for Exhaustive<'_> {
    fn explored(&self) -> Explored {
        self.tally.explored()
    }
}
