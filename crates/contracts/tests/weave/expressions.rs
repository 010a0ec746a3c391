//! Expressions that Java does not have.

use contracts::weave::Options;

use crate::table::{Row, check};

#[test]
fn expressions_of_jml_are_evaluated() {
    check(ROWS, &Options::default());
}

const ROWS: &[Row] = &[
    Row {
        class: "Quantify",
        source: r#"import java.util.*;
public class Quantify {
    int[] a = {3, 1, 2}; List<String> names = new ArrayList<>(List.of("x", "yy"));
    //@ ensures (\forall int i; 0 <= i && i < a.length - 1; a[i] <= a[i + 1]);
    void sort(boolean well) { if (well) { Arrays.sort(a); } }
    //@ ensures \result == (\exists int i; 0 <= i && i < a.length; a[i] == x);
    boolean has(int x) { return x == 3; }
    //@ ensures \result == (\sum int i; 0 <= i && i < a.length; a[i]);
    //@ ensures \result == (\num_of int i; 0 <= i < a.length; a[i] > 0) * 2;
    int sum() { return 6; }
    //@ ensures \result == (\max int i; 0 <= i && i < a.length; a[i]) - (\min int i; 0 <= i && i < a.length; a[i]);
    int spread() { return a[0] - a[1]; }
    //@ ensures (\product int i; 1 <= i && i <= n; i) == \result;
    long fact(int n) { return n == 20 ? 1 : n < 2 ? 1 : n * fact(n - 1); }
    //@ ensures (\forall int i, j; 0 <= i && i < j && j < a.length; a[i] != a[j]);
    void dup(int x) { a[0] = x; }
    //@ ensures (\forall String s; names.contains(s); s.length() < 3);
    void name(String s) { names.add(s); }
    //@ ensures (\forall int i; 0 <= i && i < a.length; a[i] == \old(a[i]) + 1);
    void inc(int skip) { for (int i = 0; i < a.length; i++) { if (i != skip) { a[i]++; } } }
    //@ ensures (\forall int i; 0 <= i && i < a.length; i > 0 ==> a[i] == \old(a[i - 1]));
    void shift(int k) { int last = a[0]; a[2] = a[1]; a[1] = k == 0 ? last : k; a[0] = 0; }
    //@ ensures (\forall int x; x > 0; x + 1 > x);
    void unbounded() { }
    //@ ensures (\exists boolean b; ; b == \result);
    boolean bool() { return true; }
}
class QuantifyCase {
    static void sorted() { new Quantify().sort(true); }
    static void unsorted() { new Quantify().sort(false); }
    static void has() { new Quantify().has(3); }
    static void hasNot() { new Quantify().has(1); }
    static void sum() { new Quantify().sum(); }
    static void spread() { new Quantify().spread(); }
    static void fact() { new Quantify().fact(5); }
    static void badFact() { new Quantify().fact(20); }
    static void dup() { new Quantify().dup(1); }
    static void unique() { new Quantify().dup(7); }
    static void name() { new Quantify().name("z"); }
    static void badName() { new Quantify().name("zzz"); }
    static void inc() { new Quantify().inc(9); }
    static void badInc() { new Quantify().inc(2); }
    static void shift() { new Quantify().shift(0); }
    static void badShift() { new Quantify().shift(9); }
    static void bool() { new Quantify().bool(); }
}
"#,
        calls: &[
            ("sorted", "ok"),
            (
                "unsorted",
                "postcondition: (\\forall int i; 0 <= i && i < a.length - 1; a[i] <= a[i + 1])",
            ),
            ("has", "ok"),
            (
                "hasNot",
                "postcondition: \\result == (\\exists int i; 0 <= i && i < a.length; a[i] == x)",
            ),
            ("sum", "ok"),
            ("spread", "ok"),
            ("fact", "ok"),
            ("badFact", "postcondition: (\\product int i; 1 <= i && i <= n; i) == \\result"),
            (
                "dup",
                "postcondition: (\\forall int i, j; 0 <= i && i < j && j < a.length; a[i] != a[j])",
            ),
            ("unique", "ok"),
            ("name", "ok"),
            ("badName", "postcondition: (\\forall String s; names.contains(s); s.length() < 3)"),
            ("inc", "ok"),
            (
                "badInc",
                "postcondition: (\\forall int i; 0 <= i && i < a.length; a[i] == \\old(a[i]) + 1)",
            ),
            ("shift", "ok"),
            (
                "badShift",
                "postcondition: (\\forall int i; 0 <= i && i < a.length; i > 0 ==> a[i] == \
                 \\old(a[i - 1]))",
            ),
            ("bool", "ok"),
        ],
        skipped: &["(\\forall int x; x > 0"],
    },
    Row {
        class: "Objects",
        source: r#"public class Objects {
    Objects next; /*@ nullable @*/ Objects self; int v; Object[] all = {"a"};
    Objects(/*@ nullable @*/ Objects next) { this.next = next == null ? this : next; }
    //@ ensures \fresh(\result);
    Objects copy(int k) { return k == 0 ? new Objects(null) : next; }
    //@ ensures \not_modified(v);
    void keep(int k) { v += k; }
    //@ ensures \typeof(\result) <: \type(Number) && \typeof(\result) == \type(Integer);
    Object number(int k) { return k == 0 ? (Object) Integer.valueOf(1) : (Object) Long.valueOf(1); }
    //@ ensures \nonnullelements(all);
    void fill(/*@ nullable @*/ Object o) { all[0] = o; }
    //@ ensures \elemtype(\typeof(all)) == \type(Object);
    void elem() { }
    //@ ensures \reach(this).has(\result);
    Objects near(int k) { return k == 0 ? next : new Objects(null); }
    //@ invariant v < 100;
    //@ requires \invariant_for(other);
    static void valid(Objects other) { }
    //@ ensures (x > 0 <==> \result) && (x == 0 <=!=> (\result || x < 0)) && (\result <== x > 0);
    boolean positive(int x) { return x > 0 || x == -7; }
    //@ ensures (* nothing to say *) && v == \pre(v);
    void informal(int k) { v += k; }
    //@ also requires \same;
    public String toString() { return ""; }
    //@ ensures a.length > 3 ==> a[3] == 0;
    //@ ensures a[1] == 0;
    void undefined(int[] a) { }
    //@ requires a[1] == 0;
    void undefinedBefore(int[] a) { }
    long total = Long.MAX_VALUE - 5;
    //@ ensures total == \old(total) + by;
    void add(long by) { total += by; }
}
class ObjectsCase {
    static void fresh() { new Objects(null).copy(0); }
    static void notFresh() { new Objects(null).copy(1); }
    static void kept() { new Objects(null).keep(0); }
    static void notKept() { new Objects(null).keep(1); }
    static void number() { new Objects(null).number(0); }
    static void notNumber() { new Objects(null).number(1); }
    static void fill() { new Objects(null).fill("b"); }
    static void fillNull() { new Objects(null).fill(null); }
    static void elem() { new Objects(null).elem(); }
    static void near() { new Objects(null).near(0); }
    static void far() { new Objects(null).near(1); }
    static void valid() { Objects.valid(new Objects(null)); }
    static void invalid() { Objects o = new Objects(null); o.v = 100; Objects.valid(o); }
    static void positive() { Objects o = new Objects(null); o.positive(1); o.positive(0); o.positive(-1); }
    static void notPositive() { new Objects(null).positive(-7); }
    static void informal() { new Objects(null).informal(0); }
    static void badInformal() { new Objects(null).informal(1); }
    static void same() { new Objects(null).toString(); }
    static void defined() { new Objects(null).undefined(new int[2]); }
    static void undefined() { new Objects(null).undefined(new int[1]); }
    static void undefinedBefore() { new Objects(null).undefinedBefore(new int[1]); }
    static void add() { new Objects(null).add(5); }
    static void addOver() { new Objects(null).add(6); }
}
"#,
        calls: &[
            ("fresh", "ok"),
            ("notFresh", "postcondition: \\fresh(\\result)"),
            ("kept", "ok"),
            ("notKept", "postcondition: \\not_modified(v)"),
            ("number", "ok"),
            (
                "notNumber",
                "postcondition: \\typeof(\\result) <: \\type(Number) && \\typeof(\\result) == \
                 \\type(Integer)",
            ),
            ("fill", "ok"),
            ("fillNull", "postcondition: \\nonnullelements(all)"),
            ("elem", "ok"),
            ("near", "ok"),
            ("far", "postcondition: \\reach(this).has(\\result)"),
            ("valid", "ok"),
            ("invalid", "entry precondition: \\invariant_for(other)"),
            ("positive", "ok"),
            (
                "notPositive",
                "postcondition: (x > 0 <==> \\result) && (x == 0 <=!=> (\\result || x < 0)) && \
                 (\\result <== x > 0)",
            ),
            ("informal", "ok"),
            ("badInformal", "postcondition: (* nothing to say *) && v == \\pre(v)"),
            ("same", "ok"),
            ("defined", "ok"),
            ("undefined", "undefined postcondition: a[1] == 0"),
            ("undefinedBefore", "entry precondition: a[1] == 0"),
            ("add", "ok"),
            ("addOver", "postcondition: total == \\old(total) + by"),
        ],
        skipped: &[],
    },
];

