//! `mutate`: how many small faults in a program its tests notice, and which they do not.
//!
//! The suite runs as it is first; what does not pass twice is told and judges nothing. Then workers judge
//! the mutants (see `worker::Judging`), class by class, module by module.

mod program;
mod report;
mod sources;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use worker::{Judging, Scratch};

use crate::console::{self, Steps};
use crate::exit::{Exit, Failure, require_sandbox};
use crate::generate::stop_on_interrupt;
use crate::mutate_args::MutateOptions;
use crate::target::launcher;
use program::{Part, Program};
use report::MutateReport;

pub(crate) fn mutate(options: &MutateOptions) -> anyhow::Result<Exit> {
    require_sandbox(&options.machine)?;
    let stop = stop_on_interrupt()?;
    let program = Program::read(options)?;
    let mut report = MutateReport::new(program.operators.to_string(), program.warnings);
    let steps = Steps::new(options.json);
    let mut tests = 0;
    for part in &program.parts {
        let judging = judging(options, part, &program.scratch, &stop)?;
        tests += judge(&judging, part, &mut report, &steps)?;
    }
    steps.finish();
    report.interrupted = stop.load(Ordering::Acquire);
    if options.json {
        console::json(&report)?;
    } else {
        console::line(report.text().trim_end());
    }
    if report.interrupted {
        return Ok(Exit::Interrupted);
    }
    if tests == 0 {
        return Err(
            Failure::bad_input("no test passes without any mutant, so none can judge one").into()
        );
    }
    let is_below = |least: u32| report.score.is_some_and(|score| score < f64::from(least));
    Ok(if options.min_score.is_some_and(is_below) { Exit::FailuresFound } else { Exit::Done })
}

fn judging(
    options: &MutateOptions,
    part: &Part,
    scratch: &Arc<Scratch>,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<Judging> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(Judging {
        launcher: launcher(&options.machine)?,
        subject: part.subject.clone(),
        scratch: scratch.clone(),
        suite: part.suite.clone(),
        factor: options.timeout_factor,
        jobs: options.jobs.map_or(cores, usize::from),
        all_kills: options.all_kills,
        stop: stop.clone(),
    })
}

/// Judges the mutants of a part; how many tests did.
fn judge(
    judging: &Judging,
    part: &Part,
    report: &mut MutateReport,
    steps: &Steps,
) -> anyhow::Result<usize> {
    let measured: Vec<String> = part.classes.iter().map(|class| class.name.clone()).collect();
    let started = Instant::now();
    let baseline = judging.baseline(&measured, &mut |done, total| {
        steps.say("tests as they are", done, total);
    })?;
    let Some(baseline) = baseline else { return Ok(0) };
    report.add_tests(&baseline, started.elapsed());
    let started = Instant::now();
    let total = part.classes.iter().map(|class| class.mutants.len()).sum();
    let done = AtomicUsize::new(0);
    let judgements = judging.judge(&baseline, &part.classes, &|_, _| {
        steps.say("mutants", done.fetch_add(1, Ordering::Relaxed) + 1, total);
    })?;
    report.add_mutants(part, &baseline, &judgements, started.elapsed());
    Ok(baseline.tests.len())
}
