use std::sync::Arc;

use model::{
    Asserted, Breach, BreachKind, Check, Claim, ClassName, Failure, Literal, Observation,
    Operation, OperationKind, Restated, Slot, TestCase, Type, Verified,
};

use super::*;

fn frame(class: &str, method: &str, line: i32) -> Frame {
    Frame { class: ClassName::binary(class), method: method.into(), line }
}

fn test(kind: Option<FailureKind>, checks: Vec<CheckKind>) -> UnitTest {
    let mut case = TestCase::default();
    let receiver = case.literal(Type::class("a/B"), Literal::Null);
    case.literal(Type::class("a/B"), Literal::Null);
    let op = Operation {
        kind: OperationKind::InstanceMethod,
        owner: ClassName::internal("a/B"),
        name: "size".into(),
        params: vec![Type::class("a/B")],
        result: Some(Type::INT),
        implementation: None,
    };
    case.call(&Arc::new(op), &[receiver]);
    UnitTest {
        case,
        subject: 0,
        expectation: Expectation::Returns,
        checks: checks.into_iter().map(|kind| Check { after: 0, kind }).collect(),
        failure: kind.map(|kind| Failure {
            kind,
            explanation: String::new(),
            cause: model::Cause::default(),
        }),
    }
}

/// A method `t` of two assertions, on the lines 2 and 3.
fn statements() -> Statements {
    Statements::of("    void t() {\n        assertA();\n        assertB();\n    }\n}\n", "t")
}

fn failed(exception: &str, frames: &[Frame], line: u32, called: &str) -> TestEnd {
    TestEnd::Failed(Failed {
        exception: exception.to_owned(),
        message: String::new(),
        frames: frames.to_vec(),
        line: (line > 0).then_some(line),
        called: called.to_owned(),
    })
}

#[test]
fn a_passing_test_passes() {
    let passing = test(None, Vec::new());
    assert!(is_as_expected(&passing, &statements(), &TestEnd::Passed));
    assert!(!is_as_expected(&passing, &statements(), &TestEnd::TimedOut));
    let failing = failed("java.lang.Error", &[], 2, "size");
    assert!(!is_as_expected(&passing, &statements(), &failing));
}

#[test]
fn an_unexpected_exception_comes_from_the_place_that_the_comment_names() {
    let check = |place: Option<Frame>, exception: &str, frames: &[Frame], expected: bool| {
        let class = ClassName::internal("java/lang/NullPointerException");
        let failing = test(Some(FailureKind::UnexpectedException { class, place }), Vec::new());
        let end = failed(exception, frames, 2, "size");
        assert_eq!(is_as_expected(&failing, &statements(), &end), expected, "{frames:?}");
    };
    let npe = "java.lang.NullPointerException";
    let place = || Some(frame("a.B", "size", 7));
    let jdk = frame("java.util.Objects", "hash", 3);
    check(place(), npe, &[frame("a.B", "size", 7)], true);
    check(place(), npe, &[jdk.clone(), frame("a.B", "size", 7)], true);
    check(Some(jdk.clone()), npe, &[jdk, frame("a.B", "size", 7)], true);
    check(place(), npe, &[frame("a.B", "size", 8)], false);
    check(place(), npe, &[frame("a.B", "<init>", 7)], false);
    check(place(), npe, &[frame("a.C", "size", 7), frame("a.B", "size", 7)], false);
    check(place(), npe, &[], false);
    check(place(), "java.lang.Error", &[frame("a.B", "size", 7)], false);
    check(None, npe, &[frame("a.C", "other", 1)], true);
}

#[test]
fn a_broken_law_shows_in_the_last_assertion() {
    let check = |contract: Contract, end: TestEnd, expected: bool| {
        let kind = FailureKind::Contract { contract, slots: vec![Slot(0)] };
        let failing = test(Some(kind), Vec::new());
        assert_eq!(is_as_expected(&failing, &statements(), &end), expected, "{contract:?} {end:?}");
    };
    let junit = [frame("org.junit.jupiter.api.AssertionFailureBuilder", "build", 1)];
    let own = [frame("a.B", "equals", 4)];
    let assertion = "org.opentest4j.AssertionFailedError";
    check(Contract::EqualsHashCode, failed(assertion, &junit, 3, "assertEquals"), true);
    // The premise is not what is wrong.
    check(Contract::EqualsHashCode, failed(assertion, &junit, 2, "assertTrue"), false);
    // Nor is an assertion of the class itself.
    check(Contract::EqualsHashCode, failed("java.lang.AssertionError", &own, 3, "equals"), false);
    check(Contract::EqualsHashCode, TestEnd::Passed, false);
    check(Contract::EqualsReturns, failed("java.lang.Error", &own, 3, "equals"), true);
    check(Contract::EqualsReturns, failed("java.lang.Error", &own, 3, "<init>"), false);
    check(Contract::EqualsReturns, failed("java.lang.Error", &own, 2, "equals"), false);
    check(Contract::HashCodeReturns, failed("java.lang.Error", &own, 3, "equals"), false);
    let overflow = "java.lang.StackOverflowError";
    check(Contract::EqualsReturns, failed(overflow, &own, 0, ""), true);
    check(Contract::ToStringReturns, failed(overflow, &own, 0, ""), false);
}