#[test]
fn a_clause_that_javac_does_not_take_is_skipped_and_the_rest_is_checked() {
    check(
        &[Row {
            class: "Refused",
            source: r#"public class Refused {
    //@ requires nosuch > 0;
    //@ ensures \result > 0;
    int a(int x) { return x; }
    //@ requires x != 3;
    //@ ensures \result.length() > 0;
    //@ ensures \result > 0;
    int b(int x) { return x; }
    //@ ensures \result == (\sum int i; 0 <= i && i < d.length; d[i]);
    double c(double[] d) { return 1.5; }
}
class RefusedCase {
    static void a() { new Refused().a(0); }
    static void b() { new Refused().b(0); }
    static void b3() { new Refused().b(3); }
    static void c() { new Refused().c(new double[] {1, 0.5}); }
    static void badC() { new Refused().c(new double[] {1, 1}); }
}
"#,
            calls: &[
                ("a", "ok"),
                ("b", "postcondition: \\result > 0"),
                ("b3", "entry precondition: x != 3"),
                ("c", "ok"),
                ("badC", "postcondition: \\result == (\\sum int i; 0 <= i && i < d.length; d[i])"),
            ],
            skipped: &["nosuch", "\\result > 0 (the precondition", "\\result.length()"],
        }],
        &Options::default(),
    );
}
