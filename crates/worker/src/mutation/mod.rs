//! The score of a suite: which of the small faults put into a program its tests notice (requirement E12).
//!
//! A worker finds the tests and runs them twice as they are ([`baseline`]): what does not pass, or not
//! both times, judges no mutant. The coverage of both runs says which tests come to which mutant
//! ([`reach`]); batches of mutants are then judged by as many workers as there are jobs ([`judging`]).
//! The worker's side is `inside/mutation`.
//!
//! Invariant: what is in a batch, and in which order, depends on the suite and the mutants only, and so
//! does what becomes of a mutant.

mod baseline;
mod judging;
pub(crate) mod limits;
mod reach;
pub(crate) mod suite;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mutants::Mutant;

pub use self::baseline::{Baseline, Excluded};
use self::suite::SuiteOrder;
pub use self::suite::{Suite, SuiteTest};
use crate::mocking;
use crate::process::{Launcher, WorkerError, WorkerProcess};
use crate::protocol::{Reply, Request};
use crate::scratch::Scratch;
use crate::setup::{Role, Subject};

/// A worker that says nothing for so long is taken for dead: no test may take as long.
const SILENCE: Duration = Duration::from_secs(600);
/// How often is looked whether the user wants no more.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// How a suite is run and judged.
pub struct Judging {
    /// How workers are started.
    pub launcher: Launcher,
    /// The JDK, and the classes that are mutated.
    pub subject: Subject,
    /// Where workers write.
    pub scratch: Arc<Scratch>,
    /// The tests.
    pub suite: Suite,
    /// How many times what it takes unmutated a test may take.
    pub factor: u32,
    /// Workers at a time.
    pub jobs: usize,
    /// Whether all tests that kill a mutant are wanted, and not only the first.
    pub all_kills: bool,
    /// Set when the user wants no more.
    pub stop: Arc<AtomicBool>,
}

/// A class with its mutants.
#[derive(Clone, Debug)]
pub struct MutatedClass {
    /// Its internal name.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its mutants, in order.
    pub mutants: Vec<Mutant>,
}

/// What became of a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Tests fail that pass without it.
    Killed {
        /// Which, as positions among the tests of the baseline: the first that did, or all if all were
        /// wanted; none if the JVM died of it.
        by: Vec<usize>,
        /// Why the first failed.
        why: String,
    },
    /// A test did not come to its end.
    TimedOut {
        /// Which, if that is known.
        by: Option<usize>,
    },
    /// All tests pass that come to it.
    Survived {
        /// How many.
        tests: u32,
    },
    /// No test comes to it.
    NoCoverage,
    /// It could not be judged.
    Unjudged(String),
}

/// What became of the mutants of a class, in their order; those that were not come to have none.
pub type Judgement = Vec<Option<Verdict>>;

impl Judging {
    /// A worker that has taken the suite; where these classes can be covered.
    fn worker(
        &self,
        measured: &[String],
    ) -> Result<(WorkerProcess, Vec<suite::Place>), WorkerError> {
        let working = Some(&*self.suite.working);
        let start =
            || self.launcher.start_in(Role::Mutation, &self.subject, &self.scratch, working);
        let mut process = start()?;
        process.wait_until_ready()?;
        let class_path = self.class_path(&process).map_err(WorkerError::Scratch)?;
        process.send(&Request::OpenSuite(Box::new(SuiteOrder {
            class_path: joined(&class_path),
            own: joined(&self.suite.own),
            measured: measured.to_vec(),
        })))?;
        match process.receive(SILENCE)? {
            Reply::Places(places) => Ok((process, places)),
            other => Err(unexpected(&other)),
        }
    }

    /// The class path of the suite; with Mockito on it, what has that do without an agent stands first.
    fn class_path(&self, process: &WorkerProcess) -> std::io::Result<Vec<PathBuf>> {
        let path = &self.suite.class_path;
        let is_mockito = |entry: &PathBuf| {
            let name = entry.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with("mockito-"))
        };
        if !path.iter().any(is_mockito) {
            return Ok(path.clone());
        }
        let folder = process.folder().join("mocks");
        mocking::by_subclassing(&folder)?;
        Ok([std::slice::from_ref(&folder), path].concat())
    }
}

fn unexpected(reply: &Reply) -> WorkerError {
    WorkerError::Failed(format!("an unexpected reply: {reply:?}"))
}

fn joined(entries: &[PathBuf]) -> String {
    let entries: Vec<String> = entries.iter().map(|entry| entry.display().to_string()).collect();
    entries.join(":")
}
