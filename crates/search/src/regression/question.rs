//! Questions that take arguments: what `get(key)` says after `put(key, value)`.
//!
//! Asked where a call returns nothing, and nothing is seen to have changed by getters. The question
//! is a call of the test behind the one under test, with arguments of that one, and what it answers
//! must differ from what it answers without.

use std::sync::Arc;

use model::{Call, Check, CheckKind, Observation, Operation, OperationKind, TestCase};

use super::{Known, LOOKS, assertable};
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
) -> Option<(TestCase, Vec<Check>)> {
    let call = case.calls.last()?.clone();
    let mut without = case.clone();
    without.calls.pop();
    for question in questions(driver, known, &call) {
        let [after, before] = [case, &without].map(|case| with(case, &question, &call));
        let Some(seen) = answer(driver, &after).and_then(|seen| assertable(known, &seen)) else {
            continue;
        };
        let differs = answer(driver, &before).is_some_and(|before| before != seen);
        if differs && (1..LOOKS).all(|_| answer(driver, &after).as_ref() == Some(&seen)) {
            let last = after.calls.len() - 1;
            let kind = CheckKind::Holds(after.calls[last].result?, seen);
            return Some((after, vec![Check { after: last, kind }]));
        }
    }
    None
}

/// Methods of the same object that change nothing and take what the call was given, the first
/// arguments of it at least.
fn questions<E: Executor>(
    driver: &Driver<'_, E>,
    known: Known<'_>,
    call: &Call,
) -> Vec<Arc<Operation>> {
    if call.op.kind != OperationKind::InstanceMethod {
        return Vec::new();
    }
    let api = driver.api;
    let takes_the_same = |op: &Operation| {
        op.kind == OperationKind::InstanceMethod
            && op.params.len() > 1
            && call.op.params.starts_with(&op.params)
            && op.result.is_some()
            && *op != *call.op
            && &*op.name != "equals"
    };
    let subjects = api.subjects().iter();
    let asking = subjects
        .filter(|op| known.knowledge.preserving.contains(op) && !api.is_deprecated(**op))
        .map(|op| api.operation(*op).clone())
        .filter(|op| takes_the_same(op));
    asking.take(MAX_QUESTIONS).collect()
}

fn with(case: &TestCase, question: &Arc<Operation>, call: &Call) -> TestCase {
    let mut longer = case.clone();
    longer.call(question, &call.args[..question.params.len()]);
    longer
}

/// What the last call of a test returns, if the test runs normally.
fn answer<E: Executor>(driver: &mut Driver<'_, E>, case: &TestCase) -> Option<Observation> {
    let result = case.calls.last()?.result?;
    let ending = driver.execute(case);
    let clean = ending == Ending::Normal && driver.executor.effects(true).may_be_emitted();
    let seen = clean.then(|| driver.executor.observe(result));
    driver.executor.end();
    seen
}
