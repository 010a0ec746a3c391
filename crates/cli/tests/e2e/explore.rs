//! The explorative strategies on a real JVM.

use std::fs;

use serde_json::Value;

use crate::fixture::Fixture;
use crate::run::{Generate, Generated};

const STRATEGIES: [&str; 3] = ["exhaustive", "random", "bobw"];

fn run(strategy: &str, options: &[&str]) -> Generated {
    let fixture = Fixture::shared("frail");
    let generate = Generate::plain(&fixture.classes()).with(["--strategy", strategy, "--json"]);
    generate.with(options).run()
}

/// What it came to, without what depends on the machine.
fn explored(generated: &Generated) -> Value {
    let mut explored = generated.class("frail.Frail")["explored"].clone();
    let keys = explored.as_object_mut().expect("it was explored");
    // A short run may be over before the kernel counts any.
    let seconds = keys.remove("cpu_seconds").and_then(|value| value.as_f64());
    assert!(seconds.is_some_and(|seconds| seconds >= 0.0), "{keys:?}");
    keys.remove("failures_per_cpu_second");
    explored
}

#[test]
fn each_strategy_finds_what_fails_and_tells_what_it_came_to() {
    for strategy in STRATEGIES {
        let generated = run(strategy, &["--length", "6", "--tests", "3000", "--keep", "both"]);
        assert_eq!(generated.said.code(), 1, "{strategy}: {}", generated.said.err);
        let explored = explored(&generated);
        assert_eq!((&explored["tests"], &explored["length"]), (&3000.into(), &6.into()));
        assert_eq!(explored["next"], "3000", "{strategy}");
        let spent = &generated.class("frail.Frail")["explored"]["cpu_seconds"];
        assert!(spent.as_f64() > Some(0.0), "{strategy}: {spent}");
        let failing = explored["failing"].as_u64().expect("a number");
        assert!(failing > 0, "{strategy}: {explored}");
        assert_eq!(explored["failure_density"], failing as f64 / 3000.0);
        if strategy != "random" {
            assert_eq!(explored["duplicates"], 0);
        }
        let failing = &generated.class("frail.Frail")["failing_tests"];
        assert_eq!(failing.as_array().map(Vec::len), Some(1), "{strategy}: {failing}");
        assert!(generated.sources().contains(".fire()"), "{}", generated.sources());
        assert!(generated.sources().contains("isLike("), "{}", generated.sources());
    }
}

#[test]
fn the_two_forms_of_exhaustive_agree() {
    let options = ["--length", "3", "--tests", "2000", "--keep", "fail"];
    let sharing = explored(&run("exhaustive", &options));
    let naive = explored(&run("exhaustive", &[&options[..], &["--naive"]].concat()));
    assert_eq!(sharing, naive);
}

#[test]
fn long_tests_are_run_and_cut_down_and_the_same_seed_gives_the_same() {
    for strategy in ["random", "bobw"] {
        let options = ["--length", "3000", "--tests", "20", "--keep", "both", "--seed", "4"];
        let (one, other) = (run(strategy, &options), run(strategy, &options));
        assert_eq!(explored(&one), explored(&other), "{strategy}");
        assert_eq!(one.files, other.files, "{strategy}");
        assert_eq!(explored(&one)["failing"], 20);
        let longest = one.sources().split("@Test").map(|test| test.lines().count()).max();
        assert!(longest.is_some_and(|lines| lines < 40), "{}", one.sources());
    }
}

#[test]
fn shards_and_resumed_runs_are_the_whole_order() {
    let failing = |options: &[&str]| {
        let all = [&["--length", "2", "--keep", "fail", "--steps", "100000"], options].concat();
        let explored = explored(&run("bobw", &all));
        let number = |key: &str| explored[key].as_u64().expect("a number");
        (number("tests"), number("failing"))
    };
    let whole = failing(&[]);
    let parts: Vec<(u64, u64)> = ["1/3", "2/3", "3/3"].map(|k| failing(&["--shard", k])).into();
    let resumed = [failing(&["--tests", "100"]), failing(&["--from", "100"])];
    for parts in [&parts[..], &resumed[..]] {
        let sum = parts.iter().fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        assert_eq!(sum, whole, "{parts:?}");
    }
}

#[test]
fn a_context_says_what_is_called() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("frail.toml");
    let methods = ["new", "arm", "fire"]
        .map(|name| format!("[[methods]]\nclass = \"frail.Frail\"\nname = \"{name}\"\n"));
    fs::write(&file, methods.concat()).expect("a file");
    let context = ["--length", "3", "--context", file.to_str().expect("text"), "--keep", "fail"];
    let explored = explored(&run("exhaustive", &[&context[..], &["--steps", "10000"]].concat()));
    // new, arm, fire: one of 27.
    assert_eq!((&explored["tests"], &explored["failing"]), (&27.into(), &1.into()));
    fs::write(&file, "[[methods]]\nclass = \"frail.Frail\"\nname = \"disarm\"\n").expect("a file");
    let refused = run("exhaustive", &context);
    assert_eq!(refused.said.code(), 2, "{}", refused.said.err);
    assert!(refused.said.err.contains("frail.toml:3: methods[0].name"), "{}", refused.said.err);
}

#[test]
fn options_of_other_strategies_are_refused() {
    for (strategy, option) in [
        ("guided", ["--length", "3"]),
        ("pure", ["--shard", "1/2"]),
        ("bobw", ["--attempts", "3"]),
        ("random", ["--shard", "3/2"]),
        ("bobw", ["--from", "-1"]),
    ] {
        let refused = run(strategy, &option);
        assert_eq!(refused.said.code(), 2, "{strategy} {option:?}: {}", refused.said.err);
    }
}
