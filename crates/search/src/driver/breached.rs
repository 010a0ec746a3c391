//! Whose fault a broken contract is.

use model::{Breach, OperationKind, TestCase};

/// Whether the test is to blame for what call `at` broke: it may not make the call as it does, or it
/// assigned fields, or wrote a class of its own, so that what holds of an object held no more.
pub(crate) fn is_fault_of_test(case: &TestCase, at: usize, breach: Breach) -> bool {
    let is_own = |kind| matches!(kind, OperationKind::SetField | OperationKind::Implement);
    let assigns = || case.calls[..=at].iter().any(|call| is_own(call.op.kind));
    breach.is_infeasible() || breach.is_of_state() && assigns()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use model::{BreachKind, ClassName, Operation, Type};

    use super::*;

    fn operation(kind: OperationKind, params: Vec<Type>, result: Option<Type>) -> Arc<Operation> {
        let (owner, name) = (ClassName::internal("p/Box"), "name".into());
        Arc::new(Operation { kind, owner, name, params, result, implementation: None })
    }

    #[track_caller]
    fn check(kind: BreachKind, assigns: bool, expect: bool) {
        let class = Type::Class(ClassName::internal("p/Box"));
        let mut case = TestCase::default();
        if assigns {
            let (owner, value) = (case.slot(class.clone()), case.slot(Type::object()));
            let params = vec![class.clone(), Type::object()];
            case.call(&operation(OperationKind::SetField, params, None), &[owner, value]);
        }
        case.call(&operation(OperationKind::Constructor, Vec::new(), Some(class)), &[]);
        let last = case.calls.len() - 1;
        assert_eq!(is_fault_of_test(&case, last, Breach { kind, clause: 1 }), expect, "{kind}");
    }

    #[test]
    fn what_holds_of_objects_no_more_after_an_assignment_is_the_fault_of_the_test() {
        for kind in [BreachKind::Invariant, BreachKind::Constraint, BreachKind::NonNullField] {
            check(kind, true, true);
            check(kind, false, false);
        }
        check(BreachKind::NonNull, true, false);
        check(BreachKind::Postcondition, true, false);
        check(BreachKind::EntryPrecondition, false, true);
    }
}
