//! Questions that take arguments: what `get(key)` says after `put(key, value)`.
//!
//! Asked where getters do not tell what a call changed. The question is a call of the test behind the
//! one under test, with arguments of that one and, where it wants more, simple values; what it answers
//! must differ from what it answers without. Where nothing at all tells of a call, a question with its own
//! arguments is asked whatever it answers: that `contains(key)` is false after `remove(key)` is more than
//! that `remove` returns.

use std::sync::Arc;

use model::{Call, Check, Observation, Operation, OperationKind, TestCase};

use super::alike::{self, with_like};
use super::state::{State, check_of};
use super::{Known, LOOKS, Looker, assertable};
use crate::driver::Driver;
use crate::executor::Executor;
use crate::strategy::Ending;

/// Questions tried for one test.
const MAX_QUESTIONS: usize = 8;

/// The test with a question at its end whose answer the last call changes, and that answer.
pub(super) fn asked<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    case: &TestCase,
) -> Option<(TestCase, Check)> {
    let call = case.calls.last()?.clone();
    let mut without = case.clone();
    without.calls.pop();
    for question in questions(driver, known, &call) {
        let object = *call.args.first()?;
        let [after, before] =
            [case, &without].map(|case| with_like(case, &question, object, &call));
        let (Some(after), Some(before)) = (after, before) else { continue };
        let (Some(seen), Some(unchanged)) =
            (answer(driver, known, &after), answer(driver, known, &before))
        else {
            continue;
        };
        let Some(change) = seen.into_iter().find(|said| !unchanged.contains(said)) else {
            continue;
        };
        let says_it = |driver: &mut Driver<'_, E>| {
            answer(driver, known, &after).is_some_and(|again| again.contains(&change))
        };
        if (1..LOOKS).all(|_| says_it(driver)) {
            let last = after.calls.len() - 1;
            let result = after.calls[last].result?;
            return Some((after, Check { after: last, kind: check_of(result, change) }));
        }
    }
    None
}

/// The test with a question at its end that takes what the last call was given, and its answer, which
/// may have been the same before.
pub(super) fn asked_anyway<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    case: &TestCase,
) -> Option<(TestCase, Check)> {
    let call = case.calls.last()?.clone();
    for question in questions(driver, known, &call) {
        if !alike::takes_any(&question, &call) {
            continue;
        }
        let object = *call.args.first()?;
        let Some(after) = with_like(case, &question, object, &call) else { continue };
        let Some(first) = answer(driver, known, &after).and_then(|seen| seen.into_iter().next())
        else {
            continue;
        };
        let says_it = |driver: &mut Driver<'_, E>| {
            answer(driver, known, &after).is_some_and(|again| again.contains(&first))
        };
        if (1..LOOKS).all(|_| says_it(driver)) {
            let last = after.calls.len() - 1;
            let result = after.calls[last].result?;
            return Some((after, Check { after: last, kind: check_of(result, first) }));
        }
    }
    None
}

/// Methods of the same object that change nothing, those first that take what the call was given.
fn questions<E: Executor>(
    driver: &Driver<'_, E>,
    known: Known<'_>,
    call: &Call,
) -> Vec<Arc<Operation>> {
    if call.op.kind != OperationKind::InstanceMethod {
        return Vec::new();
    }
    let asks = |op: &Operation| {
        op.params.len() > 1
            && op.params[0] == call.op.params[0]
            && op.result.is_some()
            && &*op.name != "equals"
    };
    alike::methods(driver, &known.knowledge.preserving, call, asks, MAX_QUESTIONS)
}

/// What the last call of a test returns, if the test runs normally: a value, or what an object says.
fn answer<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    case: &TestCase,
) -> Option<State> {
    let result = case.calls.last()?.result?;
    let ending = driver.execute(case);
    let clean = ending == Ending::Normal && driver.executor.effects(true).may_be_emitted();
    let seen = clean.then(|| match driver.executor.observe(result) {
        Observation::Object { .. } => {
            let case = case.clone();
            let mut looker = Looker { driver, known, case, checks: Vec::new(), before: &[] };
            looker.state(result)
        }
        seen => assertable(known, &seen).map(|seen| (None, seen)).into_iter().collect(),
    });
    driver.executor.end();
    seen
}
