//! Which calls of a test have to do with its last one: they share an object with it, or with a call that
//! does.
//!
//! A test that is changed again and again gathers what made the arguments that others replaced. Such
//! calls cost as much as any, take room from calls that matter, and their literals are changed in vain.
//! So what a change cuts off goes with it. What had nothing to do with the last call before the change
//! stays: it may set something static.

use model::{Call, Slot, TestCase};

/// A test made by a change of call `at` of `base`, with what its new argument takes made before it:
/// without those calls that the change cut off from the last one.
///
/// Invariant: what is left reads nothing that went. A call that stays reads of what is connected with it
/// only; what was made for the call that changed stays or goes with that.
pub(crate) fn without_cut_off(base: &TestCase, mut changed: TestCase, at: usize) -> TestCase {
    let (before, after) = (connected(base), connected(&changed));
    let added = changed.calls.len() - base.calls.len();
    let was_connected = |call: usize| match call {
        known if known < at => before[known],
        new if new < at + added => before[at],
        moved => before[moved - added],
    };
    let mut call = 0;
    changed.calls.retain(|_| {
        call += 1;
        after[call - 1] || !was_connected(call - 1)
    });
    changed
}

/// For each call whether it has to do with the last one.
fn connected(case: &TestCase) -> Vec<bool> {
    let mut reached = vec![false; case.calls.len()];
    let mut objects = vec![false; case.slots.len()];
    let touched = |call: &Call| -> Vec<Slot> {
        let slots = call.args.iter().copied().chain(call.result);
        slots.filter(|slot| case.slots[slot.index()].init.is_none()).collect()
    };
    let mut next = case.calls.len().checked_sub(1);
    while let Some(at) = next {
        reached[at] = true;
        for slot in touched(&case.calls[at]) {
            objects[slot.index()] = true;
        }
        let shares = |call: &Call| touched(call).iter().any(|slot| objects[slot.index()]);
        next = (0..case.calls.len())
            .rev()
            .find(|other| !reached[*other] && shares(&case.calls[*other]));
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::machine::Value;
    use crate::testing::world::{World, class};
    use crate::testing::{op, told};

    fn world() -> World {
        World::of([class("a/Box")
            .method("put(La/Box;)V", |_, _| Ok(Value::Null))
            .method("weigh()V", |_, _| Ok(Value::Null))])
    }

    /// `outer.put(inner); outer.weigh();` with a box that nobody uses first.
    fn case(world: &World) -> (TestCase, Slot) {
        let [new, put, weigh] = ["<init>", "put", "weigh"].map(|name| op(world, "a/Box", name));
        let mut case = TestCase::default();
        case.call(&new, &[]);
        let inner = case.call(&new, &[]).expect("a box");
        case.call(&put, &[inner, inner]);
        let outer = case.call(&new, &[]).expect("a box");
        case.call(&put, &[outer, inner]);
        case.call(&weigh, &[outer]);
        (case, inner)
    }

    #[test]
    fn calls_are_connected_by_the_objects_that_they_share() {
        let (case, _) = case(&world());
        assert_eq!(connected(&case), [false, true, true, true, true, true]);
        assert_eq!(connected(&TestCase::default()), [] as [bool; 0]);
    }

    #[test]
    fn what_is_cut_off_goes_and_what_never_was_connected_stays() {
        let world = world();
        let (base, inner) = case(&world);
        let new = op(&world, "a/Box", "<init>");
        let mut changed = TestCase { slots: base.slots.clone(), calls: base.calls[..4].to_vec() };
        let other = changed.call(&new, &[]).expect("a box");
        changed.calls.extend_from_slice(&base.calls[4..]);
        assert_eq!(changed.calls[5].args[1], inner);
        changed.calls[5].args[1] = other;
        let left = without_cut_off(&base, changed, 4);
        let names: Vec<&str> = left.calls.iter().map(|call| &*call.op.name).collect();
        assert_eq!(names, ["<init>", "<init>", "<init>", "put", "weigh"], "{:?}", told(&left));
    }

    #[test]
    fn what_is_made_for_a_call_that_never_was_connected_stays_with_it() {
        let world = world();
        let [new, put, weigh] = ["<init>", "put", "weigh"].map(|name| op(&world, "a/Box", name));
        let mut base = TestCase::default();
        let aside = base.call(&new, &[]).expect("a box");
        base.call(&put, &[aside, aside]);
        let weighed = base.call(&new, &[]).expect("a box");
        base.call(&weigh, &[weighed]);
        let mut changed = TestCase { slots: base.slots.clone(), calls: base.calls[..1].to_vec() };
        let other = changed.call(&new, &[]).expect("a box");
        changed.calls.extend_from_slice(&base.calls[1..]);
        changed.calls[2].args[1] = other;
        let left = without_cut_off(&base, changed.clone(), 1);
        left.check(&world).expect("a well-formed test");
        assert_eq!(left, changed);
    }
}
