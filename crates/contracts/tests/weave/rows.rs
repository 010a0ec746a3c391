//! What the table of the manual promises and no other test here shows: each row held and violated.

use contracts::weave::{Arithmetic, Options};

use crate::table::{Row, check};

#[test]
fn rows_of_the_table_hold_and_are_violated() {
    check(ROWS, &Options::default());
}

#[test]
fn references_may_be_null_where_the_default_says_so() {
    let options = Options { non_null_by_default: false, ..Options::default() };
    check(NULLS, &options);
}

#[test]
fn numbers_overflow_as_in_java_where_that_is_asked() {
    let source = r#"public class Overflows {
    //@ ensures \result == a + b && \result - b == a;
    static int add(int a, int b) { return b == 3 ? 0 : a + b; }
    //@ ensures \result == (\sum int i; 0 <= i && i < 2; Long.MAX_VALUE);
    static long sum(int k) { return k; }
    //@ ensures \result == -a;
    static int negative(int a) { return -a; }
}
class OverflowsCase {
    static void add() { Overflows.add(Integer.MAX_VALUE, 1); }
    static void badAdd() { Overflows.add(2, 3); }
    static void sum() { Overflows.sum(-2); }
    static void negative() { Overflows.negative(Integer.MIN_VALUE); }
}
"#;
    const JAVA: &[(&str, &str)] = &[
        ("add", "ok"),
        ("badAdd", "postcondition: \\result == a + b && \\result - b == a"),
        ("sum", "ok"),
        ("negative", "ok"),
    ];
    let options = Options { arithmetic: Arithmetic::Java, ..Options::default() };
    check(&[Row { class: "Overflows", source, calls: JAVA, skipped: &[] }], &options);
    const WHOLE: &[(&str, &str)] = &[
        ("add", "postcondition: \\result == a + b && \\result - b == a"),
        ("badAdd", "postcondition: \\result == a + b && \\result - b == a"),
        ("sum", "postcondition: \\result == (\\sum int i; 0 <= i && i < 2; Long.MAX_VALUE)"),
        ("negative", "postcondition: \\result == -a"),
    ];
    check(&[Row { class: "Overflows", source, calls: WHOLE, skipped: &[] }], &Options::default());
}

const NULLS: &[Row] = &[Row {
    class: "Nulls",
    source: r#"public class Nulls {
    String name;
    /*@ non_null @*/ String kept = "";
    //@ requires n > 0;
    String echo(int n, String text, /*@ non_null @*/ String other) { return text; }
    /*@ non_null @*/ String sure(/*@ nullable @*/ String text) { return text; }
    void drop(int k) { if (k == 1) { kept = null; } }
}
/*@ non_null_by_default @*/ class Never {
    //@ requires true;
    static String echo(String text) { return text; }
}
class NullsCase {
    static void free() { new Nulls().echo(1, null, ""); }
    static void param() { new Nulls().echo(1, "", null); }
    static void result() { new Nulls().sure(null); }
    static void kept() { new Nulls().drop(0); }
    static void dropped() { new Nulls().drop(1); }
    static void never() { Never.echo(null); }
}
"#,
    calls: &[
        ("free", "ok"),
        ("param", "entry precondition: other != null"),
        ("result", "non-null: \\result != null"),
        ("kept", "ok"),
        ("dropped", "non-null: kept != null"),
        ("never", "entry precondition: text != null"),
    ],
    skipped: &[],
}];

