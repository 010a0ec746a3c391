//! From the tests a search kept to the few that are worth writing.
//!
//! Phases: measure each kept test on its own; choose greedily until everything is covered that any
//! of them covers; minimize each to what it was chosen for; observe it many times for its assertions;
//! where they show nothing of its last call, try other values and other calls before. Then add texts
//! that members almost take.

mod doubt;
mod failing;
mod inert;
#[cfg(test)]
mod mock_tests;
mod near_miss;
#[cfg(test)]
mod tests;
mod unchanged;

use std::cmp::Reverse;
use std::sync::Arc;

use model::{
    CallEnd, Check, CheckKind, ClassName, ClassSource, Expectation, FailureKind, Frame, JavaString,
    Literal, Operation, TestCase, Thrown, Type, UnitTest, type_accessible,
};

use crate::answers::Answers;
use crate::api::{OpId, TypeId};
use crate::contracts::{self, Built};
use crate::driver::{Driver, OpStatistics, is_of_untold_mock, is_testable};
use crate::executor::Executor;
use crate::failures::Noise;
use crate::guided::{Knowledge, MethodKey};
use crate::minimize::minimize;
use crate::reasons::{self, Reason, ReasonCode};
use crate::record::{record, went_alike};
use crate::regression::{self, Asserted, Known, Told};

/// Candidates that may fail to do the same again before no more are tried.
const MAX_FAILED: usize = 200;
/// Of tests with more calls, a prefix is a candidate only if its last call hits what no earlier one did.
const LONG: usize = 64;

/// What a search came to.
#[derive(Clone, Default, Debug)]
pub struct Finished {
    /// Tests that pass, each with the probes it hits.
    pub tests: Vec<(UnitTest, Vec<u32>)>,
    /// Tests that fail: what they report is wrong in the class.
    pub failures: Vec<UnitTest>,
    /// Kept tests that did not do the same again.
    pub flaky: u32,
    /// Failures left out as noise, by kind.
    pub noise: Vec<(Noise, u32)>,
    /// Why members have no test.
    pub reasons: Vec<Reason>,
}

/// A test that could be written: a kept test up to one of its calls, which is the call under test.
struct Candidate {
    case: TestCase,
    /// What its last call does: a test is there for that.
    seen: Seen,
}

/// Reduces, minimizes and completes what the driver kept. `objects` gives built objects that can be
/// used as a type, up to a limit, for the laws they have to keep.
pub fn finish<E: Executor>(
    driver: &mut Driver<'_, E>,
    classes: &dyn ClassSource,
    knowledge: &Knowledge,
    objects: &dyn Fn(TypeId, usize) -> Vec<Built>,
) -> Finished {
    let package = driver.api.class.package().to_owned();
    let known = Known { classes, knowledge, package: &package };
    leave_endless_alone(driver);
    let unexpected = failing::unexpected(driver, known);
    let (mut candidates, mut unsteady) = measure(driver);
    // What is reported as wrong is not asserted as right.
    let mut withheld = Vec::new();
    candidates.retain(|candidate| {
        let is_reported = unexpected.iter().any(|test| reports(test, candidate));
        if is_reported {
            withheld.extend(last_operation(&candidate.case));
        }
        !is_reported
    });
    let mut tests: Vec<(UnitTest, Vec<u32>)> = Vec::new();
    let mut choice = Choice::new(&candidates);
    let may_fail = unsteady.len() + MAX_FAILED;
    while let Some((index, goal)) = choice.next()
        && unsteady.len() < may_fail
    {
        match work_out(driver, known, &candidates[index], &goal) {
            Some(worked) => {
                choice.settle(&goal);
                if !tests.iter().any(|(known, _)| *known == worked.0) {
                    tests.push(worked);
                }
            }
            // What it was there for is left to others.
            None => unsteady.extend(last_operation(&candidates[index].case)),
        }
    }
    let flaky = unsteady.len() as u32;
    add_near_misses(driver, known, &unexpected, &mut tests);
    let mut failing = failing::one_for_each_cause(unexpected);
    let broken = contracts::audit(driver, known, objects);
    let mut noise = driver.failures.left_out();
    match contracts::noise_of(driver, classes) {
        Some(kind) if !broken.is_empty() => noise.push((kind, broken.len() as u32)),
        _ => {
            for test in broken {
                if !failing.iter().any(|known| failing::is_same_cause(known, &test)) {
                    failing.push(test);
                }
            }
        }
    }
    tests.retain(|(test, _)| {
        let is_reported = doubt::is_doubted(test, &failing);
        if is_reported {
            withheld.push(test.case.calls[test.subject].op.clone());
        }
        !is_reported
    });
    drop_twins(&mut tests);
    let mut reasons = reasons::after_search(driver, objects);
    let written: Vec<&TestCase> =
        tests.iter().map(|(test, _)| test).chain(&failing).map(|test| &test.case).collect();
    reasons::add_unsteady(&mut reasons, &unsteady, &written);
    reasons.extend(reasons::starved(driver));
    let passing: Vec<&TestCase> = tests.iter().map(|(test, _)| &test.case).collect();
    reasons::add_reported(&mut reasons, &withheld, &passing);
    if tests.is_empty()
        && failing.is_empty()
        && noise.is_empty()
        && flaky == 0
        && reasons.is_empty()
    {
        let detail = "no call runs code of it that its initializer has not run";
        reasons.push(Reason::of_class(ReasonCode::NothingToRun, detail));
    }
    let mut hits = driver.initial().to_vec();
    for probe in tests.iter().flat_map(|(_, probes)| probes) {
        hits[*probe as usize] = 1;
    }
    let open: Vec<MethodKey> = driver.api.subjects().iter().map(|id| driver.api.key(*id)).collect();
    let all = (&*hits, driver.covered());
    reasons.extend(reasons::unentered(knowledge, &open, all, &reasons));
    reasons::add_called_with_null(&mut reasons, driver, knowledge, &hits, objects);
    Finished { tests, failures: failing, flaky, noise, reasons }
}

