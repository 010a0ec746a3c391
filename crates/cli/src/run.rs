//! Running a target: classes to workers, results to checks, checked tests to files.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use instrument::coverage::Summary;
use model::{ClassName, Failure, FailureKind, UnitTest};
use search::{Component, Components, Exceptions, Reason, ReasonCode};
use worker::{
    Checked, Checker, Dropped, Launcher, Scratch, Services, Subject, Supervisor, Unit, UnitBudget,
    UnitResult,
};

use crate::args::Keep;
use crate::console::Progress;
use crate::jdk_study;
use crate::mockito::{self, Mockito};
use crate::output::Output;
use crate::report::{Branches, ClassReport, FailingTest, Report};
use crate::summary::count;
use crate::target::Target;

/// How much is spent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Spend {
    /// Calls per class.
    Steps(u64),
    /// Time per class.
    PerClass(Duration),
    /// Time for all classes together.
    Total(Duration),
}

/// What a run is told.
pub(crate) struct Plan<'a> {
    pub(crate) target: &'a Target,
    pub(crate) classes: Vec<ClassName>,
    pub(crate) spend: Spend,
    pub(crate) seed: u64,
    pub(crate) jobs: usize,
    pub(crate) keep: Keep,
    pub(crate) exceptions: Exceptions,
    /// What steers the search.
    pub(crate) components: Components,
    pub(crate) suffix: String,
    pub(crate) output: &'a Output,
    pub(crate) launcher: Launcher,
    pub(crate) stop: Arc<AtomicBool>,
    /// When the whole run began, of which this may be a part.
    pub(crate) started: Instant,
    /// Classes of the parts that come later: they share a total of time.
    pub(crate) later: usize,
}

struct Shared<'a> {
    plan: &'a Plan<'a>,
    subject: Subject,
    queue: Mutex<VecDeque<(usize, ClassName)>>,
    done: Mutex<Vec<(usize, ClassReport)>>,
    failed: Mutex<Option<anyhow::Error>>,
    passing: Checker,
    failing: Checker,
    scratch: Arc<Scratch>,
    progress: &'a Progress,
}

/// Writes tests for the plan's classes.
pub(crate) fn run(plan: &Plan<'_>, progress: &Progress) -> anyhow::Result<Report> {
    let scratch = Arc::new(Scratch::new()?);
    let mut subject = plan.target.subject.clone();
    let mut warnings = Vec::new();
    if plan.components.has(Component::Impurity) {
        match jdk_study::summaries(&subject) {
            Ok(file) => subject.summaries = Some(file),
            Err(why) => warnings.push(why),
        }
    }
    let services = Arc::new(Services::new(plan.launcher.clone(), subject.clone(), scratch.clone()));
    let checker = |suffix: String| {
        let options = writer::Options {
            junit: plan.target.junit,
            java_release: plan.target.release.unwrap_or(plan.target.subject.feature) as u16,
            suffix,
        };
        Checker::new(
            services.clone(),
            plan.target.world.clone(),
            options,
            plan.target.test_class_path.clone(),
            plan.target.release,
        )
    };
    let shared = Shared {
        plan,
        subject,
        queue: Mutex::new(plan.classes.iter().cloned().enumerate().collect()),
        done: Mutex::default(),
        failed: Mutex::default(),
        passing: checker(plan.suffix.clone()),
        failing: checker(failing_suffix(&plan.suffix)),
        scratch,
        progress,
    };
    std::thread::scope(|scope| {
        // Compiler and runners start while the first classes are searched.
        let warming = scope.spawn(|| services.warm_up());
        let jobs = plan.jobs.min(plan.classes.len()).max(1);
        for _ in 0..jobs {
            scope.spawn(|| shared.work());
        }
        if let Ok(Err(error)) = warming.join() {
            shared.fail(error.into());
        }
    });
    if let Some(error) = shared.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let mut done = shared.done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    let mut report = Report { warnings, ..Report::default() };
    for (_, class) in done {
        report.add(class);
    }
    if plan.target.mockito == Mockito::Absent && plan.components.has(Component::Mocks) {
        report.warnings.extend(mockito::advice(&plan.target.world, &report.classes));
    }
    report.interrupted = plan.stop.load(Ordering::Acquire);
    Ok(report)
}

