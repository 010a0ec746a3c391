//! The values of the test case that just ran, as a strategy may look at them.

use model::{Literal, Observation, Slot, Type};

use crate::executor::Executor;
use crate::strategy::{Compared, Values};

/// See the module.
pub(super) struct Open<'e, E> {
    pub(super) executor: &'e E,
    pub(super) compared: &'e [Compared],
    pub(super) covered: &'e [u8],
}

impl<E: Executor> Values for Open<'_, E> {
    fn is_null(&self, slot: Slot) -> bool {
        self.executor.is_null(slot)
    }

    fn primitive(&self, slot: Slot) -> Option<Literal> {
        self.executor.primitive(slot)
    }

    fn class_of(&self, slot: Slot) -> Option<Type> {
        self.executor.class_of(slot)
    }

    fn steps(&self) -> u32 {
        self.executor.steps()
    }

    fn observe(&self, slot: Slot) -> Observation {
        self.executor.observe(slot)
    }

    fn compared(&self) -> &[Compared] {
        self.compared
    }

    fn numbers(&self, place: u32) -> (i64, i64) {
        self.executor.compared_numbers(place)
    }

    fn objects(&self, place: u32) -> (Observation, Observation) {
        self.executor.compared_objects(place)
    }

    fn covered(&self) -> &[u8] {
        self.covered
    }
}
