//! Contracts of methods that a class has without declaring them.

use contracts::weave::{NoSupertypes, Options, weave};

use crate::harness::parsed;
use crate::table::{Row, check};

#[test]
fn inherited_methods_keep_what_the_class_that_inherits_them_asks() {
    check(ROWS, &Options::default());
}

const ROWS: &[Row] = &[
    Row {
        class: "Heir",
        source: r#"import java.util.List;
class Base<T extends Comparable<T>> {
    int n; List<T> all = new java.util.ArrayList<>();
    //@ requires by < 100;
    //@ ensures n == \old(n) + by;
    public void add(int by) { n += by == 8 ? 9 : by == 60 ? -60 : by; }
    protected int plain(int k, T... more) { n += k; return n; }
    public <U extends List<? super T>> U give(U to, T what) throws java.io.IOException { to.add(what); return to; }
    public final int last() { return n; }
    //@ assignable n;
    public void touch() { n = 5; if (all.size() > 2) { all = new java.util.ArrayList<>(); } }
}
interface Adds {
    //@ requires by > 0;
    //@ ensures n() >= by;
    void add(int by);
    /*@ pure @*/ int n();
}
interface Gives<E> {
    //@ ensures \result.size() < 3;
    <V extends List<? super E>> V give(V to, E what) throws Exception;
}
public class Heir extends Base<String> implements Adds, Gives<String> {
    //@ public invariant n < 1000;
    //@ constraint n > 0 || \old(n) <= 0;
    public int n() { return n; }
    void open() { n = 2000; plain(1); n = 1; }
}
class Grandchild extends Heir {
    int low;
    //@ public invariant low <= 10;
    void low(int k) { low = k; }
}
class HeirCase {
    static void ok() { new Heir().add(3); }
    static void own() { Heir h = new Heir(); h.add(8); }
    static void both() { new Heir().add(200); }
    static void outside() { Heir h = new Heir(); h.n = -500; h.add(3); }
    static void neither() { Base<String> b = new Base<>(); b.add(200); }
    static void post() { Heir h = new Heir(); h.n = -9; h.add(5); }
    static void invariant() { new Heir().plain(1000, "a", "b"); }
    static void before() { Heir h = new Heir(); h.n = 1001; h.plain(-1); }
    static void open() { new Heir().open(); }
    static void history() { Heir h = new Heir(); h.n = 1; h.plain(-1); }
    static void give() throws Exception { new Heir().give(new java.util.ArrayList<String>(), "a"); }
    static void gave() throws Exception { new Heir().give(new java.util.ArrayList<Object>(List.of(1, 2)), "a"); }
    static void grandchild() { Grandchild g = new Grandchild(); g.low = 11; g.plain(1); }
    static void frame() { Heir h = new Heir(); h.touch(); }
    static void badFrame() { Heir h = new Heir(); h.all.addAll(List.of("a", "b", "c")); h.touch(); }
    static void thrown() { Heir h = new Heir(); Base<String> b = h; b.add(-3); }
}
"#,
        calls: &[
            ("ok", "ok"),
            ("own", "postcondition: n == \\old(n) + by"),
            ("both", "ok"),
            ("outside", "postcondition: n() >= by"),
            ("neither", "entry precondition: by < 100"),
            ("post", "postcondition: n() >= by"),
            ("invariant", "invariant: n < 1000"),
            ("before", "before invariant: n < 1000"),
            ("open", "ok"),
            ("history", "constraint: n > 0 || \\old(n) <= 0"),
            ("give", "ok"),
            ("gave", "postcondition: \\result.size() < 3"),
            ("grandchild", "before invariant: low <= 10"),
            ("frame", "ok"),
            ("badFrame", "assignable: n"),
            ("thrown", "ok"),
        ],
        skipped: &[],
    },
    Row {
        class: "Defaults",
        source: r#"interface Counts {
    int count();
    default int twice() { return count() * 2; }
    //@ ensures \result > 0;
    default int thrice() { return count() * 3; }
}
interface Limits extends Counts {
    //@ public model instance int limit;
    //@ public instance invariant count() < 100;
    //@ ensures \result < 50;
    int twice();
    default int thrice() { return Counts.super.thrice() + 1; }
}
abstract class Middle implements Counts {
    int c = 1;
    public int count() { return c; }
    public int twice() { return c + c; }
}
public class Defaults extends Middle implements Limits { }
enum Level implements Limits { LOW, HIGH; public int count() { return ordinal() + 1; } public int twice() { return 2; } }
record Pair(int a, int b) implements Counts {
    //@ public invariant a <= b;
    public int count() { return a; }
}
class DefaultsCase {
    static Defaults of(int c) { Defaults d = new Defaults(); d.c = c; return d; }
    static void ok() { of(3).twice(); of(3).thrice(); }
    static void twice() { of(25).twice(); }
    static void invariant() { of(100).thrice(); }
    static void enums() { Level.HIGH.thrice(); }
    static void thrice() { of(-1).thrice(); }
    static void record() { new Pair(1, 2).twice(); }
    static void local() {
        class Quiet extends Middle { /*@ invariant c > 0; @*/ }
        Middle m = new Quiet(); m.c = 0; m.twice();
    }
    static void anonymous() {
        Middle m = new Middle() { /*@ invariant c > 0; @*/ };
        m.c = 0; m.twice();
    }
}
"#,
        calls: &[
            ("ok", "ok"),
            ("twice", "postcondition: \\result < 50"),
            ("invariant", "before invariant: count() < 100"),
            ("enums", "ok"),
            ("thrice", "postcondition: \\result > 0"),
            ("record", "ok"),
            ("local", "before invariant: c > 0"),
            ("anonymous", "before invariant: c > 0"),
        ],
        skipped: &[],
    },
    Row {
        class: "Freed",
        source: r#"class Strict {
    //@ requires k > 0;
    public int half(int k) { return k / 2; }
    //@ ensures \result >= 0;
    public int square(int k) { return k == 7 ? -1 : k * k; }
}
interface Lax { int half(int k); }
public class Freed extends Strict implements Lax { }
class Further extends Freed {
    //@ also ensures \result != 9;
    public int square(int k) { return super.square(k); }
}
class FreedCase {
    static void strict() { new Strict().half(0); }
    static void freed() { new Freed().half(0); }
    static void square() { new Freed().square(7); }
    static void further() { new Further().square(3); }
}
"#,
        calls: &[
            ("strict", "entry precondition: k > 0"),
            ("freed", "ok"),
            ("square", "postcondition: \\result >= 0"),
            ("further", "postcondition: \\result != 9"),
        ],
        skipped: &[],
    },
];

#[test]
fn an_inherited_method_that_cannot_be_checked_there_is_told() {
    let text = "class A { public final int n() { return 0; } }\n\
                interface I { //@ ensures \\result > 0;\n int n(); }\n\
                class B extends A implements I { }\n";
    let sources = parsed(&[("A.java", text)]);
    let weaving = weave(&sources, &NoSupertypes, &Options::default());
    let [one] = weaving.unforwarded.as_slice() else { panic!("{:?}", weaving.unforwarded) };
    assert_eq!(
        (one.owner.as_str(), one.from.as_str(), one.member.as_str(), one.reason.as_str()),
        ("B", "A", "n", "it is final")
    );
}
