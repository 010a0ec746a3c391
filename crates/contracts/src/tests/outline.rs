//! The declarations of Java.

use super::{read, show};

#[track_caller]
fn check(text: &str, expect: &[&str]) {
    let (source, said) = read(text);
    assert_eq!(said, Vec::<String>::new());
    let mut found = Vec::new();
    for ty in source.all_types() {
        found.push(format!("{:?} {:?} {}", ty.place, ty.kind, ty.name.text));
        found.extend(ty.methods.iter().map(|method| show::method(method).replace(" <>", "")));
        found.extend(ty.fields.iter().map(|field| show::field(field).replace(" <>", "")));
    }
    assert_eq!(found, expect);
}

#[test]
fn all_kinds_of_types_are_found() {
    check(
        "package a.b; public sealed interface S permits R {} record R(int x, String... y) implements S { R { } } enum E { X(1), Y; E(int... n) {} } @interface N { int value() default 1; }",
        &[
            "TopLevel Interface S",
            "TopLevel Record R",
            "Java new R()",
            "TopLevel Enum E",
            "Java new E(int... n)",
            "TopLevel Annotation N",
            "Java int value()",
        ],
    );
}

#[test]
fn modern_java_is_no_obstacle() {
    check(
        "class A<T extends Comparable<T> & Runnable> { int m(Object o) { return switch (o) { case Integer i when i > 0 -> i; case P(var x, P(int y, _)) -> y; case null, default -> 0; }; } String s = \"\"\"\n //@ requires \\bad;\n \"\"\"; <U> U[] n(final @X List<? super U> l, int[]... k)[] throws E { Runnable r = () -> {}; for (;;) { } } }",
        &[
            "TopLevel Class A",
            "Java int m(Object o)",
            "Java <U> U[][] n(List<? super U> l, int[]... k) throws E",
            "Java String s",
        ],
    );
}

#[test]
fn a_module_declaration_has_no_types() {
    check("module a { requires b; exports c to d; }", &[]);
}

#[test]
fn heads_are_taken_apart() {
    let (source, _) = read(
        "package p.q; import static a.B.*; import c.D; class A<T> extends B<T> implements C, D<T> { A(int x) throws E { super(x + 1, 2); } A() { this(1); } }",
    );
    assert_eq!(source.package.as_ref().map(|name| name.text.as_str()), Some("p.q"));
    assert_eq!(source.imports.len(), 2);
    assert!(source.imports[0].is_static && source.imports[0].on_demand);
    let ty = &source.types[0];
    assert_eq!(ty.type_parameters.as_ref().map(|text| text.text.as_str()), Some("<T>"));
    assert_eq!(ty.extends[0].text, "B<T>");
    assert_eq!(show::list(&ty.implements, |ty| ty.text.clone()), "C, D<T>");
    let call = ty.methods[0].explicit_call.as_ref().expect("a call of super");
    assert!(!call.this);
    assert_eq!(call.first.map(|span| source.slice(span)), Some("x + 1"));
    assert_eq!(source.slice(call.span), "super(x + 1, 2);");
    assert_eq!(source.slice(call.arguments), "(x + 1, 2)");
    let call = ty.methods[1].explicit_call.as_ref().expect("a call of this");
    assert!(call.this);
}

#[test]
fn spans_of_methods_begin_with_their_modifiers() {
    let (source, _) = read("class A { //@ pure\n @X public int m() { return 1; } int n(); }");
    let [m, n] = source.types[0].methods.as_slice() else { panic!("two methods") };
    assert_eq!(source.slice(m.span), "@X public int m() { return 1; }");
    assert_eq!(m.body.map(|body| source.slice(body)), Some("{ return 1; }"));
    assert_eq!((source.slice(n.span), n.body), ("int n();", None));
}
