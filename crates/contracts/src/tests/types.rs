//! What JML says in the body of a type.

use super::{read, show};

#[track_caller]
fn check(body: &str, expect: &[&str]) {
    let (source, said) = read(&format!("class A {{\n{body}\n}}"));
    assert_eq!(said, Vec::<String>::new(), "{body}");
    let ty = &source.types[0];
    let mut found: Vec<String> = show::type_spec(ty).lines().map(str::to_owned).collect();
    found.extend(ty.fields.iter().map(show::field));
    assert_eq!(found, expect);
}

#[test]
fn invariants_are_of_instances_or_static() {
    check("//@ invariant x > 0;", &["invariant [x > 0]"]);
    check("//@ public static invariant a;", &["Public , Static invariant a"]);
    check("//@ private instance invariant a;", &["Private Instance invariant a"]);
    check("//@ invariant_redundantly a;", &["~invariant a"]);
}

#[test]
fn constraints_may_be_for_methods() {
    check("//@ constraint x >= \\old(x);", &["constraint [x >= Old(x)]"]);
    check(
        "//@ static constraint a for m, n(int, A[]), new(int);",
        &["Static constraint a for m, n(int, A[]), new(int)"],
    );
    check("//@ constraint a for \\everything;", &["constraint a"]);
    check("//@ constraint a for this.m, A.*;", &["constraint a for this.m, A.*"]);
}

#[test]
fn initially_and_axiom_are_read() {
    check("//@ public initially x == 0;", &["Public initially [x == 0]"]);
    check("//@ axiom true;", &["axiom true"]);
}

#[test]
fn represents_has_three_forms() {
    check("//@ represents s = x;", &["represents s = x"]);
    check("//@ private represents s <- x;", &["Private represents s = x"]);
    check("//@ represents this.s \\such_that s > x;", &["represents this.s such that [s > x]"]);
}

#[test]
fn clauses_that_are_not_checked_are_read() {
    check("//@ readable x if y;", &["unchecked readable"]);
    check("//@ writable x if y;", &["unchecked writable"]);
    check("//@ monitors_for x = y, z;", &["unchecked monitors_for"]);
    check("//@ depends x <- y;", &["unchecked depends"]);
}

#[test]
fn ghost_and_model_fields_are_declared() {
    check(
        "//@ ghost public int a = 1, b[];",
        &["Ghost int a <Ghost> = 1", "Ghost int[] b <Ghost>"],
    );
    check(
        "//@ public model instance nullable List<A> s;",
        &["Model List<A> s <Model, Instance, Nullable>"],
    );
    check("//@ ghost \\bigint n;", &["Ghost \\bigint n <Ghost>"]);
}

#[test]
fn model_methods_are_declared() {
    check(
        "/*@ requires a; pure\n  @ public model <T> boolean p(T x, int... y) throws E { return x != null; } @*/",
        &[
            "Model <T> boolean p(T x, int... y) throws E <Pure, Model> { return x != null; } // Lightweight requires a;",
        ],
    );
    check("//@ model int f();", &["Model int f() <Model> ;"]);
    check("//@ model A(int x) { }", &["Model new A(int x) <Model> { }"]);
    check("//@ model class B { int x; }", &["type B"]);
}

#[test]
fn data_groups_are_of_the_field_before() {
    check("int x; //@ in s, this.t;", &["Java int x <> in s, this.t"]);
    check("int a, b; //@ in s;", &["Java int a <> in s", "Java int b <> in s"]);
    check("int[] x; //@ maps x[*] \\into s;", &["Java int[] x <> maps x[*] into s"]);
    check(
        "//@ model int s; in t; maps s.f \\into t;",
        &["Model int s <Model> in t maps s.f into t"],
    );
    check("int x /*@ in s; @*/;", &["Java int x <> in s"]);
}

#[test]
fn modifiers_of_fields_stand_in_front_or_between() {
    check("private /*@ spec_public nullable @*/ A a = null;", &["Java A a <SpecPublic, Nullable>"]);
    check("/*@ spec_protected */ int a;", &["Java int a <SpecProtected>"]);
    check("//@ monitored uninitialized\nint a;", &["Java int a <Monitored, Uninitialized>"]);
}

#[test]
fn modifiers_of_types_are_read() {
    let (source, said) = read(
        "/*@ pure spec_bigint_math @*/ public /*@ nullable_by_default @*/ class A /*@ non_null_by_default */ { }",
    );
    assert_eq!(said, Vec::<String>::new());
    let modifiers = &source.types[0].modifiers;
    assert_eq!(
        show::modifiers(modifiers),
        "Pure, SpecBigintMath, NullableByDefault, NonNullByDefault"
    );
}

#[test]
fn model_imports_are_imports() {
    let (source, said) = read(
        "package p;\n//@ model import org.jmlspecs.models.*;\nimport java.util.List;\nclass A {}",
    );
    assert_eq!(said, Vec::<String>::new());
    let mut names: Vec<_> = source
        .imports
        .iter()
        .map(|import| (import.name.as_str(), import.on_demand, import.model))
        .collect();
    names.sort_unstable();
    assert_eq!(names, [("java.util.List", false, false), ("org.jmlspecs.models", true, true)]);
}

#[test]
fn legacy_headers_are_ignored() {
    let (_, said) =
        read("package p;\n//@ refine \"A.spec\";\n//@ refines A <- \"A.java\";\nclass A {}");
    assert_eq!(said, Vec::<String>::new());
}

#[test]
fn types_in_bodies_have_specifications_too() {
    let text = "class A { void m() { class B { //@ invariant b;\n }\nnew Object() { //@ ensures c;\n public int hashCode() { return 1; } }; }\nenum E { X { //@ invariant x;\n }; } }";
    let (source, said) = read(text);
    assert_eq!(said, Vec::<String>::new());
    let found: Vec<String> = source
        .all_types()
        .iter()
        .map(|ty| format!("{:?} {} {}", ty.place, ty.name.text, show::type_spec(ty)))
        .collect();
    assert_eq!(
        found,
        [
            "TopLevel A ",
            "Member E ",
            "EnumConstant X invariant x",
            "Local B invariant b",
            "Anonymous  "
        ]
    );
    let anonymous = &source.types[0].locals[1];
    assert_eq!(show::spec(&anonymous.methods[0].spec), "Lightweight ensures c;");
    assert_eq!(anonymous.extends[0].text, "Object");
}
