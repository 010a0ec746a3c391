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
    let used_as = used_as(body, at);
    let told = |value: Literal| match (used_as.as_deref(), value) {
        (Some("Z"), Literal::Int(0)) => "false".to_owned(),
        (Some("Z"), Literal::Int(1)) => "true".to_owned(),
        (Some("C"), Literal::Int(value @ 32..127)) => format!("'{}'", value as u8 as char),
        _ => spell(value),
    };
    let mut add = |operator: Operator, variant: &'static str, value: Literal| {
        let description = format!("replaced `{}` by `{}`", told(literal), told(value));
        found.push(Finding::replacing((operator, variant), at, vec![push(value)], description));
    };
    add(Operator::InlineConsts, "", inlined(literal));
    let is_bit = matches!(literal, Literal::Int(0 | 1));
    if is_bit && used_as.as_deref().is_none_or(|used_as| used_as == "Z") {
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
        Literal::Float(value) => {
            Literal::Float(if [1.0, 2.0].contains(&value) { 0.0 } else { 1.0 })
        }
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

/// The descriptor of what a constant is used as, as far as what takes it tells.
fn used_as(body: &Body<'_>, at: usize) -> Option<String> {
    let (user, below) = *body.uses(at).first()?;
    let parameter = |descriptor: &str| {
        let parsed = MethodDescriptor::parse(descriptor).ok()?;
        parsed.parameters.iter().rev().nth(below).map(|&parameter| parameter.to_owned())
    };
    match body.op(user) {
        IRETURN => body.descriptor.rsplit(')').next().map(str::to_owned),
        PUTFIELD | PUTSTATIC => Some(body.field(user)?.descriptor.into_owned()),
        ISTORE => Some(body.variable(user + 1, body.slot(user)?)?.1),
        CASTORE if below == 0 => Some("C".to_owned()),
        BASTORE if below == 0 => match &body.operand(user, 2)?.kind {
            Kind::Object(array) => Some(array[1..].to_owned()),
            _ => None,
        },
        IF_ICMPEQ..=IF_ICMPLE => {
            let other = body.origin(user, 1 - below.min(1));
            let other = other.and_then(|other| type_of(body, other));
            Some(other.filter(|other| other == "C").unwrap_or_else(|| "I".to_owned()))
        }
        INVOKEVIRTUAL..=INVOKEINTERFACE => parameter(&body.method(user)?.descriptor),
        INVOKEDYNAMIC => parameter(&body.call_site(user)?.1),
        IAND | IOR | IXOR => None,
        _ => Some("I".to_owned()),
    }
}

/// The descriptor of what an instruction pushes, if it tells.
fn type_of(body: &Body<'_>, at: usize) -> Option<String> {
    match body.op(at) {
        CALOAD | I2C => Some("C".to_owned()),
        ILOAD => body.variable(at, body.slot(at)?).map(|(_, descriptor)| descriptor),
        GETSTATIC | GETFIELD => Some(body.field(at)?.descriptor.into_owned()),
        INVOKEVIRTUAL..=INVOKEINTERFACE => {
            body.method(at)?.descriptor.rsplit(')').next().map(str::to_owned)
        }
        _ => None,
    }
}
