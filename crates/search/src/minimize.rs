//! Making a test as short as its purpose allows.
//!
//! Delta debugging over calls, last to first: a call goes if the test still does what it is for
//! without it. A value that is needed later is written down instead, or replaced by an older one of
//! the same type, if that does. Then literals are tried for simpler ones, and objects that return
//! themselves are used by one name.

#[cfg(test)]
mod tests;

use model::{End, Hierarchy, Literal, Observation, Outcome, Slot, TestCase, Type};

/// Attempts per test, so that a long test over slow code does not take forever.
const MAX_ATTEMPTS: u32 = 400;

/// Shortens the test while `still_good` says that it does what it is for. The last call stays.
/// `outcome` is what the test was seen to do.
pub(crate) fn minimize(
    case: &TestCase,
    outcome: &Outcome,
    classes: &impl Hierarchy,
    mut still_good: impl FnMut(&TestCase) -> bool,
) -> TestCase {
    let mut best = case.clone();
    let mut attempts = 0;
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
        if let Some(candidate) = written_down(&best, index, outcome) {
            try_one(candidate, &mut best);
        }
    }
    best.compact(&[]);
    loop {
        let before = best.calls.len();
        let mut index = before.saturating_sub(1);
        while index > 0 {
            index -= 1;
            if index + 1 >= best.calls.len() {
                continue;
            }
            for candidate in without(&best, index, classes) {
                if try_one(candidate, &mut best) {
                    break;
                }
            }
        }
        if best.calls.len() == before {
            break;
        }
    }
    for index in 0..best.calls.len() {
        if let Some(candidate) = by_one_name(&best, index) {
            try_one(candidate, &mut best);
        }
    }
    for slot in 0..best.slots.len() {
        let Some(literal) = best.slots[slot].init.clone() else { continue };
        for simpler in simpler(&literal) {
            let mut candidate = best.clone();
            candidate.slots[slot].init = Some(simpler);
            if try_one(candidate, &mut best) {
                break;
            }
        }
    }
    best.compact(&[]);
    best
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
    let is_used = case.calls[index + 1..].iter().any(|call| call.args.contains(&result));
    let is_written_once = case.calls.iter().filter(|call| call.result == Some(result)).count() == 1;
    if !is_used || !is_written_once {
        return None;
    }
    let mut candidate = case.clone();
    candidate.calls.remove(index);
    candidate.slots[result.index()] = model::SlotDecl { ty, init: Some(value.clone()) };
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
    for call in &mut candidate.calls[index + 1..] {
        for arg in &mut call.args {
            if *arg == result {
                *arg = receiver;
            }
        }
    }
    Some(candidate)
}

/// Tests without call `index`: its dependents dropped too, or its value replaced by an older one.
fn without(case: &TestCase, index: usize, classes: &impl Hierarchy) -> Vec<TestCase> {
    let mut candidates = Vec::new();
    let last = case.calls.len() - 1;
    let Some(result) = case.calls[index].result else {
        let mut candidate = case.clone();
        candidate.calls.remove(index);
        return vec![candidate];
    };
    let uses = |call: &model::Call, slots: &[Slot]| call.args.iter().any(|a| slots.contains(a));
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
    let mut replacements = 0;
    for (older, decl) in case.slots.iter().enumerate() {
        let slot = Slot(older as u32);
        let written_before = decl.init.as_ref().is_some_and(|l| *l != Literal::Null)
            || case.calls[..index].iter().any(|c| c.result == Some(slot));
        if slot == result || !written_before || !classes.is_subtype(&decl.ty, case.ty(result)) {
            continue;
        }
        let mut candidate = case.clone();
        candidate.calls.remove(index);
        for call in &mut candidate.calls[index..] {
            for arg in &mut call.args {
                if *arg == result {
                    *arg = slot;
                }
            }
        }
        candidates.push(candidate);
        replacements += 1;
        if replacements == 3 {
            break;
        }
    }
    candidates
}

/// Values a reader finds simpler, simplest first.
fn simpler(literal: &Literal) -> Vec<Literal> {
    let all: Vec<Literal> = match literal {
        Literal::Byte(_) => [0, 1].map(Literal::Byte).into(),
        Literal::Short(_) => [0, 1].map(Literal::Short).into(),
        Literal::Int(_) => [0, 1].map(Literal::Int).into(),
        Literal::Long(_) => [0, 1].map(Literal::Long).into(),
        Literal::Float(_) => [0.0, 1.0].map(Literal::Float).into(),
        Literal::Double(_) => [0.0, 1.0].map(Literal::Double).into(),
        Literal::Char(_) => vec![Literal::Char(u16::from(b'a'))],
        Literal::String(_) => ["", "a", "abc"].map(|s| Literal::String(s.into())).into(),
        Literal::Null | Literal::Boolean(_) | Literal::Class(_) => Vec::new(),
    };
    all.into_iter().take_while(|simple| simple != literal).collect()
}
