//! Specifications of types: invariants, constraints, ghost and model members.

use contracts::weave::Options;

use crate::table::{Row, check};

#[test]
fn clauses_of_types_are_checked() {
    check(ROWS, &Options::default());
}

const ROWS: &[Row] = &[
    Row {
        class: "Invariants",
        source: r#"public class Invariants {
    int low; int high = 5; static int count;
    //@ public invariant low <= high;
    //@ static invariant count >= 0;
    void low(int n) { low = n; if (n == 50) { throw new IllegalStateException(); } }
    /*@ helper @*/ private void loose(int n) { low = n; }
    void through() { loose(9); low = 0; }
    static void count(int n) { count = n; }
    //@ pure
    int get() { return low; }
}
class Sub extends Invariants {
    int k;
    //@ invariant k < 10;
    Sub(int k) { this.k = k; }
    void k(int n) { k = n; }
    void both() { k = 11; low(1); k = 1; }
}
class InvariantsCase {
    static void ok() { new Invariants().low(3); }
    static void bad() { new Invariants().low(30); }
    static void thrown() { new Invariants().low(50); }
    static void helper() { new Invariants().through(); }
    static void before() { Invariants i = new Invariants(); i.low = 9; i.get(); }
    static void shared() { try { Invariants.count(-1); } finally { Invariants.count = 0; } }
    static void sub() { new Sub(3).both(); }
    static void badNew() { new Sub(30); }
    static void badSub() { new Sub(3).k(10); }
    static void inherited() { new Sub(3).low(6); }
    static void dynamic() { Sub s = new Sub(3); s.k = 12; s.low(1); }
}
"#,
        calls: &[
            ("ok", "ok"),
            ("bad", "invariant: low <= high"),
            ("thrown", "invariant: low <= high"),
            ("helper", "ok"),
            ("before", "before invariant: low <= high"),
            ("shared", "invariant: count >= 0"),
            ("sub", "ok"),
            ("badNew", "invariant: k < 10"),
            ("badSub", "invariant: k < 10"),
            ("inherited", "invariant: low <= high"),
            ("dynamic", "before invariant: k < 10"),
        ],
        skipped: &[],
    },
    Row {
        class: "History",
        source: r#"public class History {
    int version; int[] log = new int[2];
    //@ constraint version >= \old(version);
    //@ constraint log[0] == \old(log[0]) for step;
    //@ initially version == 0;
    History(int v) { version = v; }
    void set(int v) { version = v; }
    void step(int v) { log[0] = v; }
    void other(int v) { log[0] = v; }
}
class HistoryCase {
    static void ok() { new History(0).set(1); }
    static void bad() { new History(0).set(-1); }
    static void initially() { new History(1); }
    static void step() { new History(0).step(1); }
    static void other() { new History(0).other(1); }
}
"#,
        calls: &[
            ("ok", "ok"),
            ("bad", "constraint: version >= \\old(version)"),
            ("initially", "initially: version == 0"),
            ("step", "constraint: log[0] == \\old(log[0]) for step"),
            ("other", "ok"),
        ],
        skipped: &[],
    },
    Row {
        class: "Model",
        source: r#"interface Sized {
    //@ public model instance int extent;
    //@ ensures extent == \old(extent) + 1;
    void more();
}
public class Model implements Sized {
    private /*@ spec_public @*/ int a; private int b;
    //@ represents extent = a + b;
    //@ public ghost int calls = 0;
    //@ private invariant calls >= 0 && calls <= 3;
    //@ public model pure int twice(int x) { return 2 * x; }
    /*@ ensures \result == 3 * x;
      @ public model pure int thrice(int x); @*/
    public void more() {
        a++;
        //@ set calls = calls + 1;
        if (a == 2) { b++; }
    }
    //@ ensures a == twice(\old(a)) && thrice(a) == 3 * a;
    public void twice() { a = a == 3 ? 7 : a * 2; }
}
class Other extends Model {
    //@ requires a < 100;
    //@ ensures a > 0;
    void go() { }
}
class ModelCase {
    static void ok() { new Model().more(); }
    static void bad() { Model m = new Model(); m.more(); m.more(); }
    static void ghost() { Model m = new Model(); m.twice(); for (int i = 0; i < 4; i++) { try { m.more(); } catch (testhound.contracts.Violation e) { testhound.contracts.Checks.reset(); if (i == 3) { throw e; } } } }
    static void twice() { Model m = new Model(); m.more(); m.twice(); }
    static void hidden() { new Other().go(); }
}
"#,
        calls: &[
            ("ok", "ok"),
            ("bad", "postcondition: extent == \\old(extent) + 1"),
            ("ghost", "violation"),
            ("twice", "ok"),
            ("hidden", "postcondition: a > 0"),
        ],
        skipped: &[],
    },
    Row {
        class: "Kinds",
        source: r#"public class Kinds {
    //@ requires n > 0;
    static <T extends Comparable<T>> T first(int n, T... all) { return all[0]; }
    interface Sh { /*@ requires k > 1; @*/ default int sh(int k) { return h(k); } private int h(int k) { return k; }
        //@ ensures \result > 0;
        static int st(int k) { return k; } }
    record Point(int x, int y) implements Sh {
        //@ public invariant x <= y;
        Point { if (x == 99) { throw new IllegalArgumentException(); } }
        //@ ensures \result >= 0;
        int width() { return y - x; }
    }
    record Plain(int x) {
        //@ public invariant x > 0;
    }
    enum Color { RED, GREEN { int code() { return 0; } };
        //@ ensures \result > 0;
        int code() { return 1; } }
    enum Bare { ONE, TWO
        //@ static invariant ordinals >= 0;
        ; static int ordinals; static void less() { ordinals--; } }
    sealed interface S permits A, B { }
    record A(int v) implements S { } record B(String t) implements S { }
    //@ ensures \result != 3;
    static int sw(Object o) { String t = """
        text "block" {
        """; if (o instanceof Integer i && i > 2) { return i; } return switch (t.length()) { case 1 -> 0; default -> { yield 1; } }; }
    class Inner { int v;
        //@ requires w > base;
        Inner(int w) { this.v = w; }
        //@ ensures \result == v + base;
        int sum() { return v == 8 ? 0 : v + base; } }
    int base = 1;
    Runnable anonymous(int k) {
        class Local { int z = k;
            //@ ensures \result == k;
            int z() { return z == 5 ? 6 : z; } }
        return new Runnable() {
            int n;
            //@ invariant n < 3;
            //@ also ensures n > 0;
            public void run() { n = new Local().z(); Runnable r = () -> n++; if (k == 2) { r.run(); } } };
    }
    //@ requires n >= 0;
    synchronized static int fact(int n) { return n == 0 ? 1 : n * fact(n - 1); }
    private Kinds() { throw new AssertionError(); }
    //@ requires a > 0;
    Kinds(int a) { final int b; if (a == 1) { b = 1; } else { b = 2; } base = b; Runnable r = () -> base++; r.run(); }
}
class KindsCase {
    static void vararg() { Kinds.first(1, "a", "b"); }
    static void badVararg() { Kinds.first(0, "a", "b"); }
    static void interfaces() { new Kinds.Point(1, 2).sh(2); }
    static void badInterface() { new Kinds.Point(1, 2).sh(1); }
    static void statics() { Kinds.Sh.st(0); }
    static void compact() { new Kinds.Point(3, 2); }
    static void plain() { new Kinds.Plain(0); }
    static void constant() { Kinds.Color.GREEN.code(); }
    static void enums() { Kinds.Color.RED.code(); }
    static void bare() { try { Kinds.Bare.less(); } finally { Kinds.Bare.ordinals = 0; } }
    static void sw() { Kinds.sw(3); }
    static void inner() { Kinds k = new Kinds(1); k.new Inner(7).sum(); }
    static void badInner() { Kinds k = new Kinds(1); k.new Inner(8).sum(); }
    static void newInner() { Kinds k = new Kinds(1); k.new Inner(1); }
    static void anonymous() { new Kinds(1).anonymous(1).run(); }
    static void anonymousBad() { new Kinds(1).anonymous(2).run(); }
    static void local() { new Kinds(1).anonymous(5).run(); }
    static void recursion() { Kinds.fact(4); }
    static void ctor() { new Kinds(0); }
}
"#,
        calls: &[
            ("vararg", "ok"),
            ("badVararg", "entry precondition: n > 0"),
            ("interfaces", "ok"),
            ("badInterface", "entry precondition: k > 1"),
            ("statics", "postcondition: \\result > 0"),
            ("compact", "invariant: x <= y"),
            ("plain", "invariant: x > 0"),
            ("constant", "postcondition: \\result > 0"),
            ("enums", "ok"),
            ("bare", "invariant: ordinals >= 0"),
            ("sw", "postcondition: \\result != 3"),
            ("inner", "ok"),
            ("badInner", "postcondition: \\result == v + base"),
            ("newInner", "entry precondition: w > base"),
            ("anonymous", "ok"),
            ("anonymousBad", "invariant: n < 3"),
            ("local", "postcondition: \\result == k"),
            ("recursion", "ok"),
            ("ctor", "entry precondition: a > 0"),
        ],
        skipped: &[],
    },
];

#[test]
fn a_source_without_specifications_is_not_changed() {
    let text = "class Plain { int x; int get() { return x; } // no\n }\n";
    let sources = crate::harness::parsed(&[("Plain.java", text)]);
    let weaving = contracts::weave(&sources, &contracts::weave::NoSupertypes, &Options::default());
    assert_eq!(weaving.files[0].text, text);
    assert!(!weaving.files[0].changed);
}
