//! "Delete statement": assignments to variables, fields and elements, and calls as statements.
//! (Increments are in `increments`.)
//!
//! A statement begins where the operand stack is empty and ends where it is empty again. If it runs
//! straight on and what it evaluates may do something, all of it goes; otherwise only what it does in the
//! end, with the same effect.
//!
//! Invariant: an assignment to a variable is deleted only if the variable holds something before that
//! fits as well, so that every use of it still passes the verifier.

use std::ops::Range;

use classfile::opcode::*;
use classfile::{ConstantValue, flags};

use super::calls::{does_nothing, is_dropped, pops, without_call};
use crate::Operator;
use crate::body::{Body, Literal};
use crate::edit::{Edit, Op};
use crate::expression::Expression;
use crate::found::Finding;
use crate::liveness::Liveness;
use crate::types::Kind;

pub(super) fn find(body: &Body<'_>, live: &Liveness, at: usize, found: &mut Vec<Finding>) {
    let Some((edit, description)) = deletion(body, live, at) else { return };
    let operator = Operator::DeleteStatement;
    found.push(Finding { operator, variant: "", at, edit, description });
}

fn deletion(body: &Body<'_>, live: &Liveness, at: usize) -> Option<(Edit, String)> {
    let expression = Expression::of(body);
    let count = body.operand_count(at);
    let state = body.state(at)?;
    if state.stack.len() != count || body.is_handler(at) || is_plumbed(body, at, count) {
        return None;
    }
    let end = at + 1 + usize::from(is_dropped(body, at));
    let (edit, description) = match body.op(at) {
        ISTORE..=ASTORE => {
            if !can_lose_store(body, at) {
                return None;
            }
            let name = expression.variable(at + 1, body.slot(at)?);
            (None, format!("deleted the assignment to `{name}`"))
        }
        PUTFIELD | PUTSTATIC => {
            if !can_lose_field(body, at) {
                return None;
            }
            (None, format!("deleted the assignment to `{}`", expression.field(at)))
        }
        IASTORE..=SASTORE => {
            let array = expression.operand(at, 2);
            let index = expression.operand(at, 1);
            (None, format!("deleted the assignment to `{array}[{index}]`"))
        }
        INVOKEVIRTUAL..=INVOKEINTERFACE => {
            let method = body.method(at)?;
            let is_statement = method.descriptor.ends_with(")V") || end > at + 1;
            if method.name == "<init>" || !is_statement || does_nothing(body, at) {
                return None;
            }
            let description = format!("deleted the call `{}`", expression.call(at));
            (Some(without_call(body, at)?), description)
        }
        _ => return None,
    };
    let start = (0..=at).rev().find(|start| body.types.is_boundary(*start))?;
    let pure = (start..at).all(|inner| is_pure(body, inner));
    let straight = body.is_straight(start..end);
    if straight && !pure && can_lose_all(body, start..at) {
        let with = vec![Op::Plain(NOP)];
        return Some((Edit { start: start as u32, end: end as u32, with }, description));
    }
    if let (ISTORE..=ASTORE, true) = (body.op(at), pure)
        && (!body.slot(at).is_some_and(|slot| live.is_read_after(at, slot)) || is_itself(body, at))
    {
        return None;
    }
    let edit = match edit {
        Some(edit) => edit,
        None => Edit { start: at as u32, end: end as u32, with: pops(body, at, count)? },
    };
    Some((edit, description))
}

/// Whether a value that is stored or thrown away was made by what a compiler added.
fn is_plumbed(body: &Body<'_>, at: usize, count: usize) -> bool {
    (0..count)
        .any(|below| body.origin(at, below).is_some_and(|origin| body.artefacts.added[origin]))
}

/// Whether an instruction does nothing but to put a value onto the stack.
fn is_pure(body: &Body<'_>, at: usize) -> bool {
    matches!(
        body.op(at),
        NOP..=SALOAD
            | DUP..=SWAP
            | IADD..=LXOR
            | I2L..=DCMPG
            | GETSTATIC
            | GETFIELD
            | ARRAYLENGTH
            | CHECKCAST
            | INSTANCEOF
    )
}

