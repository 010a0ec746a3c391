//! `compare`: what two versions of a class do otherwise (E11).

use std::path::Path;

use serde_json::Value;

use crate::fixture::Fixture;
use crate::run::{Said, say, testhound};

const MARKS: [&str; 7] =
    ["@DEPOSIT@", "@WITHDRAW@", "@FEE@", "@NAME@", "@LOOP@", "@FILL@", "@TEXT@"];
const OLD: [&str; 7] = ["<=", "return false;", ">", "code", "", "1", "account"];

/// A version of the fixture that has something else in some places.
fn version(others: &[(&str, &str)]) -> Fixture {
    let mut filled: Vec<(&str, &str)> = MARKS.into_iter().zip(OLD).collect();
    for (mark, text) in others {
        let place = filled.iter_mut().find(|(known, _)| known == mark).expect("a mark");
        place.1 = text;
    }
    Fixture::filled_in("versions", &filled)
}

fn compare(old: &Path, new: &Path, options: &[&str]) -> Said {
    let mut command = testhound();
    command.arg("compare").arg("--old").arg(old).arg("--new").arg(new);
    say(command.args(["--steps", "20000"]).args(options))
}

/// Member, kind, what was and what is.
fn differences(report: &Value) -> Vec<[String; 4]> {
    let classes = report["classes"].as_array().expect("a list of classes");
    let all = classes
        .iter()
        .flat_map(|class| class["differences"].as_array().expect("a list of differences").clone());
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    all.map(|it| ["member", "kind", "before", "after"].map(|key| text(&it[key]))).collect()
}

#[test]
fn each_kind_of_difference_is_told_with_the_member_that_shows_it() {
    let old = version(&[]);
    let check = |others: &[(&str, &str)], options: &[&str], expect: &[[&str; 4]]| {
        let new = version(others);
        let said = compare(&old.classes(), &new.classes(), &[options, &["--json"]].concat());
        assert_eq!(said.code(), i32::from(!expect.is_empty()), "{others:?}: {}", said.err);
        let mut found = differences(&said.json());
        found.sort();
        assert_eq!(found, expect, "{others:?}");
    };
    check(&[], &["--texts", "--messages"], &[]);
    let fee = ["versions.Account.fee()", "returns-other", "returned 1", "returns 0"];
    check(&[("@FEE@", ">=")], &[], &[fee]);
    let exception = "java.lang.IllegalArgumentException";
    let deposit = "versions.Account.deposit(int)";
    let threw = format!("threw {exception}");
    check(&[("@DEPOSIT@", "<")], &[], &[[deposit, "now-returns", &threw, "returns"]]);
    let withdraw = "versions.Account.withdraw(int)";
    let throws = "throws java.lang.IllegalStateException";
    let thrown = [withdraw, "now-throws", "returned", throws];
    check(&[("@WITHDRAW@", "throw new IllegalStateException();")], &[], &[thrown]);
    let loops = [
        "versions.Account.rounds(int)",
        "hangs",
        "came to an end",
        "does not end, or ends the JVM",
    ];
    check(&[("@LOOP@", "while (done >= 0) { done++; }")], &[], &[loops]);
    let filled = ["versions.Account.fill(int[])", "leaves-other", "left {1}", "leaves {2}"];
    let new = version(&[("@FILL@", "2")]);
    let said = compare(&old.classes(), &new.classes(), &["--json"]);
    let found = differences(&said.json());
    assert!(
        matches!(&found[..], [one] if one[..2] == filled[..2]),
        "an array that is filled otherwise: {found:?}"
    );
}

#[test]
fn a_member_that_is_gone_is_told_and_a_new_one_is_not() {
    let (old, new) = (version(&[]), version(&[("@NAME@", "number")]));
    let said = compare(&old.classes(), &new.classes(), &["--json"]);
    let found = differences(&said.json());
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0][..2], ["versions.Account.code()", "gone"].map(str::to_owned));
    assert!(found[0][3].contains("NoSuchMethodError"), "{found:?}");
}

#[test]
fn texts_of_objects_are_compared_if_asked_for() {
    let (old, new) = (version(&[]), version(&[("@TEXT@", "purse")]));
    let member = |found: &[[String; 4]]| -> Vec<String> {
        found.iter().map(|it| format!("{} {}", it[0], it[1])).collect()
    };
    // A test of `toString` itself shows it in any case.
    let own = "versions.Account.toString() returns-other";
    let said = compare(&old.classes(), &new.classes(), &["--json"]);
    assert_eq!(member(&differences(&said.json())), [own]);
    let said = compare(&old.classes(), &new.classes(), &["--json", "--texts"]);
    let mut found = member(&differences(&said.json()));
    found.sort();
    assert_eq!(found, [own, "versions.Account.toString() text"]);
}

#[test]
fn the_summary_shows_a_test_that_holds_on_the_old_version() {
    let (old, new) = (version(&[]), version(&[("@FEE@", ">=")]));
    let said = compare(&old.classes(), &new.classes(), &[]);
    assert_eq!(said.code(), 1, "{}", said.err);
    for part in [
        "versions.Account.fee()\n    returned 1, now returns 0",
        "new Account(100)",
        "1 class compared by",
        "1 difference",
    ] {
        assert!(said.out.contains(part), "no `{part}` in: {}", said.out);
    }
}

#[test]
fn a_class_that_is_gone_is_a_difference() {
    let old = version(&[]);
    let empty = tempfile::tempdir().expect("a folder");
    let said = compare(&old.classes(), empty.path(), &["--json"]);
    assert_eq!(said.code(), 1, "{}", said.err);
    let found = differences(&said.json());
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0][3].contains("not in the new version"), "{found:?}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let old = version(&[]);
    let check = |old: &Path, new: &Path, options: &[&str], part: &str| {
        let said = compare(old, new, options);
        assert_eq!(said.code(), 2, "{}", said.err);
        assert!(said.err.contains(part), "no `{part}` in: {}", said.err);
    };
    check(&old.classes(), Path::new("absent.jar"), &[], "does not exist");
    check(&old.classes(), &old.classes(), &["--class", "versions.Acount"], "versions.Account");
}
