//! Specifications with errors in them, and larger ones than anybody writes: what is left says no more
//! than its author meant.

use contracts::weave::Options;

use crate::table::{Row, check, check_parsed};

#[test]
fn what_depends_on_a_clause_that_is_not_understood_is_not_checked() {
    let source = r#"public class Damaged {
    int a; int b;
    //@ requires k > ;
    //@ requires k != 5;
    //@ ensures \result == 1;
    //@ also requires k == 3;
    //@ ensures \result == 1;
    static int half(int k) { return k == 1 ? 1 : 2; }
    //@ assignable a;
    //@ assignable b +;
    //@ ensures a == k;
    void set(int k) { a = k == 4 ? 0 : k; b = k; }
    //@ ensures ) a;
    //@ ensures \result > 0;
    static int after(int k) { return k; }
}
class DamagedCase {
    static void first() { Damaged.half(1); }
    static void second() { Damaged.half(3); }
    static void neither() { Damaged.half(5); }
    static void frame() { new Damaged().set(1); }
    static void set() { new Damaged().set(4); }
    static void after() { Damaged.after(0); }
}
"#;
    let (parsed, diagnostics) = contracts::parse("Damaged.java", source);
    let errors = diagnostics.iter().filter(|d| d.severity == contracts::Severity::Error);
    assert_eq!(errors.count(), 3, "{diagnostics:#?}");
    let row = Row {
        class: "Damaged",
        source,
        calls: &[
            ("first", "ok"),
            ("second", "postcondition: \\result == 1"),
            ("neither", "entry precondition: k == 3"),
            ("frame", "ok"),
            ("set", "postcondition: a == k"),
            ("after", "postcondition: \\result > 0"),
        ],
        skipped: &[
            "k > (it is not understood)",
            "\\result == 1 (the precondition it depends on is not checked)",
            "a (another clause of its frame is not understood)",
            "b + (it is not understood)",
            ") a (it is not understood)",
        ],
    };
    check_parsed(&[row], &[parsed], &Options::default());
}

#[test]
fn what_bodies_say_under_a_precondition_that_is_not_evaluated_is_not_checked() {
    let source = r#"public class Assumed {
    int n;
    //@ public ghost \locset footprint;
    //@ requires (\forall int x; x > 0; x + k > x);
    static void body(int k) {
        //@ assert k > 0;
        //@ loop_invariant k > i;
        for (int i = 0; i < 1; i++) { }
    }
    //@ assignable footprint;
    void grow(int k) { n = k; }
    //@ requires k != 4;
    static void known(int k) {
        //@ assert k > 0;
    }
}
class AssumedCase {
    static void body() { Assumed.body(-1); }
    static void grow() { new Assumed().grow(1); }
    static void known() { Assumed.known(0); }
}
"#;
    let row = Row {
        class: "Assumed",
        source,
        calls: &[("body", "ok"), ("grow", "ok"), ("known", "assertion: k > 0")],
        skipped: &[
            "(\\forall int x; x > 0",
            "k > 0 (the precondition",
            "k > i (the precondition",
            "footprint (`footprint` is a set of places",
            "public ghost",
        ],
    };
    check(&[row], &Options::default());
}

/// A method with so many cases, of which the tenth before the last is broken.
fn cases(class: &str, number: usize) -> String {
    let cases: Vec<String> = (0..number)
        .map(|k| format!("    //@ requires k == {k};\n    //@ ensures \\result == {k};\n"))
        .collect();
    let broken = number - 10;
    format!(
        "public class {class} {{\n{}    static int of(int k) {{ return k == {broken} ? 0 : k; }}\n}}\n\
         class {class}Case {{\n    static void first() {{ {class}.of(1); }}\n    \
         static void last() {{ {class}.of({number} - 1); }}\n    \
         static void broken() {{ {class}.of({broken}); }}\n    \
         static void none() {{ {class}.of(-1); }}\n}}\n",
        cases.join("    //@ also\n")
    )
}

#[test]
fn a_method_may_have_many_cases() {
    let rows = [
        Row {
            class: "Cases40",
            source: cases("Cases40", 40).leak(),
            calls: &[
                ("first", "ok"),
                ("last", "ok"),
                ("broken", "postcondition: \\result == 30"),
                ("none", "entry precondition: k == 39"),
            ],
            skipped: &[],
        },
        Row {
            class: "Cases63",
            source: cases("Cases63", 63).leak(),
            calls: &[
                ("first", "ok"),
                ("last", "ok"),
                ("broken", "postcondition: \\result == 53"),
                ("none", "entry precondition: k == 62"),
            ],
            skipped: &[],
        },
        Row {
            class: "Cases64",
            source: cases("Cases64", 64).leak(),
            calls: &[("first", "ok"), ("last", "ok"), ("broken", "ok"), ("none", "ok")],
            skipped: &["k == ", "\\result == "],
        },
    ];
    check(&rows, &Options::default());
}
