//! Classes with one seeded bug each, and the same classes without: what is wrong is found as the kind of
//! violation that it is, and nothing else is.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::fixture::source_folder;
use crate::run::{Generate, Generated};

/// Calls per class; half a second or less.
const CALLS: &str = "20000";

fn searched(which: &str, options: &[&str]) -> Generated {
    let sources = source_folder("contracts/seeded").join(which);
    let generate = Generate::of_sources(&sources).with(["--keep", "fail", "--json"]);
    generate.with(["--steps", CALLS]).with(options).run()
}

/// Class and kind of all violations.
fn violations(generated: &Generated) -> BTreeSet<(String, String)> {
    let report = generated.said.json();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let mut found = BTreeSet::new();
    for class in report["classes"].as_array().expect("a list of classes") {
        let name = text(&class["name"]).replace("seeded.", "");
        for violation in class["violations"].as_array().expect("a list of violations") {
            found.insert((name.clone(), text(&violation["kind"])));
        }
    }
    found
}

/// What the table of the fixture says: class and kind.
fn seeded() -> Vec<(String, String)> {
    let table = source_folder("contracts/seeded").join("bugs.toml");
    let table = std::fs::read_to_string(table).expect("the table of bugs");
    let (mut bugs, mut class) = (Vec::new(), String::new());
    for line in table.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            name.clone_into(&mut class);
        } else if let Some(kind) = line.strip_prefix("violated = ") {
            bugs.push((class.clone(), kind.trim_matches('"').to_owned()));
        }
    }
    assert!(bugs.len() >= 59, "{bugs:?}");
    bugs
}

/// With these options every seeded bug but for those in these classes is found in one run over all.
fn check(options: &[&str], out_of_reach: &[&str]) {
    let generated = searched("buggy", options);
    assert_eq!(generated.said.code(), 1, "{}", generated.said.err);
    let found = violations(&generated);
    let mut missed: Vec<_> = seeded().into_iter().filter(|bug| !found.contains(bug)).collect();
    missed.retain(|(class, _)| !out_of_reach.contains(&&**class));
    assert!(missed.is_empty(), "not found: {missed:#?}\nfound: {found:#?}");
}

/// With these options nothing is said to be wrong with classes that are right.
fn check_correct(options: &[&str]) {
    let generated = searched("correct", options);
    assert_eq!(violations(&generated), BTreeSet::new());
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
}

#[test]
fn every_seeded_bug_is_found_as_the_violation_it_is() {
    check(&[], &[]);
}

#[test]
fn every_seeded_bug_is_found_by_building_objects_call_by_call() {
    // A test case is one call on objects that were built: no static state is built for it.
    check(&["--strategy", "incremental"], &["Quota"]);
}

#[test]
fn classes_that_keep_their_contracts_have_no_violation() {
    check_correct(&[]);
    check_correct(&["--strategy", "incremental"]);
}
