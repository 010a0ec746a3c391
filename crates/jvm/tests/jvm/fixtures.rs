//! The JDKs of the machine, and the Java classes the cases call.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use toolchain::Jdk;

/// The JDKs of the machine that the crate is for, oldest first.
pub fn jdks() -> Vec<Jdk> {
    let mut jdks: Vec<Jdk> = toolchain::discover();
    jdks.retain(|jdk| jdk.has_compiler && jdk.version.feature >= 17);
    jdks.sort_by_key(|jdk| jdk.version.feature);
    assert!(!jdks.is_empty(), "these tests need a JDK 17 or later: set JAVA_HOME");
    jdks
}

/// Compiles `tests/java` into a folder that goes away with the result.
pub fn compile(jdk: &Jdk) -> TempDir {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/fixture");
    let files: Vec<_> = std::fs::read_dir(&sources)
        .expect("the fixtures")
        .map(|entry| entry.expect("the fixtures").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "java"))
        .collect();
    let classes = tempfile::tempdir().expect("a temporary directory");
    let output = Command::new(jdk.program("javac"))
        .args(["-J-XX:TieredStopAtLevel=1", "-g", "-nowarn", "-XDignore.symbol.file", "-d"])
        .arg(classes.path())
        .args(files)
        .output()
        .expect("javac starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    classes
}
