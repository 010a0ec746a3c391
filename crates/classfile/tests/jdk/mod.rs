//! The JDKs of the machine, for tests that need real classes, `javac` or a JVM.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The home directories of the JDKs of the machine.
pub fn jdk_homes() -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> =
        std::env::var_os("JAVA_HOME").map(PathBuf::from).into_iter().collect();
    if let Some(path) = std::env::var_os("PATH") {
        let java = std::env::split_paths(&path).map(|folder| folder.join("java"));
        homes.extend(
            java.filter_map(|java| Some(fs::canonicalize(java).ok()?.parent()?.parent()?.into())),
        );
    }
    for folder in fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten() {
        homes.push(folder.path());
    }
    let mut real: Vec<PathBuf> = homes
        .into_iter()
        .filter(|home| home.join("bin/javac").exists())
        .filter_map(|home| fs::canonicalize(home).ok())
        .collect();
    real.sort();
    real.dedup();
    real
}

/// What holds the classes of `java.base` of a JDK: its jmod, or a directory in `scratch` with
/// what its `jimage` extracts.
pub fn java_base(home: &Path, scratch: &Path) -> PathBuf {
    let jmod = home.join("jmods/java.base.jmod");
    if jmod.exists() {
        return jmod;
    }
    let status = Command::new(home.join("bin/jimage"))
        .args(["extract", "--include", "regex:/java\\.base/.*", "--dir"])
        .args([scratch, &home.join("lib/modules")])
        .status()
        .expect("a JDK without jmods has jimage");
    assert!(status.success(), "jimage of {}", home.display());
    scratch.join("java.base")
}
