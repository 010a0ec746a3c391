//! The loop: ask the strategy, run, tell it, keep what covers something new.

mod breached;
mod keepable;
mod open;
mod stepwise;
#[cfg(test)]
mod tests;
mod untold;
mod verdicts;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use model::{
    CallEnd, ClassName, ClassSource, Cut, EffectKind, EffectSet, SlotDecl, TestCase, Thrown,
};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

pub(crate) use self::breached::is_fault_of_test;
use self::keepable::is_keepable;
pub(crate) use self::keepable::is_testable;
use self::open::Open;
use self::untold::Settled;
pub(crate) use self::untold::is_of_untold_mock;
use self::verdicts::Verdicts;
use crate::Rng;
use crate::answers::Answers;
use crate::api::{Api, OpId};
use crate::budget::{Budget, Spending};
use crate::executor::Executor;
use crate::failures::{Exceptions, Failures, Given, Unexpected};
use crate::refusals::Refusals;
use crate::strategy::{Compared, Ending, Move, Report, Strategy};

/// What a search is told.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long it may go on.
    pub budget: Budget,
    /// Where its random numbers start.
    pub seed: u64,
    /// Set from outside to end the search early.
    pub stop: Option<Arc<AtomicBool>>,
    /// Which exceptions are failures.
    pub exceptions: Exceptions,
}

/// What a search tells while it runs.
#[derive(Debug)]
pub enum Event<'k> {
    /// A test was kept.
    Kept(&'k Kept),
    /// A call threw what no caller could expect: for a new cause, or by a shorter test than before.
    Failed(&'k Unexpected),
    /// It goes on; told about every thousand runs.
    Tick {
        /// Calls made.
        calls: u64,
        /// Tests kept.
        kept: u32,
        /// Probes covered.
        covered: u32,
        /// Probes there are.
        probes: u32,
    },
}

/// A test case worth keeping.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Kept {
    /// The test case; its last call is the one under test.
    pub case: TestCase,
    /// What its last call throws, if it does.
    pub throws: Option<ClassName>,
}

/// What became of the calls of one operation.
#[derive(Clone, Default, Debug)]
pub(crate) struct OpStatistics {
    /// Returned without an effect that a test must not have.
    pub(crate) returned: u64,
    pub(crate) threw: u64,
    /// Was infeasible.
    pub(crate) infeasible: u64,
    /// Broke a contract otherwise.
    pub(crate) breached: u64,
    pub(crate) cut: u64,
    /// Of these, by the clock.
    pub(crate) stopped: u64,
    pub(crate) effects: EffectSet,
    pub(crate) unlinkable: Option<String>,
    pub(crate) last_thrown: Option<ClassName>,
}

/// Counts of a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Statistics {
    /// Test cases run.
    pub runs: u64,
    /// Calls made.
    pub calls: u64,
    /// Test cases that were not kept or built upon because of what they tried outside the heap.
    pub unsafe_runs: u64,
    /// Test cases cut short.
    pub cuts: u64,
    /// Test cases that ended in an infeasible call.
    pub infeasible: u64,
}

/// How often the exception of an operation is looked at in full, which costs as much as dozens of
/// calls: always at first, then now and then.
const LOOK_ALWAYS: u64 = 16;
/// Runs between two ticks.
const TICK_EVERY: u64 = 1000;
const LOOK_EVERY: u64 = 64;
/// Test cases that are looked at for what makes objects, before that too is done now and then only.
const OBJECTS_ALWAYS: u64 = 5000;

