//! What the strategies are told: the parameters of the paper's section IV, and those of its variants.

use serde::{Deserialize, Serialize};

/// Which of the three strategies (requirement J12).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Variant {
    /// A1: all calls of a test case are decided at once.
    Pure,
    /// A2: the same, and objects that worked are reused.
    Pooled,
    /// A3: each call is made before the next one is decided, and objects are reused.
    Incremental,
}

/// What is tried in place of an infeasible call (requirement J9).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Retry {
    /// Another method.
    Method,
    /// The same method with other arguments.
    Arguments,
}

/// The options of a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JetOptions {
    /// The strategy.
    pub variant: Variant,
    /// Test cases to attempt in all; none: until the budget is spent.
    pub attempts: Option<u64>,
    /// Objects of one class that are kept to be reused; none: nothing is reused.
    pub pool: Option<usize>,
    /// Whether test cases that are equivalent to an earlier one are told, and left out.
    pub redundancy: bool,
    /// How often in a row a redundant test case of a method is replaced before the next method has
    /// its turn.
    pub replacements: u32,
    /// How often an infeasible call is taken back for another one (incremental only).
    pub tries: u32,
    /// Which other one that is.
    pub retry: Retry,
    /// The most methods that are called to change an object, each time it is built upon.
    pub mutations: u32,
    /// Whether an object may be passed more than once in a test case (requirement J15).
    pub aliasing: bool,
    /// Whether methods that the class only inherits are tested too.
    pub inherited: bool,
}

impl JetOptions {
    /// The usual options of a strategy.
    pub fn of(variant: Variant) -> Self {
        Self {
            variant,
            attempts: None,
            pool: (variant != Variant::Pure).then_some(200),
            redundancy: true,
            replacements: 3,
            tries: 10,
            retry: Retry::Arguments,
            mutations: 4,
            aliasing: true,
            inherited: true,
        }
    }

    pub(super) fn is_incremental(&self) -> bool {
        self.variant == Variant::Incremental
    }
}
