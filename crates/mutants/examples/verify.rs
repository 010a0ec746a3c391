//! Makes every mutant of every class of the given jars, and has HotSpot verify each.
//!
//! `cargo run --release -p mutants --example verify -- [--jdk HOME] [--with DEPENDENCY] JAR...`
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
        let jdk = home.clone().expect("a JDK: give --jdk HOME");
        let report = harness::verify::verify(&jdk, std::slice::from_ref(&argument), &dependencies);
        println!(
            "{}: {} classes, {} linked, {} mutants, {} wrong; found {:.0} mutants/s, applied {:.0}/s",
            argument.display(),
            report.classes,
            report.linked,
            report.mutants,
            report.wrong.len(),
            report.mutants as f64 / report.finding,
            report.mutants as f64 / report.applying,
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
