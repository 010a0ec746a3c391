//! What is said within bodies, and what violations tell.

use contracts::weave::Options;

use crate::harness::{compiled, drive, parsed};
use crate::table::{Row, check};

#[test]
fn statements_in_bodies_are_checked() {
    check(ROWS, &Options { values: true, ..Options::default() });
}

const ROWS: &[Row] = &[Row {
    class: "Bodies",
    source: r#"public class Bodies {
    int n = 1;
    static int find(int[] a, int x) {
        int i = 0;
        //@ loop_invariant 0 <= i && i <= a.length;
        //@ loop_invariant (\forall int j; 0 <= j && j < i; a[j] != x);
        //@ decreases a.length - i;
        while (i < a.length) {
            if (a[i] == x) { return i; }
            i += x == 77 ? 3 : x == 78 ? -1 : 1;
        }
        //@ assert (\forall int j; 0 <= j && j < a.length; a[j] != x);
        return -1;
    }
    static int sum(int n) {
        int s = 0;
        //@ maintaining s == k * (k - 1) / 2;
        for (int k = 0; k < n; k++) s += k == 4 ? 5 : k;
        return s;
    }
    void assume(int k) {
        //@ assume k > 0;
        n += k;
        //@ assert n == \old(n) + k;
        if (k == 3) {
            //@ unreachable;
        }
        //@ ghost int before = n;
        n++;
        //@ set before = before + 1;
        //@ assert before == n && k != 4;
    }
    int each(int[] all) {
        int s = 0;
        //@ loop_invariant s >= 0;
        for (int one : all) { s += one; }
        do { s--; } while (true && s > 100);
        return s;
    }
    static int pattern(Object o, int k) {
        //@ loop_invariant k > 0;
        while (!(o instanceof String s)) { o = k == 2 ? "ab" : "a"; k -= 2; }
        return s.length();
    }
}
class BodiesCase {
    static void find() { Bodies.find(new int[] {1, 2, 3}, 3); }
    static void none() { Bodies.find(new int[] {1, 2, 3}, 4); }
    static void far() { Bodies.find(new int[] {1, 2, 3, 4}, 77); }
    static void back() { Bodies.find(new int[] {1, 2, 3, 4}, 78); }
    static void sum() { Bodies.sum(4); }
    static void badSum() { Bodies.sum(5); }
    static void assume() { new Bodies().assume(1); }
    static void badAssume() { new Bodies().assume(0); }
    static void reached() { new Bodies().assume(3); }
    static void ghost() { new Bodies().assume(4); }
    static void each() { new Bodies().each(new int[] {1, 2}); }
    static void badEach() { new Bodies().each(new int[] {-1, 2}); }
    static Object pattern() { return Bodies.pattern(1, 2); }
    static void badPattern() { Bodies.pattern(1, 0); }
}
"#,
    calls: &[
        ("find", "ok"),
        ("none", "ok"),
        ("far", "assertion: 0 <= i && i <= a.length"),
        ("back", "assertion: 0 <= i && i <= a.length"),
        ("sum", "ok"),
        ("badSum", "assertion: s == k * (k - 1) / 2"),
        ("assume", "ok"),
        ("badAssume", "assertion: k > 0"),
        ("reached", "assertion: false"),
        ("ghost", "assertion: before == n && k != 4"),
        ("each", "ok"),
        ("badEach", "assertion: s >= 0"),
        ("pattern", "ok 2"),
        ("badPattern", "assertion: k > 0"),
    ],
    skipped: &[],
}];

#[test]
fn a_violation_tells_clause_place_and_values_and_its_stack_has_the_names_and_lines_of_the_source() {
    let text = "public class Told {\n    int n;\n    //@ requires by > 0;\n    \
                //@ ensures n == \\old(n) + by;\n    \
                void add(int by) {\n        n += 2;\n        if (by == 9) fail();\n    }\n    \
                void fail() { throw new IllegalStateException(); }\n    \
                //@ requires k > 0;\n    void outer(int k) {\n        add(k - 1);\n    }\n}\n\
                class ToldCase { static void bad() { new Told().add(3); }\n\
                static void internal() { new Told().outer(1); } }\n";
    let sources = parsed(&[("Told.java", text)]);
    let (folder, _) = compiled(&sources, &Options { values: true, ..Options::default() });
    let calls = ["ToldCase.bad".to_owned(), "ToldCase.internal".to_owned()];
    let ends = drive(folder.path(), &["-Dtesthound.contracts.tell=true"], &calls);
    let told = &ends["ToldCase.bad"].text;
    for part in [
        "postcondition does not hold in Told.add: ensures n == \\old(n) + by (Told.java:4)",
        "n = 2",
        "\\old(n) = 0",
        "by = 3",
        "Told.add(Told.java:5)",
    ] {
        assert!(told.contains(part), "{part} is not in {told}");
    }
    let told = &ends["ToldCase.internal"].text;
    assert!(told.contains("internal precondition does not hold in Told.add"), "{told}");
}

#[test]
fn a_constructor_called_from_code_without_contract_is_entered_whatever_it_calls_first() {
    let text = "class Base { Base(int k) { } }\npublic class Entered extends Base {\n    \
                //@ requires k != 9;\n    Entered(int k) { super(k); }\n    \
                //@ requires true;\n    static void make(int k) { new Entered(k); }\n}\n\
                class EnteredCase { static void entry() { new Entered(9); }\n\
                static void internal() { Entered.make(9); } }\n";
    let sources = parsed(&[("Entered.java", text)]);
    let (folder, _) = compiled(&sources, &Options { values: true, ..Options::default() });
    for (call, kind) in [("entry", "entry"), ("internal", "internal")] {
        let call = format!("EnteredCase.{call}");
        let told = format!("{kind} precondition does not hold in Entered.<init>: requires k != 9");
        for options in [&["-Dtesthound.contracts.tell=true"] as &[&str], &[]] {
            let ends = drive(folder.path(), options, std::slice::from_ref(&call));
            let end = &ends[&call];
            assert_eq!(end.how, if kind == "entry" { 1 } else { 2 }, "{call}: {}", end.text);
            assert!(options.is_empty() || end.text.contains(&told), "{}", end.text);
        }
    }
}
