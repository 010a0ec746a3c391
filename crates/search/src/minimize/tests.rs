//! Minimizing by a purpose that is stated, without a machine.

use std::sync::Arc;

use model::{
    Answer, CallOutcome, ClassName, End, ImplementedMethod, Literal, Observation, Outcome,
    Primitive, Sketch, Slot, TestCase, Type,
};

use super::minimize;
use super::simpler::{shorten, values};
use crate::testing::classes::counter;
use crate::testing::machine::Value;
use crate::testing::world::{World, class};
use crate::testing::{case, op, told};

const COUNTER: &str = "a/Counter";

/// Nothing was seen of any call.
fn unseen(case: &TestCase) -> Outcome {
    let calls = case.calls.iter();
    Outcome { calls: calls.map(|_| CallOutcome { end: End::NotRun, effects: vec![] }).collect() }
}

fn check(calls: &[&str], purpose: impl Fn(&[String]) -> bool, expected: &[&str]) {
    let world = World::of([counter()]);
    let case = case(&world, COUNTER, calls);
    let shortest = minimize(&case, &unseen(&case), &world, |candidate| purpose(&told(candidate)));
    assert_eq!(told(&shortest), expected);
    shortest.check(&world).expect("a well-formed test");
}

#[test]
fn calls_that_the_purpose_does_not_need_are_dropped() {
    check(&["add 5", "get", "add 6", "get"], |_| true, &["<init>", "get"]);
    let adds = |calls: &[String]| calls.iter().filter(|call| call.starts_with("add")).count();
    check(
        &["get", "add 5", "get", "add 6", "get"],
        |calls| adds(calls) == 2,
        &["<init>", "add 1", "add 1", "get"],
    );
}

#[test]
fn a_test_that_needs_everything_stays_as_it_is() {
    let all = ["<init>", "add 5", "get"];
    check(&["add 5", "get"], |calls| calls == all, &all);
}

#[test]
fn the_simplest_literal_that_does_is_taken() {
    check(&["add 5"], |_| true, &["<init>", "add 1"]);
    check(&["add 5"], |calls| calls.last().unwrap() != "add 1", &["<init>", "add 0"]);
    check(&["add 1"], |_| true, &["<init>", "add 1"]);
    assert_eq!(values(&Literal::Int(1), None), []);
    assert_eq!(values(&Literal::Int(0), None), [Literal::Int(1)]);
    assert_eq!(values(&Literal::Int(9), Some(2)), [Literal::Int(3), Literal::Int(0)]);
    assert_eq!(values(&Literal::String("a".into()), None), []);
}

#[test]
fn arguments_of_a_call_that_may_differ_do() {
    let pair = class("a/Pair")
        .method("set(ILjava/lang/String;JLjava/lang/String;I)V", |_, _| Ok(Value::Null));
    let world = World::of([pair]);
    let mut case = TestCase::default();
    let object = case.call(&op(&world, "a/Pair", "<init>"), &[]).unwrap();
    let one = case.literal(Type::Primitive(Primitive::Int), Literal::Int(7));
    let two = case.literal(Type::Primitive(Primitive::Long), Literal::Long(7));
    let text = case.literal(Type::string(), Literal::String("some".into()));
    case.call(&op(&world, "a/Pair", "set"), &[object, one, text, two, text, one]);
    let given = |case: &TestCase| -> Vec<Literal> {
        let args = case.calls[1].args[1..].iter();
        args.map(|slot| case.slots[slot.index()].init.clone().expect("a literal")).collect()
    };
    let (a, b): (Literal, Literal) = (Literal::String("a".into()), Literal::String("b".into()));
    let differing = minimize(&case, &unseen(&case), &world, |_| true);
    let (two, three) = (Literal::Long(2), Literal::Int(3));
    assert_eq!(given(&differing), [Literal::Int(1), a.clone(), two.clone(), b, three]);
    let alike = |case: &TestCase| given(case)[1] == given(case)[3];
    let with_equal_texts = minimize(&case, &unseen(&case), &world, alike);
    assert_eq!(given(&with_equal_texts), [Literal::Int(1), a.clone(), two, a, Literal::Int(3)]);
}

