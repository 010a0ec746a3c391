//! What a checked call costs, beside a twin with the same checks written by hand.
//!
//! `cargo bench -p contracts`: both take turns in one JVM, so that a busy machine slows both; the
//! best of twelve rounds counts.

use std::path::Path;
use std::process::Command;

use contracts::weave::{NoSupertypes, Options};

#[expect(clippy::print_stdout, reason = "a benchmark prints its result")]
fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (source, _) = contracts::parse("Checked.java", include_str!("java/Checked.java"));
    let sources = [source];
    let weaving = contracts::weave(&sources, &NoSupertypes, &Options::default());
    assert!(weaving.skipped.is_empty(), "{:?}", weaving.skipped);
    std::fs::write(folder.path().join("Checked.java"), &weaving.files[0].text).expect("a file");
    for (name, text) in [
        ("Written.java", include_str!("java/Written.java")),
        ("Bench.java", include_str!("java/Bench.java")),
    ] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let part = root.join("../../runtime/contracts/testhound/contracts");
    let mut files = vec!["Checked.java".into(), "Written.java".into(), "Bench.java".into()];
    for entry in std::fs::read_dir(part).expect("the run-time part") {
        files.push(entry.expect("an entry of it").path());
    }
    let output = Command::new(tool("javac"))
        .args(["-nowarn", "-Xlint:none", "-d", "."])
        .args(files)
        .current_dir(folder.path())
        .output()
        .expect("javac runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(tool("java"))
        .args(["-cp", ".", "Bench"])
        .current_dir(folder.path())
        .output()
        .expect("java runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    let times: Vec<f64> = text.split_whitespace().filter_map(|n| n.parse().ok()).collect();
    let [checked, written, infeasible, by_hand] = times[..] else { panic!("{text}") };
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

/// A tool of the JDK in `JAVA_HOME`, else of the one on `PATH`.
fn tool(name: &str) -> std::path::PathBuf {
    match std::env::var_os("JAVA_HOME") {
        Some(home) if Path::new(&home).join("bin/javac").is_file() => {
            Path::new(&home).join("bin").join(name)
        }
        _ => name.into(),
    }
}