const ROWS: &[Row] = &[
    Row {
        class: "Statics",
        source: r#"public class Statics {
    static int made; static int limit = 3;
    //@ static constraint made >= \old(made);
    //@ static invariant limit > 0;
    static void made(int n) { made = n; }
    void limit(int n) { limit = n; }
    //@ ensures_redundantly \result > 0;
    //@ requires_redundantly k != 5;
    static int redundant(int k) { return k; }
    /*@ public behavior
      @   requires k > 0;
      @   ensures \result == 1;
      @   signals (Exception) k > 9; @*/
    static int behave(int k) { if (k == 10 || k == 4) { throw new RuntimeException(); } return k == 3 ? 2 : 1; }
    //@ pre k > 0;
    //@ post \result > 1;
    //@ exsures (RuntimeException e) e.getMessage() != null;
    static int old(int k) { if (k > 6) { throw new RuntimeException(k == 7 ? null : ""); } return k; }
}
class StaticsCase {
    static void made() { Statics.made(2); }
    static void fewer() { Statics.made(1); }
    static void limit() { new Statics().limit(1); }
    static void noLimit() { try { new Statics().limit(0); } finally { Statics.limit = 3; } }
    static void redundant() { Statics.redundant(1); }
    static void badRedundant() { Statics.redundant(0); }
    static void redundantBefore() { Statics.redundant(5); }
    static void behave() { Statics.behave(1); }
    static void three() { Statics.behave(3); }
    static void four() { Statics.behave(4); }
    static void ten() { Statics.behave(10); }
    static void old() { Statics.old(2); }
    static void oldPre() { Statics.old(0); }
    static void oldPost() { Statics.old(1); }
    static void exsures() { Statics.old(7); }
    static void exsuresHeld() { Statics.old(8); }
}
"#,
        calls: &[
            ("made", "ok"),
            ("fewer", "constraint: made >= \\old(made)"),
            ("limit", "ok"),
            ("noLimit", "invariant: limit > 0"),
            ("redundant", "ok"),
            ("badRedundant", "postcondition: \\result > 0"),
            ("redundantBefore", "entry precondition: k != 5"),
            ("behave", "ok"),
            ("three", "postcondition: \\result == 1"),
            ("four", "exceptional postcondition: (Exception) k > 9"),
            ("ten", "threw java.lang.RuntimeException"),
            ("old", "ok"),
            ("oldPre", "entry precondition: k > 0"),
            ("oldPost", "postcondition: \\result > 1"),
            ("exsures", "exceptional postcondition: (RuntimeException e) e.getMessage() != null"),
            ("exsuresHeld", "threw java.lang.RuntimeException: "),
        ],
        skipped: &[],
    },
    Row {
        class: "Visible",
        source: r#"//@ refine "Visible.java-refined";
public class Visible {
    private /*@ spec_protected @*/ int n;
    private /*@ spec_public @*/ int m;
    //@ public model int total;
    //@ public represents total <- n + m;
    //@ public model Object state;
    int a; //@ in state;
    Visible2 part = new Visible2(); //@ maps part.value \into state;
    int free;
    //@ requires total > k;
    //@ ensures total == \old(total) + k;
    public void add(int k) { n += k == 3 ? 4 : k; }
    //@ assignable state;
    public void touch(int k) { a = k; part.value = k; if (k == 5) { free = 1; } helper(k); }
    private void helper(int k) { if (k == 6) { free = 2; } }
    //@ ensures \result.equals(new Integer(k)) && (* it is boxed *);
    public static Integer box(int k) { return k == 9 ? 0 : k; }
    public void set(int k) { m = k; }
}
class Visible2 { int value; }
class Below extends Visible {
    //@ requires n >= 0;
    //@ ensures \result == n + m;
    public int sum(int k) { return k; }
}
class VisibleCase {
    static Visible of(int k) { Visible v = new Visible(); v.set(k); return v; }
    static void add() { of(9).add(2); }
    static void badAdd() { of(9).add(3); }
    static void tooFew() { of(1).add(2); }
    static void below() { new Below().sum(0); }
    static void badBelow() { new Below().sum(1); }
    static void touch() { new Visible().touch(1); }
    static void badTouch() { new Visible().touch(5); }
    static void helped() { new Visible().touch(6); }
    static void box() { Visible.box(3); }
    static void badBox() { Visible.box(9); }
}
"#,
        calls: &[
            ("add", "ok"),
            ("badAdd", "postcondition: total == \\old(total) + k"),
            ("tooFew", "entry precondition: total > k"),
            ("below", "ok"),
            ("badBelow", "postcondition: \\result == n + m"),
            ("touch", "ok"),
            ("badTouch", "assignable: state"),
            ("helped", "assignable: state"),
            ("box", "ok"),
            ("badBox", "postcondition: \\result.equals(new Integer(k)) && (* it is boxed *)"),
        ],
        skipped: &[],
    },
    Row {
        class: "Aggregates",
        source: r#"public class Aggregates {
    int[] a = {3, 1, 2}; Object[] all = {"a"}; int[][] grid = {{1}, {2, 3}};
    //@ ensures \result == (\num_of int i; 0 <= i && i < a.length; a[i] > 1);
    int large(int k) { return k; }
    //@ ensures \result == (\sum int i; 0 <= i && i < a.length; a[i]);
    int sum(int k) { return k; }
    //@ ensures \result == (\max int i; 0 <= i && i < a.length; a[i]);
    int max(int k) { return k; }
    //@ ensures \result == (\min int i; 0 <= i && i < a.length; a[i]);
    int min(int k) { return k; }
    //@ ensures \elemtype(\typeof(all)) == \type(Object);
    void all(Object[] other) { all = other; }
    //@ ensures (\forall int i; 0 <= i && i < grid.length; (\exists int j; 0 <= j && j < grid[i].length; grid[i][j] > 1));
    void grid(int k) { grid[0][0] = k; }
    //@ ensures \old(a)[0] == \old(a[0], Pre);
    void store(int k) { a[0] = k; }
    static int down(int n) {
        //@ decreasing n;
        //@ maintaining_redundantly n >= 0;
        while (n > 0) { n -= n == 5 ? 0 : 1; if (n == 5) { return 5; } }
        return n;
    }
}
class AggregatesCase {
    static void large() { new Aggregates().large(2); }
    static void badLarge() { new Aggregates().large(1); }
    static void sum() { new Aggregates().sum(6); }
    static void badSum() { new Aggregates().sum(7); }
    static void max() { new Aggregates().max(3); }
    static void badMax() { new Aggregates().max(2); }
    static void min() { new Aggregates().min(1); }
    static void badMin() { new Aggregates().min(2); }
    static void all() { new Aggregates().all(new Object[1]); }
    static void badAll() { new Aggregates().all(new String[1]); }
    static void grid() { new Aggregates().grid(2); }
    static void badGrid() { new Aggregates().grid(1); }
    static void store() { new Aggregates().store(3); }
    static void badStore() { new Aggregates().store(4); }
    static void down() { Aggregates.down(3); }
    static void badDown() { Aggregates.down(-1); }
}
"#,
        calls: &[
            ("large", "ok"),
            (
                "badLarge",
                "postcondition: \\result == (\\num_of int i; 0 <= i && i < a.length; a[i] > 1)",
            ),
            ("sum", "ok"),
            ("badSum", "postcondition: \\result == (\\sum int i; 0 <= i && i < a.length; a[i])"),
            ("max", "ok"),
            ("badMax", "postcondition: \\result == (\\max int i; 0 <= i && i < a.length; a[i])"),
            ("min", "ok"),
            ("badMin", "postcondition: \\result == (\\min int i; 0 <= i && i < a.length; a[i])"),
            ("all", "ok"),
            ("badAll", "postcondition: \\elemtype(\\typeof(all)) == \\type(Object)"),
            ("grid", "ok"),
            (
                "badGrid",
                "postcondition: (\\forall int i; 0 <= i && i < grid.length; (\\exists int j; 0 <= j && \
                 j < grid[i].length; grid[i][j] > 1))",
            ),
            ("store", "ok"),
            ("badStore", "postcondition: \\old(a)[0] == \\old(a[0], Pre)"),
            ("down", "ok"),
            ("badDown", "assertion: n >= 0"),
        ],
        skipped: &[],
    },
    Row {
        class: "Same",
        source: r#"class Parent {
    //@ requires k > 0;
    int half(int k) { return k / 2; }
}
public class Same extends Parent {
    //@ also requires \same; ensures \result >= 0;
    int half(int k) { return k == 7 ? -1 : k / 2; }
}
class SameCase {
    static void ok() { new Same().half(4); }
    static void inherited() { new Same().half(0); }
    static void broken() { new Same().half(7); }
}
"#,
        calls: &[
            ("ok", "ok"),
            ("inherited", "entry precondition: k > 0"),
            ("broken", "postcondition: \\result >= 0"),
        ],
        skipped: &[],
    },
    Row {
        class: "Bodyless",
        source: r#"public class Bodyless {
    int n;
    //@ public model pure int weight(int k);
    //@ public model pure boolean fits();
    //@ ensures weight(1) > 0;
    //@ ensures \result > 0;
    int one(int k) { return k; }
    static boolean fits(int k) { return k > 0; }
    //@ ensures fits(n);
    void two(int k) { n = k; }
    //@ requires other.weight(k) == 3;
    static void elsewhere(Heavy other, int k) { }
}
class Heavy { int weight(int k) { return k + 1; } }
class BodylessCase {
    static void one() { new Bodyless().one(1); }
    static void badOne() { new Bodyless().one(0); }
    static void two() { new Bodyless().two(1); }
    static void badTwo() { new Bodyless().two(0); }
    static void heavy() { Bodyless.elsewhere(new Heavy(), 2); }
    static void badHeavy() { Bodyless.elsewhere(new Heavy(), 1); }
}
"#,
        calls: &[
            ("one", "ok"),
            ("badOne", "postcondition: \\result > 0"),
            ("two", "ok"),
            ("badTwo", "postcondition: fits(n)"),
            ("heavy", "ok"),
            ("badHeavy", "entry precondition: other.weight(k) == 3"),
        ],
        skipped: &["weight(1) > 0 (the model method", "weight (", "fits ("],
    },
    Row {
        class: "Listed",
        source: r#"public class Listed {
    int n; Object lock = "";
    //@ axiom (\forall int i; i > 0);
    //@ accessible n;
    //@ callable \nothing;
    //@ measured_by k;
    //@ when k > 0;
    //@ diverges false;
    //@ duration 5;
    //@ ensures \lockset.has(lock);
    //@ ensures \is_initialized(Listed);
    //@ ensures \only_assigned(n);
    //@ ensures new JMLObjectSet { Integer i | all.has(i) && i > 0 } != null;
    //@ ensures \old(n, there) == n;
    //@ ensures \result == k;
    int get(int k) {
        //@ requires n > 5;
        //@ ensures n == 7;
        { n = 8; }
        return k == 3 ? 4 : k;
    }
    //@ forall int i;
    //@ ensures n > i;
    //@ ensures n == k;
    void set(int k) { n = k == 3 ? 4 : k; }
}
class ListedCase {
    static void get() { new Listed().get(1); }
    static void badGet() { new Listed().get(3); }
    static void set() { new Listed().set(1); }
    static void badSet() { new Listed().set(3); }
}
"#,
        calls: &[
            ("get", "ok"),
            ("badGet", "postcondition: \\result == k"),
            ("set", "ok"),
            ("badSet", "postcondition: n == k"),
        ],
        skipped: &[
            "(\\forall int i; i > 0) (`axiom`",
            "n (`accessible`",
            "\\nothing (`callable`",
            "k (`measured_by`",
            "k > 0 (`when`",
            "false (`diverges`",
            "5 (`duration`",
            "\\lockset.has(lock) (`\\lockset`",
            "\\is_initialized(Listed) (`\\is_initialized`",
            "\\only_assigned(n) (`\\only_assigned`",
            "new JMLObjectSet",
            "\\old(n, there) == n (the state",
            "n > 5; //@ ensures n == 7 (`requires`",
            "int i (`forall`",
            "n > i (`i` stands for every value",
        ],
    },
];
