//! `SWITCH`: the default takes the place of the first case, and that of all others.

use crate::Operator;
use crate::body::Body;
use crate::edit::{Op, swapped};
use crate::expression::Expression;
use crate::found::Finding;

pub(super) fn find(body: &Body<'_>, at: usize, found: &mut Vec<Finding>) {
    let instruction = body.instructions[at];
    if !instruction.is_switch() || swapped(instruction).is_none() {
        return;
    }
    let value = Expression::of(body).operand(at, 0);
    let description = format!("exchanged `default` and the cases of `switch ({value})`");
    let with = vec![Op::SwappedSwitch(at as u32)];
    found.push(Finding::replacing((Operator::Switch, ""), at, with, description));
}
