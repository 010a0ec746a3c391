use super::*;
use crate::parse;

/// As much of the JDK as the clauses below speak of.
struct Jdk;

impl Library for Jdk {
    fn has_class(&self, name: &str) -> bool {
        let known = ["Object", "String", "Math", "Integer", "Exception"];
        name.strip_prefix("java.lang.").is_some_and(|name| known.contains(&name))
            || ["java.util.List", "java.util.Arrays"].contains(&name)
    }

    fn field(&self, class: &str, name: &str) -> Option<String> {
        (class == "java.lang.Integer" && name == "MAX_VALUE").then(|| "int".to_owned())
    }

    fn result(&self, class: &str, method: &str, _: usize) -> Option<String> {
        let result = match (class, method) {
            ("java.util.List", "size") | ("java.lang.String", "length") => "int",
            ("java.util.List", "get") => "java.lang.Object",
            ("java.lang.Object", "equals") => "boolean",
            ("java.lang.Math", "abs") => "int",
            _ => return None,
        };
        Some(result.to_owned())
    }
}

const MEMBERS: &str = "
    private int balance; int count; private /*@ spec_public @*/ int hidden; private String name;
    public long total; private int[] items; double rate; boolean open; Node next; List<String> names;
    static final int MAX = 10; static int made; private Color color;
    //@ public model int size;
    //@ private represents size = count;
    //@ ghost int phantom;
    public int getBalance() { return balance; }
    public int[] getItems() { return this.items; }
    //@ ensures \\result == name;
    public String called() { String n = name; return n; }
    int get(int i) { return items[i]; }
    private int secret() { return 1; }
    static int twice(int n) { return 2 * n; }
    Node self() throws Exception { return this; }
    enum Color { RED, BLUE }
";

/// Restates a clause in front of `m`, which is called on an object with an `int`, a `long` and two
/// objects of the class; the place of the clause is that of the mark, which is taken out.
fn told(clause: &str) -> String {
    let head = "int m(int a, long b, Node other, Node same) { return 0; }";
    restated(&format!("/*@ ^{clause} @*/ public {head}"), "m", true)
}

/// The same of a clause among the members of the class, broken by the call of a method.
fn restated(member: &str, method: &str, has_receiver: bool) -> String {
    let marked =
        format!("package p; import java.util.List; public class Node {{ {MEMBERS}\n{member} }}");
    let at = marked.find('^').unwrap();
    let text = marked.replace('^', "");
    let (source, problems) = parse("Node.java", &text);
    let is_error = |problem: &crate::Diagnostic| problem.severity == crate::Severity::Error;
    assert!(!problems.iter().any(is_error), "{problems:?}");
    let position = source.files[0].lines.position(&text, u32::try_from(at).unwrap());
    let keyword = text[at..].split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
    let keyword =
        if ["ensures", "invariant"].contains(&keyword) { keyword } else { word(&text[at..]) };
    let (line, column) = (position.line, position.column);
    let place = Place { file: "Node.java", line, column, keyword };
    let node = || Some("p.Node".to_owned());
    let arguments = match method {
        "m" => vec![Some("int".to_owned()), Some("long".to_owned()), node(), None],
        _ => Vec::new(),
    };
    let called = Called { class: "p.Node", method, has_receiver, arguments, package: "p" };
    match restate(&[source], &Jdk, &place, &called) {
        Ok(restated) if restated.claims.is_empty() => "throws".to_owned(),
        Ok(restated) => restated.told(),
        Err(reason) => format!("no: {reason}"),
    }
}

/// What a place without a keyword is named by.
fn word(text: &str) -> &str {
    let words =
        ["normal_behavior", "exceptional_behavior", "signals_only", "signals", "constraint"];
    words.into_iter().find(|word| text.starts_with(word)).unwrap_or("non_null")
}

#[track_caller]
fn check(clause: &str, expect: &str) {
    assert_eq!(told(&format!("ensures {clause};")), expect, "{clause}");
}

#[test]
fn results_are_compared_with_what_is_expected() {
    check("\\result == a", "Equal: arg0, result");
    check("a == \\result", "Equal: arg0, result");
    check("\\result >= 0", "True: result >= 0");
    check("\\result > 0 && \\result < 9", "True: result > 0; True: result < 9");
    check("!(\\result > 0)", "False: result > 0");
    check("\\result == (open ? 1 : 2)", "Equal: it.open ? 1 : 2, result");
}

