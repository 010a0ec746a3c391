//! What plain random testing, the six published components, and all components together cover of
//! small hard classes (requirements G15, G19).
//!
//! `cargo bench -p testhound --bench hard`: two seconds of search a class, one class at a time, the
//! mean of several seeds, counted after all checks. The classes are fixtures of ours, so this shows
//! what each part is for; how far it carries on code of others is what `testhound study` measures.

#![expect(clippy::print_stdout, reason = "a benchmark prints its result")]

use std::path::{Path, PathBuf};
use std::process::Command;

use search::Component;
use serde_json::Value;
use tempfile::TempDir;

const SEEDS: [u32; 3] = [1, 2, 3];
const SECONDS: &str = "2";
/// The published ones (G4 to G9).
const SIX: [Component; 6] = [
    Component::Constants,
    Component::Impurity,
    Component::Elephant,
    Component::Detective,
    Component::Orienteering,
    Component::Bloodhound,
];

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/hard");
    let entries = std::fs::read_dir(&folder).expect("the fixtures are there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let home = testkit::jdk_homes().remove(0);
    let classes = testkit::compile(&home, &["-g", "-parameters"], &files);
    let choices = [&[][..], &SIX, &Component::ALL];
    println!("branches covered in {SECONDS} s, mean of {} seeds", SEEDS.len());
    println!("{:<14} {:>6} {:>6} {:>6} {:>6}", "class", "plain", "six", "all", "of");
    let mut sums = [0.0; 4];
    for file in &files {
        let name = file.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let measured = choices.map(|on| mean(&home, classes.path(), name, on));
        if measured[0].1 == 0.0 {
            // It only serves another class.
            continue;
        }
        let [plain, six, all] = measured.map(|(covered, _)| covered);
        let row = [plain, six, all, measured[0].1];
        sums.iter_mut().zip(row).for_each(|(sum, figure)| *sum += figure);
        print(name, row);
    }
    print("all classes", sums);
}

fn print(name: &str, [plain, six, all, total]: [f64; 4]) {
    println!("{name:<14} {plain:>6.1} {six:>6.1} {all:>6.1} {total:>6.0}");
}

/// Branches covered and all there are, with just these components.
fn mean(home: &Path, classes: &Path, name: &str, on: &[Component]) -> (f64, f64) {
    let figures = SEEDS.map(|seed| generate(home, classes, name, on, seed));
    let mean =
        |of: fn(&(f64, f64)) -> f64| figures.iter().map(of).sum::<f64>() / SEEDS.len() as f64;
    (mean(|figures| figures.0), mean(|figures| figures.1))
}

fn generate(home: &Path, classes: &Path, name: &str, on: &[Component], seed: u32) -> (f64, f64) {
    let out = TempDir::new().expect("a temporary folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_testhound"));
    command.args(["generate", "--json", "--time-per-class", SECONDS, "--jobs", "1"]);
    command.arg("--jdk").arg(home).arg("--classpath").arg(classes).arg("--out").arg(out.path());
    command.args(["--class", &format!("hard.{name}"), "--seed", &seed.to_string()]);
    for component in Component::ALL.iter().filter(|component| !on.contains(component)) {
        command.args(["--without", component.name()]);
    }
    let output = command.output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{said}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    let count = |key: &str| report["branches"][key].as_f64().expect("a number");
    (count("covered"), count("total"))
}
