//! Whether the first tests of an order look as if drawn at random: a test of which methods stand at
//! which position, and which pairs of methods stand side by side (requirement E9).
//!
//! Counts are compared with what equally likely calls would give (chi-squared), for every position
//! and every pair of neighbouring positions. The paper's additive generator fails this from the
//! first position that its steps do not reach; see the tests.

/// Above this many standard deviations an order is no random one: at random that happens once in
/// thirty million counts.
const LIMIT: f64 = 5.5;
/// Counts whose expected value is lower are thrown together.
const LEAST: f64 = 8.0;

/// Counts of methods over positions.
#[derive(Clone, Debug)]
pub struct Uniformity {
    /// How many calls each method has.
    weights: Vec<u64>,
    tests: u64,
    /// By position and method.
    single: Vec<Vec<u64>>,
    /// By position, method there, and method after it.
    pairs: Vec<Vec<u64>>,
}

/// How far counts are from what they should be, in standard deviations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Verdict {
    /// The position where methods are least as they should be.
    pub position: f64,
    /// The pair of positions where that holds of pairs of methods.
    pub pair: f64,
}

impl Verdict {
    /// Whether nothing tells the order from a random one.
    pub fn is_uniform(&self) -> bool {
        self.position < LIMIT && self.pair < LIMIT
    }
}

impl Uniformity {
    /// For tests of a length over methods that have so many calls each.
    pub fn new(weights: &[u64], length: usize) -> Self {
        let methods = weights.len();
        Self {
            weights: weights.to_vec(),
            tests: 0,
            single: vec![vec![0; methods]; length],
            pairs: vec![vec![0; methods * methods]; length.saturating_sub(1)],
        }
    }

    /// Counts a test, given as the methods of its calls.
    pub fn add(&mut self, methods: &[usize]) {
        self.tests += 1;
        for (counts, method) in self.single.iter_mut().zip(methods) {
            counts[*method] += 1;
        }
        for (counts, pair) in self.pairs.iter_mut().zip(methods.windows(2)) {
            counts[pair[0] * self.weights.len() + pair[1]] += 1;
        }
    }

    /// What the counts tell.
    pub fn verdict(&self) -> Verdict {
        let total: u64 = self.weights.iter().sum();
        let share: Vec<f64> = self.weights.iter().map(|w| *w as f64 / total as f64).collect();
        let pairs: Vec<f64> = share.iter().flat_map(|a| share.iter().map(move |b| a * b)).collect();
        let worst = |counts: &[Vec<u64>], shares: &[f64]| {
            let all = counts.iter().map(|counts| deviation(counts, shares, self.tests));
            all.fold(f64::NEG_INFINITY, f64::max)
        };
        Verdict { position: worst(&self.single, &share), pair: worst(&self.pairs, &pairs) }
    }
}

/// Chi-squared, as standard deviations of a normal distribution (Wilson and Hilferty).
fn deviation(counts: &[u64], shares: &[f64], tests: u64) -> f64 {
    let (mut sum, mut cells) = (0.0, 0.0);
    let mut add = |count: f64, expected: f64| {
        sum += (count - expected).powi(2) / expected;
        cells += 1.0;
    };
    let (mut rare_count, mut rare_expected) = (0.0, 0.0);
    for (count, share) in counts.iter().zip(shares) {
        let expected = share * tests as f64;
        if expected < LEAST {
            rare_count += *count as f64;
            rare_expected += expected;
        } else {
            add(*count as f64, expected);
        }
    }
    if rare_expected >= LEAST {
        add(rare_count, rare_expected);
    }
    if cells < 2.0 {
        return f64::NEG_INFINITY;
    }
    let freedom: f64 = cells - 1.0;
    let spread = 2.0 / (9.0 * freedom);
    ((sum / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Additive, BigUint, Permutation, USUAL_PRIME};
    use oorandom::Rand64;

    /// Calls per method, as a collection of the study has them: 45 in all.
    const METHODS: [u64; 12] = [1, 2, 1, 4, 8, 4, 1, 2, 8, 4, 2, 8];
    const TESTS: usize = 4000;

    fn calls() -> u64 {
        METHODS.iter().sum()
    }

    fn verdict(length: usize, mut next: impl FnMut(&mut [u64])) -> Verdict {
        let method_of: Vec<usize> = METHODS
            .iter()
            .enumerate()
            .flat_map(|(method, calls)| std::iter::repeat_n(method, *calls as usize))
            .collect();
        let mut counts = Uniformity::new(&METHODS, length);
        let mut digits = vec![0; length];
        for _ in 0..TESTS {
            next(&mut digits);
            let methods: Vec<usize> = digits.iter().map(|d| method_of[*d as usize]).collect();
            counts.add(&methods);
        }
        counts.verdict()
    }

    #[test]
    fn the_permutation_is_uniform_at_every_length() {
        // At lengths 1 and 2 four thousand tests are the whole space and more.
        for length in [3, 4, 5, 6, 7, 8, 9, 11, 12, 16, 23, 32, 64, 128, 512, 1024] {
            for key in 0..5 {
                let permutation = Permutation::new(calls(), length, key);
                let mut cursor = permutation.cursor(&BigUint::ZERO).expect("a first test");
                let verdict = verdict(length, |digits| assert!(cursor.next(digits)));
                assert!(verdict.is_uniform(), "length {length}, key {key}: {verdict:?}");
            }
        }
    }

    #[test]
    fn a_resumed_permutation_is_uniform_too() {
        for length in [8, 64] {
            let permutation = Permutation::new(calls(), length, 1);
            let from = crate::size(calls(), length) / 3u32;
            let mut cursor = permutation.cursor(&from).expect("a position");
            let verdict = verdict(length, |digits| assert!(cursor.next(digits)));
            assert!(verdict.is_uniform(), "length {length}: {verdict:?}");
        }
    }

    #[test]
    fn the_papers_generator_fails_once_tests_are_long() {
        for length in [8, 9, 16, 64, 1024] {
            let mut walk = Additive::new(calls(), length, USUAL_PRIME);
            let verdict = verdict(length, |digits| {
                digits.copy_from_slice(walk.digits());
                walk.advance();
            });
            assert!(!verdict.is_uniform(), "length {length}: {verdict:?}");
            assert!(verdict.position > 20.0, "length {length}: {verdict:?}");
        }
    }

    #[test]
    fn random_tests_pass_and_a_slight_preference_does_not() {
        let mut rng = Rand64::new(3);
        let fair = verdict(64, |digits| {
            digits.fill_with(|| rng.rand_range(0..calls()));
        });
        assert!(fair.is_uniform(), "{fair:?}");
        let unfair = verdict(64, |digits| {
            digits.fill_with(|| rng.rand_range(0..calls()));
            if digits[5] == 0 && rng.rand_range(0..2) == 0 {
                digits[6] = 0;
            }
            if rng.rand_range(0..20) == 0 {
                digits[40] = 3;
            }
        });
        assert!(!unfair.is_uniform(), "{unfair:?}");
    }
}
