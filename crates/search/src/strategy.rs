//! What a strategy is.

use std::sync::Arc;

use model::{Breach, Call, Cut, EffectSet, Literal, Observation, Slot, SlotDecl, TestCase, Type};

use crate::Rng;

/// What a strategy wants done next. Whole-test strategies only ever say [`Move::Run`]; strategies
/// that build a test call by call open one, add calls, and take back those that did not work out.
#[derive(Clone, PartialEq, Debug)]
pub enum Move {
    /// Run this test from start to end. Shared, so that a strategy can keep what it proposed.
    Run(Arc<TestCase>),
    /// Open a test with these slots.
    Open(Vec<SlotDecl>),
    /// Make this call in the open test. After a call that did not return it is not made: take that
    /// one back, or close.
    Call(Call),
    /// Add these slots to the open test and make these calls in it, one after the other, up to one
    /// that does not return. They are reported once, by the last of them that was made.
    Extend(Vec<SlotDecl>, Vec<Call>),
    /// Take back the last call of the open test. What is left is run again from its start, unless
    /// that call was not made because it was infeasible: then nothing has changed.
    Undo,
    /// The open test is complete.
    Close,
}

/// How far a test, or the part of it run so far, came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Every call returned.
    Normal,
    /// This call threw.
    Threw(usize),
    /// This call broke a contract.
    Breached(usize, Breach),
    /// This call was cut short.
    Cut(usize, Cut),
    /// This call could not be linked.
    Unlinkable(usize, String),
}

impl Ending {
    /// Whether it ended in a call that was not made, because it is infeasible.
    pub fn is_infeasible(&self) -> bool {
        matches!(self, Self::Breached(_, breach) if breach.is_infeasible())
    }

    /// The last call that was made, of so many.
    pub fn last(&self, calls: usize) -> Option<usize> {
        match self {
            Self::Normal => calls.checked_sub(1),
            Self::Threw(at)
            | Self::Breached(at, _)
            | Self::Cut(at, _)
            | Self::Unlinkable(at, _) => Some(*at),
        }
    }
}

/// What a run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// How far it came.
    pub ending: Ending,
    /// What it tried outside the heap.
    pub effects: EffectSet,
    /// The call that tried what no test may try.
    pub culprit: Option<usize>,
    /// The call that started a thread, if one was left running.
    pub leaver: Option<usize>,
    /// Whether it hit probes that nothing had hit before.
    pub new_coverage: bool,
    /// Whether it shows a failure, known or not; told only to who wants verdicts.
    pub failed: bool,
}

impl Report {
    /// Whether every call returned and nothing forbidden was tried, so that the test can be built
    /// upon.
    pub fn is_clean(&self) -> bool {
        self.ending == Ending::Normal && self.effects.may_be_emitted()
    }
}

/// The values of the test that just ran.
pub trait Values {
    /// Whether a slot holds `null`.
    fn is_null(&self, slot: Slot) -> bool;
    /// The primitive in a slot.
    fn primitive(&self, slot: Slot) -> Option<Literal>;
    /// The run-time class of the object in a slot.
    fn class_of(&self, slot: Slot) -> Option<Type>;
    /// Steps that the test took.
    fn steps(&self) -> u32;
    /// What is in a slot.
    fn observe(&self, slot: Slot) -> Observation;
    /// The watched comparisons that the test passed.
    fn compared(&self) -> &[Compared];
    /// The numbers compared there: as they are, or the bits of `double`s.
    fn numbers(&self, place: u32) -> (i64, i64);
    /// The objects compared there.
    fn objects(&self, place: u32) -> (Observation, Observation);
    /// Which probes kept tests hit, a byte each.
    fn covered(&self) -> &[u8];
}

/// A comparison that a test passed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Compared {
    /// The comparison.
    pub number: u32,
    /// Where its operands are kept.
    pub place: u32,
    /// How far apart they were when they were closest.
    pub distance: f64,
}

/// Proposes tests and learns from what they did.
pub trait Strategy {
    /// What to do next; `None` once there is nothing left to try.
    fn propose(&mut self, rng: &mut Rng) -> Option<Move>;
    /// What became of it. For [`Move::Call`], `case` is the open test so far.
    fn observe(&mut self, case: &TestCase, report: &Report, values: &dyn Values, rng: &mut Rng);
    /// Whether every exception is to be judged, those of guarded calls too: that takes time.
    fn wants_verdicts(&self) -> bool {
        false
    }
    /// The comparisons to be watched from now on, a byte each, if they are others than before.
    fn watched(&mut self) -> Option<&[u8]> {
        None
    }
}
