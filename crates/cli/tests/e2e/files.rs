//! G7, Q4, Q17: files that a test needs are in a temporary folder of its own, and what leaves that
//! folder is in no test.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::fixture::Fixture;
use crate::junit::assert_green;
use crate::run::{Generate, Generated};

fn generate(class: &str, more: &[&str]) -> Generated {
    let fixture = Fixture::shared("files");
    Generate::plain(&fixture.classes())
        .with(["--class", class, "--steps", "8000", "--json"])
        .with(more.iter().copied())
        .run()
}

fn covered(generated: &Generated) -> (u64, u64) {
    let branches = &generated.said.json()["branches"];
    let number = |key: &str| branches[key].as_u64().expect("a number");
    (number("covered"), number("total"))
}

#[test]
fn code_that_works_on_files_is_tested_in_a_temporary_folder() {
    let with = generate("files.Notes", &[]);
    let without = generate("files.Notes", &["--without", "files"]);
    let ((covered, total), (less, _)) = (covered(&with), covered(&without));
    assert!(covered * 100 >= total * 80, "{covered} of {total}\n{}", with.sources());
    assert!(less * 4 < covered, "{less} without files, {covered} with them");
    let text = with.sources();
    for expected in [
        "    @TempDir\n    Path folder;\n",
        "Files.writeString(folder.resolve(\"",
        "assertEquals(\"ABC\", Files.readString(",
        "folder.resolve(\"missing.txt\")",
        "Notes.deleteTree(",
    ] {
        assert!(text.contains(expected), "no {expected} in\n{text}");
    }
    assert!(!text.contains("/proc/self"), "{text}");
    assert!(!without.sources().contains("TempDir"), "files without files");
    assert_green(&Fixture::shared("files"), &with, &[]);
}

#[test]
fn files_that_are_taken_by_name_are_in_the_temporary_folder_too() {
    for junit in ["5", "4"] {
        let generated = generate("files.Named", &["--junit", junit]);
        let (covered, total) = covered(&generated);
        let text = generated.sources();
        assert!(covered + 2 >= total, "{covered} of {total}\n{text}");
        for expected in [".toString()", "Named.append(", "assertTrue(Named.isClassFile("] {
            assert!(text.contains(expected), "no {expected} in\n{text}");
        }
        assert!(
            text.contains("Files.readString(Path.of("),
            "what is written is asked for:\n{text}"
        );
        assert!(!text.contains("/proc/self"), "{text}");
        assert_green(&Fixture::shared("files"), &generated, &[]);
    }
}

#[test]
fn the_same_tests_are_written_for_junit_4() {
    let generated = generate("files.Notes", &["--junit", "4"]);
    let text = generated.sources();
    assert!(
        text.contains("    @Rule\n    public TemporaryFolder folder = new TemporaryFolder();\n"),
        "{text}"
    );
    assert!(text.contains("Files.writeString(folder.getRoot().toPath().resolve("), "{text}");
    assert_green(&Fixture::shared("files"), &generated, &[]);
}

/// JUnit 4 as folders, without its temporary folders.
fn old_junit(folder: &Path) -> String {
    let jdk = toolchain::select(None, 17).expect("tests need a JDK");
    for jar in crate::junit::jars() {
        let name = jar.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with("junit-4") || name.starts_with("hamcrest") {
            let mut unpack = Command::new(jdk.home.join("bin/jar"));
            let status = unpack.arg("xf").arg(jar).current_dir(folder).status();
            assert!(status.expect("jar can be started").success());
        }
    }
    let rule = folder.join("org/junit/rules/TemporaryFolder.class");
    std::fs::remove_file(rule).expect("a class of JUnit 4");
    folder.display().to_string()
}

#[test]
fn who_has_no_temporary_folders_is_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let junit = old_junit(folder.path());
    let old = ["--junit", "4", "--junit-jars", &junit];
    let warnings = generate("files.Notes", &old).said.json()["warnings"].to_string();
    let told = "files.Notes: what takes files is tested without any";
    assert!(warnings.contains(told), "{warnings}");
    let asked_for = [&old[..], &["--without", "files"]].concat();
    assert_eq!(generate("files.Notes", &asked_for).said.json()["warnings"], serde_json::json!([]));
}

