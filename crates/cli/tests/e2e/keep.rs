//! `--keep`: failing tests fail for the reason their comment gives.

use crate::fixture::Fixture;
use crate::junit;
use crate::run::{Generate, Generated};

fn generated(keep: &str) -> Generated {
    let generated = Generate::on(&Fixture::shared("failing")).with(["--keep", keep]).run();
    assert_eq!(generated.said.code(), 1, "failures are found either way: {}", generated.said.err);
    generated
}

#[test]
fn failures_are_counted_and_not_written_unless_asked_for() {
    let generated = generated("pass");
    assert!(generated.files.keys().all(|file| !file.contains("Failing")), "{:?}", generated.files);
    assert!(generated.said.json()["failures"].as_u64() >= Some(3), "{}", generated.said.out);
    junit::assert_green(&Fixture::shared("failing"), &generated, &[]);
}

#[test]
fn failing_tests_fail_for_the_reason_given() {
    let generated = generated("fail");
    let names: Vec<&str> = generated.files.keys().map(String::as_str).collect();
    assert_eq!(names, ["failing/RegisterFailingTest.java", "failing/VersionFailingTest.java"]);
    let verdict = junit::run(&Fixture::shared("failing"), &generated, &[]);
    assert_eq!(verdict.succeeded, 0, "{}", verdict.text);
    let report = generated.said.json();
    assert_eq!(report["failures"].as_u64(), Some(u64::from(verdict.failed)), "{}", verdict.text);
    let source = generated.sources();
    for (comment, symptom) in [
        ("equal objects must have equal hash codes", "AssertionFailedError: expected:"),
        ("java.lang.AssertionError", "java.lang.AssertionError: minor -"),
        ("NullPointerException", "because \"this.lines\" is null"),
    ] {
        let is_said = source.lines().any(|l| l.contains("//") && l.contains(comment));
        assert!(is_said, "{comment}\n{source}");
        assert!(verdict.text.contains(symptom), "{symptom}\n{}", verdict.text);
    }
}

#[test]
fn both_kinds_of_tests_go_to_files_of_their_own() {
    let generated = generated("both");
    let names: Vec<&str> = generated.files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "failing/RegisterFailingTest.java",
            "failing/RegisterTest.java",
            "failing/VersionFailingTest.java",
            "failing/VersionTest.java",
        ]
    );
    let verdict = junit::run(&Fixture::shared("failing"), &generated, &[]);
    let report = generated.said.json();
    assert_eq!(report["tests"].as_u64(), Some(u64::from(verdict.succeeded)), "{}", verdict.text);
    assert_eq!(report["failures"].as_u64(), Some(u64::from(verdict.failed)), "{}", verdict.text);
}
