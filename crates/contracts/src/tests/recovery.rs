//! Errors: where they are, and that the rest is used.

use super::{read, show};

#[track_caller]
fn check(text: &str, said: &[&str], spec: &str) {
    let (source, found) = read(text);
    assert_eq!(found, said);
    let methods = &source.types[0].methods;
    let specs: Vec<String> = methods.iter().map(|method| show::spec(&method.spec)).collect();
    assert_eq!(specs.join(" | "), spec);
}

#[test]
fn an_error_names_its_place_and_the_rest_is_used() {
    check(
        "class A {\n  //@ requires x > ;\n  //@ ensures b;\n  void m() {}\n  //@ ensures c;\n  void n() {}\n}",
        &["A.java:2:20: error: expected an expression, found `;`"],
        "Lightweight unchecked requires; ensures b; | Lightweight ensures c;",
    );
}

#[test]
fn a_misspelled_keyword_costs_its_clause() {
    check(
        "class A {\n  /*@ requires a;\n    @ ensure b;\n    @ ensures c;\n    @*/\n  void m() {}\n}",
        &["A.java:3:7: error: expected a keyword of JML, found `ensure`"],
        "Lightweight requires a; ensures c;",
    );
}

#[test]
fn a_missing_semicolon_is_forgiven_where_a_clause_begins() {
    check(
        "class A {\n  /*@ requires a\n    @ ensures b @*/\n  void m() {}\n}",
        &[
            "A.java:2:16: warning: a semicolon is missing behind this",
            "A.java:3:15: warning: a semicolon is missing behind this",
        ],
        "Lightweight requires a; ensures b;",
    );
}

#[test]
fn brackets_that_are_not_closed_cost_one_clause() {
    check(
        "class A {\n  //@ requires (\\forall int i; a[i];\n  //@ ensures b;\n  void m() {}\n}",
        &["A.java:2:16: error: this parenthesis is not closed"],
        "Lightweight unchecked requires; ensures b;",
    );
    check(
        "class A {\n  //@ requires a);\n  //@ ensures b;\n  void m() {}\n}",
        &["A.java:2:17: error: expected `;`, found `)`"],
        "Lightweight unchecked requires; ensures b;",
    );
}

#[test]
fn a_missing_also_is_told() {
    check(
        "class A {\n  //@ ensures a;\n  //@ normal_behavior ensures b;\n  void m() {}\n}",
        &["A.java:3:7: warning: `also` is missing in front of this case"],
        "Lightweight ensures a; also Normal ensures b;",
    );
}

#[test]
fn what_belongs_to_nothing_is_an_error() {
    check(
        "class A {\n  //@ requires a;\n}",
        &["A.java:2:7: error: no declaration follows this"],
        "",
    );
    check(
        "class A {\n  //@ requires a;\n  int x;\n}",
        &["A.java:2:7: error: this specification belongs to no method"],
        "",
    );
    check("//@ invariant a;\nclass A { }", &["A.java:1:5: error: this stands in no type"], "");
    check(
        "class A {\n  //@ in s;\n}",
        &["A.java:2:7: error: this data group belongs to no field"],
        "",
    );
    check(
        "class A { void m() {\n  //@ loop_invariant a;\n  f();\n} }",
        &["A.java:2:7: error: no loop follows this clause"],
        "",
    );
}

#[test]
fn literals_that_are_not_closed_are_errors() {
    check(
        "class A {\n  //@ requires \"a;\n  void m() {}\n}",
        &["A.java:2:16: error: expected an expression, found a string that is not closed"],
        "Lightweight unchecked requires;",
    );
    check(
        "class A {\n  //@ requires (* a;\n  void m() {}\n}",
        &[
            "A.java:2:16: error: expected an expression, found an informal description that is not closed",
        ],
        "Lightweight unchecked requires;",
    );
}

#[test]
fn an_unclosed_comment_is_an_error_of_java() {
    let (source, said) = read("class A { void m() {} /*@ requires x;");
    assert!(!source.java_is_whole);
    assert_eq!(said.len(), 1);
}

#[test]
fn broken_java_leaves_the_other_declarations() {
    let (source, said) = read(
        "class A {\n  //@ ensures a;\n  void m() { int = ; }\n  //@ ensures b;\n  void n() {}\n}",
    );
    assert_eq!(said, ["A.java:3:14: error: this is not understood as Java"]);
    assert!(!source.java_is_whole);
    assert_eq!(source.types[0].methods.len(), 2);
}

#[test]
fn commented_out_annotations_are_no_jml() {
    let (source, said) = read(
        "class A {\n  //@Override\n  //@Test(expected = X.class)\n  //@formatter:off\n  void m() {}\n}",
    );
    assert_eq!(said, Vec::<String>::new());
    assert!(!source.annotated);
}
