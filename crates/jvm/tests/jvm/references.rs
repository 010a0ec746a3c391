//! References: none is leaked, however long a test case or a run is.

use model::{Args, Call, CallEnd, Literal, TestCase, Type};

use crate::Case;
use crate::child::{Child, constructor, method, plain, run_case, static_method};

pub const CASES: &[Case] = &[
    ("a_long_test_case_has_room_for_its_references", &[], long_case),
    ("dropped_results_leave_room_for_others", &[], dropped),
    ("caught_exceptions_leave_room_for_others", &[], guarded),
    ("many_test_cases_leak_nothing", &["-Xmx16m"], many),
    ("same_compares_objects", &[], same),
];

fn long_case(child: &Child) {
    let mut executor = child.executor();
    let mut case = TestCase::default();
    let new = constructor("Counter", "()V");
    let objects: Vec<_> = (0..500).map(|_| case.call(&new, &[]).expect("an object")).collect();
    run_case(&mut executor, &case);
    assert!(!executor.same(objects[0], objects[499]));
    assert_eq!(executor.class_of(objects[250]), Some(Type::class("fixture/Counter")));
}

fn dropped(child: &Child) {
    let mut executor = child.executor();
    let mut case = TestCase::default();
    let object = case.call(&constructor("Counter", "()V"), &[]).expect("an object");
    for _ in 0..500 {
        let op = method("Counter", "other", "()Ljava/lang/Object;");
        let call = Call { op, args: Args::from_slice(&[object]), result: None, guarded: false };
        case.calls.push(call);
    }
    run_case(&mut executor, &case);
}

fn guarded(child: &Child) {
    let mut executor = child.executor();
    let mut case = TestCase::default();
    let word = case.literal(Type::string(), Literal::String("again".into()));
    let plain = static_method("Thrower", "plain", "(Ljava/lang/String;)V");
    for _ in 0..500 {
        case.call(&plain, &[word]);
    }
    executor.begin(&case.slots).expect("the slots can be filled");
    for call in &case.calls {
        assert_eq!(executor.call(call), CallEnd::Threw);
    }
    assert_eq!(executor.thrown().expect("it threw").message, Some("again".into()));
}

/// As many test cases as would fill the heap many times over, were their objects kept.
fn many(child: &Child) {
    let mut executor = child.executor();
    let mut case = TestCase::default();
    let megabyte = case.literal(Type::INT, Literal::Int(1 << 20));
    let block = static_method("Machine", "block", "(I)[B");
    case.call(&block, &[megabyte]);
    for _ in 0..200 {
        run_case(&mut executor, &case);
        executor.end();
    }
    // A test case left open is closed by the next one.
    for _ in 0..200 {
        run_case(&mut executor, &case);
    }
}

fn same(child: &Child) {
    let mut executor = child.executor();
    let mut case = TestCase::default();
    let a = case.call(&constructor("Counter", "()V"), &[]).expect("an object");
    let b = case.call(&constructor("Counter", "()V"), &[]).expect("an object");
    let of_a = case.call(&method("Counter", "self", "()Lfixture/Counter;"), &[a]).expect("itself");
    let null = case.literal(Type::class("fixture/Counter"), Literal::Null);
    let number = case.call(&method("Counter", "next", "()I"), &[a]).expect("a number");
    run_case(&mut executor, &case);
    assert!(executor.same(a, of_a));
    assert!(!executor.same(a, b));
    assert!(executor.is_null(null) && !executor.is_null(a) && !executor.is_null(number));
    assert!(!executor.same(number, number), "numbers are no objects");
    assert_eq!(executor.observe(number), plain(Literal::Int(1)));
}
