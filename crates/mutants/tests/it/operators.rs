//! What each operator makes of each method of a fixture, in words.

use classfile::ClassFile;
use mutants::{Mutant, Operators, mutants};

use crate::fixture::class;

/// The mutants of a method that these operators make.
pub fn of_method(bytes: &[u8], method: &str, operators: &str) -> Vec<Mutant> {
    let class = ClassFile::parse(bytes).expect("javac writes good classes");
    let operators: Operators = operators.parse().expect("names of operators");
    let mut found = mutants(&class, operators).expect("javac writes good classes");
    found.retain(|mutant| mutant.method == method);
    found
}

/// The descriptions of the mutants of a method.
fn check(method: &str, operators: &str, expected: &[&str]) {
    let found = of_method(class("Operators"), method, operators);
    let found: Vec<_> = found.iter().map(|mutant| mutant.description.as_str()).collect();
    assert_eq!(found, expected, "{operators} of {method}");
}

#[test]
fn arithmetic_is_replaced_where_that_makes_a_difference() {
    check("sum", "MATH", &["replaced `+` by `-` in `a + b`"]);
    check("shifted", "MATH", &["replaced `>>>` by `<<` in `a >>> b`"]);
    check("bits", "MATH", &["replaced `^` by `&` in `a ^ b`"]);
    check("rest", "MATH", &["replaced `%` by `*` in `a % b`"]);
    check("times", "MATH", &[]);
    check("negated", "INVERT_NEGS", &["removed the `-` of `-a`"]);
    let expected = ["-", "*", "/", "%"].map(|to| format!("replaced `+` by `{to}` in `a + b`"));
    check("sum", "REPLACE_OPERATOR", &expected.each_ref().map(String::as_str));
    // The sign goes with the mask.
    let shifts = ["replaced `>>` by `<<` in `a >> 8`"];
    let masks = ["|", "^"].map(|to| format!("replaced `&` by `{to}` in `(a >> 8) & 255`"));
    check("masked", "REPLACE_OPERATOR", &[shifts[0], &masks[0], &masks[1]]);
}

#[test]
fn conditions_are_told_as_in_the_source() {
    check("less", "NEGATE_CONDITIONALS", &["negated `a < b`: now `a >= b`"]);
    check("less", "CONDITIONALS_BOUNDARY", &["replaced `<` by `<=` in `a < b`"]);
    check("guarded", "CONDITIONALS_BOUNDARY", &["replaced `>=` by `>` in `a >= 10`"]);
    check("guarded", "REMOVE_CONDITIONALS", &["`a >= 10` never holds", "`a >= 10` always holds"]);
    check(
        "known",
        "NON_VOID_METHOD_CALLS",
        &["takes `false` instead of the result of `text.isEmpty`"],
    );
    check(
        "either",
        "NEGATE_DECISION",
        &["negated `a > 0`: now `a <= 0`", "negated `b > 0`: now `b <= 0`"],
    );
    let or = of_method(class("Operators"), "either", "REPLACE_OPERATOR");
    assert!(or.iter().any(|mutant| mutant.description == "replaced `||` by `&&` behind `a > 0`"));
}

#[test]
fn conditions_are_left_alone_where_nothing_would_change() {
    check("greatest", "CONDITIONALS_BOUNDARY", &[]);
    check("grown", "CONDITIONALS_BOUNDARY", &[]);
    check("absolute", "CONDITIONALS_BOUNDARY", &[]);
    check("unguarded", "CONDITIONALS_BOUNDARY,NEGATE_CONDITIONALS,REMOVE_CONDITIONALS", &[]);
    let relations = of_method(class("Operators"), "length", "REPLACE_OPERATOR");
    // `!=` is the same for a length.
    assert_eq!(relations.len(), 4, "{relations:?}");
    assert!(relations.iter().all(|mutant| !mutant.description.contains("`!=`")));
}

