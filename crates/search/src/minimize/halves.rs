//! Long tests, as explorative strategies make them, are cut down by halves: first half of the calls
//! goes, then quarters, and so on, as long as the test still does what it is for.

use model::{Hierarchy, Outcome, TestCase};

/// Shorter tests are left to the rest of the minimizer.
const LONG: usize = 24;
/// Runs of a test of a thousand calls take a millisecond and more.
const MAX_ATTEMPTS: usize = 2000;

/// Takes calls away; what is seen of those that are left is returned.
pub(super) fn shorten(
    best: &mut TestCase,
    outcome: &Outcome,
    classes: &impl Hierarchy,
    still_good: &mut impl FnMut(&TestCase) -> bool,
) -> Outcome {
    let mut outcome = outcome.clone();
    let mut attempts = 0;
    let mut block = best.calls.len() / 2;
    while block > 0 && best.calls.len() > LONG {
        let mut end = best.calls.len() - 1;
        while end > 0 && attempts < MAX_ATTEMPTS {
            let start = end.saturating_sub(block);
            let mut candidate = best.clone();
            candidate.calls.drain(start..end);
            attempts += 1;
            if candidate.check(classes).is_ok() && still_good(&candidate) {
                *best = candidate;
                if outcome.calls.len() >= end {
                    outcome.calls.drain(start..end);
                }
            }
            end = start;
        }
        block /= 2;
    }
    outcome
}