#[test]
fn literals_that_must_be_alike_are_simplified_together() {
    let alike = |calls: &[String]| calls.len() == 3 && calls[1] == calls[2];
    check(&["add 77", "add 77"], alike, &["<init>", "add 1", "add 1"]);
}

#[test]
fn a_text_keeps_only_what_is_needed_of_it() {
    let mut shortest = None;
    shorten(&"one, two; three".into(), |text| {
        let good = text.to_string().contains("o;");
        if good {
            shortest = Some(text.to_string());
        }
        good
    });
    assert_eq!(shortest.as_deref(), Some("o;"));
    shorten(&"a".into(), |_| panic!("one character is short enough"));
}

#[test]
fn an_object_that_an_older_one_can_stand_for_is_dropped() {
    let world = World::of([counter()]);
    let mut case = case(&world, COUNTER, &["add 5"]);
    let second = case.call(&op(&world, COUNTER, "<init>"), &[]).unwrap();
    case.call(&op(&world, COUNTER, "get"), &[second]);
    let ends_in_get = |candidate: &TestCase| told(candidate).last().unwrap() == "get";
    let shortest = minimize(&case, &unseen(&case), &world, ends_in_get);
    assert_eq!(told(&shortest), ["<init>", "get"]);
}

#[test]
fn a_value_that_was_seen_is_written_down_in_place_of_the_call() {
    let world = World::of([counter()]);
    let mut case = case(&world, COUNTER, &["get"]);
    let (object, read) = (case.calls[0].result.unwrap(), case.calls[1].result.unwrap());
    case.call(&op(&world, COUNTER, "add"), &[object, read]);
    let mut outcome = unseen(&case);
    let value = Literal::Int(42);
    outcome.calls[1].end = End::Returned(Observation::Value { value, boxed: false });
    // Whatever is added, as long as it is the number that was read.
    let adds_42 = |candidate: &TestCase| {
        let added = candidate.calls.last().unwrap().args[1];
        let init = &candidate.slots[added.index()].init;
        init.is_none() || *init == Some(Literal::Int(42))
    };
    let shortest = minimize(&case, &outcome, &world, adds_42);
    assert_eq!(told(&shortest), ["<init>", "add 42"]);
    assert_eq!(*shortest.ty(Slot(1)), Type::INT);
}

#[test]
fn a_purpose_that_is_never_met_changes_nothing() {
    let world = World::of([counter()]);
    let case = case(&world, COUNTER, &["add 5", "get"]);
    let left = minimize(&case, &unseen(&case), &world, |_| false);
    assert_eq!(told(&left), told(&case));
}

#[test]
fn a_mock_keeps_only_the_answers_that_the_purpose_needs() {
    let world = World::of([counter()]);
    let mut sketch = Sketch {
        of: ClassName::internal("a/Shop"),
        is_interface: true,
        is_mock: true,
        given: Vec::new(),
        captured: Vec::new(),
        methods: Vec::new(),
    };
    let thrown = Answer::Throws(ClassName::internal("java/io/IOException"));
    let answers = [("open", None), ("price", Some(Type::INT)), ("stock", Some(Type::INT))];
    for (name, result) in answers {
        let answer = result.clone().map_or_else(|| thrown.clone(), |ty| sketch.capture(ty));
        let name = name.into();
        sketch.methods.push(ImplementedMethod { name, params: vec![], result, answer });
    }
    let mut case = TestCase::default();
    let args = [5, 6].map(|number| case.literal(Type::INT, Literal::Int(number)));
    let shop = case.call(&Arc::new(sketch.operation("a")), &args).expect("an object");
    case.call(&Arc::new(model::Operation::array(&Type::object())), &[shop]);
    let needed = |candidate: &TestCase| {
        let text = candidate.calls[0].op.to_string();
        text.contains("stock") && candidate.calls.last().is_some_and(|last| last.args.len() == 1)
    };
    let shortest = minimize(&case, &unseen(&case), &world, needed);
    assert_eq!(shortest.calls[0].op.to_string(), "mock a.Shop { stock: int }");
    assert_eq!(shortest.calls[0].args.len(), 1);
}
