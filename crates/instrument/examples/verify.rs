//! Has HotSpot verify every class of the given jars, plain and instrumented; of JDKs,
//! `java.base` as a whole.
//!
//! `cargo run --release -p instrument --example verify -- [--steps-only] [--jdk HOME] [--with DEPENDENCY] JAR...`
//! `cargo run --release -p instrument --example verify -- --jdk HOME --java-base`
//! Ends with 1 if the outcome of a class changed, or if fewer classes can be linked than must be for
//! that to say something: `--at-least PERCENT` of them. With `--control` nothing is inserted: what
//! changes then is the JVM's own doing.

#[path = "../tests/it/harness"]
mod harness {
    pub mod java;
    #[path = "../../../../classfile/tests/jdk/mod.rs"]
    pub mod jdk;
    #[path = "../../../../classfile/tests/sources/mod.rs"]
    pub mod sources;
    pub mod verify;
}

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use harness::verify::{Report, verify};
use instrument::Options;

#[expect(clippy::print_stdout, reason = "a command line program")]
fn main() -> ExitCode {
    let mut options = Options { coverage: true, steps: true, comparisons: true };
    let mut home = harness::jdk::jdk_homes().pop();
    let mut dependencies = Vec::new();
    let mut wrong = 0;
    let mut at_least = 0;
    let mut show = |path: &Path, report: Report, at_least: usize| {
        println!(
            "{}: {} classes, {} linked, {} methods, {} probes, {} skipped, {} wrong, {:.1} MB/s",
            path.display(),
            report.classes,
            report.linked,
            report.methods,
            report.probes,
            report.skipped.len(),
            report.mismatches.len(),
            report.bytes as f64 / 1e6 / report.seconds,
        );
        for skipped in &report.skipped {
            println!("  skipped {skipped}");
        }
        for mismatch in &report.mismatches {
            println!("  wrong {mismatch}");
        }
        wrong += report.mismatches.len();
        if report.classes == 0 || report.linked * 100 < at_least * report.classes {
            println!("  too few classes can be linked: {at_least} % are needed");
            wrong += 1;
        }
    };
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    while let Some(argument) = arguments.next() {
        let jdk = || home.clone().expect("a JDK: give --jdk HOME");
        if argument == Path::new("--steps-only") {
            options.coverage = false;
        } else if argument == Path::new("--control") {
            options = Options { coverage: false, steps: false, comparisons: false };
        } else if argument == Path::new("--jdk") {
            home = arguments.next();
        } else if argument == Path::new("--at-least") {
            let number = arguments.next().and_then(|number| number.to_str()?.parse().ok());
            at_least = number.expect("a number of percent after --at-least");
        } else if argument == Path::new("--with") {
            dependencies.extend(arguments.next());
        } else if argument == Path::new("--java-base") {
            let scratch = tempfile::tempdir().expect("a scratch directory");
            let base = harness::jdk::java_base(&jdk(), scratch.path());
            show(&base, verify(&jdk(), &base, &[], &options, true), at_least);
        } else {
            show(&argument, verify(&jdk(), &argument, &dependencies, &options, false), at_least);
        }
    }
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
