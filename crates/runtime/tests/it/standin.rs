//! The stand-in of JUnit means what the real one means.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::junit;
use crate::machine::{folders, java, java_files, jdks};

/// Compiles the samples against a class path and returns what a class among them prints.
fn output_of(home: &Path, class: &str, class_path: &str) -> Vec<String> {
    let classes = TempDir::new().expect("a temporary folder");
    let output = Command::new(home.join("bin/javac"))
        .args(["-nowarn", "-cp", class_path, "-d"])
        .arg(classes.path())
        .args(java_files(&java("fixtures/samples")))
        .output()
        .expect("javac runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut entries: Vec<PathBuf> = std::env::split_paths(class_path).collect();
    entries.push(classes.path().to_owned());
    let class_path = std::env::join_paths(entries).expect("split just now");
    let output = Command::new(home.join("bin/java"))
        .args(["-XX:TieredStopAtLevel=1", "-cp"])
        .arg(class_path)
        .arg(class)
        .output()
        .expect("java runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("samples are ASCII");
    text.lines().map(str::to_owned).collect()
}

fn standin() -> String {
    folders().standin().to_str().expect("UTF-8").to_owned()
}

#[test]
fn samples_end_alike_with_both() {
    for home in jdks() {
        let real = output_of(&home, "Samples", &junit::class_path());
        let ours = output_of(&home, "Samples", &standin());
        assert!(real.len() > 100, "samples were run: {}", real.len());
        for outcome in ["passed", "org.opentest4j.AssertionFailedError"] {
            assert!(real.iter().filter(|line| line.contains(outcome)).count() > 40, "{outcome}");
        }
        for (real, ours) in real.iter().zip(&ours) {
            assert_eq!(ours, real);
        }
        assert_eq!(ours.len(), real.len());
    }
}

#[test]
fn every_method_of_the_standin_is_one_of_junit() {
    let home = &jdks()[0];
    let real: BTreeSet<String> =
        output_of(home, "Overloads", &junit::class_path()).into_iter().collect();
    let ours: BTreeSet<String> = output_of(home, "Overloads", &standin()).into_iter().collect();
    let unknown: Vec<&String> = ours.difference(&real).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    // Without messages, no overload of these is missing: which one javac takes depends on all.
    let complete = ["assertEquals", "assertNotEquals", "assertArrayEquals", "assertThrows"];
    let missing: Vec<&String> = real
        .difference(&ours)
        .filter(|method| !method.contains("String") && !method.contains("Supplier"))
        .filter(|method| complete.iter().any(|name| method.contains(&format!(" {name}("))))
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
}
