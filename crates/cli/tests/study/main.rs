//! The studies in their short forms, as the program runs them: real libraries, Maven, JaCoCo, PIT.

mod guided;
mod libraries;
mod regressions;

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// `testhound study` with these arguments, a folder and `--json`, not run yet.
fn command(arguments: &[&str], out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_testhound"));
    command.arg("study").args(arguments).args(["--json", "--out"]).arg(out);
    command
}

/// What a study found, and what it said meanwhile; it must call its suites clean.
fn study(arguments: &[&str], out: &Path) -> (Value, String) {
    let output = command(arguments, out).output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let result = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("no JSON ({error}), {}: {said}", output.status));
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "not clean: {text}\n{said}");
    (result, said)
}
