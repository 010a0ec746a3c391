//! `check`: programs and tests are run as they are, and broken contracts are told.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::fixture::{compile, copy, java_files, source_folder};
use crate::run::{Said, say, testhound};

/// The lending library: two methods are wrong, and the program swallows what comes of one.
fn lending() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    copy(&source_folder("contracts/program"), folder.path());
    folder
}

/// Sources of a test.
fn sources(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a source");
    }
    folder
}

fn check(source: &Path, options: &[&str]) -> Said {
    say(testhound().arg("check").arg("--source").arg(source).args(options))
}

/// What a program prints without Testhound.
fn printed(source: &Path, main: &str) -> String {
    let classes = tempfile::tempdir().expect("a temporary folder");
    compile(&java_files(source), classes.path(), "");
    let jdk = toolchain::select(None, 17).expect("tests need a JDK");
    let said = say(Command::new(jdk.program("java")).arg("-cp").arg(classes.path()).arg(main));
    assert_eq!(said.code(), 0, "{}", said.err);
    said.out
}

fn texts(list: &Value) -> Vec<&str> {
    let items = list.as_array().into_iter().flatten();
    items.map(|item| item.as_str().expect("a text")).collect()
}

#[test]
fn a_program_prints_what_it_prints_and_its_broken_contracts_follow() {
    let folder = lending();
    let source = folder.path().join("src/main/java");
    let said = check(&source, &["--main", "lending.Main"]);
    assert_eq!(said.code(), 1, "{}", said.err);
    let (program, summary) =
        said.out.split_once("loans: 1\n").expect("the last line of the program");
    // What is thrown for a broken contract is an error to the program: one order is not obeyed, and the
    // evening thread ends early.
    assert_eq!(
        program,
        "lend Emma: here you are\nlend Walden: here you are\nlend Walden: none left\n\
         return Walden: thank you\nreturn Walden: sorry\nburn Emma: sorry\n\
         0 days late: 0\n7 days late: 70\n100 days late: 500\n"
    );
    for part in [
        "lending.Main ended with status 0\n2 contracts are broken:\n",
        "internal precondition does not hold in lending.Title.takeIn, swallowed by the program\n  \
         requires lent > 0 (lending/Title.java:36)\n    lent = 0\n    at lending.Title.takeIn(",
        "\n    at lending.Library.giveBack(Library.java:54)\n",
        "postcondition does not hold in lending.Fines.owed, and ends the thread `evening`\n",
        "    \\result = 4000\n",
        "\nchecked 30 of 30 clauses\n",
    ] {
        assert!(summary.contains(part), "no `{part}` in: {summary}");
    }
    assert!(!said.err.contains("Violation"), "it is told twice: {}", said.err);
    assert!(!said.out.contains("jml$"), "{}", said.out);
}

#[test]
fn a_report_in_json_is_all_of_standard_output() {
    let folder = lending();
    let source = folder.path().join("src/main/java");
    let said = check(&source, &["--main", "lending.Main", "--json"]);
    assert_eq!(said.code(), 1, "{}", said.err);
    assert!(said.err.contains("lend Emma: here you are"), "{}", said.err);
    let report = said.json();
    let expected = [
        ("clauses", json!(30)),
        ("checked", json!(30)),
        ("skipped", json!([])),
        ("errors", json!([])),
        ("undefined", json!([])),
        ("exit", json!(0)),
        ("tests", Value::Null),
        ("interrupted", json!(false)),
    ];
    for (key, value) in expected {
        assert_eq!(report[key], value, "{key} of {report:#}");
    }
    let violations = report["violations"].as_array().expect("a list");
    assert_eq!(violations.len(), 2, "{report:#}");
    let [swallowed, told] = &violations[..] else { panic!("{report:#}") };
    assert_eq!(swallowed["kind"], "internal precondition");
    assert_eq!(swallowed["clause"], "requires lent > 0");
    assert_eq!(swallowed["file"], "lending/Title.java");
    assert_eq!(swallowed["line"], 36);
    assert_eq!(swallowed["owner"], "lending.Title");
    assert_eq!(swallowed["member"], "takeIn");
    assert_eq!(swallowed["values"], json!(["lent = 0"]));
    assert_eq!((&swallowed["count"], &swallowed["swallowed"]), (&json!(1), &json!(1)));
    let frames = ["lending.Title.takeIn(", "lending.Library.giveBack(", "lending.Desk.done("];
    for (frame, expected) in texts(&swallowed["stack"]).iter().zip(frames) {
        assert!(frame.starts_with(expected), "{frame}");
    }
    assert_eq!(told["kind"], "postcondition");
    assert_eq!(told["threads"], json!(["evening"]));
    assert_eq!(told["swallowed"], Value::Null, "{told:#}");
}

