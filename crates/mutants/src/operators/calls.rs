//! Calls: `VOID_METHOD_CALLS`, `NON_VOID_METHOD_CALLS` and `CONSTRUCTOR_CALLS`.
//!
//! What was evaluated for a call still is, and is thrown away.

use classfile::opcode::*;
use classfile::{Code, MethodDescriptor, flags};

use crate::Operator;
use crate::body::Body;
use crate::edit::{Edit, Op};
use crate::expression::{Expression, is_boxing};
use crate::found::Finding;
use crate::types::Kind;

pub(super) fn find(body: &Body<'_>, at: usize, found: &mut Vec<Finding>) {
    let Some(method) = body.method(at) else { return };
    let Ok(parsed) = MethodDescriptor::parse(&method.descriptor) else { return };
    if method.name == "<init>" {
        find_constructor(body, at, &method.class, parsed.parameters.len(), found);
        return;
    }
    if does_nothing(body, at) {
        return;
    }
    let call = Expression::of(body).callee(at);
    if parsed.result == "V" {
        if let Some(edit) = without_call(body, at) {
            let description = format!("removed the call of `{call}`");
            found.push(Finding {
                operator: Operator::VoidMethodCalls,
                variant: "",
                at,
                edit,
                description,
            });
        }
        return;
    }
    if is_boxing(&method.class, &method.name, &method.descriptor) {
        return;
    }
    let (push, what) = match parsed.result {
        "Z" => (Op::Int(0), "`false`"),
        "B" | "C" | "S" | "I" => (Op::Int(0), "0"),
        "J" => (Op::Long(0), "0"),
        "F" => (Op::Float(0), "0"),
        "D" => (Op::Double(0), "0"),
        _ => (Op::Plain(ACONST_NULL), "`null`"),
    };
    let Some(mut edit) = without_call(body, at) else { return };
    let mut description = format!("removed the call of `{call}`");
    if !is_dropped(body, at) {
        edit.with.retain(|op| *op != Op::Plain(NOP));
        edit.with.push(push);
        description = format!("takes {what} instead of the result of `{call}`");
    }
    let operator = Operator::NonVoidMethodCalls;
    found.push(Finding { operator, variant: "", at, edit, description });
}

/// Whether the next instruction throws away what a call returned.
pub(super) fn is_dropped(body: &Body<'_>, at: usize) -> bool {
    matches!(body.op(at + 1), POP | POP2)
        && !body.is_entered(at + 1)
        && body.origin(at + 1, 0) == Some(at)
}

/// Throws away what an instruction finds on the stack, instead of running it.
pub(super) fn pops(body: &Body<'_>, at: usize, count: usize) -> Option<Vec<Op>> {
    (0..count)
        .map(|below| {
            let wide = body.operand(at, below)?.kind.slots() == 2;
            Some(Op::Plain(if wide { POP2 } else { POP }))
        })
        .collect()
}

/// Leaves out a call, and the throwing away of its result if that follows.
pub(super) fn without_call(body: &Body<'_>, at: usize) -> Option<Edit> {
    let mut with = pops(body, at, body.operand_count(at))?;
    if with.is_empty() {
        with.push(Op::Plain(NOP));
    }
    let end = at + 1 + usize::from(is_dropped(body, at));
    Some(Edit { start: at as u32, end: end as u32, with })
}

/// Whether a method of this class that is called here and no other is empty.
pub(super) fn does_nothing(body: &Body<'_>, at: usize) -> bool {
    let Some(method) = body.method(at) else { return false };
    let class = body.class;
    if class.name().map_or(true, |name| name != method.class) {
        return false;
    }
    let fixed = flags::STATIC | flags::PRIVATE | flags::FINAL;
    class.methods.iter().any(|member| {
        let is_it = member.name(&class.pool).is_ok_and(|name| name == method.name)
            && member.descriptor(&class.pool).is_ok_and(|found| found == method.descriptor);
        // A `synchronized` method waits.
        let is_fixed = member.has_flag(fixed) && !member.has_flag(flags::SYNCHRONIZED);
        is_it
            && is_fixed
            && body.op(at) != INVOKEINTERFACE
            && Code::decode(class, member).is_ok_and(|code| {
                code.is_some_and(|code| code.instructions().map(|next| next.opcode()).eq([RETURN]))
            })
    })
}

/// A new object that is on the stack twice: for the constructor, and for what follows.
fn find_constructor(
    body: &Body<'_>,
    at: usize,
    class: &str,
    parameters: usize,
    found: &mut Vec<Finding>,
) {
    let kind = |below| body.operand(at, below).map(|operand| &operand.kind);
    let Some(Kind::New(_)) = kind(parameters) else { return };
    if kind(parameters) != kind(parameters + 1) || kind(parameters) == kind(parameters + 2) {
        return;
    }
    let Some(mut with) = pops(body, at, parameters + 2) else { return };
    with.push(Op::Plain(ACONST_NULL));
    let description = format!("takes `null` instead of the new `{}`", crate::java::simple(class));
    found.push(Finding::replacing((Operator::ConstructorCalls, ""), at, with, description));
}
