//! The JVM that runs a program, confined as code under test is.
//!
//! This executable starts itself, confines itself and becomes `java`: nothing of the program runs
//! before the confinement is in force.

use std::io::{BufRead, BufReader};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use sandbox::{Policy, Processes};
use toolchain::{JUnitConsole, JUnitReport};

use super::notes::{self, Note};
use super::program::{Program, Run, What};
use crate::check_args::{CheckOptions, EnclosedOptions};
use crate::console;
use crate::exit::{Exit, Failure};

/// A JVM that is about to run.
pub(super) struct Confined {
    command: Command,
    /// What it may write to.
    folder: PathBuf,
    has_tests: bool,
    is_json: bool,
}

/// A run that is over.
pub(super) struct Ended {
    /// What it ended with; as a shell has it, if a signal ended it.
    pub(super) status: i32,
    /// What its checks noted.
    pub(super) notes: Vec<Note>,
    /// What became of tests.
    pub(super) tests: Option<JUnitReport>,
}

impl Confined {
    pub(super) fn of(program: &Program, run: &Run, options: &CheckOptions) -> anyhow::Result<Self> {
        let folder = program.scratch.folder("program")?;
        for place in ["tmp", "reports"] {
            std::fs::create_dir(folder.join(place))?;
        }
        let java = program.jdk.program("java");
        let mut command = if options.machine.no_sandbox {
            Command::new(java)
        } else {
            let mut command = Command::new(std::env::current_exe()?);
            command.arg("enclosed").arg("--write").arg(&folder);
            for path in &options.write {
                let found = path.canonicalize().map_err(|error| {
                    let path = path.display();
                    Failure::bad_input(format!("--write `{path}` cannot be found: {error}"))
                })?;
                command.arg("--write").arg(found);
            }
            command.arg("--").arg(java);
            command
        };
        command.arg("-XX:-UsePerfData");
        command.arg(format!("-Djava.io.tmpdir={}", folder.join("tmp").display()));
        command.arg("-Dtesthound.contracts.tell=true");
        command.arg(format!("-Dtesthound.contracts.report={}", folder.join(NOTES).display()));
        command.args(&options.machine.jvm_args);
        let has_tests = matches!(run.what, What::Tests { .. });
        if has_tests {
            // As build tools run tests.
            command.arg("-ea");
        }
        command.arg("-cp").arg(&run.class_path);
        match &run.what {
            What::Main { class, arguments } => {
                command.arg(class).args(arguments);
            }
            What::Tests { folders, classes } => {
                let reports = folder.join("reports");
                command.args(JUnitConsole::arguments(folders, classes, &reports));
            }
        }
        if has_tests {
            // For what is told of them to be taken out.
            command.stdout(Stdio::piped());
        } else if options.json {
            // Standard output is for what is told of the run.
            command.stdout(Stdio::from(std::io::stderr().as_fd().try_clone_to_owned()?));
        }
        if let Some(folder) = &run.folder {
            command.current_dir(folder);
        }
        Ok(Self { command, folder, has_tests, is_json: options.json })
    }

    /// Runs it to its end, or until `stop` is set.
    pub(super) fn run(mut self, stop: &AtomicBool) -> anyhow::Result<Ended> {
        let mut child = self.command.spawn().context("cannot start a JVM")?;
        let out = child.stdout.take();
        let status = std::thread::scope(|scope| {
            let passing = out.map(|out| scope.spawn(|| self.pass_on(out)));
            let status = wait(&mut child, stop).context("cannot wait for a JVM")?;
            if let Some(passing) = passing {
                let passed = passing.join().unwrap_or_else(|panic| resume_unwind(panic));
                passed.context("cannot read what the tests print")?;
            }
            anyhow::Ok(status_of(status))
        })?;
        let notes = notes::read(&self.folder.join(NOTES))?;
        let tests = match self.has_tests {
            // What was cut short has no report.
            true if stop.load(Ordering::Acquire) => self.tests(status).ok(),
            true => Some(self.tests(status)?),
            false => None,
        };
        Ok(Ended { status, notes, tests })
    }

    /// Hands on what tests print, up to what JUnit says of them, which the report tells.
    fn pass_on(&self, out: ChildStdout) -> std::io::Result<()> {
        let mut out = BufReader::new(out);
        let (mut line, mut is_over) = (Vec::new(), false);
        // A line that is empty may be the one before its words.
        let mut held = 0;
        while out.read_until(b'\n', &mut line)? > 0 {
            is_over |= is_summary(&line);
            if line == b"\n" {
                held += 1;
            } else if !is_over {
                console::pass_on(&b"\n".repeat(held), self.is_json);
                console::pass_on(&line, self.is_json);
                held = 0;
            }
            line.clear();
        }
        Ok(())
    }

    fn tests(&self, status: i32) -> anyhow::Result<JUnitReport> {
        let report = JUnitReport::read(&self.folder.join("reports"))?;
        match status {
            0 | 1 => Ok(report),
            // What it was told to answer.
            2 => Err(Failure::bad_input("JUnit found no tests").into()),
            _ if report.run > 0 => Ok(report),
            status => {
                let message = format!("JUnit did not run the tests: it ended with status {status}");
                Err(Failure::bad_input(message).into())
            }
        }
    }
}

/// How long a program that is told to end may take for that.
const LAST_WORDS: Duration = Duration::from_secs(3);
/// How often it is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Waits for a process; once `stop` is set it is told to end, and after a while made to. Ctrl-C on a
/// terminal reaches it too, a signal for this process alone does not.
fn wait(child: &mut Child, stop: &AtomicBool) -> std::io::Result<ExitStatus> {
    let mut told: Option<Instant> = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        match told {
            None if stop.load(Ordering::Acquire) => {
                told = Some(Instant::now());
                // It has not been waited for, so the number is its own.
                kill(Pid::from_raw(child.id() as i32), Signal::SIGTERM)?;
            }
            Some(since) if since.elapsed() > LAST_WORDS => child.kill()?,
            _ => {}
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// Whether a line is the first that JUnit says when all tests have run.
fn is_summary(line: &[u8]) -> bool {
    let Ok(line) = str::from_utf8(line) else { return false };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let between = |start: &str, end: &str| {
        let rest = line.trim_end().strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
        rest.is_some_and(is_number)
    };
    between("Failures (", "):") || between("Test run finished after ", " ms")
}

/// The file that checks note violations in.
const NOTES: &str = "violations";

fn status_of(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default())
}

/// Confines this process as code under test is and becomes another program.
pub(crate) fn enclosed(options: &EnclosedOptions) -> anyhow::Result<Exit> {
    let (first, others) = options.write.split_first().context("no folder to write to")?;
    let policy = Policy::code_under_test(first).processes(Processes::Replace);
    let policy = others.iter().fold(policy, |policy, folder| policy.writable(Path::new(folder)));
    let (command, arguments) = options.command.split_first().context("no program given")?;
    // It returns only if it fails: else this process is the program now.
    Err(sandbox::exec(&policy, command, arguments).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_of_junit_is_known_by_its_first_line() {
        let check = |line: &str, expected: bool| {
            assert_eq!(is_summary(line.as_bytes()), expected, "{line}");
        };
        check("Failures (2):\n", true);
        check("Test run finished after 285 ms\n", true);
        check("Failures (two):\n", false);
        check("Failures ():\n", false);
        check("  Failures (2):\n", false);
    }
}
