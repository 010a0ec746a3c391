//! The runner processes of one environment: a warm one that serves class after class, and the next
//! one, started ahead.
//!
//! Invariant: no lock is held while a fresh process starts or runs tests, so that a class whose
//! tests need one keeps no other class waiting; the warm one serves one class at a time.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::answer::{TestEnd, TestRun, changed, parse_run};
use crate::process::{WorkerError, WorkerProcess};
use crate::protocol::{Reply, Request};

/// A runner says something this often: a test is given up before, its threads included (see
/// `services::TEST_TIMEOUT_MILLIS`).
const ANSWER_LIMIT: Duration = Duration::from_secs(60);
/// How often to ask whether the answer is still waited for.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// A runner is replaced after so many classes: static state of the JDK piles up.
const CLASSES_PER_RUNNER: u32 = 40;

/// What came of a run.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Ran {
    /// The tests that ended, in order.
    pub(crate) runs: Vec<TestRun>,
    /// What finalizers and cleaners did after the last one, if anything.
    pub(crate) late: Option<String>,
    /// How the runner died, if it did.
    pub(crate) death: Option<Death>,
    /// Tests that leave static state changed, and which; only if that was asked for.
    pub(crate) left_statics: Vec<(String, String)>,
    /// Why that was not found out of all tests, if so.
    pub(crate) unmeasured: Option<String>,
    /// Tests that asked what date it is.
    pub(crate) asked_for_date: Vec<String>,
    /// Whether there is static state that the tests could leave changed; only if that was asked for.
    pub(crate) has_statics: bool,
}

/// The end of a runner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Death {
    /// The test under way; none if it died before the first.
    pub(crate) during: Option<String>,
    /// How it died.
    pub(crate) how: String,
}

impl Ran {
    /// Whether the process can be used again: no thread of a test may go on in it.
    fn leaves_it_usable(&self) -> bool {
        let disturbs = |end: &TestEnd| matches!(end, TestEnd::TimedOut | TestEnd::LeftChanged(_));
        self.death.is_none()
            && self.late.is_none()
            && self.unmeasured.is_none()
            && !self.runs.iter().any(|run| disturbs(&run.end))
    }
}

struct Warm {
    process: WorkerProcess,
    served: u32,
}

/// See the module.
#[derive(Default)]
pub(crate) struct Runners {
    warm: Mutex<Option<Warm>>,
    spare: Mutex<Option<WorkerProcess>>,
}

/// Whether nobody waits for the answer any more.
pub(crate) type IsOver<'o> = &'o (dyn Fn() -> bool + Sync);

/// Starts a runner.
pub(crate) type Start<'s> = dyn Fn() -> Result<WorkerProcess, WorkerError> + 's;

impl Runners {
    /// Starts the warm one ahead of its first use.
    pub(crate) fn warm_up(&self, start: &Start<'_>) -> Result<(), WorkerError> {
        let mut warm = lock(&self.warm);
        if warm.is_none() {
            let mut process = start()?;
            process.wait_until_ready()?;
            *warm = Some(Warm { process, served: 0 });
        }
        Ok(())
    }

    /// Runs tests in the warm process.
    pub(crate) fn run(&self, start: &Start<'_>, request: &Request) -> Result<Ran, WorkerError> {
        let mut held = lock(&self.warm);
        let mut warm = match held.take() {
            Some(warm) => warm,
            None => Warm { process: self.next(start)?, served: 0 },
        };
        let ran = run(&mut warm.process, request, &|| false)?;
        warm.served += 1;
        if ran.leaves_it_usable() && warm.served < CLASSES_PER_RUNNER {
            *held = Some(warm);
            return Ok(ran);
        }
        self.prepare(start)?;
        // Ending a process takes a while, in which others may go on.
        drop(held);
        Ok(ran)
    }

