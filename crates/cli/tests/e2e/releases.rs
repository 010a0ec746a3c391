//! Classes that were compiled for an earlier Java get tests that compile for it.

use serde_json::Value;

use crate::fixture::{Fixture, compile_with, java_files};
use crate::junit::{assert_green, jars};
use crate::run::Generate;

/// What Java 8 did not have.
const NEWER: [&str; 7] =
    ["List.of(", "Set.of(", "Map.of(", "Path.of(", "readString", "writeString", "var "];

#[test]
fn classes_of_java_8_get_tests_of_java_8() {
    let jar_paths: Vec<String> = jars().iter().map(|jar| jar.display().to_string()).collect();
    let fixture = Fixture::of_release("typed", "8");
    let has_compiler = |jdk: &toolchain::Jdk| jdk.has_compiler && jdk.version.feature >= 17;
    for jdk in toolchain::discover().into_iter().filter(has_compiler) {
        let generate = Generate::plain(&fixture.classes());
        let generate = generate.with(["--steps", "20000", "--json", "--jdk"]);
        let generated = generate.with([&jdk.home]).run();
        let report = generated.said.json();
        let source = generated.sources();
        assert_eq!(report["dropped"]["uncompilable"], Value::from(0), "{report:#}");
        assert!(report["tests"].as_u64().is_some_and(|tests| tests > 20), "{report:#}");
        for newer in NEWER {
            assert!(!source.contains(newer), "{newer} in {source}");
        }
        let class_path = format!("{}:{}", fixture.classes().display(), jar_paths.join(":"));
        let tests = tempfile::tempdir().expect("a folder");
        let sources = java_files(&generated.out());
        compile_with(&["--release", "8"], &sources, tests.path(), &class_path);
        assert_green(&fixture, &generated, &[]);
    }
}

#[test]
fn lists_and_maps_are_filled_without_what_is_newer() {
    let fixture = Fixture::of_release("typed", "8");
    let generate = Generate::plain(&fixture.classes()).with(["--class", "typed.Ledger"]);
    let generated = generate.with(["--steps", "60000", "--json"]).run();
    let source = generated.sources();
    // By `put` or `putIfAbsent`.
    for written in ["Map<String, List<Integer>>", "List<Integer>", ".put"] {
        assert!(source.contains(written), "no {written} in {source}");
    }
    let branches = &generated.said.json()["branches"];
    assert_eq!(
        branches["covered"], branches["total"],
        "loops over empty lists miss some: {source}"
    );
}
