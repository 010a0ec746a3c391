//! The tests of a suite as they are: which pass, every time, and what each covers.
//!
//! They run one by one, as they do when they judge mutants: all in order, in classes that were just loaded,
//! then those that passed from the last to the first, in the same classes. A test that takes its process
//! down is left out, and the others begin anew, so that nobody's coverage misses what the dead had done.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::suite::{Ending, Observed, Observing, Place, SuiteTest};
use super::{Judging, LOOK_EVERY, SILENCE, unexpected};
use crate::process::{WorkerError, WorkerProcess};
use crate::protocol::{Reply, Request};

/// No test may take longer.
const LIMIT_MILLIS: u32 = 60_000;

/// A suite as it is.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    /// The tests that pass, in order.
    pub tests: Vec<SuiteTest>,
    /// The others.
    pub excluded: Vec<Excluded>,
    /// What each test came to, in classes that were just loaded and in those that were in use.
    pub(super) observed: Vec<[Observed; 2]>,
    pub(super) places: Vec<Place>,
    /// The project's classes that were initialized, tests among them, by binary name, in an order in
    /// which they can be.
    pub(super) initialized: Vec<String>,
}

/// A test that judges no mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excluded {
    /// The test.
    pub test: SuiteTest,
    /// Why not.
    pub reason: String,
}

/// What came of running tests one after the other.
enum Round {
    Observed(Vec<Observed>, Vec<String>),
    /// The process died in this test.
    Died(String, String),
    Interrupted,
}

/// Hears how many of how many tests have run.
pub(super) type OnTest<'p> = &'p mut dyn FnMut(usize, usize);

impl Judging {
    /// Finds the tests and runs them as they are, measuring these classes; `None` if that was
    /// interrupted.
    pub fn baseline(
        &self,
        measured: &[String],
        on_test: OnTest<'_>,
    ) -> Result<Option<Baseline>, WorkerError> {
        let mut deadly: BTreeMap<String, String> = BTreeMap::new();
        loop {
            let (mut process, places) = self.worker(measured)?;
            let found = self.find(&mut process)?;
            let mut baseline = Baseline { places, ..Baseline::default() };
            let (excluded, tests): (Vec<_>, Vec<_>) =
                found.into_iter().partition(|test| deadly.contains_key(&test.id));
            baseline.excluded.extend(excluded.into_iter().map(|test| {
                let reason = deadly[&test.id].clone();
                Excluded { test, reason }
            }));
            let total = tests.len() * 2;
            let mut on_first = |done| on_test(done, total);
            let first = self.observe(&mut process, tests.iter(), &mut on_first)?;
            let (first, initialized) = match first {
                Round::Observed(first, initialized) => (first, initialized),
                Round::Died(test, how) => {
                    deadly.insert(test, how);
                    continue;
                }
                Round::Interrupted => return Ok(None),
            };
            baseline.initialized = initialized;
            let mut passing = Vec::new();
            for (test, observed) in tests.into_iter().zip(first) {
                match reason(&observed.end) {
                    None => passing.push((test, observed)),
                    Some(reason) => baseline.excluded.push(Excluded { test, reason }),
                }
            }
            let mut on_second = |done| on_test(total / 2 + done, total);
            let backward = passing.iter().rev().map(|(test, _)| test);
            match self.observe(&mut process, backward, &mut on_second)? {
                Round::Observed(second, _) => {
                    baseline.compare(passing, second);
                    baseline.excluded.sort_by(|a, b| a.test.cmp(&b.test));
                    return Ok(Some(baseline));
                }
                Round::Died(test, how) => {
                    deadly.insert(test, how);
                }
                Round::Interrupted => return Ok(None),
            }
        }
    }

    /// The tests, class by class.
    fn find(&self, process: &mut WorkerProcess) -> Result<Vec<SuiteTest>, WorkerError> {
        let classes = self.suite.classes.clone();
        let roots = if classes.is_empty() { &*self.suite.roots } else { &[] };
        let roots = roots.iter().map(|root| root.display().to_string()).collect();
        process.send(&Request::FindTests { roots, classes })?;
        let lines = match process.receive(SILENCE)? {
            Reply::Lines(lines) => lines,
            other => return Err(unexpected(&other)),
        };
        let mut tests: Vec<SuiteTest> = lines
            .chunks_exact(3)
            .map(|parts| SuiteTest {
                id: parts[0].clone(),
                class: parts[1].clone(),
                name: parts[2].clone(),
            })
            .collect();
        // Methods stay in JUnit's order; that of classes is the file system's.
        tests.sort_by(|a, b| a.class.cmp(&b.class));
        Ok(tests)
    }

    fn observe<'t>(
        &self,
        process: &mut WorkerProcess,
        tests: impl Iterator<Item = &'t SuiteTest>,
        on_test: &mut dyn FnMut(usize),
    ) -> Result<Round, WorkerError> {
        let tests: Vec<String> = tests.map(|test| test.id.clone()).collect();
        let mut during = tests.first().cloned().unwrap_or_default();
        process
            .send(&Request::Observe(Box::new(Observing { tests, limit_millis: LIMIT_MILLIS })))?;
        let mut all = Vec::new();
        let mut heard = Instant::now();
        loop {
            if self.stop.load(Ordering::Acquire) {
                return Ok(Round::Interrupted);
            }
            let reply = match process.poll(LOOK_EVERY) {
                None if heard.elapsed() > SILENCE => Err(process.died("was silent")),
                None => continue,
                Some(reply) => reply,
            };
            heard = Instant::now();
            match reply {
                Ok(Reply::Started(id)) => during = id,
                Ok(Reply::Observed(observed)) => {
                    all.push(*observed);
                    on_test(all.len());
                }
                Ok(Reply::Lines(initialized)) => return Ok(Round::Observed(all, initialized)),
                Ok(Reply::Hung) => {
                    let seconds = LIMIT_MILLIS / 1000;
                    return Ok(Round::Died(during, format!("it does not end within {seconds} s")));
                }
                Ok(Reply::Failed(why)) => return Err(WorkerError::Failed(why)),
                Ok(other) => return Err(unexpected(&other)),
                Err(WorkerError::Died { how, .. }) => {
                    return Ok(Round::Died(during, format!("the JVM died of it: it {how}")));
                }
                Err(error) => return Err(error),
            }
        }
    }
}

impl Baseline {
    /// Keeps what passes again; the second run was backward.
    fn compare(&mut self, passing: Vec<(SuiteTest, Observed)>, second: Vec<Observed>) {
        for ((test, first), second) in passing.into_iter().zip(second.into_iter().rev()) {
            match reason(&second.end) {
                None => {
                    self.tests.push(test);
                    self.observed.push([first, second]);
                }
                Some(reason) => {
                    let reason = format!("it flickers: it passed, and run once more {reason}");
                    self.excluded.push(Excluded { test, reason });
                }
            }
        }
    }
}

/// Why a test that ended so judges no mutant.
fn reason(end: &Ending) -> Option<String> {
    match end {
        Ending::Passed => None,
        Ending::Failed(why) => Some(format!("it fails: {why}")),
        Ending::Skipped => Some("it is skipped".to_owned()),
        Ending::Absent => Some("it cannot be run by itself".to_owned()),
        Ending::Stopped => Some("it takes too many steps".to_owned()),
        Ending::Exited => Some("it tries to end the JVM".to_owned()),
    }
}
