//! A defect of Testhound's own, met on one class, is told as such and costs no other class its tests.
//!
//! The defect is made by a JDK that no monitor can watch: one of its classes, which loads only when
//! code under test uses it, lacks the methods to be hooked. The worker sees that after the search.

use std::fs;
use std::process::Command;

use crate::fixture::Fixture;
use crate::run::Generate;

const OTHER_DRIVER_MANAGER: &str = "package java.sql;
public class DriverManager {
    public static int getLoginTimeout() {
        return 3;
    }
}";

#[test]
fn a_defect_met_on_one_class_is_told_and_costs_no_other_its_tests() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("java/sql/DriverManager.java");
    fs::create_dir_all(source.parent().expect("a folder")).expect("a folder");
    fs::write(&source, OTHER_DRIVER_MANAGER).expect("a source file");
    let patch = folder.path().join("patch");
    let jdk = toolchain::select(None, 17).expect("tests need a JDK");
    let compiled = Command::new(jdk.home.join("bin/javac"))
        .arg("--patch-module")
        .arg(format!("java.sql={}", folder.path().display()))
        .arg("-d")
        .args([&patch, &source])
        .output()
        .expect("javac can be started");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));

    let fixture = Fixture::shared("defects");
    let patched = format!("--jvm-arg=--patch-module=java.sql={}", patch.display());
    let generated = Generate::on(&fixture).with([&*patched]).run();
    assert_eq!(generated.said.code(), 70, "{}", generated.said.err);
    let met = generated.class("defects.UsesDrivers");
    assert_eq!(met["reasons"][0]["code"], "internal-error", "{met:#}");
    let notes = met["notes"].as_array().expect("notes");
    let told = |note: &serde_json::Value| {
        let note = note.as_str().unwrap_or_default();
        note.starts_with("internal error: ") && note.contains("java.sql.DriverManager")
    };
    assert!(notes.iter().any(told), "{met:#}");
    let other = generated.class("defects.Innocent");
    assert!(other["tests"].as_u64() > Some(0), "{other:#}");
    assert_eq!(other["reasons"], serde_json::json!([]), "{other:#}");
    // What was found before the defect showed, and does without it, is saved.
    let written = generated.files.values().any(|text| text.contains("UsesDrivers.timeout("));
    assert!(!written, "{:?}", generated.files);
    assert!(generated.files.contains_key("defects/InnocentTest.java"));
}

#[test]
fn workers_that_cannot_start_end_the_run() {
    let fixture = Fixture::shared("defects");
    let generated = Generate::on(&fixture).with(["--jvm-arg=-XX:NoSuchOption=1"]).run();
    assert_eq!(generated.said.code(), 70);
    assert!(generated.said.err.contains("workers cannot start"), "{}", generated.said.err);
    assert!(generated.files.is_empty());
}
