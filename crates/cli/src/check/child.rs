//! The JVM that runs a program, confined as code under test is.
//!
//! This executable starts itself, confines itself and becomes `java`: nothing of the program runs
//! before the confinement is in force.

use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::Context;
use sandbox::{Policy, Processes};
use toolchain::{JUnitConsole, JUnitReport};

use super::notes::{self, Note};
use super::program::{Program, Run, What};
use crate::check_args::{CheckOptions, EnclosedOptions};
use crate::exit::{Exit, Failure};

/// A JVM that is about to run.
pub(super) struct Child {
    command: Command,
    /// What it may write to.
    folder: PathBuf,
    has_tests: bool,
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

impl Child {
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
        if options.json || has_tests {
            // Standard output is for what is told of the run.
            command.stdout(Stdio::from(std::io::stderr().as_fd().try_clone_to_owned()?));
        }
        if let Some(folder) = &run.folder {
            command.current_dir(folder);
        }
        Ok(Self { command, folder, has_tests })
    }

    /// Runs it to its end.
    pub(super) fn run(mut self) -> anyhow::Result<Ended> {
        let status = self.command.status().context("cannot start a JVM")?;
        let status = status_of(status);
        let notes = notes::read(&self.folder.join(NOTES))?;
        let tests = if self.has_tests { Some(self.tests(status)?) } else { None };
        Ok(Ended { status, notes, tests })
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
