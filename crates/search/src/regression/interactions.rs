//! What the call under test did to mocks (requirement G21), as checks that Mockito verifies.
//!
//! A mock's method is verified where the mock was told nothing for it: of what it was told, the test
//! sees what came of it. Methods that return nothing and those that change something, by their names,
//! are deeds; others are questions, which are worth verifying only where a test says nothing else.
//!
//! Mockito counts the calls since the mock was made whose arguments are equal, and so they are counted
//! here. Where nobody knows whether the arguments of two calls are equal, any will do.

use std::collections::BTreeMap;
use std::sync::Arc;

use model::{
    Answer, CheckKind, Interaction, Observation, Operation, OperationKind, Passed, Slot, TestCase,
    Type, Unimplemented, Verified, mockable,
};

use super::{Known, assertable};
use crate::driver::Driver;
use crate::executor::Executor;
use crate::strategy::Ending;

/// Calls on mocks that a test verifies.
const MAX_VERIFIED: usize = 3;

/// What the names of methods begin with that change something and return something all the same.
const CHANGING: [&str; 36] = [
    "add",
    "append",
    "cancel",
    "clear",
    "close",
    "commit",
    "create",
    "delete",
    "dispatch",
    "emit",
    "enqueue",
    "execute",
    "flush",
    "increment",
    "insert",
    "log",
    "merge",
    "notify",
    "offer",
    "persist",
    "post",
    "publish",
    "push",
    "put",
    "record",
    "register",
    "remove",
    "replace",
    "reset",
    "save",
    "send",
    "set",
    "store",
    "submit",
    "update",
    "write",
];

/// What may be verified of a test.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Done {
    pub(super) deeds: Vec<CheckKind>,
    pub(super) questions: Vec<CheckKind>,
}

/// Whether a test has any mock.
pub(super) fn has_mocks(case: &TestCase) -> bool {
    case.calls.iter().any(|call| call.op.as_mock().is_some())
}

/// Runs a test; it stays open. Says too what its last call did to mocks.
pub(super) fn watched<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    case: &TestCase,
) -> (Ending, Done) {
    if !has_mocks(case) {
        return (driver.execute(case), Done::default());
    }
    driver.executor.note_mocks(true);
    let ending = driver.execute(case);
    let seen = driver.executor.interactions();
    driver.executor.note_mocks(false);
    (ending, seen.map_or_else(Done::default, |seen| done(known, case, &seen)))
}

fn done(known: Known<'_>, case: &TestCase, seen: &[Interaction]) -> Done {
    let mut done = Done::default();
    let mut mocked = Mocked::default();
    let asked: Vec<Option<Asked>> =
        seen.iter().map(|one| asked(known, case, &mut mocked, one)).collect();
    let mut told: Vec<&Asked> = Vec::new();
    // In the order in which the last call does it.
    for (first, _) in asked.iter().zip(seen).filter(|(_, one)| one.is_of_last) {
        let Some(first) = first.as_ref().filter(|first| !told.contains(first)) else { continue };
        told.push(first);
        let is_same = |other: &Option<Asked>| other.as_ref() == Some(first);
        let calls = asked.iter().zip(seen).filter(|(asked, _)| is_same(asked));
        let calls: Vec<(Vec<Passed>, bool)> = calls
            .map(|(_, one)| {
                (one.args.iter().map(|arg| passed(known, arg)).collect(), one.is_of_last)
            })
            .collect();
        let kinds = if first.is_deed() { &mut done.deeds } else { &mut done.questions };
        kinds.extend(counted(&calls).into_iter().map(|(args, times)| {
            let (mock, method) = (first.mock, first.method.clone());
            CheckKind::Verified(Verified { mock, method, args, times })
        }));
    }
    prefer_void(&mut done.deeds);
    done.questions.truncate(1);
    done
}

/// Leaves as many as a test verifies, in their order; those of methods that return nothing first,
/// because nothing else shows them.
fn prefer_void(deeds: &mut Vec<CheckKind>) {
    let returns = |kind: &CheckKind| matches!(kind, CheckKind::Verified(verified) if verified.method.result.is_some());
    let mut order: Vec<usize> = (0..deeds.len()).collect();
    order.sort_by_key(|at| returns(&deeds[*at]));
    order.truncate(MAX_VERIFIED);
    let mut at = 0..;
    deeds.retain(|_| at.next().is_some_and(|at| order.contains(&at)));
}

/// The methods of each mock that was asked, looked up once.
type Mocked = BTreeMap<Slot, Vec<Unimplemented>>;

/// A method of a mock that a test can verify.
#[derive(PartialEq, Eq)]
struct Asked {
    mock: Slot,
    method: Arc<Operation>,
}

impl Asked {
    fn is_deed(&self) -> bool {
        let name = &*self.method.name;
        let verb = name.find(|c: char| !c.is_lowercase()).map_or(name, |end| &name[..end]);
        self.method.result.is_none() || CHANGING.contains(&verb)
    }
}

