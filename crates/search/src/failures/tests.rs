//! Which exceptions are failures, and how often each is told.

use model::{ClassName, FailureKind, Literal, Operation, Primitive, TestCase, Type, UnitTest};

use super::{Exceptions, MAX_CAUSES, Noise, Unexpected};
use crate::testing::classes::{counter, thrower};
use crate::testing::machine::{Halt, Machine, Value, null_pointer, throw};
use crate::testing::world::{Body, PROTECTED, PUBLIC, World, class};
use crate::testing::{
    api, case, finish_tests, finished, followed, op, run, settings, steps, told, told_failures,
};
use crate::{Driver, Move};

const THROWER: &str = "a/Thrower";

/// The failures that a search tells of while it runs.
fn check(calls: &[&[&str]], expected: &[&[&str]]) {
    let world = World::of([thrower()]);
    let moves = calls.iter().map(|calls| run(&world, THROWER, calls)).collect();
    let found: Vec<_> =
        told_failures(&world, THROWER, moves).iter().map(|found| told(&found.case)).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_null_pointer_is_a_failure_unless_a_null_was_passed() {
    check(&[&["forgets"]], &[&["<init>", "forgets"]]);
    check(&[&["hash null"]], &[]);
    // A null in an earlier call may be the cause as well.
    check(&[&["hash new", "hash null"]], &[]);
}

#[test]
fn a_null_that_another_call_returned_counts_as_passed() {
    let holder = class("a/Holder")
        .method("get()Ljava/lang/Object;", |_, _| Ok(Value::Null))
        .method("hash(Ljava/lang/Object;)V", |_, args| match args[1] {
            Value::Null => null_pointer(3),
            _ => Ok(Value::Null),
        });
    let world = World::of([holder]);
    let mut case = case(&world, "a/Holder", &["get"]);
    let (object, null) = (case.calls[0].result.unwrap(), case.calls[1].result.unwrap());
    case.call(&op(&world, "a/Holder", "hash"), &[object, null]);
    let moves = vec![Move::Run(std::sync::Arc::new(case))];
    assert_eq!(told_failures(&world, "a/Holder", moves), []);
}

#[test]
fn an_authors_own_null_pointer_exception_is_expected() {
    let careful = class("a/Careful").method("checks()V", |_, _| {
        let message = Some("name must be given");
        Err(Halt::Throw { class: "NullPointerException", message, line: 4 })
    });
    let world = World::of([careful]);
    let moves = vec![run(&world, "a/Careful", &["checks"])];
    assert_eq!(told_failures(&world, "a/Careful", moves), []);
}

#[test]
fn a_failed_assertion_is_a_failure_and_so_is_endless_recursion() {
    check(&[&["asserts"]], &[&["<init>", "asserts"]]);
    check(&[&["always"], &["overflows"]], &[&["<init>", "overflows"]]);
}

#[test]
fn exceptions_can_be_named_as_failures_and_as_expected() {
    let world = World::of([thrower()]);
    let found = |method: &str, exceptions: Exceptions| {
        let api = api(&world, THROWER);
        let mut machine = Machine::new(&world);
        let mut settings = settings(1000);
        settings.exceptions = exceptions;
        let mut driver = Driver::new(&mut machine, &api, &world, settings);
        let mut script = crate::testing::Script::new(vec![run(&world, THROWER, &[method])]);
        driver.run(&mut script, &mut |_| {});
        finish_tests(&mut driver, &world).failures.len()
    };
    let class = |name: &str| vec![ClassName::internal(name)];
    let none = Exceptions::default;
    let state = class("java/lang/IllegalStateException");
    assert_eq!(found("always", none()), 0);
    assert_eq!(found("always", Exceptions { failures: state.clone(), ..none() }), 1);
    let assertion = class("java/lang/AssertionError");
    assert_eq!(found("asserts", none()), 1);
    assert_eq!(found("asserts", Exceptions { expected: assertion, ..none() }), 0);
    // And so are those that extend what is named.
    let runtime = class("java/lang/RuntimeException");
    assert_eq!(found("always", Exceptions { failures: runtime.clone(), ..none() }), 1);
    let both = Exceptions { failures: runtime, expected: state, ..none() };
    assert_eq!(found("always", both), 0);
    let error = class("java/lang/Error");
    assert_eq!(found("asserts", Exceptions { expected: error, ..none() }), 0);
}

#[test]
fn what_throws_for_invalid_input_is_in_no_test() {
    let world = World::of([thrower()]);
    let tests = |invalid: &[&str]| {
        let mut settings = settings(1000);
        settings.exceptions.invalid = invalid.iter().map(|n| ClassName::internal(n)).collect();
        crate::testing::searched(&world, THROWER, settings, |driver, _| {
            let finished = finish_tests(driver, &world);
            let calls = |test: &UnitTest| told(&test.case).contains(&"always".to_owned());
            let tests = finished.tests.iter().any(|(test, _)| calls(test));
            let reasons: Vec<_> = finished.reasons.into_iter().map(|r| r.code.code()).collect();
            (tests, finished.failures.len(), reasons.contains(&"always-throws"))
        })
    };
    assert_eq!(tests(&[]), (true, 3, true));
    assert_eq!(tests(&["java/lang/RuntimeException"]), (false, 2, true));
    assert_eq!(tests(&["java/lang/IllegalArgumentException"]), (true, 3, true));
}

#[test]
fn what_only_the_package_can_call_fails_nobody() {
    let hidden = class("a/Hidden")
        .member(0, "asserts()V", |_, _| throw("AssertionError", 5))
        .member(PUBLIC, "rests()V", |_, _| Ok(Value::Null));
    let world = World::of([hidden]);
    let moves = vec![run(&world, "a/Hidden", &["asserts"])];
    assert_eq!(told_failures(&world, "a/Hidden", moves), []);
}

#[test]
fn each_cause_is_told_once_and_again_only_by_a_shorter_test() {
    check(
        &[&["asserts"], &["asserts"], &["always", "asserts"], &["forgets"]],
        &[&["<init>", "asserts"], &["<init>", "forgets"]],
    );
    check(
        &[&["hash new", "asserts"], &["asserts"], &["hash new", "asserts"]],
        &[&["<init>", "hash", "asserts"], &["<init>", "asserts"]],
    );
}

#[test]
fn a_failure_is_told_when_a_test_is_built_call_by_call() {
    let world = World::of([thrower()]);
    let found = told_failures(&world, THROWER, steps(&world, THROWER, &["asserts"]));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].origin.frame.line, 54);
}

