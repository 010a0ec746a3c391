//! Arithmetic, bitwise and shift operators: `MATH`, `INVERT_NEGS` and "replace operator".

use classfile::opcode::*;

use crate::Operator;
use crate::body::{Body, Literal};
use crate::edit::Op;
use crate::expression::Expression;
use crate::found::Finding;

/// The operators by classes: the operation for `int` (that for `long` and so on follow), symbol, name.
const CLASSES: [&[(u8, &str, &str)]; 3] = [
    &[
        (IADD, "+", "add"),
        (ISUB, "-", "sub"),
        (IMUL, "*", "mul"),
        (IDIV, "/", "div"),
        (IREM, "%", "rem"),
    ],
    &[(IAND, "&", "and"), (IOR, "|", "or"), (IXOR, "^", "xor")],
    &[(ISHL, "<<", "shl"), (ISHR, ">>", "shr"), (IUSHR, ">>>", "ushr")],
];

/// What `MATH` makes of each.
const MATH: [(u8, u8); 11] = [
    (IADD, ISUB),
    (ISUB, IADD),
    (IMUL, IDIV),
    (IDIV, IMUL),
    (IREM, IMUL),
    (IAND, IOR),
    (IOR, IAND),
    (IXOR, IAND),
    (ISHL, ISHR),
    (ISHR, ISHL),
    (IUSHR, ISHL),
];

/// An operation as that for `int`, and which type it is for.
fn of_int(op: u8) -> Option<(u8, u8)> {
    match op {
        IADD..=DREM => Some((IADD + (op - IADD) / 4 * 4, (op - IADD) % 4)),
        ISHL..=LXOR => Some((ISHL + (op - ISHL) / 2 * 2, (op - ISHL) % 2)),
        _ => None,
    }
}

pub(super) fn find(body: &Body<'_>, at: usize, found: &mut Vec<Finding>) {
    let op = body.op(at);
    if matches!(op, INEG..=DNEG) {
        let zero = [Literal::Int(0), Literal::Long(0)];
        if !body.literal_operand(at, 0).is_some_and(|literal| zero.contains(&literal)) {
            let operand = Expression::of(body).operand(at, 0);
            let description = format!("removed the `-` of `-{operand}`");
            let key = (Operator::InvertNegs, "");
            found.push(Finding::replacing(key, at, vec![Op::Plain(NOP)], description));
        }
        return;
    }
    let Some((general, of)) = of_int(op) else { return };
    let Some(class) = CLASSES.iter().find(|class| class.iter().any(|one| one.0 == general)) else {
        return;
    };
    let symbol = |general: u8| class.iter().find(|one| one.0 == general).map_or("", |one| one.1);
    let expression = Expression::of(body);
    let whole = expression.binary(at, symbol(general));
    let mut push = |operator: Operator, variant: &'static str, other: u8| {
        if !is_same(body, at, general, other) {
            let description =
                format!("replaced `{}` by `{}` in `{whole}`", symbol(general), symbol(other));
            let with = vec![Op::Plain(other + of)];
            found.push(Finding::replacing((operator, variant), at, with, description));
        }
    };
    for (_, other) in MATH.iter().filter(|(from, _)| *from == general) {
        push(Operator::Math, "", *other);
    }
    for (other, _, variant) in class.iter().filter(|one| one.0 != general) {
        push(Operator::ReplaceOperator, variant, *other);
    }
}

/// Whether two operators certainly come to the same here.
fn is_same(body: &Body<'_>, at: usize, one: u8, other: u8) -> bool {
    let number = |below| match body.literal_operand(at, below)? {
        Literal::Int(value) => Some(value.into()),
        Literal::Long(value) => Some(value as f64),
        Literal::Float(value) => Some(value.into()),
        Literal::Double(value) => Some(value),
        Literal::Null => None,
    };
    let (left, right): (Option<f64>, Option<f64>) = (number(1), number(0));
    let are = |a: u8, b: u8| (one, other) == (a, b) || (one, other) == (b, a);
    let is_float = matches!(body.op(at), FADD | DADD | FSUB | DSUB);
    if are(IMUL, IDIV) {
        // x / -1 overflows where x * -1 does; 0 divided by 0 does not.
        return right == Some(1.0) || right == Some(-1.0);
    }
    if are(IADD, ISUB) {
        // -0.0 + 0.0 is 0.0.
        return right == Some(0.0) && !is_float;
    }
    if are(IOR, IXOR) {
        return right == Some(0.0) || left == Some(0.0);
    }
    if matches!(one, ISHL | ISHR | IUSHR) {
        let bits = if matches!(body.op(at), LSHL | LSHR | LUSHR) { 64 } else { 32 };
        let Some(by) = right.map(|by| (by as i64).rem_euclid(bits)) else {
            return left == Some(0.0);
        };
        return by == 0 || left == Some(0.0) || are(ISHR, IUSHR) && loses_sign(body, at, bits - by);
    }
    false
}

/// Whether of a shifted number no more than the lowest `kept` bits are used.
fn loses_sign(body: &Body<'_>, at: usize, kept: i64) -> bool {
    let uses = body.uses(at);
    !uses.is_empty()
        && uses.iter().all(|(user, below)| match body.op(*user) {
            I2B => kept >= 8,
            I2S | I2C => kept >= 16,
            L2I => kept >= 32,
            IAND | LAND => match body.literal_operand(*user, 1 - below.min(&1)) {
                Some(Literal::Int(mask)) => kept >= 31 && mask >= 0 || mask >> kept.min(31) == 0,
                Some(Literal::Long(mask)) => mask >> kept.min(63) == 0,
                _ => false,
            },
            _ => false,
        })
}
