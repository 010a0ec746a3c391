//! Gives units to workers, replaces those that die, and loses nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jvm::Blackbox;
use model::{Operation, TestCase};
use search::{Reason, ReasonCode};

use crate::process::{Launcher, WorkerError, WorkerProcess};
use crate::protocol::{Reply, Request, Unit, UnitBudget, UnitResult};
use crate::rescue::{Found, Rescued, merge, rescue, split};
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
pub(crate) const SILENCE: Duration = Duration::from_secs(30);
/// Workers that may die one after the other before they are ready for a unit.
const DEATHS_AT_START: u32 = 3;
/// Workers a unit may cost before what was kept is saved and the search is over.
const MAX_DEATHS: usize = 6;
/// How a worker dies that asked for it.
const HUNG: &str = "was killed, for a call did not end";
/// How often an operation may kill a worker before the search avoids it.
const DEATHS_PER_OPERATION: usize = 2;
/// How often before kept tests and failures that need it are set aside too, until the search is over.
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
    /// It said why it cannot go on, and code under test is not to blame.
    Failed(String),
}

/// What is to be told beside the result.
#[derive(Default)]
struct Troubles {
    deaths: Deaths,
    /// A defect of Testhound, in its own words.
    defect: Option<String>,
    /// Tests and failures that are lost.
    lost: Vec<Found>,
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
        let mut troubles = Troubles::default();
        let mut aside = Vec::new();
        let searched = loop {
            let deaths = &mut troubles.deaths;
            if let (UnitBudget::Time(total), false) = (unit.budget, deaths.is_empty()) {
                unit.budget = UnitBudget::Time(total.saturating_sub(started.elapsed()));
            }
            match self.attempt(&mut unit, on_progress)? {
                Attempt::Done(result) => break Some(*result),
                Attempt::Died(operation, how) => {
                    deaths.push((operation, how));
                    avoid(&mut unit, deaths, &mut aside);
                    if deaths.len() >= MAX_DEATHS {
                        break None;
                    }
                }
                // The same would happen again, but what was found before it can be saved.
                Attempt::Failed(why) => {
                    troubles.defect = Some(why);
                    break None;
                }
            }
        };
        if searched.is_none() {
            aside.extend(unit.replay.drain(..).map(Found::Test));
            aside.extend(unit.replay_failures.drain(..).map(Found::Failure));
        }
        let mut result = self.completed(unit, searched, aside, troubles, on_progress)?;
        // Whatever else: waiting for workers to come up, and those that did not come to the end.
        result.spent.start = started.elapsed().saturating_sub(result.spent.total());
        Ok(result)
    }

    /// The result of the search, if it came to an end, with what was set aside.
    fn completed(
        &mut self,
        mut unit: Unit,
        mut searched: Option<UnitResult>,
        aside: Vec<Found>,
        mut troubles: Troubles,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<UnitResult, WorkerError> {
        if !aside.is_empty() || searched.is_none() {
            unit.budget = UnitBudget::Calls(0);
            let mut finish = |part: Vec<Found>| {
                (unit.replay, unit.replay_failures) = split(part);
                Ok(match self.attempt(&mut unit, on_progress)? {
                    Attempt::Done(result) => Some(*result),
                    Attempt::Died(operation, how) => {
                        troubles.deaths.push((operation, how));
                        None
                    }
                    Attempt::Failed(why) => {
                        troubles.defect.get_or_insert(why);
                        None
                    }
                })
            };
            let rescued: Rescued = rescue::<WorkerError>(aside, &mut finish)?;
            troubles.lost = rescued.lost;
            searched = match (searched, rescued.result) {
                (Some(mut searched), Some(saved)) => {
                    merge(&mut searched, saved);
                    Some(searched)
                }
                (searched, saved) => searched.or(saved),
            };
        }
        let Some(mut result) = searched else { return Ok(given_up(&troubles)) };
        if !troubles.deaths.is_empty() || troubles.defect.is_some() {
            for reason in &mut result.reasons {
                say_what_is_not_known(reason, troubles.deaths.len());
            }
        }
        result.reasons.extend(told(&troubles, &unit.avoid));
        // A defect is what all else may come from.
        result.reasons.sort_by_key(|reason| reason.code != ReasonCode::InternalError);
        Ok(result)
    }

    /// A worker that waits for a unit. No class was named to it yet: if none comes up, it is no
    /// class's fault.
    pub(crate) fn ready_worker(&mut self) -> Result<WorkerProcess, WorkerError> {
        let mut last = None;
        for _ in 0..DEATHS_AT_START {
            self.prepare()?;
            let mut worker = self.spare.take().expect("just prepared");
            match worker.wait_until_ready() {
                Ok(()) => return Ok(worker),
                Err(error) if error.is_of_the_machine() => return Err(error),
                Err(error) => last = Some(error),
            }
        }
        let why = last.map_or_else(String::new, |error| error.to_string());
        Err(WorkerError::Unstartable(why))
    }

    fn attempt(
        &mut self,
        unit: &mut Unit,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<Attempt, WorkerError> {
        let mut worker = self.ready_worker()?;
        if let Err(error) = worker.send(&Request::Search(Box::new(unit.clone()))) {
            return Ok(Attempt::Died(None, error.to_string()));
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
                Ok(Reply::Unlinkable) => linking = None,
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
                Ok(
                    reply @ (Reply::Lines(_)
                    | Reply::Started(_)
                    | Reply::LeftStatics(_)
                    | Reply::Unmeasured(_)
                    | Reply::AskedForDate
                    | Reply::HasStatics
                    | Reply::Seen(_)
                    | Reply::Places(_)
                    | Reply::Observed(_)
                    | Reply::Judging(_)
                    | Reply::Judged(..)
                    | Reply::Ran(_)),
                ) => {
                    return Ok(Attempt::Failed(format!("an unexpected reply: {reply:?}")));
                }
                Ok(Reply::Failed(why)) => return Ok(Attempt::Failed(why)),
                Ok(Reply::Broken(why)) => {
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

/// Has the search avoid what killed workers often enough. Kept tests and failures that need it did not
/// kill when they were found; if workers go on dying of it, they are set aside.
fn avoid(unit: &mut Unit, deaths: &Deaths, aside: &mut Vec<Found>) {
    let count = |op: &Operation| deaths.iter().filter(|(o, _)| o.as_ref() == Some(op)).count();
    for operation in deaths.iter().filter_map(|(operation, _)| operation.as_ref()) {
        if count(operation) >= DEATHS_PER_OPERATION && !unit.avoid.contains(operation) {
            unit.avoid.push(operation.clone());
        }
    }
    let kills = |case: &TestCase| case.calls.iter().any(|c| count(&c.op) >= DEATHS_PER_TEST);
    aside.extend(unit.replay.extract_if(.., |kept| kills(&kept.case)).map(Found::Test));
    let failures = unit.replay_failures.extract_if(.., |failure| kills(&failure.case));
    aside.extend(failures.map(Found::Failure));
}

/// What workers that died had called is not known, nor what they would have come to.
fn say_what_is_not_known(reason: &mut Reason, deaths: usize) {
    let died = if deaths == 1 { "a worker process died" } else { "worker processes died" };
    match reason.code {
        ReasonCode::NotReached => {
            reason.code = ReasonCode::Starved;
            reason.detail = format!("{died}, and there was no call of it after that");
        }
        ReasonCode::Starved => reason.detail.push_str(&format!(", after {died}")),
        _ => {}
    }
}

/// What the user is told of a unit that was finished although workers died or failed: which operations
/// are avoided for it, deaths that nothing could be blamed for, and what is lost.
fn told(Troubles { deaths, defect, lost }: &Troubles, avoided: &[Operation]) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = defect.iter().map(internal_error).collect();
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
    reasons.extend(losses(lost, defect.is_some()));
    reasons
}

fn internal_error(why: &String) -> Reason {
    Reason::of_class(ReasonCode::InternalError, why)
}

/// How many tests and failures are lost, if there are any.
fn losses(lost: &[Found], by_defect: bool) -> Option<Reason> {
    let failures = lost.iter().filter(|found| matches!(found, Found::Failure(_))).count();
    let count = |number: usize, noun: &str| match number {
        0 => None,
        1 => Some(format!("1 {noun}")),
        _ => Some(format!("{number} {noun}s")),
    };
    let parts = [count(lost.len() - failures, "test"), count(failures, "failure")];
    let what: Vec<String> = parts.into_iter().flatten().collect();
    if what.is_empty() {
        return None;
    }
    let (what, are) = (what.join(" and "), if lost.len() == 1 { "is" } else { "are" });
    let (code, why) = match by_defect {
        true => (ReasonCode::InternalError, "worker processes failed or died with them"),
        false => (ReasonCode::Crashes, "worker processes died of them"),
    };
    Some(Reason::of_class(code, format!("{what} {are} lost, for {why}")))
}

fn given_up(Troubles { deaths, defect, lost }: &Troubles) -> UnitResult {
    let mut reasons: Vec<Reason> = defect.iter().map(internal_error).collect();
    if let Some((operation, how)) = deaths.last() {
        let place = operation.as_ref().map_or_else(String::new, |op| format!(" in {op}"));
        let detail = format!("worker processes kept dying{place}; the last one {how}");
        reasons.push(Reason::of_class(ReasonCode::Crashes, detail));
    }
    reasons.extend(losses(lost, defect.is_some()));
    UnitResult { reasons, ..UnitResult::default() }
}

#[cfg(test)]
mod tests {
    use model::{ClassName, Frame, OperationKind};
    use search::{Exceptions, Kept, ThrownFrom, Unexpected};

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

    #[test]
    fn what_workers_that_died_had_called_is_not_known() {
        let check = |code: ReasonCode, deaths: usize, expected: (ReasonCode, &str)| {
            let mut reason = Reason::of_class(code, "why");
            say_what_is_not_known(&mut reason, deaths);
            assert_eq!((reason.code, &*reason.detail), expected);
        };
        use ReasonCode::{Hangs, NotReached, Starved};
        let once = "a worker process died, and there was no call of it after that";
        check(NotReached, 1, (Starved, once));
        check(Starved, 2, (Starved, "why, after worker processes died"));
        check(Hangs, 2, (Hangs, "why"));
    }

    fn case(name: &str) -> TestCase {
        let mut case = TestCase::default();
        case.call(&Arc::new(op(name)), &[]);
        case
    }

    fn failure(name: &str) -> Unexpected {
        let class = ClassName::internal("java/lang/AssertionError");
        let frame = Frame { class: ClassName::internal("a/B"), method: name.into(), line: 1 };
        let origin = ThrownFrom { frame, led_by: Vec::new() };
        Unexpected { case: case(name), class, message: None, origin, breach: None }
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
            approach: crate::Approach::Guided,
            injection: false,
            searches_only: 0,
            avoid: Vec::new(),
            seeds: Vec::new(),
            replay: vec![kept("good"), kept("deadly")],
            replay_failures: vec![failure("good"), failure("deadly")],
        };
        let mut deaths = vec![(Some(op("deadly")), "died".to_owned())];
        let mut aside: Vec<Found> = Vec::new();
        avoid(&mut unit, &deaths, &mut aside);
        // It may have been an accident.
        assert_eq!((unit.replay.len(), unit.replay_failures.len()), (2, 2));
        deaths.extend(vec![deaths[0].clone(); DEATHS_PER_TEST - 1]);
        avoid(&mut unit, &deaths, &mut aside);
        assert_eq!(unit.avoid, [op("deadly")]);
        assert_eq!(unit.replay, [kept("good")]);
        assert_eq!(unit.replay_failures, [failure("good")]);
        assert_eq!(aside, [Found::Test(kept("deadly")), Found::Failure(failure("deadly"))]);
    }

    /// What is told of a unit of which nothing is left but this.
    fn check(troubles: &Troubles, reasons: &[(ReasonCode, &str)]) {
        let given_up = given_up(troubles).reasons;
        let given_up: Vec<_> = given_up.iter().map(|r| (r.code, &*r.detail)).collect();
        assert_eq!(given_up, reasons);
    }

    #[test]
    fn lost_tests_and_failures_are_counted() {
        let test = Found::Test(Kept { case: case("deadly"), throws: None });
        let failing = Found::Failure(failure("deadly"));
        let deaths = vec![(None, "died".to_owned())];
        let died = (ReasonCode::Crashes, "worker processes kept dying; the last one died");
        let lost = "1 failure is lost, for worker processes died of them";
        let troubles = Troubles { deaths, defect: None, lost: vec![failing.clone()] };
        check(&troubles, &[died, (ReasonCode::Crashes, lost)]);
        let lost = "2 tests and 1 failure are lost, for worker processes died of them";
        let troubles = Troubles { lost: vec![test.clone(), test.clone(), failing], ..troubles };
        check(&troubles, &[died, (ReasonCode::Crashes, lost)]);
        let told = told(&troubles, &[]);
        assert!(told.iter().any(|reason| reason.detail == lost), "{told:?}");
    }

    #[test]
    fn a_defect_is_told_as_such_and_not_as_a_crash() {
        let defect = Some("the worker panicked: oops".to_owned());
        let troubles = Troubles { defect, ..Troubles::default() };
        check(&troubles, &[(ReasonCode::InternalError, "the worker panicked: oops")]);
        let told = told(&troubles, &[]);
        assert_eq!(told.len(), 1, "{told:?}");
        assert_eq!(told[0].code, ReasonCode::InternalError);
    }
}
