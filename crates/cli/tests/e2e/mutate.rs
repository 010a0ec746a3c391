//! `mutate`: what becomes of mutants, and of tests that cannot judge any.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;
use toolchain::JUnitConsole;

use crate::fixture::{compile, java_files, source_folder};
use crate::run::{Said, say, testhound};

/// The shop with its tests, for JUnit 5 and 4, compiled.
struct Shop {
    folder: TempDir,
}

impl Shop {
    fn compiled() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let shop = Self { folder };
        let console = JUnitConsole::find(&[]).expect("tests need JUnit");
        let jars: Vec<PathBuf> = console.first.into_iter().chain(console.last).collect();
        let junit: Vec<String> = jars.iter().map(|jar| jar.display().to_string()).collect();
        let sources = source_folder("mutate");
        compile(&java_files(&sources.join("main")), &shop.path("classes"), "");
        let class_path = format!("{}:{}", shop.path("classes").display(), junit.join(":"));
        for tests in ["test", "four"] {
            compile(&java_files(&sources.join(tests)), &shop.path(tests), &class_path);
        }
        fs::write(shop.path("where.txt"), "here").expect("a file");
        shop
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn mutate(&self, options: &[&str]) -> Said {
        let mut command = testhound();
        command.current_dir(self.folder.path());
        command.args(["mutate", "--classpath", "classes", "--test-classpath", "test:four"]);
        command.arg("--source").arg(source_folder("mutate/main"));
        say(command.args(options))
    }
}

/// Each mutant of a report by class and the text of its line, with its status; several of a line with
/// spaces between.
fn statuses(report: &Value) -> BTreeMap<(String, String), String> {
    let mut all: BTreeMap<(String, String), String> = BTreeMap::new();
    for (class, mutant) in mutants(report) {
        let source = mutant["source"].as_str().expect("a line of source").to_owned();
        let status = mutant["status"].as_str().expect("a status");
        let statuses = all.entry((class, source)).or_default();
        if !statuses.is_empty() {
            statuses.push(' ');
        }
        statuses.push_str(status);
    }
    all
}

fn mutants(report: &Value) -> impl Iterator<Item = (String, &Value)> {
    let classes = report["classes"].as_array().into_iter().flatten();
    classes.flat_map(|class| {
        let name = class["class"].as_str().expect("a name").to_owned();
        let mutants = class["mutants"].as_array().into_iter().flatten();
        mutants.map(move |mutant| (name.clone(), mutant))
    })
}

/// The mutant of a line.
fn mutant<'r>(report: &'r Value, source: &str) -> &'r Value {
    mutants(report)
        .map(|(_, mutant)| mutant)
        .find(|mutant| mutant["source"] == source)
        .unwrap_or_else(|| panic!("no mutant of `{source}` in {report}"))
}

#[test]
fn each_mutant_is_killed_or_survives_or_times_out_or_is_not_covered() {
    let shop = Shop::compiled();
    let said = shop.mutate(&["--operators", "MATH", "--json", "--jobs", "1"]);
    assert_eq!(said.code(), 0, "{}", said.err);
    let report = said.json();
    let expected = [
        ("shop.Till", "return a + b;", "killed"),
        ("shop.Till", "return a + nothing;", "survived"),
        ("shop.Till", "return a * 2;", "no-coverage"),
        ("shop.Till", "for (int left = from; left > 0; left = left - 1) {", "timed-out"),
        ("shop.Till", "Thread.sleep(millis / 3600);", "timed-out"),
        ("shop.Till", "if (amount + 1 <= 0) {", "killed"),
        ("shop.Till", "return a - 1;", "unjudged"),
        ("shop.Till", "return Integer.parseInt(\"not \" + (a + 1));", "survived"),
        ("shop.Prices", "private static final int BASE = Integer.parseInt(\"20\") * 2;", "killed"),
        (
            "shop.Prices",
            "private static final int HIDDEN = Integer.parseInt(\"7\") * 3;",
            "survived",
        ),
        ("shop.Prices", "cached = base() + 7;", "killed"),
        ("shop.Door", "open = open + 1;", "killed"),
        ("shop.Door", "open = open - 1;", "killed"),
        ("shop.Door", "return open + nobody;", "survived"),
    ];
    let expected: BTreeMap<_, _> = expected
        .iter()
        .map(|(class, line, status)| {
            (((*class).to_owned(), (*line).to_owned()), (*status).to_owned())
        })
        .collect();
    assert_eq!(statuses(&report), expected, "{report}");
    assert_eq!(report["killed"], 6, "{report}");
    assert_eq!(report["timed_out"], 2, "{report}");

    let added = mutant(&report, "return a + b;");
    assert_eq!(added["killed_by"], serde_json::json!(["shop.TillTest#adds(int, int, int)"]));
    assert!(added["why"].as_str().expect("a reason").contains("AssertionFailedError"), "{added}");
    assert_eq!(added["description"], "replaced `+` by `-` in `a + b`");
    assert_eq!(added["member"], "sum(int, int)");
    assert_eq!(added["line"], 7);
    let ended = mutant(&report, "if (amount + 1 <= 0) {");
    assert_eq!(ended["why"], "it tried to end the JVM", "{ended}");
    let four = mutant(&report, "open = open + 1;");
    let by = four["killed_by"][0].as_str().expect("a test");
    assert!(by.starts_with("shop.DoorTest#whoEntersLeaves["), "{four}");

    let excluded: BTreeMap<&str, &str> = report["tests"]["excluded"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|test| {
            let text = |key: &str| test[key].as_str().expect("a text");
            (text("test"), text("reason"))
        })
        .collect();
    let reasons = [
        ("shop.TillTest#failsAnyway", "it fails: org.opentest4j.AssertionFailedError"),
        ("shop.TillTest#flickers", "it flickers: it passed, and run once more it fails: "),
        ("shop.TillTest#isDisabled", "it is skipped"),
    ];
    assert_eq!(excluded.len(), reasons.len(), "{excluded:?}");
    for (test, reason) in reasons {
        assert!(excluded[test].starts_with(reason), "{excluded:?}");
    }
    assert!(!shop.path("written.txt").exists(), "a test wrote where it stands");
}

