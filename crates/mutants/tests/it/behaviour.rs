//! Mutated methods do what their descriptions say, on a JVM.

use mutants::{Mutant, apply};

use crate::fixture::{class, classes};
use crate::harness::java::{Message, run};
use crate::operators::of_method;

/// A method, its arguments, what it returns as it is, and what it returns when the mutants are made that
/// these operators make, in their order.
type Row = (&'static str, &'static [usize], &'static str, &'static str, &'static [&'static str]);

const ROWS: &[Row] = &[
    ("sum", &[7, 2], "9", "MATH", &["5"]),
    ("sum", &[7, 2], "9", "REPLACE_OPERATOR", &["5", "14", "3", "1"]),
    ("bits", &[6, 3], "5", "MATH", &["2"]),
    ("negated", &[7], "-7", "INVERT_NEGS", &["7"]),
    ("less", &[2, 2], "false", "CONDITIONALS_BOUNDARY", &["true"]),
    ("less", &[1, 2], "true", "NEGATE_CONDITIONALS", &["false"]),
    ("guarded", &[10], "1", "CONDITIONALS_BOUNDARY", &["2"]),
    ("guarded", &[10], "1", "REMOVE_CONDITIONALS", &["2", "1"]),
    ("guarded", &[9], "2", "REMOVE_CONDITIONALS", &["2", "1"]),
    ("guarded", &[9], "2", "PRIMITIVE_RETURNS", &["2", "0"]),
    ("loop", &[4], "6", "REMOVE_CONDITIONALS", &["0"]),
    ("stepped", &[1], "6", "INCREMENTS", &["-4"]),
    ("stepped", &[1], "6", "REPLACE_CONSTANT", &["2", "7", "5"]),
    ("called", &[4], "5", "VOID_METHOD_CALLS", &["1"]),
    // `counter` is set anew by `called`.
    ("nested", &[4], "10", "VOID_METHOD_CALLS", &["5"]),
    ("nested", &[4], "10", "DELETE_STATEMENT", &["10", "1"]),
    ("text", &[], "x", "EMPTY_RETURNS", &[""]),
    ("boxed", &[4], "4", "EMPTY_RETURNS", &["0"]),
    ("yes", &[4], "true", "FALSE_RETURNS,TRUE_RETURNS", &["false", "true"]),
    ("seven", &[], "7", "REPLACE_CONSTANT", &["8", "0", "1", "-1", "6"]),
    ("flag", &[], "true", "INLINE_CONSTS", &["false"]),
    ("chosen", &[1], "10", "SWITCH", &["30"]),
    ("chosen", &[3], "30", "SWITCH", &["10"]),
    ("assigned", &[4], "4", "DELETE_STATEMENT", &["1"]),
    ("field", &[4], "4", "DELETE_STATEMENT", &["4", "0"]),
    ("element", &[9], "9", "DELETE_STATEMENT", &["2"]),
    ("made", &[], "", "CONSTRUCTOR_CALLS", &["null"]),
    // The block is left by its end, and by an exception that is caught.
    ("counted", &[1], "101", "finished: MATH", &["99"]),
    ("counted", &[9], "9", "finished: MATH", &["-9"]),
    ("either", &[1, 0], "1", "either: REPLACE_OPERATOR :and", &["2"]),
    ("either", &[1, 1], "1", "either: REPLACE_OPERATOR :and", &["1"]),
    ("throughLambda", &[4], "8", "lambda$throughLambda$0: MATH", &["2"]),
];

/// The mutants of a row: of another method, and with ids that end so, if that is said.
fn mutants_of(method: &str, operators: &str) -> Vec<Mutant> {
    let (method, rest) = operators.split_once(": ").unwrap_or((method, operators));
    let (operators, end) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut found = of_method(class("Operators"), method, operators);
    found.retain(|mutant| mutant.id.ends_with(end));
    // A loop without end is no test.
    found.retain(|mutant| mutant.description != "`i < n` always holds");
    found
}

#[test]
fn mutants_return_what_they_say() {
    let home = testkit::jdk_homes().swap_remove(0);
    let plain = class("Operators");
    let mut message = Message::default();
    message.classes(classes());
    let mut expected = Vec::new();
    for (method, arguments, returned, operators, others) in ROWS {
        let found = mutants_of(method, operators);
        assert_eq!(found.len(), others.len(), "{operators} of {method}: {found:#?}");
        let mut call = |bytes: &[u8], what: String, result: &&'static str| {
            message.class("Operators", bytes);
            message.text(method);
            message.number(arguments.len());
            arguments.iter().for_each(|argument| message.number(*argument));
            expected.push((what, *result));
        };
        call(plain, format!("{method} as it is"), returned);
        for (mutant, result) in found.iter().zip(*others) {
            let written = apply(plain, mutant).expect("a mutant of this class");
            call(&written, format!("{method}, {}", mutant.description), result);
        }
    }
    let results = run(&home, ("Call", include_str!("harness/Call.java")), &[], |out| {
        out.write_all(&message.0).expect("the JVM reads");
    });
    assert_eq!(results.len(), expected.len());
    let wrong: Vec<_> = expected
        .iter()
        .zip(&results)
        .filter(|((_, expected), found)| expected != found)
        .map(|((what, expected), found)| format!("{what}: expected {expected}, found {found}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
