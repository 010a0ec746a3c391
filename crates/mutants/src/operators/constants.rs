//! Numbers and truth values that stand in the code: `INLINE_CONSTS` and "replace constant".

use classfile::MethodDescriptor;
use classfile::opcode::*;

use super::returns::push;
use crate::Operator;
use crate::body::{Body, Literal};
use crate::expression::spell;
use crate::found::Finding;
use crate::types::Kind;

pub(super) fn find(body: &Body<'_>, at: usize, found: &mut Vec<Finding>) {
    let Some(literal) = body.literal(at).filter(|literal| *literal != Literal::Null) else {
        return;
    };
    let truth = is_truth(body, at);
    let told = |value: Literal| match (truth, value) {
        (Some(true), Literal::Int(0)) => "false".to_owned(),
        (Some(true), Literal::Int(1)) => "true".to_owned(),
        _ => spell(value),
    };
    let mut add = |operator: Operator, variant: &'static str, value: Literal| {
        let description = format!("replaced `{}` by `{}`", told(literal), told(value));
        found.push(Finding::replacing((operator, variant), at, vec![push(value)], description));
    };
    add(Operator::InlineConsts, "", inlined(literal));
    let is_bit = matches!(literal, Literal::Int(0 | 1));
    if is_bit && truth != Some(false) {
        let other = if literal == Literal::Int(0) { 1 } else { 0 };
        let variant = if other == 0 { "zero" } else { "one" };
        add(Operator::ReplaceConstant, variant, Literal::Int(other));
        return;
    }
    let mut made = vec![literal];
    for (variant, value) in others(literal) {
        if !made.contains(&value) {
            made.push(value);
            add(Operator::ReplaceConstant, variant, value);
        }
    }
}

/// What PIT makes of a constant.
fn inlined(literal: Literal) -> Literal {
    match literal {
        Literal::Int(1) => Literal::Int(0),
        Literal::Int(-1) => Literal::Int(1),
        Literal::Int(5) => Literal::Int(-1),
        Literal::Int(value) => Literal::Int(value.wrapping_add(1)),
        Literal::Long(1) => Literal::Long(0),
        Literal::Long(value) => Literal::Long(value.wrapping_add(1)),
        Literal::Float(value) => Literal::Float(if [1.0, 2.0].contains(&value) { 0.0 } else { 1.0 }),
        Literal::Double(value) => Literal::Double(if value == 1.0 { 0.0 } else { 1.0 }),
        Literal::Null => Literal::Null,
    }
}

/// 0, 1, -1, one more and one less.
fn others(literal: Literal) -> [(&'static str, Literal); 5] {
    let names = ["zero", "one", "minus-one", "plus-one", "less-one"];
    let values = match literal {
        Literal::Int(value) => {
            [0, 1, -1, value.wrapping_add(1), value.wrapping_sub(1)].map(Literal::Int)
        }
        Literal::Long(value) => {
            [0, 1, -1, value.wrapping_add(1), value.wrapping_sub(1)].map(Literal::Long)
        }
        Literal::Float(value) => [0.0, 1.0, -1.0, value + 1.0, value - 1.0].map(Literal::Float),
        Literal::Double(value) => [0.0, 1.0, -1.0, value + 1.0, value - 1.0].map(Literal::Double),
        Literal::Null => [Literal::Null; 5],
    };
    std::array::from_fn(|number| (names[number], values[number]))
}

/// Whether a constant is a truth value, as far as what takes it tells.
fn is_truth(body: &Body<'_>, at: usize) -> Option<bool> {
    let (user, below) = *body.uses(at).first()?;
    let is_boolean = |descriptor: &str| Some(descriptor == "Z");
    match body.op(user) {
        IRETURN => is_boolean(body.descriptor.rsplit(')').next()?),
        PUTFIELD | PUTSTATIC => is_boolean(&body.field(user)?.descriptor),
        ISTORE => is_boolean(&body.variable(user + 1, body.slot(user)?)?.1),
        BASTORE => match &body.operand(user, 2)?.kind {
            Kind::Object(array) => Some(&**array == "[Z" && below == 0),
            _ => None,
        },
        INVOKEVIRTUAL..=INVOKEINTERFACE => {
            let method = body.method(user)?;
            let parsed = MethodDescriptor::parse(&method.descriptor).ok()?;
            is_boolean(parsed.parameters.iter().rev().nth(below)?)
        }
        INVOKEDYNAMIC => {
            let (_, descriptor) = body.call_site(user)?;
            let parsed = MethodDescriptor::parse(&descriptor).ok()?;
            is_boolean(parsed.parameters.iter().rev().nth(below)?)
        }
        IAND | IOR | IXOR => None,
        _ => Some(false),
    }
}
