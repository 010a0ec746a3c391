//! Making a test as short as its purpose allows.
//!
//! Long tests lose calls by halves first ([`halves`]). Then delta debugging over calls, last to first: a call goes if the test still does what it is for
//! without it. A value that is needed later is written down instead, or replaced by what it is made of
//! or an older one, if that does; an object that is only passed on, by a literal, where types with
//! their arguments allow it ([`places`]). Then arrays lose the elements nobody needs, literals are
//! tried for simpler ones ([`simpler`]) that differ within a call ([`apart`]), objects that return
//! themselves are used by one name, texts are passed to who takes texts ([`overload`]), empty
//! containers are made of nothing ([`bare`]) and others without superfluous numbers ([`shorter`]).

mod apart;
mod bare;
mod directly;
mod halves;
#[cfg(test)]
mod object_tests;
mod overload;
mod places;
mod shorter;
mod simpler;
#[cfg(test)]
mod tests;
mod without;

use std::sync::Arc;

use model::{
    End, Hierarchy, Literal, Observation, Operation, OperationKind, Outcome, Slot, TestCase, Type,
};

pub(crate) use apart::other_argument;
use halves::shorten;
use places::Places;
pub(crate) use simpler::any_value;

use crate::api::Api;

/// Attempts per test, so that a long test over slow code does not take forever.
const MAX_ATTEMPTS: u32 = 600;
/// Longer arrays are not spelled out.
const MAX_LISTED: usize = 8;

/// Shortens the test while `still_good` says that it does what it is for. The last call stays.
/// `outcome` is what the test was seen to do.
pub(crate) fn minimize(
    case: &TestCase,
    outcome: &Outcome,
    api: &Api,
    classes: &impl Hierarchy,
    mut still_good: impl FnMut(&TestCase) -> bool,
) -> TestCase {
    let mut best = case.clone();
    let mut attempts = 0;
    let outcome = &shorten(&mut best, outcome, classes, &mut still_good);
    let mut try_one = |candidate: TestCase, best: &mut TestCase| {
        attempts += 1;
        let good =
            attempts <= MAX_ATTEMPTS && candidate.check(classes).is_ok() && still_good(&candidate);
        if good {
            *best = candidate;
        }
        good
    };
    for index in (0..best.calls.len().saturating_sub(1)).rev() {
        let candidate =
            written_down(&best, index, outcome).or_else(|| listed(&best, index, outcome));
        if let Some(candidate) = candidate {
            try_one(candidate, &mut best);
        }
        for candidate in with_null(&best, index, outcome, api) {
            if try_one(candidate, &mut best) {
                break;
            }
        }
    }
    for index in (0..best.calls.len().saturating_sub(1)).rev() {
        if let Some(candidate) = with_plain_capture(&best, index, api, classes) {
            try_one(candidate, &mut best);
        }
    }
    best.compact(&[]);
    // Before what they are made of stands for them.
    make_plainly(&mut best, api, classes, &mut try_one);
    remove_calls(&mut best, api, classes, &mut try_one);
    for index in 0..best.calls.len() {
        if let Some(candidate) = by_one_name(&best, index) {
            try_one(candidate, &mut best);
        }
    }
    make_plainly(&mut best, api, classes, &mut try_one);
    best.compact(&[]);
    for slot in 0..best.slots.len() {
        let with = |literal: Literal, best: &TestCase| {
            let mut candidate = best.clone();
            candidate.slots[slot].init = Some(literal);
            candidate
        };
        let Some(literal) = best.slots[slot].init.clone() else { continue };
        let place = simpler::place(&best, Slot(slot as u32));
        let simple = simpler::values(&literal, &best.slots[slot].ty, place);
        let found = simple.iter().any(|simple| try_one(with(simple.clone(), &best), &mut best))
            || simple.iter().any(|simple| {
                let candidate = simpler::everywhere(&best, Slot(slot as u32), simple);
                candidate.is_some_and(|candidate| try_one(candidate, &mut best))
            });
        if !found && let Literal::String(text) = &literal {
            simpler::shorten(text, |shorter| {
                try_one(with(Literal::String(shorter.clone()), &best), &mut best)
            });
        }
    }
    for index in 0..best.calls.len() {
        for at in 1..best.calls[index].args.len() {
            if let Some(candidate) = other_argument(&best, index, at) {
                try_one(candidate, &mut best);
            }
        }
    }
    // With other arguments a call may have become one that nobody needs.
    make_plainly(&mut best, api, classes, &mut try_one);
    remove_calls(&mut best, api, classes, &mut try_one);
    best.compact(&[]);
    best
}

