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
fn calls_that_throw_for_invalid_input_are_in_no_test() {
    let fixture = Fixture::shared("library");
    let of = |more: &[&str]| {
        let generate = Generate::on(&fixture).with(["--class", "library.Parser"]);
        generate.with(more.iter().copied()).run()
    };
    assert!(of(&[]).sources().contains("assertThrows("));
    let valid = of(&["--invalid-exception", "java.lang.Exception"]);
    assert!(valid.class("library.Parser")["tests"].as_u64() > Some(0), "{}", valid.said.out);
    assert!(!valid.sources().contains("assertThrows("), "{}", valid.sources());
}

#[test]
fn the_summary_names_the_failing_tests_that_were_written() {
    let fixture = Fixture::shared("failing");
    let plain = |keep: &str| {
        let generate = Generate::plain(&fixture.classes()).with(["--steps", crate::run::STEPS]);
        generate.with(["--keep", keep]).run()
    };
    let failing = plain("fail");
    let out = &failing.said.out;
    assert!(out.contains("failing tests for 2 classes\n"), "{out}");
    assert!(!out.contains("branches") && !out.contains(" 0 "), "{out}");
    assert!(out.contains("2 files written to "), "{out}");
    let of_hash_code = "failing.Version.hashCode: equal objects must have equal hash codes [";
    let line = out.lines().find(|line| line.trim().starts_with(of_hash_code));
    let line = line.unwrap_or_else(|| panic!("no `{of_hash_code}` in {out}"));
    assert!(line.ends_with(" [failing/VersionFailingTest.java]"), "{line}");
    let passing = plain("pass");
    let out = &passing.said.out;
    assert!(out.contains("failures were found; --keep fail writes them as tests:\n"), "{out}");
    assert!(out.lines().any(|line| line.trim() == of_hash_code.trim_end_matches(" [")), "{out}");
    assert!(out.contains("2 files written to "), "{out}");
}

#[test]
fn each_failing_test_is_an_object_of_the_report() {
    let generated = generated("fail");
    let class = generated.class("failing.Version");
    let tests = class["failing_tests"].as_array().expect("a list");
    assert_eq!(Some(tests.len() as u64), class["failures"].as_u64());
    let source = &generated.files["failing/VersionFailingTest.java"];
    for test in tests {
        let text = |key: &str| test[key].as_str().unwrap_or_else(|| panic!("no {key}: {test}"));
        assert!(source.contains(&format!("void {}()", text("test"))), "{test}");
        assert!(!text("member").is_empty() && !text("what").is_empty(), "{test}");
        assert!(text("file").ends_with("failing/VersionFailingTest.java"), "{test}");
    }
}

#[test]
fn failing_tests_are_written_beside_a_users_own_tests() {
    let fixture = Fixture::shared("failing");
    let generate = Generate::on(&fixture).with(["--keep", "both"]);
    let own = generate.out().join("failing/VersionTest.java");
    std::fs::create_dir_all(own.parent().expect("a folder")).expect("a folder");
    std::fs::write(&own, "class VersionTest {}\n").expect("a file");
    let generated = generate.with(["--class", "failing.Version"]).run();
    assert_eq!(generated.said.code(), 1, "{}", generated.said.err);
    let names: Vec<&str> = generated.files.keys().map(String::as_str).collect();
    assert_eq!(names, ["failing/VersionFailingTest.java", "failing/VersionTest.java"]);
    assert_eq!(generated.files["failing/VersionTest.java"], "class VersionTest {}\n");
    let class = generated.class("failing.Version");
    assert_eq!(class["tests"], 0, "{class:#}");
    assert_ne!(class["failures"], 0, "{class:#}");
    let reasons = generated.reasons("failing.Version", "");
    assert!(reasons[0].starts_with("file-exists: failing/VersionTest.java exists"), "{reasons:?}");
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

#[test]
fn what_the_caller_gave_or_did_not_set_up_is_noise() {
    let fixture = Fixture::shared("noisy");
    let generated = |with: &[&str]| {
        let generate = Generate::on(&fixture).with(["--keep", "fail"]);
        generate.with(with.iter().copied()).run()
    };
    let quiet = generated(&[]);
    let report = quiet.said.json();
    assert_eq!(quiet.said.code(), 0, "{}", quiet.said.out);
    assert_eq!(report["noise"]["unset"].as_u64(), Some(1), "{}", quiet.said.out);
    let loud = generated(&["--with-noise", "unset"]);
    assert_eq!(loud.said.json()["failures"].as_u64(), Some(1), "{}", loud.said.out);
    let source = loud.sources();
    let comment = source.lines().filter_map(|line| line.trim().strip_prefix("// "));
    let comment = comment.collect::<Vec<_>>().join(" ");
    assert!(comment.contains("because \"this.paper\" is null"), "{source}");
    assert!(comment.ends_with(", although no null was given"), "{source}");
}
