//! Doing without a call, and what stands where its value stood.

use model::{Call, Hierarchy, Literal, OperationKind, Slot, SlotDecl, TestCase, Type};

use super::places::Places;
use super::{is_used_once_written, replace, simpler};
use crate::api::Api;

/// Values that are tried in place of one.
const MAX_STAND_INS: usize = 4;

/// Tests without call `index`: its dependents dropped too, or its value replaced by what it was made of
/// or by an older one.
pub(super) fn call(
    case: &TestCase,
    index: usize,
    api: &Api,
    classes: &impl Hierarchy,
) -> Vec<TestCase> {
    let mut candidates = Vec::new();
    let last = case.calls.len() - 1;
    let Some(result) = case.calls[index].result else {
        let mut candidate = case.clone();
        candidate.calls.remove(index);
        return vec![candidate];
    };
    let uses = |call: &Call, slots: &[Slot]| call.args.iter().any(|a| slots.contains(a));
    let mut gone = vec![result];
    let mut drop = vec![index];
    for (later, call) in case.calls.iter().enumerate().skip(index + 1) {
        if uses(call, &gone) {
            drop.push(later);
            gone.extend(call.result);
        }
    }
    if !drop.contains(&last) {
        let mut candidate = case.clone();
        candidate.calls = (case.calls.iter().enumerate())
            .filter(|(i, _)| !drop.contains(i))
            .map(|(_, call)| call.clone())
            .collect();
        candidates.push(candidate);
    }
    let places = Places::after(api, case, index, result);
    let stand_ins = parts(case, index).into_iter().chain(older(case, index, result, classes));
    let mut tried: Vec<Slot> = Vec::new();
    for slot in stand_ins.filter(|slot| places.take(*slot, classes)) {
        if tried.contains(&slot) || tried.len() == MAX_STAND_INS {
            continue;
        }
        tried.push(slot);
        let mut candidate = case.clone();
        candidate.calls.remove(index);
        replace(&mut candidate.calls[index..], result, slot);
        candidates.push(candidate);
    }
    if places.take_texts() && is_used_once_written(case, index, result) {
        let mut candidate = case.clone();
        candidate.calls.remove(index);
        let init = Some(Literal::String(simpler::ANY_TEXT.into()));
        candidate.slots[result.index()] = SlotDecl { ty: Type::string(), init };
        candidates.push(candidate);
    }
    candidates
}

/// The objects that the object made by call `index` is made of: what wraps another one, or is a copy
/// of it, may be of its kind.
fn parts(case: &TestCase, index: usize) -> Vec<Slot> {
    let call = &case.calls[index];
    let makes = [OperationKind::Constructor, OperationKind::StaticMethod].contains(&call.op.kind);
    let is_made = |slot: &&Slot| case.slots[slot.index()].init.is_none();
    call.args.iter().filter(|_| makes).filter(is_made).copied().collect()
}

/// Values from before call `index` of the type that its result has. A literal is better than what
/// another call returned, which may be `null`.
fn older(case: &TestCase, index: usize, result: Slot, classes: &impl Hierarchy) -> Vec<Slot> {
    let is_set = |(at, decl): &(Slot, &SlotDecl)| match &decl.init {
        Some(init) => *init != Literal::Null,
        None => {
            simpler::values(&Literal::Null, &decl.ty, None).is_empty()
                && case.calls[..index].iter().any(|call| call.result == Some(*at))
        }
    };
    let slots = (0..).map(Slot).zip(&case.slots).filter(is_set);
    let fitting = slots
        .filter(|(slot, decl)| *slot != result && classes.is_subtype(&decl.ty, case.ty(result)));
    fitting.map(|(slot, _)| slot).collect()
}
