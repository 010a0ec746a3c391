//! Calls that do not end by themselves: cut by the step budget, stopped from another thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jvm::{Blackbox, Position, Stopper};
use model::{CallEnd, Cut, Literal, TestCase, Type};

use crate::Case;
use crate::child::{Child, call, plain, run_case, run_to_end, static_method};

pub const CASES: &[Case] = &[
    ("the_step_budget_cuts_at_the_same_count", &[], budget),
    ("code_that_swallows_the_cut_is_known", &[], swallowed),
    ("a_static_initializer_gets_more_steps_than_the_call_that_runs_it", &[], initializing),
    ("an_endless_call_is_stopped_from_another_thread", &[], stopped),
    ("a_sleeping_call_is_seen_and_stopped", &[], sleeping),
    ("a_late_stop_hits_no_call", &[], late),
    ("a_stop_hits_the_call_it_is_meant_for", &[], aimed),
];

fn endless(name: &str, descriptor: &str) -> TestCase {
    let mut case = TestCase::default();
    case.call(&static_method("Endless", name, descriptor), &[]);
    case
}

fn budget(child: &Child) {
    let mut executor = child.executor();
    executor.set_step_budget(10_000);
    for _ in 0..3 {
        let end = run_to_end(&mut executor, &endless("loop", "()I"));
        assert_eq!(end, CallEnd::Cut(Cut::Steps));
        assert!(executor.budget_is_spent());
        assert_eq!(executor.steps(), 10_000);
        executor.end();
    }
    let times = static_method("Endless", "times", "(I)I");
    let mut steps = Vec::new();
    for count in [10, 10, 20] {
        let mut case = TestCase::default();
        let count = case.literal(Type::INT, Literal::Int(count));
        case.call(&times, &[count]);
        run_case(&mut executor, &case);
        assert!(!executor.budget_is_spent());
        steps.push(executor.steps());
        executor.end();
    }
    assert!(steps[0] >= 10 && steps[0] == steps[1], "{steps:?}");
    assert_eq!(steps[2] - steps[0], 10, "a step an iteration: {steps:?}");
}

fn swallowed(child: &Child) {
    let mut executor = child.executor();
    executor.set_step_budget(1000);
    // Every further step throws, so the loop around it ends too.
    let end = run_to_end(&mut executor, &endless("stubborn", "()I"));
    assert_eq!(end, CallEnd::Cut(Cut::Steps));
    assert!(executor.budget_is_spent());
    executor.end();
    executor.set_step_budget(i32::MAX);
    let given = [(Type::INT, Literal::Int(3))];
    let times = static_method("Endless", "times", "(I)I");
    assert_eq!(call(&mut executor, &times, &given), plain(Literal::Int(3)));
    assert!(!executor.budget_is_spent());
}

fn initializing(child: &Child) {
    let mut executor = child.executor();
    executor.set_step_budget(10_000);
    let end = run_to_end(&mut executor, &endless("late", "()I"));
    assert_eq!(end, CallEnd::Returned);
    assert!(!executor.budget_is_spent());
    assert!((0..=10_000).contains(&executor.steps()), "{}", executor.steps());
    executor.end();
    // Once it is done, what runs has no more than its own.
    assert_eq!(run_to_end(&mut executor, &endless("loop", "()I")), CallEnd::Cut(Cut::Steps));
    executor.end();
    assert_eq!(run_to_end(&mut executor, &endless("never", "()I")), CallEnd::Cut(Cut::Steps));
    assert!(executor.budget_is_spent());
    executor.end();
}

