//! How soon a worker is ready, what search costs beside the calls it makes (requirement Q9), and how
//! much memory a long one takes (Q12).
//!
//! `cargo bench -p worker`: every measurement is made in a confined process of its own, as the
//! product has it; this program starts itself again. Times of search and calls are processor time
//! and their ratio is of one process, so that a busy machine slows both.

#![expect(clippy::print_stdout, reason = "a benchmark prints its result")]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use analysis::Summaries;
use classpath::JdkImage;
use toolchain::{Jdk, Maven, Transitive};
use worker::{Launcher, Scratch, Subject, Supervisor};

/// Workers started one after the other.
const STARTS: usize = 15;
/// Calls of a search.
const CALLS: u64 = 1_000_000;
/// Calls of a long search after which its memory is looked at.
const MARKS: [u64; 4] = [1_000_000, 4_000_000, 16_000_000, 64_000_000];
/// Subjects whose searches are made long.
const LONG: [usize; 2] = [0, 4];
/// What is searched: some of each library, from plain arithmetic to much parsing.
const SUBJECTS: [(&str, &str); 8] = [
    ("org.apache.commons:commons-lang3:3.14.0", "org/apache/commons/lang3/math/Fraction"),
    ("org.apache.commons:commons-lang3:3.14.0", "org/apache/commons/lang3/StringUtils"),
    ("org.apache.commons:commons-lang3:3.14.0", "org/apache/commons/lang3/CharRange"),
    ("org.apache.commons:commons-lang3:3.14.0", "org/apache/commons/lang3/mutable/MutableInt"),
    ("org.apache.commons:commons-lang3:3.14.0", "org/apache/commons/lang3/BitField"),
    ("commons-codec:commons-codec:1.17.1", "org/apache/commons/codec/binary/Hex"),
    ("commons-codec:commons-codec:1.17.1", "org/apache/commons/codec/language/Soundex"),
    ("commons-codec:commons-codec:1.17.1", "org/apache/commons/codec/binary/Base64"),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["worker"] => return worker::worker_main(),
        ["phases", home, scratch] => phases(&subject(&jdk(home), &[]), Path::new(scratch)),
        [search @ ("plain" | "guided"), home, scratch, jar, class, summaries] => {
            let summaries = Some(PathBuf::from(summaries));
            let subject = Subject { summaries, ..subject(&jdk(home), &[PathBuf::from(jar)]) };
            overhead(&subject, Path::new(scratch), class, search);
        }
        ["memory", home, scratch, jar, class, summaries] => {
            let summaries = Some(PathBuf::from(summaries));
            let subject = Subject { summaries, ..subject(&jdk(home), &[PathBuf::from(jar)]) };
            memory(&subject, Path::new(scratch), class);
        }
        _ => all(),
    }
    ExitCode::SUCCESS
}

fn jdk(home: &str) -> Jdk {
    Jdk::at(Path::new(home)).expect("the JDK that was found")
}

fn subject(jdk: &Jdk, jars: &[PathBuf]) -> Subject {
    Subject {
        jdk_home: jdk.home.clone(),
        libjvm: jdk.libjvm.clone(),
        feature: jdk.version.feature,
        project: jars.to_vec(),
        dependencies: Vec::new(),
        release: None,
        summaries: None,
        unknown_natives: Vec::new(),
        checked: None,
    }
}

fn all() {
    let mut jdks = toolchain::discover();
    jdks.retain(|jdk| jdk.version.feature >= 17);
    jdks.sort_by_key(|jdk| jdk.version.feature);
    assert!(!jdks.is_empty(), "this needs a JDK 17 or later: set JAVA_HOME");
    let maven = Maven::find(None).expect("this needs Maven");
    let jar = |library: &str| {
        let jars = toolchain::resolve(&maven, &[library], Transitive::No);
        jars.expect("Maven finds the library").remove(0)
    };
    for jdk in &jdks {
        println!("JDK {}", jdk.version);
        starts(&subject(jdk, &[jar(SUBJECTS[0].0)]));
        again(&["phases", &jdk.home.display().to_string()], &[]);
    }
    println!("million calls a second of processor time, in searches of {CALLS} calls (ratio: 2)");
    println!(
        "{:<36} {:<7} {:>4} {:>7} {:>7} {:>6}",
        "class", "", "JDK", "search", "calls", "ratio"
    );
    let studied = Scratch::new().expect("a scratch folder");
    for (library, class) in SUBJECTS {
        for jdk in &jdks {
            let (jar, summaries) = (jar(library).display().to_string(), summaries(jdk, &studied));
            for search in ["plain", "guided"] {
                again(&[search, &jdk.home.display().to_string()], &[&jar, class, &summaries]);
            }
        }
    }
    memories(&jdks, jar, &studied);
}

