//! Conditional jumps: `CONDITIONALS_BOUNDARY`, `NEGATE_CONDITIONALS`, `REMOVE_CONDITIONALS`, "negate
//! decision" and "replace operator" for relations and `||`.
//!
//! A jump skips what a condition guards, so it mostly goes by the opposite of what stands in the source;
//! descriptions say it as the source does.
//!
//! To make an `||` of `&&` is left out: it would jump to where no frame stands.

use classfile::opcode::*;

use super::same::{equality_decides_nothing, is_never_negative};
use crate::Operator;
use crate::body::Body;
use crate::edit::Op;
use crate::expression::Expression;
use crate::found::Finding;
use crate::types::{Kind, State};

/// The relations in the order of their operation codes; each beside its opposite.
const SYMBOLS: [&str; 6] = ["==", "!=", "<", ">=", ">", "<="];
const VARIANTS: [&str; 6] = ["eq", "ne", "lt", "ge", "gt", "le"];

/// The first of its kind, and the number of the relation.
fn relation(op: u8) -> Option<(u8, u8)> {
    match op {
        IFEQ..=IFLE => Some((IFEQ, op - IFEQ)),
        IF_ICMPEQ..=IF_ICMPLE => Some((IF_ICMPEQ, op - IF_ICMPEQ)),
        IF_ACMPEQ | IF_ACMPNE => Some((IF_ACMPEQ, op - IF_ACMPEQ)),
        IFNULL | IFNONNULL => Some((IFNULL, op - IFNULL)),
        _ => None,
    }
}

/// What a jump looks at.
#[derive(Clone, Copy, PartialEq)]
enum Looks {
    /// A `boolean`.
    Truth,
    /// Two numbers, or one and 0.
    Numbers,
    /// Two references, or one and `null`.
    References,
    /// A number or a `boolean`.
    Unknown,
}

pub(super) fn find(body: &Body<'_>, at: usize, found: &mut Vec<Finding>) {
    let Some((base, jumps_if)) = relation(body.op(at)) else { return };
    let Some(target) = body.target(at) else { return };
    if body.arrives(target) == body.arrives(at + 1) {
        return;
    }
    let looks = looks_at(body, at, base);
    let direct = is_direct(body, at, target);
    let source = |relation: u8| if direct { relation } else { relation ^ 1 };
    let tell = |relation: u8| tell(body, at, base, looks, source(relation));
    let whole = tell(jumps_if);
    let mut push = |operator: Operator, variant: &'static str, with: Vec<Op>, text: String| {
        found.push(Finding::replacing((operator, variant), at, with, text));
    };
    let jump = |relation: u8| vec![Op::Jump { op: base + relation, like: at as u32 }];
    let opposite = tell(jumps_if ^ 1);
    for operator in [Operator::NegateConditionals, Operator::NegateDecision] {
        push(operator, "", jump(jumps_if ^ 1), format!("negated `{whole}`: now `{opposite}`"));
    }
    let instead = |relation: u8| {
        let (old, new) = (SYMBOLS[source(jumps_if) as usize], SYMBOLS[source(relation) as usize]);
        format!("replaced `{old}` by `{new}` in `{whole}`")
    };
    // Whether a number that is equal goes with the smaller or with the greater ones.
    if jumps_if >= 2 && !equality_decides_nothing(body, at, target) {
        let moved = 7 - jumps_if;
        push(Operator::ConditionalsBoundary, "", jump(moved), instead(moved));
    }
    let relations = match looks {
        Looks::Numbers => 0..6_u8,
        Looks::References => 0..2,
        Looks::Truth | Looks::Unknown => 0..0,
    };
    for other in relations.filter(|other| *other != jumps_if) {
        let same = other == 7 - jumps_if && equality_decides_nothing(body, at, target)
            || base == IFEQ && is_never_negative(body, at, 0) && without_sign(jumps_if, other);
        if !same {
            let variant = VARIANTS[source(other) as usize];
            push(Operator::ReplaceOperator, variant, jump(other), instead(other));
        }
    }
    if let Some(with) = both(body, at, target, base + (jumps_if ^ 1)) {
        let text = format!("replaced `||` by `&&` behind `{whole}`");
        push(Operator::ReplaceOperator, "and", with, text);
    }
    let pop = if matches!(base, IF_ICMPEQ | IF_ACMPEQ) { POP2 } else { POP };
    let always = vec![Op::Plain(pop), Op::Int(0), Op::Jump { op: IFEQ, like: at as u32 }];
    for (jumps, with) in [(true, always), (false, vec![Op::Plain(pop)])] {
        let (variant, holds) =
            if jumps == direct { ("true", "always holds") } else { ("false", "never holds") };
        push(Operator::RemoveConditionals, variant, with, format!("`{whole}` {holds}"));
    }
}

