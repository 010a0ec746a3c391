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
        let Some((mut case, ended)) = self.open.take() else { return self.spending.spend(1) };
        let index = case.calls.len();
        case.calls.push(call);
        if ended != Ending::Normal {
            self.spending.spend(1);
            let effects = self.executor.effects_noted();
            let (culprit, ending) = (self.culprit, ended.clone());
            let report = Report { ending, effects, culprit, leaver: None, new_coverage: false };
            self.tell(&case, &report, strategy);
            self.open = Some((case, ended));
            return;
        }
        let end = self.call(&case, index);
        self.count_calls(1);
        let ending = self.stops(&case, index, end).unwrap_or_else(|| self.at_end(index));
        self.report(&case, ending.clone(), strategy, on_event);
        self.open = Some((case, ending));
    }

    pub(super) fn undo(&mut self) {
        let Some((mut case, _)) = self.open.take() else { return self.spending.spend(1) };
        case.calls.pop();
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
