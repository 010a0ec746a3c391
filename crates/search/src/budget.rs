//! How long a search may go on.

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
    started: Instant,
    calls: u64,
    /// Asking the clock costs as much as a few calls, so it is asked now and then.
    asked: u32,
    over: bool,
}

impl Spending {
    pub(crate) fn new(budget: Budget) -> Self {
        Self { budget, started: Instant::now(), calls: 0, asked: 0, over: false }
    }

    /// Counts calls made.
    pub(crate) fn spend(&mut self, calls: u64) {
        self.calls += calls;
    }

    /// Calls made so far.
    pub(crate) fn calls(&self) -> u64 {
        self.calls
    }

    /// Whether the budget is used up.
    pub(crate) fn is_over(&mut self) -> bool {
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
