//! `demo`, `doctor` and the help texts: what a newcomer meets first.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::fixture::{compile, copy, files_below, java_files};
use crate::project::passing_tests;
use crate::run::{Generate, say, testhound};

#[test]
fn the_demo_leaves_a_project_with_tests() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("shop");
    let said = say(testhound().arg("demo").arg("--out").arg(&out));
    assert_eq!(said.code(), 0, "{}", said.err);
    for part in [
        "tests for",
        "failures were found",
        "A test it wrote",
        "What it found wrong",
        "run `mvn test` there",
    ] {
        assert!(said.out.contains(part), "no `{part}` in: {}", said.out);
    }
    assert!(out.join("pom.xml").is_file());
    let tests = files_below(&out.join("src/test/java"));
    let ends_with = |end: &str| tests.iter().any(|f| f.display().to_string().ends_with(end));
    assert!(ends_with("FailingTest.java") && ends_with("AccountTest.java"), "{tests:?}");
    let written: String =
        tests.iter().map(|test| fs::read_to_string(test).expect("a test")).collect();
    for test in tests_of_the_readme() {
        assert!(written.contains(&test), "the README shows another test:\n{test}\n{written}");
    }
    // A second time, the folder is in use.
    let before = fs::read_to_string(out.join("pom.xml")).expect("a project file");
    let said = say(testhound().arg("demo").arg("--out").arg(&out));
    assert_eq!(said.code(), 2, "{}", said.err);
    assert!(said.err.contains("is not empty"), "{}", said.err);
    assert_eq!(fs::read_to_string(out.join("pom.xml")).expect("a project file"), before);
    let said = say(testhound().arg("demo").arg("--out").arg(out.join("pom.xml")));
    assert_eq!(said.code(), 2, "{}", said.err);
    assert!(said.err.contains("is a file"), "{}", said.err);
    assert_eq!(fs::read_to_string(out.join("pom.xml")).expect("a project file"), before);
}

/// The tests that the README of the project says were written for the demo.
fn tests_of_the_readme() -> Vec<String> {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = fs::read_to_string(readme).expect("a text");
    let block = readme.split("```java\n").nth(2).and_then(|rest| rest.split("```").next());
    let block = block.expect("the README shows a class and tests for it");
    let tests: Vec<String> = block.split("\n\n").map(|test| test.trim_end().to_owned()).collect();
    assert_eq!(tests.len(), 2, "{tests:?}");
    tests
}

#[test]
fn a_demo_that_is_not_kept_names_no_file() {
    let said = say(testhound().arg("demo"));
    assert_eq!(said.code(), 0, "{}", said.err);
    assert!(!said.out.contains("written to"), "{}", said.out);
    assert!(!said.out.contains("testhound-demo"), "{}", said.out);
    assert!(said.out.contains("With --out DIR the project and its tests are kept"), "{}", said.out);
}

/// What the demo's README says is found: with whatever seed, not by luck.
#[test]
fn the_demo_finds_what_its_readme_says() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo");
    let text = fs::read_to_string(demo.join("README.md")).expect("a text");
    let (found, not_found) = text.split_once("is wrong and not found").expect("both kinds");
    let listed: BTreeSet<String> = found
        .lines()
        .filter_map(|line| line.strip_prefix("- `")?.split('`').next())
        .map(|member| format!("org.example.shop.{member}"))
        .collect();
    assert_eq!(listed.len(), 4, "{listed:?}");
    assert!(not_found.contains("`Account.transfer`"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    compile(&java_files(&demo), folder.path(), "");
    for seed in ["1", "2", "3"] {
        // The demo's own budget and components.
        let generate = Generate::plain(folder.path()).with(["--steps", "60000", "--json"]);
        let generate = generate.with(["--without", "impurity"]);
        let generated = generate.with(["--keep", "fail", "--seed", seed]).run();
        assert_eq!(generated.said.code(), 1, "{}", generated.said.err);
        let report = generated.said.json();
        let mut found = BTreeSet::new();
        for class in report["classes"].as_array().expect("a list") {
            for test in class["failing_tests"].as_array().expect("a list") {
                let text = |value: &Value| value.as_str().expect("a text").to_owned();
                found.insert(format!("{}.{}", text(&class["name"]), text(&test["member"])));
            }
        }
        assert_eq!(found, listed, "with seed {seed}");
    }
}

#[test]
fn the_demo_needs_only_a_jdk() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let jdk = toolchain::select(None, 17).expect("tests need a JDK");
    let mut command = testhound();
    command.arg("demo").env("HOME", home.path()).env("PATH", home.path());
    command.env("JAVA_HOME", jdk.home);
    for variable in ["XDG_CACHE_HOME", "MAVEN_HOME", "M2_HOME", "MAVEN_OPTS"] {
        command.env_remove(variable);
    }
    let said = say(&mut command);
    assert_eq!(said.code(), 0, "{}", said.err);
    assert!(said.out.contains("were checked with a stand-in"), "{}", said.out);
    assert!(said.out.contains("A test it wrote"), "{}", said.out);
    assert_eq!(fs::read_dir(home.path()).expect("a folder").count(), 0, "HOME is left alone");
}

