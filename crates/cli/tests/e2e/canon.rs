//! `canon`: JUnit tests as straight lines of calls that do the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::fixture::{java_files, source_folder};
use crate::run::{Said, say, testhound};

/// The fixture's library and its tests, and JUnit.
struct Subject {
    library: TempDir,
    tests: TempDir,
    junit: String,
}

impl Subject {
    fn new() -> Self {
        let home = toolchain::select(None, 17).expect("tests need a JDK").home;
        let sources = source_folder("canon");
        let library = testkit::compile(&home, &[], &java_files(&sources.join("library")));
        let coordinates = [
            "org.junit.jupiter:junit-jupiter-params:5.11.4",
            "org.junit.jupiter:junit-jupiter-api:5.11.4",
            "org.junit.platform:junit-platform-commons:1.11.4",
            "org.opentest4j:opentest4j:1.3.0",
            "org.apiguardian:apiguardian-api:1.1.2",
            "junit:junit:4.13.2",
        ];
        let junit = coordinates.map(|jar| testkit::library(jar).display().to_string()).join(":");
        let path = format!("{}:{junit}", library.path().display());
        let files = java_files(&sources.join("tests"));
        let tests = testkit::compile(&home, &["-cp", &path], &files);
        Self { library, tests, junit }
    }

    fn canon(&self, arguments: &[&str]) -> Said {
        self.canon_of(self.tests.path(), arguments)
    }

    fn canon_of(&self, tests: &Path, arguments: &[&str]) -> Said {
        let mut command = testhound();
        command.arg("canon").args(arguments).arg("--test-classpath").arg(tests);
        command.arg("--classpath").arg(self.library.path()).arg("--dependencies").arg(&self.junit);
        say(&mut command)
    }
}

/// Each test with the number of its calls, or the code of the reason why it has none.
fn outcomes(report: &Value) -> BTreeMap<String, Result<u64, String>> {
    let mut all = BTreeMap::new();
    for class in report["classes"].as_array().expect("classes") {
        for test in class["tests"].as_array().expect("tests") {
            let name =
                format!("{}#{}", class["name"].as_str().unwrap(), test["name"].as_str().unwrap());
            let outcome = match test["reason"]["code"].as_str() {
                Some(code) => Err(code.to_owned()),
                None => Ok(test["calls"].as_u64().expect("a number of calls")),
            };
            all.insert(name, outcome);
        }
    }
    all
}

#[test]
fn every_construct_is_converted_or_refused_with_its_reason() {
    let subject = Subject::new();
    let said = subject.canon(&["--all", "--json"]);
    assert_eq!(said.code(), 0, "{}", said.err);
    let refused = |code: &str| Err(code.to_owned());
    let expected = [
        ("DeckTest#loop", Ok(6)),
        ("DeckTest#branch", Ok(6)),
        ("DeckTest#arithmetic", Ok(8)),
        ("DeckTest#helper", Ok(7)),
        ("DeckTest#shared", Ok(5)),
        ("DeckTest#caught", Ok(5)),
        ("DeckTest#expected", Ok(4)),
        ("DeckTest#arrays", Ok(12)),
        ("DeckTest#varargs", Ok(8)),
        ("DeckTest#fields", Ok(18)),
        ("DeckTest#inner", Ok(4)),
        ("DeckTest#orderOfArguments", Ok(10)),
        ("DeckTest#longRun", Ok(902)),
        ("DeckTest$WhenFull#nested", Ok(6)),
        ("OldDeckTest#ends", Ok(5)),
        ("OldDeckTest#inherits", Ok(4)),
        ("DeckTest#lambda", refused("lambda")),
        ("DeckTest#anonymous", refused("anonymous-class")),
        ("DeckTest#hidden", refused("private-type")),
        ("DeckTest#setsStatic", refused("sets-static")),
        ("DeckTest#threads", refused("threads")),
        ("DeckTest#fails", refused("fails-here")),
        ("DeckTest#disabled", refused("disabled")),
        ("DeckTest#parameterized[1]", Ok(3)),
        ("DeckTest#parameterized[2]", Ok(3)),
        ("DeckTest#sourced[1]", Ok(7)),
        ("DeckTest#csv", refused("parameterized")),
    ];
    let expected: BTreeMap<_, _> =
        expected.into_iter().map(|(name, outcome)| (format!("shop.{name}"), outcome)).collect();
    assert_eq!(outcomes(&said.json()), expected);
}

#[test]
fn the_forms_of_a_test_are_those_of_the_proof() {
    let subject = Subject::new();
    let form = |number: &str| {
        let said = subject.canon(&["shop.DeckTest#arithmetic", "--form", number]);
        assert_eq!(said.code(), 0, "{}", said.err);
        said.out
    };
    let has = |text: &str, lines: &[&str]| {
        let mut rest = text.lines().map(str::trim);
        for line in lines {
            assert!(rest.any(|next| next == *line), "no `{line}` in its place:\n{text}");
        }
    };
    let first = form("1");
    let sums = ["int1 = deck0.size();", "int2 = int1 + 42;", "deck0.put(int2);"];
    has(&first, &sums);
    has(&first, &["sum0 = int1 + 42;", "sum1 = sum0 * 2;", "deck0.put(int3);", "held2 = true;"]);
    let second = form("2");
    has(&second, &["int1 = deck0.size();", "int2 = 43;", "deck0.put(int2);", "assert held0;"]);
    assert!(!second.contains(" + "), "{second}");
    let third = form("3");
    has(
        &third,
        &["int[] intPool = new int[4];", "intPool[2] = 43;", "intPool[1] = deckPool[0].size();"],
    );
    has(&third, &["deckPool[0].put(intPool[2]);", "assert booleanPool[0];"]);
    assert_eq!(third.matches("assert ").count(), 1, "{third}");
}