/// What never ended but was stopped by the clock is in no test; that it is tried as a part of one, again
/// and again, would take longer than the search.
fn leave_endless_alone<E: Executor>(driver: &mut Driver<'_, E>) {
    let is_endless =
        |known: &OpStatistics| known.returned == 0 && known.threw == 0 && known.stopped > 0;
    let endless = driver.per_op.iter().filter(|(_, known)| is_endless(known));
    let endless: Vec<OpId> = endless.map(|(op, _)| *op).collect();
    for op in endless {
        driver.executor.leave_alone(driver.api.operation(op));
    }
}

/// Whether a failing test reports what the candidate would assert.
fn reports(test: &UnitTest, candidate: &Candidate) -> bool {
    let last = |case: &TestCase| case.calls.last().map(|call| call.op.clone());
    let failure = test.failure.as_ref().map(|failure| &failure.kind);
    let Some(FailureKind::UnexpectedException { class, place }) = failure else { return false };
    // The same exception from elsewhere may be what the member says to a `null`.
    let is_there = place.as_ref().is_none_or(|place| candidate.seen.places.contains(place));
    candidate.seen.throws.as_ref() == Some(class)
        && is_there
        && last(&test.case) == last(&candidate.case)
}

/// What a call did.
#[derive(Clone)]
struct Seen {
    throws: Option<ClassName>,
    /// Where that comes from: the top of its stack trace, and the first line that is not the JDK's.
    places: Vec<Frame>,
    /// Whether it threw for want of what a mock was not told.
    is_untold: bool,
    /// What its guard caught, if a test can say that.
    caught: Option<Thrown>,
    /// Probes that it hits, a byte each. Then the goals that its answer reaches, and those that its
    /// exception does.
    hits: Vec<u8>,
}

impl Seen {
    fn returned(hits: Vec<u8>) -> Self {
        Self { throws: None, places: Vec::new(), is_untold: false, caught: None, hits }
    }

    fn thrown(thrown: Option<Thrown>, is_untold: bool, hits: Vec<u8>) -> Self {
        let frames = thrown.iter().flat_map(|thrown| &thrown.frames);
        let own = frames.clone().find(|frame| !frame.is_of_jdk());
        let places = frames.take(1).chain(own).cloned().collect();
        let throws = thrown.map(|thrown| thrown.class);
        Self { throws, places, is_untold, caught: None, hits }
    }
}

