//! Constant mining (requirement G4): literals that code is made of become inputs.
//!
//! The constants of the class under test are drawn evenly, those of other classes of its package by
//! their weight, tf-idf_v(t, D) = tf(t, D) · log((|D| + 1) / (|D| + 1 − |{d : t ∈ d}|)), which the
//! analysis computes (`analysis::Weights`). Texts of a form that the class asks for count as its own.
//!
//! Off with `--without constants`. p_const is [`P_CONST`], the share of the class itself [`OWN`].

use model::{Literal, Type};

use crate::Rng;
use crate::api::{Api, TypeId};
use crate::guided::Knowledge;
use crate::random::{chance, pick};

/// How often, of a thousand, a literal is a constant (p_const). The published system has 10; there,
/// constants had to outlast a search of minutes, here they have to show within two seconds.
const P_CONST: u64 = 300;
/// How often, of a thousand, such a constant is the class's own where others fit too.
const OWN: u64 = 700;
/// Parts that the sum of weights is divided into.
const PARTS: u64 = 1 << 32;

/// What there is for one type.
#[derive(Clone, Default, Debug)]
struct Fitting {
    own: Vec<(Type, Literal)>,
    /// Each with the sum of the weights up to it.
    foreign: Vec<((Type, Literal), f64)>,
}

/// Constants by the types they can be used as.
#[derive(Clone, Debug)]
pub(crate) struct Constants {
    of_type: Vec<Fitting>,
}

impl Constants {
    pub(crate) fn new(api: &Api, knowledge: &Knowledge) -> Self {
        let mut of_type = vec![Fitting::default(); api.type_count()];
        let places = |ty: &Type| api.type_id(ty).map(|id| api.fits(id)).into_iter().flatten();
        let texts = knowledge.readable.iter().cloned();
        let readable = texts.map(|text| (Type::string(), Literal::String(text)));
        for constant in knowledge.constants.iter().cloned().chain(readable) {
            for fits in places(&constant.0) {
                of_type[fits.0 as usize].own.push(constant.clone());
            }
        }
        for (constant, weight) in &knowledge.foreign {
            for fits in places(&constant.0) {
                let foreign = &mut of_type[fits.0 as usize].foreign;
                let before = foreign.last().map_or(0.0, |(_, sum)| *sum);
                foreign.push((constant.clone(), before + weight));
            }
        }
        Self { of_type }
    }

    /// Now and then a constant that can be used as the type.
    pub(crate) fn draw(&self, ty: TypeId, rng: &mut Rng) -> Option<&(Type, Literal)> {
        let Fitting { own, foreign } = &self.of_type[ty.0 as usize];
        let sum = foreign.last().map(|(_, sum)| *sum);
        if own.is_empty() && sum.is_none() || !chance(rng, P_CONST) {
            return None;
        }
        match sum {
            Some(sum) if own.is_empty() || !chance(rng, OWN) => {
                let drawn = sum * (rng.rand_range(0..PARTS) as f64 / PARTS as f64);
                let at = foreign.partition_point(|(_, sum)| *sum <= drawn);
                Some(&foreign[at.min(foreign.len() - 1)].0)
            }
            _ => Some(pick(rng, own)),
        }
    }
}

#[cfg(test)]
mod tests {
    use model::{JavaString, Primitive};

    use super::*;
    use crate::testing::api;
    use crate::testing::machine::Value;
    use crate::testing::world::{World, class};

    fn int(value: i32) -> (Type, Literal) {
        (Type::Primitive(Primitive::Int), Literal::Int(value))
    }

    /// How often each constant is drawn in so many tries.
    fn drawn(knowledge: &Knowledge, tries: u32) -> Vec<(i32, u32)> {
        let world = World::of([class("a/Taker").method("take(I)V", |_, _| Ok(Value::Null))]);
        let api = api(&world, "a/Taker");
        let ty = api.type_id(&Type::Primitive(Primitive::Int)).expect("a type");
        let constants = Constants::new(&api, knowledge);
        let mut rng = Rng::new(7);
        let mut found: Vec<(i32, u32)> = Vec::new();
        for _ in 0..tries {
            let Some((_, Literal::Int(value))) = constants.draw(ty, &mut rng) else { continue };
            match found.iter_mut().find(|(known, _)| known == value) {
                Some((_, count)) => *count += 1,
                None => found.push((*value, 1)),
            }
        }
        found.sort_unstable();
        found
    }

    fn near(count: u32, expected: u64) -> bool {
        u64::from(count).abs_diff(expected) * 20 < expected
    }

    #[test]
    fn constants_of_other_classes_are_drawn_by_weight() {
        let foreign = vec![(int(11), 3.0), (int(12), 0.5), (int(13), 1.5)];
        let knowledge = Knowledge { foreign, ..Knowledge::default() };
        let found = drawn(&knowledge, 100_000);
        let per_weight = 100 * P_CONST / 5;
        assert_eq!(found.iter().map(|(value, _)| *value).collect::<Vec<_>>(), [11, 12, 13]);
        assert!(near(found[0].1, 3 * per_weight), "{found:?}");
        assert!(near(found[1].1, per_weight / 2), "{found:?}");
        assert!(near(found[2].1, 3 * per_weight / 2), "{found:?}");
    }

    #[test]
    fn constants_of_the_class_itself_come_first() {
        let knowledge = Knowledge {
            constants: vec![int(1), int(2)],
            foreign: vec![(int(11), 1000.0)],
            ..Knowledge::default()
        };
        let found = drawn(&knowledge, 100_000);
        assert!(near(found[0].1, 50 * P_CONST * OWN / 1000), "{found:?}");
        assert!(near(found[1].1, 50 * P_CONST * OWN / 1000), "{found:?}");
        assert!(near(found[2].1, 100 * P_CONST * (1000 - OWN) / 1000), "{found:?}");
    }

    #[test]
    fn what_fits_nowhere_is_never_drawn() {
        let text = (Type::string(), Literal::String(JavaString::from("a")));
        let knowledge = Knowledge { constants: vec![text], ..Knowledge::default() };
        assert_eq!(drawn(&knowledge, 1000), []);
    }
}
