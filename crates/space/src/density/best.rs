//! The length at which the failure density per call has its first local maximum (section 5.2).
//!
//! With `d = j^k` and `u(n)` the share of tests that do not fail, `u(n) = u(n-1) - u(n-k)/d`. So
//! `FDpmc(n) >= FDpmc(n+1)` says `g(n) = d (1-u(n)) - n u(n+1-k) >= 0`, and
//! `g(n+1) - g(n) = (n+1) (u(n+1-k) - u(n+2-k)) >= 0`: once the density declines it never rises
//! again, and where that begins can be found by halving. The best length is about
//! `sqrt(2 (k-1) d)`, which may have thousands of digits; the sign of `g` is then told by few terms.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::{Density, nearest};

impl Density {
    /// The length where tests begin to be less worth their calls: the first `n` whose density per
    /// call is at least that of `n + 1` and not zero.
    pub fn best_length(&self) -> BigUint {
        let least = BigUint::from(self.failing);
        if self.failing == 1 || self.declines_after(&least) {
            return least;
        }
        // `low` does not decline, `high` does.
        let guess = (BigUint::from(2 * (self.failing - 1)) * self.power(self.failing)).sqrt();
        let mut step = BigUint::from(self.failing);
        let (mut low, mut high);
        if self.declines_after(&guess) {
            high = guess;
            loop {
                low = if high > &least + &step { &high - &step } else { least.clone() };
                if !self.declines_after(&low) {
                    break;
                }
                high = low;
                step *= 2u32;
            }
        } else {
            low = guess.max(least);
            loop {
                high = &low + &step;
                if self.declines_after(&high) {
                    break;
                }
                low = high;
                step *= 2u32;
            }
        }
        while &high - &low > BigUint::one() {
            let middle = (&low + &high) / 2u32;
            if self.declines_after(&middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        high
    }

    /// The density at a length, which may be large, as the nearest `double` or one beside it.
    pub fn approximate(&self, length: &BigUint) -> f64 {
        let d = BigInt::from(self.power(self.failing));
        let mut sum = Partial::new(self.failing, &d, length);
        loop {
            let before = sum.failing();
            if sum.is_exact() {
                return nearest(&before);
            }
            sum.add_term();
            let (before, after) = (nearest(&before), nearest(&sum.failing()));
            if before == after {
                return after;
            }
        }
    }

    /// Whether a longer test is no better than one of this length, which is at least `k`.
    fn declines_after(&self, length: &BigUint) -> bool {
        let d = BigInt::from(self.power(self.failing));
        let n = BigInt::from(length.clone());
        let mut here = Partial::new(self.failing, &d, length);
        let mut before = Partial::new(self.failing, &d, &(length + 1u32 - self.failing));
        loop {
            // With an even number of terms taken off, both sums are too large, so `g` is too small.
            let g = &d * (&here.scale - &here.sum) - &n * &before.sum;
            let is_exact = here.is_exact() && before.is_exact();
            if is_exact || (here.terms.is_multiple_of(2) && !g.is_negative()) {
                return !g.is_negative();
            }
            if !here.terms.is_multiple_of(2) && g.is_negative() {
                return false;
            }
            here.add_term();
            before.add_term();
        }
    }
}

/// The sum for `u(n)` up to a term, times `d^terms`.
struct Partial<'d> {
    failing: u64,
    d: &'d BigInt,
    length: BigInt,
    terms: u64,
    sum: BigInt,
    scale: BigInt,
}

impl<'d> Partial<'d> {
    fn new(failing: u64, d: &'d BigInt, length: &BigUint) -> Self {
        let length = BigInt::from(length.clone());
        Self { failing, d, length, terms: 0, sum: BigInt::one(), scale: BigInt::one() }
    }

    /// Whether all other terms are zero.
    fn is_exact(&self) -> bool {
        self.length < BigInt::from(self.failing) * (self.terms + 1)
    }

    fn add_term(&mut self) {
        self.terms += 1;
        let top = &self.length - BigInt::from(self.failing - 1) * self.terms;
        let mut term = BigInt::zero();
        if !self.is_beyond() {
            term = (0..self.terms).fold(BigInt::one(), |product, t| product * (&top - t) / (t + 1));
        }
        self.sum *= self.d;
        self.scale *= self.d;
        if self.terms.is_multiple_of(2) {
            self.sum += term;
        } else {
            self.sum -= term;
        }
    }

    /// Whether the term at hand asks for more places than there are.
    fn is_beyond(&self) -> bool {
        self.length < BigInt::from(self.failing) * self.terms
    }

    /// `1 - u(n)`, as far as it was summed.
    fn failing(&self) -> BigRational {
        // Only the first bits matter to whoever asks.
        let failing = &self.scale - &self.sum;
        let shared = failing.bits().min(self.scale.bits()).saturating_sub(256);
        let shared = shared.to_usize().unwrap_or(0);
        BigRational::new_raw(failing >> shared, (&self.scale >> shared).max(BigInt::one()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(j: u64, k: u64, expected: &str) {
        let density = Density::new(j, k).expect("a good question");
        assert_eq!(density.best_length().to_string(), expected, "j = {j}, k = {k}");
    }

    #[test]
    fn the_best_length_is_the_one_that_walking_finds() {
        for (j, k) in (2..=6).flat_map(|j| (1..=4).map(move |k| (j, k))).chain([(30, 2), (2, 9)]) {
            let density = Density::new(j, k).expect("a good question");
            let mut best = k;
            let mut share = density.fdpmc(best).expect("short");
            loop {
                let next = density.fdpmc(best + 1).expect("short");
                if next <= share {
                    break;
                }
                (best, share) = (best + 1, next);
            }
            check(j, k, &best.to_string());
        }
    }

    #[test]
    fn longer_sequences_want_much_longer_tests() {
        // The paper: above `j` for all but one call, and growing dramatically with `k`.
        check(1, 1, "1");
        check(100, 1, "1");
        let best = |j, k| Density::new(j, k).expect("a good question").best_length();
        for j in [2, 10, 45, 1000] {
            for k in 2..6 {
                assert!(best(j, k) > j.into(), "{j} {k}");
                assert!(best(j, k + 1) > best(j, k), "{j} {k}");
            }
        }
        assert!(best(45, 4) > 1000u32.into());
    }

    #[test]
    fn ten_thousand_calls_are_no_obstacle() {
        let density = Density::new(10_000, 10_000).expect("a good question");
        let best = density.best_length();
        assert_eq!(best.to_string().len(), 20_003);
        assert!(density.declines_after(&best) && !density.declines_after(&(best - 1u32)));
    }

    #[test]
    fn the_approximation_is_the_exact_value_as_far_as_a_double_goes() {
        for (j, k, n) in [(10, 2, 14), (45, 3, 430), (2, 5, 40), (1000, 2, 5000), (7, 1, 3)] {
            let density = Density::new(j, k).expect("a good question");
            let exact = nearest(&density.fd(n).expect("short"));
            let near = density.approximate(&n.into());
            assert!((near / exact - 1.0).abs() < 1e-14, "{near} {exact}");
        }
    }
}
