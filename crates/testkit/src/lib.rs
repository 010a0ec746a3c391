//! What tests of several crates need: JDKs, `javac` and libraries from Maven Central, and damage to
//! documents.
//!
//! For tests only: whatever is missing is a panic that says so.

mod damage;

pub use damage::check_damaged;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;
use toolchain::{Maven, Transitive};

/// The homes of all JDKs at hand that have a compiler and modules, the oldest first.
///
/// # Panics
/// If there is none.
pub fn jdk_homes() -> Vec<PathBuf> {
    let mut jdks = toolchain::discover();
    jdks.retain(|jdk| jdk.has_compiler && jdk.home.join("lib/modules").is_file());
    jdks.sort_by_key(|jdk| jdk.version.feature);
    assert!(!jdks.is_empty(), "these tests need a JDK: set JAVA_HOME");
    jdks.into_iter().map(|jdk| jdk.home).collect()
}

/// Compiles source files to a directory of classes.
///
/// # Panics
/// If they do not compile.
pub fn compile(jdk_home: &Path, options: &[&str], files: &[PathBuf]) -> TempDir {
    let classes = tempfile::tempdir().expect("a temporary directory");
    let output = Command::new(jdk_home.join("bin/javac"))
        // The compiler is done before the JVM's best optimizer pays.
        .arg("-J-XX:TieredStopAtLevel=1")
        .args(options)
        .arg("-d")
        .arg(classes.path())
        .args(files)
        // This process may stand in a folder that a test beside has removed.
        .current_dir(classes.path())
        .output()
        .expect("javac runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    classes
}

/// Compiles one source file, given as its name and text, to a directory of classes.
///
/// # Panics
/// If it does not compile.
pub fn compile_text(jdk_home: &Path, options: &[&str], file: &str, text: &str) -> TempDir {
    let sources = tempfile::tempdir().expect("a temporary directory");
    let path = sources.path().join(file);
    std::fs::write(&path, text).expect("a file in it");
    compile(jdk_home, options, &[path])
}

/// A library from Maven Central, by `group:artifact:version`, without what it depends on.
///
/// # Panics
/// If Maven cannot get it.
pub fn library(coordinates: &str) -> PathBuf {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let maven = Maven::find(None).expect("these tests need Maven");
    let jars = toolchain::resolve(&maven, &[coordinates], Transitive::No);
    let jars = jars.unwrap_or_else(|error| panic!("{coordinates}: {error}"));
    jars.into_iter().next().unwrap_or_else(|| panic!("{coordinates} has no jar"))
}
