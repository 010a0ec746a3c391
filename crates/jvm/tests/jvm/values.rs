//! Primitive values on their way in and out of Java.

use model::{Literal, Observation, Primitive, TestCase, Type};

use crate::Case;
use crate::child::{
    Child, call, constructor, field, method, plain, run_case, static_field, static_method, text,
};

pub const CASES: &[Case] = &[
    ("primitives_pass_through_static_methods", &[], static_methods),
    ("primitives_pass_through_objects", &[], objects),
    ("static_fields_are_read", &[], static_fields),
    ("arguments_keep_their_places", &[], places),
    ("void_methods_run_and_return_nothing", &[], void),
];

/// Values at the edges of each type.
pub fn edges(primitive: Primitive) -> Vec<Literal> {
    match primitive {
        Primitive::Boolean => [false, true].map(Literal::Boolean).into(),
        Primitive::Byte => [i8::MIN, -1, 0, 1, i8::MAX].map(Literal::Byte).into(),
        Primitive::Char => [0, 0x41, 0xd800, 0xffff].map(Literal::Char).into(),
        Primitive::Short => [i16::MIN, -1, 0, 1, i16::MAX].map(Literal::Short).into(),
        Primitive::Int => [i32::MIN, -1, 0, 1, i32::MAX].map(Literal::Int).into(),
        Primitive::Long => [i64::MIN, -1, 0, 1 << 32, i64::MAX].map(Literal::Long).into(),
        Primitive::Float => [f32::MIN, -0.0, 0.0, f32::MIN_POSITIVE, f32::NAN, f32::NEG_INFINITY]
            .map(Literal::Float)
            .into(),
        Primitive::Double => [f64::MIN, -0.0, 0.0, f64::MIN_POSITIVE, f64::NAN, f64::INFINITY]
            .map(Literal::Double)
            .into(),
    }
}

/// The field of `fixture.Values` for a type is named after its descriptor.
fn name(primitive: Primitive) -> String {
    primitive.descriptor().to_ascii_lowercase().to_string()
}

fn static_methods(child: &Child) {
    let mut executor = child.executor();
    for primitive in Primitive::ALL {
        let d = primitive.descriptor();
        let same = static_method("Values", "same", &format!("({d}){d}"));
        for value in edges(primitive) {
            let observed =
                call(&mut executor, &same, &[(Type::Primitive(primitive), value.clone())]);
            assert_eq!(observed, plain(value));
        }
    }
}

fn objects(child: &Child) {
    let mut executor = child.executor();
    for primitive in Primitive::ALL {
        let d = primitive.descriptor();
        let new = constructor("Values", &format!("({d})V"));
        let read = field("Values", &name(primitive), &d.to_string());
        let keep = method("Values", "kept", &format!("({d}){d}"));
        let values = edges(primitive);
        for (first, second) in values.iter().zip(values.iter().rev()) {
            let mut case = TestCase::default();
            let [first_slot, second_slot] =
                [first, second].map(|v| case.literal(Type::Primitive(primitive), v.clone()));
            let object = case.call(&new, &[first_slot]).expect("a constructor gives an object");
            let before = case.call(&read, &[object]).expect("a field has a value");
            let kept = case.call(&keep, &[object, second_slot]).expect("it is not void");
            let after = case.call(&read, &[object]).expect("a field has a value");
            run_case(&mut executor, &case);
            let held = [before, kept, after].map(|slot| executor.primitive(slot));
            assert_eq!(held, [first, second, second].map(|v| Some(v.clone())));
            assert_eq!(executor.primitive(object), None);
            assert_eq!(executor.class_of(object), Some(Type::class("fixture/Values")));
        }
    }
}

fn static_fields(child: &Child) {
    let mut executor = child.executor();
    let expected = [
        Literal::Boolean(true),
        Literal::Byte(i8::MIN),
        Literal::Char(0xffff),
        Literal::Short(i16::MIN),
        Literal::Int(i32::MIN),
        Literal::Long(i64::MIN),
        Literal::Float(f32::NAN),
        Literal::Double(-0.0),
    ];
    for value in expected {
        let primitive = value.primitive().expect("all of them are primitive");
        let name = format!("static_{}", name(primitive));
        let read = static_field("Values", &name, &primitive.descriptor().to_string());
        assert_eq!(call(&mut executor, &read, &[]), plain(value));
    }
}

fn places(child: &Child) {
    let mut executor = child.executor();
    let all = static_method("Values", "all", "(ZBCSIJFDLjava/lang/String;)Ljava/lang/String;");
    let mut values: Vec<(Type, Literal)> = [
        Literal::Boolean(true),
        Literal::Byte(-1),
        Literal::Char(65535),
        Literal::Short(-3),
        Literal::Int(4),
        Literal::Long(-5_000_000_000),
        Literal::Float(6.5),
        Literal::Double(-7.25),
    ]
    .into_iter()
    .map(|value| (Type::Primitive(value.primitive().expect("primitive")), value))
    .collect();
    values.push((Type::string(), Literal::String("last".into())));
    let observed = call(&mut executor, &all, &values);
    assert_eq!(observed, text("true -1 65535 -3 4 -5000000000 6.5 -7.25 last"));
}

fn void(child: &Child) {
    let mut executor = child.executor();
    let count = static_method("Values", "count", "()V");
    assert_eq!(call(&mut executor, &count, &[]), Observation::Nothing);
    assert_eq!(call(&mut executor, &count, &[]), Observation::Nothing);
    let counted = static_method("Values", "counted", "()I");
    assert_eq!(call(&mut executor, &counted, &[]), plain(Literal::Int(2)));
}
