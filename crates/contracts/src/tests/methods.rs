//! Specifications of methods.

use super::{read, show};

#[track_caller]
fn check(comment: &str, expect: &str) {
    let (source, said) =
        read(&format!("class A {{\n{comment}\npublic int m(int x) {{ return x; }}\n}}"));
    assert_eq!(said, Vec::<String>::new(), "{comment}");
    let method = &source.types[0].methods[0];
    let modifiers = show::modifiers(&method.modifiers);
    let modifiers = if modifiers.is_empty() { modifiers } else { format!("<{modifiers}> ") };
    assert_eq!(modifiers + &show::spec(&method.spec), expect);
}

#[test]
fn requires_and_pre_are_preconditions() {
    check("//@ requires x > 0;", "Lightweight requires [x > 0];");
    check("//@ pre x > 0;", "Lightweight requires [x > 0];");
    check("//@ requires_redundantly true;", "Lightweight ~requires true;");
}

#[test]
fn ensures_and_post_are_postconditions() {
    check("//@ ensures \\result == x;", "Lightweight ensures [\\result == x];");
    check("//@ post true;", "Lightweight ensures true;");
    check("//@ ensures_redundantly true;", "Lightweight ~ensures true;");
}

#[test]
fn signals_may_leave_out_parts() {
    check("//@ signals (E e) e.x > 0;", "Lightweight signals (E e) [e.x > 0];");
    check("//@ signals (E e);", "Lightweight signals (E e);");
    check(
        "//@ signals (java.io.IOException) false;",
        "Lightweight signals (java.io.IOException) false;",
    );
    check("//@ exsures (A.B e) false;", "Lightweight signals (A.B e) false;");
    check("//@ signals (E | F e) true;", "Lightweight signals (E|F e) true;");
}

#[test]
fn signals_only_lists_types_or_nothing() {
    check("//@ signals_only E, a.F;", "Lightweight signals_only E, a.F;");
    check("//@ signals_only \\nothing;", "Lightweight signals_only ;");
}

#[test]
fn assignable_has_many_names() {
    for word in ["assignable", "assigns", "modifies", "modifiable", "writes"] {
        check(&format!("//@ {word} x, this.y;"), "Lightweight assignable x, this.y;");
    }
}

#[test]
fn places_are_of_many_forms() {
    check("//@ assignable \\nothing;", "Lightweight assignable nothing;");
    check("//@ assignable \\everything;", "Lightweight assignable everything;");
    check("//@ assignable \\not_specified;", "Lightweight assignable not_specified;");
    check("//@ assignable this.*, x.*, A.*;", "Lightweight assignable this.*, x.*, A.*;");
    check(
        "//@ assignable a[*], a[i].b, a[0 .. n-1];",
        "Lightweight assignable a[*], a[i].b, a[0..[n - 1]];",
    );
    check(
        "//@ assignable a[i..], a[*].f, super.x;",
        "Lightweight assignable a[i..], a[*].f, super.x;",
    );
    check("//@ assignable \\reach(x).f, b.m(1).c;", "Lightweight assignable Reach(x).f, b.m(1).c;");
    check("//@ assignable (* some *);", "Lightweight assignable (* some *);");
}

#[test]
fn old_and_forall_declare_variables() {
    check(
        "//@ old int a = x, b = 1; requires true;",
        "Lightweight old int a = x, int b = 1; requires true;",
    );
    check("//@ forall nullable A a; requires true;", "Lightweight forall A? a; requires true;");
}

#[test]
fn clauses_that_are_not_checked_are_read() {
    for clause in [
        "accessible x",
        "captures x",
        "when x > 0",
        "diverges true",
        "measured_by x",
        "working_space 3 if x",
        "duration 5",
        "callable m(int)",
    ] {
        let word = clause.split(' ').next().unwrap_or_default();
        check(&format!("//@ {clause};"), &format!("Lightweight unchecked {word};"));
    }
}

#[test]
fn behaviors_have_two_spellings() {
    check("//@ public normal_behavior requires true;", "Public Normal requires true;");
    check(
        "//@ protected exceptional_behaviour signals (E e);",
        "Protected Exceptional signals (E e);",
    );
    check("//@ private behavior ensures true;", "Private Any ensures true;");
    check("//@ behaviour ensures true;", "Any ensures true;");
    check("//@ public code normal_behavior ensures true;", "Public code Normal ensures true;");
}

#[test]
fn also_joins_cases() {
    check(
        "/*@ requires a; ensures b;\n  @ also\n  @ public normal_behavior\n  @   ensures c; @*/",
        "Lightweight requires a; ensures b; also Public Normal ensures c;",
    );
    check("//@ also\n//@ ensures b;", "also Lightweight ensures b;");
}

