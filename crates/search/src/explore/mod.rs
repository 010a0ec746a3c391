//! The explorative strategies: BE, R and BOBW (requirements E7 to E10).
//!
//! Each goes through the tests of a context (`space::Context`) in an order of its own. What they have
//! in common is here: which part of the tests a run takes on, and what it comes to. Whatever runs,
//! judges, keeps and shortens tests is the driver's, as for all strategies.

mod bobw;
mod exhaustive;
mod random;
mod tally;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use space::{BigUint, Context, ContextFile, Shard};

pub use self::tally::Explored;
use self::{bobw::BestOfBothWorlds, exhaustive::Exhaustive, random::Randomized};
use crate::strategy::Strategy;

/// In which order tests are gone through.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Order {
    /// BE: depth first; naively, by running every test from its start.
    Exhaustive {
        /// Whether nothing is shared between tests.
        naive: bool,
    },
    /// R: drawn, with replacement.
    Random,
    /// BOBW: each once, in an order that looks random.
    Bobw,
}

/// What is gone through.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Exploration {
    /// In which order.
    pub order: Order,
    /// How many calls a test has.
    pub length: u32,
    /// After how many tests it ends, at the latest.
    pub tests: Option<u64>,
    /// Where in the order it begins; before the shard, it begins with that.
    pub from: BigUint,
    /// The part of the order that it takes on.
    pub shard: Shard,
    /// The file of the context; without one it is the usual context of the class.
    pub file: Option<ContextFile>,
}

/// An explorative strategy.
pub trait Explorer: Strategy {
    /// What it came to so far.
    fn explored(&self) -> Explored;
}

/// The strategy for an exploration. Runs of one seed have one order, whatever part of it they take.
pub fn explorer<'c>(
    exploration: &Exploration,
    context: &'c Context,
    seed: u64,
) -> Box<dyn Explorer + 'c> {
    match exploration.order {
        Order::Exhaustive { naive } => Box::new(Exhaustive::new(exploration, context, naive)),
        Order::Random => Box::new(Randomized::new(exploration, context, seed)),
        Order::Bobw => Box::new(BestOfBothWorlds::new(exploration, context, seed)),
    }
}

/// The positions of an order that has each test once: where a run begins, and how many tests it has.
fn part(exploration: &Exploration, context: &Context) -> (BigUint, u64) {
    let size = space::size(context.calls(), exploration.length as usize);
    let (first, end) = exploration.shard.range(&size);
    let from = first.max(exploration.from.clone());
    let there = if from < end { &end - &from } else { BigUint::ZERO };
    let there = u64::try_from(&there).unwrap_or(u64::MAX);
    (from, exploration.tests.map_or(there, |tests| tests.min(there)))
}
