//! Which failing tests fail because they call something else on the older release.
//!
//! Source that compiles against both releases can mean another overload in each. So tests are
//! compiled against the fixed release and run, as they are, on the one with the bug: what is not
//! there cannot be linked. The sources are those that compile against both, so that a missing class
//! does not keep the other tests of a file from being loaded.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::bench::{Bench, made};
use crate::project::Project;
use crate::{RedTest, StudyError, surefire};

/// What the JVM throws where something that was compiled against is not there.
const NOT_LINKED: [&str; 6] = [
    "NoSuchMethodError",
    "NoSuchFieldError",
    "NoClassDefFoundError",
    "AbstractMethodError",
    "IncompatibleClassChangeError",
    "IllegalAccessError",
];

/// Runs the tests as compiled against the fixed release, without compiling them again.
const RUN_ONLY: [&str; 3] = [
    "-Dmaven.test.failure.ignore=true",
    "org.jacoco:jacoco-maven-plugin:prepare-agent",
    "org.apache.maven.plugins:maven-surefire-plugin:test",
];

/// The names of tests that cannot be linked with the release of `buggy` when they are compiled in
/// `fixed`, a project with the same sources.
pub(super) fn unlinked(
    bench: &Bench,
    fixed: &Project,
    buggy: &Project,
    temporary: &Path,
) -> Result<Result<BTreeSet<String>, String>, StudyError> {
    let compiled = bench.confined().run(fixed, temporary, &["test-compile"])?;
    if let Some(failure) = compiled.failure {
        return Ok(Err(failure));
    }
    let classes = |project: &Project| project.target().join("test-classes");
    for folder in [classes(buggy), buggy.reports()] {
        std::fs::remove_dir_all(&folder).map_err(StudyError::io("delete", &folder))?;
    }
    copy_all(&classes(fixed), &classes(buggy))?;
    let run = bench.confined().run(buggy, temporary, &RUN_ONLY)?;
    if let Some(failure) = run.failure {
        return Ok(Err(failure));
    }
    let red = surefire::read(&buggy.reports())?.red;
    Ok(Ok(red.into_iter().filter(is_unlinked).map(|red| red.name).collect()))
}

/// An assertion that expects an exception tells of the other one in its message.
fn is_unlinked(red: &RedTest) -> bool {
    NOT_LINKED.iter().any(|error| red.exception.contains(error) || red.message.contains(error))
}

fn copy_all(from: &Path, to: &Path) -> Result<(), StudyError> {
    let mut folders = vec![PathBuf::new()];
    while let Some(inside) = folders.pop() {
        let folder = from.join(&inside);
        made(to.join(&inside))?;
        for entry in std::fs::read_dir(&folder).map_err(StudyError::io("read", &folder))? {
            let entry = entry.map_err(StudyError::io("read", &folder))?;
            let (path, inside) = (entry.path(), inside.join(entry.file_name()));
            if path.is_dir() {
                folders.push(inside);
            } else {
                std::fs::copy(&path, to.join(inside)).map_err(StudyError::io("copy", &path))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linkage_shows_in_the_exception_or_in_what_an_assertion_says_of_it() {
        let check = |exception: &str, message: &str, expected: bool| {
            let [name, message, exception] = ["t", message, exception].map(str::to_owned);
            assert_eq!(is_unlinked(&RedTest { name, message, exception }), expected);
        };
        check("java.lang.NoSuchMethodError", "'double a.B.pow(double, long)'", true);
        let wrapped = "expected: <a.E> but was: <java.lang.NoSuchMethodError>";
        check("org.opentest4j.AssertionFailedError", wrapped, true);
        check("org.opentest4j.AssertionFailedError", "expected: <1> but was: <2>", false);
        check("java.lang.StackOverflowError", "", false);
    }
}
