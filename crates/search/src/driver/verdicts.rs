//! Judging every call of a test, for strategies that count failures.
//!
//! Explorative tests go on after an exception (their calls are guarded), so most of what goes wrong in
//! one happens somewhere in its middle. Each exception is judged there, by the same oracles as that of a
//! last call, as if the test were the calls that it depends on: those that have to do with what the call
//! was given, directly or through others. Otherwise some `null` that went into another object long
//! before would excuse everything.
//!
//! A guarded call of `null` ends before any code runs, and leaves everything as it was.

use model::{CallEnd, ClassName, Slot, TestCase};

use super::{Driver, Event, Kept, is_fault_of_test, is_testable};
use crate::api::OpId;
use crate::executor::Executor;
use crate::failures::{Given, Noise, Unexpected};
use crate::strategy::Ending;

/// How a call of the open test went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Went {
    Returned,
    /// It threw what its guard caught.
    Threw,
    /// It was one of `null`.
    Nowhere,
    /// The test ended there.
    Ended,
}

/// What became of the calls of the open test.
#[derive(Default, Debug)]
pub(super) struct Verdicts {
    calls: Vec<Went>,
    /// The operations that threw what no caller could expect, and what that was.
    failed: Vec<(OpId, ClassName)>,
    /// What is to be told of them.
    found: Vec<Unexpected>,
}

