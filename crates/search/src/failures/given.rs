//! What a test gave to the code it calls, as far as that may explain an exception.

use model::{Call, Literal, Operation, OperationKind, Primitive, TestCase, Type};

use crate::executor::Executor;

/// What the calls up to one were given that may explain an exception.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Given {
    /// A `null`, written down or come from another call.
    pub(super) null: bool,
    /// A number, which may be an index or a size.
    pub(super) number: bool,
    /// A number, given to the last call itself.
    pub(super) last_number: bool,
    /// An object whose class the test writes, which may answer what no real one does.
    pub(super) written: bool,
    /// Bit `n`: an array of `n` elements, given to the last call itself.
    arrays: u64,
}

impl Given {
    /// What a test gave; `is_wired` if a container would have set fields of the object under test,
    /// which are `null` else.
    pub(crate) fn of(executor: &impl Executor, case: &TestCase, at: usize, is_wired: bool) -> Self {
        let calls = &case.calls[..=at];
        let mut given = calls.iter().flat_map(|call| &call.args);
        let is_number = |value: Literal| !matches!(value, Literal::Boolean(_) | Literal::Char(_));
        let mut numbers = given.clone().filter_map(|slot| executor.primitive(*slot));
        let mut last = calls[at].args.iter().filter_map(|slot| executor.primitive(*slot));
        // A mock answers `null` and zero where nobody told it anything.
        let mocks = calls.iter().any(|call| call.op.as_mock().is_some());
        let listed = calls.iter().any(|call| !call.args.is_empty() && is_of_numbers(&call.op));
        Self {
            null: mocks || is_wired || given.any(|slot| executor.is_null(*slot)),
            number: mocks || listed || numbers.any(is_number),
            last_number: last.any(is_number),
            written: calls.iter().any(|call| call.op.kind == OperationKind::Implement),
            arrays: arrays(calls),
        }
    }

    /// Whether the last call was given an array of this length.
    pub(super) fn has_array_of(&self, length: u64) -> bool {
        length < 64 && self.arrays >> length & 1 != 0
    }
}

/// The lengths of the arrays that the last of these calls was given.
fn arrays(calls: &[Call]) -> u64 {
    let Some((last, before)) = calls.split_last() else { return 0 };
    let is_given = |made: &&Call| made.result.is_some_and(|result| last.args.contains(&result));
    let arrays = before.iter().filter(|call| call.op.kind == OperationKind::Array).filter(is_given);
    arrays.fold(0, |lengths, made| lengths | 1_u64.checked_shl(made.args.len() as u32).unwrap_or(0))
}

/// Whether the operation makes an array of numbers.
fn is_of_numbers(op: &Operation) -> bool {
    let Some(Type::Array(element)) = &op.result else { return false };
    // Text is a string; characters in an array are data like any other.
    op.kind == OperationKind::Array
        && matches!(**element, Type::Primitive(of) if of != Primitive::Boolean)
}
