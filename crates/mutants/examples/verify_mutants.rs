//! Makes every mutant of every class of the given jars, and has HotSpot verify each.
//!
//! `cargo run --release -p mutants --example verify_mutants -- [--jdk HOME] [--with DEPENDENCY] [--per-class N] JAR...`
//! With `--per-class`, no more than so many mutants of a class are made, evenly chosen.
//! Ends with 1 if a mutant does not come to what its original does.

#[path = "../tests/it/harness/mod.rs"]
mod harness;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[expect(clippy::print_stdout, reason = "a command line program")]
fn main() -> ExitCode {
    let mut home = testkit::jdk_homes().pop();
    let mut dependencies = Vec::new();
    let mut wrong = 0;
    let mut per_class = usize::MAX;
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    while let Some(argument) = arguments.next() {
        if argument == Path::new("--jdk") {
            home = arguments.next();
            continue;
        }
        if argument == Path::new("--with") {
            dependencies.extend(arguments.next());
            continue;
        }
        if argument == Path::new("--per-class") {
            let number = arguments.next().and_then(|number| number.to_str()?.parse().ok());
            per_class = number.expect("a number after --per-class");
            continue;
        }
        let jdk = home.clone().expect("a JDK: give --jdk HOME");
        let paths = std::slice::from_ref(&argument);
        let report = harness::verify::verify(&jdk, paths, &dependencies, per_class);
        println!(
            "{}: {} classes, {} linked, {} mutants found ({:.0}/s), {} made ({:.0}/s), \
             {} wrong",
            argument.display(),
            report.classes,
            report.linked,
            report.found,
            report.found as f64 / report.finding,
            report.mutants,
            report.mutants as f64 / report.applying,
            report.wrong.len(),
        );
        for (operator, count) in &report.by_operator {
            println!("  {count:>7} {operator}");
        }
        for mutant in &report.wrong {
            println!("  wrong {mutant}");
        }
        wrong += report.wrong.len();
    }
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
