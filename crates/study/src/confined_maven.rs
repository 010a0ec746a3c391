//! Runs Maven on an emitted suite, as a whole under the sandbox's file rules.
//!
//! The suite runs without the effect monitor here, as it would on a user's machine; should a test
//! write or delete something, the sandbox keeps it to the project, where it is seen. The local
//! repository is only read: all that is needed is there before.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use toolchain::{Jdk, Maven};

use crate::StudyError;
use crate::error::last_lines;
use crate::project::Project;

/// A Maven whose runs can write only where they should.
#[derive(Clone, Debug)]
pub(crate) struct ConfinedMaven {
    /// This program, which confines itself and then becomes Maven.
    pub(crate) program: PathBuf,
    pub(crate) maven: Maven,
    pub(crate) jdk: Jdk,
}

/// Lines of a failed run that are told.
const TOLD_LINES: usize = 40;

/// How a run of Maven ended.
#[derive(Clone, Debug)]
pub(crate) struct MavenRun {
    /// What Maven said if it failed, in short.
    pub(crate) failure: Option<String>,
    /// All it said.
    pub(crate) log: String,
}

impl ConfinedMaven {
    /// Runs `mvn test`; red tests are no failure. `temporary` is Maven's own. Returns what Maven
    /// said if it failed.
    pub(crate) fn test(
        &self,
        project: &Project,
        temporary: &Path,
    ) -> Result<Option<String>, StudyError> {
        Ok(self.run(project, temporary, &["-Dmaven.test.failure.ignore=true", "test"])?.failure)
    }

    /// Runs Maven with these arguments in a project, below which it can write, and in `temporary`.
    pub(crate) fn run(
        &self,
        project: &Project,
        temporary: &Path,
        arguments: &[&str],
    ) -> Result<MavenRun, StudyError> {
        let maven = self.maven.program();
        let output = Command::new(&self.program)
            .arg("confined")
            .args([Path::new("--write"), project.root(), Path::new("--write"), temporary])
            .arg("--")
            .arg(maven)
            .args(["-B", "-o", "-Dstyle.color=never"])
            .args(arguments)
            .current_dir(project.root())
            .env("JAVA_HOME", &self.jdk.home)
            .env("MAVEN_OPTS", format!("-Djava.io.tmpdir={}", temporary.display()))
            .stdin(Stdio::null())
            .output()
            .map_err(StudyError::io("run", &self.program))?;
        let [out, err] = [&output.stdout, &output.stderr].map(|s| String::from_utf8_lossy(s));
        let log = format!("{out}\n{err}");
        let file = temporary.join("maven.log");
        std::fs::write(&file, &log).map_err(StudyError::io("write", &file))?;
        if output.status.success() {
            return Ok(MavenRun { failure: None, log });
        }
        let errors: Vec<&str> =
            log.lines().filter(|line| line.starts_with("[ERROR]")).take(TOLD_LINES).collect();
        let failure = if errors.is_empty() {
            format!("{}\n{}", output.status, last_lines(&log, TOLD_LINES))
        } else {
            errors.join("\n")
        };
        Ok(MavenRun { failure: Some(failure), log })
    }
}
