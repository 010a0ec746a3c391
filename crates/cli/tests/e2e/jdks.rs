//! Q8, Q15: every JDK on the machine that is supported, without a word of `-Xcheck:jni`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::fixture::{Fixture, files_below};
use crate::run::Generate;

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

#[test]
fn every_jdk_runs_without_a_complaint_of_checked_jni() {
    let fixture = Fixture::shared("library");
    let jdks: Vec<_> = toolchain::discover()
        .into_iter()
        .filter(|j| j.has_compiler && j.version.feature >= 17)
        .collect();
    assert!(!jdks.is_empty(), "tests need a JDK");
    for jdk in jdks {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let kept = tempfile::tempdir().expect("a temporary folder");
        let generate = Generate::on(&fixture)
            .with(["--jdk".as_ref(), jdk.home.as_os_str()])
            .with(["--jvm-arg", "-Xcheck:jni", "--jvm-arg", "-XX:+DisplayVMOutputToStderr"])
            // Says that the checks are on.
            .with(["--jvm-arg", "-Xlog:jni+resolve=debug:stderr"])
            .env("TMPDIR", temporary.path());
        let over = AtomicBool::new(false);
        let generated = std::thread::scope(|scope| {
            scope.spawn(|| keep_logs(temporary.path(), kept.path(), &over));
            let generated = generate.run();
            over.store(true, Ordering::Release);
            generated
        });
        assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
        assert!(generated.class("library.Stack")["tests"].as_u64() > Some(0));
        let logs: Vec<String> = files_below(kept.path())
            .iter()
            .map(|log| String::from_utf8_lossy(&fs::read(log).expect("a log")).into_owned())
            .collect();
        let checked = logs.iter().filter(|log| log.contains("Checked JNI functions")).count();
        assert!(checked > 5, "checks were on in {checked} of {} workers", logs.len());
        for line in logs.iter().flat_map(|log| log.lines()) {
            assert!(!COMPLAINTS.iter().any(|c| line.contains(c)), "{line}");
        }
    }
}
