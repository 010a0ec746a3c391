//! What holds on one machine only is left out of tests, and no more than that.

use crate::fixture::Fixture;
use crate::junit;
use crate::run::{Generate, Generated};

fn generated(class: &str, options: &[&str]) -> Generated {
    let fixture = Fixture::shared("elsewhere");
    let class = format!("elsewhere.{class}");
    Generate::on(&fixture).with(["--class", &class]).with(options).run()
}

#[test]
fn a_test_loses_the_assertion_that_does_not_hold_elsewhere_and_keeps_the_others() {
    let generated = generated("Till", &[]);
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    let source = generated.sources();
    assert!(source.contains(".add("), "{source}");
    assert!(source.contains(".sum())"), "{source}");
    assert!(!source.contains("euros"), "{source}");
    let till = generated.class("elsewhere.Till");
    let notes = till["notes"].as_array().expect("notes");
    let is_told = |note: &serde_json::Value| {
        note.as_str().is_some_and(|note| note.contains("lost an assertion that does not hold: "))
    };
    let lost = notes.iter().filter(|note| is_told(note)).count();
    assert!(lost > 0, "{till:#}");
    assert_eq!(till["lost_assertions"], lost, "{till:#}");
    assert_eq!(generated.said.json()["lost_assertions"], lost);
    junit::assert_green(&Fixture::shared("elsewhere"), &generated, &[]);
}

#[test]
fn passing_tests_hold_without_assertions() {
    let generated = generated("Till", &[]);
    let source = generated.sources();
    assert!(!source.contains("assertTrue(Till.isChecked())"), "{source}");
    let dropped = &generated.class("elsewhere.Till")["dropped"];
    assert_eq!(dropped["environment"], 1, "the one of isChecked: {dropped}");
    let fixture = Fixture::shared("failing");
    let class = ["--class", "failing.Version"];
    let expected = ["--expected-exception", "java.lang.AssertionError"];
    let generated = Generate::on(&fixture).with(class).with(expected).run();
    let source = generated.sources();
    assert!(source.contains(".next()") && !source.contains("AssertionError"), "{source}");
}

#[test]
fn a_failing_test_fails_at_the_same_place_everywhere() {
    let generated = generated("Clerk", &["--keep", "fail"]);
    assert_eq!(generated.said.code(), 1, "{}", generated.said.err);
    let clerk = generated.class("elsewhere.Clerk");
    assert_eq!(clerk["failures"], 1, "{clerk:#}");
    assert_eq!(clerk["dropped"]["environment"], 1, "{clerk:#}");
    let source = generated.sources();
    assert!(source.contains(".stamp()") && !source.contains(".file()"), "{source}");
}

#[test]
fn tests_of_a_class_hold_as_junit_orders_them() {
    let generated = generated("Notes", &[]);
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    junit::assert_green(&Fixture::shared("elsewhere"), &generated, &[]);
}