/// What the last call of a test did; `None` if the test cannot be emitted.
fn run_last<E: Executor>(driver: &mut Driver<'_, E>, case: &TestCase) -> Option<Seen> {
    let last = case.calls.len().checked_sub(1)?;
    let mut seen = None;
    step_through(driver, case, |at, of_call| {
        if at == last {
            seen = Some(of_call);
        }
    })
    .then_some(seen)
    .flatten()
}

fn run_whole<E: Executor>(driver: &mut Driver<'_, E>, case: &TestCase) -> Option<Vec<u8>> {
    let mut all = vec![0; driver.covered().len()];
    step_through(driver, case, |_, seen| {
        for (known, hit) in all.iter_mut().zip(&seen.hits) {
            *known |= hit;
        }
    })
    .then_some(all)
}

/// Runs a test call by call; each call that returned or threw is told with what it did. What a guarded
/// call throws is caught, so it is told as if it had returned.
/// `false` if the test cannot be emitted.
fn step_through<E: Executor>(
    driver: &mut Driver<'_, E>,
    case: &TestCase,
    mut on_call: impl FnMut(usize, Seen),
) -> bool {
    let probes = driver.covered().len();
    let executor = &mut *driver.executor;
    executor.begin(&case.slots);
    let mut emittable = true;
    for (at, call) in case.calls.iter().enumerate() {
        executor.clear_hits();
        let end = executor.call(call);
        let answers = probes + driver.answers.len();
        let mut hits = vec![0; answers + driver.refusals.len()];
        executor.hits(&mut hits[..probes]);
        match end {
            CallEnd::Returned => {
                for goal in driver.answers.goals(driver.api, executor, call) {
                    hits[probes + goal] = 1;
                }
                on_call(at, Seen::returned(hits));
            }
            CallEnd::Threw if call.guarded => {
                let caught = executor.thrown().filter(|thrown| is_testable(&thrown.class));
                on_call(at, Seen { caught, ..Seen::returned(hits) });
            }
            CallEnd::Threw => {
                let thrown = executor.thrown();
                let refused =
                    thrown.as_ref().and_then(|t| driver.refusals.goal(driver.api, call, t));
                if let Some(goal) = refused {
                    hits[answers + goal] = 1;
                }
                let is_untold =
                    thrown.as_ref().is_some_and(|t| is_of_untold_mock(executor, call, t));
                on_call(at, Seen::thrown(thrown, is_untold, hits));
                emittable = at + 1 == case.calls.len();
                break;
            }
            CallEnd::Breached(_) | CallEnd::Cut(_) | CallEnd::Unlinkable(_) => {
                emittable = false;
                break;
            }
        }
    }
    emittable &= !executor.overran() && executor.effects(true).may_be_emitted();
    executor.end();
    emittable
}

/// Every prefix of a kept test that hits anything with its last call.
/// And the operations whose tests did not do the same again, once for each test.
fn measure<E: Executor>(driver: &mut Driver<'_, E>) -> (Vec<Candidate>, Vec<Arc<Operation>>) {
    let mut candidates = Vec::new();
    let mut unsteady = Vec::new();
    for kept in driver.kept().to_vec() {
        let last = kept.case.calls.len() - 1;
        let api = driver.api;
        let subjects: Vec<bool> = kept.case.calls.iter().map(|c| api.is_subject(&c.op)).collect();
        let mut found = Vec::new();
        let mut same_end = false;
        let is_long = kept.case.calls.len() > LONG;
        let mut shown =
            vec![0; driver.covered().len() + driver.answers.len() + driver.refusals.len()];
        let emittable = step_through(driver, &kept.case, |at, seen| {
            same_end |= at == last && seen.throws == kept.throws;
            // A test is about a member of the class, not about what was done to get there.
            let is_new = |(hit, known): (&u8, &u8)| *hit != 0 && (!is_long || *known == 0);
            if subjects[at] && seen.hits.iter().zip(&shown).any(is_new) {
                shown.iter_mut().zip(&seen.hits).for_each(|(known, hit)| *known |= hit);
                let mut case = kept.case.clone();
                case.calls.truncate(at + 1);
                let mut seen = seen;
                if at < last
                    && let Some(caught) = seen.caught.take()
                {
                    // A test of what that call throws needs no guard.
                    case.calls[at].guarded = false;
                    seen = Seen::thrown(Some(caught), false, seen.hits);
                }
                found.push(Candidate { case, seen });
            }
        });
        if emittable && same_end {
            candidates.extend(found);
        } else {
            unsteady.extend(last_operation(&kept.case));
        }
    }
    (candidates, unsteady)
}

