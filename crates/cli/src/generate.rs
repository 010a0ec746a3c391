//! `generate`: tests for the classes of a class path or a project.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use model::ClassName;
use search::Components;

use crate::args::{GenerateOptions, Keep};
use crate::canon::Seeds;
use crate::class_path::plainly;
use crate::console::{self, Progress};
use crate::exit::{Exit, Failure, require_sandbox};
use crate::finding::file_exists;
use crate::missing::{Missing, warnings};
use crate::output::Output;
use crate::report::{ClassReport, Report, seconds};
use crate::run::{Plan, Spend, failing_suffix, run};
use crate::strategy::{USUAL_LENGTH, approach, check_contexts};
use crate::target::{Order, Target, launcher, order};

/// Search per class when nothing is said.
pub(crate) const DEFAULT_SECONDS: f64 = 5.0;

pub(crate) fn generate(options: &GenerateOptions) -> anyhow::Result<Exit> {
    let began = Instant::now();
    require_sandbox(&options.machine)?;
    let stop = stop_on_interrupt()?;
    let order = order(options);
    if stop.load(Ordering::Acquire) {
        // Whatever became of the build: it was not let go on.
        return interrupted_before_the_search(options);
    }
    let order = order?;
    let (mut report, error) = all_targets(options, &order, &stop)?;
    report.seconds.all = seconds(began.elapsed());
    if options.json {
        console::json(&report)?;
    } else {
        console::summary(&report, options.keep);
    }
    match error {
        Some(error) => Err(error),
        None => Ok(exit_of(&report)),
    }
}

fn interrupted_before_the_search(options: &GenerateOptions) -> anyhow::Result<Exit> {
    if options.json {
        console::json(&Report { interrupted: true, ..Report::default() })?;
    }
    let what = if options.project.is_some() { "the project was built" } else { "it was read" };
    console::note(&format!("interrupted while {what}: nothing was searched, nothing is written"));
    Ok(Exit::Interrupted)
}

/// The targets one after the other, as parts of one run. An error in one of them ends it; the classes
/// that were done before have their tests, so they are told of beside the error.
fn all_targets(
    options: &GenerateOptions,
    order: &Order,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<(Report, Option<anyhow::Error>)> {
    let mut parts = Vec::new();
    for (target, chosen) in &order.targets {
        // All of them, so that nothing is written if one of them cannot be.
        let output = Output::open(&target.out, options.force)?;
        let part = Part::new(options, target, chosen, output);
        check_contexts(&options.strategy, &part.classes, &*target.world)?;
        part.check_files()?;
        parts.push(part);
    }
    let progress = Progress::new(options.json);
    let mut later: usize = parts.iter().map(|part| part.classes.len()).sum();
    progress.start(later);
    let started = Instant::now();
    let mut report = Report { warnings: order.warnings.clone(), ..Report::default() };
    report.warnings.extend(unusual_suffix(&options.suffix));
    let mut missing = Missing::default();
    let mut ended_by = None;
    for part in &parts {
        later -= part.classes.len();
        let world = &part.target.world;
        let found = match part.found(options, order, stop, (started, later), &progress) {
            Ok((found, error)) => {
                ended_by = error;
                found
            }
            Err(error) => {
                ended_by = Some(error);
                break;
            }
        };
        let searched: Vec<ClassName> =
            found.classes.iter().map(|class| ClassName::binary(&class.name)).collect();
        missing.add_needs_of(world, &searched);
        for class in found.classes {
            missing.add_errors_of(world, &class.name, &class.reasons);
            report.add(class);
        }
        report.existing.add(found.existing);
        report.contracts = report.contracts.or(found.contracts);
        report.seconds.classes += found.seconds.classes;
        report.seconds.together += found.seconds.together;
        report.out.push(part.target.out.display().to_string());
        for warning in world.diagnostics().iter().map(plainly).chain(found.warnings) {
            // Modules share dependencies.
            if !report.warnings.contains(&warning) {
                report.warnings.push(warning);
            }
        }
        if ended_by.is_some() {
            break;
        }
    }
    progress.finish();
    if report.out.is_empty()
        && let Some(error) = ended_by
    {
        return Err(error);
    }
    report.error = ended_by.as_ref().map(|error| format!("{error:#}"));
    report.classes.sort_by(|a, b| a.name.cmp(&b.name));
    report.interrupted = stop.load(Ordering::Acquire);
    report.missing = missing.list();
    report.warnings.extend(warnings(&report.missing, order.remedy));
    Ok((report, ended_by))
}

pub(crate) fn exit_of(report: &Report) -> Exit {
    if report.interrupted {
        Exit::Interrupted
    } else if report.classes.iter().any(ClassReport::has_defect) {
        Exit::Internal
    } else if report.failures > 0 {
        Exit::FailuresFound
    } else {
        Exit::Done
    }
}

/// Sets a flag on the first Ctrl-C; the second one ends the program at once.
pub(crate) fn stop_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::AcqRel) {
            std::process::exit(Exit::Interrupted as i32);
        }
    })?;
    Ok(stop)
}

/// A target with its classes.
struct Part<'a> {
    target: &'a Target,
    output: Output,
    /// Those that get tests.
    classes: Vec<ClassName>,
    /// Those whose test files exist.
    taken: Vec<ClassName>,
    /// What names of test classes end with.
    suffixes: Vec<String>,
}

