//! Values that are drawn (requirement J8): primitives at random, and what else is written down.
//!
//! The paper draws primitives from all there are. Nearly half of them are drawn near zero here, where
//! sizes, indexes and amounts are, and some at the limits, where they go wrong.

use model::{Literal, Primitive, Type};

use crate::Rng;
use crate::api::{Api, TypeId};
use crate::random::{chance, pick};

/// Chances, in 1000.
const NEAR_ZERO: u64 = 500;
const USUAL: u64 = 150;
/// Numbers near zero are between these.
const LEAST: i64 = -4;
const MOST: i64 = 100;
/// Texts that are made up are shorter.
const MAX_TEXT: u64 = 8;

/// A value of a type that is written down, with the type of the literal; `None` if there is none.
pub(super) fn literal(api: &Api, ty: TypeId, rng: &mut Rng) -> Option<(Type, Literal)> {
    let usual = api.literals(ty);
    let wanted = api.ty(ty);
    let primitive = match wanted {
        Type::Primitive(primitive) => Some(*primitive),
        Type::Class(name) => Primitive::unboxed(name.as_internal()),
        Type::Array(_) => None,
    };
    if let Some(primitive) = primitive {
        if !usual.is_empty() && chance(rng, USUAL) {
            return Some(pick(rng, usual).clone());
        }
        return Some((wanted.clone(), drawn(primitive, rng)));
    }
    if *wanted == Type::string() && !api.names_files(ty) && chance(rng, NEAR_ZERO) {
        return Some((wanted.clone(), text(rng)));
    }
    (!usual.is_empty()).then(|| pick(rng, usual).clone())
}

fn drawn(primitive: Primitive, rng: &mut Rng) -> Literal {
    let near = LEAST + rng.rand_range(0..(MOST - LEAST) as u64 + 1) as i64;
    let any = rng.rand_u64();
    let number = if chance(rng, NEAR_ZERO) { near } else { any as i64 };
    match primitive {
        Primitive::Boolean => Literal::Boolean(any & 1 == 1),
        Primitive::Byte => Literal::Byte(number as i8),
        Primitive::Char if number == near => Literal::Char(u16::from(b'A') + (near - LEAST) as u16),
        Primitive::Char => Literal::Char(number as u16),
        Primitive::Short => Literal::Short(number as i16),
        Primitive::Int => Literal::Int(number as i32),
        Primitive::Long => Literal::Long(number),
        Primitive::Float => Literal::Float(fraction(number, rng) as f32),
        Primitive::Double => Literal::Double(fraction(number, rng)),
    }
}

/// A number that may have a fraction.
fn fraction(number: i64, rng: &mut Rng) -> f64 {
    if chance(rng, 500) { number as f64 } else { number as f64 * rng.rand_float() }
}

fn text(rng: &mut Rng) -> Literal {
    let length = rng.rand_range(0..MAX_TEXT);
    let units: String = (0..length).map(|_| (b'a' + rng.rand_range(0..26) as u8) as char).collect();
    Literal::String(units.as_str().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::api;
    use crate::testing::machine::Value;
    use crate::testing::world::{World, class};

    /// What share of a thousand values of a parameter's type is such a one.
    fn check(descriptor: &str, is_one: fn(&Literal) -> bool, expected: std::ops::Range<usize>) {
        let world = World::of([class("a/Taker").method(descriptor, |_, _| Ok(Value::Null))]);
        let api = api(&world, "a/Taker");
        let takes = |op: &crate::OpId| &*api.operation(*op).name == "take";
        let taker = api.operations().find(takes).expect("it was declared");
        let ty = api.params(taker)[1];
        let mut rng = Rng::new(7);
        let values = (0..1000).map(|_| literal(&api, ty, &mut rng).expect("a literal"));
        let count = values.filter(|(_, value)| is_one(value)).count();
        assert!(expected.contains(&count), "{descriptor}: {count}");
    }

    #[test]
    fn numbers_are_drawn_near_zero_at_the_limits_and_from_all_there_are() {
        let small = |value: &Literal| value.whole().is_some_and(|n| (-4..=100).contains(&n));
        let limit = |value: &Literal| *value == Literal::Int(i32::MIN);
        let large = |value: &Literal| value.whole().is_some_and(|n| n.abs() > 2000);
        check("take(I)V", small, 400..700);
        check("take(I)V", limit, 5..60);
        check("take(I)V", large, 300..600);
        check("take(Ljava/lang/Integer;)V", small, 400..700);
    }

    #[test]
    fn every_kind_of_primitive_has_values_of_its_own() {
        for primitive in Primitive::ALL {
            let mut rng = Rng::new(7);
            let all = (0..20).map(|_| drawn(primitive, &mut rng));
            assert!(all.into_iter().all(|value| value.primitive() == Some(primitive)));
        }
    }
}
