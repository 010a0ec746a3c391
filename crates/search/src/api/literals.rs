//! Values that are written down: the ones a search starts with.

use model::{ClassName, Literal, Primitive, Type};

/// Types whose values are literals, so that nothing needs to make them.
pub(super) fn is_written_down(name: &ClassName) -> bool {
    let internal = name.as_internal();
    matches!(internal, "java/lang/String" | "java/lang/Class")
        || Primitive::unboxed(internal).is_some()
}

pub(super) fn literal_types() -> impl Iterator<Item = Type> {
    let boxes = Primitive::ALL.into_iter().map(|p| Type::class(p.boxed()));
    Primitive::ALL
        .into_iter()
        .map(Type::Primitive)
        .chain([Type::string()])
        .chain(boxes)
        .chain([Type::class("java/lang/Class")])
}

/// A class of each kind that code asks classes for, in every release from 8 on: an enum, an interface
/// that has an annotation, an annotation, a box, an abstract class, a class of a generic one.
const CLASS_KINDS: [&str; 6] = [
    "java/math/RoundingMode",
    "java/lang/Runnable",
    "java/lang/Deprecated",
    "java/lang/Integer",
    "java/lang/Number",
    "java/util/ArrayList",
];

/// The values a search starts with.
pub(super) fn literals_of(ty: &Type, under_test: &ClassName) -> Vec<Literal> {
    let primitive = match ty {
        Type::Primitive(p) => Some(*p),
        Type::Class(name) => Primitive::unboxed(name.as_internal()),
        Type::Array(_) => None,
    };
    match primitive {
        Some(Primitive::Boolean) => [false, true].map(Literal::Boolean).into(),
        Some(Primitive::Byte) => [0, 1, -1, 10, 100, i8::MIN, i8::MAX].map(Literal::Byte).into(),
        Some(Primitive::Char) => ['a', 'A', '0', ' ', '\n', '\0', '-', '\u{e9}', '\u{ff11}']
            .map(|c| Literal::Char(c as u16))
            .into(),
        Some(Primitive::Short) => {
            [0, 1, -1, 10, 100, i16::MIN, i16::MAX].map(Literal::Short).into()
        }
        Some(Primitive::Int) => {
            [0, 1, 2, 3, -1, 5, 10, 100, 1000, i32::MIN, i32::MAX].map(Literal::Int).into()
        }
        Some(Primitive::Long) => {
            [0, 1, 2, -1, 10, 100, 1000, i64::MIN, i64::MAX].map(Literal::Long).into()
        }
        Some(Primitive::Float) => {
            [0.0, 1.0, -1.0, 0.5, 10.0, 100.0, -1000.0, 1e-9, f32::MAX, f32::NAN, f32::INFINITY]
                .map(Literal::Float)
                .into()
        }
        Some(Primitive::Double) => {
            [0.0, 1.0, -1.0, 0.5, 10.0, 100.0, -1000.0, 1e-9, f64::MAX, f64::NAN, f64::INFINITY]
                .map(Literal::Double)
                .into()
        }
        None if *ty == Type::string() => {
            ["", "a", "abc", " ", "0", "1", "-1", "10", "3.14", "a b", "A", "a,b", "x=y", "hello"]
                .map(|s| Literal::String(s.into()))
                .into()
        }
        None => {
            let kinds = CLASS_KINDS.iter().map(|name| Type::class(name));
            [Type::string(), Type::object(), Type::INT, Type::Class(under_test.clone())]
                .into_iter()
                .chain(kinds)
                .chain([Type::string().array_of(), Type::INT.array_of()])
                .map(|t| Literal::Class(Some(t)))
                .collect()
        }
    }
}
