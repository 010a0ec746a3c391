//! Calls that change nothing, though they could: `setOpen(false)` of what is not open, `remove(key)`
//! from what is empty. Nobody sees whether they do anything, so they are tried with other values, and
//! after another call of the same object.

use std::sync::Arc;

use model::{Args, Call, ClassSource, Literal, Operation, TestCase, Type};

use crate::driver::Driver;
use crate::executor::Executor;
use crate::regression::alike::{self, with_like};
use crate::regression::{Known, may_change};

/// Other constants of an enum that are tried.
const MAX_CONSTANTS: usize = 3;
/// Calls that are tried before one.
const MAX_BEFORE: usize = 6;

/// The test with another call before its last one, which may give that something to change: of the
/// same object, or of an argument of the class.
pub(super) fn prepared<E: Executor>(
    driver: &Driver<'_, E>,
    known: Known<'_>,
    case: &TestCase,
) -> Vec<TestCase> {
    let mut earlier = case.clone();
    let Some(call) = earlier.calls.pop().filter(|_| may_change(driver, known, case)) else {
        return Vec::new();
    };
    let changing = &known.knowledge.changing;
    let mut found = Vec::new();
    for op in &alike::methods(driver, changing, &call, |_| true, MAX_BEFORE) {
        let objects = (0..call.args.len()).rev().filter(|at| call.op.params[*at] == op.params[0]);
        for at in objects {
            let Some(mut longer) = with_like(&earlier, op, call.args[at], &call) else { continue };
            longer.calls.push(call.clone());
            longer.compact(&[]);
            found.push(longer);
        }
    }
    found
}

/// The test with another truth or constant of an enum for an argument of its last call.
pub(super) fn with_other_constants(case: &TestCase, classes: &dyn ClassSource) -> Vec<TestCase> {
    let last = case.calls.len().saturating_sub(1);
    let Some(call) = case.calls.get(last).filter(|call| call.op.has_receiver()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for at in 1..call.args.len() {
        let slot = call.args[at];
        let decl = &case.slots[slot.index()];
        if let Some(Literal::Boolean(truth)) = decl.init {
            let mut other = case.clone();
            let slot = other.literal(decl.ty.clone(), Literal::Boolean(!truth));
            other.calls[last].args[at] = slot;
            found.push(other);
        }
        let uses = case.calls.iter().flat_map(|call| &call.args).filter(|arg| **arg == slot);
        let made = case.calls.iter().position(|call| call.result == Some(slot));
        let Some(made) = made.filter(|_| uses.count() == 1) else { continue };
        for op in other_constants(&case.calls[made].op, classes) {
            let mut other = case.clone();
            other.calls[made] = Call { op, args: Args::new(), ..case.calls[made].clone() };
            found.push(other);
        }
    }
    for case in &mut found {
        case.compact(&[]);
    }
    found
}

/// Constants of the enum that an operation gives one of, another one if it reads one.
fn other_constants(op: &Operation, classes: &dyn ClassSource) -> Vec<Arc<Operation>> {
    let Some(Type::Class(name)) = &op.result else { return Vec::new() };
    let Some(class) = classes.class(name) else { return Vec::new() };
    let all = class.enum_constants().map(|field| Arc::new(Operation::of_field(&class, field)));
    all.filter(|constant| **constant != *op).take(MAX_CONSTANTS).collect()
}