fn exception(test: &UnitTest) -> String {
    match &test.failure.as_ref().expect("a failing test").kind {
        FailureKind::UnexpectedException { class, .. } => class.to_string(),
        FailureKind::Contract { contract, .. } => format!("{contract:?}"),
        FailureKind::Breach { breach, .. } => breach.to_string(),
    }
}

#[test]
fn a_search_reports_each_failure_once_and_minimized() {
    let world = World::of([thrower()]);
    let finished = finished(&world, THROWER, 5000);
    let mut found: Vec<_> =
        finished.failures.iter().map(|test| (exception(test), told(&test.case))).collect();
    found.sort();
    let case = |method: &str| vec!["<init>".to_owned(), method.to_owned()];
    assert_eq!(
        found,
        [
            ("java.lang.AssertionError".to_owned(), case("asserts")),
            ("java.lang.NullPointerException".to_owned(), case("forgets")),
            ("java.lang.StackOverflowError".to_owned(), case("overflows")),
        ]
    );
    // What is reported as wrong is not asserted as right.
    let asserted = |(test, _): &(UnitTest, _)| told(&test.case).contains(&"asserts".to_owned());
    assert!(!finished.tests.iter().any(asserted));
}

fn found_earlier(world: &World) -> Unexpected {
    let moves = vec![run(world, THROWER, &["hash new", "asserts"])];
    told_failures(world, THROWER, moves).remove(0)
}

#[test]
fn a_failure_of_an_earlier_worker_is_reported_if_it_is_still_there() {
    let world = World::of([thrower()]);
    let earlier = found_earlier(&world);
    let mut elsewhere = earlier.clone();
    elsewhere.origin.frame.line += 1;
    followed(&world, THROWER, Vec::new(), |driver, _| {
        driver.replay_failure(&earlier);
        driver.replay_failure(&elsewhere);
        assert_eq!(driver.executor.calls(), 0);
        let failures = finish_tests(driver, &world).failures;
        assert_eq!(failures.len(), 1);
        assert_eq!(told(&failures[0].case), ["<init>", "asserts"]);
    });
}

#[test]
fn a_failure_of_an_earlier_worker_is_not_told_again_unless_by_a_shorter_test() {
    let world = World::of([thrower()]);
    let earlier = found_earlier(&world);
    let api = api(&world, THROWER);
    let told_again = |calls: &[&str]| {
        let mut machine = Machine::new(&world);
        let mut driver = Driver::new(&mut machine, &api, &world, settings(1000));
        driver.replay_failure(&earlier);
        let mut script = crate::testing::Script::new(vec![run(&world, THROWER, calls)]);
        let mut told = 0;
        driver.run(&mut script, &mut |event| {
            told += u32::from(matches!(event, crate::Event::Failed(_)));
        });
        told
    };
    assert_eq!(told_again(&["hash new", "asserts"]), 0);
    assert_eq!(told_again(&["asserts"]), 1);
}

