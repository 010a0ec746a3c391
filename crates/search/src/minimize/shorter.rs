//! Constructors of the JDK that do with less: `new ByteArrayInputStream(bytes, 0, 3)` is
//! `new ByteArrayInputStream(bytes)` where no matter how many of the bytes are read.

use model::{Hierarchy, Literal, OperationKind, Origin, Slot, TestCase};

use crate::api::{Api, OpId};

/// The tests with the object that call `index` makes made without numbers and switches it can do
/// without, those with the fewest arguments first.
pub(super) fn constructors(
    case: &TestCase,
    index: usize,
    api: &Api,
    classes: &impl Hierarchy,
) -> Vec<TestCase> {
    let call = &case.calls[index];
    let Some(op) = api.id_of(&call.op) else { return Vec::new() };
    let is_of_jdk = classes.class(&call.op.owner).is_some_and(|c| c.origin == Origin::Jdk);
    if call.op.kind != OperationKind::Constructor || !is_of_jdk {
        return Vec::new();
    }
    let with = |shorter: OpId| {
        let mut candidate = case.clone();
        candidate.calls[index].args = left(case, index, api, shorter)?.into();
        candidate.calls[index].op = api.operation(shorter).clone();
        Some(candidate)
    };
    let mut found: Vec<TestCase> =
        api.siblings(op).filter(|other| !api.params(*other).is_empty()).filter_map(with).collect();
    found.sort_by_key(|candidate| candidate.calls[index].args.len());
    found
}

/// The arguments of a call that a shorter operation takes, if the others are numbers and switches.
fn left(case: &TestCase, index: usize, api: &Api, shorter: OpId) -> Option<Vec<Slot>> {
    let call = &case.calls[index];
    let mut wanted = api.operation(shorter).params.iter().peekable();
    let mut left = Vec::new();
    for (slot, param) in call.args.iter().zip(&call.op.params) {
        let init = case.slots[slot.index()].init.as_ref();
        if wanted.next_if_eq(&param).is_some() {
            left.push(*slot);
        } else if param.is_reference() || init.is_none_or(|init| *init == Literal::Null) {
            return None;
        }
    }
    (wanted.next().is_none() && left.len() < call.args.len()).then_some(left)
}