#[test]
fn a_converted_test_is_its_own_conversion() {
    let subject = Subject::new();
    let folder = tempfile::tempdir().unwrap();
    let written = folder.path().join("written");
    let all = ["--all", "--json", "--form", "1", "--form", "2", "--form", "3", "--out"];
    let arguments = [&all[..], &[written.to_str().unwrap()]].concat();
    let said = subject.canon(&arguments);
    assert_eq!(said.code(), 0, "{}", said.err);
    let converted = outcomes(&said.json());
    let files = java_files(&written);
    assert_eq!(files.len(), 9, "{files:?}");
    let home = toolchain::select(None, 17).expect("tests need a JDK").home;
    let path = [subject.library.path(), subject.tests.path()].map(|p| p.display().to_string());
    let path = format!("{}:{}", path.join(":"), subject.junit);
    let classes: PathBuf = testkit::compile(&home, &["-cp", &path], &files).keep();
    let again = subject.canon_of(&classes, &["--all", "--json"]);
    fs::remove_dir_all(&classes).unwrap();
    assert_eq!(again.code(), 0, "{}", again.err);
    let again = outcomes(&again.json());
    assert_eq!(again.len(), 3 * converted.values().filter(|outcome| outcome.is_ok()).count());
    for (name, outcome) in again {
        let number = name.find("Form").expect("a form") + 4;
        let original =
            name.replace(&name[number - 4..=number], "").replace("DeckTest_", "DeckTest$");
        // `name_1` is a run of a parameterized test.
        let original = match original.rsplit_once('_') {
            Some((name, run)) => format!("{name}[{run}]"),
            None => original,
        };
        if original.ends_with("#longRun") {
            // What does not fit into one method is in a private class.
            assert_eq!(outcome, Err("private-type".to_owned()), "{name}");
        } else {
            assert_eq!(outcome, converted[&original], "{name}");
        }
    }
}

#[test]
fn what_cannot_be_meant_is_bad_input() {
    let subject = Subject::new();
    let check = |arguments: &[&str], code: i32, part: &str| {
        let said = subject.canon(arguments);
        assert_eq!(said.code(), code, "{arguments:?}: {}", said.err);
        assert!(said.err.contains(part), "no `{part}` in: {}", said.err);
    };
    check(
        &["shop.DekTest"],
        2,
        "there is no test class `shop.DekTest`; did you mean shop.DeckTest",
    );
    check(&["shop.DeckTest#lop"], 2, "has no test `lop`; did you mean loop?");
    check(&["shop.DeckTest#lambda"], 1, "is not converted: it passes a lambda (lambda)");
    check(&["shop.DeckTest", "--form", "4"], 2, "invalid value '4'");
    check(&[], 2, "required");
    let said = say(testhound().args(["canon", "--all", "--test-classpath", "absent.jar"]));
    assert_eq!(said.code(), 2, "{}", said.err);
    assert!(said.err.contains("`absent.jar` does not exist"), "{}", said.err);
}

/// A class that only a text of a form that nobody guesses gets into.
const LOCK: &str = "package lock;
public class Lock {
    private final int[] code;
    private int at;
    public Lock(int... code) { this.code = code; }
    public static Lock of(String name) {
        if (!name.equals(new StringBuilder(\"emases\").append(\"nepo\").reverse().toString())) {
            throw new IllegalArgumentException();
        }
        return new Lock(81, 3, 7712);
    }
    public boolean turn(int to) { at = at < code.length && code[at] == to ? at + 1 : 0; return at > 0; }
    public String open() { return at == 3 ? \"open\" : \"shut\"; }
}";

const LOCK_TEST: &str = "package lock;
import org.junit.jupiter.api.Test;
class LockTest {
    @Test
    void opens() {
        Lock lock = Lock.of(\"opensesame\");
        for (int turn : new int[] {81, 3, 7712}) {
            lock.turn(turn);
        }
        lock.open();
    }
}";

#[test]
fn searches_begin_with_what_existing_tests_call() {
    let home = toolchain::select(None, 17).expect("tests need a JDK").home;
    let classes = testkit::compile_text(&home, &[], "Lock.java", LOCK);
    let junit = testkit::library("org.junit.jupiter:junit-jupiter-api:5.11.4");
    let path = format!("{}:{}", classes.path().display(), junit.display());
    let tests = testkit::compile_text(&home, &["-cp", &path], "LockTest.java", LOCK_TEST);
    let folder = tempfile::tempdir().unwrap();
    for strategy in ["guided", "pooled"] {
        let opens = |seeds: bool| {
            let out = folder.path().join(format!("{strategy}-{seeds}"));
            let mut command = testhound();
            command.args(["generate", "--steps", "500", "--strategy", strategy, "--json"]);
            command.arg("--classpath").arg(classes.path()).arg("--out").arg(&out);
            if seeds {
                command.arg("--seed-tests").arg(tests.path());
            }
            let said = say(&mut command);
            assert!(said.code() <= 1, "{}", said.err);
            let files = java_files(&out);
            files.iter().any(|file| fs::read_to_string(file).unwrap().contains("\"open\""))
        };
        assert!(!opens(false), "{strategy}: the search opens it by itself");
        assert!(opens(true), "{strategy}: the seed was of no use");
    }
}
