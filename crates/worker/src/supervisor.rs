//! Gives units to workers, replaces those that die, and loses nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jvm::Blackbox;
use model::{Operation, TestCase};
use search::{Kept, Reason, ReasonCode};

use crate::process::{Launcher, WorkerError, WorkerProcess};
use crate::protocol::{Reply, Request, Unit, UnitBudget, UnitResult};
use crate::rescue::{Rescued, merge, rescue};
use crate::scratch::Scratch;
use crate::setup::{Role, Setup, Subject};

/// How a unit goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Calls made by the current worker.
    pub calls: u64,
    /// Tests kept.
    pub kept: u32,
    /// Probes covered.
    pub covered: u32,
    /// Probes there are.
    pub probes: u32,
}

/// A worker that says nothing for so long is taken for dead: its watchdog, which sees that calls come
/// to an end, is heard every second.
const SILENCE: Duration = Duration::from_secs(30);
/// Workers a unit may cost before what was kept is saved and the search is over.
const MAX_DEATHS: usize = 6;
/// How a worker dies that asked for it.
const HUNG: &str = "was killed, for a call did not end";
/// How often an operation may kill a worker before the search avoids it.
const DEATHS_PER_OPERATION: usize = 2;
/// How often before kept tests that need it are set aside too, until the search is over.
const DEATHS_PER_TEST: usize = 3;

/// How workers died, each in an operation if that is known.
type Deaths = Vec<(Option<Operation>, String)>;

/// Runs units one after the other, with the next worker started ahead. One per thread of the
/// supervisor.
pub struct Supervisor {
    launcher: Launcher,
    subject: Subject,
    scratch: Arc<Scratch>,
    spare: Option<WorkerProcess>,
    stop: Arc<AtomicBool>,
}

/// How one worker's try at a unit ended.
enum Attempt {
    Done(Box<UnitResult>),
    /// It died; in this operation, if that is known.
    Died(Option<Operation>, String),
}

impl Supervisor {
    /// A supervisor; when `stop` is set, units finish early with what they have.
    pub fn new(
        launcher: Launcher,
        subject: Subject,
        scratch: Arc<Scratch>,
        stop: Arc<AtomicBool>,
    ) -> Self {
        Self { launcher, subject, scratch, spare: None, stop }
    }

    /// Starts a worker ahead of the next unit.
    pub fn prepare(&mut self) -> Result<(), WorkerError> {
        if self.spare.is_none() {
            let role = Role::Search;
            self.spare = Some(self.launcher.start(role, &self.subject, &self.scratch)?);
        }
        Ok(())
    }

    /// Starts a worker and waits until it is ready for a unit.
    pub fn prepare_and_wait(&mut self) -> Result<(), WorkerError> {
        self.prepare()?;
        self.spare.as_mut().expect("just prepared").wait_until_ready()
    }

