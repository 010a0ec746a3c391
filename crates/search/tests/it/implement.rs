//! What tests write on the spot.

use model::{OperationKind, Type};
use search::Api;

use crate::fixture::{api, api_with_implementations};

fn written(api: &Api, class: &str) -> Vec<String> {
    let is_written = |op: &&std::sync::Arc<model::Operation>| {
        op.kind == OperationKind::Implement && op.result == Some(Type::class(class))
    };
    let all = api.erased_operations().map(|op| api.operation(op));
    all.filter(is_written).map(ToString::to_string).collect()
}

/// What is written for a type that the keeper wants.
fn check(class: &str, expected: &[&str]) {
    let api = api_with_implementations("Keeper");
    assert_eq!(written(&api, class), expected, "{class}");
}

#[test]
fn a_lambda_answers_what_the_signature_says() {
    check(
        "java/util/function/Supplier",
        &[
            "new java.util.function.Supplier() { get: java.lang.String }",
            "new java.util.function.Supplier() { get: java.lang.Integer }",
            "new java.util.function.Supplier() { get: java.lang.Object }",
        ],
    );
    check(
        "zoo/Keeper$Loud",
        &["new zoo.Keeper$Loud() { get: java.lang.String; get: java.lang.String }"],
    );
    check("java/util/Comparator", &["new java.util.Comparator() { compare: int }"]);
}

#[test]
fn a_lambda_returns_an_argument_where_one_fits() {
    check(
        "java/util/function/UnaryOperator",
        &[
            "new java.util.function.UnaryOperator() { apply: java.lang.Integer }",
            "new java.util.function.UnaryOperator() { apply: argument 1 }",
            "new java.util.function.UnaryOperator() { apply: java.lang.Number }",
        ],
    );
    // A text is no number.
    let api = api_with_implementations("Keeper");
    let map = api.subjects().iter().find(|op| &*api.operation(**op).name == "map").expect("it");
    let makers = api.makers(api.params(*map)[1]).iter();
    let functions: Vec<String> = makers.map(|op| api.operation(*op).to_string()).collect();
    assert!(functions.iter().any(|f| f.ends_with("Function() { apply: java.lang.Integer }")));
    assert!(!functions.iter().any(|f| f.contains("Function() { apply: argument")), "{functions:?}");
}

#[test]
fn a_lambda_throws_what_its_method_declares_and_answers_nothing_for_void() {
    check(
        "java/util/concurrent/Callable",
        &[
            "new java.util.concurrent.Callable() { call: java.lang.String }",
            "new java.util.concurrent.Callable() { call throws java.lang.Exception }",
        ],
    );
    check("java/lang/Runnable", &["new java.lang.Runnable() { run }"]);
}

#[test]
fn what_nobody_implements_is_written_whole() {
    check(
        "zoo/Keeper$Plan",
        &["new zoo.Keeper$Plan(java.lang.String) { steps: int; goal: java.lang.String }"],
    );
    check(
        "zoo/Keeper$Visit",
        &["new zoo.Keeper$Visit() { begin: java.lang.String; end: boolean }"],
    );
    check("zoo/Keeper$Marker", &["new zoo.Keeper$Marker() { }"]);
    check("zoo/Keeper$Wide", &["new zoo.Keeper$Wide() { widen: java.lang.Number }"]);
}

#[test]
fn what_cannot_be_written_or_need_not_be_is_not() {
    for class in [
        "zoo/Keeper$Sealed",
        "zoo/Keeper$Hidden",
        "zoo/Keeper$Huge",
        // Texts and numbers are.
        "java/lang/Comparable",
    ] {
        check(class, &[]);
    }
}

#[test]
fn an_abstract_class_under_test_is_extended_whoever_else_does() {
    let api = api_with_implementations("Keeper$Plan");
    let plans = written(&api, "zoo/Keeper$Plan");
    assert_eq!(plans.len(), 1, "{plans:?}");
    // The owl has overridden what is under test, and takes no number of wings.
    let birds = written(&api_with_implementations("Animals$Bird"), "zoo/Animals$Bird");
    assert_eq!(birds, ["new zoo.Animals$Bird(int) { fly }"]);
    // As an argument an owl will do.
    let birds = written(&api_with_implementations("Animals$Feeder"), "zoo/Animals$Bird");
    assert_eq!(birds, Vec::<String>::new());
}

#[test]
fn an_interface_that_is_mostly_implemented_is_completed() {
    check("zoo/Keeper$PlainTour", &["new zoo.Keeper$PlainTour() { guide: java.lang.String }"]);
    let api = api_with_implementations("Keeper");
    let tour = api.operations().find(|op| &*api.operation(*op).name == "follow").expect("it");
    assert!(!api.makers(api.params(tour)[1]).is_empty(), "nothing makes a tour");
}

#[test]
fn nothing_is_written_unless_asked_for() {
    let api = api("Keeper");
    let is_written = |op: &search::OpId| api.operation(*op).kind == OperationKind::Implement;
    assert_eq!(api.operations().filter(is_written).count(), 0);
}

#[test]
fn what_is_written_has_the_same_name_every_time() {
    let names = || {
        let api = api_with_implementations("Keeper");
        let classes = api.operations().map(|op| api.operation(op).made_class().clone());
        classes.collect::<Vec<_>>()
    };
    assert_eq!(names(), names());
}
