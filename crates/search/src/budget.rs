//! How long a search may go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A limit in calls, which gives the same result every time, or in time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Budget {
    /// Calls made.
    Calls(u64),
    /// Wall clock.
    Time(Duration),
}

/// A budget being spent.
#[derive(Clone, Debug)]
pub(crate) struct Spending {
    budget: Budget,
    stop: Option<Arc<AtomicBool>>,
    started: Instant,
    calls: u64,
    /// Asking the clock costs as much as a few calls, so it is asked now and then.
    asked: u32,
    over: bool,
}

impl Spending {
    pub(crate) fn new(budget: Budget, stop: Option<Arc<AtomicBool>>) -> Self {
        Self { budget, stop, started: Instant::now(), calls: 0, asked: 0, over: false }
    }

    /// Counts calls made.
    pub(crate) fn spend(&mut self, calls: u64) {
        self.calls += calls;
    }

    /// Whether the budget is used up, as far as was seen when it was last asked for.
    pub(crate) fn is_used_up(&self) -> bool {
        match self.budget {
            Budget::Calls(limit) => self.calls >= limit,
            Budget::Time(_) => self.over,
        }
    }

    /// Whether the budget is used up, or the search was told to stop.
    pub(crate) fn is_over(&mut self) -> bool {
        if self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return true;
        }
        match self.budget {
            Budget::Calls(limit) => self.calls >= limit,
            Budget::Time(limit) => {
                self.asked += 1;
                if self.asked % 16 == 1 {
                    self.over = self.started.elapsed() >= limit;
                }
                self.over
            }
        }
    }
}
