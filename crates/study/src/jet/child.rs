//! Has the program search, and reads what it counted.

use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;
use toolchain::Jdk;

use super::result::{JetFigures, JetQuestion, JetRun, JetRunOfClass, median};
use super::subjects::JET_SUBJECTS;
use crate::StudyError;
use crate::error::last_lines;

/// The part of `generate --json` that the study reads.
#[derive(Deserialize)]
struct Counted {
    classes: Vec<CountedClass>,
}

#[derive(Deserialize)]
struct CountedClass {
    name: String,
    attempts: Option<Attempts>,
}

#[derive(Deserialize)]
struct Attempts {
    total: u64,
    meaningful: u64,
    redundant: u64,
    meaningless: u64,
    failed: u64,
    milliseconds: f64,
    again: Vec<f64>,
}

/// A search to be made by a process of its own.
pub(super) struct Order<'a> {
    pub(super) program: &'a Path,
    pub(super) jdk: &'a Jdk,
    /// The source root.
    pub(super) sources: &'a Path,
    /// A folder for whatever the program writes.
    pub(super) folder: &'a Path,
}

impl Order<'_> {
    /// Makes all searches of a run.
    pub(super) fn run(&self, question: JetQuestion) -> Result<JetRun, StudyError> {
        let mut command = Command::new(self.program);
        command.args(["generate", "--json", "--declared", "--jobs", "1"]);
        command.arg("--jdk").arg(&self.jdk.home).arg("--source").arg(self.sources);
        command.args(question.variant.options());
        command.arg("--seed").arg(question.seed.to_string());
        command.arg("--search-only").arg(question.rounds.to_string());
        for subject in JET_SUBJECTS {
            command.arg("--class").arg(subject.class);
            command.arg("--attempts-of").arg(format!("{}={}", subject.class, subject.attempts));
        }
        command.arg("--out").arg(self.folder.join("tests")).env("TMPDIR", self.folder);
        let output =
            command.stdin(Stdio::null()).output().map_err(StudyError::io("run", self.program))?;
        // 1 says that failures were found in the code under test.
        if !matches!(output.status.code(), Some(0 | 1)) {
            return Err(StudyError::Program {
                program: "testhound generate",
                status: output.status.to_string(),
                output: last_lines(&String::from_utf8_lossy(&output.stderr), 20),
            });
        }
        let counted: Counted = serde_json::from_slice(&output.stdout)
            .map_err(StudyError::bad_output("the report of testhound generate"))?;
        read(&counted, question)
    }
}

fn read(counted: &Counted, question: JetQuestion) -> Result<JetRun, StudyError> {
    let mut classes = Vec::new();
    for subject in JET_SUBJECTS {
        let class = subject.class;
        let wrong = |reason: String| StudyError::BadOutput {
            what: "the report of testhound generate".to_owned(),
            reason,
        };
        let found = counted.classes.iter().find(|one| one.name == class);
        let attempts = found.and_then(|one| one.attempts.as_ref());
        let attempts = attempts
            .ok_or_else(|| wrong(format!("it does not tell of the attempts at {class}")))?;
        if attempts.total != subject.attempts {
            return Err(wrong(format!(
                "there were {} attempts at {class}, not {}",
                attempts.total, subject.attempts
            )));
        }
        let later = attempts.again.len() / 2;
        let figures = JetFigures {
            meaningful: attempts.meaningful,
            redundant: attempts.redundant,
            meaningless: attempts.meaningless,
            failed: attempts.failed,
            first: attempts.milliseconds,
            warm: median(attempts.again[later..].to_vec()),
        };
        classes.push(JetRunOfClass { class: class.to_owned(), figures });
    }
    Ok(JetRun { question, classes })
}
