//! `.jml` files beside the source.

use crate::{Keys, parse, parse_jml};

use super::show;

#[track_caller]
fn check(java: &str, jml: &str, said: &[&str], expect: &[&str]) {
    let (mut source, _) = parse("A.java", java);
    let found = source.add_jml("A.jml", jml, &Keys::default());
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(found, said);
    let ty = &source.types[0];
    let mut shown: Vec<String> = show::type_spec(ty).lines().map(str::to_owned).collect();
    shown.extend(ty.fields.iter().map(show::field));
    for method in &ty.methods {
        shown.push(format!("{}: {}", show::method(method), show::spec(&method.spec)));
    }
    assert_eq!(shown, expect);
}

#[test]
fn specifications_go_to_the_declarations_of_the_source() {
    check(
        "package p; import java.util.List; class A { int x; A(int x) {} void m(java.util.List<String> l, int[] a) {} void m(int... a) {} }",
        "package p; class A {\n//@ public invariant x > 0;\n/*@ spec_public */ int x; //@ in g;\n//@ requires x > 0;\nA(int x);\n//@ requires l != null;\n/*@ pure */ void m(/*@ nullable */ List<String> l, int a[]);\n//@ ensures a.length > 0;\nvoid m(int[] a);\n}",
        &[],
        &[
            "Public invariant [x > 0]",
            "Java int x <SpecPublic> in g",
            "Java new A(int x) <>: Lightweight requires [x > 0];",
            "Java void m(<Nullable> java.util.List<String> l, int[] a) <Pure>: Lightweight requires [l != null];",
            "Java void m(int... a) <>: Lightweight ensures [a.length > 0];",
        ],
    );
}

#[test]
fn what_the_jml_file_says_takes_the_place_of_what_the_source_says() {
    check(
        "class A { //@ requires a;\n void m() {} //@ requires b;\n void n() {} }",
        "class A { //@ requires c;\n void m(); void n(); }",
        &["A.jml:2:7: warning: this takes the place of what the source says of it"],
        &["Java void m() <>: Lightweight requires c;", "Java void n() <>: Lightweight requires b;"],
    );
}

#[test]
fn declarations_the_source_does_not_have_are_errors() {
    check(
        "class A { void m() {} }",
        "class A {\n void m(int x);\n int y;\n class B { }\n}\nclass C { }",
        &[
            "A.jml:3:6: error: the source declares no such field",
            "A.jml:2:7: error: the source declares no such method",
            "A.jml:4:8: error: the source declares no such type",
            "A.jml:6:7: error: the source declares no such type",
        ],
        &["Java void m() <>: "],
    );
}

#[test]
fn spans_know_their_file() {
    let (mut source, _) = parse("A.java", "class A { void m() {} }");
    source.add_jml("A.jml", "class A {\n //@ ensures x;\n void m(); }", &Keys::default());
    let clause = &source.types[0].methods[0].spec.cases[0].clauses[0];
    assert_eq!(source.slice(clause.span), "ensures x;");
    assert_eq!(source.file(clause.span.file).map(|file| file.name.as_str()), Some("A.jml"));
    assert_eq!(source.position(clause.span).line, 2);
}

#[test]
fn a_jml_file_may_stand_alone() {
    let (source, said) =
        parse_jml("A.jml", "class A { //@ ensures x;\n public A(); }", &Keys::default());
    assert_eq!(said, []);
    let method = &source.types[0].methods[0];
    assert_eq!(show::spec(&method.spec), "Lightweight ensures x;");
    assert_eq!(source.slice(method.span), "public A();");
}
