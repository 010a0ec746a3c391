//! The strategies that test each method on its own, with contracts and without.

use serde_json::Value;

use crate::fixture::{Fixture, source_folder};
use crate::junit::assert_green;
use crate::run::{Generate, Generated};

const STRATEGIES: [&str; 3] = ["pure", "pooled", "incremental"];

/// What became of the attempts at a class.
fn attempts(generated: &Generated, class: &str) -> [u64; 4] {
    let attempts = &generated.class(class)["attempts"];
    let count = |key: &str| attempts[key].as_u64().unwrap_or_else(|| panic!("{key} {attempts}"));
    [count("total"), count("meaningful"), count("redundant"), count("meaningless")]
}

#[test]
fn classes_without_contracts_get_tests_by_each_strategy() {
    let (fixture, class) = (Fixture::shared("typed"), "typed.Ledger");
    for strategy in STRATEGIES {
        let generated =
            Generate::on(&fixture).with(["--strategy", strategy, "--class", class]).run();
        let [total, meaningful, redundant, meaningless] = attempts(&generated, class);
        assert_eq!(total, meaningful + redundant + meaningless, "{strategy}");
        assert!(meaningful > 0, "{strategy}");
        assert!(generated.class(class)["tests"].as_u64() > Some(0), "{strategy}");
        assert_green(&fixture, &generated, &[]);
    }
}

#[test]
fn a_search_ends_with_the_last_attempt_without_any_other_budget() {
    let sources = source_folder("contracts/seeded").join("correct");
    for strategy in STRATEGIES {
        let generate = Generate::of_sources(&sources).with(["--strategy", strategy, "--json"]);
        let class = "seeded.Withdrawal";
        let generated = generate.with(["--class", class, "--attempts", "300"]).run();
        assert_eq!(generated.said.code(), 0, "{strategy}: {}", generated.said.err);
        let [total, meaningful, ..] = attempts(&generated, class);
        assert_eq!(total, 300, "{strategy}");
        assert!(meaningful > 0, "{strategy}");
        let tests = generated.class(class)["tests"].as_u64();
        assert!(tests > Some(0), "{strategy}: {tests:?}");
    }
}

#[test]
fn the_study_of_contracts_finds_more_meaningful_test_cases_than_the_paper() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = crate::run::testhound();
    command.args(["study", "jet", "--quick", "--json", "--out"]).arg(folder.path().join("out"));
    let said = crate::run::say(&mut command);
    assert_eq!(said.code(), 0, "{}", said.err);
    let result = said.json();
    let medians = result["medians"].as_array().expect("a list of medians");
    let published =
        [("Stack", 192), ("Digraph", 135), ("Node", 388), ("Proof", 178), ("Account", 923)];
    for (subject, published) in published {
        let is_meant =
            |median: &&Value| median["subject"] == subject && median["variant"] == "Incremental";
        let median = medians.iter().find(is_meant).expect("a median");
        let found = median["figures"]["meaningful"].as_u64().expect("a number");
        assert!(found > published, "{subject}: {found}");
    }
}
