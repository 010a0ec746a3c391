//! The clocks that Java is shown instead of the real one.

use jvm::{CLOCK_OPTION, Executor, Readings};
use model::{Literal, Observation, Primitive, Type};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::Case;
use crate::child::{Child, call, static_method};

const OPTIONS: &[&str] = &["-XX:+UnlockDiagnosticVMOptions", CLOCK_OPTION];

pub const CASES: &[Case] = &[
    ("a_shifted_clock_is_seen_everywhere", OPTIONS, shifted),
    ("the_clock_is_right_unless_shifted", &[], unshifted),
    ("a_counted_clock_moves_on_only_by_being_read", OPTIONS, counted),
    ("a_new_thread_counts_on_from_its_starter", OPTIONS, threads),
    ("waits_end_with_a_counted_clock", OPTIONS, waits_counted),
    ("waits_end_with_a_shifted_clock", OPTIONS, waits_shifted),
    ("our_own_services_see_the_real_clock", OPTIONS, services),
];

/// Ways to ask Java for the time.
const CLOCKS: [&str; 3] = ["millis", "instant", "date"];

fn number(observed: Observation) -> i64 {
    match observed {
        Observation::Value { value: Literal::Long(number), .. } => number,
        other => panic!("{other:?}"),
    }
}

fn read(executor: &mut Executor<'_>, clock: &str) -> i64 {
    number(call(executor, &static_method("Machine", clock, "()J"), &[]))
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as i64
}

/// How far Java's clock is ahead of ours, to the hour.
fn ahead_in_hours(executor: &mut Executor<'_>, clock: &str) -> i64 {
    (read(executor, clock) - now() + 1_800_000).div_euclid(3_600_000)
}

fn shifted(child: &Child) {
    let mut executor = child.executor();
    for hours in [0, 401 * 24 + 5, -30 * 24] {
        jvm::shift_clock(&child.jvm, now() + hours * 3_600_000, Readings::Differ)
            .expect("the clock can be shifted");
        for clock in CLOCKS {
            assert_eq!(ahead_in_hours(&mut executor, clock), hours, "{clock}");
            // As often as it takes to have it compiled.
            for _ in 0..3000 {
                read(&mut executor, clock);
            }
            assert_eq!(ahead_in_hours(&mut executor, clock), hours, "{clock}, compiled");
        }
        for clock in ["millis", "nanos"] {
            let first = read(&mut executor, clock);
            assert!(read(&mut executor, clock) > first, "{clock} differs with every reading");
        }
    }
    // A part of a second can be chosen, and the clock goes on from there by itself.
    jvm::shift_clock(&child.jvm, now(), Readings::MayBeAlike).expect("the clock can be shifted");
    for millis in [1337, 420, 420] {
        jvm::align_shifted_clock(millis);
        let late = (read(&mut executor, "millis") - millis).rem_euclid(2000);
        assert!(late < 500, "{late} ms after {millis}");
    }
    assert_eq!(ahead_in_hours(&mut executor, "millis"), 0);
    // Who asks for the date is told from who asks how much time has passed.
    let dates = jvm::dates_read();
    read(&mut executor, "nanos");
    assert_eq!(jvm::dates_read(), dates);
    read(&mut executor, "millis");
    assert!(jvm::dates_read() > dates);
    // What we do ourselves on the thread of a test counts for nobody.
    let dates = jvm::dates_read();
    read(&mut executor, "oursMillis");
    assert_eq!(jvm::dates_read(), dates);
    assert_eq!(ahead_in_hours(&mut executor, "oursMillis"), 0);
    assert_eq!(ahead_in_hours(&mut executor, "millis"), 0);
}

fn unshifted(child: &Child) {
    let mut executor = child.executor();
    for clock in CLOCKS {
        assert_eq!(ahead_in_hours(&mut executor, clock), 0, "{clock}");
    }
}