#[test]
fn tests_of_a_maven_project_are_run_with_contracts_checked() {
    let folder = lending();
    let run = |options: &[&str]| {
        let mut command = testhound();
        say(command.arg("check").arg("--project").arg(folder.path()).args(options))
    };
    let said = run(&[]);
    assert_eq!(said.code(), 1, "{}", said.err);
    let first = "4 tests, 2 failed, for broken contracts\n2 contracts are broken:\n";
    assert!(said.out.starts_with(first), "{}", said.out);
    let test = "  fails lending.LibraryTest.aTitleNobodyLentIsTakenBack()";
    assert!(said.out.contains(test), "{}", said.out);
    assert!(!said.err.contains("Violation"), "it is told twice: {}", said.err);
    let report = run(&["--json"]).json();
    assert_eq!((&report["tests"]["run"], &report["tests"]["failed"]), (&json!(4), &json!(2)));
    let kinds: Vec<&Value> =
        report["violations"].as_array().into_iter().flatten().map(|v| &v["kind"]).collect();
    let both = ["entry precondition", "internal precondition"];
    assert!(kinds.len() == 2 && both.iter().all(|kind| kinds.contains(&&json!(kind))), "{kinds:?}");
    let said = run(&["--tests", "lending.OtherTest"]);
    assert_eq!(said.code(), 2, "{}", said.err);
    assert!(said.err.contains("no test class `lending.OtherTest`"), "{}", said.err);
    let said = run(&["--main", "lending.Main"]);
    assert_eq!(said.code(), 1, "{}", said.err);
    assert!(said.out.contains("lending.Main ended with status 0"), "{}", said.out);
}

#[test]
fn tests_may_be_sources_of_junit_5_or_junit_4() {
    let folder = lending();
    let source = folder.path().join("src/main/java");
    let tests = folder.path().join("src/test/java");
    let said = check(&source, &["--json", "--tests", tests.to_str().expect("a plain path")]);
    assert_eq!(said.code(), 1, "{}", said.err);
    assert_eq!(said.json()["tests"]["failed"], 2, "{}", said.out);
    let old = sources(&[(
        "lending/FinesTest.java",
        "package lending; public class FinesTest {\n@org.junit.Test public void week() {\n\
         System.out.println(\"a week\"); org.junit.Assert.assertEquals(70, Fines.owed(7)); }\n\
         @org.junit.Test public void wrong() { org.junit.Assert.assertEquals(1, Fines.owed(0)); } }",
    )]);
    let said = check(&source, &["--tests", old.path().to_str().expect("a plain path")]);
    assert_eq!(said.code(), 1, "{}", said.err);
    assert!(said.out.starts_with("a week\n"), "{}", said.out);
    for part in [
        "2 tests, 1 failed, 1 not for a broken contract:\n  lending.FinesTest.wrong: \
         java.lang.AssertionError: expected:<1> but was:<0>",
        "no contract was broken\n",
    ] {
        assert!(said.out.contains(part), "no `{part}` in: {}", said.out);
    }
}

#[test]
fn code_of_today_prints_the_same_with_its_contracts_checked() {
    let folder = source_folder("contracts/modern");
    let copied = tempfile::tempdir().expect("a temporary folder");
    // What needs a later JDK stands in a package of its own.
    copy(&folder.join("modern"), &copied.path().join("modern"));
    let said = check(copied.path(), &["--main", "modern.Tour"]);
    assert_eq!(said.code(), 0, "{}{}", said.out, said.err);
    let (program, summary) = said.out.split_once("\nmodern.Tour ended").expect("a summary");
    assert_eq!(program, printed(copied.path(), "modern.Tour"));
    assert!(summary.contains("no contract was broken\n"), "{summary}");
}

