//! What was done before the call under test, in words: how the receiver was made, what was called
//! on it and on the arguments.

use model::{Hierarchy, OperationKind, UnitTest};

use super::fit::Clause;
use super::{ALL, STATE, argument};
use crate::body::simple_name;
use crate::flow::{Flow, From, Use, ValueId};
use crate::generics::Scope;
use crate::identifier::upper_camel;

/// More is not looked at.
const MAX_HISTORY: usize = 12;

/// What state the receiver is in: new, or after which call.
pub(super) fn state(
    scope: Scope,
    test: &UnitTest,
    flow: &Flow,
    receiver: ValueId,
    level: usize,
) -> Option<Clause> {
    let From::Call(made) = flow.values[receiver.0].from else { return None };
    match earlier(test, flow, receiver).last() {
        None => origin(scope, test, flow, made, level),
        Some(at) if level >= STATE => Some(called("after", test, flow, *at, level)),
        Some(_) => None,
    }
}

/// Each thing that was done to the receiver and the arguments, the first one first.
pub(super) fn history(scope: Scope, test: &UnitTest, flow: &Flow, level: usize) -> Vec<Clause> {
    let mut all: Vec<Clause> = Vec::new();
    for value in &flow.reads[test.subject] {
        let mut before = Vec::new();
        let mut made = Some(*value);
        // What a builder returns was made by what was called on the builder.
        while let Some(value) = made.filter(|_| before.len() < MAX_HISTORY) {
            let calls = earlier(test, flow, value).into_iter().rev();
            before.extend(calls.map(|at| called("after", test, flow, at, level)));
            let From::Call(call) = flow.values[value.0].from else { break };
            before.extend(origin(scope, test, flow, call, level));
            let is_method = test.case.calls[call].op.kind == OperationKind::InstanceMethod;
            made = flow.reads[call].first().copied().filter(|_| is_method);
        }
        for clause in before.into_iter().rev() {
            if !all.contains(&clause) {
                all.push(clause);
            }
        }
    }
    all.truncate(MAX_HISTORY);
    all
}

/// The calls before the one under test that are made on the value, or take it.
fn earlier(test: &UnitTest, flow: &Flow, value: ValueId) -> Vec<usize> {
    let calls = flow.values[value.0].uses.iter().filter_map(|used| match used {
        Use::Argument { call, .. } if *call < test.subject => Some(*call),
        _ => None,
    });
    calls.collect()
}

/// How an object came about.
fn origin(scope: Scope, test: &UnitTest, flow: &Flow, made: usize, level: usize) -> Option<Clause> {
    let op = &test.case.calls[made].op;
    let class = || upper_camel(simple_name(&op.owner));
    match op.kind {
        OperationKind::Constructor if op.params.is_empty() => {
            let holds_things = scope.classes.supertypes(&op.owner).iter().any(|class| {
                class.methods.iter().any(|m| &*m.name == "isEmpty" && m.params.is_empty())
            });
            let adjective = if holds_things { "Empty" } else { "New" };
            (holds_things || level >= ALL)
                .then(|| Clause::call(format!("on{adjective}{}", class()), &[]))
        }
        OperationKind::Constructor if level >= STATE => {
            let words = arguments(test, flow, made, level);
            (!words.is_empty()).then(|| Clause::call(format!("on{}", class()), &words))
        }
        OperationKind::InstanceMethod if level >= STATE => {
            Some(called("after", test, flow, made, level))
        }
        OperationKind::StaticMethod if level >= STATE => {
            Some(called("on", test, flow, made, level))
        }
        _ => None,
    }
}

/// A call in words: `afterAddOfOneAndTwo`.
fn called(lead: &str, test: &UnitTest, flow: &Flow, at: usize, level: usize) -> Clause {
    let name = upper_camel(&test.case.calls[at].op.name);
    Clause::call(format!("{lead}{name}"), &arguments(test, flow, at, level))
}

fn arguments(test: &UnitTest, flow: &Flow, at: usize, level: usize) -> Vec<String> {
    let receiver = usize::from(test.case.calls[at].op.has_receiver());
    let reads = flow.reads[at].iter().skip(receiver);
    reads.filter_map(|value| argument(test, flow, *value, level)).collect()
}
