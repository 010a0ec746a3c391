//! What differs from machine to machine is in no test; what is the same everywhere may be.

use std::fs;

use crate::fixture::{Fixture, source_folder};
use crate::run::{Generate, Generated};

fn generated(class: &str) -> Generated {
    let fixture = Fixture::shared("surroundings");
    let generated =
        Generate::on(&fixture).with(["--class", &format!("surroundings.{class}")]).run();
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    generated
}

/// The methods of a fixture without parameters, by its source.
fn methods(class: &str) -> Vec<String> {
    let file = source_folder("surroundings").join(format!("{class}.java"));
    let source = fs::read_to_string(file).expect("a source file");
    let heads = source.lines().filter(|line| line.contains("public static") && line.contains("()"));
    heads
        .filter_map(|line| line.split_once("()")?.0.rsplit(' ').next().map(str::to_owned))
        .collect()
}

/// The statements of emitted tests.
fn statements(source: &str) -> Vec<String> {
    source.split(';').map(|s| s.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn nothing_is_asserted_that_depends_on_the_machine() {
    let generated = generated("Surroundings");
    let source = generated.sources();
    assert!(source.contains("doubled("), "the good method has no test:\n{source}");
    let methods = methods("Surroundings");
    assert!(methods.len() > 25, "{methods:?}");
    for method in methods {
        for statement in statements(&source) {
            let pins = statement.contains("assert") && !statement.contains("assertDoesNotThrow");
            let is_meant = statement.contains(&format!("Surroundings.{method}()"));
            assert!(!(pins && is_meant), "{method}: {statement}");
            let kept = is_meant && statement.contains(" = ");
            assert!(!kept, "{method} is worked with: {statement}\n{source}");
        }
    }
}

#[test]
fn nothing_is_asserted_that_holds_on_some_days_only() {
    let generated = generated("Shop");
    let source = generated.sources();
    assert!(source.contains(".greet()"), "the clock may be read:\n{source}");
    let dated = ["isMonday", "isOpenAtNight", "isBreak", "isPayday", "isFeast", "isAnniversary"];
    // Only one of their tests is the first, in which the class asks.
    let asked_once = ["isMarketDay", "isFishDay", "isWashDay"];
    let dated = [&dated[..], &asked_once].concat();
    let asserting = |statement: &String| statement.contains("assert");
    for statement in statements(&source).into_iter().filter(asserting) {
        let is_dated = dated.iter().any(|method| statement.contains(&format!(".{method}()")));
        assert!(!is_dated, "{statement}");
        // Half of nothing is the same every day.
        let is_price = statement.contains(".price(");
        assert!(!is_price || statement.contains(".price(0)"), "{statement}");
        assert!(!statement.contains(".yearsUntil(20"), "{statement}");
    }
    assert!(source.contains(".yearsUntil("), "other years may be asked for:\n{source}");
    let dropped = &generated.said.json()["dropped"]["environment"];
    assert!(dropped.as_u64().is_some_and(|dropped| dropped >= 6), "{dropped}");
}

#[test]
fn the_thread_of_a_test_is_the_same_in_the_search() {
    let source = generated("Threads").sources();
    for expected in [
        "assertTrue(Threads.hasContextLoader())",
        "assertTrue(Threads.canLoadItself())",
        "assertFalse(Threads.isDaemon())",
        "assertFalse(Threads.startsDaemons())",
    ] {
        assert!(source.contains(expected), "{expected} is missing:\n{source}");
    }
}

#[test]
fn a_class_that_logs_gets_tests() {
    let generated = generated("Logs");
    let source = generated.sources();
    assert!(source.contains("Logs.half("), "{source}");
    let branches = &generated.class("surroundings.Logs")["branches"];
    assert_eq!(branches["covered"], branches["total"], "{branches}");
}

#[test]
fn changes_of_logging_are_in_no_test() {
    let generated = generated("SetsLogging");
    let source = generated.sources();
    assert!(source.contains("SetsLogging.doubled("), "the good method has no test:\n{source}");
    for method in methods("SetsLogging") {
        assert!(!source.contains(&format!(".{method}(")), "{method} is in a test:\n{source}");
        let reasons = generated.reasons("surroundings.SetsLogging", &method);
        let [reason] = &reasons[..] else { panic!("{method}: {reasons:?}") };
        assert!(reason.starts_with("unsafe-effect: "), "{reason}");
    }
}
