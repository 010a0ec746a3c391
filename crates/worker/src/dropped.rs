//! Why tests do not survive the checks, and how many of them for each reason.
//!
//! Here and not in `check`, because reports count too. Invariant: a test is counted once.

use serde::{Deserialize, Serialize};

/// Tests that did not survive, by why.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Dropped {
    /// They could not be written as source.
    pub unwritable: u32,
    /// The compiler refused them.
    pub uncompilable: u32,
    /// They did something else in a fresh JVM.
    pub unreproducible: u32,
    /// They did something else in another order or environment.
    pub environment: u32,
    /// They tried something outside the heap, or left something changed.
    pub unsafe_effect: u32,
    /// They left static state of the project changed that others may rely on.
    pub static_state: u32,
}

/// Why a test did not survive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fate {
    /// It could not be written as source.
    Unwritable,
    /// The compiler refused it.
    Uncompilable,
    /// It did something else in a fresh JVM.
    Unreproducible,
    /// It did something else in another order or environment.
    Environment,
    /// It tried something outside the heap, or left something changed.
    UnsafeEffect,
    /// It left static state of the project changed, or made a test fail that was there before.
    StaticState,
}

impl Dropped {
    /// Counts a test.
    pub fn count(&mut self, fate: Fate) {
        *match fate {
            Fate::Unwritable => &mut self.unwritable,
            Fate::Uncompilable => &mut self.uncompilable,
            Fate::Unreproducible => &mut self.unreproducible,
            Fate::Environment => &mut self.environment,
            Fate::UnsafeEffect => &mut self.unsafe_effect,
            Fate::StaticState => &mut self.static_state,
        } += 1;
    }

    /// All of them.
    pub fn total(&self) -> u32 {
        self.unwritable
            + self.uncompilable
            + self.unreproducible
            + self.environment
            + self.unsafe_effect
            + self.static_state
    }

    /// Adds another count.
    pub fn add(&mut self, other: Self) {
        self.unwritable += other.unwritable;
        self.uncompilable += other.uncompilable;
        self.unreproducible += other.unreproducible;
        self.environment += other.environment;
        self.unsafe_effect += other.unsafe_effect;
        self.static_state += other.static_state;
    }
}
