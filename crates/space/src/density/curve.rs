//! Densities over lengths, as a plot needs them: many at once, as `double`s.

use std::collections::VecDeque;

use num_bigint::BigUint;
use num_traits::ToPrimitive;

use super::Density;

/// Up to this length each value comes from the one before.
const MAX_STEPS: u64 = 8_000_000;

impl Density {
    /// Lengths up to `to`, at most so many and evenly spread, each with its density.
    pub fn curve(&self, to: &BigUint, points: u64) -> Vec<(f64, f64)> {
        match to.to_u64().filter(|to| *to <= MAX_STEPS) {
            Some(to) => self.stepwise(to, points.clamp(1, to.max(1))),
            None => {
                let length = |at: u64| (to * at / points).max(BigUint::from(1u32));
                let point = |length: BigUint| {
                    (length.to_f64().unwrap_or(f64::INFINITY), self.approximate(&length))
                };
                (1..=points).map(|at| point(length(at))).collect()
            }
        }
    }

    /// By the recurrence for the share of tests that do not fail. Summed up is what fails, so that a
    /// small density is as exact as a large one.
    fn stepwise(&self, to: u64, points: u64) -> Vec<(f64, f64)> {
        let all = (self.calls as f64).powf(self.failing as f64);
        let mut spared: VecDeque<f64> = VecDeque::new();
        let (mut failing, mut found) = (0.0, Vec::new());
        for length in 0..=to {
            if length >= self.failing {
                failing += spared.pop_front().unwrap_or(1.0);
            }
            spared.push_back((1.0 - failing / all).max(0.0));
            if length > 0 && length * points / to > (length - 1) * points / to {
                found.push((length as f64, (failing / all).min(1.0)));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::density::nearest;

    #[test]
    fn a_curve_goes_through_the_exact_values() {
        for (j, k) in [(2, 1), (6, 2), (10, 3), (2, 9)] {
            let density = Density::new(j, k).expect("a good question");
            let curve = density.curve(&600u32.into(), 60);
            assert_eq!(curve.len(), 60);
            assert_eq!(curve[59].0, 600.0);
            for (length, share) in curve {
                let exact = nearest(&density.fd(length as u64).expect("short"));
                assert!(
                    (share - exact).abs() <= 1e-12 * exact,
                    "{j} {k} {length}: {share} {exact}"
                );
            }
        }
    }

    #[test]
    fn long_and_short_curves_meet() {
        let density = Density::new(100, 4).expect("a good question");
        let short = density.curve(&MAX_STEPS.into(), 10);
        let long = density.curve(&(MAX_STEPS + 10).into(), 10);
        for (a, b) in short.iter().zip(&long) {
            assert!((a.1 / b.1 - 1.0).abs() < 1e-4, "{a:?} {b:?}");
        }
    }
}