    /// Runs tests in a process that has run none, which replaces the warm one. It is given up once
    /// the time is over.
    pub(crate) fn run_fresh(
        &self,
        start: &Start<'_>,
        request: &Request,
        is_over: IsOver<'_>,
    ) -> Result<Ran, WorkerError> {
        let mut process = self.next(start)?;
        let ran = run(&mut process, request, is_over)?;
        if ran.leaves_it_usable()
            && let Ok(mut warm) = self.warm.try_lock()
        {
            let before = warm.replace(Warm { process, served: 1 });
            drop(warm);
            drop(before);
        }
        Ok(ran)
    }

    /// Runs tests in a process that has run none, then again as each further request says, as long
    /// as that makes sense: until the process is of no more use, or what came of it is not to be gone
    /// on with. The process ends with that.
    pub(crate) fn run_fresh_while(
        &self,
        start: &Start<'_>,
        requests: &[Request],
        goes_on: impl Fn(&Ran) -> bool,
        is_over: IsOver<'_>,
    ) -> Result<Vec<Ran>, WorkerError> {
        let mut process = match lock(&self.spare).take() {
            Some(process) => process,
            None => start()?,
        };
        process.wait_until_ready()?;
        let mut all = Vec::new();
        for request in requests {
            let ran = run(&mut process, request, is_over)?;
            let goes_on = ran.leaves_it_usable() && goes_on(&ran);
            all.push(ran);
            if !goes_on {
                break;
            }
        }
        Ok(all)
    }

    /// A process that has run no test; the one after it starts while it works.
    fn next(&self, start: &Start<'_>) -> Result<WorkerProcess, WorkerError> {
        let mut process = match lock(&self.spare).take() {
            Some(process) => process,
            None => start()?,
        };
        self.prepare(start)?;
        process.wait_until_ready()?;
        Ok(process)
    }

    /// Starts a process ahead, if there is none.
    pub(crate) fn prepare(&self, start: &Start<'_>) -> Result<(), WorkerError> {
        if lock(&self.spare).is_none() {
            let started = start()?;
            // Somebody else may have been faster.
            lock(&self.spare).get_or_insert(started);
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends the request and gathers what is said of each test.
fn run(
    process: &mut WorkerProcess,
    request: &Request,
    is_over: IsOver<'_>,
) -> Result<Ran, WorkerError> {
    let mut ran = Ran::default();
    let mut during = None;
    let mut sent = process.send(request);
    loop {
        let reply = match sent {
            Ok(()) => next_reply(process, is_over),
            Err(error) => Err(error),
        };
        sent = Ok(());
        match reply {
            Ok(Reply::Ran(late)) => {
                ran.late = late.map(|message| changed(&message));
                return Ok(ran);
            }
            Ok(Reply::Started(test)) => during = Some(test),
            Ok(Reply::LeftStatics(what)) => {
                ran.left_statics.extend(during.clone().map(|test| (test, what)));
            }
            Ok(Reply::AskedForDate) => ran.asked_for_date.extend(during.clone()),
            Ok(Reply::HasStatics) => ran.has_statics = true,
            Ok(Reply::Unmeasured(why)) => ran.unmeasured = Some(why),
            Ok(Reply::Lines(lines)) => {
                ran.runs.extend(lines.iter().filter_map(|line| parse_run(line)));
            }
            Ok(other) => {
                return Err(WorkerError::Failed(format!("an unexpected reply: {other:?}")));
            }
            Err(WorkerError::Died { how, .. } | WorkerError::Failed(how)) => {
                ran.death = Some(Death { during, how });
                return Ok(ran);
            }
            Err(error) => return Err(error),
        }
    }
}

fn next_reply(process: &mut WorkerProcess, is_over: IsOver<'_>) -> Result<Reply, WorkerError> {
    let asked = Instant::now();
    while asked.elapsed() < ANSWER_LIMIT {
        if is_over() {
            return Err(WorkerError::GivenUp);
        }
        match process.poll(LOOK_EVERY) {
            None => {}
            Some(Ok(Reply::Failed(why))) => return Err(WorkerError::Failed(why)),
            Some(reply) => return reply,
        }
    }
    Err(process.died(&format!("was silent for {} s", ANSWER_LIMIT.as_secs())))
}
