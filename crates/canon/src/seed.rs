//! A converted test as a test case that searches can build on.

use model::{Slot, TestCase};
use rustc_hash::FxHashSet;

use crate::Form3;

/// The calls without those that take a caught exception or what came of one: test cases have no slot
/// for it. A call that ends the test goes too, so that what is left can be gone on with.
pub(crate) fn of(form: &Form3) -> TestCase {
    let mut case = TestCase { slots: form.case.slots.clone(), calls: Vec::new() };
    let mut lost: FxHashSet<Slot> =
        form.caught.iter().flatten().map(|caught| caught.slot).collect();
    let count = form.case.calls.len() - usize::from(form.throws.is_some());
    for call in &form.case.calls[..count] {
        if call.args.iter().any(|arg| lost.contains(arg)) {
            lost.extend(call.result);
        } else {
            case.calls.push(call.clone());
        }
    }
    case.compact(&[]);
    case
}
