//! What compilers add is not mutated, and what users wrote is: comments in the fixture say it.

use std::collections::BTreeMap;
use std::fs;

use classfile::ClassFile;
use mutants::{Mutant, Operators, mutants};

use crate::fixture::{classes, classes_in, patterns, source};

const LOOKED_FOR: &str = "default,NON_VOID_METHOD_CALLS,CONSTRUCTOR_CALLS,INLINE_CONSTS,\
                          DELETE_STATEMENT,SWITCH";

/// The words of the comments. What two operators make alike is told once.
fn word(mutant: &Mutant) -> &'static str {
    match mutant.operator.name() {
        "CONDITIONALS_BOUNDARY" => "BOUNDARY",
        "NEGATE_CONDITIONALS" => "NEGATE",
        "INCREMENTS" => "INCREMENT",
        "MATH" => "MATH",
        "VOID_METHOD_CALLS" | "NON_VOID_METHOD_CALLS" => "CALL",
        "CONSTRUCTOR_CALLS" => "CONSTRUCTOR",
        "INLINE_CONSTS" => "CONSTANT",
        "DELETE_STATEMENT" => "DELETE",
        "SWITCH" => "SWITCH",
        name if name.ends_with("RETURNS") => "RETURN",
        name => panic!("{name} has no word"),
    }
}

/// Compares the mutants of the classes of a fixture with its comments.
fn check(fixture: &str, classes: &BTreeMap<String, Vec<u8>>) {
    let operators: Operators = LOOKED_FOR.parse().expect("names of operators");
    let mut found: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (name, bytes) in classes.iter().filter(|(name, _)| name.starts_with(fixture)) {
        let class = ClassFile::parse(bytes).expect("javac writes good classes");
        for mutant in mutants(&class, operators).expect("javac writes good classes") {
            let line = mutant.line.unwrap_or_else(|| panic!("{name}: {} has no line", mutant.id));
            found.entry(line.into()).or_default().push(word(&mutant));
        }
    }
    assert!(found.len() > 5, "{fixture}: {found:?}");
    let text = fs::read_to_string(source(fixture)).expect("the fixture is there");
    let mut wrong = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let comment = line.split_once("// ").map_or("", |(_, comment)| comment);
        let mut expected: Vec<_> = comment.split_whitespace().collect();
        let mut here = found.remove(&number).unwrap_or_default();
        expected.sort_unstable();
        here.sort_unstable();
        if expected != here {
            wrong.push(format!("line {number}: expected {expected:?}, found {here:?}: {line}"));
        }
    }
    assert!(wrong.is_empty() && found.is_empty(), "{}\n{found:?}", wrong.join("\n"));
}

#[test]
fn lines_have_the_mutants_that_their_comments_tell() {
    check("Artefacts", classes());
    for home in testkit::jdk_homes() {
        if let Some(compiled) = patterns(&home) {
            check("Patterns", &classes_in(compiled.path()));
        }
    }
}