/// Whether what is assigned within a statement may be lost as well.
fn can_lose_all(body: &Body<'_>, range: Range<usize>) -> bool {
    range.into_iter().all(|at| match body.op(at) {
        ISTORE..=ASTORE => can_lose_store(body, at),
        INVOKESPECIAL => !is_on_new_this(body, at),
        MONITORENTER | MONITOREXIT => false,
        _ => true,
    })
}

/// Whether another constructor of `this` is called.
fn is_on_new_this(body: &Body<'_>, at: usize) -> bool {
    let below = body.operand_count(at).saturating_sub(1);
    body.operand(at, below).is_none_or(|operand| operand.kind == Kind::NewThis)
}

/// Whether a variable may keep what it held.
fn can_lose_store(body: &Body<'_>, at: usize) -> bool {
    let known = || {
        let slot = body.slot(at)?;
        let before = body.state(at)?.locals.get(usize::from(slot))?;
        let stored = &body.operand(at, 0)?.kind;
        let variable = body.variable(at, slot);
        if body.tells_variables() && variable.is_none() {
            return None;
        }
        let fits = match stored {
            Kind::Object(_) | Kind::Null => {
                before == stored || *before == Kind::Null || {
                    // What Java assigns to a variable has the variable's type, all of it.
                    before.is_reference() && variable.is_some() && is_of_java(body)
                }
            }
            _ => before == stored,
        };
        Some(fits)
    };
    known().unwrap_or(false)
}

fn is_of_java(body: &Body<'_>) -> bool {
    let source = body.class.attributes.source_file(&body.class.pool).ok().flatten();
    source.is_some_and(|file| file.ends_with(".java"))
}

/// Whether `x = x` is said.
fn is_itself(body: &Body<'_>, at: usize) -> bool {
    let origin = body.origin(at, 0);
    origin.is_some_and(|origin| body.is_load(origin) && body.slot(origin) == body.slot(at))
}

/// Whether a field may keep what it held, and that may be something else.
fn can_lose_field(body: &Body<'_>, at: usize) -> bool {
    let Some(field) = body.field(at) else { return false };
    let is_of_new =
        body.op(at) == PUTFIELD && body.operand(at, 1).is_none_or(|of| of.kind == Kind::NewThis);
    let class = body.class;
    let own = class.fields.iter().find(|member| {
        class.name().is_ok_and(|name| name == field.class)
            && member.name(&class.pool).is_ok_and(|name| name == field.name)
    });
    // What stands for the outer object and for captured variables is the compiler's.
    let is_added = own.is_some_and(|member| {
        member.has_flag(flags::SYNTHETIC) || member.attributes.is_synthetic(&class.pool)
    });
    let constant = own.and_then(|member| member.attributes.constant_value(&class.pool).ok()?);
    let changes = !is_default(body, at, constant) || !is_first(body, at);
    !is_of_new && !is_added && changes
}

/// Whether a field gets what fields hold at first.
fn is_default(body: &Body<'_>, at: usize, constant: Option<ConstantValue<'_>>) -> bool {
    let zero = [Literal::Int(0), Literal::Long(0), Literal::Null];
    let Some(literal) = body.literal_operand(at, 0) else { return false };
    let is_zero = zero.contains(&literal)
        // -0.0 is not what fields hold.
        || matches!(literal, Literal::Float(value) if value.to_bits() == 0)
        || matches!(literal, Literal::Double(value) if value.to_bits() == 0);
    constant.is_none() && is_zero
}

/// Whether nothing can have been assigned to a field before: at the start of a constructor or an
/// initializer, with no call but that of `Object`'s constructor in front.
fn is_first(body: &Body<'_>, at: usize) -> bool {
    let Some(field) = body.field(at) else { return false };
    let of_this = match body.name {
        "<init>" => body.origin(at, 1).is_some_and(|origin| {
            body.is_load(origin) && body.slot(origin) == Some(0) && body.op(at) == PUTFIELD
        }),
        "<clinit>" => body.op(at) == PUTSTATIC,
        _ => false,
    };
    of_this
        && body.is_straight(0..at + 1)
        && (0..at).all(|before| match body.op(before) {
            INVOKESPECIAL => body.calls(before, "java/lang/Object", "<init>"),
            INVOKEVIRTUAL..=INVOKEDYNAMIC | NEW => false,
            PUTFIELD | PUTSTATIC => body.field(before).is_some_and(|other| other != field),
            _ => true,
        })
}
