//! Operations in which workers died: called only as kept tests call them. Operations that never ended by
//! themselves: not called any more.
//!
//! Tests that need such an operation were kept because they did not kill. Whatever tries variations
//! of them, as minimizing does, would sooner or later try one that does.

use std::sync::Arc;

use model::{Call, Literal, Operation, Slot, SlotDecl};
use rustc_hash::{FxHashMap, FxHashSet};
use search::Kept;

/// The arguments of a call: literals, and `None` for what calls have made.
type Arguments = Vec<Option<Literal>>;

/// What is feared, and what the open test case has in its slots.
#[derive(Default, Debug)]
pub(crate) struct Feared {
    allowed: FxHashMap<Operation, FxHashSet<Arguments>>,
    slots: Arguments,
}

impl Feared {
    /// Operations to fear and the tests that show how they can be called.
    pub(crate) fn new(operations: &[Operation], kept: &[Kept]) -> Self {
        if operations.is_empty() {
            return Self::default();
        }
        let allowed = operations.iter().map(|op| (op.clone(), FxHashSet::default())).collect();
        let mut feared = Self { allowed, slots: Vec::new() };
        for test in kept {
            feared.begin(&test.case.slots);
            for call in &test.case.calls {
                let arguments = feared.arguments(&call.args);
                if let Some(allowed) = feared.allowed.get_mut(&*call.op) {
                    allowed.insert(arguments);
                }
                feared.made(call);
            }
        }
        feared
    }

    /// Fears an operation that no kept test calls.
    pub(crate) fn add(&mut self, operation: &Operation) {
        self.allowed.entry(operation.clone()).or_default();
    }

    /// A test case is opened.
    pub(crate) fn begin(&mut self, slots: &[SlotDecl]) {
        if !self.allowed.is_empty() {
            self.slots.clear();
        }
        self.extend(slots);
    }

    /// The open test case gets these slots too.
    pub(crate) fn extend(&mut self, slots: &[SlotDecl]) {
        if !self.allowed.is_empty() {
            self.slots.extend(slots.iter().map(|slot| slot.init.clone()));
        }
    }

    /// Whether an operation may be called with what is in these slots.
    pub(crate) fn allows(&self, op: &Arc<Operation>, args: &[Slot]) -> bool {
        self.allowed.is_empty()
            || self.allowed.get(&**op).is_none_or(|allowed| allowed.contains(&self.arguments(args)))
    }

    /// A call was made: its result is in its slot.
    pub(crate) fn made(&mut self, call: &Call) {
        if let (Some(result), false) = (call.result, self.allowed.is_empty()) {
            self.slots[result.index()] = None;
        }
    }

    fn arguments(&self, args: &[Slot]) -> Arguments {
        args.iter().map(|slot| self.slots[slot.index()].clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use model::{ClassName, OperationKind, TestCase, Type};

    use super::*;

    fn operation(name: &str) -> Arc<Operation> {
        Arc::new(Operation {
            kind: OperationKind::StaticMethod,
            owner: ClassName::internal("x/Y"),
            name: name.into(),
            params: vec![Type::INT],
            result: Some(Type::INT),
            implementation: None,
        })
    }

    /// Calls of operations with an int, or with the result of the call before.
    fn case(calls: &[(&str, Option<i32>)]) -> TestCase {
        let mut case = TestCase::default();
        let mut last = None;
        for (name, number) in calls {
            let argument = match number {
                Some(number) => case.literal(Type::INT, Literal::Int(*number)),
                None => last.expect("a call before"),
            };
            last = case.call(&operation(name), &[argument]);
        }
        case
    }

    /// Whether the last call of a case is allowed where `f` is feared but was kept as `f(5)` and
    /// `f(g(1))`.
    fn check(calls: &[(&str, Option<i32>)], allowed: bool) {
        let kept = [case(&[("f", Some(5))]), case(&[("g", Some(1)), ("f", None)])]
            .map(|case| Kept { case, throws: None });
        let mut feared = Feared::new(&[(*operation("f")).clone()], &kept);
        let case = case(calls);
        feared.begin(&case.slots);
        let (last, before) = case.calls.split_last().expect("a call");
        before.iter().for_each(|call| feared.made(call));
        assert_eq!(feared.allows(&last.op, &last.args), allowed);
    }

    #[test]
    fn what_is_feared_is_called_only_as_kept_tests_do() {
        check(&[("f", Some(5))], true);
        check(&[("f", Some(0))], false);
        check(&[("g", Some(2)), ("f", None)], true);
        check(&[("f", Some(5)), ("f", Some(6))], false);
    }

    #[test]
    fn what_is_added_is_not_called_at_all() {
        let mut feared = Feared::default();
        feared.add(&operation("f"));
        let case = case(&[("g", Some(5)), ("f", Some(5))]);
        feared.begin(&case.slots);
        let allowed = case.calls.iter().map(|call| feared.allows(&call.op, &call.args));
        assert_eq!(allowed.collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn what_is_not_feared_may_be_called() {
        check(&[("g", Some(0))], true);
        let kept = Kept { case: case(&[("f", Some(5))]), throws: None };
        assert!(Feared::new(&[], &[kept]).allows(&operation("f"), &[Slot(0)]));
    }
}
