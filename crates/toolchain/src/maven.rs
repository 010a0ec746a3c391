//! Finds Maven and runs it.
//!
//! Runs are tried without network first, which is faster and works on a train; a run is repeated
//! with network only if Maven says that it missed something to download, so that an error in the
//! project is reported after one run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::{Jdk, ToolchainError, maven_log};

/// For the seconds that a run takes, optimizing Maven's own code costs more than it gains.
const QUICK_START: &str = "-XX:TieredStopAtLevel=1";

/// A Maven to run, and the JDK to run it with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maven {
    program: PathBuf,
    java_home: Option<PathBuf>,
}

impl Maven {
    /// The Maven whose program is at `program`.
    pub fn at(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), java_home: None }
    }

    /// The Maven of a project (`mvnw` in its directory, or above it while there are POMs), else
    /// `mvn` on `PATH`.
    pub fn find(project: Option<&Path>) -> Result<Self, ToolchainError> {
        let search = std::env::var_os("PATH").unwrap_or_default();
        Self::find_on(project, &search)
    }

    fn find_on(project: Option<&Path>, search: &OsString) -> Result<Self, ToolchainError> {
        let (wrapper, program) =
            if cfg!(windows) { ("mvnw.cmd", "mvn.cmd") } else { ("mvnw", "mvn") };
        let own = project
            .into_iter()
            .flat_map(Path::ancestors)
            .take_while(|directory| directory.join("pom.xml").is_file())
            .map(|directory| directory.join(wrapper));
        let on_path = std::env::split_paths(search).map(|directory| directory.join(program));
        let program = own.chain(on_path).find(|program| program.is_file());
        program.map(Self::at).ok_or(ToolchainError::NoMaven)
    }

    /// Runs on this JDK instead of the one Maven finds by itself.
    #[must_use]
    pub fn on(mut self, jdk: &Jdk) -> Self {
        self.java_home = Some(jdk.home.clone());
        self
    }

    /// The program.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Runs goals in a directory and waits; the error has Maven's own words.
    pub fn run(
        &self,
        directory: &Path,
        goals: &[&str],
        properties: &[(&str, &str)],
    ) -> Result<(), ToolchainError> {
        let mut output = self.start(directory, goals, properties, true)?;
        if !output.status.success() && maven_log::needs_network(&text(&output)) {
            output = self.start(directory, goals, properties, false)?;
        }
        if output.status.success() {
            return Ok(());
        }
        Err(ToolchainError::MavenFailed {
            command: format!("{} {}", self.program.display(), goals.join(" ")),
            directory: directory.to_owned(),
            message: maven_log::errors(&text(&output)),
        })
    }

    fn start(
        &self,
        directory: &Path,
        goals: &[&str],
        properties: &[(&str, &str)],
        offline: bool,
    ) -> Result<Output, ToolchainError> {
        let mut command = Command::new(&self.program);
        command.current_dir(directory).stdin(Stdio::null()).args(["-q", "-B"]);
        command.arg("-Dstyle.color=never").args(offline.then_some("-o")).args(goals);
        command.args(properties.iter().map(|(name, value)| format!("-D{name}={value}")));
        if std::env::var_os("MAVEN_OPTS").is_none() {
            command.env("MAVEN_OPTS", QUICK_START);
        }
        if let Some(home) = &self.java_home {
            command.env("JAVA_HOME", home);
        }
        command.output().map_err(ToolchainError::io("run", &self.program))
    }
}

fn text(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    format!("{out}\n{err}")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_wrapper_of_a_project_comes_before_path() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let module = directory.path().join("module");
        let bin = directory.path().join("bin");
        for made in [&module, &bin] {
            fs::create_dir(made).expect("a directory");
        }
        for file in ["pom.xml", "module/pom.xml", "bin/mvn"] {
            fs::write(directory.path().join(file), "").expect("a file");
        }
        let search = bin.clone().into_os_string();
        let found = || Maven::find_on(Some(&module), &search).map(|maven| maven.program);
        assert_eq!(found().expect("on the path"), bin.join("mvn"));
        fs::write(directory.path().join("mvnw"), "").expect("a file");
        assert_eq!(found().expect("in the project"), directory.path().join("mvnw"));
        let error = Maven::find_on(None, &OsString::new()).expect_err("none");
        assert_eq!(
            error.to_string(),
            "no Maven found: neither `mvnw` in the project nor `mvn` on PATH"
        );
    }
}
