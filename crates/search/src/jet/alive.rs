//! The object that the open test has: the next test case may go on with it.
//!
//! An object of the pool is built again each time it is used. That of the test case that was run last is
//! still there, so that a method called on it next costs one call. What it is made of is told by the
//! calls that may have changed it: a method that a contract calls pure has not, so the object is the
//! same one after it.
//!
//! Invariant: the open test has made just the calls of `case`, as long as it is open.

use std::sync::Arc;

use model::{OperationKind, Slot, TestCase};

use super::draft::{Draft, Frame};
use super::object::{History, Key, Object, Step};
use super::{Jet, build};
use crate::Rng;
use crate::api::{OpId, TypeId};
use crate::random::chance;

/// Chance, in 1000, that the next test case goes on with it if it can.
const GOES_ON: u64 = 900;
/// Objects that took more calls do not join the pool on this way: they are made again each time.
const MAX_CALLS_OF_POOLED: usize = 8;

/// See the module.
#[derive(Debug)]
pub(super) struct Alive {
    /// All that the open test has called.
    case: TestCase,
    slot: Slot,
    object: Arc<Object>,
}

impl Jet<'_> {
    /// Has a new test case begin where the open test is, if it may.
    pub(super) fn go_on(&self, frame: &mut Frame, rng: &mut Rng) {
        let Some(alive) = &self.alive else { return };
        let has_room = alive.case.calls.len() < build::MAX_CALLS_OF_TEST;
        if self.is_still_open(alive) && has_room && chance(rng, GOES_ON) {
            frame.case = alive.case.clone();
            frame.is_alive = true;
        }
    }

    /// Passes the object that is there to a test case that goes on with it, if it fits.
    pub(super) fn pass_alive(&mut self, ty: TypeId) -> bool {
        let (Some(alive), Some(frame)) = (&self.alive, self.frames.last_mut()) else {
            return false;
        };
        let fits = self.api.fits(alive.object.ty).contains(&ty);
        if !(frame.is_alive && frame.tries == 0 && fits) {
            return false;
        }
        frame.pass(alive.slot, Key::Object(alive.object.clone()));
        true
    }

    pub(super) fn is_still_open(&self, alive: &Alive) -> bool {
        self.open.is_some_and(|open| open.frame == 0 && open.calls == alive.case.calls.len())
    }

    /// Ends an attempt at which the open test has made the call under test without a trace of anything
    /// else: what it was called on stays.
    pub(super) fn stay_alive(&mut self) {
        let is_kept = self.options.is_incremental() && self.pool.is_some() && self.open.is_some();
        let Some(frame) = self.frames.first().filter(|_| is_kept) else { return };
        let Some(alive) = self.after_test(frame) else {
            return self.stay_untouched();
        };
        let before = frame.draft.as_ref().and_then(|draft| draft.keys.first());
        let is_new =
            !matches!(before, Some(Key::Object(before)) if Arc::ptr_eq(before, &alive.object));
        if is_new {
            self.serials += 1;
            if alive.object.case.calls.len() <= MAX_CALLS_OF_POOLED {
                self.built.push(alive.object.clone());
            }
        }
        self.alive = Some(alive);
    }

    /// What was called had nothing to do with the object that is there, or it is not known what that is
    /// now.
    fn stay_untouched(&mut self) {
        let Some(frame) = self.frames.first() else { return };
        let is_untouched = frame.is_alive
            && frame.draft.as_ref().is_some_and(|draft| {
                let slot = self.alive.as_ref().map(|alive| alive.slot);
                let is_method = self.api.operation(draft.op).kind == OperationKind::InstanceMethod;
                !is_method && !draft.shares && draft.args.iter().all(|arg| Some(*arg) != slot)
            });
        match &mut self.alive {
            Some(alive) if is_untouched => alive.case.clone_from(&frame.case),
            _ => self.alive = None,
        }
    }

    /// The object of a test case after its call; `None` if it is not known what it is now.
    fn after_test(&self, frame: &Frame) -> Option<Alive> {
        let draft = frame.draft.as_ref().filter(|draft| draft.is_made)?;
        let is_method = self.api.operation(draft.op).kind == OperationKind::InstanceMethod;
        let Some(Key::Object(before)) = draft.keys.first().filter(|_| is_method) else {
            return None;
        };
        let (case, slot) = (frame.case.clone(), *draft.args.first()?);
        if self.roles.is_pure(self.api.first(draft.op)) {
            return Some(Alive { case, slot, object: before.clone() });
        }
        if !self.roles.changes(self.api, before.ty, draft.op) {
            return None;
        }
        let mut calls = self.needed(&case, &[slot]);
        let slots = calls.compact(&[slot]);
        let object = Object {
            case: Arc::new(calls),
            slot: slots[slot.index()]?,
            ty: before.ty,
            history: history(before, draft, self.api.first(draft.op)),
            serial: self.serials + 1,
        };
        (object.case.calls.len() <= build::MAX_CALLS).then(|| Alive {
            case,
            slot,
            object: Arc::new(object),
        })
    }

    /// The calls that may have made what is in some slots what it is: all that were given it, or anything that
    /// they were given, except for those that change nothing and whose results nobody uses.
    pub(super) fn needed(&self, case: &TestCase, slots: &[Slot]) -> TestCase {
        let mut is_needed = vec![false; case.slots.len()];
        slots.iter().for_each(|slot| is_needed[slot.index()] = true);
        let mut is_kept = vec![false; case.calls.len()];
        loop {
            let mut is_stable = true;
            for (at, call) in case.calls.iter().enumerate().rev() {
                let makes = call.result.is_some_and(|result| is_needed[result.index()]);
                let changes =
                    || !self.api.first_of(&call.op).is_some_and(|op| self.roles.is_pure(op));
                let is_object = |slot: &&Slot| case.slots[slot.index()].init.is_none();
                let is_given =
                    || call.args.iter().filter(is_object).any(|arg| is_needed[arg.index()]);
                if !is_kept[at] && (makes || is_given() && changes()) {
                    is_kept[at] = true;
                    call.args.iter().for_each(|arg| is_needed[arg.index()] = true);
                    is_stable = false;
                }
            }
            if is_stable {
                break;
            }
        }
        let kept = case.calls.iter().zip(is_kept).filter(|(_, is_kept)| *is_kept);
        let calls = kept.map(|(call, _)| call.clone()).collect();
        TestCase { slots: case.slots.clone(), calls }
    }

    /// An attempt ends without having made its call: the open test may have slots more.
    pub(super) fn keep_slots(&mut self) {
        let Some(frame) = self.frames.first().filter(|frame| frame.is_alive) else { return };
        if let Some(alive) = &mut self.alive {
            alive.case.slots.clone_from(&frame.case.slots);
        }
    }
}

/// What an object was made of, once this call was made on it too.
fn history(before: &Object, draft: &Draft, op: OpId) -> History {
    match &before.history {
        History::Steps(steps) if !draft.shares => {
            let mut steps = steps.clone();
            let mut args = draft.keys.clone();
            args[0] = Key::Itself;
            steps.push(Step { op, args });
            History::Steps(steps)
        }
        _ => History::Shared,
    }
}
