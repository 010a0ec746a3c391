//! G7, Q4, Q17: files that a test needs are in a temporary folder of its own, and what leaves that
//! folder is in no test.

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
        "Files.writeString(folder.resolve(\"a.txt\"), ",
        "assertEquals(\"A\", Files.readString(",
        "() -> Notes.firstLine(folder.resolve(\"missing.txt\").toFile())",
        "Notes.deleteTree(",
    ] {
        assert!(text.contains(expected), "no {expected} in\n{text}");
    }
    assert!(!text.contains("/proc/self"), "{text}");
    assert!(!without.sources().contains("TempDir"), "files without files");
    assert_green(&Fixture::shared("files"), &with, &[]);
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

#[test]
fn what_leaves_the_folder_of_its_test_is_in_no_test() {
    let generated = generate("files.Strays", &[]);
    let text = generated.sources();
    for method in ["up", "dots", "byName", "link", "lock", "elsewhere"] {
        let is_called = text.lines().any(|line| {
            line.contains(&format!("Strays.{method}(")) && !line.contains("NullPointerException")
        });
        assert!(!is_called, "{method} in\n{text}");
    }
}
