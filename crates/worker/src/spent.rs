//! Where the time of a class goes, by the clock.
//!
//! Only the search is asked for; the rest is what a class costs beyond it (requirement G20), and is
//! told phase by phase so that it can be seen to grow.
//!
//! Invariant: no phase is part of another, so that they add up.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// See the module.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Spent {
    /// Until a worker is ready, and with workers that died.
    pub start: Duration,
    /// Reading, analysing, instrumenting and linking the class.
    pub prepare: Duration,
    /// The search.
    pub search: Duration,
    /// Choosing, minimizing and observing what was kept, and the laws of objects.
    pub finish: Duration,
    /// Writing and compiling tests.
    pub compile: Duration,
    /// Finding those that leave static state changed.
    pub statics: Duration,
    /// Running tests in warm processes.
    pub runs: Duration,
    /// Running tests again in fresh ones, which decide.
    pub fresh_runs: Duration,
}

impl Spent {
    /// All phases.
    pub fn total(&self) -> Duration {
        let Self { start, prepare, search, finish, compile, statics, runs, fresh_runs } = *self;
        start + prepare + search + finish + compile + statics + runs + fresh_runs
    }
}

impl std::ops::AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.start += other.start;
        self.prepare += other.prepare;
        self.search += other.search;
        self.finish += other.finish;
        self.compile += other.compile;
        self.statics += other.statics;
        self.runs += other.runs;
        self.fresh_runs += other.fresh_runs;
    }
}

/// Tells of each piece of work how long it took.
pub(crate) struct Watch(Instant);

impl Watch {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// The time since the last lap, or the start.
    pub(crate) fn lap(&mut self) -> Duration {
        let now = Instant::now();
        let lap = now - self.0;
        self.0 = now;
        lap
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phases_add_up() {
        let ms = Duration::from_millis;
        let one = Spent {
            start: ms(1),
            prepare: ms(2),
            search: ms(4),
            finish: ms(8),
            compile: ms(16),
            statics: ms(32),
            runs: ms(64),
            fresh_runs: ms(128),
        };
        assert_eq!(one.total(), ms(255));
        let mut two = one;
        two += one;
        assert_eq!(two.total(), ms(510));
        assert_eq!(two.fresh_runs, ms(256));
    }

    #[test]
    fn laps_cover_the_time() {
        let mut watch = Watch::start();
        let before = Instant::now();
        std::thread::sleep(Duration::from_millis(2));
        let first = watch.lap();
        assert!(first >= Duration::from_millis(2));
        assert!(first + watch.lap() <= before.elapsed() + Duration::from_millis(2));
    }
}
