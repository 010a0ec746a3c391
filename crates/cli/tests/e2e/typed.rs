//! G7: arguments have the right type arguments, and values of the JDK are of use.

use crate::fixture::Fixture;
use crate::junit::assert_green;
use crate::run::{Generate, Generated};

fn generated(class: &str) -> Generated {
    let fixture = Fixture::shared("typed");
    let generate = Generate::plain(&fixture.classes()).with(["--class", class]);
    generate.with(["--steps", "20000", "--json"]).run()
}

/// At least so many in a hundred branches are covered by tests that pass, none of which pins a
/// cast that only a wrong type argument makes fail.
fn check(class: &str, least: u64) -> String {
    let generated = generated(class);
    let branches = &generated.said.json()["branches"];
    let number = |key: &str| branches[key].as_u64().expect("a number");
    let (covered, total) = (number("covered"), number("total"));
    let source = generated.sources();
    assert!(covered * 100 >= total * least, "{covered} of {total}\n{source}");
    for pinned in ["ClassCastException", "ArrayStoreException"] {
        assert!(!source.contains(pinned), "{pinned} in {source}");
    }
    assert_green(&Fixture::shared("typed"), &generated, &[]);
    source
}

#[test]
fn collections_have_elements_of_the_right_type() {
    let source = check("typed.Ledger", 95);
    for written in ["Map<String, List<Integer>>", "List<Integer>"] {
        assert!(source.contains(written), "no {written} in {source}");
    }
}

#[test]
fn all_calls_on_an_object_of_a_generic_class_use_one_type() {
    let source = check("typed.Shelf", 95);
    assert!(source.contains("Shelf<String>") || source.contains("Shelf<Integer>"), "{source}");
}

#[test]
fn values_of_the_jdk_are_of_use_and_the_same_everywhere() {
    let source = check("typed.Clerk", 95);
    for environment in [".now(", "getDefault()", "systemDefault()", "randomUUID()"] {
        assert!(!source.contains(environment), "{environment} in {source}");
    }
}

#[test]
fn classes_that_tests_cannot_name_are_not_passed() {
    let generated = generated("typed.Kinds");
    let report = generated.said.json();
    assert_eq!(report["classes"][0]["dropped"]["unwritable"], 0, "{report}");
    assert!(generated.sources().contains("assertEquals(\"named\","), "{}", generated.sources());
}

#[test]
fn tests_put_into_collections_what_these_are_declared_for_and_nothing_superfluous_around() {
    let source = check("typed.Roster", 90);
    // A raw type, or a cast to one, is what a wrong element takes.
    assert!(!source.contains("rawtypes"), "{source}");
    for superfluous in ["DataInputStream", "byte[0], "] {
        assert!(!source.contains(superfluous), "{superfluous} in {source}");
    }
    // A copy is there to be changed.
    for (at, line) in source.lines().enumerate() {
        if line.contains("<>(list)") || line.contains("<>(map)") {
            let copy = line.split('=').next().and_then(|left| left.split_whitespace().last());
            let next = source.lines().nth(at + 1).unwrap_or_default().trim();
            let is_changed = copy.is_some_and(|copy| next.starts_with(&format!("{copy}.")));
            assert!(is_changed, "{line} in {source}");
        }
    }
}
