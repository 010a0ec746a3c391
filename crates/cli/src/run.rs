//! Running a target: classes to workers, results to checks, checked tests to files.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use instrument::coverage::Summary;
use model::{ClassName, UnitTest};
use search::{Exceptions, Reason, ReasonCode};
use worker::{
    Checker, Dropped, Launcher, Scratch, Services, Supervisor, Unit, UnitBudget, UnitResult,
};

use crate::args::Keep;
use crate::console::Progress;
use crate::output::Output;
use crate::report::{Branches, ClassReport, Report};
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
    pub(crate) suffix: String,
    pub(crate) output: &'a Output,
    pub(crate) launcher: Launcher,
    pub(crate) stop: Arc<AtomicBool>,
}

struct Shared<'a> {
    plan: &'a Plan<'a>,
    queue: Mutex<VecDeque<(usize, ClassName)>>,
    done: Mutex<Vec<(usize, ClassReport)>>,
    failed: Mutex<Option<anyhow::Error>>,
    passing: Checker,
    failing: Checker,
    scratch: Arc<Scratch>,
    started: Instant,
    progress: &'a Progress,
}

/// Writes tests for the plan's classes.
pub(crate) fn run(plan: &Plan<'_>, progress: &Progress) -> anyhow::Result<Report> {
    let scratch = Arc::new(Scratch::new()?);
    let services = Arc::new(Services::new(
        plan.launcher.clone(),
        plan.target.subject.clone(),
        scratch.clone(),
    ));
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
        queue: Mutex::new(plan.classes.iter().cloned().enumerate().collect()),
        done: Mutex::default(),
        failed: Mutex::default(),
        passing: checker(plan.suffix.clone()),
        failing: checker(failing_suffix(&plan.suffix)),
        scratch,
        started: Instant::now(),
        progress,
    };
    progress.start(plan.classes.len());
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
    progress.finish();
    if let Some(error) = shared.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let mut done = shared.done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    let mut report = Report::default();
    for (_, class) in done {
        report.add(class);
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
            plan.target.subject.clone(),
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
                let rest = time.saturating_sub(self.started.elapsed());
                UnitBudget::Time(rest.mul_f64(plan.jobs as f64 / left.max(1) as f64).min(rest))
            }
        };
        let unit = Unit {
            class: class.as_internal().to_owned(),
            seed: seed_of(plan.seed, class),
            budget,
            exceptions: plan.exceptions.clone(),
            avoid: Vec::new(),
            replay: Vec::new(),
            replay_failures: Vec::new(),
        };
        let result = supervisor.run(&unit, &mut |p| self.progress.class_goes_on(class, p))?;
        self.finish(class, result)
    }

    fn finish(&self, class: &ClassName, result: UnitResult) -> anyhow::Result<ClassReport> {
        let plan = self.plan;
        let order = seed_of(plan.seed ^ 0x5eed, class) as i32 | 1;
        let tests: Vec<UnitTest> = result.tests.iter().map(|t| t.test.clone()).collect();
        let mut files = Vec::new();
        let mut reasons = result.reasons.clone();
        let mut dropped = Dropped { unreproducible: result.flaky, ..Dropped::default() };
        let passing = self.passing.check(class, &tests, order)?;
        dropped.add(passing.dropped);
        if plan.keep != Keep::Fail
            && let Some(source) = &passing.source
        {
            let path = plan.output.write(&source.path, &source.text)?;
            files.push(path.display().to_string());
        }
        if passing.survivors.is_empty() && !tests.is_empty() {
            let detail = format!("{} tests did not hold in a fresh JVM", tests.len());
            reasons.push(Reason::of_class(ReasonCode::NotReproducible, detail));
        }
        let failing = self.failing.check(class, &result.failures, order)?;
        dropped.add(failing.dropped);
        if plan.keep != Keep::Pass
            && let Some(source) = &failing.source
        {
            let path = plan.output.write(&source.path, &source.text)?;
            files.push(path.display().to_string());
        }
        let (branches, lines) = coverage(&result, &passing.survivors);
        let described =
            |index: &usize| result.failures[*index].failure.as_ref().map(|f| f.explanation.clone());
        Ok(ClassReport {
            name: class.to_binary(),
            tests: passing.survivors.len() as u32,
            failures: failing.survivors.len() as u32,
            branches,
            lines,
            measured: result.plans.iter().map(|plan| plan.class.replace('/', ".")).collect(),
            reasons,
            dropped,
            files,
            calls: result.statistics.calls,
            failing: failing.survivors.iter().filter_map(described).collect(),
            notes: (passing.notes.into_iter())
                .chain(failing.notes)
                .chain(result.uninstrumented.iter().map(|c| format!("not instrumented: {c}")))
                .collect(),
        })
    }
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
