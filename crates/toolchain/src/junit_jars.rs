//! Finds the jars that emitted tests compile against, where there is no project to ask.
//!
//! In this order: jars the user named, the class path of the classes under test, the local Maven
//! repository, a download by Maven. The first place that has all of them is taken.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::cache::Cache;
use crate::repository::Repository;
use crate::resolve::resolve_with;
use crate::{JUnitKind, Maven, ToolchainError, Transitive, local_repository};

/// Where to look for JUnit besides the machine's own places.
#[derive(Debug, Clone, Copy, Default)]
pub struct JUnitSources<'a> {
    /// Jars the user named; if there are any, they are used and nothing else is looked at.
    pub given: &'a [PathBuf],
    /// The class path of the classes under test.
    pub class_path: &'a [PathBuf],
}

/// The jars that tests for this JUnit compile against.
pub fn junit_jars(
    kind: JUnitKind,
    sources: JUnitSources<'_>,
) -> Result<Vec<PathBuf>, ToolchainError> {
    let repository = local_repository().map(|root| Repository::at(&root));
    find(kind, sources, repository.as_ref(), || {
        let coordinates = match kind {
            JUnitKind::JUnit4 => "junit:junit:4.13.2",
            JUnitKind::Jupiter => "org.junit.jupiter:junit-jupiter-api:5.11.4",
        };
        let maven = Maven::find(None)?;
        resolve_with(&maven, &[coordinates], Transitive::Yes, Cache::of_user().as_ref())
    })
}

/// As [`junit_jars`], without a download: `None` if they are nowhere on this machine.
pub fn installed_junit_jars(
    kind: JUnitKind,
    sources: JUnitSources<'_>,
) -> Result<Option<Vec<PathBuf>>, ToolchainError> {
    let repository = local_repository().map(|root| Repository::at(&root));
    match find(kind, sources, repository.as_ref(), || Err(ToolchainError::NoMaven)) {
        Ok(jars) => Ok(Some(jars)),
        Err(ToolchainError::NoJUnitJars { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The newest Mockito in the local Maven repository.
pub fn installed_mockito() -> Option<PathBuf> {
    local_repository().and_then(|root| Repository::at(&root).newest("org.mockito", "mockito-core"))
}

fn find(
    kind: JUnitKind,
    sources: JUnitSources<'_>,
    repository: Option<&Repository>,
    download: impl FnOnce() -> Result<Vec<PathBuf>, ToolchainError>,
) -> Result<Vec<PathBuf>, ToolchainError> {
    if !sources.given.is_empty() {
        return match missing_class(kind, sources.given)? {
            None => Ok(sources.given.to_vec()),
            Some(class) => Err(ToolchainError::IncompleteJUnitJars { class }),
        };
    }
    if let Some(jars) = on_class_path(kind, sources.class_path)? {
        return Ok(jars);
    }
    if let Some(jars) = repository.and_then(|repository| in_repository(kind, repository)) {
        return Ok(jars);
    }
    download().map_err(|source| ToolchainError::NoJUnitJars {
        version: match kind {
            JUnitKind::JUnit4 => 4,
            JUnitKind::Jupiter => 5,
        },
        looked: "the class path, the local Maven repository, Maven's download".to_owned(),
        source: Box::new(source),
    })
}

/// A class from each jar that tests need.
fn needed_classes(kind: JUnitKind) -> &'static [&'static str] {
    match kind {
        JUnitKind::JUnit4 => &["org/junit/Test.class", "org/hamcrest/Matcher.class"],
        JUnitKind::Jupiter => &[
            "org/junit/jupiter/api/Test.class",
            "org/opentest4j/AssertionFailedError.class",
            "org/junit/platform/commons/annotation/Testable.class",
            "org/apiguardian/api/API.class",
        ],
    }
}

/// The first needed class that none of the jars holds.
fn missing_class(
    kind: JUnitKind,
    jars: &[PathBuf],
) -> Result<Option<&'static str>, ToolchainError> {
    for class in needed_classes(kind) {
        if holder(jars, class)?.is_none() {
            return Ok(Some(class));
        }
    }
    Ok(None)
}

/// The parts of a class path that hold JUnit, if it has all of it.
fn on_class_path(
    kind: JUnitKind,
    class_path: &[PathBuf],
) -> Result<Option<Vec<PathBuf>>, ToolchainError> {
    // Java passes over what is not there.
    let parts: Vec<PathBuf> = class_path.iter().filter(|part| part.exists()).cloned().collect();
    let mut jars: Vec<PathBuf> = Vec::new();
    for class in needed_classes(kind) {
        match holder(&parts, class)? {
            None => return Ok(None),
            Some(part) if jars.contains(part) => {}
            Some(part) => jars.push(part.clone()),
        }
    }
    Ok(Some(jars))
}

/// The first part of a class path that holds a class.
fn holder<'a>(parts: &'a [PathBuf], class: &str) -> Result<Option<&'a PathBuf>, ToolchainError> {
    for part in parts {
        if holds(part, class)? {
            return Ok(Some(part));
        }
    }
    Ok(None)
}