#[test]
fn returned_values_are_replaced_by_others() {
    check("sum", "PRIMITIVE_RETURNS", &["returns 0 instead of `a + b`"]);
    check(
        "known",
        "FALSE_RETURNS,TRUE_RETURNS",
        &[
            "returns `false` instead of `text.isEmpty()`",
            "returns `true` instead of `text.isEmpty()`",
        ],
    );
    check("flag", "FALSE_RETURNS,TRUE_RETURNS", &["returns `false` instead of `true`"]);
    check("text", "EMPTY_RETURNS", &["returns `\"\"` instead of `\"x\"`"]);
    check("empty", "EMPTY_RETURNS,NULL_RETURNS", &[]);
    check("boxed", "EMPTY_RETURNS,NULL_RETURNS", &["returns 0 instead of `a`"]);
    check("zero", "EMPTY_RETURNS,NULL_RETURNS", &[]);
    check("list", "EMPTY_RETURNS,NULL_RETURNS", &["returns an empty list instead of `given`"]);
    check("optional", "EMPTY_RETURNS,NULL_RETURNS", &[]);
    check("object", "EMPTY_RETURNS,NULL_RETURNS", &["returns `null` instead of `given`"]);
    check("none", "EMPTY_RETURNS,NULL_RETURNS", &[]);
    check(
        "yes",
        "default",
        &[
            "replaced `>` by `>=` in `a > 0`",
            "negated `a > 0`: now `a <= 0`",
            "returns `false` instead of the result",
            "returns `true` instead of the result",
        ],
    );
}

#[test]
fn increments_are_turned_and_removed_where_they_are_read() {
    check("loop", "INCREMENTS", &["replaced `i++` by `i--`"]);
    check("loop", "REMOVE_INCREMENTS", &["deleted `i++`"]);
    check("unread", "INCREMENTS,REMOVE_INCREMENTS,DELETE_STATEMENT", &[]);
    check("stepped", "INCREMENTS", &["replaced `n += 5` by `n -= 5`"]);
    check(
        "stepped",
        "REPLACE_CONSTANT",
        &[
            "replaced `n += 5` by `n++`",
            "replaced `n += 5` by `n += 6`",
            "replaced `n += 5` by `n += 4`",
        ],
    );
}

#[test]
fn calls_are_removed() {
    check("called", "VOID_METHOD_CALLS", &["removed the call of `bump`"]);
    check("made", "CONSTRUCTOR_CALLS", &["takes `null` instead of the new `StringBuilder`"]);
    check(
        "nested",
        "DELETE_STATEMENT",
        &["deleted the assignment to `counter`", "deleted the call `bump(called(a))`"],
    );
    // Without the one argument that is evaluated, and with it.
    let both = of_method(class("Operators"), "nested", "VOID_METHOD_CALLS,DELETE_STATEMENT");
    assert_eq!(both.len(), 3, "{both:?}");
    let one = of_method(class("Operators"), "called", "VOID_METHOD_CALLS,DELETE_STATEMENT");
    assert_eq!(one.len(), 2, "{one:?}");
}

#[test]
fn constants_are_replaced() {
    check("seven", "INLINE_CONSTS", &["replaced `7` by `8`"]);
    let expected = ["8", "0", "1", "-1", "6"].map(|to| format!("replaced `7` by `{to}`"));
    check("seven", "REPLACE_CONSTANT", &expected.each_ref().map(String::as_str));
    check("flag", "REPLACE_CONSTANT", &["replaced `true` by `false`"]);
    check("letter", "INLINE_CONSTS", &["replaced `'x'` by `'y'`"]);
}

#[test]
fn switches_exchange_their_cases_and_the_default() {
    check("chosen", "SWITCH", &["exchanged `default` and the cases of `switch (a)`"]);
}

#[test]
fn assignments_are_deleted_where_something_is_left() {
    check("assigned", "DELETE_STATEMENT", &["deleted the assignment to `x`"]);
    check("branched", "DELETE_STATEMENT", &[]);
    check("field", "DELETE_STATEMENT", &["deleted the assignment to `counter`"; 2]);
    check("element", "DELETE_STATEMENT", &["deleted the assignment to `x[1]`"]);
}

#[test]
fn copies_of_a_finally_block_are_changed_together() {
    let found = of_method(class("Operators"), "finished", "MATH");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].edits.len() >= 3, "{found:?}");
}