/// What a test is about.
fn last_operation(case: &TestCase) -> Option<Arc<Operation>> {
    case.calls.last().map(|call| call.op.clone())
}

/// Makes a test of a candidate: minimized to what it is there for, with what it asserts, and the
/// probes it hits. `None` if it does not do the same again.
fn work_out<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    candidate: &Candidate,
    goal: &[usize],
) -> Option<(UnitTest, Vec<u32>)> {
    // Whatever it is chosen for: a telling answer stays one.
    let wanted = &candidate.seen;
    let probes = driver.covered().len();
    let answers = (probes..probes + driver.answers.len())
        .filter(|goal| wanted.hits[*goal] != 0 && Answers::is_of_telling(*goal - probes));
    let goal: Vec<usize> = goal.iter().copied().chain(answers).collect();
    let does_it = |driver: &mut Driver<'_, E>, case: &TestCase| {
        run_last(driver, case).is_some_and(|seen| {
            seen.throws == wanted.throws
                && seen.is_untold <= wanted.is_untold
                && goal.iter().all(|probe| seen.hits[*probe] != 0)
        })
    };
    let outcome = record(driver.executor, &candidate.case);
    let api = driver.api;
    let case = minimize(&candidate.case, &outcome, api, &known.classes, |shorter| {
        does_it(driver, shorter)
    });
    let case = inert::replaced(driver, case, &does_it);
    asserted(driver, known, case, wanted.throws.as_ref(), does_it)
}

/// The test with what it asserts, and the probes it hits. `None` if it does not do the same again.
fn asserted<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    case: TestCase,
    throws: Option<&ClassName>,
    does_it: impl Fn(&mut Driver<'_, E>, &TestCase) -> bool,
) -> Option<(UnitTest, Vec<u32>)> {
    let test = complete(driver, known, case, throws, does_it)?;
    let first = record(driver.executor, &test.case);
    if !went_alike(&first, &record(driver.executor, &test.case)) {
        return None;
    }
    let hits = run_whole(driver, &test.case)?;
    let hits = (0..).zip(&hits).filter(|(_, hit)| **hit != 0).map(|(id, _)| id);
    Some((test, hits.collect()))
}

/// Adds tests with texts that members almost take.
fn add_near_misses<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    failing: &[UnitTest],
    tests: &mut Vec<(UnitTest, Vec<u32>)>,
) {
    let texts = driver.api.texts_to_start_with().chain(known.knowledge.texts());
    let texts: Vec<JavaString> = texts.chain(known.knowledge.readable.iter().cloned()).collect();
    let given = tests.iter().map(|(test, _)| test);
    for (case, throws) in near_miss::near_misses(driver, known, given, &texts) {
        let is_invalid = throws.as_ref().is_some_and(|class| driver.is_invalid(class));
        let seen = run_last(driver, &case).filter(|seen| seen.throws == throws && !is_invalid);
        let Some(seen) = seen else { continue };
        let candidate = Candidate { case, seen };
        if failing.iter().any(|test| reports(test, &candidate)) {
            continue;
        }
        let case = candidate.case.clone();
        let is_same = |_: &mut Driver<'_, E>, other: &TestCase| *other == candidate.case;
        let worked = asserted(driver, known, case, throws.as_ref(), is_same);
        if let Some(worked) = worked.filter(|(test, _)| tests.iter().all(|(t, _)| t != test)) {
            tests.push(worked);
        }
    }
}

/// Drops tests whose assertions others make, which call the same getters on the same object after the
/// same calls.
fn drop_twins(tests: &mut Vec<(UnitTest, Vec<u32>)>) {
    let is_twin = |test: &UnitTest, check: &Check, other: &UnitTest| {
        let CheckKind::View(slot, view, seen) = &check.kind else { return false };
        let Some((last, before)) = other.case.calls.split_last() else { return false };
        let asserts = |check: &Check| {
            matches!(&check.kind,
            CheckKind::Holds(of, value) if Some(*of) == last.result && value == seen)
        };
        before == test.case.calls
            && other.case.slots.starts_with(&test.case.slots)
            && last.op == *view
            && last.args[..] == [*slot]
            && other.checks.iter().any(asserts)
    };
    let is_told = |at: usize| {
        let test = &tests[at].0;
        !test.checks.is_empty()
            && test
                .checks
                .iter()
                .all(|check| tests.iter().any(|(other, _)| is_twin(test, check, other)))
    };
    let mut keep: Vec<bool> = (0..tests.len()).map(|at| !is_told(at)).collect();
    // What only a dropped test would hit is hit by its twin too, which runs the same calls.
    tests.retain(|_| keep.remove(0));
}

