//! Comparison feedback for counts: what is asked for its size gets as much more as the operands are
//! apart, by making calls of the test again.
//!
//! Which call adds to the object is not known, so each that a test makes on an object is tried, those
//! that take something first. Sets and maps take a thing once, so the calls are also made with
//! literals that differ.
//!
//! Invariant: a test grows by at most [`MAX_GROWTH`] calls, and to no more than [`MAX_CALLS`].

use model::{Args, Call, JavaString, Literal, TestCase};

use super::text_of;

/// Calls that are added at most.
const MAX_GROWTH: i64 = 24;
/// Tests do not grow past this.
const MAX_CALLS: usize = 40;
/// Calls of a test that are tried.
const MAX_TRIED: usize = 4;

/// Tests in which something has so much more in it, or a little more than that.
pub(crate) fn grown(case: &TestCase, apart: i64) -> Vec<TestCase> {
    let mut calls: Vec<usize> = Vec::new();
    for at in (0..case.calls.len()).rev().filter(|at| case.calls[*at].op.has_receiver()) {
        let (op, object) = (&case.calls[at].op, case.calls[at].args.first());
        let is_same = |known: &usize| {
            case.calls[*known].op == *op && case.calls[*known].args.first() == object
        };
        if !calls.iter().any(is_same) {
            calls.push(at);
        }
    }
    calls.sort_by_key(|at| case.calls[*at].args.len() < 2);
    calls.truncate(MAX_TRIED);
    let mut times = vec![apart.max(1), apart.saturating_add(1)];
    times.dedup();
    times.retain(|times| {
        (1..=MAX_GROWTH).contains(times) && case.calls.len() + *times as usize <= MAX_CALLS
    });
    let mut found = Vec::new();
    for at in calls {
        for times in &times {
            found.push(repeated(case, at, *times, false));
            if is_varied(case, &case.calls[at]) {
                found.push(repeated(case, at, *times, true));
            }
        }
    }
    found
}

/// Whether a call takes a literal that can differ.
fn is_varied(case: &TestCase, call: &Call) -> bool {
    call.args[1..].iter().any(|slot| {
        let literal = case.slots[slot.index()].init.as_ref();
        literal.and_then(|literal| other(literal, 1)).is_some()
    })
}

/// The test with call `at` made so many times more before it.
fn repeated(case: &TestCase, at: usize, times: i64, varied: bool) -> TestCase {
    let mut new = TestCase { slots: case.slots.clone(), calls: case.calls[..at].to_vec() };
    let call = &case.calls[at];
    for time in 1..=times {
        let mut args: Args = call.args.clone();
        for slot in args.iter_mut().skip(1).filter(|_| varied) {
            let decl = &case.slots[slot.index()];
            if let Some(literal) = decl.init.as_ref().and_then(|literal| other(literal, time)) {
                *slot = new.literal(decl.ty.clone(), literal);
            }
        }
        new.call(&call.op, &args);
    }
    new.calls.extend_from_slice(&case.calls[at..]);
    new
}

/// Another literal of the kind, a different one for each number.
fn other(literal: &Literal, number: i64) -> Option<Literal> {
    match literal {
        Literal::String(text) => {
            let written = JavaString::from(number.to_string().as_str());
            Some(text_of(&[text.units(), written.units()].concat()))
        }
        Literal::Boolean(_) | Literal::Null => None,
        other => other.with_number(other.whole()?.checked_add(number)?),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use model::{ClassName, Operation, OperationKind, Type};

    use super::*;

    fn operation(kind: OperationKind, name: &str, params: &[Type]) -> Arc<Operation> {
        let owner = ClassName::internal("a/Bag");
        let result = (kind == OperationKind::Constructor).then(|| Type::Class(owner.clone()));
        let params = params.to_vec();
        Arc::new(Operation { kind, owner, name: name.into(), params, result, implementation: None })
    }

    /// `bag.add("x"); bag.count();`
    fn case() -> TestCase {
        let bag = Type::class("a/Bag");
        let mut case = TestCase::default();
        let new = operation(OperationKind::Constructor, "<init>", &[]);
        let made = case.call(&new, &[]).expect("an object");
        let text = case.literal(Type::string(), Literal::String("x".into()));
        let method = OperationKind::InstanceMethod;
        case.call(&operation(method, "add", &[bag.clone(), Type::string()]), &[made, text]);
        case.call(&operation(method, "count", &[bag]), &[made]);
        case
    }

    fn texts(case: &TestCase) -> Vec<String> {
        let adding = case.calls.iter().filter(|call| &*call.op.name == "add");
        let texts = adding.map(|call| match &case.slots[call.args[1].index()].init {
            Some(Literal::String(text)) => text.to_string(),
            other => panic!("{other:?}"),
        });
        texts.collect()
    }

    #[test]
    fn what_adds_is_called_as_often_as_is_missing_and_with_other_things() {
        let all: Vec<Vec<String>> = grown(&case(), 2).iter().map(texts).collect();
        assert!(all.contains(&vec!["x".to_owned(); 3]), "{all:?}");
        assert!(all.contains(&vec!["x".to_owned(); 4]), "{all:?}");
        assert!(all.contains(&["x1", "x2", "x"].map(str::to_owned).to_vec()), "{all:?}");
    }

    #[test]
    fn tests_do_not_grow_without_end() {
        assert_eq!(grown(&case(), 1000), []);
        assert!(grown(&case(), i64::MAX).is_empty());
    }
}