#[test]
fn no_more_causes_are_remembered_than_anyone_reads() {
    let world = World::of([thrower(), counter()]);
    let earlier = found_earlier(&world);
    let mut failures = super::Failures::new(Exceptions::default());
    for line in 0..2 * MAX_CAUSES as i32 {
        let mut other = earlier.clone();
        other.origin.frame.line = line;
        let is_new = failures.add(other).is_some();
        assert_eq!(is_new, (line as usize) < MAX_CAUSES);
    }
    assert_eq!(failures.take().len(), MAX_CAUSES);
}

/// Failures and noise of a class whose methods throw these, each called once.
fn left_out(name: &str, throws: Body, noise: Vec<Noise>) -> (usize, Vec<(Noise, u32)>) {
    let thrower =
        class(name).method("fails()V", throws).method("takes(Ljava/lang/Object;)V", throws);
    let world = World::of([thrower]);
    let api = api(&world, name);
    let mut machine = Machine::new(&world);
    let mut settings = settings(1000);
    settings.exceptions.noise = noise;
    let mut driver = Driver::new(&mut machine, &api, &world, settings);
    let mut itself = TestCase::default();
    let object = itself.call(&op(&world, name, "<init>"), &[]).expect("an object");
    itself.call(&op(&world, name, "takes"), &[object, object]);
    let moves = vec![run(&world, name, &["fails"]), Move::Run(std::sync::Arc::new(itself))];
    driver.run(&mut crate::testing::Script::new(moves), &mut |_| {});
    let finished = finish_tests(&mut driver, &world);
    (finished.failures.len(), finished.noise)
}

#[test]
fn noise_is_counted_and_reported_only_on_request() {
    let check = |name, throws: Body, kind: Noise, failures, noise| {
        let expected: Vec<_> = if noise > 0 { vec![(kind, noise)] } else { Vec::new() };
        assert_eq!(left_out(name, throws, Vec::new()), (failures, expected), "{name} {kind:?}");
        let all = failures + noise as usize;
        assert_eq!(left_out(name, throws, vec![kind]), (all, Vec::new()), "{name} {kind:?}");
    };
    let asserts: Body = |_, _| throw("AssertionError", 1);
    let overflows: Body = |_, _| throw("StackOverflowError", 2);
    let floods: Body = |_, _| throw("OutOfMemoryError", 3);
    check("a/T", asserts, Noise::Internal, 2, 0);
    check("a/internal/T", asserts, Noise::Internal, 0, 2);
    check("a/internals/T", asserts, Noise::Internal, 2, 0);
    check("a/T", overflows, Noise::SelfContaining, 1, 1);
    check("a/T", floods, Noise::Memory, 0, 2);
}

fn wrong_index(message: &'static str, line: i32) -> Result<Value, Halt> {
    let message = Some(message);
    Err(Halt::Throw { class: "ArrayIndexOutOfBoundsException", message, line })
}

#[test]
fn a_wrong_index_is_a_failure_if_no_number_was_given() {
    let careless = class("a/Careless")
        .method("first()V", |_, _| wrong_index("Index 0 out of bounds for length 0", 4))
        .method("at(I)V", |_, _| wrong_index("Index 7 out of bounds for length 0", 5))
        .method("checks()V", |_, _| wrong_index("there is none", 6));
    let world = World::of([careless]);
    let found = |call: &str| {
        let moves = vec![run(&world, "a/Careless", &[call])];
        told_failures(&world, "a/Careless", moves).len()
    };
    assert_eq!((found("first"), found("at 7"), found("checks")), (1, 0, 0));
}

#[test]
fn an_assertion_is_no_failure_if_it_speaks_of_what_the_caller_gave() {
    let asserts: Body = |_, _| throw("AssertionError", 4);
    let strict = class("a/Strict")
        .method("accepts(Ljava/lang/Object;)V", |_, args| match args[1] {
            Value::Null => throw("AssertionError", 3),
            _ => Ok(Value::Null),
        })
        .method("at(I)V", asserts)
        .method("add(I)V", |_, _| Ok(Value::Null))
        .method("rests()V", asserts);
    let world = World::of([strict]);
    let found = |calls: &[&str]| {
        told_failures(&world, "a/Strict", vec![run(&world, "a/Strict", calls)]).len()
    };
    assert_eq!(found(&["accepts null"]), 0);
    assert_eq!(found(&["at 7"]), 0);
    // The number went to another method: this one has promised to bear it.
    assert_eq!(found(&["add 7", "rests"]), 1);
    assert_eq!(found(&["rests"]), 1);
}

