//! The full outcome of a test case: what each call returned or threw, and what it tried outside
//! the heap.
//!
//! It costs many times what running the test does, so it is for the few tests that are kept.

use model::{CallEnd, CallOutcome, Cut, End, Observation, Outcome, TestCase};

use crate::executor::Executor;

/// Runs a test case and writes down everything that can be seen of its calls.
pub fn record<E: Executor>(executor: &mut E, case: &TestCase) -> Outcome {
    let calls = run_recorded(executor, case);
    executor.end();
    Outcome { calls }
}

/// The same; the test case is still open.
pub(crate) fn run_recorded<E: Executor>(executor: &mut E, case: &TestCase) -> Vec<CallOutcome> {
    executor.begin(&case.slots);
    let mut calls = Vec::with_capacity(case.calls.len());
    let mut over = false;
    for call in &case.calls {
        if over {
            calls.push(CallOutcome { end: End::NotRun, effects: Vec::new() });
            continue;
        }
        let end = match executor.call(call) {
            CallEnd::Returned => {
                End::Returned(call.result.map_or(Observation::Nothing, |s| executor.observe(s)))
            }
            CallEnd::Threw => {
                over = !call.guarded;
                executor.thrown().map_or(End::NotRun, End::Threw)
            }
            CallEnd::Breached(breach) => {
                over = true;
                End::Breached(breach)
            }
            CallEnd::Cut(cut) => {
                over = true;
                if cut == Cut::Killed { End::Crashed } else { End::Hung(cut) }
            }
            CallEnd::Unlinkable(why) => {
                over = true;
                End::Unlinkable(why)
            }
        };
        calls.push(CallOutcome { end, effects: executor.take_effects() });
    }
    calls
}

/// Whether two runs of a test went the same way: each call returned, threw the same class, or did
/// not run. Values are left to the assertions, of which those that differ are not made.
pub(crate) fn went_alike(one: &Outcome, other: &Outcome) -> bool {
    one.calls.len() == other.calls.len()
        && one.calls.iter().zip(&other.calls).all(|(a, b)| match (&a.end, &b.end) {
            (End::Returned(_), End::Returned(_)) | (End::NotRun, End::NotRun) => true,
            (End::Threw(a), End::Threw(b)) => a.class == b.class,
            (End::Breached(a), End::Breached(b)) => a == b,
            _ => false,
        })
}
