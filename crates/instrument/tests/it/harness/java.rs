//! Calls of javac and java, each with a scratch directory.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What is told of comparisons: the real thing, for it must not change what code does.
const COMPARE: &str = include_str!("../../../../../runtime/boot/java/lang/TesthoundCompare.java");

/// The source of the runtime class, with a map of `size` bytes.
fn runtime_source(size: usize) -> String {
    include_str!("Testhound.java").replace("/*size*/", &size.to_string())
}

/// Compiles Java sources into `out`.
pub fn javac(home: &Path, options: &[&str], sources: &[PathBuf], out: &Path) {
    let output = Command::new(home.join("bin/javac"))
        .args(["-nowarn", "-proc:none", "-d"])
        .arg(out)
        .args(options)
        .args(sources)
        .output()
        .expect("a JDK has javac");
    assert!(output.status.success(), "javac: {}", String::from_utf8_lossy(&output.stderr));
}

/// Compiles one source, given as text, into `out`.
pub fn compile(home: &Path, options: &[&str], file: &str, text: &str, out: &Path) {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let source = scratch.path().join(file);
    fs::write(&source, text).expect("scratch is writable");
    javac(home, options, &[source], out);
}

/// Compiles the runtime class into `out`, which is then a patch of `java.base`.
pub fn compile_runtime(home: &Path, size: usize, out: &Path) {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let source = scratch.path().join("Testhound.java");
    fs::write(&source, runtime_source(size)).expect("scratch is writable");
    let compare = scratch.path().join("TesthoundCompare.java");
    // While a JVM boots, nothing can be asked for how many there are.
    let size = "Integer.getInteger(\"testhound.comparisons\", 16384)";
    fs::write(&compare, COMPARE.replace(size, "1 << 17")).expect("scratch is writable");
    // The source counts as part of the module that its directory patches.
    let patch = format!("java.base={}", scratch.path().display());
    javac(home, &["--patch-module", &patch], &[source, compare], out);
}

/// Runs a main class with `patches` over `java.base`.
pub fn java(
    home: &Path,
    patches: &[&Path],
    options: &[&str],
    class_path: &[&Path],
    arguments: &[&str],
) -> Output {
    let mut patch_option = OsString::from("java.base=");
    let join = |paths: &[&Path]| std::env::join_paths(paths).expect("no separator in the paths");
    patch_option.push(join(patches));
    Command::new(home.join("bin/java"))
        .arg("--patch-module")
        .arg(patch_option)
        .arg(format!("-XX:ErrorFile={}", patches[0].with_extension("error").display()))
        .args(options)
        .arg("-cp")
        .arg(join(class_path))
        .args(arguments)
        .output()
        .expect("a JDK has java")
}
