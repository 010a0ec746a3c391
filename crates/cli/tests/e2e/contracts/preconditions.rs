//! Preconditions guide the search to calls that they allow.

use std::fs;

use crate::run::Generate;

const GATE: &str = "package p;
public class Gate {
    //@ requires code == 4711;
    //@ ensures \\result == code + 1;
    public static int open(int code) { return code + 1; }

    //@ requires name.equals(\"sesame\") && times > 100000 && times < 100010;
    public static int knock(String name, int times) { return name.length() + times; }

    //@ requires a.length > 2 && isSorted(a);
    public static int span(int[] a) { return a[a.length - 1] - a[0]; }

    public static /*@ pure @*/ boolean isSorted(int[] a) {
        for (int i = 1; i < a.length; i++) {
            if (a[i - 1] >= a[i]) {
                return false;
            }
        }
        return true;
    }

    //@ requires n > 3 && n < 3;
    public static int never(int n) { return n; }
}
";

#[test]
fn calls_that_hardly_any_argument_is_allowed_for_are_found() {
    let sources = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(sources.path().join("p")).expect("a folder");
    fs::write(sources.path().join("p/Gate.java"), GATE).expect("a source");
    let generate = Generate::of_sources(sources.path()).with(["--steps", "6000", "--json"]);
    let generated = generate.run();
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    let tests = generated.sources();
    for call in ["Gate.open(4711)", "Gate.knock(\"sesame\", 10000", "Gate.span("] {
        assert!(tests.contains(call), "no {call} in {tests}");
    }
    let reasons = generated.reasons("p.Gate", "never");
    assert_eq!(reasons.len(), 1, "{reasons:?}");
    assert!(reasons[0].starts_with("precondition-never-held: all "), "{reasons:?}");
    for member in ["open", "knock", "span"] {
        assert_eq!(generated.reasons("p.Gate", member), [] as [&str; 0]);
    }
}
