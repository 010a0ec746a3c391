//! Arrays: made from slots, passed, changed by Java, observed.

use std::sync::Arc;

use model::{ClassName, Literal, Observation, Operation, Primitive, TestCase, Type};

use crate::Case;
use crate::child::{Child, boxed, call, plain, run_case, static_method, text};
use crate::values::edges;

pub const CASES: &[Case] = &[
    ("arrays_of_every_primitive_hold_their_elements", &[], primitives),
    ("arrays_of_objects_hold_their_elements", &[], objects),
    ("arrays_are_passed_and_changed_by_reference", &[], passed),
    ("small_arrays_are_observed_whole", &[], limits),
    ("elements_are_observed_as_what_they_are", &[], mixed),
];

fn observed(element: Type, elements: Vec<Observation>) -> Observation {
    Observation::Array { element, length: elements.len() as u32, elements: Some(elements) }
}

fn array(element: &Type) -> Arc<Operation> {
    Arc::new(Operation::array(element))
}

fn primitives(child: &Child) {
    let mut executor = child.executor();
    for primitive in Primitive::ALL {
        let element = Type::Primitive(primitive);
        for values in [edges(primitive), Vec::new()] {
            let given: Vec<_> = values.iter().map(|v| (element.clone(), v.clone())).collect();
            let expected = values.into_iter().map(plain).collect();
            let made = call(&mut executor, &array(&element), &given);
            assert_eq!(made, observed(element.clone(), expected));
        }
    }
}

fn objects(child: &Child) {
    let mut executor = child.executor();
    let mut case = TestCase::default();
    let [a, b] = ["a", "b"].map(|s| case.literal(Type::string(), Literal::String(s.into())));
    let null = case.literal(Type::string(), Literal::Null);
    let inner = case.call(&array(&Type::string()), &[a, null]).expect("an array");
    let empty = case.call(&array(&Type::string()), &[]).expect("an array");
    let strings = Type::string().array_of();
    let outer = case.call(&array(&strings), &[inner, empty, inner]).expect("an array");
    let joined = case.call(&array(&Type::object()), &[outer, b]).expect("an array");
    run_case(&mut executor, &case);
    let inner = observed(Type::string(), vec![text("a"), Observation::Null]);
    let nothing = observed(Type::string(), Vec::new());
    let all = vec![inner.clone(), nothing, inner];
    assert_eq!(executor.observe(outer), observed(strings.clone(), all));
    assert_eq!(executor.class_of(outer), Some(strings.array_of()));
    // Arrays at the third level are known by their length.
    let unseen = |length| Observation::Array { element: Type::string(), length, elements: None };
    let second = observed(Type::string().array_of(), vec![unseen(2), unseen(0), unseen(2)]);
    assert_eq!(executor.observe(joined), observed(Type::object(), vec![second, text("b")]));
    executor.end();
}

fn passed(child: &Child) {
    let mut executor = child.executor();
    let mut case = TestCase::default();
    let numbers = [1, 20, 300].map(|i| case.literal(Type::INT, Literal::Int(i)));
    let ints = case.call(&array(&Type::INT), &numbers).expect("an array");
    let sum = case.call(&static_method("Arrays", "sum", "([I)I"), &[ints]).expect("a sum");
    case.call(&static_method("Arrays", "fill", "([II)V"), &[ints, numbers[0]]);
    let again = case.call(&static_method("Arrays", "sum", "([I)I"), &[ints]).expect("a sum");
    run_case(&mut executor, &case);
    assert_eq!(executor.primitive(sum), Some(Literal::Int(321)));
    assert_eq!(executor.primitive(again), Some(Literal::Int(3)));
    executor.end();
    let mut case = TestCase::default();
    let words = ["x", "y"].map(|s| case.literal(Type::string(), Literal::String(s.into())));
    let texts = case.call(&array(&Type::string()), &words).expect("an array");
    let join = static_method("Arrays", "join", "([Ljava/lang/String;)Ljava/lang/String;");
    let joined = case.call(&join, &[texts]).expect("a string");
    run_case(&mut executor, &case);
    assert_eq!(executor.observe(joined), text("x|y"));
}

fn limits(child: &Child) {
    let mut executor = child.executor();
    let count = static_method("Arrays", "count", "(I)[I");
    for length in [0, 16, 17] {
        let given = [(Type::INT, Literal::Int(length))];
        let all = (0..length).map(|i| plain(Literal::Int(i))).collect();
        let expected = Observation::Array {
            element: Type::INT,
            length: length as u32,
            elements: (length <= 16).then_some(all),
        };
        assert_eq!(call(&mut executor, &count, &given), expected);
    }
    let third = Observation::Array { element: Type::INT, length: 1, elements: None };
    let second = observed(Type::INT.array_of(), vec![third]);
    let expected = observed(Type::INT.array_of().array_of(), vec![second]);
    assert_eq!(call(&mut executor, &static_method("Arrays", "deep", "()[[[I"), &[]), expected);
}

fn mixed(child: &Child) {
    let mut executor = child.executor();
    let mixed = static_method("Arrays", "mixed", "()Ljava/lang/Object;");
    let class = ClassName::internal("fixture/Texts$Plain");
    let expected = vec![
        boxed(Literal::Int(1)),
        text("two"),
        Observation::Null,
        Observation::Enum { class, constant: "ONE".into() },
        observed(Type::INT, vec![plain(Literal::Int(4))]),
        boxed(Literal::Char(u16::from(b'c'))),
    ];
    assert_eq!(call(&mut executor, &mixed, &[]), observed(Type::object(), expected));
}
