//! The order of the tests in a file: as the class has its members, constructors first, and what a member
//! usually does before what it throws. So all tests of a member stand together.

use model::{Class, ClassSource, Expectation, Operation, OperationKind, UnitTest};

use crate::Suite;

/// The tests of a suite, by index, as they stand in its file. Those about the same stay in the order
/// they have in the suite.
pub(crate) fn in_order(suite: &Suite, classes: &dyn ClassSource) -> Vec<usize> {
    let class = classes.class(&suite.class);
    let mut all: Vec<usize> = (0..suite.tests.len()).collect();
    all.sort_by_cached_key(|index| {
        let test = &suite.tests[*index];
        (subject(test).map(|op| place(op, class.as_deref())), is_throwing(test), *index)
    });
    all
}

fn subject(test: &UnitTest) -> Option<&Operation> {
    test.case.calls.get(test.subject).map(|call| &*call.op)
}

fn is_throwing(test: &UnitTest) -> bool {
    matches!(test.expectation, Expectation::Throws(_))
}

/// Where a member stands: its kind, its place in the class, and its name, if it is inherited.
fn place<'o>(op: &'o Operation, class: Option<&Class>) -> (u8, usize, &'o str) {
    let kind = match op.kind {
        OperationKind::Constructor | OperationKind::Implement | OperationKind::Inject => 0,
        OperationKind::StaticField | OperationKind::InstanceField | OperationKind::SetField => 1,
        _ => 2,
    };
    let is_it = |of: Operation| of.name == op.name && of.arguments() == op.arguments();
    let at = class.and_then(|class| {
        if kind == 1 {
            class.fields.iter().position(|field| field.name == op.name)
        } else {
            class.methods.iter().position(|method| is_it(Operation::of_method(class, method)))
        }
    });
    (kind, at.unwrap_or(usize::MAX), &op.name)
}
