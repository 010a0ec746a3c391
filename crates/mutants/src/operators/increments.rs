//! Increments of local variables: `INCREMENTS`, `REMOVE_INCREMENTS`, and what the source document's
//! operators make of them.
//!
//! Of a variable that is not read again nothing is made.

use classfile::Instruction;
use classfile::opcode::NOP;

use crate::Operator;
use crate::body::Body;
use crate::edit::Op;
use crate::expression::Expression;
use crate::found::Finding;
use crate::liveness::Liveness;

pub(super) fn find(body: &Body<'_>, live: &Liveness, at: usize, found: &mut Vec<Finding>) {
    let Instruction::Increment { index, amount, .. } = *body.instructions[at] else { return };
    if amount == 0 || !live.is_read_after(at, index) {
        return;
    }
    let name = Expression::of(body).variable(at, index);
    let tell = |amount: i16| match amount {
        1 => format!("{name}++"),
        -1 => format!("{name}--"),
        less if less < 0 => format!("{name} -= {}", -i32::from(less)),
        more => format!("{name} += {more}"),
    };
    let mut push = |operator: Operator, variant: &'static str, op: Op, text: String| {
        found.push(Finding::replacing((operator, variant), at, vec![op], text));
    };
    let add = |amount: i16| Op::Increment { index, amount };
    if let Some(other) = amount.checked_neg() {
        let text = format!("replaced `{}` by `{}`", tell(amount), tell(other));
        push(Operator::Increments, "", add(other), text.clone());
        push(Operator::ReplaceOperator, "neg", add(other), text);
    }
    let text = format!("deleted `{}`", tell(amount));
    push(Operator::RemoveIncrements, "", Op::Plain(NOP), text.clone());
    if body.types.is_boundary(at) {
        push(Operator::DeleteStatement, "", Op::Plain(NOP), text);
    }
    // `i++` holds no constant.
    if amount.abs() > 1 {
        let others = [
            ("one", Some(amount.signum())),
            ("plus-one", amount.checked_add(1)),
            ("less-one", amount.checked_sub(1)),
        ];
        let mut made = vec![amount];
        for (variant, other) in others {
            if let Some(other) = other.filter(|other| *other != 0 && !made.contains(other)) {
                made.push(other);
                let text = format!("replaced `{}` by `{}`", tell(amount), tell(other));
                push(Operator::ReplaceConstant, variant, add(other), text);
            }
        }
    }
}
