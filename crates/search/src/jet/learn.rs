//! What calls came to: a step worked or is taken back, a test case is counted.

use model::TestCase;

use super::build::MAX_CALLS_OF_TEST;
use super::draft::{Draft, Goal};
use super::identify::{Found, Identification};
use super::object::Key;
use super::options::Retry;
use super::redundancy::{Known, Number};
use super::{Jet, values};
use crate::Rng;
use crate::driver::is_fault_of_test;
use crate::strategy::{Ending, Move, Report, Values};

/// For so many tries counts a call that may have changed something before it failed.
const COSTLY: u32 = 3;
/// So often other values are drawn before the objects are others too.
const REDRAWN: u32 = 5;

impl Jet<'_> {
    /// The call of the top frame's draft was made, or one before it did not work any more.
    pub(super) fn made_step(
        &mut self,
        case: &TestCase,
        report: &Report,
        values: &dyn Values,
        rng: &mut Rng,
    ) {
        let Some(frame) = self.frames.last_mut() else { return };
        if matches!(frame.goal, Goal::Test(_)) {
            return self.made_test(case, report, rng);
        }
        let result = case.calls.last().and_then(|call| call.result);
        let made_nothing =
            || frame.object.is_none() && result.is_none_or(|result| values.is_null(result));
        if report.is_clean() && !made_nothing() {
            frame.settle(self.api);
        } else {
            self.take_back(report, rng);
        }
    }

    /// The call of the top frame's draft is taken back, and another one is chosen.
    fn take_back(&mut self, report: &Report, rng: &mut Rng) {
        let Some(frame) = self.frames.last() else { return };
        let is_unmade = is_unmade(report, &frame.case);
        let cost = if is_unmade { 1 } else { COSTLY };
        let has_more = frame.tries + cost < self.options.tries;
        let redraws = self.options.retry == Retry::Arguments;
        if redraws && has_more && frame.has_drawn() && is_unmade {
            self.undo(report);
            if let Some(frame) = self.frames.last_mut() {
                frame.tries += 1;
            }
            return self.redraw(rng);
        }
        self.undo(report);
        if self.taken_back > 2 * self.options.tries {
            return self.meaningless();
        }
        let Some(frame) = self.frames.last_mut() else { return };
        let roles = &self.roles;
        let can_differ = |draft: &Draft| {
            draft.wants.len() > usize::from(draft.own.is_some()) && roles.may_call(draft.op)
        };
        let again = frame.draft.take().filter(|draft| redraws && has_more && can_differ(draft));
        if again.is_none() && frame.object.is_some() {
            // Another one is called in its place.
            frame.left += 1;
        }
        if is_unmade {
            frame.keep_passed();
        }
        // Where something was changed, what was built is built again.
        frame.tries += cost - 1;
        self.take_other_call(rng);
        if let (Some(draft), Some(frame)) = (again, self.frames.last_mut()) {
            frame.begin(draft.op, draft.wants, draft.own);
        }
    }

    /// Takes the last call out of the top frame, and out of the open test if it is the last one there
    /// too and nothing else is to go; else that begins anew.
    fn undo(&mut self, report: &Report) {
        self.counts.taken_back += 1;
        self.taken_back += 1;
        let Some(frame) = self.frames.last_mut() else { return };
        let is_last = report.ending.last(frame.case.calls.len()) == last(&frame.case);
        let is_unmade = is_unmade(report, &frame.case);
        frame.take_back();
        let is_alone = frame.case.calls.len() == frame.sure;
        match &mut self.open {
            Some(open) if is_unmade || is_last && is_alone => {
                self.moves.push_back(Move::Undo);
                open.calls -= 1;
            }
            _ => self.open = None,
        }
    }

    /// Draws other values for the top frame's call.
    fn redraw(&mut self, rng: &mut Rng) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(draft) = &mut frame.draft else { return };
        for place in draft.drawn.clone() {
            let Some((ty, literal)) = values::literal(self.api, draft.wants[place], rng) else {
                continue;
            };
            draft.args[place] = frame.case.literal(ty, literal.clone());
            draft.keys[place] = Key::Literal(literal);
        }
    }

    /// The method under test was called in the open test.
    fn made_test(&mut self, case: &TestCase, report: &Report, rng: &mut Rng) {
        if !self.is_meaningless(case, report) {
            return self.end_test(report);
        }
        self.remember_meaningless(report);
        if let Ending::Unlinkable(..) = report.ending {
            return self.meaningless();
        }
        self.try_again(Some(report), rng);
    }

    /// The method under test cannot be called as it is: it is called with other arguments, up to the
    /// limit. What became of the call, if it was made.
    pub(super) fn try_again(&mut self, report: Option<&Report>, rng: &mut Rng) {
        let limit = self.options.tries;
        let Some(frame) = self.frames.last_mut() else { return };
        frame.tries += 1;
        if frame.tries >= limit || self.taken_back > 2 * limit {
            return self.meaningless();
        }
        let is_unmade = report.is_none_or(|report| is_unmade(report, &frame.case));
        if is_unmade
            && frame.has_drawn()
            && (!frame.takes_objects() || !frame.tries.is_multiple_of(REDRAWN))
        {
            if let Some(report) = report {
                self.undo(report);
            }
            return self.redraw(rng);
        }
        // What the method is called on stays, every other time.
        let stays = is_unmade
            && frame.tries % 2 == 1
            && frame.has_others()
            && frame.case.calls.len() < MAX_CALLS_OF_TEST;
        if stays {
            if let Some(report) = report {
                self.undo(report);
            }
            if let Some(frame) = self.frames.last_mut() {
                frame.choose_others();
            }
            return;
        }
        self.counts.taken_back += u64::from(report.is_some());
        self.taken_back += 1;
        frame.restart();
        self.open = None;
    }

    /// What the test case calls is not allowed, whenever it comes up again.
    fn remember_meaningless(&mut self, report: &Report) {
        let is_unmade = self.frames.last().is_some_and(|frame| is_unmade(report, &frame.case));
        if is_unmade
            && self.options.redundancy
            && let Ok(number) = self.number_of_test()
        {
            self.redundancy.remember(number, Known::Meaningless);
        }
    }

    /// A test case was run whole.
    pub(super) fn ran_whole(&mut self, case: &TestCase, report: &Report) {
        let Some(frame) = self.frames.last() else { return };
        let worked = match report.ending {
            Ending::Normal => case.calls.len(),
            _ => report.ending.last(case.calls.len()).unwrap_or(0),
        };
        if report.effects.may_be_emitted() {
            let parts = frame.parts.iter().rev().filter(|(end, _)| *end <= worked);
            self.built.extend(parts.map(|(_, object)| object.clone()));
        }
        if self.is_meaningless(case, report) {
            self.remember_meaningless(report);
            return self.meaningless();
        }
        self.end_test(report);
    }

    /// Whether a test case says nothing of its method: objects could not be built, or its precondition
    /// does not hold.
    fn is_meaningless(&self, case: &TestCase, report: &Report) -> bool {
        let Some(frame) = self.frames.last() else { return true };
        let Some(last) = report.ending.last(case.calls.len()) else { return true };
        last + 1 < frame.case.calls.len()
            || match &report.ending {
                Ending::Breached(at, breach) => is_fault_of_test(case, *at, *breach),
                Ending::Unlinkable(..) => true,
                Ending::Normal | Ending::Threw(_) | Ending::Cut(..) => false,
            }
    }

    /// The method under test did something.
    fn end_test(&mut self, report: &Report) {
        self.is_failure = matches!(report.ending, Ending::Breached(..));
        self.is_clean = report.is_clean();
        if !self.options.redundancy {
            return self.meaningful(None);
        }
        match self.number_of_test() {
            Ok(number) => self.meaningful(Some(number)),
            Err(_) => {
                // Objects are still to be compared: then it is seen whether it is redundant.
                self.is_run = true;
                if let Some(frame) = self.frames.last_mut() {
                    frame.take_back();
                }
            }
        }
    }

    /// A comparison of an object with others was run.
    pub(super) fn compared(
        &mut self,
        mut identification: Identification,
        case: &TestCase,
        report: &Report,
        values: &dyn Values,
    ) {
        match identification.learn(case, report, values) {
            Found::Hash => {
                let ty = self.api.ty(identification.object.ty);
                if let Some(class) = ty.as_class() {
                    let candidates = self.redundancy.candidates(class, identification.hash);
                    identification.compare_with(candidates);
                }
                self.compare(identification);
            }
            Found::Equal(number) => {
                let Identification { object, hash, .. } = &identification;
                let of = (self.api, self.classes);
                self.redundancy.identify(of, object, *hash, Some(number));
            }
            Found::Nothing => self.compare(identification),
        }
    }

    pub(super) fn meaningful(&mut self, number: Option<Number>) {
        if let Some(number) = number {
            self.redundancy.remember(number, Known::Meaningful);
        }
        self.counts.meaningful += 1;
        self.counts.failed += u64::from(self.is_failure);
        if self.is_clean {
            self.stay_alive();
        }
        self.turns.was_new();
        self.end_attempt();
    }

    pub(super) fn redundant(&mut self) {
        self.counts.redundant += 1;
        self.turns.was_redundant();
        self.end_attempt();
    }

    pub(super) fn meaningless(&mut self) {
        self.counts.meaningless += 1;
        self.turns.pass();
        self.end_attempt();
    }

    fn end_attempt(&mut self) {
        self.keep_slots();
        self.frames.clear();
        let is_open = self.alive.as_ref().is_some_and(|alive| self.is_still_open(alive));
        if !is_open {
            self.open = None;
            self.alive = None;
        }
        self.taken_back = 0;
        self.is_clean = false;
        self.is_run = false;
        self.is_failure = false;
    }
}

fn last(case: &TestCase) -> Option<usize> {
    case.calls.len().checked_sub(1)
}

/// Whether the last call of a test case was not made at all, because it was infeasible.
fn is_unmade(report: &Report, case: &TestCase) -> bool {
    matches!(report.ending, Ending::Breached(at, breach)
        if Some(at) == last(case) && breach.is_infeasible())
}
