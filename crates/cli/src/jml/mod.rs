//! Contracts of the code under test: sources are read, woven with checks and compiled.
//!
//! The user's files stay as they are; what is made of them lies in the scratch folder of the run.

mod built;
mod checking;
mod members;
mod restated;
mod sources;
mod summary;
mod violations;
mod world;

pub(crate) use checking::{Checked, check_classes, compile_plain};
pub(crate) use restated::Unsaid;
pub(crate) use sources::Sources;
pub(crate) use summary::ContractsReport;
pub(crate) use violations::Violation;