/// A report without what differs from run to run.
fn timeless(said: &Said) -> Value {
    let mut report = said.json();
    report.as_object_mut().expect("an object").remove("seconds");
    report
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let shop = Shop::compiled();
    let options = ["--operators", "MATH", "--all-kills", "--json", "--jobs"];
    let run = |jobs: &str| shop.mutate(&[&options[..], &[jobs]].concat());
    let (one, two) = (run("1"), run("2"));
    assert_eq!(timeless(&one), timeless(&two));
    // Both instances of the parameterized class kill it.
    let report = one.json();
    let killed = mutant(&report, "open = open + 1;");
    assert_eq!(killed["killed_by"].as_array().map(Vec::len), Some(2), "{killed}");
}

#[test]
fn survivors_are_shown_with_their_lines() {
    let shop = Shop::compiled();
    let said = shop.mutate(&["--operators", "MATH", "--class", "shop.Door", "--min-score", "70"]);
    assert_eq!(said.code(), 1, "two of three are killed: {}{}", said.out, said.err);
    for part in [
        "shop.Door: 2 of 3 killed\n     21  return open + nobody;\n         \
         replaced `+` by `-` in `open + nobody`, in inside(int): survives 2 tests\n",
        "tests that judge nothing, for without any mutant\n  shop.TillTest#failsAnyway: it fails: ",
        "\nmutation score 67 %: 2 of 3 mutants killed\n  1 survived: ",
    ] {
        assert!(said.out.contains(part), "no `{part}` in: {}", said.out);
    }
}

#[test]
fn classes_and_tests_can_be_chosen() {
    let shop = Shop::compiled();
    let options = ["--operators", "MATH", "--json", "--exclude", "*.Door", "--test-class"];
    let said = shop.mutate(&[&options[..], &["shop.PricesTest"]].concat());
    assert_eq!(said.code(), 0, "{}", said.err);
    let report = said.json();
    assert_eq!(report["tests"]["used"], 3, "{report}");
    let statuses = statuses(&report);
    assert!(statuses.keys().all(|(class, _)| class != "shop.Door"), "{statuses:?}");
    let of = |class: &str, line: &str| &*statuses[&(class.to_owned(), line.to_owned())];
    assert_eq!(of("shop.Till", "return a + b;"), "no-coverage");
    assert_eq!(of("shop.Prices", "cached = base() + 7;"), "killed");
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let shop = Shop::compiled();
    let refused = |options: &[&str], part: &str| {
        let said = shop.mutate(options);
        assert_eq!(said.code(), 2, "{options:?}: {}{}", said.out, said.err);
        assert!(said.err.contains(part), "no `{part}` in: {}", said.err);
    };
    refused(&["--operators", "MATHS"], "MATHS; there are default, paper, all and CONDITIONALS_");
    refused(&["--class", "shop.Til"], "did you mean shop.Till?");
    refused(&["--test-class", "shop.TilTest"], "there is no test class `shop.TilTest`");
    let said = say(testhound().args(["mutate", "--project", "absent"]));
    assert_eq!(said.code(), 2, "{}", said.err);
    assert!(said.err.contains("`absent` does not exist"), "{}", said.err);
}

/// A class with a test that always fails.
#[test]
fn a_suite_without_a_passing_test_judges_nothing() {
    let shop = Shop::compiled();
    fs::remove_dir_all(shop.path("four")).expect("classes");
    fs::remove_file(shop.path("test/shop/TillTest.class")).expect("a class");
    fs::remove_file(shop.path("test/shop/OrderTest.class")).expect("a class");
    fs::remove_file(shop.path("test/shop/PricesTest.class")).expect("a class");
    fs::create_dir(shop.path("four")).expect("a folder");
    let said = shop.mutate(&[]);
    assert_eq!(said.code(), 2, "{}{}", said.out, said.err);
    assert!(said.err.contains("no test passes without any mutant"), "{}", said.err);
}

#[test]
fn a_maven_project_is_built_and_judged_by_its_own_tests() {
    let project = crate::project::project("maven-junit5");
    let said = say(testhound().args(["mutate", "--json", "--project"]).arg(project.path()));
    assert_eq!(said.code(), 0, "{}", said.err);
    let report = said.json();
    assert!(report["killed"].as_u64().is_some_and(|killed| killed > 0), "{report}");
    let source = report["classes"][0]["source"].as_str().expect("a source");
    assert!(Path::new(source).is_file(), "{source}");
}
