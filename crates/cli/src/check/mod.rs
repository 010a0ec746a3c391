//! `check`: runs a program or its tests with contracts checked, and says which were broken.
//!
//! What runs is the program itself, in a JVM of its own: `main` or the console launcher of JUnit, on
//! classes that check their contracts. Every violation is noted in a file by the checks (see
//! `runtime/contracts`), which is read when the JVM has ended: what the program makes of the error
//! that is thrown is its own affair.

mod child;
mod notes;
mod program;
mod report;
mod suite;
mod violation;

use std::sync::atomic::Ordering;

use crate::check_args::CheckOptions;
use crate::console;
use crate::exit::{Exit, require_sandbox};
use crate::generate::stop_on_interrupt;
use child::Confined;
pub(crate) use child::enclosed;
use program::Program;
use report::CheckReport;

pub(crate) fn check(options: &CheckOptions) -> anyhow::Result<Exit> {
    require_sandbox(&options.machine)?;
    let stop = stop_on_interrupt()?;
    let program = Program::read(options)?;
    for warning in &program.warnings {
        console::note(&format!("warning: {warning}"));
    }
    let mut ended = Vec::new();
    for run in &program.runs {
        if !stop.load(Ordering::Acquire) {
            ended.push(Confined::of(&program, run, options)?.run(&stop)?);
        }
    }
    let mut report = CheckReport::of(&program, &ended);
    report.interrupted = stop.load(Ordering::Acquire);
    if options.json {
        console::json(&report)?;
    } else {
        // Apart from what the program printed.
        let has_printed = options.main.is_some();
        console::line(&format!("{}{}", if has_printed { "\n" } else { "" }, report.text()));
    }
    Ok(exit_of(&report))
}

fn exit_of(report: &CheckReport) -> Exit {
    let has_failed = report.tests.as_ref().is_some_and(|tests| tests.failed > 0);
    if report.interrupted {
        Exit::Interrupted
    } else if has_failed || !report.violations.is_empty() {
        Exit::FailuresFound
    } else {
        Exit::Done
    }
}
