//! Broken contracts that no test can show: each is told once, with the reason, and no test of it is said to
//! have been dropped.

use std::fs;

use crate::run::Generate;

const SAFE: &str = "package p;
public class Safe {
    private int secret;
    private boolean open;

    //@ requires k >= 0;
    //@ assignable \\nothing;
    public void change(int k) { secret = k; }

    //@ ensures open;
    public void open() { open = false; }

    //@ ensures \\result == k + 1;
    public static int next(int k) { return k + 1; }
}
";

#[test]
fn broken_contracts_without_test_have_a_reason_and_are_not_dropped_tests() {
    let sources = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(sources.path().join("p")).expect("a folder");
    fs::write(sources.path().join("p/Safe.java"), SAFE).expect("a source");
    let generate = Generate::of_sources(sources.path()).with(["--steps", "3000", "--json"]);
    let generated = generate.run();
    assert_eq!(generated.said.code(), 1, "{}", generated.said.err);
    let report = generated.said.json();
    let class = &report["classes"][0];
    let mut found: Vec<(&str, bool, &str)> = (class["violations"].as_array().into_iter().flatten())
        .map(|violation| {
            let text = |key: &str| violation[key].as_str().unwrap_or_default();
            (text("member"), violation["test"].is_string(), text("reason"))
        })
        .collect();
    found.sort_unstable();
    let [change, next, open] = found[..] else { panic!("{report:#}") };
    assert!(change.0 == "change" && !change.1 && !change.2.is_empty(), "{change:?}");
    assert_eq!(next, ("next", true, ""));
    assert!(open.0 == "open" && !open.1 && open.2.contains("open"), "{open:?}");
    assert_eq!(class["failures"], 3);
    for (why, number) in report["dropped"].as_object().expect("an object") {
        assert_eq!(number, 0, "{why}: {report:#}");
    }
}
