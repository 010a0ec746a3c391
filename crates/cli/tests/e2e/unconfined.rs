//! Q4: `--no-sandbox` lets effects happen; they are told, and are in no test, as with the sandbox.
//!
//! The program is confined as a whole, to folders of the test: code under test has no way out of
//! them, whatever becomes of the option.

use std::fs;

use crate::fixture::Fixture;
use crate::run::{Generate, Generated, STEPS, say, testhound};

/// Has tests written for `unconfined.Diary`; says whether it wrote its file meanwhile.
fn diary(options: &[&str]) -> (Generated, bool) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [of_class, temporary] = ["class", "tmp"].map(|name| folder.path().join(name));
    fs::create_dir(&of_class).expect("a folder");
    fs::create_dir(&temporary).expect("a folder");
    let path = of_class.display().to_string();
    let fixture = Fixture::filled_in("unconfined", &[("@FOLDER@", &path)]);
    let generate = Generate::plain(&fixture.classes());
    let mut command = testhound();
    command.arg("confined").arg("--write").arg(folder.path());
    command.arg("--write").arg(generate.out().parent().expect("a folder around it"));
    command.arg("--").arg(generate.command.get_program()).args(generate.command.get_args());
    // What is studied of the JDK goes to the user's cache.
    command.args(["--steps", STEPS, "--json", "--without", "impurity"]).args(options);
    command.env("TMPDIR", &temporary);
    let said = say(&mut command);
    let generated = generate.after(said);
    let written = fs::read_to_string(of_class.join("diary.txt"));
    assert!(written.as_ref().map_or(true, |text| text == "dear diary"), "{written:?}");
    (generated, written.is_ok())
}

fn check_told(generated: &Generated) {
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    let source = generated.sources();
    assert!(source.contains(".doubled()"), "the good method has no test:\n{source}");
    assert!(!source.contains(".write()"), "write is in a test:\n{source}");
    let reasons = generated.reasons("unconfined.Diary", "write");
    let [reason] = &reasons[..] else { panic!("{reasons:?}") };
    assert!(reason.starts_with("unsafe-effect: wrote a file"), "{reason}");
}

#[test]
fn without_the_sandbox_effects_happen_and_are_in_no_test_either() {
    let (generated, is_written) = diary(&["--no-sandbox"]);
    check_told(&generated);
    assert!(is_written, "it was confined all the same");
}

#[test]
fn with_the_sandbox_the_same_effects_do_not_happen() {
    let (generated, is_written) = diary(&[]);
    check_told(&generated);
    assert!(!is_written, "it was not confined");
}
