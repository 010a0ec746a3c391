//! Q8, Q15: every JDK on the machine that is supported, without a word of `-Xcheck:jni`; what else
//! calls into the JVM (mined texts, files, mocks, static fields) on one of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::fixture::{Fixture, files_below};
use crate::project::project;
use crate::run::{Generate, Said, say, testhound};

/// What the JVM says of calls that break JNI's rules.
const COMPLAINTS: [&str; 3] =
    ["WARNING in native method", "FATAL ERROR in native method", "WARNING: JNI local refs"];

/// Workers' logs go away with their folders; a second name for each keeps its text.
fn keep_logs(temporary: &Path, kept: &Path, over: &AtomicBool) {
    let mut seen = BTreeSet::new();
    while !over.load(Ordering::Acquire) {
        for file in files_below(temporary) {
            if file.ends_with("log") && !seen.contains(&file) {
                let link = kept.join(seen.len().to_string());
                if fs::hard_link(&file, link).is_ok() {
                    seen.insert(file);
                }
            }
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Runs `generate` with the checks on in all its workers, more than these, none of which complains.
fn check(generate: &mut Command, workers: usize) -> Said {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let kept = tempfile::tempdir().expect("a temporary folder");
    generate
        .args(["--jvm-arg", "-Xcheck:jni", "--jvm-arg", "-XX:+DisplayVMOutputToStderr"])
        // Says that the checks are on.
        .args(["--jvm-arg", "-Xlog:jni+resolve=debug:stderr"])
        .env("TMPDIR", temporary.path());
    let over = AtomicBool::new(false);
    let said = std::thread::scope(|scope| {
        scope.spawn(|| keep_logs(temporary.path(), kept.path(), &over));
        let said = say(generate);
        over.store(true, Ordering::Release);
        said
    });
    assert_eq!(said.code(), 0, "{}", said.err);
    let logs: Vec<String> = files_below(kept.path())
        .iter()
        .map(|log| String::from_utf8_lossy(&fs::read(log).expect("a log")).into_owned())
        .collect();
    let checked = logs.iter().filter(|log| log.contains("Checked JNI functions")).count();
    assert!(checked > workers, "checks were on in {checked} of {} workers", logs.len());
    for line in logs.iter().flat_map(|log| log.lines()) {
        assert!(!COMPLAINTS.iter().any(|c| line.contains(c)), "{line}");
    }
    said
}

#[test]
fn every_jdk_runs_without_a_complaint_of_checked_jni() {
    let fixture = Fixture::shared("library");
    let jdks: Vec<_> = toolchain::discover()
        .into_iter()
        .filter(|j| j.has_compiler && j.version.feature >= 17)
        .collect();
    assert!(!jdks.is_empty(), "tests need a JDK");
    for jdk in jdks {
        let mut generate = Generate::on(&fixture).with(["--jdk".as_ref(), jdk.home.as_os_str()]);
        let said = check(&mut generate.command, 5);
        let generated = generate.after(said);
        assert!(generated.class("library.Stack")["tests"].as_u64() > Some(0));
    }
}

#[test]
fn nothing_that_a_search_works_on_has_checked_jni_complain() {
    for (name, classes) in [
        ("detective", &["Boiler", "Orders", "Report"][..]),
        ("files", &["Notes", "Named"]),
        ("statics", &["Prefix", "Registry", "Switches"]),
    ] {
        let fixture = Fixture::shared(name);
        let classes =
            classes.iter().flat_map(|class| ["--class".into(), format!("{name}.{class}")]);
        let mut generate = Generate::plain(&fixture.classes())
            .with(["--steps", "600", "--json"])
            .with(classes.collect::<Vec<String>>());
        let said = check(&mut generate.command, 3);
        let report = said.json();
        assert!(report["tests"].as_u64() > Some(5), "{name}: {report:#}");
    }
}

#[test]
fn mocks_have_checked_jni_not_complain() {
    let project = project("maven-mockito4");
    let mut command = testhound();
    command.arg("generate").arg("--project").arg(project.path());
    let said = check(command.args(["--steps", "2000", "--json"]), 3);
    assert!(said.json()["tests"].as_u64() > Some(0), "{}", said.out);
    let file = project.path().join("src/test/java/org/example/mail/PostmanTest.java");
    let text = fs::read_to_string(file).expect("tests with mocks");
    assert!(text.contains("when(mailbox."), "{text}");
}
