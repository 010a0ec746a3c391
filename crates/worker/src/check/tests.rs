use model::{Check, CheckKind, Expectation, Literal, Observation, Operation, OperationKind, Slot};
use model::{TestCase, Type};

use super::*;
use crate::answer::Failed;
use crate::scratch::Scratch;

/// A test of two assertions on what a call returns, written as the lines 2 and 3.
fn suite(scratch: &Scratch) -> (Checked, Written) {
    let mut case = TestCase::default();
    let receiver = case.literal(Type::class("a/B"), Literal::Null);
    let op = Operation {
        kind: OperationKind::InstanceMethod,
        owner: ClassName::internal("a/B"),
        name: "size".into(),
        params: Vec::new(),
        result: Some(Type::INT),
        implementation: None,
    };
    case.call(&Arc::new(op), &[receiver]);
    let seen = || Observation::Value { value: Literal::Int(1), boxed: false };
    let holds = |slot| Check { after: 0, kind: CheckKind::Holds(Slot(slot), seen()) };
    let test = UnitTest {
        case,
        subject: 0,
        expectation: Expectation::Returns,
        checks: vec![holds(0), holds(1)],
        failure: None,
    };
    let class = ClassName::internal("a/B");
    let suite = Checked { tests: vec![test], survivors: vec![0], ..Checked::nothing(&class) };
    let source = Source {
        package: "a".to_owned(),
        class_name: "BTest".to_owned(),
        path: "a/BTest.java".to_owned(),
        text: "    void t() {\n        assertA();\n        assertB();\n    }\n}\n".to_owned(),
        tests: vec![Some("t".to_owned())],
        rejected: Vec::new(),
    };
    let classes = scratch.passing("classes").expect("a folder");
    (suite, Written { tests: vec![0], source, classes })
}

fn failed(line: u32) -> TestEnd {
    let exception = "org.opentest4j.AssertionFailedError".to_owned();
    TestEnd::Failed(Failed { exception, line: Some(line), ..Failed::default() })
}

/// What is left of the test where it ended so: elsewhere, and there again, if that is said. The
/// assertions that are left, those that were left out, and why it was dropped.
fn check(end: TestEnd, again: Option<TestEnd>, expected: (usize, u32, Option<Fate>)) {
    let scratch = Scratch::new().expect("a folder");
    let (mut suite, written) = suite(&scratch);
    let told = format!("{end:?} {again:?}");
    let again = again.map(|end| [(0, end)]);
    let elsewhere = again.as_ref().map(|again| Elsewhere { depends: "depends", again });
    suite.drop_bad_one(&written, &(0, end), elsewhere);
    let fate = suite.lost.first().map(|(_, fate)| *fate);
    let found = (suite.tests[0].checks.len(), suite.lost_assertions(), fate);
    assert_eq!(found, expected, "{told}");
    assert_eq!(suite.dropped.total(), u32::from(fate.is_some()), "{told}");
    assert_eq!(suite.notes.len(), 1, "{told}");
}

#[test]
fn what_fails_where_it_was_found_is_dropped_whole() {
    check(failed(2), None, (2, 0, Some(Fate::Unreproducible)));
    check(TestEnd::TimedOut, None, (2, 0, Some(Fate::Unreproducible)));
}

#[test]
fn what_fails_elsewhere_each_time_loses_that_assertion() {
    check(failed(2), Some(failed(2)), (1, 1, None));
    check(failed(3), Some(failed(3)), (1, 1, None));
}

#[test]
fn what_differs_between_two_runs_that_are_alike_is_dropped_whole() {
    check(failed(2), Some(TestEnd::Passed), (2, 0, Some(Fate::Unreproducible)));
    check(failed(2), Some(failed(3)), (2, 0, Some(Fate::Unreproducible)));
    check(failed(2), Some(TestEnd::TimedOut), (2, 0, Some(Fate::Unreproducible)));
}

#[test]
fn what_fails_elsewhere_in_no_assertion_is_dropped_whole() {
    check(failed(1), Some(failed(1)), (2, 0, Some(Fate::Environment)));
}

#[test]
fn assertions_of_tests_that_are_dropped_are_not_counted() {
    let scratch = Scratch::new().expect("a folder");
    let (mut suite, written) = suite(&scratch);
    let again = [(0, failed(3))];
    let elsewhere = Elsewhere { depends: "depends", again: &again };
    suite.drop_bad_one(&written, &(0, failed(3)), Some(elsewhere));
    assert_eq!(suite.lost_assertions(), 1);
    suite.lose(&[0], Fate::StaticState);
    assert_eq!(suite.lost_assertions(), 0);
}

#[test]
fn a_test_to_be_written_anew_is_not_judged_by_what_was_written() {
    let scratch = Scratch::new().expect("a folder");
    let (mut suite, written) = suite(&scratch);
    let ends = [(0, failed(2))];
    assert_eq!(suite.bad(&written, &ends), ends);
    let elsewhere = Elsewhere { depends: "depends", again: &ends };
    suite.drop_bad_one(&written, &ends[0], Some(elsewhere));
    assert_eq!(suite.bad(&written, &ends), []);
}
