//! What search needs of whatever runs test cases.

use std::sync::Arc;

use model::{
    Call, CallEnd, Effect, EffectSet, Interaction, Literal, Observation, Operation, Slot, SlotDecl,
    Thrown, Type,
};

use crate::strategy::Compared;

/// Runs test cases call by call; one is open at a time.
pub trait Executor {
    /// Opens a test case: slots with an initial value get it.
    fn begin(&mut self, slots: &[SlotDecl]);
    /// Adds slots to the open test case: those with an initial value get it.
    fn extend(&mut self, slots: &[SlotDecl]);
    /// Makes a call of the open test case. A call that is infeasible ([`model::Breach`]) must not have
    /// changed anything.
    fn call(&mut self, call: &Call) -> CallEnd;
    /// From now on an operation that never ended by itself is not called any more: a call of it is
    /// [`model::Cut::Killed`] at once.
    fn leave_alone(&mut self, op: &Operation);
    /// The kinds of effects the open test case had, leftovers such as running threads included.
    /// A thorough look also compares every process-wide setting with what it was.
    fn effects(&mut self, thorough: bool) -> EffectSet;
    /// The kinds of effects noted in the open test case so far, at no cost: without leftovers.
    fn effects_noted(&self) -> EffectSet;
    /// Whether the open test case has started a thread so far.
    fn has_started_threads(&self) -> bool;
    /// Whether the open test case used up its step budget, even if it went on all the same.
    fn overran(&self) -> bool;
    /// Steps that the open test case took so far.
    fn steps(&self) -> u32;
    /// Closes the open test case.
    fn end(&mut self);

    /// Whether a slot of the open test case holds `null`.
    fn is_null(&self, slot: Slot) -> bool;
    /// The primitive in a slot.
    fn primitive(&self, slot: Slot) -> Option<Literal>;
    /// What is remembered of the value in a slot.
    fn observe(&self, slot: Slot) -> Observation;
    /// Asks a method without arguments of the object in a slot, the next one of what that returned,
    /// and so on, without changing any slot; `None` if one of them does not return an object to ask.
    fn view(&mut self, path: &[Arc<Operation>], slot: Slot) -> Option<Observation>;
    /// The run-time class of the object in a slot.
    fn class_of(&self, slot: Slot) -> Option<Type>;
    /// Whether two slots hold the same object.
    fn same(&self, a: Slot, b: Slot) -> bool;
    /// The exception the last call threw.
    fn thrown(&mut self) -> Option<Thrown>;
    /// Effects noted since this was last asked.
    fn take_effects(&mut self) -> Vec<Effect>;

    /// Has what mocks are asked noted in the test cases that are opened from now on, or no more.
    fn note_mocks(&mut self, noting: bool);
    /// What mocks of the open test case were asked, in order; `None` if that is not all known.
    fn interactions(&self) -> Option<Vec<Interaction>>;
    /// Whether a mock answered `null` in the last call of the open test case.
    fn mocks_gave_null(&self) -> bool;

    /// Says which comparisons tell their operands from now on: a byte each, not 0 for those.
    fn watch(&mut self, open: &[u8]);
    /// The watched comparisons that were passed since the test case was opened.
    fn compared(&mut self, into: &mut Vec<Compared>);
    /// The numbers compared there: as they are, or the bits of `double`s.
    fn compared_numbers(&self, place: u32) -> (i64, i64);
    /// The objects compared there.
    fn compared_objects(&self, place: u32) -> (Observation, Observation);

    /// The number of probes in the classes to be covered.
    fn probes(&self) -> usize;
    /// Forgets which probes were hit.
    fn clear_hits(&mut self);
    /// Which probes were hit since the last clearing; a byte per probe, 0 or 1.
    fn hits(&mut self, into: &mut [u8]);
}