fn holds(part: &Path, class: &str) -> Result<bool, ToolchainError> {
    if part.is_dir() {
        return Ok(part.join(class).is_file());
    }
    let jar = File::open(part).map_err(ToolchainError::io("open", part))?;
    let archive = zip::ZipArchive::new(jar).map_err(|error| ToolchainError::NotAJar {
        file: part.to_owned(),
        reason: error.to_string(),
    })?;
    Ok(archive.index_for_name(class).is_some())
}

/// The newest JUnit of the repository that is complete.
fn in_repository(kind: JUnitKind, repository: &Repository) -> Option<Vec<PathBuf>> {
    match kind {
        JUnitKind::JUnit4 => {
            let jar = repository.newest("junit", "junit")?;
            let hamcrest = repository
                .jar("org.hamcrest", "hamcrest-core", "1.3")
                .or_else(|| repository.newest("org.hamcrest", "hamcrest"))?;
            Some(vec![jar, hamcrest])
        }
        JUnitKind::Jupiter => {
            let jupiter = "org.junit.jupiter";
            let versions = repository.versions(jupiter, "junit-jupiter-api");
            versions.iter().find_map(|version| {
                // Jupiter 5.x is released together with platform 1.x.
                let platform = format!("1.{}", version.strip_prefix("5.")?);
                Some(vec![
                    repository.jar(jupiter, "junit-jupiter-api", version)?,
                    repository.newest("org.opentest4j", "opentest4j")?,
                    repository.jar("org.junit.platform", "junit-platform-commons", &platform)?,
                    repository.newest("org.apiguardian", "apiguardian-api")?,
                ])
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Empty files in a directory: classes of a class directory, or jars of a repository.
    fn files(directory: &Path, names: &[&str]) {
        for name in names {
            let path = directory.join(name);
            fs::create_dir_all(path.parent().expect("in the directory")).expect("a directory");
            fs::write(path, "").expect("a file");
        }
    }

    /// Looks for JUnit without a download; the outcome is file names, or the error.
    fn check(
        kind: JUnitKind,
        sources: JUnitSources<'_>,
        repository: &Path,
        expected: Result<&[&str], &str>,
    ) {
        let no_download = || Err(ToolchainError::NoMaven);
        let outcome = find(kind, sources, Some(&Repository::at(repository)), no_download);
        match (outcome, expected) {
            (Ok(jars), Ok(names)) => {
                let found: Vec<&str> =
                    jars.iter().filter_map(|jar| jar.file_name()?.to_str()).collect();
                assert_eq!(found, names);
            }
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
            (outcome, expected) => panic!("{outcome:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn the_newest_complete_junit_of_the_repository_is_taken() {
        let repository = tempfile::tempdir().expect("a temporary directory");
        let sources = JUnitSources::default();
        check(JUnitKind::Jupiter, sources, repository.path(), Err("name them with `--junit-jars`"));
        files(
            repository.path(),
            &[
                "org/junit/jupiter/junit-jupiter-api/5.9.3/junit-jupiter-api-5.9.3.jar",
                "org/junit/jupiter/junit-jupiter-api/5.10.1/junit-jupiter-api-5.10.1.jar",
                "org/junit/jupiter/junit-jupiter-api/5.12.0-M1/junit-jupiter-api-5.12.0-M1.jar",
                "org/junit/jupiter/junit-jupiter-api/5.11.0/junit-jupiter-api-5.11.0.pom",
                "org/junit/platform/junit-platform-commons/1.9.3/junit-platform-commons-1.9.3.jar",
                "org/opentest4j/opentest4j/1.3.0/opentest4j-1.3.0.jar",
                "org/apiguardian/apiguardian-api/1.1.2/apiguardian-api-1.1.2.jar",
            ],
        );
        let jars = [
            "junit-jupiter-api-5.9.3.jar",
            "opentest4j-1.3.0.jar",
            "junit-platform-commons-1.9.3.jar",
            "apiguardian-api-1.1.2.jar",
        ];
        check(JUnitKind::Jupiter, sources, repository.path(), Ok(&jars));
        check(JUnitKind::JUnit4, sources, repository.path(), Err("no jars of JUnit 4"));
    }

    #[test]
    fn the_class_path_comes_before_the_repository() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let classes = directory.path().join("classes");
        files(&classes, &["org/junit/Test.class", "org/hamcrest/Matcher.class"]);
        let class_path = [directory.path().join("gone.jar"), classes];
        let sources = JUnitSources { given: &[], class_path: &class_path };
        check(JUnitKind::JUnit4, sources, directory.path(), Ok(&["classes"]));
    }

    #[test]
    fn jars_the_user_named_must_be_complete() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        files(directory.path(), &["classes/org/junit/Test.class", "broken.jar"]);
        for (name, expected) in [
            ("classes", "no class `org/hamcrest/Matcher.class`"),
            ("broken.jar", "is not a jar"),
            ("absent.jar", "cannot open"),
        ] {
            let given = [directory.path().join(name)];
            let sources = JUnitSources { given: &given, class_path: &[] };
            check(JUnitKind::JUnit4, sources, directory.path(), Err(expected));
        }
    }
}
