//! What mocks are asked and answer.

use model::{Interaction, Literal, Observation, Slot, TestCase, Type};

use crate::Case;
use crate::child::{Child, boxed, constructor, method, run_case, text};

pub const CASES: &[Case] = &[
    ("calls_on_mocks_are_noted_with_what_they_pass", &[], noted),
    ("calls_on_mocks_from_other_threads_spoil_the_notes", &[], elsewhere),
    ("a_null_that_a_mock_answers_is_told_of_the_last_call", &[], nulls),
];

/// A test that asks a mock, and then calls one of its methods with another object.
fn asking(last: &str) -> (TestCase, Slot, Slot) {
    let mut case = TestCase::default();
    let mock = case.call(&constructor("Asked", "()V"), &[]).expect("an object");
    let other = case.call(&constructor("Counter", "()V"), &[]).expect("an object");
    let number = case.literal(Type::parse("J").expect("a type"), Literal::Long(7));
    let ask = method("Asked", "ask", "(Ljava/lang/Object;J)Ljava/lang/Object;");
    case.call(&ask, &[mock, other, number]);
    case.call(&method("Asked", last, "(Ljava/lang/Object;)V"), &[mock, other]);
    (case, mock, other)
}

fn noted(child: &Child) {
    let mut executor = child.executor();
    executor.expect_mocks();
    let (case, mock, other) = asking("askTwice");
    let counter = Observation::Object { class: "fixture/Counter".into(), views: Vec::new() };
    let asked = |what: (Observation, Option<Slot>), number: i64, is_of_last| {
        let args = vec![what, (boxed(Literal::Long(number)), None)];
        Interaction { mock, method: 3, args, is_of_last }
    };
    let expected = vec![
        asked((counter.clone(), Some(other)), 7, false),
        asked((counter, Some(other)), 1, true),
        asked((text("text"), None), 2, true),
    ];
    for _ in 0..2 {
        executor.note_mocks(true);
        run_case(&mut executor, &case);
        assert_eq!(executor.interactions(), Some(expected.clone()));
        executor.note_mocks(false);
        executor.end();
        run_case(&mut executor, &case);
        assert_eq!(executor.interactions(), Some(Vec::new()), "nobody wants to know");
        executor.end();
    }
}

fn elsewhere(child: &Child) {
    let mut executor = child.executor();
    executor.expect_mocks();
    executor.note_mocks(true);
    run_case(&mut executor, &asking("askElsewhere").0);
    assert_eq!(executor.interactions(), None);
    run_case(&mut executor, &asking("askTwice").0);
    assert_eq!(executor.interactions().map(|all| all.len()), Some(3));
}

fn nulls(child: &Child) {
    let mut executor = child.executor();
    executor.expect_mocks();
    let (mut case, ..) = asking("askTwice");
    run_case(&mut executor, &case);
    assert!(executor.mocks_gave_null());
    case.call(&constructor("Counter", "()V"), &[]);
    run_case(&mut executor, &case);
    assert!(!executor.mocks_gave_null());
}