/// Runs a strategy.
pub struct Driver<'a, E> {
    /// What runs the tests.
    pub executor: &'a mut E,
    pub(crate) api: &'a Api,
    /// What exceptions extend.
    classes: &'a dyn ClassSource,
    pub(crate) failures: Failures,
    /// By the first number of each.
    pub(crate) per_op: FxHashMap<OpId, OpStatistics>,
    /// By the first number of each, whether a call of it has left an object in a test.
    made: Vec<bool>,
    covered: Vec<u8>,
    settled: Settled,
    initial: Vec<u8>,
    hits: Vec<u8>,
    compared: Vec<Compared>,
    /// How many comparisons there are, if any is watched.
    watched: usize,
    kept: Vec<Kept>,
    pub(crate) answers: Answers,
    pub(crate) refusals: Refusals,
    rng: Rng,
    spending: Spending,
    /// Whether the search went on until its budget was spent.
    used_up: bool,
    statistics: Statistics,
    /// The test that is built call by call, and how far it came.
    open: Option<(TestCase, Ending)>,
    /// The first call of the open test that tried what no test may try.
    culprit: Option<usize>,
    /// The call of the open test case that was the first to start a thread.
    starter: Option<usize>,
    /// What became of the calls of the open test, if the strategy wants to know.
    verdicts: Option<Verdicts>,
}

impl<'a, E: Executor> Driver<'a, E> {
    /// A driver with nothing covered yet.
    pub fn new(
        executor: &'a mut E,
        api: &'a Api,
        classes: &'a dyn ClassSource,
        settings: Settings,
    ) -> Self {
        let probes = executor.probes();
        let mut initial = vec![0; probes];
        executor.hits(&mut initial);
        executor.clear_hits();
        Self {
            executor,
            api,
            classes,
            failures: Failures::new(settings.exceptions),
            per_op: FxHashMap::default(),
            made: vec![false; api.operations().count()],
            covered: initial.clone(),
            settled: Settled::new(initial.clone()),
            initial,
            hits: vec![0; probes],
            compared: Vec::new(),
            watched: 0,
            kept: Vec::new(),
            answers: Answers::of(api),
            refusals: Refusals::of(api),
            rng: Rng::new(u128::from(settings.seed)),
            spending: Spending::new(settings.budget, settings.stop),
            used_up: false,
            statistics: Statistics::default(),
            open: None,
            culprit: None,
            starter: None,
            verdicts: None,
        }
    }

