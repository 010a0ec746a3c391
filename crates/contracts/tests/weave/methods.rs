//! Specifications of methods and constructors.

use contracts::weave::Options;

use crate::table::{Row, check};

#[test]
fn clauses_of_methods_are_checked() {
    check(ROWS, &Options::default());
}

const ROWS: &[Row] = &[
    Row {
        class: "Measured",
        source: r#"public class Measured {
    private /*@ spec_public @*/ int[] all = new int[2];
    //@ ensures \result == all.length;
    public int room() { return all.length + 1; }
    /*@ requires a > 0; ensures \result == \old(room()) + a;
      @ also requires a == 0; signals_only IllegalStateException; @*/
    public int more(int a) { if (a == 0) { throw new IllegalArgumentException(); } return 3 + a; }
}
class Measure { private /*@ spec_public @*/ int length; }
class MeasuredCase {
    static void room() { new Measured().room(); }
    static void more() { new Measured().more(1); }
    static void none() { new Measured().more(0); }
}
"#,
        calls: &[
            ("room", "postcondition: \\result == all.length"),
            ("more", "ok"),
            ("none", "exceptional postcondition: IllegalStateException"),
        ],
        skipped: &[],
    },
    Row {
        class: "Requires",
        source: r#"public class Requires {
    //@ requires x > 0;
    //@ requires y != x;
    public int half(int x, int y) { return x / 2; }
    public int calls(int x) { return half(x, 7); }
    //@ requires true;
    public int checked(int x) { return half(x, 7); }
}
class RequiresCase {
    static void ok() { new Requires().half(4, 1); }
    static void bad() { new Requires().half(-4, 1); }
    static void worse() { new Requires().half(4, 4); }
    static void through() { new Requires().calls(-1); }
    static void internal() { new Requires().checked(-1); }
}
"#,
        calls: &[
            ("ok", "ok"),
            ("bad", "entry precondition: x > 0"),
            ("worse", "entry precondition: y != x"),
            ("through", "entry precondition: x > 0"),
            ("internal", "internal precondition: x > 0"),
        ],
        skipped: &[],
    },
    Row {
        class: "Ensures",
        source: r#"public class Ensures {
    int n;
    //@ ensures \result == x + 1;
    static int next(int x) { return x == 5 ? 5 : x + 1; }
    //@ ensures n == \old(n) + by;
    void add(int by) { if (by < 10) { n += by; } }
    //@ ensures \result != null && \result.length() == n;
    String text(int n) { return n == 3 ? "x" : "x".repeat(n); }
}
class EnsuresCase {
    static void ok() { Ensures.next(4); }
    static void bad() { Ensures.next(5); }
    static void overflow() { Ensures.next(Integer.MAX_VALUE); }
    static void old() { Ensures e = new Ensures(); e.add(3); e.add(4); }
    static void badOld() { new Ensures().add(11); }
    static void text() { new Ensures().text(2); }
    static void badText() { new Ensures().text(3); }
}
"#,
        calls: &[
            ("ok", "ok"),
            ("bad", "postcondition: \\result == x + 1"),
            ("overflow", "postcondition: \\result == x + 1"),
            ("old", "ok"),
            ("badOld", "postcondition: n == \\old(n) + by"),
            ("text", "ok"),
            ("badText", "postcondition: \\result != null && \\result.length() == n"),
        ],
        skipped: &[],
    },
    Row {
        class: "Signals",
        source: r#"public class Signals {
    int n;
    /*@ signals (IllegalStateException e) n == \old(n) && e.getMessage() != null;
      @ signals_only IllegalStateException, java.io.IOException;
      @*/
    void run(int k) throws java.io.IOException {
        n += k;
        if (k == 1) { n -= k; throw new IllegalStateException("one"); }
        if (k == 2) { throw new IllegalStateException("two"); }
        if (k == 3) { throw new IllegalArgumentException("three"); }
        if (k == 4) { throw new java.io.IOException("four"); }
    }
    /*@ public normal_behavior
      @   requires k > 0;
      @ also public exceptional_behavior
      @   requires k < 0;
      @   signals_only RuntimeException;
      @*/
    void both(int k) { if (k == 7 || k == -1) { throw new RuntimeException(); } }
}
class SignalsCase {
    static void ok() throws Exception { new Signals().run(0); }
    static void one() throws Exception { new Signals().run(1); }
    static void two() throws Exception { new Signals().run(2); }
    static void three() throws Exception { new Signals().run(3); }
    static void four() throws Exception { new Signals().run(4); }
    static void normal() { new Signals().both(1); }
    static void seven() { new Signals().both(7); }
    static void throwing() { new Signals().both(-1); }
    static void silent() { new Signals().both(-2); }
    static void neither() { new Signals().both(0); }
}
"#,
        calls: &[
            ("ok", "ok"),
            ("one", "threw java.lang.IllegalStateException: one"),
            (
                "two",
                "exceptional postcondition: (IllegalStateException e) n == \\old(n) && \
                 e.getMessage() != null",
            ),
            ("three", "exceptional postcondition: IllegalStateException, java.io.IOException"),
            ("four", "threw java.io.IOException: four"),
            ("normal", "ok"),
            ("seven", "exceptional postcondition: signals (Exception) false"),
            ("throwing", "threw java.lang.RuntimeException"),
            ("silent", "postcondition: ensures false"),
            ("neither", "entry precondition: k < 0"),
        ],
        skipped: &[],
    },
    Row {
        class: "Cases",
        source: r#"public class Cases {
    /*@ requires x > 10;
      @ ensures \result == 1;
      @ also
      @ requires x < 20;
      @ ensures \result >= 0;
      @ also
      @ requires x == 100;
      @ {| requires y; ensures \result == 1; also requires !y; ensures \result == 1; |}
      @*/
    int classify(int x, boolean y) { return x == 15 ? 1 : x == 16 ? 2 : x == 1 ? -1 : 1; }
}
class CasesCase {
    static void both() { new Cases().classify(15, true); }
    static void first() { new Cases().classify(16, true); }
    static void second() { new Cases().classify(1, true); }
    static void nested() { new Cases().classify(100, true); }
}
"#,
        calls: &[
            ("both", "ok"),
            ("first", "postcondition: \\result == 1"),
            ("second", "postcondition: \\result >= 0"),
            ("nested", "ok"),
        ],
        skipped: &[],
    },
    Row {
        class: "OldClause",
        source: r#"public class OldClause {
    int[] a = {1, 2, 3};
    /*@ old int first = a[0];
      @ requires first > 0;
      @ ensures a[0] == first + 1;
      @ also
      @ forall int k;
      @ requires k > 0;
      @*/
    void inc() { a[0] += a[0] == 5 ? 2 : 1; }
}
class OldClauseCase {
    static void ok() { new OldClause().inc(); }
    static void bad() { OldClause o = new OldClause(); for (int i = 0; i < 9; i++) { o.inc(); } }
}
"#,
        calls: &[("ok", "ok"), ("bad", "postcondition: a[0] == first + 1")],
        skipped: &["k > 0", "int k"],
    },
    Row {
        class: "Assignable",
        source: r#"public class Assignable {
    int a; int b; int[] c = new int[3]; static int s; /*@ nullable @*/ Assignable other;
    //@ assignable a, c[0..1];
    void set(int k) {
        a = 1;
        if (k == 1) { b++; }
        if (k == 2) { c[1] = 5; }
        if (k == 3) { c[2] = 5; }
        if (k == 4) { helper(); }
        if (k == 5) { s++; }
    }
    void helper() { other.b = 4; }
    //@ assigns \nothing;
    int get() { return a; }
    //@ modifies this.*, other.b;
    void all() { a = 2; b = 3; helper(); }
    //@ modifies \everything;
    void any() { s = 3; }
    //@ pure
    int pure() { if (a > 100) { a++; } return a; }
}
class AssignableCase {
    static Assignable make() { Assignable x = new Assignable(); x.other = new Assignable(); return x; }
    static void ok() { make().set(0); }
    static void b() { make().set(1); }
    static void c1() { make().set(2); }
    static void c2() { make().set(3); }
    static void other() { make().set(4); }
    static void s() { make().set(5); }
    static void get() { make().get(); }
    static void all() { make().all(); make().any(); }
    static void pure() { make().pure(); }
    static void impure() { Assignable x = make(); x.a = 200; x.pure(); }
}
"#,
        calls: &[
            ("ok", "ok"),
            ("b", "assignable: a, c[0..1]"),
            ("c1", "ok"),
            ("c2", "assignable: a, c[0..1]"),
            ("other", "assignable: a, c[0..1]"),
            ("s", "assignable: a, c[0..1]"),
            ("get", "ok"),
            ("all", "ok"),
            ("pure", "ok"),
            ("impure", "assignable: \\nothing"),
        ],
        skipped: &[],
    },
    Row {
        class: "Construct",
        source: r#"public class Construct {
    final int x; final String s;
    static int made;
    //@ requires x >= 0;
    //@ ensures this.x == x && made == \old(made) + 1;
    //@ signals (IllegalArgumentException e) x > 100;
    Construct(int x) {
        made++;
        if (x == 7) { this.x = 8; this.s = ""; return; }
        if (x > 100 || x == 9) { throw new IllegalArgumentException(); }
        this.x = x;
        x = 5;
        s = "a";
    }
    //@ requires y > 3;
    Construct(int y, int z) { this(y + z); }
}
class Derived extends Construct {
    //@ requires y < 50;
    Derived(int y) { super(y, y); }
}
class ConstructCase {
    static void ok() { new Construct(3); }
    static void bad() { new Construct(-3); }
    static void seven() { new Construct(7); }
    static void nine() { new Construct(9); }
    static void large() { new Construct(101); }
    static void chained() { new Construct(4, 4); }
    static void badChained() { new Construct(2, 4); }
    static void derived() { new Derived(5); }
    static void badDerived() { new Derived(60); }
    static void inner() { new Derived(3); }
}
"#,
        calls: &[
            ("ok", "ok"),
            ("bad", "entry precondition: x >= 0"),
            ("seven", "postcondition: this.x == x && made == \\old(made) + 1"),
            ("nine", "exceptional postcondition: (IllegalArgumentException e) x > 100"),
            ("large", "threw java.lang.IllegalArgumentException"),
            ("chained", "ok"),
            ("badChained", "entry precondition: y > 3"),
            ("derived", "ok"),
            ("badDerived", "entry precondition: y < 50"),
            ("inner", "entry precondition: y > 3"),
        ],
        skipped: &[],
    },
    Row {
        class: "NonNull",
        source: r#"public class NonNull {
    String name = "n";
    /*@ nullable @*/ String other;
    String echo(String text) { return text.isEmpty() ? null : text; }
    /*@ nullable @*/ String may(/*@ nullable @*/ String text) { return text; }
    void clear() { name = null; }
}
class NonNullCase {
    static void ok() { new NonNull().echo("a"); }
    static void param() { new NonNull().echo(null); }
    static void result() { new NonNull().echo(""); }
    static void nullable() { new NonNull().may(null); }
    static void field() { new NonNull().clear(); }
}
"#,
        calls: &[
            ("ok", "ok"),
            ("param", "entry precondition: text != null"),
            ("result", "non-null: \\result != null"),
            ("nullable", "ok"),
            ("field", "non-null: name != null"),
        ],
        skipped: &[],
    },
    Row {
        class: "Inherit",
        source: r#"interface Shape<T> {
    //@ requires n > 0;
    //@ ensures \result >= n;
    int scale(int n, T t);
    //@ ensures size() == \old(size()) + 1;
    void grow();
    /*@ pure @*/ int size();
}
abstract class Base implements Shape<Integer> {
    int size;
    //@ also
    //@ requires n < -10;
    //@ ensures \result == 0;
    public int scale(int n, Integer t) { return n < -20 ? 1 : n < -10 ? 0 : n == 5 ? 1 : n; }
    public int size() { return size; }
}
public class Inherit extends Base {
    public void grow() { size += size == 2 ? 2 : 1; }
    //@ also requires n == 78; ensures \result != 77;
    public int scale(int n, Integer t) { return n == 78 ? 77 : super.scale(n, t); }
    // Overrides what is not specified: asks nothing.
    //@ also requires false;
    public String toString() { return "x"; }
    //@ also requires other != null;
    //@ ensures \result == (other == this);
    public boolean equals(/*@ nullable @*/ Object other) { return other != null; }
}
class InheritCase {
    static void ok() { new Inherit().scale(3, 1); }
    static void second() { new Inherit().scale(-15, 1); }
    static void neither() { new Inherit().scale(-5, 1); }
    static void first() { new Inherit().scale(5, 1); }
    static void other() { new Inherit().scale(-25, 1); }
    static void own() { new Inherit().scale(78, 1); }
    static void grow() { Inherit i = new Inherit(); i.grow(); i.grow(); }
    static void badGrow() { Inherit i = new Inherit(); i.grow(); i.grow(); i.grow(); }
    static void text() { new Inherit().toString(); }
    static void equals() { new Inherit().equals(null); }
    static void badEquals() { new Inherit().equals("x"); }
}
"#,
        calls: &[
            ("ok", "ok"),
            ("second", "ok"),
            ("neither", "entry precondition: n > 0"),
            ("first", "postcondition: \\result >= n"),
            ("other", "postcondition: \\result == 0"),
            ("own", "postcondition: \\result != 77"),
            ("grow", "ok"),
            ("badGrow", "postcondition: size() == \\old(size()) + 1"),
            ("text", "ok"),
            ("equals", "ok"),
            ("badEquals", "postcondition: \\result == (other == this)"),
        ],
        skipped: &[],
    },
];
