//! The trail (beyond G19): tests that reached something new are gone on with.
//!
//! An object that just came into a state nobody had seen is where the next one is found: a parser
//! after its first token, a machine after its first key. In the pool it is one of hundreds that were
//! changed by the same call, most of them to no avail, and is soon forgotten. So the last tests that
//! covered more are kept apart, and calls are added at their ends, on what their last calls had to do
//! with.

use std::sync::Arc;

use model::{Args, Operation, OperationKind, Slot, TestCase};

use crate::Rng;
use crate::api::{OpId, TypeId};
use crate::random::{FeedbackDirected, MAX_CALLS, chance, pick};

/// Tests that are remembered; the oldest goes first.
const MAX_TESTS: usize = 48;
/// How often, of a thousand, what a last call changed is gone on with, not what it returned.
const ON_THE_SAME: u64 = 700;
/// Drawn at a time, of which the one is taken that was tried least.
const DRAWN: usize = 3;

/// A test that covered more.
struct Reached {
    case: Arc<TestCase>,
    /// How often it was gone on with.
    tried: u32,
}

/// The last tests that covered more.
#[derive(Default)]
pub(crate) struct Trail {
    tests: Vec<Reached>,
}

impl Trail {
    /// A test that returned has covered more.
    pub(crate) fn reach(&mut self, case: &TestCase) {
        if self.tests.len() == MAX_TESTS {
            self.tests.remove(0);
        }
        self.tests.push(Reached { case: Arc::new(case.clone()), tried: 0 });
    }

    /// Forgets tests that make calls of an operation.
    pub(crate) fn purge(&mut self, op: &Operation) {
        self.tests.retain(|reached| !reached.case.calls.iter().any(|call| *call.op == *op));
    }

    /// A test to go on with: the least tried of a few.
    fn next(&mut self, rng: &mut Rng) -> Option<Arc<TestCase>> {
        if self.tests.is_empty() {
            return None;
        }
        let drawn = [(); DRAWN].map(|()| rng.rand_range(0..self.tests.len() as u64) as usize);
        let least = drawn.into_iter().min_by_key(|at| self.tests[*at].tried)?;
        let reached = &mut self.tests[least];
        reached.tried += 1;
        Some(reached.case.clone())
    }
}

impl FeedbackDirected<'_> {
    /// A test of the trail with a call more; `None` if none can be added.
    pub(crate) fn further(&mut self, rng: &mut Rng) -> Option<TestCase> {
        let base = self.guidance.trail.as_mut()?.next(rng)?;
        let (object, ty) = self.left_by_last(&base, rng)?;
        let (op, at) = self.taking(ty, rng)?;
        let mut case = TestCase { slots: base.slots.clone(), calls: base.calls.clone() };
        let mut args = Args::new();
        for (position, param) in self.api.params(op).iter().enumerate() {
            let nullable = position > 0 || !self.api.needs_first(op);
            args.push(if position == at {
                object
            } else {
                self.input(*param, &mut case, rng, 1, nullable)?
            });
        }
        case.call(self.api.operation(op), &args);
        (case.calls.len() <= MAX_CALLS).then_some(case)
    }

    /// An object that the last call of a test changed or returned.
    fn left_by_last(&self, base: &TestCase, rng: &mut Rng) -> Option<(Slot, TypeId)> {
        let last = base.calls.last()?;
        let is_made = |slot: &Slot| base.slots[slot.index()].init.is_none();
        let given: Vec<Slot> = last.args.iter().copied().filter(is_made).collect();
        let returned = last.result.filter(|slot| base.ty(*slot).is_reference());
        let object = match returned {
            Some(returned) if given.is_empty() || !chance(rng, ON_THE_SAME) => returned,
            _ if given.is_empty() => return None,
            // The receiver is what most calls change.
            _ if last.op.has_receiver() && chance(rng, ON_THE_SAME) => last.args[0],
            _ => *pick(rng, &given),
        };
        Some((object, self.api.type_of(base, object)?))
    }

    /// A call that takes an object of the type, and where: of a member under test, if one does.
    fn taking(&mut self, ty: TypeId, rng: &mut Rng) -> Option<(OpId, usize)> {
        let fits = self.api.fits(ty);
        let place = |op: OpId| {
            let is_one = self.api.operation(op).kind != OperationKind::Inject;
            is_one.then(|| self.api.params(op).iter().position(|param| fits.contains(param)))?
        };
        let subject = self.subject(rng);
        let mut variants = self.api.variants(subject).iter().filter(|op| self.may_call(**op));
        if let Some(found) = variants.find_map(|op| Some((*op, place(*op)?))) {
            return Some(found);
        }
        let usable = self.operations_on(ty);
        (!usable.is_empty()).then(|| (*pick(rng, &usable), 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::machine::Value;
    use crate::testing::world::{World, class};
    use crate::testing::{case, op};

    #[test]
    fn the_oldest_tests_go_and_those_with_an_avoided_call_too() {
        let boxed = class("a/Box").method("opens()V", |_, _| Ok(Value::Null));
        let world = World::of([boxed]);
        let mut trail = Trail::default();
        trail.reach(&case(&world, "a/Box", &["opens"]));
        for _ in 0..MAX_TESTS {
            trail.reach(&case(&world, "a/Box", &[]));
        }
        assert_eq!(trail.tests.len(), MAX_TESTS);
        let calls = |trail: &Trail| trail.tests.iter().map(|r| r.case.calls.len()).max();
        assert_eq!(calls(&trail), Some(1));
        trail.reach(&case(&world, "a/Box", &["opens"]));
        assert_eq!(calls(&trail), Some(2));
        trail.purge(&op(&world, "a/Box", "opens"));
        assert_eq!(calls(&trail), Some(1));
    }

    #[test]
    fn all_are_tried_about_as_often() {
        let world = World::of([class("a/Box")]);
        let mut trail = Trail::default();
        (0..8).for_each(|_| trail.reach(&case(&world, "a/Box", &[])));
        let mut rng = Rng::new(1);
        (0..800).for_each(|_| drop(trail.next(&mut rng)));
        let tried = trail.tests.iter().map(|reached| reached.tried);
        assert!(tried.clone().min() > Some(80) && tried.max() < Some(120));
    }
}
