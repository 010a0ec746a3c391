//! Code under test runs in worker processes; the supervisor owns what they find.
//!
//! The supervisor never loads a JVM, so nothing that code under test does can take results with
//! it. A worker is the same executable, started with a hidden argument: it confines itself, embeds
//! a JVM and runs search and code under test side by side, so that a call costs a JNI call and not
//! a message. What is worth keeping is sent as it is found.
//!
//! - [`inside`]: the worker's side;
//! - [`process`], [`supervisor`], [`rescue`], [`monitor`]: the supervisor's side of the search;
//! - [`observe`]: what given test cases do, for comparing versions;
//! - [`check`], [`dated`], [`dropped`], [`compile`], [`joint`], [`verdict`], [`statements`], [`trial`], [`killers`],
//!   [`rounds`], [`services`], [`runners`], [`detours`]: the check of emitted tests;
//! - [`mutation`]: the score of a suite;
//! - [`recorder`]: tests that somebody wrote, run to tell what they call;
//! - [`protocol`], [`setup`], [`environment`], [`spent`]: what both agree on.

mod answer;
mod check;
mod checked;
mod compile;
mod culprits;
mod dated;
mod detours;
mod dropped;
mod environment;
mod inside;
mod joint;
mod killers;
mod mocking;
mod moments;
mod monitor;
mod mutation;
mod observe;
mod process;
mod protocol;
mod recorder;
mod rescue;
mod residents;
mod rounds;
mod runners;
mod scratch;
mod services;
mod setup;
mod spent;
mod statements;
mod statics;
mod supervisor;
mod trial;
mod verdict;

pub use answer::{Diagnostic, Failed, TestEnd, TestRun};
pub use check::{Checked, Checker};
pub use checked::{CheckedClasses, CheckedClause, CheckedMember};
pub use dropped::{Dropped, Fate};
pub use environment::Environment;
#[doc(hidden)]
pub use inside::measure;
pub use inside::worker_main;
pub use joint::Together;
pub use monitor::{MonitorSurvey, UnknownNative};
pub use mutation::{
    Baseline, Excluded, Judgement, Judging, MutatedClass, Suite, SuiteTest, Verdict,
};
pub use observe::Observation;
pub use process::{Launcher, WorkerError};
pub use protocol::{Approach, Unit, UnitBudget, UnitResult, WorkedTest};
pub use recorder::{Answer, Recorder, site};
pub use residents::Residents;
pub use scratch::Scratch;
pub use services::Services;
pub use setup::Subject;
pub use spent::Spent;
pub use supervisor::{Progress, Supervisor};