impl<'a> Part<'a> {
    fn new(
        options: &GenerateOptions,
        target: &'a Target,
        chosen: &[ClassName],
        output: Output,
    ) -> Self {
        let mut suffixes = Vec::new();
        if options.keep != Keep::Fail {
            suffixes.push(options.suffix.clone());
        }
        if options.keep != Keep::Pass {
            suffixes.push(failing_suffix(&options.suffix));
        }
        let mut part = Self { target, output, classes: Vec::new(), taken: Vec::new(), suffixes };
        let (taken, classes) =
            chosen.iter().cloned().partition(|class| part.existing_file(class).is_some());
        part.taken = taken;
        part.classes = classes;
        part
    }

    fn files(&self, class: &ClassName) -> impl Iterator<Item = String> {
        self.suffixes.iter().map(|suffix| writer::test_path(&*self.target.world, class, suffix))
    }

    /// Makes sure that no file is in the way where tests are to go.
    fn check_files(&self) -> Result<(), Failure> {
        let mut files = self.classes.iter().flat_map(|class| self.files(class));
        files.try_for_each(|file| self.output.check(&file))
    }

    /// The test file of a class, if all that it would get are there already and may not be
    /// overwritten.
    fn existing_file(&self, class: &ClassName) -> Option<String> {
        let is_taken = self.files(class).all(|file| !self.output.is_free(&file));
        self.files(class).next().filter(|_| is_taken)
    }

    fn file_exists(&self, class: &ClassName) -> ClassReport {
        let file = self.existing_file(class).unwrap_or_default();
        ClassReport {
            reasons: vec![file_exists(&file)],
            ..ClassReport::empty(&class.to_binary(), &self.target.out.display().to_string())
        }
    }

    /// What is found for its classes, and the error that kept it from the others; nothing for those that
    /// get tests, once it is to stop.
    fn found(
        &self,
        options: &GenerateOptions,
        order: &Order,
        stop: &Arc<AtomicBool>,
        time: (Instant, usize),
        progress: &Progress,
    ) -> anyhow::Result<(Report, Option<anyhow::Error>)> {
        let (mut found, mut error) = (Report::default(), None);
        if !self.classes.is_empty() && !stop.load(Ordering::Acquire) {
            (found, error) = run(&self.plan(options, order, stop, time)?, progress)?;
        }
        self.taken.iter().for_each(|class| found.add(self.file_exists(class)));
        Ok((found, error))
    }

    fn plan(
        &self,
        options: &GenerateOptions,
        order: &Order,
        stop: &Arc<AtomicBool>,
        (started, later): (Instant, usize),
    ) -> anyhow::Result<Plan<'_>> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Plan {
            target: self.target,
            classes: self.classes.clone(),
            spend: spend(options),
            seed: options.seed,
            jobs: options.jobs.map_or(cores, usize::from),
            keep: options.keep,
            exceptions: order.exceptions.clone(),
            components: options
                .without
                .iter()
                .fold(Components::all(), |all, component| all.without(*component)),
            approach: approach(&options.strategy)?,
            attempts_of: options.strategy.attempts_of.clone(),
            searches_only: options.strategy.search_only,
            seeds: Seeds::of(options, self.target)?,
            suffix: options.suffix.clone(),
            output: &self.output,
            launcher: launcher(&options.machine)?,
            stop: stop.clone(),
            started,
            later,
        })
    }
}

/// What to say of names that Maven does not take for those of tests.
fn unusual_suffix(suffix: &str) -> Option<String> {
    let is_usual = ["Test", "Tests", "TestCase"].iter().any(|usual| suffix.ends_with(usual));
    (!is_usual).then(|| {
        format!(
            "Maven runs test classes named *Test, *Tests, *TestCase or Test*; those that end with \
             `{suffix}` are left out by `mvn test`, unless the configuration of Surefire includes \
             them"
        )
    })
}

/// Calls that an attempt takes at most, on average: where so many are not enough, something is wrong.
const CALLS_PER_ATTEMPT: u64 = 10_000;

fn spend(options: &GenerateOptions) -> Spend {
    let is_given =
        options.steps.is_some() || options.time.is_some() || options.time_per_class.is_some();
    let attempts = options.strategy.attempts_of.iter().map(|(_, attempts)| *attempts);
    if let Some(attempts) = attempts.chain(options.strategy.attempts).max()
        && !is_given
    {
        return Spend::Steps(attempts.saturating_mul(CALLS_PER_ATTEMPT));
    }
    if let Some(tests) = options.strategy.tests
        && !is_given
    {
        // A test may be run twice, and opening and closing it counts as a call.
        let length = u64::from(options.strategy.length.unwrap_or(USUAL_LENGTH));
        return Spend::Steps(tests.saturating_mul(2 * length + 4));
    }
    match (options.steps, options.time, options.time_per_class) {
        (Some(calls), _, _) => Spend::Steps(calls),
        (_, Some(total), most) => {
            Spend::Total(Duration::from_secs_f64(total), most.map(Duration::from_secs_f64))
        }
        (_, _, per_class) => {
            Spend::PerClass(Duration::from_secs_f64(per_class.unwrap_or(DEFAULT_SECONDS)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_maven_does_not_run_are_told() {
        for usual in ["Test", "Tests", "TestCase", "GeneratedTest"] {
            assert_eq!(unusual_suffix(usual), None, "{usual}");
        }
        for unusual in ["Spec", "IT", "test", "TestGenerated"] {
            let told = unusual_suffix(unusual).unwrap_or_default();
            assert!(told.contains(&format!("`{unusual}`")), "{told}");
        }
    }
}