/// The file that says what the methods of a JDK change. Not made in the process that is measured: the
/// product has it in a file too.
fn summaries(jdk: &Jdk, studied: &Scratch) -> String {
    let file = studied.path().join(format!("jdk-{}.summaries", jdk.version.feature));
    let image = JdkImage::open(&jdk.home).expect("the JDK's classes");
    Summaries::for_jdk(&image, &file).expect("what the JDK's methods change");
    file.display().to_string()
}

/// What searches take that are made ever longer.
fn memories(jdks: &[Jdk], jar: impl Fn(&str) -> PathBuf, studied: &Scratch) {
    println!("MiB in use after so many million calls of a guided search");
    print!("{:<44} {:>4}", "class", "JDK");
    for mark in MARKS {
        print!(" {:>5}", mark / 1_000_000);
    }
    println!();
    for (library, class) in LONG.map(|at| SUBJECTS[at]) {
        for jdk in jdks {
            let (jar, summaries) = (jar(library).display().to_string(), summaries(jdk, studied));
            again(&["memory", &jdk.home.display().to_string()], &[&jar, class, &summaries]);
        }
    }
}

/// Runs this program with a scratch folder among its arguments.
fn again(before: &[&str], after: &[&str]) {
    let scratch = Scratch::new().expect("a scratch folder");
    for folder in ["tmp", "home", "cwd"] {
        std::fs::create_dir(scratch.path().join(folder)).expect("a folder in a new one");
    }
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(before).arg(scratch.path()).args(after).current_dir(scratch.path().join("cwd"));
    assert!(command.status().expect("this program can be started").success());
}

/// From starting a process until it says that it is ready.
fn starts(subject: &Subject) {
    let launcher = Launcher::this_executable(true).expect("this program");
    let scratch = Arc::new(Scratch::new().expect("a scratch folder"));
    let mut times: Vec<Duration> = (0..STARTS)
        .map(|_| {
            let stop = Arc::new(AtomicBool::new(false));
            let mut supervisor =
                Supervisor::new(launcher.clone(), subject.clone(), scratch.clone(), stop);
            let start = Instant::now();
            supervisor.prepare_and_wait().expect("the worker starts");
            start.elapsed()
        })
        .collect();
    times.sort();
    println!(
        "  fresh worker ready after {:.0} ms (median of {STARTS}; best {:.0} ms; goal: 200 ms)",
        times[STARTS / 2].as_secs_f64() * 1e3,
        times[0].as_secs_f64() * 1e3,
    );
}

fn phases(subject: &Subject, scratch: &Path) {
    let phases = worker::measure::start_phases(subject, scratch).expect("it starts");
    for (name, time) in phases {
        println!("    {name:<24} {:>6.1} ms", time.as_secs_f64() * 1e3);
    }
    // Not through `main`: that would wait for the JVM.
    std::process::exit(0);
}

fn overhead(subject: &Subject, scratch: &Path, class: &str, search: &str) {
    let guided = search == "guided";
    let overhead = worker::measure::search_overhead(subject, scratch, class, CALLS, guided);
    let overhead = overhead.expect("the class can be searched");
    let rate = |time: Duration| overhead.calls as f64 / time.as_secs_f64() / 1e6;
    println!(
        "{:<36} {search:<7} {:>4} {:>7.2} {:>7.2} {:>6.2}",
        short(class),
        subject.feature,
        rate(overhead.search),
        rate(overhead.raw),
        overhead.search.as_secs_f64() / overhead.raw.as_secs_f64(),
    );
    std::process::exit(0);
}

fn memory(subject: &Subject, scratch: &Path, class: &str) {
    let used = worker::measure::search_memory(subject, scratch, class, &MARKS);
    print!("{:<44} {:>4}", short(class), subject.feature);
    for kibibytes in used.expect("the class can be searched") {
        print!(" {:>5}", kibibytes / 1024);
    }
    println!();
    std::process::exit(0);
}

fn short(class: &str) -> String {
    class.trim_start_matches("org/apache/commons/").replace('/', ".")
}
