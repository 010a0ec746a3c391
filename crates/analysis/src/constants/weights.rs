//! How telling a constant is among the classes of a project: tf-idf_v of G4.

use rustc_hash::FxHashMap;

use super::{Constants, Mined};

/// A constant with its weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighted {
    /// The constant.
    pub constant: Mined,
    /// tf(t, D) · log((|D| + 1) / (|D| + 1 − |{d : t ∈ d}|)).
    pub weight: f64,
    /// Whether some class compares it with something.
    pub compared: bool,
}

/// The constants of a set of classes with their weights, heaviest first.
#[derive(Clone, Debug, Default)]
pub struct Weights {
    list: Vec<Weighted>,
    places: FxHashMap<Mined, usize>,
}

impl Weights {
    /// Weighs the constants of all these classes.
    pub fn new(classes: &[Constants]) -> Self {
        struct Seen {
            uses: u64,
            classes: usize,
            compared: bool,
        }
        let mut order: Vec<Mined> = Vec::new();
        let mut seen: FxHashMap<Mined, Seen> = FxHashMap::default();
        for class in classes {
            for used in class.total() {
                let entry = seen.entry(used.constant).or_insert_with_key(|constant| {
                    order.push(constant.clone());
                    Seen { uses: 0, classes: 0, compared: false }
                });
                entry.uses += u64::from(used.count);
                entry.classes += 1;
                entry.compared |= used.compared;
            }
        }
        let all = classes.len() as f64 + 1.0;
        let weigh = |constant: Mined| {
            let found = &seen[&constant];
            let weight = found.uses as f64 * (all / (all - found.classes as f64)).ln();
            Weighted { constant, weight, compared: found.compared }
        };
        let mut list: Vec<Weighted> = order.into_iter().map(weigh).collect();
        // Stable: equal weights stay in the order of first use.
        list.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        let places =
            list.iter().enumerate().map(|(at, found)| (found.constant.clone(), at)).collect();
        Self { list, places }
    }

    /// The weight of a constant; 0 for one that no class has.
    pub fn weight(&self, constant: &Mined) -> f64 {
        self.places.get(constant).map_or(0.0, |place| self.list[*place].weight)
    }

    /// All constants, heaviest first.
    pub fn iter(&self) -> impl Iterator<Item = &Weighted> {
        self.list.iter()
    }
}

#[cfg(test)]
mod tests {
    use model::Literal;

    use super::super::Use;
    use super::*;

    fn class(constants: &[(i32, u32)]) -> Constants {
        let literal = |value: &i32| Mined::Literal(Literal::Int(*value));
        let uses = constants.iter().map(|(value, count)| Use {
            constant: literal(value),
            count: *count,
            compared: false,
        });
        Constants { fields: uses.collect(), ..Constants::default() }
    }

    #[test]
    fn weights_follow_the_formula() {
        let weights = Weights::new(&[class(&[(1, 3), (2, 1)]), class(&[(1, 2)])]);
        let check = |value: i32, expected: f64| {
            let weight = weights.weight(&Mined::Literal(Literal::Int(value)));
            assert!((weight - expected).abs() < 1e-12, "{value}: {weight}");
        };
        // tf = 5, |D| = 2, in both: 5 · ln(3 / 1).
        check(1, 5.0 * 3f64.ln());
        check(2, (3f64 / 2.0).ln());
        check(7, 0.0);
        let first = &weights.iter().next().unwrap().constant;
        assert_eq!(*first, Mined::Literal(Literal::Int(1)));
    }
}