/// Failing tests go to files of their own: `FooFailingTest`.
pub(crate) fn failing_suffix(suffix: &str) -> String {
    format!("Failing{suffix}")
}

impl Shared<'_> {
    fn fail(&self, error: anyhow::Error) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.get_or_insert(error);
    }

    fn has_failed(&self) -> bool {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// One job: takes classes until there are none.
    fn work(&self) {
        let plan = self.plan;
        let mut supervisor = Supervisor::new(
            plan.launcher.clone(),
            self.subject.clone(),
            self.scratch.clone(),
            plan.stop.clone(),
        );
        loop {
            if plan.stop.load(Ordering::Acquire) || self.has_failed() {
                return;
            }
            let (next, left) = {
                let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
                let left = queue.len();
                (queue.pop_front(), left)
            };
            let Some((index, class)) = next else { return };
            match self.one(&mut supervisor, &class, left) {
                Ok(report) => {
                    self.progress.class_done(&report);
                    self.done.lock().unwrap_or_else(PoisonError::into_inner).push((index, report));
                }
                Err(error) => self.fail(error),
            }
        }
    }

    fn one(
        &self,
        supervisor: &mut Supervisor,
        class: &ClassName,
        left: usize,
    ) -> anyhow::Result<ClassReport> {
        let plan = self.plan;
        let budget = match plan.spend {
            Spend::Steps(calls) => UnitBudget::Calls(calls),
            Spend::PerClass(time) => UnitBudget::Time(time),
            Spend::Total(time) => {
                let rest = time.saturating_sub(plan.started.elapsed());
                UnitBudget::Time(share(rest, plan.jobs, left + plan.later))
            }
        };
        let unit = Unit {
            class: class.as_internal().to_owned(),
            seed: seed_of(plan.seed, class),
            budget,
            exceptions: plan.exceptions.clone(),
            components: match plan.target.mockito {
                Mockito::Absent => plan.components.without(Component::Mocks),
                Mockito::Mocks | Mockito::MocksAndInjection => plan.components,
            },
            injection: plan.target.mockito == Mockito::MocksAndInjection,
            avoid: Vec::new(),
            replay: Vec::new(),
            replay_failures: Vec::new(),
        };
        let result = supervisor.run(&unit, &mut |p| self.progress.class_goes_on(class, p))?;
        self.finish(class, result)
    }

    fn finish(&self, class: &ClassName, result: UnitResult) -> anyhow::Result<ClassReport> {
        let plan = self.plan;
        let tests: Vec<UnitTest> = result.tests.iter().map(|t| t.test.clone()).collect();
        let mut files = Vec::new();
        let mut reasons = result.reasons.clone();
        let mut dropped = Dropped { unreproducible: result.flaky, ..Dropped::default() };
        let passing = self.passing.check(class, &tests)?;
        dropped.add(passing.dropped);
        if plan.keep != Keep::Fail
            && let Some(source) = &passing.source
        {
            let path = plan.output.write(&source.path, &source.text)?;
            files.push(path.display().to_string());
        }
        if passing.survivors.is_empty() && !tests.is_empty() {
            let detail = format!("{} did not hold in a fresh JVM", count(tests.len(), "test"));
            reasons.push(Reason::of_class(ReasonCode::NotReproducible, detail));
        }
        let failing = self.failing.check(class, &result.failures)?;
        dropped.add(failing.dropped);
        let mut failing_file = None;
        if plan.keep != Keep::Pass
            && let Some(source) = &failing.source
        {
            let path = plan.output.write(&source.path, &source.text)?.display().to_string();
            files.push(path.clone());
            failing_file = Some(path);
        }
        let (branches, lines) = coverage(&result, &passing.survivors);
        let failing_tests = failing_tests(&result.failures, &failing, failing_file.as_ref());
        let out = plan.target.out.display().to_string();
        Ok(ClassReport {
            tests: passing.survivors.len() as u32,
            failures: failing.survivors.len() as u32,
            branches,
            lines,
            measured: result.plans.iter().map(|plan| plan.class.replace('/', ".")).collect(),
            reasons,
            dropped,
            files,
            calls: result.statistics.calls,
            failing: failing_tests.iter().map(|f| f.what.clone()).collect(),
            failing_tests,
            noise: result.noise.iter().map(|(noise, count)| (noise.name(), *count)).collect(),
            notes: (passing.notes.into_iter())
                .chain(failing.notes)
                .chain(result.uninstrumented.iter().map(|c| format!("not instrumented: {c}")))
                .collect(),
            ..ClassReport::empty(&class.to_binary(), &out)
        })
    }
}

