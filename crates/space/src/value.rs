//! Initial values of pools: which fit a type, and those a type has if nobody says otherwise (two
//! distinct constants, as in the paper's study).

use model::{Literal, Primitive, Type};

/// The primitive whose values a pool of this type holds: itself, or what it boxes.
fn primitive_of(ty: &Type) -> Option<Primitive> {
    match ty {
        Type::Primitive(primitive) => Some(*primitive),
        Type::Class(name) => Primitive::unboxed(name.as_internal()),
        Type::Array(_) => None,
    }
}

/// Whether a pool of this type may start with the value.
pub(crate) fn fits(value: &Literal, ty: &Type) -> bool {
    match value {
        Literal::Null => ty.is_reference(),
        Literal::String(_) => *ty == Type::string(),
        Literal::Class(_) => *ty == Type::class("java/lang/Class"),
        _ => value.primitive().is_some() && value.primitive() == primitive_of(ty),
    }
}

/// What a pool of this type starts with: two values of a primitive type, of the class of its boxes
/// and of `String`; none of other classes.
pub(crate) fn usual(ty: &Type) -> Vec<Literal> {
    if *ty == Type::string() {
        return vec![Literal::String("".into()), Literal::String("a".into())];
    }
    match primitive_of(ty) {
        None => Vec::new(),
        Some(Primitive::Boolean) => vec![Literal::Boolean(false), Literal::Boolean(true)],
        Some(Primitive::Char) => vec![Literal::Char(b'0'.into()), Literal::Char(b'a'.into())],
        Some(primitive) => {
            let zero = Literal::zero(primitive);
            let hundred = zero.with_number(100).unwrap_or_else(|| zero.clone());
            vec![zero, hundred]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_values_are_two_that_differ_and_fit() {
        let boxed = |p: Primitive| Type::class(p.boxed());
        let all = Primitive::ALL.into_iter();
        let types = all.flat_map(|p| [Type::Primitive(p), boxed(p)]).chain([Type::string()]);
        for ty in types {
            let values = usual(&ty);
            assert_eq!(values.len(), 2, "{ty}");
            assert_ne!(values[0], values[1], "{ty}");
            assert!(values.iter().all(|value| fits(value, &ty)), "{ty}");
        }
        assert!(usual(&Type::object()).is_empty());
        assert!(!fits(&Literal::Long(1), &Type::INT));
        assert!(!fits(&Literal::Null, &Type::INT));
    }
}