#[test]
fn the_same_files_lead_to_the_same_tests_with_any_number_of_jobs() {
    let fixture = Fixture::shared("files");
    let written = |jobs: &str| {
        let generate = Generate::plain(&fixture.classes());
        generate.with(["--steps", "4000", "--jobs", jobs, "--json"]).run().sources()
    };
    let once = written("1");
    assert!(once.contains("@TempDir"), "{once}");
    assert_eq!(once, written("1"));
    assert_eq!(once, written("2"));
}

/// The lines in which a method of the class is called with what is no `null`.
fn calls<'t>(text: &'t str, method: &str) -> Vec<&'t str> {
    let is_call = |line: &&str| line.contains(&format!("{method}(")) && !line.contains("null");
    text.lines().filter(|line| !line.contains("void ")).filter(is_call).collect()
}

#[test]
fn what_is_true_of_a_file_here_and_now_is_in_no_test() {
    let generated = generate("files.Facts", &[]);
    let text = generated.sources();
    for method in ["owner", "permissions", "creation", "access"] {
        let asserted: Vec<&str> = calls(&text, &format!("Facts.{method}"))
            .into_iter()
            .filter(|line| !line.contains("assertThrows") && !line.contains("missing.txt"))
            .collect();
        assert_eq!(asserted, [] as [&str; 0], "{text}");
        let reasons = generated.reasons("files.Facts", method);
        // The search is told another owner and time than any check.
        let codes = ["environment-dependent: ", "not-reproducible: "];
        let is_told = |reason: &String| codes.iter().any(|code| reason.starts_with(code));
        let is_tested = text.contains(&format!("Facts.{method}("));
        assert!(is_tested || reasons.iter().any(is_told), "{method}: {reasons:?}\n{text}");
    }
    for method in ["sizeOfFolder", "sizeOfPath"] {
        for line in calls(&text, &format!("Facts.{method}")) {
            assert!(line.contains("-1") || line.contains("assertThrows"), "{line} in\n{text}");
        }
    }
    assert!(!text.contains("assertTrue(Facts.isNewer("), "{text}");
    assert_green(&Fixture::shared("files"), &generated, &[]);
}

/// A run in which no process may have more files open than many systems allow.
fn with_few_open_files(fixture: &Fixture, more: &[&str]) -> Generated {
    let mut generate = Generate::plain(&fixture.classes()).with(more.iter().copied());
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -n 1024 && exec \"$0\" \"$@\""]);
    limited.arg(generate.command.get_program()).args(generate.command.get_args());
    limited.current_dir(generate.command.get_current_dir().expect("a folder"));
    generate.command = limited;
    generate.run()
}

#[test]
fn a_class_that_closes_nothing_is_searched_all_the_same() {
    let fixture = Fixture::shared("files");
    let run = || {
        let options = ["--class", "files.Careless", "--steps", "5000", "--json"];
        with_few_open_files(&fixture, &options)
    };
    let generated = run();
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    let class = generated.class("files.Careless");
    assert!(!class.to_string().contains("gave up"), "{class:#}");
    assert!(class["calls"].as_u64() >= Some(5000), "{class:#}");
    let text = generated.sources();
    for method in ["firstByte", "lastByte", "startsWith"] {
        assert!(text.contains(&format!("Careless.{method}(")), "{text}");
    }
    assert!(!text.contains("Careless.remove(folder)"), "the folder stays: {text}");
    // Where the folder is in truth is another place in every run, which no search sees: not even
    // tests that did not survive, whose names say what was found.
    let again = run();
    assert_eq!(text, again.sources());
    let dropped = |class: &Value| -> Vec<String> {
        let notes = class["notes"].as_array().expect("a list").iter().filter_map(Value::as_str);
        notes.map(|note| note.split(' ').next().unwrap_or_default().to_owned()).collect()
    };
    let found = dropped(&class);
    assert!(found.iter().any(|name| name.starts_with("place_")), "{class:#}");
    assert_eq!(found, dropped(&again.class("files.Careless")));
    assert_green(&fixture, &generated, &[]);
}

#[test]
fn what_leaves_the_folder_of_its_test_is_in_no_test() {
    let generated = generate("files.Strays", &[]);
    let text = generated.sources();
    // A name that is written down is none of the folder's.
    assert!(!text.contains("Strays.byName(\""), "{text}");
    for method in ["up", "dots", "link", "lock", "elsewhere"] {
        let is_called = text.lines().any(|line| {
            line.contains(&format!("Strays.{method}(")) && !line.contains("NullPointerException")
        });
        assert!(!is_called, "{method} in\n{text}");
    }
}
