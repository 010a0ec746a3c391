//! What JML says in bodies.

use super::{read, show};

#[track_caller]
fn check(body: &str, expect: &str) {
    let (source, said) = read(&format!("class A {{ void m() {{\n{body}\n}} }}"));
    assert_eq!(said, Vec::<String>::new(), "{body}");
    assert_eq!(show::statements(&source.types[0].methods[0]), expect);
}

#[test]
fn assertions_and_assumptions_may_have_a_message() {
    check("//@ assert x > 0;", "assert [x > 0]");
    check("f(); //@ assert x : \"why\";", "assert x : \"why\"");
    check("//@ assume x;\n//@ assert_redundantly y;", "assume x\nassert y");
    check("//@ hence_by x;", "hence_by x");
}

#[test]
fn ghost_variables_are_declared_and_set() {
    check("//@ ghost int a = 1, b;", "ghost int a = 1, int b");
    check("//@ set this.a[i] = b + 1;", "set [this.a[i] = [b + 1]]");
    check("//@ set a += 1;", "set [a += 1]");
    check("//@ debug f();", "debug f()");
}

#[test]
fn unreachable_and_other_statements_are_read() {
    check("//@ unreachable;", "unreachable");
    check("//@ havoc x;\n//@ split x;", "unchecked havoc\nunchecked split");
}

#[test]
fn loops_have_invariants_and_variants() {
    check(
        "//@ loop_invariant 0 <= i;\n//@ decreases n - i;\nwhile (a) { }",
        "While invariant [0 <= i], decreases [n - i]",
    );
    check(
        "/*@ maintaining a; decreasing b; @*/\nfor (int i = 0; i < 3; i++) f();",
        "For invariant a, decreases b",
    );
    check("//@ loop_invariant a;\nfor (A x : b) { }", "ForEach invariant a");
    check("//@ loop_invariant a;\ndo { } while (b);", "Do invariant a");
    check(
        "//@ loop_invariant a; assignable x, y[*]; loop_modifies z;\nwhile (a);",
        "While invariant a, assignable x, y[*], assignable z",
    );
}

#[test]
fn labels_of_loops_are_kept() {
    check("//@ loop_invariant a;\nl: k: while (b) { }", "l: k: While invariant a");
    check("l: //@ loop_invariant a;\nwhile (b) { }", "l: While invariant a");
}

#[test]
fn parts_of_loops_are_located() {
    let text = "class A { void m() { //@ loop_invariant a;\n l: for (int i = 0; i < 3; i++, j--) { f(); } } }";
    let (source, _) = read(text);
    let found = &source.types[0].methods[0].loops[0];
    assert_eq!(found.condition.map(|span| source.slice(span)), Some("i < 3"));
    assert_eq!(found.update.map(|span| source.slice(span)), Some("i++, j--"));
    assert_eq!((source.slice(found.body), found.body_is_block), ("{ f(); }", true));
    assert!(source.slice(found.statement).starts_with("l: for"));
    assert!(source.slice(found.span).starts_with("for"));
}

#[test]
fn a_block_specification_is_read() {
    check("//@ requires a; ensures b;\n{ f(); }", "block Lightweight requires a; ensures b;");
    check("//@ refining normal_behavior ensures b;\n{ f(); }", "block Normal ensures b;");
}

#[test]
fn modifiers_of_local_variables_are_ignored() {
    check("/*@ nullable @*/ Object o = f((/*@ non_null */ A) x);", "");
}

#[test]
fn comments_where_no_statement_can_stand_are_marked() {
    check("if (a) //@ assert b;\n f();", "(misplaced) assert b");
    check("f(1, //@ assert b;\n 2);", "(misplaced) assert b");
    check("if (a) f(); //@ assert b;\ng();", "assert b");
    check("if (a) f();\n//@ assert b;\nelse g();", "(misplaced) assert b");
    check("switch (x) { case 1: f(); //@ assert b;\n break; default: }", "assert b");
    check("g(() -> { //@ assert b;\n });", "assert b");
    check("try { f(); //@ assert b;\n } finally { //@ assert c;\n }", "assert b\nassert c");
}

#[test]
fn a_proof_of_an_assertion_is_skipped() {
    check("/*@ assert a \\by { auto; assert b; } @*/\n//@ assert c;", "assert a\nassert c");
}

#[test]
fn initializers_have_statements_too() {
    let (source, said) = read("class A { static { //@ assert a;\n } { //@ assert b;\n } }");
    assert_eq!(said, Vec::<String>::new());
    let found: Vec<_> = source.types[0]
        .initializers
        .iter()
        .map(|block| (block.is_static, block.statements.len()))
        .collect();
    assert_eq!(found, [(true, 1), (false, 1)]);
}
