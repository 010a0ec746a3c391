//! Emitted suites under the real compiler and the real JUnit engines, confined to a folder.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use toolchain::{Maven, Transitive, resolve};

use crate::fixture::{Fixture, compile, java_files};
use crate::run::{Generated, Said, say, testhound};

/// The launcher with all engines, and JUnit 4 for its vintage engine.
pub fn jars() -> &'static [PathBuf] {
    static JARS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    JARS.get_or_init(|| {
        let maven = Maven::find(None).expect("tests need Maven");
        let coordinates =
            ["org.junit.platform:junit-platform-console-standalone:1.11.4", "junit:junit:4.13.2"];
        resolve(&maven, &coordinates, Transitive::Yes).expect("JUnit from Maven Central")
    })
}

/// What JUnit says of a suite.
pub struct Verdict {
    pub succeeded: u32,
    pub failed: u32,
    pub text: String,
}

/// Compiles the tests that were written for a fixture and runs them all.
pub fn run(fixture: &Fixture, generated: &Generated, settings: &[&str]) -> Verdict {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let jars: Vec<String> = jars().iter().map(|jar| jar.display().to_string()).collect();
    let class_path = format!("{}:{}", fixture.classes().display(), jars.join(":"));
    let tests = folder.path().join("tests");
    compile(&java_files(&generated.out()), &tests, &class_path);
    for place in ["tmp", "home"] {
        fs::create_dir(folder.path().join(place)).expect("a folder");
    }
    let jdk = toolchain::select(None, 17).expect("tests need a JDK");
    let mut command = testhound();
    command.arg("confined").arg("--write").arg(folder.path()).arg("--");
    command.arg(jdk.home.join("bin/java")).args(["-ea", "-XX:-UsePerfData"]);
    command.arg(format!("-Djava.io.tmpdir={}", folder.path().join("tmp").display()));
    command.arg(format!("-Duser.home={}", folder.path().join("home").display()));
    command.arg("-cp").arg(format!("{}:{class_path}", tests.display()));
    command.arg("org.junit.platform.console.ConsoleLauncher").arg("execute");
    command.args(["--disable-banner", "--disable-ansi-colors", "--details=tree"]);
    command.arg("--scan-class-path").arg(&tests);
    command.arg("--include-classname=.*");
    for setting in settings {
        command.arg("--config").arg(setting);
    }
    command.current_dir(folder.path());
    let said = say(&mut command);
    let left = crate::fixture::files_below(&folder.path().join("tmp"));
    assert!(left.is_empty(), "files were left behind: {left:?}");
    verdict(&said)
}

fn verdict(said: &Said) -> Verdict {
    let count = |what: &str| {
        let line = said.out.lines().find(|line| line.contains(&format!(" tests {what}")));
        let line =
            line.unwrap_or_else(|| panic!("no line `tests {what}`: {} {}", said.out, said.err));
        let digits: String = line.chars().filter(char::is_ascii_digit).collect();
        digits.parse().expect("a number of tests")
    };
    let (succeeded, failed) = (count("successful"), count("failed"));
    Verdict { succeeded, failed, text: said.out.clone() }
}

/// All tests pass, as many as the report says.
pub fn assert_green(fixture: &Fixture, generated: &Generated, settings: &[&str]) {
    let verdict = run(fixture, generated, settings);
    let report = generated.said.json();
    assert_eq!(verdict.failed, 0, "{}", verdict.text);
    assert!(verdict.succeeded > 0, "{}", verdict.text);
    assert_eq!(u64::from(verdict.succeeded), report["tests"].as_u64().expect("a number"));
}
