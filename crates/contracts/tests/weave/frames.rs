//! What methods may change: what is watched, and what is visibly kept.

use contracts::weave::{NoSupertypes, Options};

use crate::table::{Row, check};

#[test]
fn what_calls_change_is_found_wherever_it_is() {
    check(ROWS, &Options::default());
}

const ROWS: &[Row] = &[
    Row {
        class: "Elsewhere",
        source: r#"import java.util.*;
public class Elsewhere {
    int n; static int count;
    //@ assignable n;
    void other(int k) { n = k; if (k == 1) { Registry.size++; } if (k == 2) { Registry.names.add("x"); } if (k == 3) { Registry.mark(); } }
    //@ assignable Registry.size, n;
    void allowed(int k) { Registry.size = k; n = k; if (k == 1) { count++; } }
    //@ assignable Registry.*;
    void all(int k) { Registry.size = k; Registry.last = null; if (k == 1) { n++; } }
    //@ assignable count;
    void same(int k) { count++; if (k == 1) { Twin.count++; } }
    //@ ensures \fresh(\result);
    static Object fresh(int k) { return k == 0 ? new Object() : Registry.names; }
}
class Registry { static int size; static final List<String> names = new ArrayList<>(); static /*@ nullable @*/ Object last;
    static void mark() { last = new Object(); } }
class Twin { static int count; }
class ElsewhereCase {
    static void start() { Registry.mark(); Twin.count = 0; }
    static void ok() { start(); new Elsewhere().other(0); }
    static void size() { start(); new Elsewhere().other(1); }
    static void names() { start(); new Elsewhere().other(2); }
    static void mark() { start(); new Elsewhere().other(3); }
    static void allowed() { new Elsewhere().allowed(0); }
    static void notAllowed() { new Elsewhere().allowed(1); }
    static void all() { new Elsewhere().all(0); }
    static void notAll() { new Elsewhere().all(1); }
    static void same() { start(); new Elsewhere().same(0); }
    static void twin() { start(); new Elsewhere().same(1); }
    static void fresh() { Elsewhere.fresh(0); }
    static void notFresh() { Registry.mark(); Elsewhere.fresh(1); }
}
"#,
        calls: &[
            ("ok", "ok"),
            ("size", "assignable: n"),
            ("names", "assignable: n"),
            ("mark", "assignable: n"),
            ("allowed", "ok"),
            ("notAllowed", "assignable: Registry.size, n"),
            ("all", "ok"),
            ("notAll", "assignable: Registry.*"),
            ("same", "ok"),
            ("twin", "assignable: count"),
            ("fresh", "ok"),
            ("notFresh", "postcondition: \\fresh(\\result)"),
        ],
        skipped: &[],
    },
    Row {
        class: "Purely",
        source: r#"import java.util.*;
import java.util.function.*;
public class Purely {
    int n; int[] a = {1, 2}; List<String> names = new ArrayList<>(); static int calls; int cached;
    //@ pure
    int through(int k) { return k == 1 ? helper() : n; }
    int helper() { return ++n; }
    //@ pure
    int twice(int k) { return k == 1 ? deep(3) : 0; }
    private int deep(int k) { return k == 0 ? helper() : deep(k - 1); }
    //@ pure
    int given(Supplier<Integer> s) { return s.get(); }
    //@ pure
    boolean named(String s) { return names.contains(s) && !s.isEmpty(); }
    //@ pure
    String text() { StringBuilder b = new StringBuilder(); for (String s : names) { b.append(s); } return b.toString(); }
    //@ pure
    List<String> copy() { List<String> c = new ArrayList<>(); c.addAll(names); Collections.sort(c); return c; }
    //@ pure
    int[] doubled() { int[] d = new int[a.length]; for (int i = 0; i < d.length; i++) { d[i] = 2 * a[i]; } return d; }
    //@ pure
    int shadow(int k) { { int n = 1; n++; } if (k == 1) { n = 5; } return n; }
    //@ pure
    Purely made(int k) { return k == 1 ? new Counting() : new Purely(); }
    //@ pure
    int lazy(int k) { if (k == 1) { cached = 7; } return cached; }
    //@ pure
    int alias(int k) { int[] d = new int[2]; if (k == 1) { d = a; } d[0] = 9; return d[0]; }
    //@ pure
    int other() { Runnable r = () -> n++; r.run(); return n; }
}
class Counting extends Purely { { calls++; } }
interface Sized { /*@ pure @*/ int size(); }
class Box implements Sized { int n; int asked; public int size() { if (n > 3) { asked++; } return n; } }
class PurelyCase {
    static Purely of() { return new Purely(); }
    static void through() { of().through(0); }
    static void badThrough() { of().through(1); }
    static void twice() { of().twice(0); }
    static void badTwice() { of().twice(1); }
    static void given() { Purely p = of(); p.given(() -> 3); }
    static void badGiven() { Purely p = of(); p.given(() -> p.n++); }
    static void fine() { Purely p = of(); p.names.add("a"); p.named("a"); p.text(); p.copy(); p.doubled(); }
    static void shadow() { of().shadow(0); }
    static void badShadow() { of().shadow(1); }
    static void made() { of().made(0); }
    static void badMade() { of().made(1); }
    static void lazy() { of().lazy(0); }
    static void badLazy() { of().lazy(1); }
    static void alias() { of().alias(0); }
    static void badAlias() { of().alias(1); }
    static void other() { of().other(); }
    static void sized() { new Box().size(); }
    static void badSized() { Box b = new Box(); b.n = 4; b.size(); }
}
"#,
        calls: &[
            ("through", "ok"),
            ("badThrough", "assignable: \\nothing"),
            ("twice", "ok"),
            ("badTwice", "assignable: \\nothing"),
            ("given", "ok"),
            ("badGiven", "assignable: \\nothing"),
            ("fine", "ok"),
            ("shadow", "ok"),
            ("badShadow", "assignable: \\nothing"),
            ("made", "ok"),
            ("badMade", "assignable: \\nothing"),
            ("lazy", "ok"),
            ("badLazy", "assignable: \\nothing"),
            ("alias", "ok"),
            ("badAlias", "assignable: \\nothing"),
            ("other", "assignable: \\nothing"),
            ("sized", "ok"),
            ("badSized", "assignable: \\nothing"),
        ],
        skipped: &[],
    },
    Row {
        class: "Holding",
        source: r#"import java.util.*;
public class Holding extends ArrayList<String> {
    int n; BitSet bits = new BitSet();
    //@ assignable n;
    void more(int k) { n++; if (k == 1) { add("x"); } if (k == 2) { bits.set(3); } }
    //@ assignable this.*;
    void all() { add("x"); n++; }
    class Inner { int v;
        //@ assignable n;
        void out(int k) { n = k; if (k == 1) { v = 1; } } }
    static int made; int id;
    //@ assignable made;
    Holding(int k) { made++; id = made; if (k == 1) { Ids.last = k; } }
    //@ assignable \nothing;
    Holding(String s) { this(s.length()); }
}
class Ids { static int last; }
class Numbered { int id = Ids.last++;
    //@ assignable \nothing;
    Numbered() { } }
class HoldingCase {
    static void ok() { new Holding(0).more(0); }
    static void contents() { new Holding(0).more(1); }
    static void bits() { new Holding(0).more(2); }
    static void all() { new Holding(0).all(); }
    static void inner() { new Holding(0).new Inner().out(0); }
    static void badInner() { new Holding(0).new Inner().out(1); }
    static void ctor() { Ids.last = 5; new Holding(1); }
}
"#,
        calls: &[
            ("ok", "ok"),
            ("contents", "assignable: n"),
            ("bits", "assignable: n"),
            ("all", "ok"),
            ("inner", "ok"),
            ("badInner", "assignable: n"),
            ("ctor", "assignable: made"),
        ],
        skipped: &["\\nothing (what runs before"],
    },
    Row {
        class: "Grouped",
        source: r#"public interface Grouped {
    //@ public model instance int depth;
    //@ assignable depth;
    void push(int k);
}
class Filled implements Grouped {
    private int[] elements = new int[4]; //@ in depth;
    //@ maps elements[*] \into depth;
    private Top top = new Top(); //@ maps top.value \into depth;
    private int count; //@ in depth;
    int free;
    //@ public represents depth = count;
    public void push(int k) {
        elements[count++] = k;
        top.value = k;
        if (k == 3) { free = k; }
        if (k == 4) { top.other = k; }
        if (k == 5) { elements = new int[9]; }
    }
}
class Top { int value; int other; }
class GroupedCase {
    static void ok() { new Filled().push(1); }
    static void free() { new Filled().push(3); }
    static void other() { new Filled().push(4); }
    static void replaced() { new Filled().push(5); }
}
"#,
        calls: &[
            ("ok", "ok"),
            ("free", "assignable: depth"),
            ("other", "assignable: depth"),
            ("replaced", "ok"),
        ],
        skipped: &[],
    },
    Row {
        class: "Callers",
        source: r#"public class Callers {
    int n; int m; boolean on; static int made;
    //@ assignable n;
    void set(int k) { n = k; other(k); }
    private void other(int k) { if (k == 9) { m = k; } }
    //@ assignable n, to.n;
    void both(int k, Callers to) { set(k); to.set(k + 1); to.n = k; if (k == 3) { to.m = k; } }
    //@ assignable n, to.n;
    void swapped(int k, Callers to, Callers third) { if (k == 3) { to = third; } to.set(1); }
    //@ requires on;
    //@ assignable n;
    void asked(int k) { n = k; }
}
interface Runs { void run(); }
class Lower extends Callers implements Runs {
    int n;
    //@ assignable n;
    void hidden(int k) { if (k == 1) { set(k); } }
    //@ also requires on; assignable m;
    public void run() { m = 1; if (!on) { made = 5; } }
    //@ assignable m;
    void runs() { run(); }
}
class CallersCase {
    static void both() { new Callers().both(1, new Callers()); }
    static void ofOther() { new Callers().both(3, new Callers()); }
    static void callee() { new Callers().both(9, new Callers()); }
    static void swapped() { new Callers().swapped(1, new Callers(), new Callers()); }
    static void third() { new Callers().swapped(3, new Callers(), new Callers()); }
    static void hidden() { new Lower().hidden(1); }
    static void runs() { Lower l = new Lower(); l.on = true; Callers.made = 5; l.runs(); }
    static void badRuns() { Callers.made = 4; new Lower().runs(); }
}
"#,
        calls: &[
            ("both", "ok"),
            ("ofOther", "assignable: n, to.n"),
            ("callee", "assignable: n"),
            ("swapped", "ok"),
            ("third", "assignable: n, to.n"),
            ("hidden", "assignable: n"),
            ("runs", "ok"),
            ("badRuns", "assignable: m"),
        ],
        skipped: &[],
    },
];

#[test]
fn calls_that_keep_to_what_may_change_by_their_own_frames_are_not_watched() {
    let check = |source: &str, watched: bool| {
        let (source, _) = contracts::parse("A.java", source);
        let sources = [source];
        let weaving = contracts::weave(&sources, &NoSupertypes, &Options::default());
        assert_eq!(
            weaving.files[0].text.contains("Frame.of("),
            watched,
            "{}",
            weaving.files[0].text
        );
    };
    let class = |places: &str| {
        format!(
            "class A {{ int n;\n//@ requires k > 0;\n//@ assignable n;\nvoid set(int k) {{ n = k; }}\n\
             //@ assignable {places};\nvoid both(int k, A to) {{ set(k); to.set(k); }} }}"
        )
    };
    check(&class("n, to.n"), false);
    check(&class("n"), true);
    check(&class("to.n"), true);
}
