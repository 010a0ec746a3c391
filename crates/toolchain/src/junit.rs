//! Which JUnit a project tests with, and whether its build runs it.
//!
//! Surefire runs Jupiter tests since 2.22; an older one, which old versions of Maven bind by
//! default, skips them without a word, so that is an error here.

use std::fmt;

use crate::{Dependency, ToolchainError, version};

/// A generation of JUnit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JUnitKind {
    /// JUnit 4: `org.junit.Test`.
    JUnit4,
    /// JUnit 5 and later: `org.junit.jupiter.api.Test`.
    Jupiter,
}

/// The JUnit on a project's test class path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JUnitOnPath {
    /// Its generation.
    pub kind: JUnitKind,
    /// Its version.
    pub version: String,
}

impl fmt::Display for JUnitOnPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JUnit {}", self.version)
    }
}

/// First of the Surefire versions that run Jupiter tests.
const SUREFIRE_WITH_JUPITER: &str = "2.22.0";

/// What a project without JUnit should add.
const JUPITER_DEPENDENCY: &str = "\
<dependency>
  <groupId>org.junit.jupiter</groupId>
  <artifactId>junit-jupiter</artifactId>
  <version>5.13.4</version>
  <scope>test</scope>
</dependency>";

/// What a project with an old Surefire should add.
const SUREFIRE_PLUGIN: &str = "\
<plugin>
  <groupId>org.apache.maven.plugins</groupId>
  <artifactId>maven-surefire-plugin</artifactId>
  <version>3.5.4</version>
</plugin>";

/// The JUnit to write tests for in `project`: Jupiter if it is there and run, else JUnit 4.
pub(crate) fn on_path(
    project: &str,
    dependencies: &[Dependency],
    surefire: Option<&str>,
) -> Result<JUnitOnPath, ToolchainError> {
    let version_of = |group: &str, artifact: &str| {
        let found = dependencies.iter().find(|d| d.group == group && d.artifact == artifact);
        found.map(|dependency| dependency.version.clone())
    };
    let junit4 = || {
        let version = version_of("junit", "junit")?;
        version::at_least(&version, "4").then_some(JUnitOnPath { kind: JUnitKind::JUnit4, version })
    };
    let too_old = surefire.filter(|version| !version::at_least(version, SUREFIRE_WITH_JUPITER));
    let Some(jupiter) = version_of("org.junit.jupiter", "junit-jupiter-api") else {
        return junit4().ok_or_else(|| {
            let mut snippet = JUPITER_DEPENDENCY.to_owned();
            if too_old.is_some() {
                snippet.push_str(
                    "\nand this to its <build><plugins>, for the one it has is too old:\n",
                );
                snippet.push_str(SUREFIRE_PLUGIN);
            }
            ToolchainError::NoJUnit { project: project.to_owned(), snippet }
        });
    };
    match too_old {
        Some(surefire) => junit4().ok_or_else(|| ToolchainError::SurefireTooOld {
            project: project.to_owned(),
            junit: jupiter,
            surefire: surefire.to_owned(),
            snippet: SUREFIRE_PLUGIN.to_owned(),
        }),
        None => Ok(JUnitOnPath { kind: JUnitKind::Jupiter, version: jupiter }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scope;

    fn check(jars: &[(&str, &str, &str)], surefire: &str, expected: Result<&str, &str>) {
        let dependencies: Vec<Dependency> = jars
            .iter()
            .map(|(group, artifact, version)| Dependency {
                group: (*group).to_owned(),
                artifact: (*artifact).to_owned(),
                version: (*version).to_owned(),
                scope: Scope::Test,
                file: "x.jar".into(),
            })
            .collect();
        match (on_path("p", &dependencies, Some(surefire)), expected) {
            (Ok(junit), Ok(version)) => assert_eq!(junit.version, version),
            (Err(error), Err(part)) => {
                assert!(error.to_string().contains(part), "{error}");
            }
            (outcome, expected) => panic!("{outcome:?}, expected {expected:?}"),
        }
    }

    const JUNIT_3: (&str, &str, &str) = ("junit", "junit", "3.8.1");
    const JUNIT_4: (&str, &str, &str) = ("junit", "junit", "4.13.2");
    const JUPITER: (&str, &str, &str) = ("org.junit.jupiter", "junit-jupiter-api", "5.11.4");

    #[test]
    fn jupiter_is_preferred_where_surefire_runs_it() {
        check(&[JUNIT_4, JUPITER], "3.2.5", Ok("5.11.4"));
        check(&[JUNIT_4, JUPITER], "2.12.4", Ok("4.13.2"));
        check(&[JUNIT_4], "2.12.4", Ok("4.13.2"));
        check(&[JUPITER], "2.22.0", Ok("5.11.4"));
    }

    #[test]
    fn what_to_add_is_told() {
        check(&[JUPITER], "2.12.4", Err("<artifactId>maven-surefire-plugin</artifactId>"));
        check(&[], "3.2.5", Err("<artifactId>junit-jupiter</artifactId>"));
        check(&[], "2.12.4", Err("<artifactId>maven-surefire-plugin</artifactId>"));
        check(&[JUNIT_3], "3.2.5", Err("<artifactId>junit-jupiter</artifactId>"));
    }
}