#[test]
fn nested_cases_share_clauses() {
    check(
        "/*@ requires a; {| requires b; ensures c; also requires d; {| ensures e; |} |} @*/",
        "Lightweight requires a; {Lightweight requires b; ensures c; also Lightweight requires d; {Lightweight ensures e;}}",
    );
}

#[test]
fn flattened_cases_have_all_clauses_around_them() {
    let text = "class A { /*@ public normal_behavior requires a; {| requires b; also ensures c; |} @*/ void m() {} }";
    let (source, _) = read(text);
    let flat = source.types[0].methods[0].spec.flattened();
    let words: Vec<Vec<&str>> = flat
        .iter()
        .map(|case| case.clauses.iter().map(|clause| source.slice(clause.span)).collect())
        .collect();
    assert_eq!(words, [["requires a;", "requires b;"], ["requires a;", "ensures c;"]]);
    assert!(flat.iter().all(|case| case.behavior == crate::jml::ast::Behavior::Normal));
}

#[test]
fn consequences_and_examples_are_set_apart() {
    check(
        "/*@ ensures a; implies_that ensures b; also ensures c; for_example public normal_example ensures d; @*/",
        "Lightweight ensures a; [implies Lightweight ensures b;] [implies Lightweight ensures c;] [example Public Normal ensures d;]",
    );
}

#[test]
fn modifiers_stand_in_front_or_in_the_head() {
    check("/*@ pure helper @*/", "<Pure, Helper> ");
    check(
        "//@ requires a;\n//@ nullable strictly_pure",
        "<Nullable, StrictlyPure> Lightweight requires a;",
    );
    check("/*@ spec_java_math spec_public non_null */", "<SpecJavaMath, SpecPublic, NonNull> ");
    check("@Pure @org.jmlspecs.annotation.SpecPublic @Nullable", "<Pure, SpecPublic, Nullable> ");
}

#[test]
fn a_clause_may_span_comments() {
    check("//@ requires a\n//@   && b;", "Lightweight requires [a && b];");
    check(
        "//@ requires a;\n// why\n/** doc */\n//@ ensures b;",
        "Lightweight requires a; ensures b;",
    );
}

#[test]
fn keys_that_are_not_enabled_hide_comments() {
    check(
        "//@ requires a;\n//+OPENJML@ ensures b;\n//-RAC@ ensures c;",
        "Lightweight requires a; ensures c;",
    );
}

#[test]
fn a_model_program_is_read() {
    check("//@ public behavior\n//@   { return x; }", "Public Any unchecked model_program;");
    check("//@ model_program { x = 1; }", "Lightweight unchecked model_program;");
}

#[test]
fn the_head_may_carry_a_specification() {
    let text = "class A { public /*@ pure @*/ int m(/*@ non_null @*/ A a, int b /*@ nullable */)\n//@ requires a != null;\n{ return 1; }\nint n() /*@ ensures true; @*/; }";
    let (source, said) = read(text);
    assert_eq!(said, Vec::<String>::new());
    let [m, n] = source.types[0].methods.as_slice() else { panic!("two methods") };
    assert_eq!(show::method(m), "Java int m(<NonNull> A a, <Nullable> int b) <Pure>");
    assert_eq!(show::spec(&m.spec), "Lightweight requires [a != null];");
    assert_eq!(show::spec(&n.spec), "Lightweight ensures true;");
}

#[test]
fn parts_of_a_clause_have_exact_positions() {
    let text = "class A {\n  /*@ requires x\n    @   > 0 ==>\n    @   \\old(y) == 1;\n    @*/\n  void m(int x) {}\n}";
    let (source, said) = read(text);
    assert_eq!(said, Vec::<String>::new());
    let clause = &source.types[0].methods[0].spec.cases[0].clauses[0];
    let crate::jml::ast::ClauseKind::Requires(expr) = &clause.kind else { panic!("{clause:?}") };
    let mut found = Vec::new();
    expr.walk(&mut |part| {
        let at = source.position(part.span);
        found.push((source.slice(part.span).replace("\n    @  ", ""), at.line, at.column));
    });
    let found: Vec<(&str, u32, u32)> =
        found.iter().map(|(text, line, column)| (text.as_str(), *line, *column)).collect();
    assert_eq!(
        found,
        [
            ("x > 0 ==> \\old(y) == 1", 2, 16),
            ("x > 0", 2, 16),
            ("x", 2, 16),
            ("0", 3, 11),
            ("\\old(y) == 1", 4, 9),
            ("\\old(y)", 4, 9),
            ("y", 4, 14),
            ("1", 4, 20),
        ]
    );
}
