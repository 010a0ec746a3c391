//! Coverage is that of the user's code: checks count for nothing.

use serde_json::Value;

use crate::fixture::{copy, source_folder};
use crate::run::Generate;

/// Class, and what there is of it to cover.
fn totals(sources: &std::path::Path, options: &[&str]) -> Vec<(String, [u64; 3])> {
    let generate = Generate::of_sources(sources).with(["--keep", "fail", "--json"]);
    let said = generate.with(["--steps", "100"]).with(options).run().said;
    let report = said.json();
    let classes = report["classes"].as_array().expect("a list of classes").iter();
    let of = |class: &Value, what: &str| class[what]["total"].as_u64().expect("a number");
    let totals = classes.map(|class| {
        let name = class["name"].as_str().expect("a name").to_owned();
        (name, ["branches", "lines", "instructions"].map(|what| of(class, what)))
    });
    totals.collect()
}

fn check(sources: &std::path::Path) {
    let (checked, plain) = (totals(sources, &[]), totals(sources, &["--no-contracts"]));
    let pairs = checked.iter().zip(&plain);
    let other: Vec<_> = pairs.filter(|(checked, plain)| checked != plain).collect();
    assert!(other.is_empty(), "with checks and without: {other:#?}");
    assert_eq!(checked.len(), plain.len());
    assert!(checked.iter().any(|(_, [branches, ..])| *branches > 0), "{checked:?}");
}

#[test]
fn classes_have_as_much_to_cover_with_their_contracts_as_without() {
    check(&source_folder("contracts/seeded").join("correct"));
}

#[test]
fn code_of_today_has_as_much_to_cover_with_its_contracts_as_without() {
    let copied = tempfile::tempdir().expect("a temporary folder");
    // What needs a later JDK stands in a package of its own.
    copy(&source_folder("contracts/modern").join("modern"), &copied.path().join("modern"));
    check(copied.path());
}
