//! Minimizing by a purpose that is stated, without a machine.

use std::sync::Arc;

use model::{
    Answer, CallOutcome, ClassName, ClassSource, End, ImplementedMethod, Literal, Observation,
    Outcome, Primitive, Sketch, Slot, TestCase, Type,
};

use super::minimize;
use super::simpler::{shorten, values};
use crate::testing::classes::counter;
use crate::testing::machine::Value;
use crate::testing::world::{World, class};
use crate::testing::{api, case, op, told};

const COUNTER: &str = "a/Counter";

/// Nothing was seen of any call.
pub(super) fn unseen(case: &TestCase) -> Outcome {
    let calls = case.calls.iter();
    Outcome { calls: calls.map(|_| CallOutcome { end: End::NotRun, effects: vec![] }).collect() }
}

fn check(calls: &[&str], purpose: impl Fn(&[String]) -> bool, expected: &[&str]) {
    let world = World::of([counter()]);
    let case = case(&world, COUNTER, calls);
    let shortest = minimize(&case, &unseen(&case), &api(&world, COUNTER), &world, |candidate| {
        purpose(&told(candidate))
    });
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
        &["<init>", "add 3", "add 3", "get"],
    );
}

#[test]
fn calls_that_simpler_arguments_make_superfluous_are_dropped() {
    let purpose = |calls: &[String]| match calls.last().unwrap().as_str() {
        "add 3" => true,
        "add 9" => calls.len() == 3,
        _ => false,
    };
    check(&["add 5", "add 9"], purpose, &["<init>", "add 3"]);
}

#[test]
fn a_test_that_needs_everything_stays_as_it_is() {
    let all = ["<init>", "add 5", "get"];
    check(&["add 5", "get"], |calls| calls == all, &all);
}

#[test]
fn of_simple_literals_the_most_telling_one_that_does_is_taken() {
    check(&["add 5"], |_| true, &["<init>", "add 3"]);
    check(&["add 1"], |_| true, &["<init>", "add 3"]);
    check(&["add 5"], |calls| calls.last().unwrap() != "add 3", &["<init>", "add 2"]);
    let is_small = |calls: &[String]| ["add 0", "add 1"].contains(&&**calls.last().unwrap());
    check(&["add 0"], is_small, &["<init>", "add 1"]);
    let values = |literal: &Literal, place| values(literal, &Type::string(), place);
    assert_eq!(values(&Literal::Int(3), None), []);
    assert_eq!(values(&Literal::Int(9), Some(2)), [Literal::Int(2), Literal::Int(0)]);
    assert_eq!(values(&Literal::Boolean(false), None), [Literal::Boolean(true)]);
    assert_eq!(values(&Literal::Boolean(true), None), []);
    assert_eq!(values(&Literal::String("Abc".into()), None), []);
    assert_eq!(values(&Literal::Null, None), [Literal::String("Abc".into())]);
    let longer = ["Abc", "abc"].map(|text| Literal::String(text.into()));
    assert_eq!(values(&Literal::String("a".into()), None), longer);
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
    let [a, b] = ["Abc", "Def"].map(|text| Literal::String(text.into()));
    let api = api(&world, "a/Pair");
    let differing = minimize(&case, &unseen(&case), &api, &world, |_| true);
    let (three, five, two) = (Literal::Int(3), Literal::Long(5), Literal::Int(2));
    let all = [three.clone(), a.clone(), five.clone(), b, two.clone()];
    assert_eq!(given(&differing), all);
    let alike = |case: &TestCase| given(case)[1] == given(case)[3];
    let with_equal_texts = minimize(&case, &unseen(&case), &api, &world, alike);
    assert_eq!(given(&with_equal_texts), [three, a.clone(), five, a, two]);
}

#[test]
fn literals_that_must_be_alike_are_simplified_together() {
    let alike = |calls: &[String]| calls.len() == 3 && calls[1] == calls[2];
    check(&["add 77", "add 77"], alike, &["<init>", "add 3", "add 3"]);
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
    let shortest = minimize(&case, &unseen(&case), &api(&world, COUNTER), &world, ends_in_get);
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
    let shortest = minimize(&case, &outcome, &api(&world, COUNTER), &world, adds_42);
    assert_eq!(told(&shortest), ["<init>", "add 42"]);
    assert_eq!(*shortest.ty(Slot(1)), Type::INT);
}

#[test]
fn a_purpose_that_is_never_met_changes_nothing() {
    let world = World::of([counter()]);
    let case = case(&world, COUNTER, &["add 5", "get"]);
    let left = minimize(&case, &unseen(&case), &api(&world, COUNTER), &world, |_| false);
    assert_eq!(told(&left), told(&case));
}

#[test]
fn a_mock_keeps_only_the_answers_that_the_purpose_needs() {
    let world = World::of([counter()]);
    let mut sketch = Sketch::mock(ClassName::internal("a/Shop"), true);
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
    let shortest = minimize(&case, &unseen(&case), &api(&world, COUNTER), &world, needed);
    assert_eq!(shortest.calls[0].op.to_string(), "mock a.Shop { stock: int }");
    assert_eq!(shortest.calls[0].args.len(), 1);
}

#[test]
fn a_text_is_passed_to_the_overload_that_takes_texts() {
    let page = class("a/Page")
        .constructor("(Ljava/lang/Object;)V", |_, _| Ok(Value::Null))
        .constructor("(Ljava/lang/String;)V", |_, _| Ok(Value::Null))
        .method("add(Ljava/lang/Object;)V", |_, _| Ok(Value::Null))
        .method("add(Ljava/lang/String;)V", |_, _| Ok(Value::Null));
    let world = World::of([page]);
    let made = world.class(&ClassName::internal("a/Page")).expect("the class");
    let of_object = |at: usize| Arc::new(model::Operation::of_method(&made, &made.methods[at]));
    let mut case = TestCase::default();
    let text = case.literal(Type::string(), Literal::String("Abc".into()));
    let page = case.call(&of_object(1), &[text]).expect("an object");
    case.call(&of_object(3), &[page, text]);
    let plain = minimize(&case, &unseen(&case), &api(&world, "a/Page"), &world, |_| true);
    assert_eq!(plain.calls[0].op.params, [Type::string()]);
    // What the test is about stays as it is.
    assert_eq!(plain.calls[1].op, case.calls[1].op);
}
