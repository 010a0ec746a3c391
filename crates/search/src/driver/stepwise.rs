//! Tests that a strategy builds call by call.
//!
//! Each call is reported as the end of the test so far, as if that had been run whole. A move that
//! makes no call costs as much as one, so that no strategy can keep a search from ending.

use model::{Call, SlotDecl, TestCase};

use super::{Driver, Event};
use crate::executor::Executor;
use crate::strategy::{Ending, Report, Strategy};

impl<E: Executor> Driver<'_, E> {
    /// Opens a test; the one open before is closed.
    pub(super) fn open(&mut self, slots: Vec<SlotDecl>) {
        self.close();
        self.begin(&slots);
        self.open = Some((TestCase { slots, calls: Vec::new() }, Ending::Normal));
    }

    /// Makes a call in the open test. After a call that did not return none is made: the test ends
    /// there, and the strategy is told so again.
    pub(super) fn call_in_open(
        &mut self,
        call: Call,
        strategy: &mut dyn Strategy,
        on_event: &mut dyn FnMut(Event<'_>),
    ) {
        self.extend(Vec::new(), vec![call], strategy, on_event);
    }

    /// Makes calls in the open test up to one that does not return, and reports them together.
    pub(super) fn extend(
        &mut self,
        slots: Vec<SlotDecl>,
        calls: Vec<Call>,
        strategy: &mut dyn Strategy,
        on_event: &mut dyn FnMut(Event<'_>),
    ) {
        let Some((mut case, ended)) = self.open.take() else { return self.spending.spend(1) };
        if !slots.is_empty() {
            self.executor.extend(&slots);
            case.slots.extend(slots);
        }
        if calls.is_empty() {
            self.spending.spend(1);
        }
        let mut ending = ended.clone();
        let is_single = calls.len() == 1;
        for call in calls {
            let index = case.calls.len();
            case.calls.push(call);
            if ended != Ending::Normal {
                self.spending.spend(1);
                return self.tell_again((case, ended), strategy);
            }
            let end = self.call(&case, index);
            self.count_calls(1);
            ending = self.stops(&case, index, end).unwrap_or_else(|| self.at_end(index));
            if is_single && ending.is_infeasible() {
                self.count_infeasible(&case);
                return self.tell_again((case, ending), strategy);
            }
            if ending != Ending::Normal {
                break;
            }
        }
        self.report(&case, ending.clone(), strategy, on_event);
        self.open = Some((case, ending));
    }

    /// Counts an infeasible call, the last one: nothing else is to be learnt of it.
    fn count_infeasible(&mut self, case: &TestCase) {
        self.statistics.runs += 1;
        self.statistics.infeasible += 1;
        if let Some(op) = case.calls.last().and_then(|call| self.api.first_of(&call.op)) {
            self.per_op.entry(op).or_default().infeasible += 1;
        }
    }

    /// Tells of a call that was not made, because it is infeasible or one before it did not return.
    fn tell_again(&mut self, (case, ended): (TestCase, Ending), strategy: &mut dyn Strategy) {
        let effects = self.executor.effects_noted();
        let (culprit, ending) = (self.culprit, ended.clone());
        let failed = self.has_failed(&case, &ending);
        let report = Report { ending, effects, culprit, leaver: None, new_coverage: false, failed };
        self.tell(&case, &report, strategy);
        self.open = Some((case, ended));
    }

    pub(super) fn undo(&mut self) {
        let Some((mut case, ended)) = self.open.take() else { return self.spending.spend(1) };
        case.calls.pop();
        if ended.is_infeasible() && ended.last(0) == Some(case.calls.len()) {
            self.spending.spend(1);
            self.open = Some((case, Ending::Normal));
            return;
        }
        if ended == Ending::Normal && self.take_back_nothing(case.calls.len()) {
            self.spending.spend(1);
            self.open = Some((case, ended));
            return;
        }
        self.executor.end();
        let ending = self.execute(&case);
        self.open = Some((case, ending));
    }

    pub(super) fn close(&mut self) {
        self.spending.spend(1);
        if self.open.take().is_some() {
            self.executor.end();
        }
    }
}
