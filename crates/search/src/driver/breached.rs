//! Whose fault a broken contract is.

use model::{Breach, BreachKind, OperationKind, TestCase};

/// Whether the test is to blame for what call `at` broke: it may not make the call as it does, or it
/// assigned fields, or wrote a class of its own, so that what holds of an object held no more.
pub(crate) fn is_fault_of_test(case: &TestCase, at: usize, breach: Breach) -> bool {
    let is_own = |kind| matches!(kind, OperationKind::SetField | OperationKind::Implement);
    let assigns = || case.calls[..=at].iter().any(|call| is_own(call.op.kind));
    let is_state = matches!(breach.kind, BreachKind::Invariant | BreachKind::Constraint);
    breach.is_infeasible() || is_state && assigns()
}
