//! How many simple calls a second go through the executor (requirement Q9).
//!
//! `cargo bench -p jvm`: for every JDK, test cases of ten calls, opened, run and closed as a search
//! does it, with the JVM's arguments of a search. A process has one JVM, so every JDK gets a
//! process of its own.
//!
//! Also how long it takes to read and to clear the coverage map, as a search does after test cases that
//! cover something (requirement G9): the part of a class under test, and as much as there is for a
//! large one.

#![expect(clippy::print_stdout, reason = "a benchmark prints its result")]

#[path = "../tests/jvm/fixtures.rs"]
mod fixtures;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jvm::{Blackbox, Executor, Jvm, Options};
use model::{
    CallEnd, ClassName, Literal, MethodDescriptor, Operation, OperationKind, TestCase, Type,
};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use toolchain::Jdk;

/// Calls of a test case.
const LENGTH: usize = 10;
/// How long each kind of call is measured, best of several rounds.
const ROUND: Duration = Duration::from_millis(300);
const ROUNDS: usize = 7;
/// Bytes of the coverage map, a probe each.
const MAP: usize = 1 << 16;
/// How often the map is read or cleared in a round.
const PASSES: u32 = 10_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [child, home, classes] = &arguments[..]
        && child == "child"
    {
        measure(&Jdk::at(Path::new(home)).expect("the JDK that was found"), classes);
        // Not through `main`: that would wait for the JVM.
        std::process::exit(0);
    }
    let jdks = fixtures::jdks();
    let classes = fixtures::compile(&jdks[0]);
    println!("million calls a second of processor time, in test cases of {LENGTH} calls (goal: 3)");
    for jdk in jdks {
        let this = std::env::current_exe().expect("this program");
        let mut command = Command::new(this);
        command.arg("child").args([jdk.home.as_path(), classes.path()]);
        assert!(command.status().expect("this program can be started").success());
    }
}

fn operation(kind: OperationKind, name: &str, descriptor: &str) -> Arc<Operation> {
    let owner = ClassName::internal("fixture/Counter");
    let parsed = MethodDescriptor::parse(descriptor).expect("a descriptor");
    let (mut params, mut result) = (parsed.params, parsed.result);
    match kind {
        OperationKind::InstanceMethod => params.insert(0, Type::Class(owner.clone())),
        OperationKind::Constructor => result = Some(Type::Class(owner.clone())),
        _ => {}
    }
    Arc::new(Operation { kind, owner, name: name.into(), params, result, implementation: None })
}

fn measure(jdk: &Jdk, classes: &str) {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    // As the workers' search has it.
    let args = [
        "-XX:+UseSerialGC",
        "-XX:-UsePerfData",
        "-XX:TieredStopAtLevel=1",
        "-Xlog:disable",
        "-Xmx512m",
        "-XX:+UnlockDiagnosticVMOptions",
        jvm::CLOCK_OPTION,
    ];
    let mut args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
    args.push(format!("-Djava.class.path={classes}"));
    let jvm =
        Jvm::create(&Options { libjvm: jdk.libjvm.clone(), args, unknown_natives: Vec::new() })
            .expect("the JVM starts");
    jvm.define_boot_classes(runtime::boot_classes()).expect("the boot classes are good");
    jvm::count_clock(&jvm).expect("the clock can be counted");
    let blackbox = Blackbox::create(&scratch.path().join("blackbox")).expect("a file");
    let mut executor = Executor::new(&jvm, Arc::new(blackbox)).expect("the JVM is up");
    println!("JDK {}", jdk.version);
    for (name, case) in cases() {
        let rate = (0..ROUNDS).map(|_| rate(&mut executor, &case)).fold(0.0, f64::max);
        println!("  {name:<28} {:>6.2}", rate / 1e6);
    }
    executor.end();
    for bytes in [1 << 10, MAP] {
        let [read, clear] = coverage(&executor, bytes);
        let name = format!("coverage, {} KiB", bytes >> 10);
        println!("  {name:<28} {read:>6.2} µs to read, {clear:.2} µs to clear");
    }
    drop(scratch);
}

/// Microseconds that it takes to read and to clear so many bytes of the coverage map.
fn coverage(executor: &Executor<'_>, bytes: usize) -> [f64; 2] {
    let mut hits = vec![0; bytes];
    let read = (0..ROUNDS).map(|_| microseconds(|| executor.read_coverage(0, &mut hits)));
    let read = read.fold(f64::MAX, f64::min);
    let clear = (0..ROUNDS).map(|_| microseconds(|| executor.clear_coverage(0, bytes as u32)));
    [read, clear.fold(f64::MAX, f64::min)]
}

/// What one of many takes, in microseconds.
fn microseconds(mut work: impl FnMut()) -> f64 {
    let before = cpu_time();
    for _ in 0..PASSES {
        work();
    }
    (cpu_time() - before).as_secs_f64() * 1e6 / f64::from(PASSES)
}

fn cases() -> [(&'static str, TestCase); 4] {
    let new = operation(OperationKind::Constructor, "<init>", "()V");
    let next = operation(OperationKind::InstanceMethod, "next", "()I");
    let add = operation(OperationKind::StaticMethod, "add", "(II)I");
    let mut statics = TestCase::default();
    let [a, b] = [1, 2].map(|i| statics.literal(Type::INT, Literal::Int(i)));
    let mut constructors = TestCase::default();
    let mut instances = TestCase::default();
    let object = instances.call(&new, &[]).expect("an object");
    let mut mixed = TestCase::default();
    let number = mixed.literal(Type::INT, Literal::Int(3));
    for _ in 0..LENGTH {
        statics.call(&add, &[a, b]);
        constructors.call(&new, &[]);
    }
    for _ in 1..LENGTH {
        instances.call(&next, &[object]);
    }
    while mixed.calls.len() < LENGTH {
        let made = mixed.call(&new, &[]).expect("an object");
        for _ in 0..3 {
            mixed.call(&next, &[made]);
        }
        mixed.call(&add, &[number, number]);
    }
    [
        ("static method of two ints", statics),
        ("method of one object", instances),
        ("constructor", constructors),
        ("two objects, calls on each", mixed),
    ]
}

/// Time this thread has been running: on a shared machine, what others take is not ours.
fn cpu_time() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_THREAD).expect("our own thread");
    let total = usage.user_time() + usage.system_time();
    Duration::from_micros(total.num_microseconds() as u64)
}

/// Calls a second over one round.
fn rate(executor: &mut Executor<'_>, case: &TestCase) -> f64 {
    let (start, before) = (Instant::now(), cpu_time());
    let mut calls = 0;
    while start.elapsed() < ROUND {
        for _ in 0..1000 {
            executor.begin(&case.slots).expect("the slots can be filled");
            for call in &case.calls {
                assert_eq!(executor.call(call), CallEnd::Returned);
            }
            executor.end();
        }
        calls += 1000 * case.calls.len();
    }
    calls as f64 / (cpu_time() - before).as_secs_f64()
}
