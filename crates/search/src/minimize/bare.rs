//! Containers made with what makes no difference: `new TreeMap<>(comparator)` is `new TreeMap<>()`.

use std::sync::Arc;

use model::{Hierarchy, Operation, OperationKind, Slot, TestCase, Type};

const CONTAINERS: [&str; 2] = ["java/util/Collection", "java/util/Map"];
const COMPARATOR: &str = "java/util/Comparator";

/// The test with the container that call `index` makes made of nothing, if it is empty anyway.
pub(super) fn container(
    case: &TestCase,
    index: usize,
    classes: &impl Hierarchy,
) -> Option<TestCase> {
    let call = &case.calls[index];
    let is_empty =
        |arg: &Slot| holds_nothing(case, *arg, classes) || is_empty(case, index, *arg, classes);
    if call.args.is_empty()
        || !makes_container(&call.op, classes)
        || !call.args.iter().all(is_empty)
    {
        return None;
    }
    let class = classes.class(&call.op.owner)?;
    let constructor = class.constructors().find(|c| c.params.is_empty() && c.access.is_public())?;
    let mut candidate = case.clone();
    candidate.calls[index].op = Arc::new(Operation::of_method(&class, constructor));
    candidate.calls[index].args.clear();
    Some(candidate)
}

fn makes_container(op: &Operation, classes: &impl Hierarchy) -> bool {
    let made = Type::Class(op.owner.clone());
    op.kind == OperationKind::Constructor
        && op.owner.package() == "java/util"
        && CONTAINERS.iter().any(|of| classes.is_subtype(&made, &Type::class(of)))
}

/// Whether a value brings no elements: a number, which says how much room to begin with, `null`, a
/// comparator.
fn holds_nothing(case: &TestCase, slot: Slot, classes: &impl Hierarchy) -> bool {
    let decl = &case.slots[slot.index()];
    decl.init.is_some() || classes.is_subtype(&decl.ty, &Type::class(COMPARATOR))
}

/// Whether a value is a container that was made of nothing, and that no call had to do with before.
fn is_empty(case: &TestCase, index: usize, slot: Slot, classes: &impl Hierarchy) -> bool {
    let mut made = case.calls[..index].iter().filter(|call| call.result == Some(slot));
    let is_bare =
        made.next().is_some_and(|call| call.args.is_empty() && makes_container(&call.op, classes));
    let is_passed = case.calls[..index].iter().any(|call| call.args.contains(&slot));
    is_bare && made.next().is_none() && !is_passed
}
