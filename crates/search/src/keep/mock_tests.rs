//! What is left of tests with mocks: what they verify, and which are for want of a better one.

use std::sync::Arc;

use model::{
    CheckKind, Expectation, Literal, Observation, Passed, Slot, TestCase, Type, UnitTest, Verified,
};

use crate::strategy::Move;
use crate::testing::machine::{Halt, Value, null_pointer, throw};
use crate::testing::mocks::mock;
use crate::testing::world::{ABSTRACT, Declaration, PUBLIC, World, bare_class};
use crate::testing::{finish_tests, followed, op};

/// Holds a mock of `a/Store`. Probes: 1 saved, 2 noted, 3 refused, 4 looked for, 5 counted,
/// 6 sought, 7 filed after three notes.
fn desk() -> Declaration {
    bare_class("a/Desk")
        .constructor("(La/Store;)V", |heap, args| {
            heap.set(&args[0], args[1].identity());
            Ok(Value::Null)
        })
        .method("save(Ljava/lang/Object;)V", |heap, args| {
            heap.hit(1);
            heap.ask(&args[0], "keep", &args[1..])
        })
        .method("note(I)V", |heap, args| {
            heap.hit(2);
            heap.ask(&args[0], "log", &[Value::text("one")])?;
            heap.ask(&args[0], "log", &[Value::text("two")])?;
            heap.ask(&args[0], "log", &[Value::text("one")])
        })
        .method("refuse(Ljava/lang/Object;)V", |heap, args| {
            heap.hit(3);
            heap.ask(&args[0], "keep", &args[1..])?;
            throw("IllegalStateException", 7)
        })
        .method("look(I)V", |heap, args| {
            heap.hit(4);
            match heap.ask(&args[0], "find", &args[1..])? {
                Value::Null => null_pointer(8),
                _ => Ok(Value::Null),
            }
        })
        .method("seek(Ljava/lang/Object;)V", |heap, args| {
            heap.hit(6);
            let message = "Cannot invoke \"a()\" because the return value of \"b()\" is null";
            match heap.ask(&args[0], "find", &[Value::int(1)])? {
                Value::Null if args[1] == Value::Null => Err(Halt::Throw {
                    class: "NullPointerException",
                    message: Some(message),
                    line: 9,
                }),
                Value::Null => null_pointer(10),
                _ => Ok(Value::Null),
            }
        })
        .method("file(Ljava/lang/Object;)V", |heap, args| {
            // What was noted before is needed to get there.
            if heap.times_asked() == 3 {
                heap.hit(7);
            }
            heap.ask(&args[0], "keep", &args[1..])?;
            heap.ask(&args[0], "log", &[Value::text("three")])
        })
        .method("count()V", |heap, args| {
            heap.hit(5);
            heap.ask(&args[0], "size", &[])?;
            Ok(Value::Null)
        })
}

fn world() -> World {
    let body = |_: &mut _, _: &[Value]| Ok(Value::Null);
    let store = bare_class("a/Store")
        .interface()
        .member(PUBLIC | ABSTRACT, "keep(Ljava/lang/Object;)V", body)
        .member(PUBLIC | ABSTRACT, "log(Ljava/lang/String;)V", body)
        .member(PUBLIC | ABSTRACT, "find(I)Ljava/lang/Object;", body)
        .member(PUBLIC | ABSTRACT, "size()I", body);
    World::of([desk(), store])
}

/// A desk with a mock that is told an answer to these, and a call of one method.
fn asked(world: &World, told: &[&str], method: &str) -> TestCase {
    asked_of(world, "a/Desk", told, method)
}

/// The same of another class that is made with the mock.
fn asked_of(world: &World, class: &str, told: &[&str], method: &str) -> TestCase {
    let mut case = TestCase::default();
    let answers: Vec<Slot> =
        told.iter().map(|_| case.literal(Type::object(), Literal::String("a".into()))).collect();
    let store = case.call(&mock(world, "a/Store", told), &answers).expect("a mock");
    let object = case.call(&op(world, class, "<init>"), &[store]).expect("an object");
    let called = op(world, class, method);
    let mut args = vec![object];
    for ty in called.arguments() {
        args.push(match ty {
            Type::Primitive(_) => case.literal(Type::INT, Literal::Int(1)),
            _ => object,
        });
    }
    case.call(&called, &args);
    case
}

/// The tests that come of these; and how many were kept.
fn finished(world: &World, cases: Vec<TestCase>) -> (Vec<UnitTest>, usize) {
    let class = cases[0].calls.last().expect("a call").op.owner.clone();
    let moves = cases.into_iter().map(|case| Move::Run(Arc::new(case))).collect();
    followed(world, class.as_internal(), moves, |driver, _| {
        let kept = driver.kept().len();
        let finished = finish_tests(driver, world);
        (finished.tests.into_iter().map(|(test, _)| test).collect(), kept)
    })
}

