//! `compare`: what two versions of the same classes do otherwise (requirement E11).
//!
//! Test cases are looked for on both versions, for what is new in one of them is only reached by whoever
//! looks at it. All are run twice on the old version and once on the new one, and what was seen is compared
//! (`search::compared`). No test is written: who wants to keep tests generates them on the old version
//! and runs them on the new one.

mod report;
mod shown;

use std::collections::{HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use classpath::World;
use model::{ClassName, TestCase, UnitTest};
use search::{ComparedRuns, Components, Exceptions};
use worker::{Approach, Launcher, Scratch, Subject, Supervisor, Unit, UnitBudget};

use crate::class_path::entries;
use crate::compare_args::CompareOptions;
use crate::console::{self, Progress};
use crate::exit::{Exit, require_sandbox};
use crate::generate::{DEFAULT_SECONDS, stop_on_interrupt};
use crate::report::ClassReport;
use crate::run::seed_of;
use crate::select::Selection;
use crate::strategy::{approach, check_contexts};
use crate::target::{jdk, launcher, opened};
use crate::{jdk_study, monitor};
use report::{CompareReport, ComparedClass, Side};

pub(crate) fn compare(options: &CompareOptions) -> anyhow::Result<Exit> {
    require_sandbox(&options.machine)?;
    let stop = stop_on_interrupt()?;
    let comparison = Comparison::read(options, stop)?;
    for warning in &comparison.warnings {
        console::note(&format!("warning: {warning}"));
    }
    let report = comparison.run(options)?;
    if options.json {
        console::json(&report)?;
    } else {
        console::line(&report.text());
    }
    Ok(exit_of(&report))
}

fn exit_of(report: &CompareReport) -> Exit {
    if report.interrupted {
        Exit::Interrupted
    } else if report.differences > 0 {
        Exit::FailuresFound
    } else {
        Exit::Done
    }
}

/// They share what is spent.
const VERSIONS: f64 = 2.0;

/// A version of the classes.
struct Version {
    subject: Subject,
    world: Arc<World>,
}

/// Both versions, and how they are compared.
struct Comparison {
    old: Version,
    new: Version,
    classes: Vec<ClassName>,
    approach: Approach,
    budget: UnitBudget,
    launcher: Launcher,
    scratch: Arc<Scratch>,
    stop: Arc<AtomicBool>,
    warnings: Vec<String>,
}

impl Comparison {
    /// Reads the command line; all names on it are looked up before anything is run.
    fn read(options: &CompareOptions, stop: Arc<AtomicBool>) -> anyhow::Result<Self> {
        let approach = approach(&options.strategy)?;
        let jdk = jdk(&options.machine)?;
        let survey = monitor::survey(&jdk.home)?;
        let dependencies = |path: Option<&String>| path.map_or(Ok(Vec::new()), |p| entries(p));
        let shared = dependencies(options.dependencies.as_ref())?;
        let of_new = match &options.new_dependencies {
            Some(path) => entries(path)?,
            None => shared.clone(),
        };
        let version = |path: &str, dependencies| -> anyhow::Result<Version> {
            let (subject, world) = opened((&jdk, &survey), entries(path)?, dependencies)?;
            Ok(Version { subject, world })
        };
        let mut old = version(&options.old, shared)?;
        let mut new = version(&options.new, of_new)?;
        let selection = Selection {
            classes: &options.classes,
            packages: &options.packages,
            exclude: &options.exclude,
        };
        let classes = selection.choose(&[&old.world])?.pop().unwrap_or_default();
        check_contexts(&options.strategy, &classes, &*old.world)?;
        let scratch = Arc::new(Scratch::new()?);
        let study = jdk_study::study(&old.subject, scratch.path())?;
        old.subject.summaries = study.file.clone();
        new.subject.summaries = study.file;
        let mut warnings = monitor::warnings(&survey);
        warnings.extend(study.warning);
        let budget = match (options.steps, options.time_per_class) {
            (Some(calls), _) => UnitBudget::Calls(calls.div_ceil(VERSIONS as u64)),
            (None, seconds) => {
                let seconds = seconds.unwrap_or(DEFAULT_SECONDS);
                UnitBudget::Time(Duration::from_secs_f64(seconds / VERSIONS))
            }
        };
        let launcher = launcher(&options.machine)?;
        Ok(Self { old, new, classes, approach, budget, launcher, scratch, stop, warnings })
    }

    /// Compares class by class, as many at a time as asked for.
    fn run(&self, options: &CompareOptions) -> anyhow::Result<CompareReport> {
        let progress = Progress::new(options.json);
        progress.start(self.classes.len());
        let queue: Mutex<VecDeque<&ClassName>> = Mutex::new(self.classes.iter().collect());
        let done: Mutex<Vec<ComparedClass>> = Mutex::default();
        let failed: Mutex<Option<anyhow::Error>> = Mutex::default();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = options.jobs.map_or(cores, usize::from).min(self.classes.len()).max(1);
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    let mut pair = [&self.old, &self.new].map(|version| self.supervisor(version));
                    while let Some(class) = self.next(&queue, &failed) {
                        match self.one(class, &mut pair, options, &progress) {
                            Ok(compared) => {
                                let tests = compared.tests;
                                let report = ClassReport::empty(&class.to_binary(), "");
                                progress.class_done(&ClassReport { tests, ..report });
                                lock(&done).push(compared);
                            }
                            Err(error) => {
                                lock(&failed).get_or_insert(error);
                            }
                        }
                    }
                });
            }
        });
        progress.finish();
        if let Some(error) = lock(&failed).take() {
            return Err(error);
        }
        let mut classes = std::mem::take(&mut *lock(&done));
        classes.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(CompareReport::of(classes, self.stop.load(Ordering::Acquire)))
    }

    fn next<'c>(
        &self,
        queue: &Mutex<VecDeque<&'c ClassName>>,
        failed: &Mutex<Option<anyhow::Error>>,
    ) -> Option<&'c ClassName> {
        let is_over = self.stop.load(Ordering::Acquire) || lock(failed).is_some();
        if is_over { None } else { lock(queue).pop_front() }
    }

    fn supervisor(&self, version: &Version) -> Supervisor {
        let (launcher, scratch) = (self.launcher.clone(), self.scratch.clone());
        Supervisor::new(launcher, version.subject.clone(), scratch, self.stop.clone())
    }

    /// Looks for tests of a class on the old version and runs them on both.
    fn one(
        &self,
        class: &ClassName,
        [old, new]: &mut [Supervisor; 2],
        options: &CompareOptions,
        progress: &Progress,
    ) -> anyhow::Result<ComparedClass> {
        let unit = Unit {
            class: class.as_internal().to_owned(),
            seed: seed_of(options.seed, class),
            budget: self.budget,
            exceptions: Exceptions::default(),
            components: Components::all(),
            approach: self.approach.clone(),
            injection: false,
            searches_only: 0,
            avoid: Vec::new(),
            seeds: Vec::new(),
            replay: Vec::new(),
            replay_failures: Vec::new(),
        };
        let is_in_new = self.new.world.contains(class);
        let (mut tests, mut reasons) = (Vec::new(), Vec::new());
        let versions = [(Side::Old, Some(&mut *old)), (Side::New, is_in_new.then_some(&mut *new))];
        for (side, version) in versions {
            let Some(version) = version else { continue };
            let found = version.run(&unit, &mut |p| progress.class_goes_on(class, p))?;
            let passing = found.tests.into_iter().map(|found| found.test);
            tests.extend(passing.chain(found.failures).map(|test| (test, side)));
            reasons.extend(found.reasons);
        }
        // Most of what is found on one version is found on the other too.
        let mut seen = HashSet::new();
        tests.retain(|(test, _): &(UnitTest, Side)| seen.insert(test.case.clone()));
        let mut compared = ComparedClass::new(class, tests.len());
        if !is_in_new {
            compared.class_is_gone("it is not in the new version");
            return Ok(compared);
        }
        if tests.is_empty() {
            compared.untested(&reasons);
            return Ok(compared);
        }
        let cases: Vec<TestCase> = tests.iter().map(|(test, _)| test.case.clone()).collect();
        // What is found has been found: no search, but time for each case.
        let unit = Unit { budget: UnitBudget::Calls(0), ..unit };
        let first = old.observe(&unit, &cases, options.texts)?;
        let second = old.observe(&unit, &cases, options.texts)?;
        let now = new.observe(&unit, &cases, options.texts)?;
        if let Some(reason) = now.reasons.first() {
            compared.class_is_gone(&reason.detail);
            return Ok(compared);
        }
        for (index, (test, side)) in tests.iter().enumerate() {
            let seen = [&first, &second, &now].map(|all| all.seen[index].as_ref());
            match seen {
                [Some(one), Some(other), Some(now)] => {
                    match search::compared([one, other], now, options.messages) {
                        ComparedRuns::Same => {}
                        ComparedRuns::Different(found) => compared.differs((test, *side), found),
                        ComparedRuns::Unstable => compared.unstable += 1,
                    }
                }
                [Some(_), Some(_), None] => compared.kills((test, *side)),
                _ => compared.unstable += 1,
            }
        }
        compared.show(&self.old.world, self.old.subject.feature as u16);
        Ok(compared)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
