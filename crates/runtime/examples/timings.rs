//! Prints what the warm compiler and test runner cost, on every JDK of this machine.
//!
//! `cargo run -p runtime --example timings [class path of JUnit 5 [option of the JVM...]]`; without
//! a class path, or with an empty one, the stand-in is used.

#[expect(dead_code, reason = "the build script and the tests use all of it")]
#[path = "../build/jdk.rs"]
mod jdk;

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program whose output is numbers")]
fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match timings(arguments.next().unwrap_or_default(), arguments.collect()) {
        Ok(lines) => {
            print!("{lines}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn timings(junit: String, options: Vec<String>) -> Result<String, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let [boot, service, standin] = ["boot", "service", "standin"].map(|n| folder.path().join(n));
    write_classes(&boot, runtime::boot_classes())?;
    write_classes(&service, runtime::service_classes())?;
    write_classes(&standin, runtime::standin_classes())?;
    let junit = if junit.is_empty() { standin.display().to_string() } else { junit };
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/Timings.java");
    let mut lines = String::new();
    for home in jdk::homes() {
        let output = Command::new(home.join("bin/java"))
            .args(&options)
            .arg("--patch-module")
            .arg(format!("java.base={}", boot.display()))
            .arg("-cp")
            .arg(&service)
            .arg(&driver)
            .arg(&junit)
            .arg(folder.path().join("output"))
            .output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        lines += &String::from_utf8(output.stdout)?;
    }
    Ok(lines)
}

fn write_classes(folder: &Path, classes: &[(&str, &[u8])]) -> Result<(), Box<dyn Error>> {
    for (name, bytes) in classes {
        let file = folder.join(format!("{name}.class"));
        fs::create_dir_all(file.parent().ok_or("no folder")?)?;
        fs::write(file, bytes)?;
    }
    Ok(())
}
