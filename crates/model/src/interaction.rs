//! What a test does to its mocks: as it was seen to happen, and as it is asserted.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Observation, Operation, Slot};

/// A call that a mock got while a test ran.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interaction {
    /// The mock.
    pub mock: Slot,
    /// The method, by its place in the mock's implementation.
    pub method: usize,
    /// What was passed, and the first slot that holds the same object when the test is over.
    pub args: Vec<(Observation, Option<Slot>)>,
    /// Whether it came of the last call of the test.
    pub is_of_last: bool,
}

/// An argument that a mock must have got.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Passed {
    /// What the slot holds.
    Slot(Slot),
    /// A value that can be written down.
    Value(Observation),
    /// Whatever it was.
    Any,
}

/// That a mock got a call so many times since it was made: `verify(mock, times(2)).name(args)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Verified {
    /// The mock.
    pub mock: Slot,
    /// The method, as it is called on the mock.
    pub method: Arc<Operation>,
    /// Its arguments, without the receiver.
    pub args: Vec<Passed>,
    /// How many times.
    pub times: u32,
}

impl Verified {
    /// The slots that are mentioned, the mock first.
    pub fn slots(&self) -> impl Iterator<Item = Slot> {
        let passed = self.args.iter().filter_map(|arg| match arg {
            Passed::Slot(slot) => Some(*slot),
            Passed::Value(_) | Passed::Any => None,
        });
        std::iter::once(self.mock).chain(passed)
    }
}