    /// Runs the strategy until the budget is spent or it has nothing left; `on_event` hears of each
    /// kept test at once.
    pub fn run(&mut self, strategy: &mut dyn Strategy, on_event: &mut dyn FnMut(Event<'_>)) {
        self.verdicts = strategy.wants_verdicts().then(Verdicts::default);
        while !self.spending.is_over() {
            let Some(next) = strategy.propose(&mut self.rng) else { break };
            if self.statistics.runs.is_multiple_of(TICK_EVERY) {
                self.tick(on_event);
            }
            match next {
                Move::Run(case) => self.run_whole(&case, strategy, on_event),
                Move::Open(slots) => self.open(slots),
                Move::Call(call) => self.call_in_open(call, strategy, on_event),
                Move::Extend(slots, calls) => self.extend(slots, calls, strategy, on_event),
                Move::Undo => self.undo(),
                Move::Close => self.close(),
            }
        }
        self.used_up = self.spending.is_used_up();
        self.close();
        self.verdicts = None;
        if self.watched > 0 {
            // What comes now learns nothing from comparisons.
            self.executor.watch(&vec![0; self.watched]);
        }
    }

    fn tick(&self, on_event: &mut dyn FnMut(Event<'_>)) {
        on_event(Event::Tick {
            calls: self.statistics.calls,
            kept: self.kept.len() as u32,
            covered: self.covered.iter().filter(|c| **c != 0).count() as u32,
            probes: self.covered.len() as u32,
        });
    }

    /// Runs a test kept earlier, so that it counts as kept here and can be built upon.
    pub fn replay(&mut self, kept: &Kept, strategy: &mut dyn Strategy) {
        self.run_whole(&kept.case, strategy, &mut |_| {});
    }

    /// Where classes are looked up.
    pub(crate) fn classes(&self) -> &'a dyn ClassSource {
        self.classes
    }

    /// Takes over a failure that was found earlier; [`crate::finish`] shows whether it is still
    /// there, so it is not run here.
    pub fn replay_failure(&mut self, failure: &Unexpected) {
        self.failures.add(failure.clone());
    }

    /// Runs a test case, whoever proposed it.
    pub(crate) fn run_whole(
        &mut self,
        case: &TestCase,
        strategy: &mut dyn Strategy,
        on_event: &mut dyn FnMut(Event<'_>),
    ) {
        self.open = None;
        let ending = self.execute(case);
        self.report(case, ending, strategy, on_event);
        self.executor.end();
    }

    fn count_calls(&mut self, calls: u64) {
        self.spending.spend(calls);
        self.statistics.calls += calls;
    }

    fn begin(&mut self, slots: &[SlotDecl]) {
        self.executor.begin(slots);
        self.verdicts = self.verdicts.as_ref().map(|_| Verdicts::default());
        self.culprit = None;
        self.starter = None;
    }

    fn call(&mut self, case: &TestCase, index: usize) -> CallEnd {
        let end = self.executor.call(&case.calls[index]);
        if self.culprit.is_none() && !self.executor.effects_noted().may_be_emitted() {
            self.culprit = Some(index);
        }
        if self.starter.is_none() && self.executor.has_started_threads() {
            self.starter = Some(index);
        }
        self.judge(case, index, &end);
        end
    }

    /// Runs a test case up to the call that does not return; it stays open.
    pub(crate) fn execute(&mut self, case: &TestCase) -> Ending {
        self.begin(&case.slots);
        for index in 0..case.calls.len() {
            let end = self.call(case, index);
            if let Some(ending) = self.stops(case, index, end) {
                self.count_calls(index as u64 + 1);
                return ending;
            }
        }
        self.count_calls(case.calls.len().max(1) as u64);
        self.at_end(case.calls.len().saturating_sub(1))
    }

    /// How the test ends at a call; `None` if it goes on. What a call throws after the step budget
    /// was spent comes of the budget, whatever code under test made of it on the way.
    fn stops(&self, case: &TestCase, index: usize, end: CallEnd) -> Option<Ending> {
        match end {
            CallEnd::Returned => None,
            CallEnd::Threw if self.executor.overran() => Some(Ending::Cut(index, Cut::Steps)),
            CallEnd::Threw if case.calls[index].guarded => None,
            CallEnd::Threw => Some(Ending::Threw(index)),
            CallEnd::Breached(_) if self.executor.overran() => Some(Ending::Cut(index, Cut::Steps)),
            // A guard is for exceptions that a test may expect: without checks there is none here.
            CallEnd::Breached(breach) => Some(Ending::Breached(index, breach)),
            CallEnd::Cut(cut) => Some(Ending::Cut(index, cut)),
            CallEnd::Unlinkable(why) => Some(Ending::Unlinkable(index, why)),
        }
    }

    /// How a test ends whose last call, so far, is this and let it go on.
    fn at_end(&self, last: usize) -> Ending {
        if self.executor.overran() { Ending::Cut(last, Cut::Steps) } else { Ending::Normal }
    }

    fn report(
        &mut self,
        case: &TestCase,
        ending: Ending,
        strategy: &mut dyn Strategy,
        on_event: &mut dyn FnMut(Event<'_>),
    ) {
        self.statistics.runs += 1;
        self.executor.hits(&mut self.hits);
        let covers = has_new(&self.hits, &self.covered);
        let answers = self.new_answers(case, &ending);
        // What throws after a mock's `null` settles nothing.
        let is_doubtful = matches!(ending, Ending::Threw(_)) && self.executor.mocks_gave_null();
        let settles = !is_doubtful && self.settled.lacks(&self.hits);
        let is_new = covers || !answers.is_empty() || settles;
        let effects = self.executor.effects(is_new);
        if !effects.without(EffectKind::Thread).may_be_emitted() {
            // Leftovers are seen at the end only: the last call has left them.
            self.culprit = self.culprit.or(ending.last(case.calls.len()));
        }
        let leaver = self.starter.filter(|_| effects.contains(EffectKind::Thread));
        self.account_for_effects(case, effects, leaver);
        let runs = self.statistics.runs;
        if is_new || runs <= OBJECTS_ALWAYS || runs.is_multiple_of(LOOK_EVERY) {
            self.account_for_objects(case, &ending);
        }
        let thrown = self.account(case, &ending, effects, is_new, on_event);
        let ending = as_costly(ending, thrown.as_ref());
        let refused = case.calls.last().filter(|call| {
            let is_new = |t: &Thrown| self.refusals.is_new(self.api, call, t);
            !is_doubtful && thrown.as_ref().is_some_and(is_new)
        });
        // What is kept is looked at more closely.
        let is_only_refused = refused.is_some() && !is_new;
        let effects = if is_only_refused { self.executor.effects(true) } else { effects };
        let is_new = is_new || refused.is_some();
        let keepable = effects.may_be_emitted()
            && is_keepable(&ending, case, thrown.as_ref())
            && !thrown.as_ref().is_some_and(|thrown| self.is_invalid(&thrown.class));
        let is_kept = is_new && keepable;
        if is_kept {
            for (known, hit) in self.covered.iter_mut().zip(&self.hits) {
                *known |= hit;
            }
            let is_untold = thrown
                .as_ref()
                .zip(case.calls.last())
                .is_some_and(|(t, call)| is_of_untold_mock(self.executor, call, t));
            self.settled.keep(&self.hits, &self.covered, is_untold);
            for answer in answers {
                self.answers.reach(answer);
            }
            if let Some((call, thrown)) = refused.zip(thrown.as_ref()) {
                self.refusals.reach(self.api, call, &thrown.class);
            }
            let throws = thrown.map(|t| t.class);
            let kept = self.plainly(Kept { case: case.clone(), throws });
            on_event(Event::Kept(&kept));
            self.kept.push(kept);
        }
        if !is_kept && covers || self.settled.lacks(&self.hits) {
            // What only an unkeepable test covers is still to be covered, and what is not settled to
            // be settled.
            self.executor.clear_hits();
        }
        self.tell_failures(on_event);
        let (culprit, failed) = (self.culprit, self.has_failed(case, &ending));
        let new_coverage = covers && keepable;
        let report = Report { ending, effects, culprit, leaver, new_coverage, failed };
        self.tell(case, &report, strategy);
    }

    /// Whether an exception of this class says that what a call was given is not valid.
    pub(crate) fn is_invalid(&self, class: &ClassName) -> bool {
        self.failures.exceptions.is_invalid(self.classes, class)
    }

    /// The kinds of answers that no test has shown before, if the test so far ends with one.
    fn new_answers(&mut self, case: &TestCase, ending: &Ending) -> Vec<usize> {
        let call = case.calls.last().filter(|call| !call.guarded && *ending == Ending::Normal);
        call.map(|call| self.answers.new_goals(self.api, self.executor, call)).unwrap_or_default()
    }

    /// Has the strategy learn from a run.
    fn tell(&mut self, case: &TestCase, report: &Report, strategy: &mut dyn Strategy) {
        self.executor.compared(&mut self.compared);
        let values =
            Open { executor: &*self.executor, compared: &self.compared, covered: &self.covered };
        strategy.observe(case, report, &values, &mut self.rng);
        if let Some(open) = strategy.watched() {
            self.executor.watch(open);
            self.watched = open.len();
        }
    }

    /// Counts what no test may do, with those who did it.
    fn account_for_effects(&mut self, case: &TestCase, effects: EffectSet, leaver: Option<usize>) {
        if effects.may_be_emitted() {
            return;
        }
        self.statistics.unsafe_runs += 1;
        let thread = EffectSet::of(EffectKind::Thread);
        for (at, did) in [(self.culprit, effects.without(EffectKind::Thread)), (leaver, thread)] {
            if let Some(op) = at.and_then(|at| self.api.first_of(&case.calls[at].op)) {
                let statistics = self.per_op.entry(op).or_default();
                statistics.effects = statistics.effects.union(did);
            }
        }
    }

    /// Remembers which operations made what the calls of a test were given.
    fn account_for_objects(&mut self, case: &TestCase, ending: &Ending) {
        let returned = match ending {
            Ending::Normal => case.calls.len(),
            Ending::Threw(at)
            | Ending::Breached(at, _)
            | Ending::Cut(at, _)
            | Ending::Unlinkable(at, _) => *at,
        };
        for call in &case.calls[..returned] {
            let (Some(result), Some(op)) = (call.result, self.api.first_of(&call.op)) else {
                continue;
            };
            if !self.made[op.0 as usize] {
                self.made[op.0 as usize] = !self.executor.is_null(result);
            }
        }
    }

    /// Whether a call of the operation has ever left an object in a test.
    pub(crate) fn has_made(&self, op: OpId) -> bool {
        self.made[self.api.first(op).0 as usize]
    }

    /// Counts what happened, and looks at the exception if there is a reason to.
    fn account(
        &mut self,
        case: &TestCase,
        ending: &Ending,
        effects: EffectSet,
        is_new: bool,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Option<Thrown> {
        let at = ending.last(case.calls.len())?;
        let op = self.api.first_of(&case.calls[at].op)?;
        let statistics = self.per_op.entry(op).or_default();
        match ending {
            Ending::Normal => {
                statistics.returned += u64::from(effects.may_be_emitted());
            }
            Ending::Cut(_, cut) => {
                statistics.cut += 1;
                statistics.stopped += u64::from(*cut != Cut::Steps);
                self.statistics.cuts += 1;
            }
            Ending::Unlinkable(_, why) => statistics.unlinkable = Some(why.clone()),
            Ending::Breached(_, breach) if is_fault_of_test(case, at, *breach) => {
                statistics.infeasible += 1;
                self.statistics.infeasible += 1;
            }
            Ending::Breached(_, breach) => {
                statistics.breached += 1;
                let is_own = self.api.subjects().contains(&op);
                if is_own && effects.may_be_emitted() && self.failures.is_wanted(*breach, at) {
                    let thrown = self.executor.thrown();
                    let found = Unexpected::of_breach(case, at, *breach, thrown);
                    if let Some(found) = self.failures.add(found) {
                        on_event(Event::Failed(found));
                    }
                }
            }
            Ending::Threw(_) => {
                statistics.threw += 1;
                let count = statistics.threw;
                if is_new || count <= LOOK_ALWAYS || count.is_multiple_of(LOOK_EVERY) {
                    let thrown = self.executor.thrown()?;
                    statistics.last_thrown = Some(thrown.class.clone());
                    // What others' code does to others is not the business of this class.
                    let is_own = self.api.subjects().contains(&op);
                    let is_own = is_own && self.api.is_for_callers(&case.calls[..=at]);
                    if effects.may_be_emitted() && is_own {
                        let given = Given::of(self.executor, case, at, self.api.is_wired());
                        let about = (given, self.api.is_deprecated(op));
                        let found = self.failures.consider(self.classes, case, at, &thrown, about);
                        if let Some(found) = found {
                            on_event(Event::Failed(found));
                        }
                    }
                    return Some(thrown);
                }
            }
        }
        None
    }

    /// The tests kept so far.
    pub fn kept(&self) -> &[Kept] {
        &self.kept
    }

    /// The counts so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Whether the search ended because its budget was spent: not because there was nothing left to try,
    /// nor because it was told to stop.
    pub(crate) fn has_used_up_budget(&self) -> bool {
        self.used_up
    }

    /// Which probes kept tests hit, a byte each.
    pub fn covered(&self) -> &[u8] {
        &self.covered
    }

    /// Which probes were hit before the first test: by static initializers, which any test runs.
    pub fn initial(&self) -> &[u8] {
        &self.initial
    }
}

/// Whether anything is hit that was not covered; in blocks, which the compiler does at once.
fn has_new(hits: &[u8], covered: &[u8]) -> bool {
    hits.chunks(64).zip(covered.chunks(64)).any(|(hits, covered)| {
        hits.iter().zip(covered).fold(0, |new, (hit, known)| new | (hit & !known)) & 1 != 0
    })
}

/// Filling the heap takes as long as a call that the clock cuts, so a strategy hears of it as one.
fn as_costly(ending: Ending, thrown: Option<&Thrown>) -> Ending {
    match ending {
        Ending::Threw(at)
            if thrown.is_some_and(|t| t.class.as_internal() == "java/lang/OutOfMemoryError") =>
        {
            Ending::Cut(at, Cut::Stopped)
        }
        other => other,
    }
}