/// Chooses tests, always the one that adds most; among equals one that returns, is given no null and
/// no mock, and is short. Those that end for want of what a mock was not told come last, for what no
/// other covers.
struct Choice<'c> {
    candidates: &'c [Candidate],
    /// Probes that no settled test hits.
    open: Vec<bool>,
    left: Vec<usize>,
}

impl<'c> Choice<'c> {
    fn new(candidates: &'c [Candidate]) -> Self {
        let probes = candidates.first().map_or(0, |c| c.seen.hits.len());
        let left = (0..candidates.len()).collect();
        Self { candidates, open: vec![true; probes], left }
    }

    /// The next candidate with the probes it is there for, which stay open until it is settled.
    fn next(&mut self) -> Option<(usize, Vec<usize>)> {
        let gain = |index: usize| {
            let hits = self.candidates[index].seen.hits.iter().zip(&self.open);
            hits.filter(|(hit, open)| **hit != 0 && **open).count()
        };
        let gains = self.left.iter().map(|index| (gain(*index), *index));
        let (_, index) = gains.filter(|(gain, _)| *gain > 0).min_by_key(|(gain, index)| {
            let candidate = &self.candidates[*index];
            let nulls = candidate.case.slots.iter().filter(|s| s.init == Some(Literal::Null));
            let calls = &candidate.case.calls;
            let mocks = calls.iter().filter(|call| call.op.as_mock().is_some()).count();
            let makeshift = nulls.count() + mocks;
            let Seen { throws, is_untold, .. } = &candidate.seen;
            (*is_untold, Reverse(*gain), throws.is_some(), makeshift, calls.len(), *index)
        })?;
        self.left.retain(|left| *left != index);
        let hits = &self.candidates[index].seen.hits;
        let goal = (0..hits.len()).filter(|probe| hits[*probe] != 0 && self.open[*probe]).collect();
        Some((index, goal))
    }

    /// These probes have their test.
    fn settle(&mut self, goal: &[usize]) {
        for probe in goal {
            self.open[*probe] = false;
        }
    }
}

/// Adds what the test asserts. Where nothing shows that the last call did anything, it may with another
/// argument or after another call, if the test still does what it is for.
fn complete<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    case: TestCase,
    throws: Option<&ClassName>,
    does_it: impl Fn(&mut Driver<'_, E>, &TestCase) -> bool,
) -> Option<UnitTest> {
    if let Some(class) = throws {
        let subject = case.calls.len().checked_sub(1)?;
        let class = nameable(known.classes, class, known.package)?;
        let expectation = Expectation::Throws(class);
        let checks = regression::checks_of_throwing(driver, known, &case);
        return Some(UnitTest { case, subject, expectation, checks, failure: None });
    }
    let mut asserted = regression::checks(driver, known, case.clone())?;
    if asserted.told < Told::Result {
        let mut others = unchanged::with_other_constants(&case, known.classes);
        if asserted.told == Told::Nothing {
            others.extend(unchanged::prepared(driver, known, &case));
        }
        for other in others {
            let is_good = other.check(&known.classes).is_ok() && does_it(driver, &other);
            let shown = is_good.then(|| regression::checks_of_change(driver, known, other));
            if let Some(shown) = shown.flatten() {
                asserted = shown;
                break;
            }
        }
    }
    let Asserted { case, checks, subject, .. } = asserted;
    Some(UnitTest { case, subject, expectation: Expectation::Returns, checks, failure: None })
}

/// The class itself, or the nearest superclass that a test in the package can name.
fn nameable(classes: &dyn ClassSource, class: &ClassName, package: &str) -> Option<ClassName> {
    let mut name = class.clone();
    loop {
        if type_accessible(classes, &Type::Class(name.clone()), package) {
            return Some(name);
        }
        name = classes.class(&name)?.superclass.clone()?;
    }
}
