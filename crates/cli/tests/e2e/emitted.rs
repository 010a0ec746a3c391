//! G1, G12: each kind of Java class gets tests, and they pass under the real JUnit.

use serde_json::Value;

use crate::fixture::Fixture;
use crate::junit::assert_green;
use crate::run::Generate;

/// Every class of the fixture, with the members that a test must call.
const LIBRARY: [(&str, &[&str]); 12] = [
    ("library.Colour", &[".isCalm()", ".mixedWith("]),
    ("library.Greeter", &[".greet()", "Greeter.of("]),
    ("library.Hidden", &[".countUp("]),
    ("library.Outer", &[".inner(", ".size()"]),
    ("library.Outer$Inner", &[".keep()", ".new Inner("]),
    ("library.Outer$Pair", &[".first()", ".larger("]),
    ("library.Parser", &[".parse(", "throws Exception", "assertThrows("]),
    ("library.Range", &[".contains(", "new Range("]),
    ("library.Shape", &[".isLargerThan(", "new Square("]),
    ("library.Square", &["new Square(", ".area()"]),
    ("library.Stack", &[".push(", ".pop()", "Stack<"]),
    ("library.Sums", &["Sums.sum(", "Sums.join(", "Sums.doubled("]),
];

fn check(junit: &str) {
    let fixture = Fixture::shared("library");
    let generated = Generate::on(&fixture).with(["--junit", junit]).run();
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    for (class, members) in LIBRARY {
        let report = generated.class(class);
        assert!(report["tests"].as_u64() > Some(0), "no test: {report:#}");
        let Value::Array(files) = &report["files"] else { panic!("no files: {report:#}") };
        let source: String = files
            .iter()
            .map(|file| std::fs::read_to_string(file.as_str().expect("a path")).expect("a source"))
            .collect();
        for member in members {
            assert!(source.contains(member), "{class}: no test with {member}\n{source}");
        }
        for reflective in ["java.lang.reflect", "getDeclared", "setAccessible"] {
            assert!(!source.contains(reflective), "{reflective} in\n{source}");
        }
        let import = if junit == "4" { "org.junit.Test" } else { "org.junit.jupiter.api.Test" };
        assert!(source.contains(&format!("import {import};")), "{source}");
    }
    assert_green(&fixture, &generated, &[]);
}

#[test]
fn every_kind_of_class_gets_tests_for_junit_5() {
    check("5");
}

#[test]
fn every_kind_of_class_gets_tests_for_junit_4() {
    check("4");
}

/// G12: what is found later is found already.
#[test]
fn a_suite_does_not_grow_once_everything_is_covered() {
    let fixture = Fixture::shared("library");
    for class in ["library.Range", "library.Stack"] {
        let [early, late] = ["5000", "100000"].map(|steps| {
            let generate = Generate::plain(&fixture.classes()).with(["--class", class, "--json"]);
            let report = generate.with(["--steps", steps]).run().class(class);
            let number = |of: &Value| of.as_u64().expect("a number");
            (number(&report["branches"]["covered"]), number(&report["tests"]))
        });
        assert_eq!(early.0, late.0, "{class} is not covered early");
        assert!(early.1 > 0 && 5 * late.1 <= 6 * early.1, "{class}: {early:?}, then {late:?}");
    }
}

/// Q3: static state changed by one test does not fail another, in any order.
#[test]
fn tests_of_a_class_with_static_state_pass_in_any_order() {
    let fixture = Fixture::shared("faults");
    let generated = Generate::on(&fixture).with(["--class", "faults.SharedCounter"]).run();
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    assert!(generated.sources().contains(".doubled()"), "{}", generated.sources());
    for seed in 1..=3 {
        assert_green(
            &fixture,
            &generated,
            &[
                "junit.jupiter.testmethod.order.default=org.junit.jupiter.api.MethodOrderer$Random",
                &format!("junit.jupiter.execution.order.random.seed={seed}"),
            ],
        );
    }
}

/// Two readings of the clock in one millisecond, and the order of a set that the JDK draws by lot:
/// what holds in most runs is in no test.
#[test]
fn what_holds_in_most_runs_only_is_in_no_test() {
    let fixture = Fixture::shared("faults");
    let generated = Generate::on(&fixture).with(["--class", "faults.DiffersFromRunToRun"]).run();
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    let sources = generated.sources();
    assert!(sources.contains(".size()"), "{sources}");
    for call in [".age()", ".isInstant()", ".first()", ".all()"] {
        assert!(!sources.contains(call), "{call} in {sources}");
    }
}

#[test]
fn a_test_that_differs_from_jvm_to_jvm_is_dropped_and_counted() {
    let fixture = Fixture::shared("faults");
    let generated = Generate::on(&fixture).with(["--class", "faults.Lottery"]).run();
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    let sources = generated.sources();
    assert!(sources.contains(".getTickets()"), "{sources}");
    assert!(!sources.contains(".getWinner()"), "{sources}");
    let lottery = generated.class("faults.Lottery");
    let dropped = &lottery["dropped"];
    assert!(dropped["unreproducible"].as_u64() > Some(2), "{lottery:#}");
    assert_eq!(dropped["environment"], 0, "{lottery:#}");
    assert_eq!(lottery["lost_assertions"], 0, "{lottery:#}");
}