/// The failing tests that are left, as they are told.
fn failing_tests(found: &[UnitTest], checked: &Checked, file: Option<&String>) -> Vec<FailingTest> {
    let names = checked.source.iter().flat_map(|source| &source.tests);
    let names = names.map(|name| name.clone().unwrap_or_default());
    let tests = checked.survivors.iter().map(|index| &found[*index]).zip(names);
    let told = tests.filter_map(|(test, name)| {
        let failure = test.failure.as_ref()?;
        let member = match failure.kind {
            // A test of a law is named after the method that has to keep it.
            FailureKind::Contract { .. } => name.split('_').next().unwrap_or_default().to_owned(),
            FailureKind::UnexpectedException { .. } => {
                let called = test.case.calls.get(test.subject).map(|call| &*call.op.name);
                called.unwrap_or_default().replace("<init>", "constructor")
            }
        };
        let what = failure.explanation.clone();
        let (rank, cause) = rank(failure);
        Some(FailingTest { member, what, cause, rank, test: name, file: file.cloned() })
    });
    told.collect()
}

/// How likely a failure is worth a look, and what tells its cause from others.
fn rank(failure: &Failure) -> (u8, String) {
    match &failure.kind {
        // What the authors say must never be.
        FailureKind::UnexpectedException { class } => {
            let rank = match class.as_internal() {
                "java/lang/AssertionError" => 0,
                "java/lang/NullPointerException" => 1,
                "java/lang/StackOverflowError" => 4,
                "java/lang/OutOfMemoryError" => 5,
                _ => 3,
            };
            // The message may tell of values.
            let place = failure.explanation.rsplit(" in ").next().unwrap_or_default();
            (rank, format!("{class} in {place}"))
        }
        FailureKind::Contract { contract, slots } => (2, format!("{contract:?} {}", slots.len())),
    }
}

/// A class's share of the time that is left, if so many are left, itself included.
fn share(rest: Duration, jobs: usize, left: usize) -> Duration {
    rest.mul_f64(jobs as f64 / left.max(1) as f64).min(rest)
}

/// What the tests that are left cover.
fn coverage(result: &UnitResult, survivors: &[usize]) -> (Branches, Branches) {
    let probes: usize = result.plans.iter().map(|p| p.probes.len()).sum();
    let mut hits = vec![0u8; probes];
    let by_tests = survivors.iter().flat_map(|index| &result.tests[*index].hits);
    let initial = result.initial.iter().filter(|_| !survivors.is_empty());
    for hit in by_tests.chain(initial) {
        hits[*hit as usize] = 1;
    }
    let (mut branches, mut lines) = (Branches::default(), Branches::default());
    let mut start = 0;
    for plan in &result.plans {
        let end = start + plan.probes.len();
        if let Ok(summary) = Summary::new(plan, &hits[start..end]) {
            branches.add(summary.branches);
            lines.add(summary.lines);
        }
        start = end;
    }
    (branches, lines)
}

/// A seed of a class's own (FNV-1a of its name): independent of the other classes of the run.
fn seed_of(seed: u64, class: &ClassName) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for byte in class.as_internal().bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_that_is_left_is_shared_by_the_classes_that_are_left() {
        let check = |seconds, jobs, left, expected| {
            let share = share(Duration::from_secs(seconds), jobs, left);
            assert_eq!(share, Duration::from_secs(expected));
        };
        check(10, 1, 5, 2);
        check(10, 2, 5, 4);
        // The last classes do not get more than there is.
        check(10, 4, 1, 10);
        check(10, 1, 0, 10);
    }
}
