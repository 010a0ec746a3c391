//! Calls like another, as a question or before it: of the same object, with the same arguments as far
//! as they take such, and with simple values where they take others.

use std::sync::Arc;

use model::{Call, Operation, OperationKind, Slot, TestCase};

use crate::api::OpId;
use crate::driver::Driver;
use crate::executor::Executor;
use crate::minimize::{any_value, other_argument};

/// Methods of the class under test that can be called like this call: of those given the ones wanted,
/// those first that take most of what the call was given.
pub(crate) fn methods<E: Executor>(
    driver: &Driver<'_, E>,
    of: &[OpId],
    call: &Call,
    is_wanted: impl Fn(&Operation) -> bool,
    limit: usize,
) -> Vec<Arc<Operation>> {
    let api = driver.api;
    let given = api.subjects().iter().filter(|op| of.contains(op) && !api.is_deprecated(**op));
    let methods = given
        .map(|op| api.operation(*op).clone())
        .filter(|op| op.kind == OperationKind::InstanceMethod && *op != call.op && is_wanted(op));
    let mut methods: Vec<Arc<Operation>> = methods.collect();
    rank_alike(&mut methods, call);
    methods.truncate(limit);
    methods
}

/// Puts those operations first that take most of what the call was given; those that take what there
/// is no simple value of go.
fn rank_alike(ops: &mut Vec<Arc<Operation>>, call: &Call) {
    let made_up = |op: &Arc<Operation>| {
        let arguments = arguments(op, call)?;
        Some(arguments.iter().filter(|from| from.is_none()).count())
    };
    ops.retain(|op| made_up(op).is_some());
    ops.sort_by_key(made_up);
}

/// The test with a call of the operation on an object at its end, with arguments of the other call.
pub(crate) fn with_like(
    case: &TestCase,
    op: &Arc<Operation>,
    object: Slot,
    call: &Call,
) -> Option<TestCase> {
    let mut longer = case.clone();
    let mut args = vec![object];
    let from = arguments(op, call)?;
    for (from, ty) in from.iter().zip(&op.params[1..]) {
        args.push(match from {
            Some(at) => call.args[*at],
            None => longer.literal(ty.clone(), any_value(ty)?),
        });
    }
    longer.call(op, &args);
    let made_up = (1..).zip(&from).filter(|(_, from)| from.is_none());
    for (at, _) in made_up {
        let last = longer.calls.len() - 1;
        longer = other_argument(&longer, last, at).unwrap_or(longer);
    }
    Some(longer)
}

/// Whether an operation takes anything that the call was given.
pub(crate) fn takes_any(op: &Operation, call: &Call) -> bool {
    arguments(op, call).is_some_and(|from| from.iter().any(Option::is_some))
}

/// For each argument of an operation the one of the call that it takes, the first of its type that no
/// other takes, or none where it takes a simple value; `None` if there is nothing it could take.
fn arguments(op: &Operation, call: &Call) -> Option<Vec<Option<usize>>> {
    let mut taken: Vec<Option<usize>> = Vec::new();
    for ty in &op.params[1..] {
        let fits = |at: &usize| call.op.params[*at] == *ty && !taken.contains(&Some(*at));
        let given = (1..call.op.params.len()).find(fits);
        if given.is_none() {
            any_value(ty)?;
        }
        taken.push(given);
    }
    Some(taken)
}