fn counted(child: &Child) {
    jvm::count_clock(&child.jvm).expect("the clock can be counted");
    let mut executor = child.executor();
    // Loads what the readings need, which may read too.
    for clock in CLOCKS {
        read(&mut executor, clock);
    }
    let mut last = read(&mut executor, "millis");
    assert_eq!(last / 1_000_000_000, 1_631, "some moment of September 2021: {last}");
    for round in 0..3000 {
        for clock in CLOCKS {
            let now = read(&mut executor, clock);
            assert_eq!(now - last, 7, "{clock}, round {round}");
            last = now;
        }
        if round % 1000 == 0 {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    let first = read(&mut executor, "nanos");
    assert_eq!(read(&mut executor, "nanos") - first, 7_000_000);
    assert_eq!(read(&mut executor, "millis") - last, 3 * 7, "it is one clock");
}

fn threads(child: &Child) {
    jvm::count_clock(&child.jvm).expect("the clock can be counted");
    let mut executor = child.executor();
    let ahead = static_method("Waits", "threadIsLater", "()J");
    for _ in 0..20 {
        assert_eq!(number(call(&mut executor, &ahead, &[])), 7);
        read(&mut executor, "millis");
    }
}

/// Waits in vain, in every way, as often as it takes to have it compiled. Real time is what was
/// asked for and a little, Java's time at least what was asked for.
fn check_waits(child: &Child) {
    let mut executor = child.executor();
    let mut wait = |how: &str, millis: i32| {
        let op = static_method("Waits", how, "(I)J");
        let start = Instant::now();
        let args = [(Type::Primitive(Primitive::Int), Literal::Int(millis))];
        let by_java = number(call(&mut executor, &op, &args));
        (by_java, start.elapsed())
    };
    let ways =
        ["objectWait", "sleep", "parkNanos", "parkUntil", "join", "poll", "awaitUntil", "future"];
    for how in ways {
        let (by_java, really) = wait(how, 300);
        assert!((295..500).contains(&by_java), "{how} took {by_java} ms by Java's clock");
        // Readings put the clock forward, so that a little less than was asked for may do.
        let expected = Duration::from_millis(200)..Duration::from_millis(900);
        assert!(expected.contains(&really), "{how} took {really:?}");
        // For a join no time means for ever.
        let rounds = if how == "join" { 0 } else { 1500 };
        for _ in 0..rounds {
            wait(how, 0);
        }
        let (_, really) = wait(how, 300);
        assert!(expected.contains(&really), "{how}, compiled, took {really:?}");
    }
    let (_, really) = wait("notified", 20_000);
    assert!(really < Duration::from_secs(10), "what is waited for ends a wait: {really:?}");
}

fn waits_counted(child: &Child) {
    jvm::count_clock(&child.jvm).expect("the clock can be counted");
    check_waits(child);
}

fn waits_shifted(child: &Child) {
    jvm::shift_clock(&child.jvm, now() + 15 * 365 * 24 * 3_600_000, Readings::Differ)
        .expect("the clock can be shifted");
    check_waits(child);
}

fn services(child: &Child) {
    jvm::count_clock(&child.jvm).expect("the clock can be counted");
    let mut executor = child.executor();
    let settings =
        jvm::Service::define(&child.jvm, runtime::service_classes(), "testhound/runtime/Settings");
    let settings = settings.expect("our own classes");
    settings.number("begin").expect("a method").call().expect("it works");
    read(&mut executor, "millis");
    let before = read(&mut executor, "millis");
    let args = [(Type::Primitive(Primitive::Int), Literal::Int(1))];
    call(&mut executor, &static_method("Waits", "join", "(I)J"), &args);
    let passed = read(&mut executor, "millis") - before;
    // A thread is left that has to be waited for.
    let started = Instant::now();
    let left = settings.number("settle").expect("a method").call().expect("it works");
    assert_eq!(left, 1, "the thread that never ends");
    let really = started.elapsed();
    assert!((900..5000).contains(&really.as_millis()), "the grace is real time: {really:?}");
    assert_eq!(read(&mut executor, "millis") - before - passed, 7, "our readings do not count");
}