const COUNTER: &str = "package p;
public class Counter {
    //@ requires n > 0;
    //@ ensures \\result == n + 1;
    public static int next(int n) { return n == 7 ? 0 : n + 1; }
    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 500; i++) {
            try { next(i % 2 == 0 ? 0 : 7); } catch (Error e) { continue; }
        }
        System.out.println(String.join(\",\", arguments));
        if (arguments.length > 1) {
            java.nio.file.Files.writeString(java.nio.file.Path.of(arguments[1]), \"written\");
        }
        next(7);
    }
}";

#[test]
fn what_happens_again_and_again_is_told_once_with_its_count() {
    let source = sources(&[("p/Counter.java", COUNTER)]);
    let said = check(source.path(), &["--main", "p.Counter", "--", "--one"]);
    assert_eq!(said.code(), 1, "{}", said.err);
    assert!(said.out.starts_with("--one\n"), "{}", said.out);
    for part in [
        "p.Counter ended with status 1\n2 contracts are broken:",
        "internal precondition does not hold in p.Counter.next, 250 times, swallowed by the program",
        "postcondition does not hold in p.Counter.next, 251 times, 250 of them swallowed by the \
         program, and ends the thread `main`",
    ] {
        assert!(said.out.contains(part), "no `{part}` in: {}", said.out);
    }
    assert!(said.err.is_empty(), "it is told twice: {}", said.err);
}

#[test]
fn a_program_writes_where_it_may_and_nowhere_else() {
    let source = sources(&[("p/Counter.java", COUNTER)]);
    let elsewhere = tempfile::tempdir().expect("a temporary folder");
    let file = elsewhere.path().join("file");
    let run = |options: &[&str]| {
        let mut command = testhound();
        command.arg("check").arg("--source").arg(source.path()).args(["--main", "p.Counter"]);
        say(command.args(options).args(["--", "x"]).arg(&file))
    };
    let said = run(&[]);
    assert!(said.err.contains("AccessDenied") && !file.exists(), "{}", said.err);
    let said = run(&["--write", elsewhere.path().to_str().expect("a plain path")]);
    assert!(said.err.is_empty(), "{}", said.err);
    assert_eq!(fs::read_to_string(&file).expect("a file"), "written");
}

#[test]
fn what_cannot_be_checked_is_told_and_the_rest_is_checked() {
    let source = sources(&[(
        "p/A.java",
        "package p;\npublic class A {\n    //@ ensures (;\n    //@ ensures \\result == unknown(n);\n\
         //@ ensures \\result > n;\n    static int m(int n) { return n; }\n    \
         //@ ensures 1 / n > 0;\n    static void u(int n) { }\n    \
         public static void main(String[] a) { u(0); u(0); m(1); }\n}",
    )]);
    let said = check(source.path(), &["--main", "p.A"]);
    assert_eq!(said.code(), 1, "{}", said.err);
    for part in [
        "\n  p/A.java:3:",
        "  not checked: p/A.java:4: ensures \\result == unknown(n) (",
        "postcondition does not hold in p.A.m, and ends the thread `main`\n  ensures \\result > n (",
        "has no value in some state of p.A.u: ensures 1 / n > 0 (p/A.java:7): \
         java.lang.ArithmeticException",
    ] {
        assert!(said.out.contains(part), "no `{part}` in: {}", said.out);
    }
    assert_eq!(said.out.matches("has no value").count(), 1, "{}", said.out);
}

#[test]
fn sources_without_contracts_are_run_with_a_warning() {
    let source = sources(&[(
        "Plain.java",
        "public class Plain { public static void main(String[] a) { System.exit(3); } }",
    )]);
    let said = check(source.path(), &["--main", "Plain"]);
    assert_eq!(said.code(), 0, "{}", said.err);
    assert!(said.err.contains("the sources have no contracts"), "{}", said.err);
    assert!(said.out.contains("Plain ended with status 3"), "{}", said.out);
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let refused = |files: &[(&str, &str)], options: &[&str], part: &str| {
        let source = sources(files);
        let said = check(source.path(), options);
        assert_eq!(said.code(), 2, "{options:?}: {}{}", said.out, said.err);
        assert!(said.err.contains(part), "no `{part}` in: {}", said.err);
    };
    let counter = [("p/Counter.java", COUNTER)];
    refused(&[], &["--main", "p.A"], "there are no Java sources");
    refused(&counter, &["--main", "p.Countr"], "did you mean p.Counter?");
    refused(&counter, &["--main", "java.lang.Math"], "it is in p.Counter");
    refused(&counter, &["--tests", "p.CounterTest"], "no test class `p.CounterTest`");
    refused(&counter, &["--tests", "./absent"], "there is no folder `./absent`");
    refused(&counter, &["--main", "p.Counter", "--write", "./absent"], "--write `./absent`");
    refused(&counter, &[], "--main");
    refused(&[("A.java", "class A { int }")], &["--main", "A"], "A.java:1");
    let said = check(Path::new("absent"), &["--main", "p.A"]);
    assert_eq!(said.code(), 2, "{}", said.err);
    assert!(said.err.contains("`absent` is no folder"), "{}", said.err);
}

#[test]
fn jml_files_belong_to_sources_in_any_folder_and_are_told_without_one() {
    let code = sources(&[(
        "p/Main.java",
        "package p;\npublic class Main {\n    static int half(int k) { return k / 2; }\n    \
         public static void main(String[] all) { half(-2); }\n}\n",
    )]);
    let class = |name: &str| {
        format!(
            "package p;\npublic class {name} {{\n    //@ requires k > 0;\n    static int half(int k);\n}}\n"
        )
    };
    let specs = sources(&[("p/Main.jml", &class("Main")), ("p/Gone.jml", &class("Gone"))]);
    let folder = specs.path().to_str().expect("a plain path");
    let said = check(code.path(), &["--source", folder, "--main", "p.Main"]);
    assert_eq!(said.code(), 1, "{}", said.err);
    for part in [
        "  requires k > 0 (p/Main.jml:3)\n",
        "\nchecked 1 of 1 clauses\n",
        "p/Gone.jml:1:1: error: not checked: there is no source of what this specifies; put `p/Gone.java` \
         into a folder of `--source`, or remove this file",
    ] {
        assert!(said.out.contains(part), "no `{part}` in: {}", said.out);
    }
}
