//! Where a change of a condition changes nothing, as far as that can be seen from the code beside it.

use classfile::opcode::*;

use crate::body::{Body, Literal};

/// Whether an operand is a length, a character or the like.
pub(super) fn is_never_negative(body: &Body<'_>, at: usize, below: usize) -> bool {
    let Some(origin) = body.origin(at, below) else { return false };
    match body.op(origin) {
        ARRAYLENGTH | CALOAD | I2C => true,
        IAND => [0, 1].iter().any(|side| {
            matches!(body.literal_operand(origin, *side), Some(Literal::Int(mask)) if mask >= 0)
        }),
        _ => {
            body.calls(origin, "java/lang/String", "length")
                || body.calls(origin, "java/lang/String", "charAt")
        }
    }
}

/// Whether it does not matter which way a comparison by order goes if both sides are equal: because the
/// one side is taken for the other, as in `if (a > b) b = a;`, `a > b ? a : b` and `a < 0 ? -a : a`.
pub(super) fn equality_decides_nothing(body: &Body<'_>, at: usize, target: usize) -> bool {
    let Some((left, right)) = compared(body, at) else { return false };
    assigns_one_to_the_other(body, at, target, left, right)
        || chooses_one(body, at, target, left, right)
}

/// What whole numbers are compared: slots of variables, none for 0.
fn compared(body: &Body<'_>, at: usize) -> Option<(Option<u16>, Option<u16>)> {
    let compare = match body.op(at) {
        IF_ICMPLT..=IF_ICMPLE => at,
        IFLT..=IFLE => match body.origin(at, 0)? {
            compare if body.op(compare) == LCMP => compare,
            compare if matches!(body.op(compare), FCMPL..=DCMPG) => return None,
            load if body.is_load(load) && load + 1 == at => return Some((body.slot(load), None)),
            _ => return None,
        },
        _ => return None,
    };
    let side = |below| {
        let origin = body.origin(compare, below)?;
        // In between a variable could change.
        let near = origin + 2 >= compare && compare + 1 >= at;
        if matches!(body.literal(origin), Some(Literal::Int(0) | Literal::Long(0))) {
            return Some(None);
        }
        (near && body.is_load(origin)).then(|| body.slot(origin))
    };
    Some((side(1)?, side(0)?))
}

/// `if (a > b) b = a;`
fn assigns_one_to_the_other(
    body: &Body<'_>,
    at: usize,
    target: usize,
    left: Option<u16>,
    right: Option<u16>,
) -> bool {
    let (load, store) = (at + 1, at + 2);
    let pair = (body.slot(load), body.slot(store));
    body.is_load(load)
        && body.is_store(store)
        && left.is_some()
        && right.is_some()
        && (pair == (left, right) || pair == (right, left))
        && (1..=2).all(|next| !body.is_entered(at + next))
        && body.arrives(at + 3) == body.arrives(target)
}

/// `a > b ? a : b`, and with a sign that 0 has not.
fn chooses_one(
    body: &Body<'_>,
    at: usize,
    target: usize,
    left: Option<u16>,
    right: Option<u16>,
) -> bool {
    // A variable, perhaps with a sign, and what follows.
    let value = |at: usize| {
        let slot = body.slot(at).filter(|_| body.is_load(at))?;
        let signed = matches!(body.op(at + 1), INEG | LNEG);
        Some((Some(slot), signed, at + 1 + usize::from(signed)))
    };
    let Some((one, one_signed, one_end)) = value(at + 1) else { return false };
    let Some((other, other_signed, other_end)) = value(target) else { return false };
    let known = |slot: Option<u16>| slot == left || slot == right;
    let zero = left.is_none() || right.is_none();
    let same_end = body.op(one_end) == body.op(other_end)
        && matches!(body.op(one_end), IRETURN | LRETURN)
        || body.arrives(one_end) == body.arrives(other_end);
    let equal = if zero { one == other } else { !one_signed && !other_signed };
    known(one) && known(other) && equal && same_end
}
