//! Everything the program prints. Results go to standard output, all else to standard error.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the one module that prints")]

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use model::ClassName;
use search::Reason;
use serde::Serialize;

use crate::args::Keep;
use crate::report::{Branches, ClassReport, Report};

/// An error with its causes.
pub(crate) fn error(error: &anyhow::Error) {
    eprint!("testhound: {error}");
    for cause in error.chain().skip(1) {
        eprint!(": {cause}");
    }
    eprintln!();
}

/// A word on what is being done.
pub(crate) fn note(text: &str) {
    eprintln!("{text}");
}

/// A line of a result.
pub(crate) fn line(text: &str) {
    println!("{text}");
}

/// One JSON object on standard output.
pub(crate) fn json<T: Serialize>(value: &T) -> anyhow::Result<()> {
    println!("{}", serde_json::to_string(value)?);
    Ok(())
}

/// How a run goes: a bar on a terminal, now and then a line elsewhere.
pub(crate) struct Progress {
    bar: ProgressBar,
    plain: bool,
    classes: AtomicU32,
    total: AtomicU32,
    tests: AtomicU32,
    failures: AtomicU32,
    started: Instant,
    last_line: Mutex<Instant>,
}

/// Between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

impl Progress {
    /// With `quiet`, nothing is shown unless standard error is a terminal.
    pub(crate) fn new(quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::hidden();
        if terminal {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        Self {
            bar,
            plain: !terminal && !quiet,
            classes: AtomicU32::new(0),
            total: AtomicU32::new(0),
            tests: AtomicU32::new(0),
            failures: AtomicU32::new(0),
            started: Instant::now(),
            last_line: Mutex::new(Instant::now()),
        }
    }

    pub(crate) fn start(&self, classes: usize) {
        self.total.store(classes as u32, Ordering::Relaxed);
        self.bar.set_length(classes as u64);
        let style = "{elapsed_precise} [{bar:30}] {pos}/{len} classes  {wide_msg}";
        if let Ok(style) = ProgressStyle::with_template(style) {
            self.bar.set_style(style.progress_chars("=> "));
        }
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }

    pub(crate) fn class_goes_on(&self, class: &ClassName, progress: worker::Progress) {
        let share = u64::from(progress.covered) * 100 / u64::from(progress.probes.max(1));
        self.bar.set_message(format!(
            "{} tests, {} failures; {}: {share} % reached",
            self.tests.load(Ordering::Relaxed),
            self.failures.load(Ordering::Relaxed),
            class.local(),
        ));
    }

    pub(crate) fn class_done(&self, class: &ClassReport) {
        let classes = self.classes.fetch_add(1, Ordering::Relaxed) + 1;
        let tests = self.tests.fetch_add(class.tests, Ordering::Relaxed) + class.tests;
        let failures = self.failures.fetch_add(class.failures, Ordering::Relaxed) + class.failures;
        self.bar.inc(1);
        if self.plain {
            let total = self.total.load(Ordering::Relaxed);
            let Ok(mut last) = self.last_line.lock() else { return };
            if last.elapsed() >= LINE_EVERY || classes == total {
                *last = Instant::now();
                let elapsed = self.started.elapsed().as_secs();
                eprintln!(
                    "{elapsed} s: {classes} of {total} classes, {tests} tests, {failures} failures"
                );
            }
        }
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Failures listed in a summary.
const MAX_SHOWN: usize = 10;

fn percent(count: Branches) -> String {
    if count.total == 0 {
        return "–".to_owned();
    }
    format!("{:.0} %", f64::from(count.covered) * 100.0 / f64::from(count.total))
}

/// The summary of a run, for people.
pub(crate) fn summary(report: &Report, keep: Keep) {
    let name_width =
        report.classes.iter().map(|c| c.name.chars().count()).max().unwrap_or(5).clamp(5, 70);
    println!(
        "{:name_width$}  {:>5}  {:>8}  {:>8}  {:>6}",
        "class", "tests", "branches", "lines", "fails"
    );
    for class in &report.classes {
        let failures = if class.failures == 0 { String::new() } else { class.failures.to_string() };
        println!(
            "{:name_width$}  {:>5}  {:>8}  {:>8}  {failures:>6}",
            class.name,
            class.tests,
            percent(class.branches),
            percent(class.lines),
        );
        for reason in class.reasons.iter().filter(|r| r.member.is_empty()) {
            println!("    {}: {}", reason.code.code(), reason.detail);
        }
    }
    println!();
    println!(
        "{} tests for {} classes, {} of branches ({} of {}), {} of lines",
        report.tests,
        report.classes.len(),
        percent(report.branches),
        report.branches.covered,
        report.branches.total,
        percent(report.lines),
    );
    untested_members(report);
    if report.dropped.total() > 0 {
        let dropped = report.dropped;
        println!(
            "{} tests were dropped: {} not reproducible in a fresh JVM, {} dependent on order or \
             environment, {} with effects outside the heap, {} not compilable, {} not writable",
            dropped.total(),
            dropped.unreproducible,
            dropped.environment,
            dropped.unsafe_effect,
            dropped.uncompilable,
            dropped.unwritable,
        );
    }
    for warning in &report.warnings {
        println!("warning: {warning}");
    }
    if report.failures > 0 {
        let option = if keep == Keep::Pass { "; --keep fail writes them as tests" } else { "" };
        println!("{} failures were found{option}:", report.failures);
        let all = report.classes.iter().flat_map(|c| c.failing.iter().map(move |f| (&c.name, f)));
        for (class, failing) in all.take(MAX_SHOWN) {
            println!("    {class}: {failing}");
        }
        if report.failures as usize > MAX_SHOWN {
            println!("    and {} more (--json lists all)", report.failures as usize - MAX_SHOWN);
        }
    }
    if report.interrupted {
        println!("interrupted: what was found until then is written");
    }
    if report.classes.iter().any(|c| !c.files.is_empty()) {
        println!("written to {}", report.out);
    }
}

/// Members without a test, counted by reason.
fn untested_members(report: &Report) {
    let mut by_code: BTreeMap<&'static str, (u32, &Reason)> = BTreeMap::new();
    for reason in report.classes.iter().flat_map(|c| &c.reasons) {
        if !reason.member.is_empty() {
            by_code.entry(reason.code.code()).or_insert((0, reason)).0 += 1;
        }
    }
    for (code, (count, example)) in by_code {
        println!("{count} members {code}, such as {} ({})", example.member, example.detail);
    }
}
