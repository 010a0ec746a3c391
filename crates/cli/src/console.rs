//! Everything the program prints. Results go to standard output, all else to standard error.
#![expect(clippy::print_stderr, reason = "the one module that prints")]

use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use model::ClassName;
use serde::Serialize;

use crate::args::Keep;
use crate::report::{ClassReport, Report};
use crate::summary::count;

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
    result(&format!("{text}\n"));
}

/// Whether everything that was to be said on standard output was taken.
pub(crate) fn is_heard() -> bool {
    !UNHEARD.load(Ordering::Relaxed)
}

/// Whether part of a result could not be written.
static UNHEARD: AtomicBool = AtomicBool::new(false);

/// One JSON object on standard output.
pub(crate) fn json<T: Serialize>(value: &T) -> anyhow::Result<()> {
    line(&serde_json::to_string(value)?);
    Ok(())
}

/// Part of a result. Whoever reads it may have read enough, as `head` does: the rest is for nobody.
fn result(text: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
        && error.kind() != ErrorKind::BrokenPipe
    {
        UNHEARD.store(true, Ordering::Relaxed);
        eprintln!("testhound: cannot write to standard output: {error}");
    }
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
        let found =
            found(self.tests.load(Ordering::Relaxed), self.failures.load(Ordering::Relaxed));
        let going_on = format!("{found}; {}: {share} % reached", class.local());
        self.say(LINE_EVERY, &going_on);
        self.bar.set_message(going_on);
    }

    /// A line where there is no terminal, unless there was one a while ago.
    fn say(&self, every: Duration, found: &str) {
        let Ok(mut last) = self.last_line.lock() else { return };
        if self.plain && last.elapsed() >= every {
            *last = Instant::now();
            let elapsed = self.started.elapsed().as_secs();
            let classes = self.classes.load(Ordering::Relaxed);
            let all = count(self.total.load(Ordering::Relaxed) as usize, "class");
            eprintln!("{elapsed} s: {classes} of {all}, {found}");
        }
    }

    pub(crate) fn class_done(&self, class: &ClassReport) {
        let classes = self.classes.fetch_add(1, Ordering::Relaxed) + 1;
        let tests = self.tests.fetch_add(class.tests, Ordering::Relaxed) + class.tests;
        let failures = self.failures.fetch_add(class.failures, Ordering::Relaxed) + class.failures;
        self.bar.inc(1);
        let is_last = classes == self.total.load(Ordering::Relaxed);
        self.say(if is_last { Duration::ZERO } else { LINE_EVERY }, &found(tests, failures));
    }

    pub(crate) fn all_together(&self) {
        self.bar.set_message("all tests run together");
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Tests and, if there are any, failures.
fn found(tests: u32, failures: u32) -> String {
    let tests = count(tests as usize, "test");
    match failures {
        0 => tests,
        _ => format!("{tests}, {}", count(failures as usize, "failure")),
    }
}

/// The summary of a run, for people.
pub(crate) fn summary(report: &Report, keep: Keep) {
    result(&crate::summary::summary(report, keep));
}
