//! `canon`: tests that somebody wrote, in canonical form.
//!
//! A test class is rewritten to tell its calls, each of its tests is run alone in a worker, what it
//! told becomes a form, the forms of a class become a source file; that is compiled, rewritten and run
//! in the same way, and what does not do what its test did is left out.

mod bench;
mod class;
mod report;
mod seeds;
mod tests;

use std::sync::atomic::Ordering;

use ::canon::Form;

use crate::canon_args::{CanonOptions, FormNumber};
use crate::console;
use crate::exit::{Exit, require_sandbox};
use crate::generate::stop_on_interrupt;
use crate::output::Output;
use bench::Bench;
use report::CanonReport;
pub(crate) use seeds::Seeds;
pub(crate) use tests::Tests;

pub(crate) fn canon(options: &CanonOptions) -> anyhow::Result<Exit> {
    require_sandbox(&options.machine)?;
    let stop = stop_on_interrupt()?;
    let output = match &options.out {
        Some(out) => Some(Output::open(out, options.force)?),
        None => None,
    };
    let forms = forms(&options.forms);
    let tests = Tests::read(options)?;
    let mut bench = Bench::new(&tests, &options.machine)?;
    let chosen = tests.chosen(&options.tests, &mut bench)?;
    let mut report = CanonReport::default();
    for (class, found) in chosen {
        if stop.load(Ordering::Acquire) {
            report.interrupted = true;
            break;
        }
        if options.all {
            console::note(&format!("{class}"));
        }
        let converted = class::convert(&mut bench, &class, &found, &forms)?;
        for source in &converted.sources {
            match &output {
                Some(output) => {
                    let written = output.write(&source.path, &source.text)?;
                    report.files.push(written.display().to_string());
                }
                None if !options.all && !options.json => console::line(&source.text),
                None => {}
            }
        }
        report.add(converted);
    }
    if options.json {
        console::json(&report)?;
    } else if options.all || output.is_some() {
        console::line(&report.text());
    } else {
        report.refusals().for_each(|line| console::note(&line));
    }
    Ok(if report.interrupted {
        Exit::Interrupted
    } else if !options.all && report.converted < report.tests {
        Exit::FailuresFound
    } else {
        Exit::Done
    })
}

/// The forms asked for, each once.
fn forms(numbers: &[FormNumber]) -> Vec<Form> {
    if numbers.is_empty() {
        return vec![Form::Third];
    }
    let of = |number: &FormNumber| match number {
        FormNumber::One => Form::First,
        FormNumber::Two => Form::Second,
        FormNumber::Three => Form::Third,
    };
    Form::ALL.into_iter().filter(|form| numbers.iter().any(|number| of(number) == *form)).collect()
}
