//! Expressions of Java and JML, and how their operators bind.

use crate::jml::ast::ClauseKind;

use super::{read, show};

#[track_caller]
fn check(text: &str, expect: &str) {
    let (source, said) = read(&format!("class A {{\n/*@ requires {text}; @*/\nvoid m() {{}} }}"));
    assert_eq!(said, Vec::<String>::new(), "{text}");
    let case = &source.types[0].methods[0].spec.cases[0];
    let [clause] = case.clauses.as_slice() else { panic!("{case:?}") };
    let ClauseKind::Requires(expr) = &clause.kind else { panic!("{clause:?}") };
    assert_eq!(show::expr(expr), expect);
    assert_eq!(source.slice(expr.span), text);
}

#[test]
fn implications_are_looser_than_or_and_tighter_than_equivalence() {
    check("a || b ==> c && d", "[[a || b] ==> [c && d]]");
    check("a ==> b <==> c", "[[a ==> b] <==> c]");
    check("a <==> b <=!=> c", "[[a <==> b] <=!=> c]");
    check("a ==> b ==> c", "[a ==> [b ==> c]]");
    check("a <== b <== c", "[[a <== b] <== c]");
    check("a ==> b ? c : d", "[[a ==> b] ? c : d]");
    check("a ? b : c ? d : e", "[a ? b : [c ? d : e]]");
}

#[test]
fn java_operators_bind_as_in_java() {
    check("a + b * c - d", "[[a + [b * c]] - d]");
    check("a == b & c != d | e ^ f", "[[[a == b] & [c != d]] | [e ^ f]]");
    check("a < b == c >= d", "[[a < b] == [c >= d]]");
    check("a >> 1 >>> b << 2", "[[[a >> 1] >>> b] << 2]");
    check("a > > b".replace("> >", ">").as_str(), "[a > b]");
    check("-a + ~b", "[[-a] + [~b]]");
    check("!a && b++ > --c", "[[!a] && [[b++] > [--c]]]");
    check("a <-1", "[a < [-1]]");
    check("0 <= i < n", "[[0 <= i] < n]");
}

#[test]
fn accesses_and_calls_follow_their_target() {
    check("a.b.c(d, 1)[i].e", "a.b.c(d, 1)[i].e");
    check("this.a.length", "this.a.length");
    check("super.m()", "super.m()");
    check("A.this.x", "A.this.x");
    check("Optional.<T>empty()", "Optional.empty()");
}

#[test]
fn casts_are_told_from_parentheses() {
    check("(a) + b", "[(a) + b]");
    check("(A) b", "cast<A>(b)");
    check("(int) -b", "cast<int>([-b])");
    check("(List<? extends A>) b.c()", "cast<List<? extends A>>(b.c())");
    check("(int[]) b", "cast<int[]>(b)");
    check("(a.b) == c", "[(a.b) == c]");
    check("(\\bigint) x", "cast<\\bigint>(x)");
    check("(A & B) x", "cast<A & B>(x)");
}

#[test]
fn instanceof_takes_types_and_patterns() {
    check("a instanceof B", "[a instanceof B]");
    check("a instanceof B b && c", "[[a instanceof B b] && c]");
    check("a instanceof P(int x, var y)", "[a instanceof P(int x, var y)]");
    check("!(a instanceof java.util.List<?>)", "[!([a instanceof java.util.List<?>])]");
}

#[test]
fn lambdas_and_method_references_are_read() {
    check("s.allMatch(x -> x > 0)", "s.allMatch([x -> [x > 0]])");
    check("s.map((int x, y) -> { return x; })", "s.map([(int x, y) -> { return x; }])");
    check("s.map(String::length)", "s.map([String::length])");
    check("s.map(int[]::new)", "s.map([int[]::new])");
    check("s.map(ArrayList<String>::new)", "s.map([ArrayList<String>::new])");
    check("() -> 1", "[() -> 1]");
}

#[test]
fn objects_and_arrays_may_be_made() {
    check("new A(1).b", "new A(1).b");
    check("new ArrayList<>()", "new ArrayList<>()");
    check("o.new A()", "o.new A()");
    check("new int[n][]", "new int[n][]");
    check("new int[] {1, 2}", "new int[]{1, 2}");
    check("new A() { int x; }", "new A(){ int x; }");
    check(
        "new JMLObjectSet {Integer i | s.has(i) && 0 < i}",
        "new JMLObjectSet {Integer i | s.has(i) && 0 < i}",
    );
}

#[test]
fn class_literals_are_read() {
    check("int.class", "int.class");
    check("String[].class", "String[].class");
    check("java.util.List.class == c", "[java.util.List.class == c]");
}

#[test]
fn a_switch_is_kept_as_text() {
    check(
        "switch (x) { case 1 -> true; default -> false; }",
        "switch (x) { case 1 -> true; default -> false; }",
    );
}

