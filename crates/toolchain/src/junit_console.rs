//! The console launcher of the JUnit Platform, which runs test classes of any kind: JUnit 5 and later
//! by its Jupiter engine, JUnit 3 and 4 by its vintage engine, and whatever engines are on the class
//! path.
//!
//! One jar has the launcher and the engines, so it stands before what a project has of JUnit, and is
//! never older than that: the interfaces of newer releases serve tests that were written for older ones.

use std::path::{Path, PathBuf};

use crate::cache::Cache;
use crate::repository::Repository;
use crate::resolve::resolve_with;
use crate::{Maven, ToolchainError, Transitive, local_repository, version};

/// The launcher where nothing newer is asked for.
const USUAL: &str = "1.11.4";
/// What the vintage engine runs tests of JUnit 3 and 4 with.
const JUNIT_4: &str = "4.13.2";
const PLATFORM: &str = "org.junit.platform";
const CONSOLE: &str = "junit-platform-console-standalone";

/// What is put around the class path of tests to run them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JUnitConsole {
    /// The launcher, its engines and JUnit 4: before what tests need.
    pub first: Vec<PathBuf>,
    /// What those need: behind it, so that a project's own counts.
    pub last: Vec<PathBuf>,
}

impl JUnitConsole {
    /// The class with `main`.
    pub const MAIN: &str = "org.junit.platform.console.ConsoleLauncher";

    /// The launcher for tests with such a class path, downloaded if need be.
    pub fn find(class_path: &[PathBuf]) -> Result<Self, ToolchainError> {
        let version = version_for(class_path);
        let repository = local_repository().map(|root| Repository::at(&root));
        let jars = match repository.and_then(|repository| installed(&repository, &version)) {
            Some(jars) => jars,
            None => {
                let console = format!("{PLATFORM}:{CONSOLE}:{version}");
                let coordinates = [&*console, &*format!("junit:junit:{JUNIT_4}")];
                let cache = Cache::of_user();
                let found = Maven::find(None).and_then(|maven| {
                    resolve_with(&maven, &coordinates, Transitive::Yes, cache.as_ref())
                });
                found.map_err(|source| ToolchainError::NoJUnitConsole {
                    version,
                    source: Box::new(source),
                })?
            }
        };
        Ok(Self::of(jars))
    }

    fn of(jars: Vec<PathBuf>) -> Self {
        let is_junit = |jar: &PathBuf| {
            let name = jar.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with("junit"))
        };
        let (first, last) = jars.into_iter().partition(is_junit);
        Self { first, last }
    }

    /// The arguments of `java`, behind those for the JVM: runs these classes, or all in the folders if
    /// there are none, and has reports written.
    pub fn arguments(folders: &[PathBuf], classes: &[String], reports: &Path) -> Vec<String> {
        let mut arguments: Vec<String> = [
            Self::MAIN,
            "execute",
            "--disable-banner",
            "--disable-ansi-colors",
            "--details=none",
            "--fail-if-no-tests",
            // As it is asked for what there is, whatever its name.
            "--include-classname=.*",
        ]
        .map(str::to_owned)
        .into();
        arguments.push(format!("--reports-dir={}", reports.display()));
        if classes.is_empty() {
            let folders: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
            arguments.push(format!("--scan-class-path={}", folders.join(":")));
        }
        arguments.extend(classes.iter().map(|class| format!("--select-class={class}")));
        arguments
    }
}

fn installed(repository: &Repository, version: &str) -> Option<Vec<PathBuf>> {
    Some(vec![
        repository.jar(PLATFORM, CONSOLE, version)?,
        repository.jar("junit", "junit", JUNIT_4)?,
        repository.jar("org.hamcrest", "hamcrest-core", "1.3")?,
    ])
}

/// The version of the launcher: the usual one, or that of a newer JUnit on the class path.
fn version_for(class_path: &[PathBuf]) -> String {
    let of_jar = |jar: &PathBuf| {
        let name = jar.file_name()?.to_str()?.strip_suffix(".jar")?;
        let jupiter = name.strip_prefix("junit-jupiter-api-").or_else(|| {
            name.strip_prefix("junit-jupiter-engine-")
                .or_else(|| name.strip_prefix("junit-jupiter-params-"))
        });
        if let Some(jupiter) = jupiter {
            // Jupiter 5.x is released together with platform 1.x, later ones have one number.
            return Some(match jupiter.strip_prefix("5.") {
                Some(rest) => format!("1.{rest}"),
                None => jupiter.to_owned(),
            });
        }
        let parts = ["commons-", "engine-", "launcher-"];
        let platform = name.strip_prefix("junit-platform-")?;
        parts.iter().find_map(|part| platform.strip_prefix(part)).map(str::to_owned)
    };
    let found = class_path.iter().filter_map(of_jar).filter(|found| version::is_release(found));
    found.fold(
        USUAL.to_owned(),
        |best, found| {
            if version::compare(&found, &best).is_gt() { found } else { best }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_launcher_is_never_older_than_the_junit_of_the_tests() {
        let check = |jars: &[&str], version: &str| {
            let jars: Vec<PathBuf> =
                jars.iter().map(|jar| PathBuf::from(format!("/m/{jar}"))).collect();
            assert_eq!(version_for(&jars), version, "{jars:?}");
        };
        check(&[], USUAL);
        check(&["junit-4.13.2.jar", "junit-jupiter-api-5.9.3.jar"], USUAL);
        check(&["junit-jupiter-api-5.13.4.jar", "junit-platform-commons-1.13.4.jar"], "1.13.4");
        check(&["junit-jupiter-params-6.0.1.jar"], "6.0.1");
        check(&["junit-jupiter-api-5.99.0-M1.jar", "junit-jupiter-api.jar"], USUAL);
    }

    #[test]
    fn what_junit_needs_stands_behind_what_tests_need() {
        let jars = ["/m/junit-platform-console-standalone-1.11.4.jar", "/m/junit-4.13.2.jar"];
        let hamcrest = PathBuf::from("/m/hamcrest-core-1.3.jar");
        let first: Vec<PathBuf> = jars.iter().map(PathBuf::from).collect();
        let all = first.iter().chain([&hamcrest]).cloned().collect();
        assert_eq!(JUnitConsole::of(all), JUnitConsole { first, last: vec![hamcrest] });
    }
}