/// Waits until the call is under way.
fn wait_for_call(blackbox: &Blackbox) {
    let start = Instant::now();
    while blackbox.position().operation.is_none() {
        assert!(start.elapsed() < Duration::from_secs(20), "the call was never made");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Runs a call that does not end, and stops it while it is under way.
fn stop_during(child: &Child, case: &TestCase, blocked: bool) {
    let (mut executor, blackbox) = child.executor_and_box();
    let stopper = Stopper::for_current_thread(&child.jvm).expect("the thread is attached");
    let (jvm, blackbox) = (&child.jvm, &*blackbox);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            wait_for_call(blackbox);
            std::thread::sleep(Duration::from_millis(50));
            assert_eq!(stopper.is_blocked(jvm).expect("a live thread"), blocked);
            let position = blackbox.position();
            assert!(stopper.stop(jvm, blackbox, position).expect("a live thread"));
        });
        assert_eq!(run_to_end(&mut executor, case), CallEnd::Cut(Cut::Stopped));
    });
    assert!(!executor.budget_is_spent());
    executor.end();
    let same = static_method("Values", "same", "(I)I");
    let observed = call(&mut executor, &same, &[(Type::INT, Literal::Int(5))]);
    assert_eq!(observed, plain(Literal::Int(5)));
}

fn stopped(child: &Child) {
    let mut case = TestCase::default();
    case.call(&static_method("Machine", "spin", "()V"), &[]);
    for _ in 0..3 {
        stop_during(child, &case, false);
    }
}

fn sleeping(child: &Child) {
    let mut case = TestCase::default();
    let long = case.literal(Type::INT, Literal::Int(i32::MAX));
    case.call(&static_method("Machine", "sleep", "(I)V"), &[long]);
    stop_during(child, &case, true);
}

/// A stop meant for a call that is over is not made.
fn late(child: &Child) {
    let (mut executor, blackbox) = child.executor_and_box();
    let stopper = Stopper::for_current_thread(&child.jvm).expect("the thread is attached");
    let same = static_method("Values", "same", "(I)I");
    executor.link(&same).expect("it is there");
    for _ in 0..20 {
        let (stopper, jvm, blackbox) = (&stopper, &child.jvm, &*blackbox);
        let position = blackbox.position();
        let over = Position { operation: Some(0), ..position };
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for past in [position, over] {
                    assert!(!stopper.stop(jvm, blackbox, past).expect("a live thread"));
                }
            });
        });
        let observed = call(&mut executor, &same, &[(Type::INT, Literal::Int(5))]);
        assert_eq!(observed, plain(Literal::Int(5)));
    }
}

/// Short calls, while another thread stops whichever it sees: as many are cut as stops were made,
/// and nothing between them meets a stop.
fn aimed(child: &Child) {
    let (mut executor, blackbox) = child.executor_and_box();
    let stopper = Stopper::for_current_thread(&child.jvm).expect("the thread is attached");
    let times = static_method("Endless", "times", "(I)I");
    let mut case = TestCase::default();
    let count = case.literal(Type::INT, Literal::Int(300));
    let result = case.call(&times, &[count]).expect("it returns an int");
    executor.link(&times).expect("it is there");
    let over = AtomicBool::new(false);
    let (jvm, blackbox, over) = (&child.jvm, &*blackbox, &over);
    std::thread::scope(|scope| {
        let stops = scope.spawn(move || {
            let (mut made, mut last) = (0u32, None);
            while !over.load(Ordering::Acquire) {
                let position = blackbox.position();
                // Often just before the call ends, which takes a microsecond or so.
                if position.operation.is_some() && last != Some(position) {
                    let stopped = stopper.stop(jvm, blackbox, position);
                    if stopped.expect("a live thread") {
                        made += 1;
                        last = Some(position);
                    }
                }
            }
            made
        });
        let mut cuts = 0;
        let mut calls = 0;
        while cuts < 300 && calls < 5_000_000 {
            calls += 1;
            executor.begin(&case.slots).expect("literals can be made");
            match executor.call(&case.calls[0]) {
                CallEnd::Cut(Cut::Stopped) => cuts += 1,
                end => {
                    assert_eq!(end, CallEnd::Returned, "after {calls} calls, {cuts} cuts");
                    assert_eq!(executor.primitive(result), Some(Literal::Int(44_850)));
                }
            }
            executor.end();
        }
        over.store(true, Ordering::Release);
        assert_eq!(stops.join().expect("no panic"), cuts);
        assert!(cuts > 100, "{cuts} cuts in {calls} calls");
    });
}
