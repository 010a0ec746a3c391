//! Containers made with what makes no difference: `new TreeMap<>(comparator)` is `new TreeMap<>()`,
//! and so is `new TreeMap<>(Map.of())`.

use std::sync::Arc;

use model::{Hierarchy, Operation, OperationKind, Slot, TestCase, Type};

use crate::api::Api;

const CONTAINERS: [&str; 2] = ["java/util/Collection", "java/util/Map"];
const COMPARATOR: &str = "java/util/Comparator";

/// The test with the container that call `index` makes made of nothing, if it is empty anyway.
pub(super) fn container(
    case: &TestCase,
    index: usize,
    api: &Api,
    classes: &impl Hierarchy,
) -> Option<TestCase> {
    let call = &case.calls[index];
    let is_empty =
        |arg: &Slot| holds_nothing(case, *arg, classes) || is_empty(case, index, *arg, classes);
    if call.args.is_empty()
        || call.op.kind != OperationKind::Constructor
        || !makes_container(&call.op, classes)
        || !call.args.iter().all(is_empty)
    {
        return None;
    }
    let mut candidate = case.clone();
    candidate.calls[index].op = of_nothing(&call.op, api, classes)?;
    candidate.calls[index].args.clear();
    Some(candidate)
}

/// The constructor without parameters of the class that another one makes an object of; with the same
/// type arguments, if the search knows it.
fn of_nothing(op: &Operation, api: &Api, classes: &impl Hierarchy) -> Option<Arc<Operation>> {
    let mut known = api.id_of(op).into_iter().flat_map(|op| api.siblings(op));
    if let Some(known) = known.find(|other| api.params(*other).is_empty()) {
        return Some(api.operation(known).clone());
    }
    let class = classes.class(&op.owner)?;
    let constructor = class.constructors().find(|c| c.params.is_empty() && c.access.is_public())?;
    Some(Arc::new(Operation::of_method(&class, constructor)))
}

fn makes_container(op: &Operation, classes: &impl Hierarchy) -> bool {
    let is_made = [OperationKind::Constructor, OperationKind::StaticMethod].contains(&op.kind);
    let is_container = |made: &Type| {
        CONTAINERS.iter().any(|container| classes.is_subtype(made, &Type::class(container)))
    };
    is_made && op.owner.package() == "java/util" && op.result.as_ref().is_some_and(is_container)
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
    let is_bare = made.next().is_some_and(|call| {
        let of_no_elements = call.args.iter().zip(&call.op.params).all(|(arg, param)| {
            call.op.kind == OperationKind::StaticMethod
                && matches!(param, Type::Array(_))
                && is_empty_array(case, index, *arg)
        });
        of_no_elements && makes_container(&call.op, classes)
    });
    let is_passed = case.calls[..index].iter().any(|call| call.args.contains(&slot));
    is_bare && made.next().is_none() && !is_passed
}

/// Whether a value is an array without elements: what `Map.ofEntries()` is given.
fn is_empty_array(case: &TestCase, index: usize, slot: Slot) -> bool {
    let mut made = case.calls[..index].iter().filter(|call| call.result == Some(slot));
    let is_empty =
        |call: &model::Call| call.op.kind == OperationKind::Array && call.args.is_empty();
    made.next().is_some_and(is_empty) && made.next().is_none()
}