/// What the test of a method verifies: the method of the mock, its arguments, how often.
fn verified(method: &str) -> Vec<(String, Vec<Passed>, u32)> {
    let world = world();
    let (tests, _) = finished(&world, vec![asked(&world, &[], method)]);
    let of_check = |check: &model::Check| match &check.kind {
        CheckKind::Verified(Verified { mock: Slot(0), method, args, times }) => {
            (method.name.to_string(), args.clone(), *times)
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(tests.len(), 1);
    tests[0].checks.iter().map(of_check).collect()
}

fn text(value: &str) -> Passed {
    let value = Literal::String(value.into());
    Passed::Value(Observation::Value { value, boxed: true })
}

#[test]
fn what_a_call_does_to_a_mock_is_verified_with_the_object_it_passes() {
    assert_eq!(verified("save"), [("keep".to_owned(), vec![Passed::Slot(Slot(1))], 1)]);
}

#[test]
fn equal_calls_on_a_mock_are_verified_once_with_their_number() {
    let log = |with: &str, times| ("log".to_owned(), vec![text(with)], times);
    assert_eq!(verified("note"), [log("one", 2), log("two", 1)]);
}

#[test]
fn a_question_is_verified_where_a_test_says_nothing_else() {
    assert_eq!(verified("count"), [("size".to_owned(), Vec::new(), 1)]);
}

#[test]
fn what_was_done_to_a_mock_before_an_exception_is_verified_too() {
    assert_eq!(verified("refuse"), [("keep".to_owned(), vec![Passed::Slot(Slot(1))], 1)]);
    let world = world();
    let (tests, _) = finished(&world, vec![asked(&world, &[], "refuse")]);
    assert!(matches!(tests[0].expectation, Expectation::Throws(_)));
}

#[test]
fn a_null_that_a_mock_was_not_told_to_answer_makes_a_test_for_want_of_a_better_one() {
    let world = world();
    let (untold, told) = (asked(&world, &[], "look"), asked(&world, &["find"], "look"));
    let (tests, kept) = finished(&world, vec![untold.clone()]);
    assert_eq!(kept, 1);
    assert!(matches!(tests[0].expectation, Expectation::Throws(_)));
    // The better one covers nothing that the other does not.
    let (tests, kept) = finished(&world, vec![untold.clone(), untold.clone(), told.clone(), told]);
    assert_eq!((tests.len(), kept), (1, 2));
    assert_eq!(tests[0].expectation, Expectation::Returns);
    assert!(tests[0].checks.is_empty(), "what it was told shows that it was asked");
}

#[test]
fn a_null_that_was_returned_is_the_mocks_though_the_call_was_given_one_too() {
    let world = world();
    let given_null = |told: &[&str]| {
        let mut case = asked(&world, told, "seek");
        let null = case.literal(Type::object(), Literal::Null);
        case.calls.last_mut().expect("a call").args[1] = null;
        case
    };
    let (tests, kept) = finished(&world, vec![given_null(&[]), given_null(&["find"])]);
    assert_eq!((tests.len(), kept), (1, 2));
    assert_eq!(tests[0].expectation, Expectation::Returns);
}

#[test]
fn what_is_verified_is_in_the_order_of_the_last_call() {
    let world = world();
    let mut case = asked(&world, &[], "note");
    let desk = case.calls[1].result.expect("an object");
    case.call(&op(&world, "a/Desk", "file"), &[desk, desk]);
    let (tests, _) = finished(&world, vec![case]);
    let is_of_both = |test: &&UnitTest| &*test.case.calls[test.subject].op.name == "file";
    let test = tests.iter().find(is_of_both).expect("a test of both calls");
    assert_eq!(test.case.calls.len(), 4);
    let name = |check: &model::Check| match &check.kind {
        CheckKind::Verified(verified) => verified.method.name.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(test.checks.iter().map(name).collect::<Vec<_>>(), ["keep", "log"]);
}

#[test]
fn that_a_call_returns_its_object_is_told_after_what_it_did_and_changed() {
    let till = bare_class("a/Till")
        .constructor("(La/Store;)V", |heap, args| {
            heap.set(&args[0], args[1].identity());
            Ok(Value::Null)
        })
        .method("enter(I)La/Till;", |heap, args| {
            heap.hit(1);
            heap.ask(&args[0], "log", &[Value::text("one")])?;
            Ok(args[0].clone())
        })
        .method("getEntries()I", |heap, _| Ok(Value::int(heap.times_asked() as i32)));
    let log = |_: &mut _, _: &[Value]| Ok(Value::Null);
    let store = bare_class("a/Store").interface();
    let store = store.member(PUBLIC | ABSTRACT, "log(Ljava/lang/String;)V", log);
    let world = World::of([till, store]);
    let (tests, _) = finished(&world, vec![asked_of(&world, "a/Till", &[], "enter")]);
    let kinds = tests[0].checks.iter().map(|check| match &check.kind {
        CheckKind::Verified(_) => "verified",
        CheckKind::View(..) => "view",
        CheckKind::Same(..) => "same",
        other => panic!("{other:?}"),
    });
    assert_eq!(kinds.collect::<Vec<_>>(), ["verified", "view", "same"]);
}
