//! Running a target: classes to workers, results to checks, checked tests to files; at the end all
//! tests together.

use std::collections::{BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use model::ClassName;
use search::{Component, Components, Exceptions};
use worker::{
    Approach, Checked, Checker, Launcher, Residents, Scratch, Services, Subject, Supervisor,
    Together, Unit, UnitBudget, UnitResult, WorkerError,
};

use crate::args::Keep;
use crate::canon::Seeds;
use crate::console::Progress;
use crate::finding::{Finding, file_exists};
use crate::jdk_study;
use crate::mockito::{self, Mockito};
use crate::output::Output;
use crate::report::{Existing, Report, seconds};
use crate::residents;
use crate::target::Target;
use crate::temporary_folders;

/// How much is spent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Spend {
    /// Calls per class.
    Steps(u64),
    /// Time per class.
    PerClass(Duration),
    /// Time for all classes together, and the most that a class gets of it.
    Total(Duration, Option<Duration>),
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
    pub(crate) approach: Approach,
    /// Attempts of single classes, for strategies that count them.
    pub(crate) attempts_of: Vec<(String, u64)>,
    /// How often the search is made, if it ends with that; 0 for all others.
    pub(crate) searches_only: u32,
    /// Test cases that searches begin with.
    pub(crate) seeds: Seeds,
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
    done: Mutex<Vec<(usize, Finding)>>,
    failed: Mutex<Option<anyhow::Error>>,
    passing: Checker,
    failing: Checker,
    components: Components,
    scratch: Arc<Scratch>,
    progress: &'a Progress,
}

/// The tests of all classes are given so long to be left with those that hold together. Ample: the
/// tests of hundreds of classes run in seconds.
const PATIENCE: Duration = Duration::from_secs(900);
/// The same for somebody who waits for the end.
const PATIENCE_WHEN_STOPPED: Duration = Duration::from_secs(30);

/// Writes tests for the plan's classes. An error beside the report ended the run after some of them.
pub(crate) fn run(
    plan: &Plan<'_>,
    progress: &Progress,
) -> anyhow::Result<(Report, Option<anyhow::Error>)> {
    let scratch = Arc::new(Scratch::new()?);
    let mut subject = plan.target.subject.clone();
    let mut warnings = Vec::new();
    if plan.components.has(Component::Impurity) {
        let study = jdk_study::study(&subject, scratch.path())?;
        subject.summaries = study.file;
        warnings.extend(study.warning);
    }
    let mut components = plan.components;
    if components.has(Component::Files) && !temporary_folders::are_given(plan.target)? {
        components = components.without(Component::Files);
        warnings.extend(temporary_folders::advice(&plan.target.world, &plan.classes));
    }
    if plan.target.mockito == Mockito::Absent {
        components = components.without(Component::Mocks);
    }
    let services = Arc::new(Services::new(plan.launcher.clone(), subject.clone(), scratch.clone()));
    let (release, feature) = (subject.release, subject.feature as u16);
    let checker = |suffix: String| {
        let options = writer::Options {
            junit: plan.target.junit,
            java_release: release.unwrap_or(feature),
            suffix,
        };
        Checker::new(
            services.clone(),
            plan.target.world.clone(),
            options,
            plan.target.test_class_path.clone(),
            release,
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
        components,
        scratch,
        progress,
    };
    let began = Instant::now();
    std::thread::scope(|scope| {
        // Compiler and runners start while the first classes are searched.
        let warming = scope.spawn(|| services.warm_up());
        let jobs = plan.jobs.min(plan.classes.len()).max(1);
        for _ in 0..jobs {
            scope.spawn(|| shared.work());
        }
        match warming.join() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => shared.fail(error.into()),
            Err(panic) => resume_unwind(panic),
        }
    });
    let classes = began.elapsed();
    let mut findings = shared.take_done();
    let failed = lock(&shared.failed).take();
    let joint = match failed {
        Some(error) if findings.is_empty() => return Err(error),
        Some(error) => Joint::not_made(error),
        None => shared.check_together(&mut findings),
    };
    let together = began.elapsed().saturating_sub(classes);
    warnings.extend(joint.unknown);
    let mut report = Report { warnings, existing: joint.existing, ..Report::default() };
    report.seconds.classes = seconds(classes);
    report.seconds.together = seconds(together);
    report.contracts = plan.target.contracts.as_ref().map(|contracts| contracts.report.clone());
    let out = plan.target.out.display().to_string();
    findings.iter().for_each(|finding| report.add(finding.report(&out)));
    if plan.target.mockito == Mockito::Absent && plan.components.has(Component::Mocks) {
        report.warnings.extend(mockito::advice(&plan.target.world, &report.classes));
    }
    report.interrupted = plan.stop.load(Ordering::Acquire);
    Ok((report, joint.error))
}