/// Has objects made by the plainest member that does.
fn make_plainly(
    best: &mut TestCase,
    api: &Api,
    classes: &impl Hierarchy,
    try_one: &mut impl FnMut(TestCase, &mut TestCase) -> bool,
) {
    for index in 0..best.calls.len().saturating_sub(1) {
        if let Some(candidate) = overload::of_texts(best, index, classes) {
            try_one(candidate, best);
        }
        if let Some(candidate) = bare::container(best, index, api, classes) {
            try_one(candidate, best);
        }
        let shorter = shorter::constructors(best, index, api, classes);
        for candidate in shorter.into_iter().chain(directly::files(best, index, api)) {
            if try_one(candidate, best) {
                break;
            }
        }
    }
}

/// Removes calls, answers and elements until there is none that can go.
fn remove_calls(
    best: &mut TestCase,
    api: &Api,
    classes: &impl Hierarchy,
    try_one: &mut impl FnMut(TestCase, &mut TestCase) -> bool,
) {
    loop {
        let before = size(best);
        let mut index = best.calls.len().saturating_sub(1);
        while index > 0 {
            index -= 1;
            if index + 1 >= best.calls.len() {
                continue;
            }
            for candidate in without::call(best, index, api, classes) {
                if try_one(candidate, best) {
                    break;
                }
            }
        }
        for index in 0..best.calls.len().saturating_sub(1) {
            if let Some(op) = best.calls[index].op.without_exceptions() {
                let mut candidate = best.clone();
                candidate.calls[index].op = Arc::new(op);
                try_one(candidate, best);
            }
            for place in (0..best.calls[index].args.len()).rev() {
                if let Some(candidate) = without_answer(best, index, place) {
                    try_one(candidate, best);
                }
            }
            if best.calls[index].op.kind == OperationKind::Array {
                for at in (0..best.calls[index].args.len()).rev() {
                    let mut candidate = best.clone();
                    candidate.calls[index].args.remove(at);
                    try_one(candidate, best);
                }
            }
        }
        if size(best) == before {
            break;
        }
    }
}

/// How many calls there are, and how many values are passed to them.
fn size(case: &TestCase) -> (usize, usize) {
    (case.calls.len(), case.calls.iter().map(|call| call.args.len()).sum())
}

/// The test with a plain value in place of what call `index` makes for lambdas to answer with.
fn with_plain_capture(
    case: &TestCase,
    index: usize,
    api: &Api,
    classes: &impl Hierarchy,
) -> Option<TestCase> {
    let result = case.calls.get(index)?.result?;
    let mut wanted: Option<(&model::Call, usize)> = None;
    for call in &case.calls[index + 1..] {
        for (position, _) in call.args.iter().enumerate().filter(|(_, arg)| **arg == result) {
            let given = call.op.implementation.as_ref()?.given;
            wanted = Some((call, position)).filter(|_| position >= usize::from(given));
            wanted?;
        }
    }
    let (call, position) = wanted?;
    let typed = places::wanted(api, call, position);
    let wanted = typed.map_or(call.op.param(position), |typed| api.ty(typed));
    let fits = |ty: &Type| {
        let is_fit = |typed| api.type_id(ty).is_some_and(|ty| api.fits(ty).contains(&typed));
        classes.is_subtype(ty, wanted) && typed.is_none_or(is_fit)
    };
    let (ty, value) = if fits(&Type::string()) {
        (Type::string(), Literal::String(simpler::ANY_TEXT.into()))
    } else if fits(&Type::class("java/lang/Integer")) {
        (Type::class("java/lang/Integer"), any_value(&Type::INT)?)
    } else if wanted.is_reference() {
        (wanted.clone(), Literal::Null)
    } else {
        return None;
    };
    let mut candidate = case.clone();
    candidate.calls.remove(index);
    candidate.slots[result.index()] = model::SlotDecl { ty, init: Some(value) };
    Some(candidate)
}