#[test]
fn private_fields_are_read_by_their_getters() {
    check("balance == a", "Equal: arg0, it.getBalance()");
    check("this.balance == a", "Equal: arg0, it.getBalance()");
    check("count == a", "Equal: arg0, it.count");
    check("name != null", "NotNull: it.called()");
    check("other.balance == a", "Equal: arg0, arg2.getBalance()");
    check("hidden == a", "no: nothing gives the private field `hidden`");
    check("hidden == a && count == a", "Equal: arg0, it.count");
    check("secret() == 1", "no: a test cannot call `secret`");
    check("phantom == 1", "no: `phantom` is a ghost field");
}

#[test]
fn values_of_before_the_call_are_kept() {
    check(
        "balance == \\old(balance)",
        "int oldBalance = it.getBalance(); Equal: oldBalance, it.getBalance()",
    );
    check("total == \\pre(total)", "long oldTotal = it.total; Equal: oldTotal, it.total");
    check("open == \\old(!open)", "boolean oldValue = !it.open; Equal: oldValue, it.open");
    check("next == \\old(next)", "p.Node oldNext = it.next; Same: oldNext, it.next");
    check("count == \\old(a)", "Equal: arg0, it.count");
    check(
        "names.size() == \\old(names.size())",
        "int oldSize = it.names.size(); Equal: oldSize, it.names.size()",
    );
    check(
        "\\result == \\old(names.unheard())",
        "no: of what type a value before the call is, is not known",
    );
}

#[test]
fn sums_do_not_overflow() {
    check(
        "balance == \\old(balance) + a",
        "long oldBalance = it.getBalance(); Equal: oldBalance + arg0, it.getBalance()",
    );
    check("\\result == a + 1", "Equal: (long) arg0 + 1, result");
    check("\\result == a * count", "Equal: (long) arg0 * it.count, result");
    check(
        "total == \\old(total) + b",
        "long oldTotal = it.total; Equal: Math.addExact(oldTotal, arg1), it.total",
    );
    check("\\result == -a", "Equal: -(long) arg0, result");
    check("\\result == a * 1.5", "True: arg0 * 1.5 == result");
    check("get(a + 1) == 0", "Equal: 0, it.get(arg0 + 1)");
    check(
        "count == \\old(count) + 1 && get(\\old(count)) == a",
        "long oldCount = it.count; Equal: oldCount + 1, it.count; Equal: arg0, it.get((int) oldCount)",
    );
}

#[test]
fn connectives_are_those_of_java() {
    check("a > 0 ==> \\result > 0", "True: arg0 <= 0 || result > 0");
    check("\\result > 0 <== open", "True: result > 0 || !it.open");
    check("\\result > 0 <==> open", "Equal: it.open, result > 0");
    check("open <=!=> a > 0", "True: it.open != arg0 > 0");
    check("open == true", "True: it.open");
    check("(rate < 1) ==> open", "True: !(it.rate < 1) || it.open");
}

#[test]
fn quantifiers_over_ranges_are_streams() {
    check(
        "(\\forall int i; 0 <= i && i < count; get(i) >= 0)",
        "True: IntStream.range(0, it.count).allMatch(i -> it.get(i) >= 0)",
    );
    check(
        "(\\exists int i; 0 <= i && i <= a; get(i) == a && i != 3)",
        "True: IntStream.rangeClosed(0, arg0).anyMatch(i -> it.get(i) == arg0 && i != 3)",
    );
    check(
        "\\result == (\\num_of int i; 0 <= i && i < a; get(i) > 0)",
        "Equal: IntStream.range(0, arg0).filter(i -> it.get(i) > 0).count(), result",
    );
    check(
        "\\result == (\\sum int i; 0 <= i && i < a; get(i))",
        "Equal: IntStream.range(0, arg0).mapToLong(i -> it.get(i)).sum(), result",
    );
    check(
        "\\result == (\\max int i; 0 <= i && i < a; get(i))",
        "Equal: IntStream.range(0, arg0).mapToLong(i -> it.get(i)).max().getAsLong(), result",
    );
    check(
        "(\\forall int i, j; 0 <= i && i < j && j < a; items[i] <= items[j])",
        "True: IntStream.range(0, arg0).allMatch(i -> IntStream.range(i + 1, arg0).allMatch(j -> it.getItems()[i] <= it.getItems()[j]))",
    );
    check(
        "(\\forall int i; 0 <= i && i < items.length; items[i] == \\old(items[i]))",
        "int[] oldItems = it.getItems().clone(); True: IntStream.range(0, it.getItems().length).allMatch(i -> it.getItems()[i] == oldItems[i])",
    );
    check(
        "(\\forall int i; 0 <= i && i < a && i != 2 ==> get(i) > 0)",
        "True: IntStream.range(0, arg0).filter(i -> i != 2).allMatch(i -> it.get(i) > 0)",
    );
    check(
        "(\\forall Object o; o != null; o == this)",
        "no: values of `Object` are not gone through",
    );
}