#[test]
fn the_demo_project_is_green_under_maven() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("shop");
    let said = say(testhound().args(["demo", "--json", "--out"]).arg(&out));
    assert_eq!(said.code(), 0, "{}", said.err);
    let report = said.json();
    assert!(report["tests"].as_u64() > Some(10) && report["failures"].as_u64() > Some(0));
    assert!(report["branches"]["covered"].as_u64() > Some(0));
    // What the user is told to do next works.
    let without_failing = ["-Dtest=*Test,!*FailingTest"];
    assert_eq!(Some(passing_tests(&out, &without_failing)), report["tests"].as_u64());
}

#[test]
fn the_doctor_lists_every_part() {
    let said = say(testhound().args(["doctor", "--json"]));
    assert_eq!(said.code(), 0, "{}", said.out);
    let diagnosis = said.json();
    assert_eq!(diagnosis["ok"], true);
    let checks = diagnosis["checks"].as_array().expect("a list");
    let parts: Vec<&str> = checks.iter().filter_map(|f| f["part"].as_str()).collect();
    let expected = [
        "JDK",
        "effect monitor",
        "all JDKs",
        "Maven",
        "JUnit 5",
        "JUnit 4",
        "Mockito",
        "sandbox: files (Landlock)",
        "sandbox: system calls (seccomp)",
        "sandbox: signals",
        "sandbox: private network",
    ];
    assert_eq!(parts, expected);
    let plain = say(testhound().arg("doctor"));
    assert!(plain.out.ends_with("Testhound can write tests here.\n"), "{}", plain.out);
}

#[test]
fn the_doctor_misses_a_jdk() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let said = say(testhound().arg("doctor").arg("--jdk").arg(folder.path()));
    assert_eq!(said.code(), 3, "{}", said.out);
    assert!(said.out.starts_with("MISSING  JDK: "), "{}", said.out);
    let said = say(testhound().args(["doctor", "--json", "--jdk"]).arg(folder.path()));
    assert_eq!(said.code(), 3, "{}", said.out);
    let diagnosis = said.json();
    assert_eq!(diagnosis["ok"], false);
    assert_eq!(diagnosis["checks"][0]["ok"], false);
}

/// What a command says of itself, whatever the width of the terminal that the tests run in.
fn help(args: &[&str]) -> String {
    let said = say(testhound().args(args).env_remove("COLUMNS"));
    assert_eq!(said.code(), 0, "{}", said.err);
    said.out
}

#[test]
fn help_is_as_reviewed() {
    insta::assert_snapshot!("help", help(&["--help"]));
    insta::assert_snapshot!("help-canon", help(&["canon", "--help"]));
    insta::assert_snapshot!("help-generate", help(&["generate", "--help"]));
    insta::assert_snapshot!("help-check", help(&["check", "--help"]));
    insta::assert_snapshot!("help-compare", help(&["compare", "--help"]));
    insta::assert_snapshot!("help-mutate", help(&["mutate", "--help"]));
    insta::assert_snapshot!("help-demo", help(&["demo", "--help"]));
    insta::assert_snapshot!("help-doctor", help(&["doctor", "--help"]));
    insta::assert_snapshot!("help-confined", help(&["confined", "--help"]));
    insta::assert_snapshot!("help-space", help(&["space", "--help"]));
    insta::assert_snapshot!("help-space-density", help(&["space", "density", "--help"]));
}

#[test]
fn confinement_holds_for_whole_programs() {
    // The other tests rely on it when they run emitted tests and Maven.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (inside, outside) = (folder.path().join("inside"), folder.path().join("outside"));
    copy(&crate::fixture::source_folder("untestable"), &inside);
    copy(&crate::fixture::source_folder("untestable"), &outside);
    let files = files_below(&outside);
    let said = say(testhound()
        .arg("confined")
        .arg("--write")
        .arg(&inside)
        .args(["--", "rm", "-rf"])
        .args([&inside.join("OnlyPrivate.java"), &outside]));
    assert_ne!(said.code(), 0);
    assert_eq!(files_below(&outside), files);
    assert!(!inside.join("OnlyPrivate.java").exists());
}

#[test]
fn confinement_names_what_it_cannot_find() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let absent = folder.path().join("absent");
    let said = say(testhound().arg("confined").arg("--write").arg(&absent).args(["--", "true"]));
    assert_eq!(said.code(), 2, "{}", said.err);
    assert!(said.err.contains("--write `") && said.err.contains("absent"), "{}", said.err);
    let said = say(testhound().args(["confined", "--"]).arg(&absent));
    assert_eq!(said.code(), 2, "{}", said.err);
    assert!(said.err.contains("cannot run `") && said.err.contains("absent"), "{}", said.err);
}