/// What came of running the tests of all classes together.
struct Joint {
    existing: Existing,
    /// What cannot be said of them, in a sentence.
    unknown: Option<String>,
    /// What ended the run before all was done; the tests of the classes that were done are written.
    error: Option<anyhow::Error>,
}

impl Joint {
    fn not_made(error: anyhow::Error) -> Self {
        let (existing, unknown) = (Existing::default(), Some(unknown("")));
        Self { existing, unknown, error: Some(error) }
    }
}

/// That the tests of a run were not seen to pass together, with what is known of it.
fn unknown(why: &str) -> String {
    format!(
        "the tests of each class pass by themselves, but it was not found out whether all of them \
         pass in one JVM{why}"
    )
}

/// Failing tests go to files of their own: `FooFailingTest`.
pub(crate) fn failing_suffix(suffix: &str) -> String {
    format!("Failing{suffix}")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared<'_> {
    fn fail(&self, error: anyhow::Error) {
        lock(&self.failed).get_or_insert(error);
    }

    fn has_failed(&self) -> bool {
        lock(&self.failed).is_some()
    }

    /// What was found, in the order of the classes.
    fn take_done(&self) -> Vec<Finding> {
        let mut done = std::mem::take(&mut *lock(&self.done));
        done.sort_by_key(|(index, _)| *index);
        done.into_iter().map(|(_, finding)| finding).collect()
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
                let mut queue = lock(&self.queue);
                let left = queue.len();
                (queue.pop_front(), left)
            };
            let Some((index, class)) = next else { return self.prepare_together() };
            match self.one_or_defect(&mut supervisor, &class, left) {
                Ok(finding) => {
                    self.progress.class_done(&finding.report(""));
                    lock(&self.done).push((index, finding));
                }
                Err(error) => self.fail(error),
            }
        }
    }

    /// This job has nothing to do any more, others may: time to start what comes after them.
    fn prepare_together(&self) {
        if self.plan.classes.len() > 1
            && self.plan.keep != Keep::Fail
            && let Err(error) = self.passing.prepare_together()
        {
            self.fail(error.into());
        }
    }

    /// The same as `one`, where a defect of Testhound that concerns this class is what is found
    /// for it, so that the other classes keep theirs. What concerns all of them stays an error.
    fn one_or_defect(
        &self,
        supervisor: &mut Supervisor,
        class: &ClassName,
        left: usize,
    ) -> anyhow::Result<Finding> {
        // What a panic may leave behind half done is the supervisor's spare worker, which is then
        // started anew, and what is behind locks, which stays usable.
        let done = catch_unwind(AssertUnwindSafe(|| self.one(supervisor, class, left)));
        let why = match done {
            Ok(Ok(finding)) => return Ok(finding),
            Ok(Err(error)) => match error.downcast_ref::<WorkerError>() {
                Some(failed) if !failed.is_of_the_machine() => format!("{error:#}"),
                _ => return Err(error),
            },
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                format!("panicked: {}", text.unwrap_or("for no reason given"))
            }
        };
        Ok(Finding::of_defect(class, &why))
    }

    fn one(
        &self,
        supervisor: &mut Supervisor,
        class: &ClassName,
        left: usize,
    ) -> anyhow::Result<Finding> {
        let plan = self.plan;
        let budget = match plan.spend {
            Spend::Steps(calls) => UnitBudget::Calls(calls),
            Spend::PerClass(time) => UnitBudget::Time(time),
            Spend::Total(time, most) => {
                let rest = time.saturating_sub(plan.started.elapsed());
                let share = share(rest, plan.jobs, left + plan.later);
                UnitBudget::Time(most.map_or(share, |most| share.min(most)))
            }
        };
        let unit = Unit {
            class: class.as_internal().to_owned(),
            seed: seed_of(plan.seed, class),
            budget,
            exceptions: plan.exceptions.clone(),
            components: self.components,
            approach: self.approach_to(class),
            injection: plan.target.mockito == Mockito::MocksAndInjection,
            searches_only: plan.searches_only,
            avoid: Vec::new(),
            seeds: plan.seeds.of_class(class),
            replay: Vec::new(),
            replay_failures: Vec::new(),
        };
        let result = supervisor.run(&unit, &mut |p| self.progress.class_goes_on(class, p))?;
        self.finish(class, result)
    }

    fn approach_to(&self, class: &ClassName) -> Approach {
        let mut approach = self.plan.approach.clone();
        let name = class.to_binary();
        if let Approach::Jet(options) = &mut approach
            && let Some((_, attempts)) = self.plan.attempts_of.iter().find(|(of, _)| *of == name)
        {
            options.attempts = Some(*attempts);
        }
        approach
    }

    fn finish(&self, class: &ClassName, mut result: UnitResult) -> anyhow::Result<Finding> {
        let plan = self.plan;
        let found = std::mem::take(&mut result.tests);
        let (tests, hits): (Vec<_>, Vec<_>) =
            found.into_iter().map(|found| (found.test, found.hits)).unzip();
        let mut failures = std::mem::take(&mut result.failures);
        let mut unsaid = Vec::new();
        if let Some(contracts) = &plan.target.contracts {
            contracts.explain(&mut failures);
            unsaid = contracts.restate(&mut failures, &plan.target.world);
        }
        // Where one of two files exists, the tests for the other are written all the same.
        let path = writer::test_path(&*plan.target.world, class, &plan.suffix);
        let is_taken = plan.keep == Keep::Both && !plan.output.is_free(&path);
        let (tests, hits): (Vec<_>, Vec<_>) = if is_taken {
            result.reasons.push(file_exists(&path));
            Default::default()
        } else {
            (tests, hits)
        };
        // Both before anything is written: an error here leaves no file that no report tells of.
        let passing = self.passing.check(class, tests)?;
        let failing = self.failing.check(class, failures.clone())?;
        let mut finding = Finding::new(class, result, hits, passing, failing);
        if plan.keep != Keep::Fail {
            finding.write_passing(plan.output)?;
        }
        let output = (plan.keep != Keep::Pass).then_some(plan.output);
        finding.write_failing(output, &failures)?;
        if let Some(contracts) = &plan.target.contracts {
            finding.tell_violations(contracts, &failures, &unsaid);
        }
        Ok(finding)
    }

    /// Runs the tests of all classes together, with those that were there before, and brings files up
    /// to what is left.
    fn check_together(&self, findings: &mut [Finding]) -> Joint {
        let plan = self.plan;
        if plan.keep == Keep::Fail {
            return Joint { existing: Existing::default(), unknown: None, error: None };
        }
        // For both parts together.
        let start = Instant::now();
        let is_over = || {
            let stopped = plan.stop.load(Ordering::Acquire);
            start.elapsed() > if stopped { PATIENCE_WHEN_STOPPED } else { PATIENCE }
        };
        self.progress.all_together();
        let has_new = findings.iter().any(|finding| finding.files().next().is_some());
        let written: BTreeSet<PathBuf> = findings.iter().flat_map(Finding::files).collect();
        let mut existing = Existing::default();
        let mut together = || -> Result<Together, WorkerError> {
            let mut residents = Residents::nobody();
            if has_new {
                let out = &plan.target.out;
                let found = residents::java_files(out, &written);
                existing.left_out.extend(found.left_out);
                let files = found.files.len();
                residents = self.passing.residents(found.files, &is_over)?;
                existing.files = files.saturating_sub(residents.without_tests) as u32;
                existing.tests = residents.count() as u32;
                existing.left_out.extend(residents.left_out.iter().cloned());
            }
            let mut suites: Vec<&mut Checked> =
                findings.iter_mut().map(|f| &mut f.passing).collect();
            self.passing.check_together(&mut suites, &residents, &is_over)
        };
        let mut error: Option<anyhow::Error> = None;
        let unknown = match together() {
            Ok(Together::Hold) => None,
            Ok(Together::Unknown(None)) => Some(unknown("")),
            Ok(Together::Unknown(Some(resident))) => {
                let why = format!("; {resident}, which was there before, failed among them");
                Some(unknown(&why))
            }
            Err(failed) => {
                error = Some(failed.into());
                Some(unknown(""))
            }
        };
        for finding in findings {
            if let Err(failed) = finding.update(plan.output) {
                error.get_or_insert(failed.into());
            }
        }
        Joint { existing, unknown, error }
    }
}

/// A class's share of the time that is left, if so many are left, itself included.
fn share(rest: Duration, jobs: usize, left: usize) -> Duration {
    rest.mul_f64(jobs as f64 / left.max(1) as f64).min(rest)
}

/// A seed of a class's own (FNV-1a of its name): independent of the other classes of the run.
pub(crate) fn seed_of(seed: u64, class: &ClassName) -> u64 {
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
