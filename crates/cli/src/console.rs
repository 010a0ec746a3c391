//! Everything the program prints. Results go to standard output, all else to standard error.
#![expect(clippy::print_stderr, reason = "the one module that prints")]

use std::fmt;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use model::ClassName;
use serde::Serialize;

use crate::args::Keep;
use crate::report::{Branches, ClassReport, Report};
use crate::summary::{count, percent};

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

/// What a program prints that is run for the user, as it is; to standard error, if standard output is
/// for something else.
pub(crate) fn pass_on(bytes: &[u8], to_error: bool) {
    // Whoever reads it may have read enough; the program goes on all the same.
    let _ = if to_error {
        std::io::stderr().lock().write_all(bytes)
    } else {
        let mut out = std::io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush())
    };
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
    total: AtomicU32,
    done: Mutex<Done>,
    started: Instant,
    last_line: Mutex<Instant>,
}

/// What came of the classes that are done.
#[derive(Clone, Copy, Default)]
struct Done {
    classes: u32,
    tests: u32,
    failures: u32,
    branches: Branches,
}

/// The bar is narrow, so that on 80 columns there is room for what was found.
const STYLE: &str = "{elapsed_precise} [{bar:12}] {pos}/{len} classes  {wide_msg}";

/// Between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

impl Progress {
    /// With `quiet`, nothing is shown unless standard error is a terminal.
    pub(crate) fn new(quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::hidden();
        let style = ProgressStyle::with_template(STYLE).expect("a template that is good");
        bar.set_style(style.progress_chars("=> "));
        bar.set_message(Done::default().to_string());
        if terminal {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        Self {
            bar,
            plain: !terminal && !quiet,
            total: AtomicU32::new(0),
            done: Mutex::default(),
            started: Instant::now(),
            last_line: Mutex::new(Instant::now()),
        }
    }

    pub(crate) fn start(&self, classes: usize) {
        self.total.store(classes as u32, Ordering::Relaxed);
        self.bar.set_length(classes as u64);
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }

    pub(crate) fn class_goes_on(&self, class: &ClassName, progress: worker::Progress) {
        let share = u64::from(progress.covered) * 100 / u64::from(progress.probes.max(1));
        let (class, kept) = (class.local(), count(progress.kept as usize, "test"));
        let done = self.done();
        let going_on = format!("{done}; {class}: {share} % reached by {kept}");
        self.say(LINE_EVERY, done.classes, &going_on);
        self.bar.set_message(going_on);
    }

    fn done(&self) -> Done {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A line where there is no terminal, unless there was one a while ago.
    fn say(&self, every: Duration, classes: u32, found: &str) {
        let Ok(mut last) = self.last_line.lock() else { return };
        if self.plain && last.elapsed() >= every {
            *last = Instant::now();
            let elapsed = self.started.elapsed().as_secs();
            let all = count(self.total.load(Ordering::Relaxed) as usize, "class");
            eprintln!("{elapsed} s: {classes} of {all}, {found}");
        }
    }

    pub(crate) fn class_done(&self, class: &ClassReport) {
        let done = {
            let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
            done.add(class);
            *done
        };
        self.bar.inc(1);
        self.bar.set_message(done.to_string());
        let is_last = done.classes == self.total.load(Ordering::Relaxed);
        let every = if is_last { Duration::ZERO } else { LINE_EVERY };
        self.say(every, done.classes, &done.to_string());
    }

    pub(crate) fn all_together(&self) {
        self.bar.set_message(format!("{}; all tests run together", self.done()));
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Done {
    fn add(&mut self, class: &ClassReport) {
        self.classes += 1;
        self.tests += class.tests;
        self.failures += class.failures;
        self.branches.covered += class.branches.covered;
        self.branches.total += class.branches.total;
    }
}

/// Tests and, if there are any, what they cover of the branches, and failures.
impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&count(self.tests as usize, "test"))?;
        if self.branches.total > 0 {
            write!(f, ", {} covered", percent(self.branches))?;
        }
        match self.failures {
            0 => Ok(()),
            failures => write!(f, ", {}", count(failures as usize, "failure")),
        }
    }
}

/// How far a command has come that does one thing after the other.
pub(crate) struct Steps {
    bar: ProgressBar,
    is_plain: bool,
    last_line: Mutex<Instant>,
    started: Instant,
}

const STEPS_STYLE: &str = "{elapsed_precise} [{bar:12}] {pos}/{len} {wide_msg}";

impl Steps {
    /// With `quiet`, nothing is shown unless standard error is a terminal.
    pub(crate) fn new(quiet: bool) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::hidden();
        let style = ProgressStyle::with_template(STEPS_STYLE).expect("a template that is good");
        bar.set_style(style.progress_chars("=> "));
        if is_terminal {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        let now = Instant::now();
        Self { bar, is_plain: !is_terminal && !quiet, last_line: Mutex::new(now), started: now }
    }

    /// So many of so many are done of something.
    pub(crate) fn say(&self, what: &'static str, done: usize, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
        self.bar.set_message(what);
        let Ok(mut last) = self.last_line.lock() else { return };
        if self.is_plain && last.elapsed() >= LINE_EVERY {
            *last = Instant::now();
            eprintln!("{} s: {done} of {total} {what}", self.started.elapsed().as_secs());
        }
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The summary of a run, for people.
pub(crate) fn summary(report: &Report, keep: Keep) {
    result(&crate::summary::summary(report, keep));
}
