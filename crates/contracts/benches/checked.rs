//! What a checked call costs: beside a twin with the same checks written by hand, and, of the classes of the
//! study (J6), beside the same call without checks.
//!
//! `cargo bench -p contracts`. Twins take turns in one JVM; the classes of the study run in one JVM with
//! checks and in one without. The processor time of the thread that calls counts, of the best of
//! twelve rounds, so that a busy machine disturbs it little.

use std::path::{Path, PathBuf};
use std::process::Command;

use contracts::weave::{NoSupertypes, Options};

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    twins(folder.path());
    study(folder.path());
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its result")]
fn twins(folder: &Path) {
    let folder = made(&folder.join("twins"));
    let subject = [("Checked.java".to_owned(), include_str!("java/Checked.java").to_owned())];
    let mut files = woven(&subject);
    files.push(("Written.java".to_owned(), include_str!("java/Written.java").to_owned()));
    files.push(("Bench.java".to_owned(), include_str!("java/Bench.java").to_owned()));
    compile(&folder, &files, true);
    let times = run(&folder, "Bench");
    let [checked, written, infeasible, by_hand] = times[..] else { panic!("{times:?}") };
    println!(
        "checked call      {checked:6.2} ns, by hand {written:6.2} ns: {:.2}×",
        checked / written
    );
    println!(
        "infeasible call   {infeasible:6.2} ns, by hand {by_hand:6.2} ns: {:.2}×; \
         beside a feasible one: {:.2}×",
        infeasible / by_hand,
        infeasible / checked
    );
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its result")]
fn study(folder: &Path) {
    let subjects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../study/subjects/jet");
    let mut plain = Vec::new();
    for path in files_of(&subjects) {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a source");
        plain.push((format!("jet/{name}"), text));
    }
    let mut checked = woven(&plain);
    let driver = ("Study.java".to_owned(), include_str!("java/Study.java").to_owned());
    plain.push(driver.clone());
    checked.push(driver);
    let [with, without] = [(checked, "checked"), (plain, "plain")].map(|(files, name)| {
        let folder = made(&folder.join(name));
        compile(&folder, &files, name == "checked");
        run(&folder, "Study")
    });
    let names = ["Stack", "Digraph", "Node", "Proof", "Account"];
    assert_eq!((with.len(), without.len()), (names.len(), names.len()));
    for (name, (with, without)) in names.iter().zip(with.iter().zip(&without)) {
        println!(
            "{name:8} checked {with:8.2} ns, unchecked {without:7.2} ns: {:6.1}×",
            with / without
        );
    }
}

/// Sources with their checks; all clauses are checked.
fn woven(files: &[(String, String)]) -> Vec<(String, String)> {
    let sources: Vec<contracts::Source> =
        files.iter().map(|(name, text)| contracts::parse(name, text).0).collect();
    let weaving = contracts::weave(&sources, &NoSupertypes, &Options::default());
    assert!(weaving.skipped.is_empty(), "{:?}", weaving.skipped);
    let mut all = files.to_vec();
    for file in weaving.files {
        let at = all.iter_mut().find(|(name, _)| *name == file.name).expect("one of them");
        at.1 = file.text;
    }
    all
}

fn compile(folder: &Path, files: &[(String, String)], with_run_time_part: bool) {
    let mut paths = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        made(path.parent().expect("a folder"));
        std::fs::write(&path, text).expect("a file");
        paths.push(path);
    }
    if with_run_time_part {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        paths.extend(files_of(&root.join("../../runtime/contracts/testhound/contracts")));
    }
    let output = Command::new(tool("javac"))
        .args(["-nowarn", "-Xlint:none", "-d", "."])
        .args(paths)
        .current_dir(folder)
        .output()
        .expect("javac runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The numbers that a class prints.
fn run(folder: &Path, class: &str) -> Vec<f64> {
    let output = Command::new(tool("java"))
        .args(["-cp", ".", class])
        .current_dir(folder)
        .output()
        .expect("java runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    text.split_whitespace().map(|number| number.parse().expect("a number")).collect()
}

fn made(folder: &Path) -> PathBuf {
    std::fs::create_dir_all(folder).expect("a folder");
    folder.to_owned()
}

fn files_of(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

/// A tool of the JDK in `JAVA_HOME`, else of the one on `PATH`.
fn tool(name: &str) -> PathBuf {
    match std::env::var_os("JAVA_HOME") {
        Some(home) if Path::new(&home).join("bin/javac").is_file() => {
            Path::new(&home).join("bin").join(name)
        }
        _ => name.into(),
    }
}
