//! Strings, boxes, class literals and enum constants: what is observed by value.

use jvm::Executor;
use model::{ClassName, JavaString, Literal, Observation, Primitive, TestCase, Type};

use crate::Case;
use crate::child::{
    Child, boxed, call, constructor, plain, run_case, static_field, static_method, text,
};
use crate::values::edges;

pub const CASES: &[Case] = &[
    ("strings_keep_every_code_unit", &[], code_units),
    ("string_literals_are_those_of_source", &[], interned),
    ("very_long_strings_are_not_observed", &[], long),
    ("many_different_literals_can_be_used", &[], many),
    ("literals_are_boxed_where_the_slot_is", &[], boxes),
    ("class_literals_name_every_type", &[], classes),
    ("enum_constants_are_observed_by_name", &[], enums),
];

const TEXT: &str = "Ljava/lang/String;";

fn string(units: &[u16]) -> (Type, Literal) {
    (Type::string(), Literal::String(JavaString::from_units(units)))
}

fn code_units(child: &Child) {
    let mut executor = child.executor();
    let same = static_method("Texts", "same", &format!("({TEXT}){TEXT}"));
    let length = static_method("Texts", "length", &format!("({TEXT})I"));
    let unit = static_method("Texts", "unit", &format!("({TEXT}I)I"));
    let samples: [&[u16]; 7] = [
        &[],
        &[0],
        &[0x61, 0, 0x62],
        &[0xe9, 0x20ac],
        &[0xd83d, 0xde00],
        &[0xd83d],
        &[0xde00, 0xd83d, 0xffff],
    ];
    for units in samples {
        let sample = string(units);
        let given = std::slice::from_ref(&sample);
        assert_eq!(call(&mut executor, &same, given), plain(sample.1.clone()));
        let expected = plain(Literal::Int(units.len() as i32));
        assert_eq!(call(&mut executor, &length, given), expected);
        for (index, expected) in units.iter().enumerate() {
            let index = (Type::INT, Literal::Int(index as i32));
            let observed = call(&mut executor, &unit, &[sample.clone(), index]);
            assert_eq!(observed, plain(Literal::Int(i32::from(*expected))));
        }
    }
    let null = [(Type::string(), Literal::Null)];
    assert_eq!(call(&mut executor, &same, &null), Observation::Null);
}

fn interned(child: &Child) {
    let mut executor = child.executor();
    let is_literal = static_method("Texts", "isLiteral", &format!("({TEXT})Z"));
    for (word, expected) in [("literal", true), ("another", false)] {
        let given = [(Type::string(), Literal::String(word.into()))];
        let observed = call(&mut executor, &is_literal, &given);
        assert_eq!(observed, plain(Literal::Boolean(expected)), "{word}");
    }
}

fn long(child: &Child) {
    let mut executor = child.executor();
    let repeat = static_method("Texts", "repeat", &format!("({TEXT}I){TEXT}"));
    let mut of_length = |times| {
        let given = [string(&[0x61]), (Type::INT, Literal::Int(times))];
        call(&mut executor, &repeat, &given)
    };
    assert_eq!(of_length(10_000), text(&"a".repeat(10_000)));
    let class = ClassName::internal("java/lang/String");
    assert_eq!(of_length(10_001), Observation::Object { class, views: Vec::new() });
}

/// More literals than are kept at hand, twice each: the ones forgotten are made anew.
fn many(child: &Child) {
    let mut executor = child.executor();
    let same = static_method("Texts", "same", &format!("({TEXT}){TEXT}"));
    for _ in 0..2 {
        for number in 0..9000 {
            let word = format!("word {number}");
            let given = [(Type::string(), Literal::String(word.as_str().into()))];
            assert_eq!(call(&mut executor, &same, &given), text(&word));
        }
    }
}

fn boxes(child: &Child) {
    let mut executor = child.executor();
    let same = static_method("Texts", "same", "(Ljava/lang/Object;)Ljava/lang/Object;");
    let describe = static_method("Texts", "describe", &format!("(Ljava/lang/Object;){TEXT}"));
    for primitive in Primitive::ALL {
        for value in edges(primitive) {
            let given = [(Type::class(primitive.boxed()), value.clone())];
            assert_eq!(call(&mut executor, &same, &given), boxed(value));
        }
        let null = [(Type::class(primitive.boxed()), Literal::Null)];
        assert_eq!(call(&mut executor, &same, &null), Observation::Null);
    }
    let given = [(Type::class("java/lang/Short"), Literal::Short(7))];
    assert_eq!(call(&mut executor, &describe, &given), text("Short 7"));
    boxes_are_shared(&mut executor);
}

/// Small boxes are the same object, as `valueOf` makes them.
fn boxes_are_shared(executor: &mut Executor<'_>) {
    let same = static_method("Texts", "same", "(Ljava/lang/Object;)Ljava/lang/Object;");
    let mut case = TestCase::default();
    let integer = Type::class("java/lang/Integer");
    let [a, b] = [1, 1].map(|i| case.literal(integer.clone(), Literal::Int(i)));
    let c = case.literal(integer, Literal::Int(2));
    let returned = case.call(&same, &[a]).expect("it is not void");
    run_case(executor, &case);
    assert!(executor.same(a, b) && executor.same(a, returned));
    assert!(!executor.same(a, c));
    assert!(!executor.is_null(a));
    executor.end();
}

fn classes(child: &Child) {
    let mut executor = child.executor();
    let name = static_method("Texts", "name", &format!("(Ljava/lang/Class;){TEXT}"));
    let same = static_method("Texts", "same", "(Ljava/lang/Object;)Ljava/lang/Object;");
    let mut samples: Vec<(Option<Type>, String)> = Primitive::ALL
        .into_iter()
        .map(|p| (Some(Type::Primitive(p)), p.keyword().to_owned()))
        .collect();
    samples.extend([
        (None, "void".to_owned()),
        (Some(Type::string()), "java.lang.String".to_owned()),
        (Some(Type::class("fixture/Texts$Plain")), "fixture.Texts$Plain".to_owned()),
        (Some(Type::INT.array_of().array_of()), "[[I".to_owned()),
        (Some(Type::string().array_of()), "[Ljava.lang.String;".to_owned()),
    ]);
    for (ty, expected) in samples {
        let literal = Literal::Class(ty);
        let given = [(Type::class("java/lang/Class"), literal.clone())];
        assert_eq!(call(&mut executor, &name, &given), text(&expected));
        assert_eq!(call(&mut executor, &same, &given), plain(literal));
    }
}

fn enums(child: &Child) {
    let mut executor = child.executor();
    for (owner, constant) in
        [("Texts$Plain", "ONE"), ("Texts$WithBodies", "LEFT"), ("Texts$WithBodies", "RIGHT")]
    {
        let read = static_field(owner, constant, &format!("Lfixture/{owner};"));
        let class = ClassName::internal(&format!("fixture/{owner}"));
        let expected = Observation::Enum { class, constant: constant.into() };
        assert_eq!(call(&mut executor, &read, &[]), expected);
    }
    // Other objects are known by their class alone.
    let class = ClassName::internal("fixture/Values");
    let observed = call(&mut executor, &constructor("Values", "()V"), &[]);
    assert_eq!(observed, Observation::Object { class, views: Vec::new() });
}
