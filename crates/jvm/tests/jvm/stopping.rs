//! Calls that do not end by themselves: cut by the step budget, stopped from another thread.

use std::time::{Duration, Instant};

use jvm::{Blackbox, Stopper};
use model::{CallEnd, Cut, Literal, TestCase, Type};

use crate::Case;
use crate::child::{Child, call, plain, run_case, run_to_end, static_method};

pub const CASES: &[Case] = &[
    ("the_step_budget_cuts_at_the_same_count", &[], budget),
    ("code_that_swallows_the_cut_is_known", &[], swallowed),
    ("an_endless_call_is_stopped_from_another_thread", &[], stopped),
    ("a_sleeping_call_is_seen_and_stopped", &[], sleeping),
    ("a_late_stop_hits_no_later_call", &[], late),
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
            stopper.stop(jvm).expect("a live thread");
        });
        assert_eq!(run_to_end(&mut executor, case), CallEnd::Cut(Cut::Stopped));
    });
    assert!(!executor.budget_is_spent());
    executor.end();
    executor.drain_stop();
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

/// A stop that comes between calls is taken by `drain_stop`.
fn late(child: &Child) {
    let mut executor = child.executor();
    let stopper = Stopper::for_current_thread(&child.jvm).expect("the thread is attached");
    let same = static_method("Values", "same", "(I)I");
    executor.link(&same).expect("it is there");
    for _ in 0..20 {
        std::thread::scope(|scope| {
            scope.spawn(|| stopper.stop(&child.jvm).expect("a live thread"));
        });
        executor.drain_stop();
        let observed = call(&mut executor, &same, &[(Type::INT, Literal::Int(5))]);
        assert_eq!(observed, plain(Literal::Int(5)));
    }
}
