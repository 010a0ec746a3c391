//! Looking for test cases: strategies propose, the driver runs and keeps.
//!
//! Nothing here knows that JVMs exist: test cases run through the [`Executor`] trait. A strategy is
//! only its idea; loops, budgets, duplicates, keeping and reducing are the driver's.

mod answers;
mod api;
mod budget;
mod contracts;
mod difference;
mod driver;
mod executor;
mod explore;
mod failures;
mod guided;
mod jet;
mod keep;
mod minimize;
mod observed;
mod pool;
mod random;
mod readable;
mod reasons;
mod record;
mod refusals;
mod regression;
mod seeds;
mod strategy;
#[cfg(test)]
mod testing;
mod views;

pub use api::{Api, Called, Clues, Detective, Extras, Mocking, OpId, TypeId, is_mocked_if_missing};
pub use budget::Budget;
pub use contracts::{Built, contract_operations};
pub use difference::{Change, Compared as ComparedRuns, Difference, compared};
pub use driver::{Driver, Event, Kept, Settings, Statistics};
pub use executor::Executor;
pub use explore::{Exploration, Explored, Explorer, Order, explorer};
pub use failures::{Exceptions, Noise, Setter, ThrownFrom, Unexpected};
pub use guided::{Component, Components, Knowledge};
pub use jet::{ContractFacts, Counts, Facts, Jet, JetOptions, Retry, Role, Variant, role};
pub use keep::{Finished, finish};
pub use observed::{Observed, observed};
pub use random::FeedbackDirected;
pub use readable::{dates_in, matching, texts_of_factories, texts_of_method};
pub use reasons::{Reason, ReasonCode};
pub use record::record;
pub use strategy::{Compared, Ending, Move, Report, Strategy, Values};

/// The random numbers of a run: the same for the same seed on every machine.
pub type Rng = oorandom::Rand64;