/// The test with a mock that was not told one of its answers. So what is left of a mock's answers
/// matters, and Mockito does not complain that a test does not use them.
fn without_answer(case: &TestCase, index: usize, place: usize) -> Option<TestCase> {
    let op = case.calls[index].op.without_answer(place)?;
    let mut candidate = case.clone();
    candidate.calls[index].op = Arc::new(op);
    candidate.calls[index].args.remove(place);
    Some(candidate)
}

/// The test with the value of call `index` in place of the call, if it can be written down. Earlier
/// calls must be those of the outcome.
fn written_down(case: &TestCase, index: usize, outcome: &Outcome) -> Option<TestCase> {
    let result = case.calls[index].result?;
    let End::Returned(Observation::Value { value, boxed }) = &outcome.calls.get(index)?.end else {
        return None;
    };
    let ty = match (value, value.primitive()) {
        (Literal::String(_), _) => Type::string(),
        (_, Some(primitive)) if *boxed => Type::class(primitive.boxed()),
        (_, Some(primitive)) => Type::Primitive(primitive),
        _ => return None,
    };
    if !is_used_once_written(case, index, result) {
        return None;
    }
    let mut candidate = case.clone();
    candidate.calls.remove(index);
    candidate.slots[result.index()] = model::SlotDecl { ty, init: Some(value.clone()) };
    Some(candidate)
}

/// The tests with `null` in place of what call `index` returned, if that was it: without the call, or
/// else with it. What is not there is best called by its name, or given a value. Earlier calls must be
/// those of the outcome.
fn with_null(case: &TestCase, index: usize, outcome: &Outcome, api: &Api) -> Vec<TestCase> {
    let is_null = |call: &model::CallOutcome| call.end == End::Returned(Observation::Null);
    let result = case.calls.get(index).and_then(|call| call.result);
    let Some(result) = result.filter(|_| outcome.calls.get(index).is_some_and(is_null)) else {
        return Vec::new();
    };
    let places = Places::after(api, case, index, result);
    if places.need_object() || !is_used_once_written(case, index, result) {
        return Vec::new();
    }
    let mut with_call = case.clone();
    let null = with_call.literal(case.ty(result).clone(), Literal::Null);
    replace(&mut with_call.calls[index + 1..], result, null);
    let mut without = with_call.clone();
    without.calls.remove(index);
    vec![without, with_call]
}

/// Has calls use another slot.
fn replace(calls: &mut [model::Call], old: Slot, new: Slot) {
    for arg in calls.iter_mut().flat_map(|call| &mut call.args).filter(|arg| **arg == old) {
        *arg = new;
    }
}

fn is_used_once_written(case: &TestCase, index: usize, result: Slot) -> bool {
    let is_used = case.calls[index + 1..].iter().any(|call| call.args.contains(&result));
    is_used && case.calls.iter().filter(|call| call.result == Some(result)).count() == 1
}

/// The test with the array that call `index` returned spelled out in place of the call.
fn listed(case: &TestCase, index: usize, outcome: &Outcome) -> Option<TestCase> {
    let call = &case.calls[index];
    let result = call.result?;
    let End::Returned(Observation::Array { element, elements: Some(elements), .. }) =
        &outcome.calls.get(index)?.end
    else {
        return None;
    };
    if call.op.kind == OperationKind::Array
        || elements.len() > MAX_LISTED
        || !is_used_once_written(case, index, result)
    {
        return None;
    }
    let mut candidate = case.clone();
    let mut args = model::Args::new();
    for seen in elements {
        let value = match seen {
            Observation::Null => Literal::Null,
            Observation::Value { value, .. } => value.clone(),
            _ => return None,
        };
        args.push(candidate.literal(element.clone(), value));
    }
    let call = &mut candidate.calls[index];
    (call.op, call.args) = (Arc::new(Operation::array(element)), args);
    candidate.slots[result.index()].ty = element.clone().array_of();
    Some(candidate)
}

/// The test with its receiver used where the result of call `index` was, as if they were the same
/// object: what methods that return `this` come to.
fn by_one_name(case: &TestCase, index: usize) -> Option<TestCase> {
    let call = &case.calls[index];
    let result = call.result?;
    let receiver = *call.args.first().filter(|_| call.op.has_receiver())?;
    let is_used = case.calls[index + 1..].iter().any(|call| call.args.contains(&result));
    if !is_used || case.ty(result) != case.ty(receiver) {
        return None;
    }
    let mut candidate = case.clone();
    replace(&mut candidate.calls[index + 1..], result, receiver);
    Some(candidate)
}
