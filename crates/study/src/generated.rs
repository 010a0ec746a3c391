//! Has the program write tests and reads what it says about them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use model::ClassName;
use serde::{Deserialize, Serialize};
use toolchain::Jdk;

use crate::error::last_lines;
use crate::{Count, Coverage, StudyError};

/// The part of `generate --json` that the study reads.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Generated {
    pub(crate) tests: u32,
    pub(crate) failures: u32,
    pub(crate) classes: Vec<GeneratedClass>,
    pub(crate) dropped: BTreeMap<String, u32>,
    pub(crate) warnings: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct GeneratedClass {
    pub(crate) name: String,
    pub(crate) tests: u32,
    pub(crate) failures: u32,
    pub(crate) branches: Count,
    pub(crate) lines: Count,
    pub(crate) instructions: Count,
    measured: Vec<String>,
    /// The files written for it.
    pub(crate) files: Vec<String>,
    pub(crate) reasons: Vec<GeneratedReason>,
    pub(crate) dropped: BTreeMap<String, u32>,
    pub(crate) calls: u64,
    pub(crate) notes: Vec<String>,
}

impl GeneratedClass {
    /// The classes its coverage is of: itself, and those only it can reach. A class that could not
    /// even be instrumented has not listed itself, and counts all the same.
    pub(crate) fn measured(&self) -> Vec<ClassName> {
        let mut names = vec![ClassName::binary(&self.name)];
        let others = self.measured.iter().filter(|name| **name != self.name);
        names.extend(others.map(|name| ClassName::binary(name)));
        names
    }

    /// What JaCoCo measured of these classes together.
    pub(crate) fn jacoco(&self, measured: &BTreeMap<String, Coverage>) -> Coverage {
        let mut sum = Coverage::default();
        for name in self.measured() {
            sum += measured.get(name.as_internal()).copied().unwrap_or_default();
        }
        sum
    }

    /// What the program measured.
    pub(crate) fn own(&self) -> Coverage {
        Coverage { branches: self.branches, lines: self.lines, instructions: self.instructions }
    }
}

/// Why a class or member got no test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GeneratedReason {
    /// The code.
    pub code: String,
    /// The member; empty for the class.
    pub member: String,
    /// In words.
    pub detail: String,
}

/// What tests are asked for.
pub(crate) struct Request<'a> {
    pub(crate) program: &'a Path,
    pub(crate) jdk: &'a Jdk,
    pub(crate) jar: &'a Path,
    pub(crate) dependencies: &'a [PathBuf],
    /// Jars that only the tests may use.
    pub(crate) test_dependencies: &'a [PathBuf],
    pub(crate) classes: &'a [ClassName],
    pub(crate) time_per_class: f64,
    pub(crate) seed: u64,
    pub(crate) jobs: usize,
    pub(crate) without: &'a [String],
    pub(crate) out: &'a Path,
    /// Its temporary directory.
    pub(crate) temporary: &'a Path,
}

impl Request<'_> {
    /// Runs `testhound generate` and waits for it.
    pub(crate) fn run(&self) -> Result<Generated, StudyError> {
        let mut command = Command::new(self.program);
        command.args(["generate", "--json", "--junit", "5"]);
        command.arg("--jdk").arg(&self.jdk.home).arg("--classpath").arg(self.jar);
        for (option, jars) in
            [("--dependencies", self.dependencies), ("--test-dependencies", self.test_dependencies)]
        {
            let jars: Vec<String> = jars.iter().map(|path| path.display().to_string()).collect();
            if !jars.is_empty() {
                command.arg(option).arg(jars.join(":"));
            }
        }
        for class in self.classes {
            command.arg("--class").arg(class.to_binary());
        }
        command.arg("--time-per-class").arg(self.time_per_class.to_string());
        command.arg("--seed").arg(self.seed.to_string());
        command.arg("--jobs").arg(self.jobs.to_string());
        for component in self.without {
            command.arg("--without").arg(component);
        }
        command.arg("--out").arg(self.out).env("TMPDIR", self.temporary);
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
        serde_json::from_slice(&output.stdout)
            .map_err(StudyError::bad_output("the report of testhound generate"))
    }
}