#[test]
fn a_broken_clause_shows_in_one_of_its_assertions_or_in_the_exception_it_forbids() {
    let claim = || Claim { asserted: Asserted::True, of: vec![Vec::new()] };
    let check = |claims: Option<usize>, end: TestEnd, expected: bool| {
        let breach = Breach { kind: BreachKind::Postcondition, clause: 7 };
        let claims = claims.map(|count| (0..count).map(|_| claim()).collect());
        let restated = claims.map(|claims| Box::new(Restated { claims, ..Restated::default() }));
        let failing = test(Some(FailureKind::Breach { breach, restated }), Vec::new());
        assert_eq!(is_as_expected(&failing, &statements(), &end), expected, "{end:?}");
    };
    let assertion = "org.opentest4j.AssertionFailedError";
    let junit = [frame("org.junit.jupiter.api.AssertionFailureBuilder", "build", 1)];
    let own = [frame("a.B", "size", 4)];
    check(Some(1), failed(assertion, &junit, 3, "assertTrue"), true);
    check(Some(1), failed(assertion, &junit, 2, "assertTrue"), false);
    check(Some(2), failed(assertion, &junit, 2, "assertTrue"), true);
    check(Some(2), failed("java.lang.IllegalStateException", &own, 3, "size"), false);
    check(Some(2), TestEnd::Passed, false);
    // The clause forbids the exception.
    check(Some(0), failed("java.lang.IllegalStateException", &own, 3, "size"), true);
    check(Some(0), failed("java.lang.AssertionError", &own, 3, "size"), true);
    check(Some(0), failed("java.lang.IllegalStateException", &own, 2, "size"), false);
    check(Some(0), failed(assertion, &junit, 3, "assertTrue"), false);
    // What the clause says is more than a `long` can hold.
    let math = [frame("java.lang.Math", "addExact", 9), frame("a.BTest", "t", 3)];
    check(Some(1), failed("java.lang.ArithmeticException", &math, 3, "addExact"), true);
    check(Some(1), failed("java.lang.ArithmeticException", &math, 3, "size"), false);
    check(None, failed(assertion, &junit, 3, "assertTrue"), true);
}

#[test]
fn an_assertion_is_spared_if_another_one_tells_of_the_subject() {
    let seen = || Observation::Value { value: Literal::Int(1), boxed: false };
    let (receiver, other, result) = (Slot(0), Slot(1), Slot(2));
    let holds = |slot| CheckKind::Holds(slot, seen());
    let check = |checks: Vec<CheckKind>, line: u32, expected: Option<usize>| {
        let end = failed("org.opentest4j.AssertionFailedError", &[], line, "assertEquals");
        let spared = spare_check(&test(None, checks.clone()), &statements(), &end);
        assert_eq!(spared, expected, "{checks:?} {line}");
    };
    check(vec![holds(result), holds(receiver)], 2, Some(0));
    check(vec![holds(result), holds(receiver)], 3, Some(1));
    check(vec![holds(result), CheckKind::NotNull(result)], 2, None);
    check(vec![holds(result), CheckKind::NotNull(result)], 3, Some(1));
    check(vec![holds(result), holds(other)], 2, None);
    // A call of the test throws, or its source has assertions that are no checks.
    check(vec![holds(result), holds(receiver)], 1, None);
    check(vec![holds(result)], 2, None);
}

#[test]
fn what_is_verified_of_a_mock_is_spared_like_an_assertion() {
    let source = "    void t() {\n        assertA();\n        verify(a).b();\n    }\n}\n";
    let statements = Statements::of(source, "t");
    let method = test(None, Vec::new()).case.calls[0].op.clone();
    let verified = Verified { mock: Slot(1), method, args: Vec::new(), times: 1 };
    let verified = || CheckKind::Verified(verified.clone());
    let end =
        |line| failed("org.mockito.exceptions.verification.WantedButNotInvoked", &[], line, "");
    let seen = Observation::Value { value: Literal::Int(1), boxed: false };
    let both = test(None, vec![CheckKind::Holds(Slot(2), seen), verified()]);
    assert_eq!(spare_check(&both, &statements, &end(3)), Some(1));
    assert_eq!(spare_check(&both, &statements, &end(2)), Some(0), "it tells of the subject");
    // That the call throws stands before it, and is no check.
    let mut throwing = test(None, vec![verified()]);
    assert_eq!(spare_check(&throwing, &statements, &end(3)), None);
    throwing.expectation = Expectation::Throws(ClassName::internal("java/lang/Error"));
    assert_eq!(spare_check(&throwing, &statements, &end(3)), Some(0));
    assert_eq!(spare_check(&throwing, &statements, &end(2)), None);
}
