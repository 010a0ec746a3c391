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

use super::draft::{Draft, Frame, Goal};
use super::object::{History, Key, Object, Step};
use super::{Jet, build};
use crate::Rng;
use crate::api::{OpId, TypeId};
use crate::random::chance;

/// Chance, in 1000, that the next test case goes on with it if it can.
const GOES_ON: u64 = 800;

/// See the module.
#[derive(Debug)]
pub(super) struct Alive {
    /// All that the open test has called.
    case: TestCase,
    slot: Slot,
    object: Arc<Object>,
}

impl Jet<'_> {
    /// Passes the object that is there as the first argument of a test case, if it fits.
    pub(super) fn goes_on(&mut self, ty: TypeId, rng: &mut Rng) -> bool {
        let Some(alive) = &self.alive else { return false };
        let is_there = self.is_still_open(alive);
        let Some(frame) = self.frames.last_mut() else { return false };
        let is_first = matches!(frame.goal, Goal::Test(_)) && frame.case.slots.is_empty();
        let fits = self.api.fits(alive.object.ty).contains(&ty);
        let has_room = alive.case.calls.len() < build::MAX_CALLS_OF_TEST;
        if !(is_there && is_first && fits && has_room && chance(rng, GOES_ON)) {
            return false;
        }
        frame.case = alive.case.clone();
        frame.is_alive = true;
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
            self.alive = None;
            return;
        };
        let is_new = frame.draft.as_ref().is_some_and(|draft| match draft.keys.first() {
            Some(Key::Object(before)) => !Arc::ptr_eq(before, &alive.object),
            _ => false,
        });
        if is_new {
            self.serials += 1;
            self.built.push(alive.object.clone());
        }
        self.alive = Some(alive);
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