/// Whether two relations to 0 are the same for numbers that are not negative.
fn without_sign(one: u8, other: u8) -> bool {
    // By relation: whether 0 and whether greater numbers fulfil it.
    const HOLD: [(bool, bool); 6] =
        [(true, false), (false, true), (false, false), (true, true), (false, true), (true, false)];
    HOLD[one as usize] == HOLD[other as usize]
}

/// Whether a jump is taken where the condition in the source holds: at the end of a loop, or in front of
/// `||`, whose other side stands just before what both lead to.
fn is_direct(body: &Body<'_>, at: usize, target: usize) -> bool {
    target <= at || other_side(body, at, target).is_some()
}

/// The jump on the other side of an `||`.
fn other_side(body: &Body<'_>, at: usize, target: usize) -> Option<usize> {
    let other = target.checked_sub(1).filter(|other| *other > at)?;
    relation(body.op(other))?;
    (body.target(other)? > target).then_some(other)
}

/// For a jump in front of `||`: goes to where the other side goes if it does not hold.
fn both(body: &Body<'_>, at: usize, target: usize, op: u8) -> Option<Vec<Op>> {
    let other = other_side(body, at, target)?;
    let end = body.target(other)?;
    let mut state = body.state(at)?.clone();
    let left = state.stack.len().checked_sub(body.operand_count(at))?;
    state.stack.truncate(left);
    let expected = body.types.framed(end).or(body.state(end))?;
    fits(&state, expected).then(|| vec![Op::Jump { op, like: other as u32 }])
}

/// Whether what is known is at least what is expected, for all that can be told without classes.
fn fits(found: &State, expected: &State) -> bool {
    let fits = |found: &Kind, expected: &Kind| {
        *expected == Kind::Top
            || found == expected
            || *found == Kind::Null && matches!(expected, Kind::Object(_))
    };
    found.locals.iter().zip(expected.locals.iter()).all(|(found, expected)| fits(found, expected))
        && found.stack.len() == expected.stack.len()
        && found.stack.iter().zip(&expected.stack).all(|(a, b)| fits(&a.kind, &b.kind))
}

fn looks_at(body: &Body<'_>, at: usize, base: u8) -> Looks {
    match base {
        IF_ICMPEQ => return Looks::Numbers,
        IF_ACMPEQ | IFNULL => return Looks::References,
        _ => {}
    }
    let Some(origin) = body.origin(at, 0) else { return Looks::Unknown };
    let of = |descriptor: &str| match descriptor {
        "Z" => Looks::Truth,
        _ => Looks::Numbers,
    };
    match body.op(origin) {
        INSTANCEOF => Looks::Truth,
        LCMP..=DCMPG | ARRAYLENGTH | IADD..=DREM | ISHL..=LUSHR | I2L..=I2S => Looks::Numbers,
        IALOAD..=AALOAD | CALOAD | SALOAD => Looks::Numbers,
        ILOAD => match body.slot(origin).and_then(|slot| body.variable(origin, slot)) {
            Some((_, descriptor)) => of(&descriptor),
            None => Looks::Unknown,
        },
        GETSTATIC | GETFIELD => body.field(origin).map_or(Looks::Unknown, |f| of(&f.descriptor)),
        INVOKEVIRTUAL..=INVOKEINTERFACE => {
            let result = body.method(origin);
            result.map_or(Looks::Unknown, |m| of(m.descriptor.rsplit(')').next().unwrap_or("")))
        }
        _ => Looks::Unknown,
    }
}

/// A condition in terms of Java.
fn tell(body: &Body<'_>, at: usize, base: u8, looks: Looks, relation: u8) -> String {
    let expression = Expression::of(body);
    let symbol = SYMBOLS[relation as usize];
    match base {
        IFNULL => format!("{} {symbol} null", expression.operand(at, 0)),
        IF_ICMPEQ | IF_ACMPEQ => expression.binary(at, symbol),
        _ => match body.origin(at, 0) {
            Some(compare) if matches!(body.op(compare), LCMP..=DCMPG) => {
                expression.binary(compare, symbol)
            }
            _ if looks == Looks::Numbers || relation >= 2 => {
                format!("{} {symbol} 0", expression.operand(at, 0))
            }
            _ => {
                let text = expression.operand(at, 0);
                let composed = text.contains(' ') && !text.ends_with(')');
                match (relation, composed) {
                    (0, true) => format!("!({text})"),
                    (0, false) => format!("!{text}"),
                    _ => text,
                }
            }
        },
    }
}