#[test]
fn objects_and_types_are_told() {
    check(
        "\\nonnullelements(items)",
        "True: it.getItems() != null && Arrays.stream(it.getItems()).allMatch(Objects::nonNull)",
    );
    check("\\typeof(next) == \\type(Node)", "Same: Node.class, it.next.getClass()");
    check(
        "open ==> \\typeof(next) == \\type(Node)",
        "True: !it.open || it.next.getClass().equals(Node.class)",
    );
    check("\\typeof(next) <: \\type(Node)", "True: it.next instanceof Node");
    check(
        "\\fresh(next)",
        "p.Node oldNext = it.next; NotNull: it.next; NotSame: it, it.next; NotSame: arg2, it.next; NotSame: oldNext, it.next",
    );
    check("next instanceof Node", "True: it.next instanceof Node");
    check("next.equals(other)", "True: it.next.equals(arg2)");
}

#[test]
fn names_are_those_of_a_class_elsewhere() {
    check("\\result <= MAX", "True: result <= Node.MAX");
    check("\\result == twice(a)", "Equal: Node.twice(arg0), result");
    check("color == Color.RED", "no: nothing gives the private field `color`");
    check("self().next == null", "Null: it.self().next");
    check("\\result <= Integer.MAX_VALUE", "True: result <= Integer.MAX_VALUE");
    check("\\result == Math.abs(a)", "Equal: Math.abs(arg0), result");
    check("size == a", "Equal: arg0, it.count");
    check("\\result == unheard", "no: what `unheard` is, is not known");
}

#[test]
fn what_is_not_formal_is_left_out() {
    check("(* it is well *)", "no: it is not formal");
    check("(* it is well *) && open", "True: it.open");
    check("true", "no: nothing is said that could fail");
    check("false", "Unreached: ");
    check("\\reach(next) != null", "no: `\\reach` is not said in a test");
}

#[test]
fn forbidden_exceptions_are_the_failure() {
    assert_eq!(told("signals_only \\nothing;"), "throws");
    assert_eq!(told("signals (Exception e) false;"), "throws");
    assert_eq!(
        told("signals (Exception e) open;"),
        "no: it speaks of the state after an exception"
    );
    assert_eq!(told("normal_behavior ensures true;"), "throws");
    assert_eq!(told("exceptional_behavior requires true;"), "Unreached: ");
    assert!(told("requires a > 0;").starts_with("no: it is a precondition"));
    assert!(told("assignable \\nothing;").starts_with("no: what else was changed"));
}

#[test]
fn what_holds_of_objects_is_asserted_of_those_at_hand() {
    let check = |member: &str, method: &str, has_receiver: bool, expect: &str| {
        let with =
            format!("{member} int m(int a, long b, Node x, Node y) {{ return 0; }} Node() {{}}");
        assert_eq!(restated(&with, method, has_receiver), expect, "{member} {method}");
    };
    let invariant = "//@ ^invariant balance >= 0;\n";
    check(invariant, "m", true, "True: it.getBalance() >= 0; True: arg2.getBalance() >= 0");
    check(invariant, "<init>", false, "True: it.getBalance() >= 0");
    check(invariant, "twice", false, "no: the object it is of is not one that the test has");
    check("//@ ^static invariant made >= 0;\n", "twice", false, "True: Node.made >= 0");
    check("//@ ^initially balance == 0;\n", "<init>", false, "Equal: 0, it.getBalance()");
    check(
        "//@ ^initially balance == 0;\n",
        "m",
        true,
        "no: it is broken by an object that the code makes",
    );
    let constraint = "//@ ^constraint count >= \\old(count);\n";
    check(constraint, "called", true, "int oldCount = it.count; True: it.count >= oldCount");
    check(constraint, "<init>", false, "no: an object has no state before it is made");
    check("/*@ non_null @*/ String ^label;", "called", true, "NotNull: it.label");
    check("/*@ non_null @*/ String ^label() { return null; }", "label", true, "NotNull: result");
    check(
        "/*@ ^ensures \\result == 1; @*/ int one() { return 2; }",
        "called",
        true,
        "no: it is of a method that the code calls, not of the one that the test calls",
    );
}
