//! The few tests that came closest to a branch, and which ones are worth a place among them.
//!
//! Invariant: of tests that come as close, those that take the place of others do not grow: what a
//! change adds in vain is not gone on with for ever.

use std::sync::Arc;

use model::TestCase;

/// Tests kept for one branch.
const MAX_NEAR: usize = 3;
/// After so many tests tried in vain, one that comes just as close takes the place of another: what is
/// missing may be something that none of them has, such as a list that can grow.
pub(super) const PATIENCE: u32 = 16;
/// Such a test may have so many calls more than the shortest one that came as close. Without a bound they
/// would get longer and longer, for nothing tells a call that matters from one that does not; a budget is
/// soon spent on tests of forty calls.
pub(super) const SPARE: usize = 6;
/// A test that came close.
pub(super) struct Near {
    pub(super) case: Arc<TestCase>,
    pub(super) distance: f64,
}

#[derive(Default)]
pub(super) struct Entry {
    /// The closest first.
    pub(super) near: Vec<Near>,
    /// Tests tried for it since one came closer.
    pub(super) tried: u32,
    /// Of these, those at the time of the last change of places.
    changed: u32,
    /// Calls of the shortest test that came as close as the closest.
    shortest: usize,
}

impl Entry {
    /// Takes note of how long a test is that came so close.
    pub(super) fn measure(&mut self, distance: f64, calls: usize) {
        match self.near.first().map(|first| first.distance) {
            Some(first) if first < distance => {}
            Some(first) if first == distance => self.shortest = self.shortest.min(calls),
            _ => self.shortest = calls,
        }
    }

    /// Whether a test so far away, of so many calls, is worth a place.
    pub(super) fn takes(&self, distance: f64, calls: usize) -> bool {
        self.near.len() < MAX_NEAR
            || self.near.last().is_none_or(|last| distance < last.distance)
            || self.tried >= self.changed + PATIENCE
                && self.is_as_close(distance)
                && !self.is_long(calls)
    }

    fn is_long(&self, calls: usize) -> bool {
        calls > self.shortest + SPARE
    }

    fn is_as_close(&self, distance: f64) -> bool {
        self.near.last().is_some_and(|last| distance == last.distance)
    }

    /// The place of the last one, or of one that is as close: of a long one, if there is any, else of the
    /// oldest.
    fn place(&self, distance: f64) -> usize {
        let is_equal = |near: &Near| near.distance == distance;
        let is_long = |near: &Near| is_equal(near) && self.is_long(near.case.calls.len());
        let place = self.near.iter().position(is_long);
        let place = place.or_else(|| self.near.iter().position(is_equal));
        place.filter(|_| self.is_as_close(distance)).unwrap_or(MAX_NEAR - 1)
    }

    /// Gives a test a place, if need be that of another.
    pub(super) fn take(&mut self, near: Near) {
        if self.near.len() == MAX_NEAR {
            self.near.remove(self.place(near.distance));
            self.changed = self.tried;
        }
        if self.near.first().is_none_or(|first| near.distance < first.distance) {
            (self.tried, self.changed) = (0, 0);
        }
        let at = self.near.partition_point(|known| known.distance <= near.distance);
        self.near.insert(at, near);
    }
}
