//! `generate`: tests for the classes of a class path or a project.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use model::ClassName;
use search::{Exceptions, Reason, ReasonCode};
use worker::{Dropped, Launcher};

use crate::args::{GenerateOptions, Keep};
use crate::console::{self, Progress};
use crate::exit::Exit;
use crate::output::Output;
use crate::report::{Branches, ClassReport, Report};
use crate::run::{Plan, Spend, failing_suffix, run};
use crate::select::Selection;
use crate::target::{Target, targets};

/// Search per class when nothing is said.
const DEFAULT_SECONDS: f64 = 5.0;

pub(crate) fn generate(options: &GenerateOptions) -> anyhow::Result<Exit> {
    let stop = stop_on_interrupt()?;
    let mut report = Report::default();
    for target in targets(options)? {
        let output = Output::open(&target.out, options.force)?;
        let part = one_target(options, &target, &output, &stop)?;
        report.out = target.out.display().to_string();
        report.interrupted |= part.interrupted;
        report.warnings.extend(part.warnings);
        for class in part.classes {
            report.add(class);
        }
    }
    if options.json {
        console::json(&report)?;
    } else {
        console::summary(&report, options.keep);
    }
    Ok(exit_of(&report))
}

pub(crate) fn exit_of(report: &Report) -> Exit {
    if report.interrupted {
        Exit::Interrupted
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

fn one_target(
    options: &GenerateOptions,
    target: &Target,
    output: &Output,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<Report> {
    let selection = Selection {
        classes: &options.classes,
        packages: &options.packages,
        exclude: &options.exclude,
    };
    let chosen = selection.choose(&target.world)?;
    let mut suffixes = Vec::new();
    if options.keep != Keep::Fail {
        suffixes.push(options.suffix.clone());
    }
    if options.keep != Keep::Pass {
        suffixes.push(failing_suffix(&options.suffix));
    }
    let file_of =
        |class: &ClassName, suffix: &str| writer::test_path(&*target.world, class, suffix);
    let (classes, taken): (Vec<_>, Vec<_>) = chosen
        .into_iter()
        .partition(|class| suffixes.iter().all(|suffix| output.is_free(&file_of(class, suffix))));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut launcher = Launcher::this_executable(!options.machine.no_sandbox)?;
    launcher.jvm_args.clone_from(&options.machine.jvm_args);
    let plan = Plan {
        target,
        classes,
        spend: spend(options),
        seed: options.seed,
        jobs: options.jobs.map_or(cores, usize::from),
        keep: options.keep,
        exceptions: Exceptions {
            failures: names(&options.failure_exceptions),
            expected: names(&options.expected_exceptions),
        },
        suffix: options.suffix.clone(),
        output,
        launcher,
        stop: stop.clone(),
    };
    let mut report = if plan.classes.is_empty() {
        Report::default()
    } else {
        run(&plan, &Progress::new(options.json))?
    };
    for class in taken {
        let file = suffixes
            .iter()
            .map(|suffix| file_of(&class, suffix))
            .find(|file| !output.is_free(file))
            .unwrap_or_default();
        let detail = format!("{file} exists; --force overwrites it, --suffix gives another name");
        report.add(ClassReport {
            name: class.to_binary(),
            tests: 0,
            failures: 0,
            branches: Branches::default(),
            lines: Branches::default(),
            measured: Vec::new(),
            reasons: vec![Reason::of_class(ReasonCode::FileExists, detail)],
            dropped: Dropped::default(),
            files: Vec::new(),
            calls: 0,
            failing: Vec::new(),
            notes: Vec::new(),
        });
    }
    report.classes.sort_by(|a, b| a.name.cmp(&b.name));
    report.warnings = target.world.diagnostics().iter().map(ToString::to_string).collect();
    Ok(report)
}

fn names(binary: &[String]) -> Vec<ClassName> {
    binary.iter().map(|name| ClassName::binary(name)).collect()
}

fn spend(options: &GenerateOptions) -> Spend {
    match (options.steps, options.time, options.time_per_class) {
        (Some(calls), _, _) => Spend::Steps(calls),
        (_, Some(total), _) => Spend::Total(Duration::from_secs_f64(total)),
        (_, _, per_class) => {
            Spend::PerClass(Duration::from_secs_f64(per_class.unwrap_or(DEFAULT_SECONDS)))
        }
    }
}