#[test]
fn literals_are_kept_as_written() {
    check("x == 0xFFL", "[x == 0xFFL]");
    check("c == '\\''", "[c == '\\'']");
    check("s != \"a;b\"", "[s != \"a;b\"]");
    check("d < 1e-3 && b == true && n == null", "[[[d < 1e-3] && [b == true]] && [n == null]]");
}

#[test]
fn old_and_pre_name_earlier_states() {
    check("\\old(x + 1)", "Old([x + 1])");
    check("\\old(x, here)", "Old(x, here)");
    check("\\pre(x)", "Pre(x)");
}

#[test]
fn result_is_read() {
    check("\\result == x", "[\\result == x]");
    check("\\result.length > 0", "[\\result.length > 0]");
}

#[test]
fn fresh_takes_any_number() {
    check("\\fresh(\\result)", "Fresh(\\result)");
    check("\\fresh(a, b)", "Fresh(a, b)");
}

#[test]
fn nonnullelements_is_read() {
    check("\\nonnullelements(a)", "NonNullElements(a)");
}

#[test]
fn types_are_values() {
    check("\\typeof(x) <: \\type(List<String>)", "[TypeOf(x) <: Type(List<String>)]");
    check("\\elemtype(\\typeof(a)) == \\type(int)", "[ElemType(TypeOf(a)) == Type(int)]");
    check("\\TYPE.class == c", "[\\TYPE.class == c]");
}

#[test]
fn quantifiers_have_variables_range_and_body() {
    check(
        "(\\forall int i; 0 <= i && i < n; a[i] > 0)",
        "(Forall<int i; [[0 <= i] && [i < n]]; [a[i] > 0]>)",
    );
    check("(\\exists A a; a.ok())", "(Exists<A a; ; a.ok()>)");
    check("(\\forall int i, j; ; i == j)", "(Forall<int i, int j; ; [i == j]>)");
    check("(\\forall int i, j[]; j[i] == 0)", "(Forall<int i, int[] j; ; [j[i] == 0]>)");
    check("(\\forall nullable A a; a == null)", "(Forall<A? a; ; [a == null]>)");
    check("(\\num_of int i; 0 < i && i < 9; p(i))", "(NumOf<int i; [[0 < i] && [i < 9]]; p(i)>)");
    check("(\\sum int i; 0 < i && i < 9; i) > 3", "[(Sum<int i; [[0 < i] && [i < 9]]; i>) > 3]");
    check("(\\product int i; b(i); i)", "(Product<int i; b(i); i>)");
    check("(\\min int i; b(i); i)", "(Min<int i; b(i); i>)");
    check("(\\max int i; b(i); i)", "(Max<int i; b(i); i>)");
}

#[test]
fn unknown_quantifiers_and_words_are_kept() {
    check("(\\infinite_union int i; b(i); i)", "Other<\\infinite_union int i; b(i); i>");
    check("\\dl_seq(x, 1)", "Other \\dl_seq(x, 1)");
    check("\\strange", "Other \\strange");
}

#[test]
fn modified_places_are_store_references() {
    check("\\not_modified(x, this.y, a[*])", "NotModified(x, this.y, a[*])");
    check("\\not_assigned(x)", "NotAssigned(x)");
    check("\\only_assigned(x, a[0..3])", "OnlyAssigned(x, a[0..3])");
    check("\\only_called(m(int))", "Only \\only_called(m(int))");
}

#[test]
fn reach_has_a_legacy_form() {
    check("\\reach(this)", "Reach(this)");
    check("\\reach(x, Node, next)", "Reach(x, Node, next)");
}

#[test]
fn invariant_for_is_read() {
    check("\\invariant_for(x, y)", "InvariantFor(x, y)");
    check("\\static_invariant_for(A)", "StaticInvariantFor(A)");
    check("\\is_initialized(A)", "IsInitialized(A)");
}

#[test]
fn same_and_not_specified_stand_for_predicates() {
    check("\\same", "\\same");
    check("\\not_specified", "\\not_specified");
}

#[test]
fn an_informal_description_is_an_expression() {
    check("(* all is well *)", "(* all is well *)");
    check("a && (* b *)", "[a && (* b *)]");
}

#[test]
fn labels_name_expressions() {
    check("(\\lblneg here x > 0)", "(LblNeg(here, [x > 0]))");
    check("(\\lblpos here x)", "(LblPos(here, x))");
    check("\\lbl(here, x)", "Lbl(here, x)");
}

#[test]
fn locks_are_read() {
    check("\\max(\\lockset) <# x", "[LockSet(true) <# x]");
    check("\\lockset.has(this)", "LockSet(false).has(this)");
}

#[test]
fn keywords_are_names_in_expressions() {
    check("in.read() + old.pure - set", "[[in.read() + old.pure] - set]");
    check("code == requires", "[code == requires]");
}

#[test]
fn a_long_sum_is_too_high_a_tree() {
    let text = format!("class A {{ //@ requires {}1 > 0;\nvoid m() {{}} }}", "1 + ".repeat(5000));
    let (_, said) = read(&text);
    assert_eq!(said, ["A.java:1:24: error: this is nested too deeply"]);
}
