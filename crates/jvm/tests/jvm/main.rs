//! The crate on real JVMs, with JNI's own checks on.
//!
//! A process can have one JVM in its life, so every case runs in a process of its own, on every
//! JDK of the machine: this program starts itself again with the case's name. A case fails if it
//! panics, and also if the JVM's checker (`-Xcheck:jni`) has anything to say of our JNI calls.

#![expect(clippy::print_stdout, reason = "a test program with its own main reports by printing")]

mod arrays;
mod calls;
mod child;
mod clock;
mod effects;
mod exceptions;
mod fixtures;
mod hooks;
mod looks;
mod mocks;
mod natives;
mod order;
mod redefined;
mod references;
mod services;
mod stopping;
mod strings;
mod thread;
mod values;

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use child::Child;
use toolchain::Jdk;

/// A case: its name, the arguments its JVM gets beyond the usual, what it does.
type Case = (&'static str, &'static [&'static str], fn(&Child));

/// A case that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(60);

/// All cases.
fn cases() -> Vec<Case> {
    [
        arrays::CASES,
        calls::CASES,
        clock::CASES,
        effects::CASES,
        exceptions::CASES,
        hooks::CASES,
        looks::CASES,
        mocks::CASES,
        natives::CASES,
        order::CASES,
        redefined::CASES,
        references::CASES,
        services::CASES,
        stopping::CASES,
        strings::CASES,
        thread::CASES,
        values::CASES,
    ]
    .concat()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("child") => {
            let [_, name, home, classes, temp] = &arguments[..] else { panic!("{arguments:?}") };
            let case = cases().into_iter().find(|case| case.0 == name).expect("a case's name");
            child::run(case, Path::new(home), Path::new(classes), Path::new(temp));
            // Not through `main`: that would wait for Java threads.
            std::process::exit(0)
        }
        Some("--list") => {
            cases().iter().for_each(|(name, ..)| println!("{name}: test"));
            ExitCode::SUCCESS
        }
        _ => run_all(&arguments),
    }
}

/// Runs every case on every JDK, as many at a time as there are cores.
fn run_all(arguments: &[String]) -> ExitCode {
    the_checker_is_heard();
    let filter = arguments.iter().find(|argument| !argument.starts_with('-'));
    let wanted = |name: &str| filter.is_none_or(|filter| name.contains(filter.as_str()));
    let jdks = fixtures::jdks();
    let classes = fixtures::compile(&jdks[0]);
    let cases = cases();
    let runs: Vec<(&Jdk, &Case)> = jdks
        .iter()
        .flat_map(|jdk| cases.iter().filter(|case| wanted(case.0)).map(move |case| (jdk, case)))
        .collect();
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(0);
    let work = || {
        while let Some((jdk, case)) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let said = start(jdk, case, classes.path());
            let mut failed = failed.lock().expect("nothing panics while it is held");
            let verdict = if said.is_ok() { "ok" } else { "FAILED" };
            println!("test {} (JDK {}) ... {verdict}", case.0, jdk.version.feature);
            if let Err(why) = said {
                println!("{why}");
                *failed += 1;
            }
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        (0..cores).for_each(|_| drop(scope.spawn(work)));
    });
    let failed = failed.into_inner().expect("nothing panics while it is held");
    println!("\n{} runs, {failed} failed", runs.len());
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs one case in a process of its own; what went wrong is the error.
fn start(jdk: &Jdk, case: &Case, classes: &Path) -> Result<(), String> {
    let temp = tempfile::tempdir().expect("a temporary directory");
    let this = std::env::current_exe().expect("this program");
    let log = temp.path().join("log");
    let file = std::fs::File::create(&log).expect("a file in a new folder");
    let mut child = Command::new(this)
        .args(["child", case.0])
        .args([jdk.home.as_path(), classes, temp.path()])
        .env("RUST_BACKTRACE", "1")
        .current_dir(temp.path())
        .stdin(Stdio::null())
        .stdout(file.try_clone().expect("an open file"))
        .stderr(file)
        .spawn()
        .expect("this program can be started");
    let started = Instant::now();
    let status = loop {
        match child.try_wait().expect("our own child") {
            Some(status) => break status,
            None if started.elapsed() < LIMIT => std::thread::sleep(Duration::from_millis(5)),
            None => {
                child.kill().expect("our own child");
                break child.wait().expect("our own child");
            }
        }
    };
    let said = String::from_utf8_lossy(&std::fs::read(&log).expect("its log")).into_owned();
    if !status.success() {
        return Err(format!("{status}\n{said}"));
    }
    complaint(&said).map_or(Ok(()), |line| Err(format!("{line}\n{said}")))
}

/// What the JVM says about our use of JNI, if it says anything.
fn complaint(said: &str) -> Option<&str> {
    said.lines().find(|line| {
        ["WARNING in native method", "FATAL ERROR in native method", "WARNING: JNI"]
            .iter()
            .any(|start| line.starts_with(start))
    })
}

/// The sentences HotSpot's checker uses are recognized.
fn the_checker_is_heard() {
    for line in [
        "FATAL ERROR in native method: Null object passed to JNI",
        "WARNING in native method: JNI call made without checking exceptions when required to",
        "WARNING: JNI local refs: 65, exceeds capacity: 64",
    ] {
        assert_eq!(complaint(&format!("before\n{line}\nafter")), Some(line));
    }
    assert_eq!(complaint("a test that says WARNING in native method"), None);
}
