//! Tests of different classes hold in one JVM, whichever runs first.

use crate::fixture::Fixture;
use crate::junit;
use crate::run::Generate;

/// Settings of Jupiter for the order of classes.
pub const BY_CLASS_NAME: &str =
    "junit.jupiter.testclass.order.default=org.junit.jupiter.api.ClassOrderer$ClassName";
const AT_RANDOM: &str =
    "junit.jupiter.testclass.order.default=org.junit.jupiter.api.ClassOrderer$Random";

/// Each class by itself has tests that another's tests make fail.
#[test]
fn the_classes_of_the_fixture_do_not_get_along() {
    let fixture = Fixture::shared("together");
    let run = |class: &str| Generate::on(&fixture).with(["--class", class]).run();
    let (generated, other) = (run("together.Defaults"), run("together.Joiner"));
    crate::fixture::copy(&other.out(), &generated.out());
    let verdict = junit::run(&fixture, &generated, &[BY_CLASS_NAME]);
    assert!(verdict.failed > 0, "{}", verdict.text);
}

#[test]
fn tests_that_depend_on_tests_of_other_classes_are_dropped_and_told() {
    let fixture = Fixture::shared("together");
    let run = |jobs: &str| Generate::on(&fixture).with(["--jobs", jobs]).run();
    let generated = run("2");
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    junit::assert_green(&fixture, &generated, &[]);
    junit::assert_green(&fixture, &generated, &[BY_CLASS_NAME]);
    for seed in 1..=3 {
        let seed = format!("junit.jupiter.execution.order.random.seed={seed}");
        junit::assert_green(&fixture, &generated, &[AT_RANDOM, &seed]);
    }
    let joiner = generated.class("together.Joiner");
    assert!(joiner["dropped"]["environment"].as_u64() > Some(0), "{joiner:#}");
    let notes = joiner["notes"].as_array().expect("notes");
    let is_told = |note: &serde_json::Value| {
        note.as_str().is_some_and(|note| note.contains("depends on tests of other classes: "))
    };
    assert!(notes.iter().any(is_told), "{joiner:#}");
    let source = &generated.files["together/JoinerTest.java"];
    assert!(source.contains(".size()") && !source.contains(".joined()"), "{source}");
    assert_eq!(source.matches("@Test").count() as u64, joiner["tests"].as_u64().expect("a count"));
    // A class that is left with nothing has no file.
    let renderer = generated.class("together.Renderer");
    assert_eq!(renderer["files"], serde_json::json!([]), "{renderer:#}");
    assert_eq!(renderer["branches"]["covered"], 0);
    assert!(renderer["dropped"]["environment"].as_u64() > Some(0), "{renderer:#}");
    let names: Vec<&str> = generated.files.keys().map(String::as_str).collect();
    assert_eq!(names, ["together/DefaultsTest.java", "together/JoinerTest.java"]);
    assert_eq!(generated.files, run("1").files, "with one worker");
}

#[test]
fn passing_tests_that_are_not_written_are_not_run_together() {
    let fixture = Fixture::shared("together");
    let generated = Generate::on(&fixture).with(["--keep", "fail"]).run();
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    assert!(generated.files.is_empty());
    assert!(generated.class("together.Renderer")["tests"].as_u64() > Some(0));
}