/// The method that a mock was asked; `None` if that is not verified.
fn asked(
    known: Known<'_>,
    case: &TestCase,
    mocked: &mut Mocked,
    one: &Interaction,
) -> Option<Asked> {
    let Known { classes, package, .. } = known;
    let made = case.calls.iter().find(|call| call.result == Some(one.mock))?;
    let called = made.op.as_mock()?.methods.get(one.method)?;
    if called.answer != Answer::Default {
        return None;
    }
    let methods = mocked.entry(one.mock).or_insert_with(|| {
        let class = classes.class(&made.op.owner);
        class.and_then(|class| mockable(classes, &class, package)).unwrap_or_default()
    });
    let method = methods.iter().find(|method| {
        let is_it =
            |e: &model::MethodDescriptor| e.params == called.params && e.result == called.result;
        method.method().name == called.name && method.erasures.iter().any(is_it)
    })?;
    if !method.takes_matchers(classes, package) {
        return None;
    }
    let erasure = &method.erasures[0];
    let receiver = std::iter::once(Type::Class(made.op.owner.clone()));
    let method = Arc::new(Operation {
        kind: OperationKind::InstanceMethod,
        owner: made.op.owner.clone(),
        name: called.name.clone(),
        params: receiver.chain(erasure.params.iter().cloned()).collect(),
        result: erasure.result.clone(),
        implementation: None,
    });
    Some(Asked { mock: one.mock, method })
}

/// An argument as a test can write it.
fn passed(known: Known<'_>, (seen, slot): &(Observation, Option<Slot>)) -> Passed {
    let is_value =
        matches!(seen, Observation::Null | Observation::Value { .. } | Observation::Enum { .. });
    match assertable(known, seen).filter(|_| is_value) {
        Some(value) => Passed::Value(value),
        None => slot.map_or(Passed::Any, Passed::Slot),
    }
}

/// What is passed to calls of one method of a mock, and how often, where the last call of the test
/// makes any of them: of each call is told whether it does.
fn counted(calls: &[(Vec<Passed>, bool)]) -> Vec<(Vec<Passed>, u32)> {
    let mut kinds: Vec<(&Vec<Passed>, u32, bool)> = Vec::new();
    for (args, is_of_last) in calls {
        match kinds.iter_mut().find(|(known, ..)| *known == args) {
            Some((_, times, of_last)) => {
                *times += 1;
                *of_last |= is_of_last;
            }
            None => kinds.push((args, 1, *is_of_last)),
        }
    }
    let is_apart = |(at, (args, ..)): (usize, &(&Vec<Passed>, u32, bool))| {
        kinds[..at].iter().all(|(other, ..)| args.iter().zip(*other).any(|(a, b)| differ(a, b)))
    };
    if !kinds.iter().enumerate().all(is_apart) {
        let is_of_last = calls.iter().any(|(_, is_of_last)| *is_of_last);
        let open = vec![Passed::Any; calls[0].0.len()];
        return is_of_last.then_some((open, calls.len() as u32)).into_iter().collect();
    }
    let of_last = kinds.into_iter().filter(|(_, _, of_last)| *of_last);
    of_last.map(|(args, times, _)| (args.clone(), times)).collect()
}

/// Whether two arguments are certainly not equal. Objects may be, by their `equals`.
fn differ(a: &Passed, b: &Passed) -> bool {
    match (a, b) {
        (Passed::Value(a), Passed::Value(b)) => a != b,
        (Passed::Value(_), Passed::Slot(_)) | (Passed::Slot(_), Passed::Value(_)) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use model::Literal;

    use super::*;

    fn number(value: i32) -> Passed {
        Passed::Value(Observation::Value { value: Literal::Int(value), boxed: true })
    }

    /// What is verified of calls with one argument each; those with `true` are of the last call.
    fn check(calls: &[(Passed, bool)], expected: &[(Passed, u32)]) {
        let calls: Vec<_> = calls.iter().map(|(arg, last)| (vec![arg.clone()], *last)).collect();
        let expected: Vec<_> = expected.iter().map(|(arg, n)| (vec![arg.clone()], *n)).collect();
        assert_eq!(counted(&calls), expected);
    }

    #[test]
    fn equal_calls_are_counted_from_the_beginning_of_the_test() {
        check(&[(number(1), true)], &[(number(1), 1)]);
        check(&[(number(1), false), (number(1), true)], &[(number(1), 2)]);
        check(&[(number(1), false)], &[]);
        check(&[(number(1), false), (number(2), true)], &[(number(2), 1)]);
        let both = [(number(1), true), (number(2), true)];
        check(&both, &[(number(1), 1), (number(2), 1)]);
    }

    #[test]
    fn arguments_that_may_be_equal_are_left_open() {
        let (one, other) = (Passed::Slot(Slot(1)), Passed::Slot(Slot(2)));
        check(&[(one.clone(), true), (one.clone(), true)], &[(one.clone(), 2)]);
        check(&[(one.clone(), true), (other, true)], &[(Passed::Any, 2)]);
        check(&[(one.clone(), true), (Passed::Any, true)], &[(Passed::Any, 2)]);
        check(&[(one.clone(), true), (number(1), true)], &[(one, 1), (number(1), 1)]);
    }
}
