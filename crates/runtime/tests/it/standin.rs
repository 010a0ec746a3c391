//! The stand-in of JUnit means what the real one means.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::jdk;
use crate::junit;
use crate::machine::{folders, java, java_files, jdks};

/// The samples, compiled against JUnit or the stand-in.
struct Samples {
    class_path: String,
    classes: TempDir,
}

impl Samples {
    fn against(class_path: String) -> Samples {
        let classes = TempDir::new().expect("a temporary folder");
        let output = Command::new(jdk::javac().expect("a JDK"))
            .args(["--release", "17", "-nowarn", "-cp", &class_path, "-d"])
            .arg(classes.path())
            .args(java_files(&java("fixtures/samples")))
            .output()
            .expect("javac runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Samples { class_path, classes }
    }

    fn of_junit() -> &'static Samples {
        static SAMPLES: OnceLock<Samples> = OnceLock::new();
        SAMPLES.get_or_init(|| Samples::against(junit::class_path()))
    }

    fn of_standin() -> &'static Samples {
        static SAMPLES: OnceLock<Samples> = OnceLock::new();
        SAMPLES.get_or_init(|| {
            Samples::against(folders().standin().to_str().expect("UTF-8").to_owned())
        })
    }

    /// The lines that a class among them prints.
    fn print(&self, home: &Path, class: &str) -> Vec<String> {
        let mut entries: Vec<PathBuf> = std::env::split_paths(&self.class_path).collect();
        entries.push(self.classes.path().to_owned());
        let output = Command::new(home.join("bin/java"))
            .args(["-XX:TieredStopAtLevel=1", "-cp"])
            .arg(std::env::join_paths(entries).expect("split just now"))
            .arg(class)
            .output()
            .expect("java runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("samples are ASCII");
        text.lines().map(str::to_owned).collect()
    }
}

#[test]
fn samples_end_alike_with_both() {
    for home in jdks() {
        let real = Samples::of_junit().print(&home, "Samples");
        let ours = Samples::of_standin().print(&home, "Samples");
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
    let real: BTreeSet<String> = Samples::of_junit().print(home, "Overloads").into_iter().collect();
    let ours: BTreeSet<String> =
        Samples::of_standin().print(home, "Overloads").into_iter().collect();
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