    /// Works on a unit until it is done, whatever becomes of workers on the way.
    pub fn run(
        &mut self,
        unit: &Unit,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<UnitResult, WorkerError> {
        let started = Instant::now();
        let mut unit = unit.clone();
        let mut deaths = Deaths::new();
        let mut aside = Vec::new();
        let searched = loop {
            if let (UnitBudget::Time(total), false) = (unit.budget, deaths.is_empty()) {
                unit.budget = UnitBudget::Time(total.saturating_sub(started.elapsed()));
            }
            match self.attempt(&mut unit, on_progress)? {
                Attempt::Done(result) => break Some(*result),
                Attempt::Died(operation, how) => {
                    deaths.push((operation, how));
                    avoid(&mut unit, &deaths, &mut aside);
                    if deaths.len() >= MAX_DEATHS {
                        aside.extend(std::mem::take(&mut unit.replay));
                        break None;
                    }
                }
            }
        };
        self.completed(unit, searched, aside, deaths, on_progress)
    }

    /// The result of the search, if it came to an end, with the tests that were set aside.
    fn completed(
        &mut self,
        mut unit: Unit,
        mut searched: Option<UnitResult>,
        aside: Vec<Kept>,
        mut deaths: Deaths,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<UnitResult, WorkerError> {
        let mut lost = 0;
        if !aside.is_empty() || searched.is_none() {
            unit.budget = UnitBudget::Calls(0);
            let mut finish = |tests| {
                unit.replay = tests;
                Ok(match self.attempt(&mut unit, on_progress)? {
                    Attempt::Done(result) => Some(*result),
                    Attempt::Died(operation, how) => {
                        deaths.push((operation, how));
                        None
                    }
                })
            };
            let rescued: Rescued = rescue::<WorkerError>(aside, &mut finish)?;
            lost = rescued.lost;
            searched = match (searched, rescued.result) {
                (Some(mut searched), Some(saved)) => {
                    merge(&mut searched, saved);
                    Some(searched)
                }
                (searched, saved) => searched.or(saved),
            };
        }
        let Some(mut result) = searched else { return Ok(given_up(&deaths)) };
        if !deaths.is_empty() {
            // What workers that died had called is not known.
            result.reasons.retain(|reason| reason.code != ReasonCode::NotReached);
        }
        result.reasons.extend(told(&deaths, &unit.avoid, lost));
        Ok(result)
    }

    fn attempt(
        &mut self,
        unit: &mut Unit,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<Attempt, WorkerError> {
        self.prepare()?;
        let mut worker = self.spare.take().expect("just prepared");
        let started = worker
            .wait_until_ready()
            .and_then(|()| worker.send(&Request::Search(Box::new(unit.clone()))));
        match started {
            Ok(()) => {}
            // It said why it cannot start: the next one could not either.
            Err(error @ WorkerError::Failed(_)) => return Err(error),
            Err(error) => return Ok(Attempt::Died(None, error.to_string())),
        }
        // The next one starts while this one works.
        self.prepare()?;
        let mut linked: Vec<(u32, Operation)> = Vec::new();
        let mut linking: Option<Operation> = None;
        let mut told_to_stop = false;
        let mut last_word = Instant::now();
        loop {
            if !told_to_stop && self.stop.load(Ordering::Acquire) {
                told_to_stop = true;
                // A worker that takes no message is dead, which the next reply tells.
                let _ = worker.send(&Request::Stop);
            }
            let reply = match worker.poll(Duration::from_millis(50)) {
                None if last_word.elapsed() < SILENCE => continue,
                None => Err(worker.died("was silent")),
                Some(reply) => reply,
            };
            last_word = Instant::now();
            match reply {
                Ok(Reply::Linking(op)) => linking = Some(op),
                Ok(Reply::Linked(number)) => {
                    linked.extend(linking.take().map(|op| (number, op)));
                }
                Ok(Reply::Kept(kept)) => unit.replay.push(*kept),
                Ok(Reply::Failure(failure)) => unit.replay_failures.push(*failure),
                Ok(Reply::Alive { calls, kept, covered, probes }) => {
                    on_progress(Progress { calls, kept, covered, probes });
                }
                Ok(Reply::Done(result)) => return Ok(Attempt::Done(result)),
                Ok(Reply::Hung) => {
                    let blamed = blamed(&worker, &linked, linking);
                    return Ok(Attempt::Died(blamed, HUNG.to_owned()));
                }
                Ok(Reply::Ready | Reply::Beat) => {}
                Ok(reply @ (Reply::Lines(_) | Reply::Started(_) | Reply::Ran)) => {
                    return Err(WorkerError::Failed(format!("an unexpected reply: {reply:?}")));
                }
                Ok(Reply::Broken(why) | Reply::Failed(why)) => {
                    let how = format!("gave up: {why}");
                    return Ok(Attempt::Died(blamed(&worker, &linked, linking), how));
                }
                Err(WorkerError::Died { how, .. }) => {
                    return Ok(Attempt::Died(blamed(&worker, &linked, linking), how));
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// The operation the worker was in, by its black box.
fn blamed(
    worker: &WorkerProcess,
    linked: &[(u32, Operation)],
    linking: Option<Operation>,
) -> Option<Operation> {
    let position = Blackbox::read(&Setup::blackbox(worker.folder()))?;
    match position.operation {
        Some(jvm::LINKING) => linking,
        Some(jvm::SETTLING) => None,
        Some(number) => linked.iter().find(|(n, _)| *n == number).map(|(_, op)| op.clone()),
        None => linking,
    }
}

/// Has the search avoid what killed workers often enough. Kept tests that need it did not kill when
/// they were found; if workers go on dying of it, they are set aside.
fn avoid(unit: &mut Unit, deaths: &Deaths, aside: &mut Vec<Kept>) {
    let count = |op: &Operation| deaths.iter().filter(|(o, _)| o.as_ref() == Some(op)).count();
    for operation in deaths.iter().filter_map(|(operation, _)| operation.as_ref()) {
        if count(operation) >= DEATHS_PER_OPERATION && !unit.avoid.contains(operation) {
            unit.avoid.push(operation.clone());
        }
    }
    let kills = |case: &TestCase| case.calls.iter().any(|c| count(&c.op) >= DEATHS_PER_TEST);
    aside.extend(unit.replay.extract_if(.., |kept| kills(&kept.case)));
    unit.replay_failures.retain(|failure| !kills(&failure.case));
}

/// What the user is told of workers that died although the unit was finished: which operations are
/// avoided for it, and deaths that nothing could be blamed for.
fn told(deaths: &Deaths, avoided: &[Operation], lost: usize) -> Vec<Reason> {
    let mut reasons = Vec::new();
    for operation in avoided {
        let how = deaths.iter().find(|(o, _)| o.as_ref() == Some(operation)).map(|(_, how)| &**how);
        let (code, detail) = match how {
            Some(HUNG) => (ReasonCode::Hangs, "it did not end and could not be stopped".to_owned()),
            how => (ReasonCode::Crashes, format!("the process {}", how.unwrap_or("died"))),
        };
        reasons.push(Reason::of_operation(code, operation, detail));
    }
    for (_, how) in deaths.iter().filter(|(operation, _)| operation.is_none()) {
        let detail = format!("a worker process {how} between calls");
        reasons.push(Reason::of_class(ReasonCode::Crashes, detail));
    }
    if lost > 0 {
        let detail = format!("{lost} tests are lost, for worker processes died of them");
        reasons.push(Reason::of_class(ReasonCode::Crashes, detail));
    }
    reasons
}

fn given_up(deaths: &Deaths) -> UnitResult {
    let (operation, how) = deaths.last().cloned().unwrap_or_default();
    let place = operation.map_or_else(String::new, |op| format!(" in {op}"));
    let detail = format!("worker processes kept dying{place}; the last one {how}");
    UnitResult {
        reasons: vec![Reason::of_class(ReasonCode::Crashes, detail)],
        ..UnitResult::default()
    }
}

#[cfg(test)]
mod tests {
    use model::{ClassName, Frame, OperationKind};
    use search::{Exceptions, Kept, Unexpected};

    use super::*;

    fn op(name: &str) -> Operation {
        Operation {
            kind: OperationKind::StaticMethod,
            owner: ClassName::internal("a/B"),
            name: name.into(),
            params: Vec::new(),
            result: None,
            implementation: None,
        }
    }

    fn case(name: &str) -> TestCase {
        let mut case = TestCase::default();
        case.call(&Arc::new(op(name)), &[]);
        case
    }

    fn failure(name: &str) -> Unexpected {
        let class = ClassName::internal("java/lang/AssertionError");
        let frame = Frame { class: ClassName::internal("a/B"), method: name.into(), line: 1 };
        Unexpected { case: case(name), class, message: None, frame }
    }

    #[test]
    fn what_needs_a_deadly_operation_is_set_aside_and_the_rest_is_replayed() {
        let kept = |name| Kept { case: case(name), throws: None };
        let mut unit = Unit {
            class: "a/B".to_owned(),
            seed: 1,
            budget: UnitBudget::Calls(1),
            exceptions: Exceptions::default(),
            components: search::Components::NONE,
            injection: false,
            avoid: Vec::new(),
            replay: vec![kept("good"), kept("deadly")],
            replay_failures: vec![failure("good"), failure("deadly")],
        };
        let mut deaths = vec![(Some(op("deadly")), "died".to_owned())];
        let mut aside = Vec::new();
        avoid(&mut unit, &deaths, &mut aside);
        // It may have been an accident.
        assert_eq!((unit.replay.len(), unit.replay_failures.len()), (2, 2));
        deaths.extend(vec![deaths[0].clone(); DEATHS_PER_TEST - 1]);
        avoid(&mut unit, &deaths, &mut aside);
        assert_eq!(unit.avoid, [op("deadly")]);
        assert_eq!((&unit.replay[..], &aside[..]), (&[kept("good")][..], &[kept("deadly")][..]));
        assert_eq!(unit.replay_failures, [failure("good")]);
    }
}