#[test]
fn a_field_that_has_a_setter_is_null_because_nobody_called_it() {
    let forgetful = |setter: &str| {
        class("a/Part").method(setter, |_, _| Ok(Value::Null)).method("runs()V", |_, _| {
            let message = Some("Cannot invoke \"a.B.c()\" because \"this.engine\" is null");
            Err(Halt::Throw { class: "NullPointerException", message, line: 4 })
        })
    };
    let found = |setter: &str, calls: &[&str]| {
        let world = World::of([forgetful(setter)]);
        let moves = vec![run(&world, "a/Part", calls)];
        followed(&world, "a/Part", moves, |driver, _| {
            let finished = finish_tests(driver, &world);
            (finished.failures.len(), finished.noise)
        })
    };
    assert_eq!(found("setEngine(I)V", &["runs"]), (0, vec![(Noise::Unset, 1)]));
    assert_eq!(found("start(I)V", &["runs"]), (1, vec![]));
}

#[test]
fn a_comment_says_why_an_exception_is_reported() {
    let world = World::of([thrower()]);
    let moves = vec![run(&world, THROWER, &["forgets"]), run(&world, THROWER, &["asserts"])];
    let said: Vec<String> = followed(&world, THROWER, moves, |driver, _| {
        let failures = finish_tests(driver, &world).failures;
        failures.into_iter().filter_map(|test| Some(test.failure?.explanation)).collect()
    });
    assert!(
        said[0].ends_with("a.Thrower.forgets (line 52), although no null was given"),
        "{said:?}"
    );
    assert!(said[1].ends_with(", which the code itself says must not happen"), "{said:?}");
}

/// How many failures there are if a method gets an array of these elements.
fn found_with_array(method: &str, element: &Type, elements: &[Literal]) -> usize {
    let decoder = class("a/Decoder")
        .method("fifth(Ljava/lang/Object;)V", |_, _| {
            wrong_index("Index 4 out of bounds for length 3", 4)
        })
        .method("second(Ljava/lang/Object;)V", |_, _| {
            wrong_index("Index 1 out of bounds for length 1", 5)
        })
        .method("last(Ljava/lang/Object;)V", |_, _| {
            wrong_index("Index -1 out of bounds for length 0", 6)
        })
        .method("none(Ljava/lang/Object;)V", |_, _| {
            wrong_index("Index -1 out of bounds for length 1", 7)
        });
    let world = World::of([decoder]);
    let mut case = case(&world, "a/Decoder", &[]);
    let object = case.calls[0].result.expect("an object");
    let values: Vec<_> =
        elements.iter().map(|value| case.literal(element.clone(), value.clone())).collect();
    let array = std::sync::Arc::new(Operation::array(element));
    let array = case.call(&array, &values).expect("an array");
    case.call(&op(&world, "a/Decoder", method), &[object, array]);
    told_failures(&world, "a/Decoder", vec![Move::Run(std::sync::Arc::new(case))]).len()
}

#[test]
fn numbers_in_an_array_are_given_too() {
    let char = Type::Primitive(Primitive::Char);
    assert_eq!(found_with_array("fifth", &char, &[Literal::Char(4)]), 0);
    assert_eq!(found_with_array("fifth", &Type::string(), &[Literal::String("a".into())]), 1);
}

#[test]
fn who_gives_an_array_with_too_few_elements_is_to_blame() {
    let one = [Literal::String("a".into())];
    assert_eq!(found_with_array("second", &Type::string(), &one), 0);
    assert_eq!(found_with_array("last", &Type::string(), &[]), 0);
    // No array has an element there.
    assert_eq!(found_with_array("none", &Type::string(), &one), 1);
}

#[test]
fn an_object_that_was_tampered_with_fails_nobody() {
    let table = class("a/Table")
        .member(PROTECTED, "rehash()V", |_, _| Ok(Value::Null))
        .member(PUBLIC, "sort()V", |_, _| Ok(Value::Null))
        .member(PUBLIC, "asserts()V", |_, _| throw("AssertionError", 5));
    let world = World::of([table]);
    let found = |calls: &[&str]| {
        told_failures(&world, "a/Table", vec![run(&world, "a/Table", calls)]).len()
    };
    assert_eq!(found(&["rehash", "asserts"]), 0);
    assert_eq!(found(&["sort", "asserts"]), 1);
}