impl<E: Executor> Driver<'_, E> {
    /// Judges a call that was just made.
    pub(super) fn judge(&mut self, case: &TestCase, at: usize, end: &CallEnd) {
        let Some(verdicts) = &mut self.verdicts else { return };
        let call = &case.calls[at];
        let is_of_null = call.op.has_receiver()
            && call.args.first().is_some_and(|receiver| self.executor.is_null(*receiver));
        let went = match end {
            CallEnd::Returned => Went::Returned,
            CallEnd::Threw if self.executor.overran() => Went::Ended,
            CallEnd::Threw if call.guarded && is_of_null => Went::Nowhere,
            CallEnd::Threw if call.guarded => Went::Threw,
            _ => Went::Ended,
        };
        verdicts.calls.truncate(at);
        verdicts.calls.push(went);
        let may_fail = *end == CallEnd::Threw && !is_of_null && !self.executor.overran();
        if may_fail {
            let failed = self.failed(case, at);
            self.verdicts.iter_mut().for_each(|verdicts| verdicts.failed.extend(failed.clone()));
        }
    }

    /// What the call just threw, if that is a failure and the test had not the same before; one that
    /// says something new of the class is remembered.
    fn failed(&mut self, case: &TestCase, at: usize) -> Option<(OpId, ClassName)> {
        let op = self.api.first_of(&case.calls[at].op)?;
        if case.calls[at].guarded {
            self.per_op.entry(op).or_default().threw += 1;
        }
        if !self.api.subjects().contains(&op) || !self.executor.effects_noted().may_be_emitted() {
            return None;
        }
        let thrown = self.executor.thrown()?;
        self.per_op.entry(op).or_default().last_thrown = Some(thrown.class.clone());
        let failed = (op, thrown.class.clone());
        if self.verdicts.as_ref()?.failed.contains(&failed) {
            return None;
        }
        // Most exceptions are none that anything could make a failure.
        let exceptions = &self.failures.exceptions;
        let call = &case.calls[at];
        exceptions.unexpected(self.classes, call, &thrown, Given::default())?;
        let calls = self.alone(case, at)?;
        let alone = once_written(case, calls.iter().copied());
        let last = alone.calls.len() - 1;
        if !self.api.is_for_callers(&alone.calls) {
            return None;
        }
        // The slots that hold something now are those of the test that runs.
        let calls = calls.iter().map(|(index, _)| case.calls[*index].clone()).collect();
        let as_run = TestCase { slots: case.slots.clone(), calls };
        let given = Given::of(self.executor, &as_run, last, self.api.is_wired());
        let is_deprecated = self.api.is_deprecated(op);
        let exceptions = &self.failures.exceptions;
        let is_unexpected = exceptions.unexpected(self.classes, call, &thrown, given).is_some();
        let is_wanted = Noise::of(&alone, &thrown.class, is_deprecated)
            .is_none_or(|noise| exceptions.noise.contains(&noise));
        let about = (given, is_deprecated);
        let found = self.failures.consider(self.classes, &alone, last, &thrown, about).cloned();
        self.verdicts.iter_mut().for_each(|verdicts| verdicts.found.extend(found.clone()));
        (is_unexpected && is_wanted).then_some(failed)
    }

    /// The calls that a call may depend on, and itself, which ends the test.
    fn alone(&self, case: &TestCase, at: usize) -> Option<Vec<(usize, Went)>> {
        let went = &self.verdicts.as_ref()?.calls;
        let mut needed = vec![false; case.slots.len()];
        case.calls[at].args.iter().for_each(|slot| needed[slot.index()] = true);
        let mut taken = vec![false; at];
        loop {
            let before = taken.iter().filter(|taken| **taken).count();
            for (index, call) in case.calls[..at].iter().enumerate().rev() {
                let touches = |slot: &Slot| {
                    needed[slot.index()] && case.slots[slot.index()].ty.is_reference()
                };
                let sets = call.result.is_some_and(|slot| needed[slot.index()]);
                let acts = went.get(index) != Some(&Went::Nowhere);
                if acts && !taken[index] && (sets || call.args.iter().any(touches)) {
                    taken[index] = true;
                    call.args.iter().chain(&call.result).for_each(|s| needed[s.index()] = true);
                }
            }
            if taken.iter().filter(|taken| **taken).count() == before {
                break;
            }
        }
        let calls = (0..at).filter(|index| taken[*index]).map(|index| (index, went[index]));
        Some(calls.chain([(at, Went::Ended)]).collect())
    }

    /// The test that just ran, as it is best gone on with: plainly, and without the calls that went
    /// nowhere. If its last call threw, it is a test of that.
    pub(super) fn plainly(&mut self, kept: Kept) -> Kept {
        let Some(verdicts) = &self.verdicts else { return kept };
        let mut went = verdicts.calls.clone();
        let Some((last, before)) = went.split_last_mut() else { return kept };
        let ends_well = *last != Went::Ended || kept.throws.is_some();
        if before.len() + 1 != kept.case.calls.len() || before.contains(&Went::Ended) || !ends_well
        {
            return kept;
        }
        let mut throws = kept.throws.clone();
        if *last == Went::Threw
            && let Some(thrown) = self.executor.thrown().filter(|t| is_testable(&t.class))
        {
            throws = Some(thrown.class);
            *last = Went::Ended;
        }
        let calls = went.into_iter().enumerate().filter(|(_, went)| *went != Went::Nowhere);
        let case = once_written(&kept.case, calls);
        if case.calls.is_empty() { kept } else { Kept { case, throws } }
    }

    /// Whether the test that just ran shows a failure.
    pub(super) fn has_failed(&self, case: &TestCase, ending: &Ending) -> bool {
        let Some(verdicts) = &self.verdicts else { return false };
        let breaks = match ending {
            Ending::Breached(at, breach) => {
                let is_subject = self.api.is_subject(&case.calls[*at].op);
                is_subject && !is_fault_of_test(case, *at, *breach)
            }
            _ => false,
        };
        breaks || !verdicts.failed.is_empty()
    }

    /// Tells of the failures that calls of the test showed.
    pub(super) fn tell_failures(&mut self, on_event: &mut dyn FnMut(Event<'_>)) {
        let found = self.verdicts.iter_mut().flat_map(|verdicts| verdicts.found.drain(..));
        found.for_each(|found| on_event(Event::Failed(&found)));
    }

    /// Takes the last call back, of which so many are left then, if it went nowhere; whether it did.
    pub(super) fn take_back_nothing(&mut self, left: usize) -> bool {
        let Some(verdicts) = &mut self.verdicts else { return false };
        let is_nothing =
            verdicts.calls.len() == left + 1 && verdicts.calls.last() == Some(&Went::Nowhere);
        if is_nothing {
            verdicts.calls.pop();
        }
        is_nothing
    }
}

/// The test of these calls, which went as is said, with each slot written once, as the tests of other
/// strategies have it: what returned has a slot of its own, what threw has none. Guards are left only
/// where something was caught.
fn once_written(case: &TestCase, calls: impl Iterator<Item = (usize, Went)>) -> TestCase {
    let mut plain = TestCase { slots: case.slots.clone(), calls: Vec::new() };
    let mut now: Vec<Slot> = (0..case.slots.len() as u32).map(Slot).collect();
    for (index, went) in calls {
        let mut call = case.calls[index].clone();
        call.args.iter_mut().for_each(|slot| *slot = now[slot.index()]);
        call.guarded = went == Went::Threw;
        call.result = call.result.filter(|_| went != Went::Threw).map(|slot| {
            let fresh = plain.slot(case.ty(slot).clone());
            now[slot.index()] = fresh;
            fresh
        });
        plain.calls.push(call);
    }
    plain.compact(&[]);
    plain
}
