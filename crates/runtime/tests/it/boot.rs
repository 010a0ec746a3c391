//! Coverage map, step budget and exit hook.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::jdk;
use crate::machine::{Jvm, jdks};

/// Boot classes in which `exited` is Java instead of native, and refuses all but status 99.
pub fn with_exits_refused(root: &TempDir) -> PathBuf {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/boot/java/lang");
    let native = "private static native boolean exited(int status);";
    let java = "private static boolean exited(int status) { return status != 99; }";
    let copies = root.path().join("sources/java/lang");
    fs::create_dir_all(&copies).expect("a folder");
    let classes = root.path().join("boot");
    let mut files = Vec::new();
    for (name, _) in runtime::boot_classes() {
        let file = format!("{}.java", name.rsplit('/').next().expect("a name"));
        let text = fs::read_to_string(sources.join(&file)).expect("a source of the boot classes");
        assert_eq!(text.contains(native), file == "Testhound.java");
        files.push(copies.join(&file));
        fs::write(copies.join(&file), text.replace(native, java)).expect("a copy");
    }
    let output = Command::new(jdk::javac().expect("a JDK"))
        .args(["--release", "17", "-XDstringConcat=inline", "--patch-module"])
        .arg(format!("java.base={}", root.path().join("sources").display()))
        .arg("-d")
        .arg(&classes)
        .args(files)
        .output()
        .expect("javac runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let order: Vec<&str> = runtime::boot_classes().iter().map(|(name, _)| *name).collect();
    fs::write(classes.join("order.txt"), order.join("\n")).expect("a list of classes");
    classes
}

#[test]
fn budget_stops_code_at_the_exact_step_and_keeps_stopping_it() {
    let expected = "\
map 128
loader null in module java.base
unlimited 1000000
limited 10
once more 0
swallowed 1000000, budget -1
stops 1000002
saturated true
afresh 3
no cause
java.lang.TesthoundStop: step budget used up 0 0
";
    for home in jdks() {
        let printed = Jvm::new(&home).option("-Dtesthound.map=128").run("Budget", &[]);
        assert_eq!(printed, expected);
    }
}

#[test]
fn map_has_65536_bytes_unless_told_otherwise() {
    for home in jdks() {
        let printed = Jvm::new(&home).run("Budget", &[]);
        assert!(printed.starts_with("map 65536\n"), "{printed}");
    }
}

#[test]
fn exit_throws_if_refused_and_returns_if_not() {
    let root = TempDir::new().expect("a temporary folder");
    let boot = with_exits_refused(&root);
    let expected = "\
java.lang.TesthoundExit: exit with status 3, status 3, exits 1
let through, exits 1
";
    for home in jdks() {
        assert_eq!(Jvm::new(&home).boot(&boot).run("Exit", &[]), expected);
    }
}
