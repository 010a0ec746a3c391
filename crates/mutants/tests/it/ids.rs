//! Ids name a mutant for good: they depend on the code of its method only.

use std::collections::BTreeSet;

use classfile::ClassFile;
use mutants::{Mutant, Operator, Operators, apply, mutants};

use crate::fixture::{class, classes};

fn all_of(bytes: &[u8], operators: Operators) -> Vec<Mutant> {
    let class = ClassFile::parse(bytes).expect("javac writes good classes");
    mutants(&class, operators).expect("javac writes good classes")
}

#[test]
fn a_mutant_has_its_id_whichever_operators_are_chosen() {
    for bytes in classes().values() {
        let all = all_of(bytes, Operators::all());
        for operators in [Operators::default(), Operators::paper()] {
            let chosen = all_of(bytes, operators);
            let expected: Vec<_> = all
                .iter()
                .filter(|mutant| mutant.operators.intersection(operators) != Operators::NONE)
                .map(|mutant| (&mutant.id, &mutant.edits))
                .collect();
            let found: Vec<_> = chosen.iter().map(|mutant| (&mutant.id, &mutant.edits)).collect();
            assert_eq!(found, expected);
            assert!(chosen.iter().all(|mutant| operators.contains(mutant.operator)));
        }
    }
}

#[test]
fn ids_are_readable_and_each_is_there_once() {
    let all = all_of(class("Operators"), Operators::all());
    let ids: BTreeSet<_> = all.iter().map(|mutant| mutant.id.as_str()).collect();
    assert_eq!(ids.len(), all.len());
    for id in [
        "Operators.sum(II)I:MATH:0",
        "Operators.sum(II)I:REPLACE_OPERATOR:0:mul",
        "Operators.either(II)I:NEGATE_CONDITIONALS:1",
        "Operators.lambda$throughLambda[0](I)I:MATH:0",
    ] {
        assert!(ids.contains(id), "{id} is not among {ids:#?}");
    }
}

const BEFORE: &str = "class Some { int mine(int a) { return a + 1; }
    Runnable later() { return () -> mine(2); } }";

const AFTER: &str = "class Some { long other = 7; int first() { return hashCode() * 3; }
    Runnable sooner() { return () -> mine(5 + first()); } int mine(int a) { return a + 1; }
    Runnable later() { return () -> mine(2); } }";

#[test]
fn ids_stay_when_other_methods_change() {
    let home = testkit::jdk_homes().swap_remove(0);
    let [before, after] = [BEFORE, AFTER].map(|text| {
        let classes = testkit::compile_text(&home, &["-g"], "Some.java", text);
        let bytes = std::fs::read(classes.path().join("Some.class")).expect("javac wrote it");
        let mut found = all_of(&bytes, Operators::all());
        found.retain(|mutant| mutant.member != "first()" && mutant.member != "lambda in sooner");
        found.into_iter().map(|mutant| (mutant.id, mutant.description)).collect::<BTreeSet<_>>()
    });
    assert!(before.len() > 8, "{before:?}");
    // The new methods themselves, and the initial value of the new field, are no others'.
    let more: Vec<_> = after
        .difference(&before)
        .filter(|(id, _)| !id.contains("sooner") && !id.contains("<init>"))
        .collect();
    assert!(before.is_subset(&after) && more.is_empty(), "{before:#?} {after:#?}");
}

#[test]
fn a_mutant_survives_being_stored() {
    let all = all_of(class("Operators"), Operators::all());
    let text = serde_json::to_string(&all).expect("it is data");
    let read: Vec<Mutant> = serde_json::from_str(&text).expect("what was written");
    assert_eq!(read, all);
    assert!(text.contains("\"operators\":[\"MATH\",\"REPLACE_OPERATOR\"]"));
}

#[test]
fn a_mutant_of_other_bytes_is_refused() {
    let all = all_of(class("Operators"), Operators::default().with(Operator::Switch));
    for mutant in &all {
        assert!(apply(class("Artefacts"), mutant).is_err(), "{}", mutant.id);
        let mut other = mutant.clone();
        other.edits[0].start += 10_000;
        other.edits[0].end += 10_000;
        assert!(apply(class("Operators"), &other).is_err(), "{}", mutant.id);
    }
}
