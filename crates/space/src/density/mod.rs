//! How many tests of a length fail, and how long tests should be (section 5 of the paper,
//! requirement E13), exactly.
//!
//! Of `j` distinct calls, one sequence of `k` calls fails, and it does not overlap itself. The paper
//! gives a recurrence for the number of tests of length `n` that contain it:
//! `Φ(n) = j Φ(n-1) + j^(n-k) - Φ(n-k)`. For the tests that do not, `a(n) = j^n - Φ(n)`, it says
//! `a(n) = j a(n-1) - a(n-k)`, whose generating function is `1 / (1 - jx + x^k)`. Hence the closed
//! form that is used here, with at most `n/k` terms:
//! `a(n) = Σ (-1)^i C(n-(k-1)i, i) j^(n-ki)`. Its terms are those of inclusion and exclusion over `i`
//! places of the sequence, so sums cut off after a term are bounds in turn (Bonferroni), which is
//! what makes the best length cheap (`crates/space/src/density/best.rs`).

mod best;
mod curve;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

/// Exact numbers have at most so many bits; tests of 10,000 calls out of 10,000 have 133,000.
const MAX_BITS: f64 = 2_097_152.0;
/// Tests that are counted exactly are at most so long; the terms to be added are as many.
const MAX_LENGTH: u64 = 100_000;
/// So many bits has the number of sequences as long as the failing one.
const MAX_FAILING_BITS: f64 = 262_144.0;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DensityError {
    /// Nothing to call.
    #[error("there must be at least one distinct call")]
    NoCalls,
    /// No failing call.
    #[error("a failing sequence has at least one call")]
    NothingFails,
    /// All calls are the same, so a sequence of several overlaps itself.
    #[error("of one distinct call, a failing sequence of {0} calls overlaps itself")]
    Overlaps(u64),
    /// Tests without calls.
    #[error("a test has at least one call")]
    NoLength,
    /// Too long for the arithmetic.
    #[error("a failing sequence of {0} calls is too long")]
    TooManyFail(u64),
    /// Too large to be written down.
    #[error("tests of {0} calls are too many to be counted exactly")]
    TooLong(String),
}

/// `j` and `k`: how many distinct calls there are, and how many make the failing sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Density {
    calls: u64,
    failing: u64,
}

impl Density {
    /// Of `calls` distinct calls, a sequence of `failing` fails.
    pub fn new(calls: u64, failing: u64) -> Result<Self, DensityError> {
        match (calls, failing) {
            (0, _) => Err(DensityError::NoCalls),
            (_, 0) => Err(DensityError::NothingFails),
            (1, 2..) => Err(DensityError::Overlaps(failing)),
            _ if failing as f64 * (calls.max(2) as f64).log2() > MAX_FAILING_BITS => {
                Err(DensityError::TooManyFail(failing))
            }
            _ => Ok(Self { calls, failing }),
        }
    }

    /// Whether tests of a length can be counted exactly.
    pub fn is_exact_at(&self, length: u64) -> bool {
        length <= MAX_LENGTH && length as f64 * (self.calls.max(2) as f64).log2() <= MAX_BITS
    }

    fn check(&self, length: u64) -> Result<(), DensityError> {
        if length == 0 {
            return Err(DensityError::NoLength);
        }
        if !self.is_exact_at(length) {
            return Err(DensityError::TooLong(length.to_string()));
        }
        Ok(())
    }

    /// `Φ(j, k, n)`: the number of tests of length `n` that fail.
    pub fn phi(&self, length: u64) -> Result<BigUint, DensityError> {
        self.check(length)?;
        let all = self.power(length);
        let spared = self.spared(length);
        Ok(all - spared.to_biguint().expect("tests that do not fail are counted"))
    }

    /// `FD(j, k, n)`: the share of tests of length `n` that fail.
    pub fn fd(&self, length: u64) -> Result<BigRational, DensityError> {
        let phi = self.phi(length)?;
        Ok(self.reduced(phi, self.power(length)))
    }

    /// `FDpmc(j, k, n)`: that share per call.
    pub fn fdpmc(&self, length: u64) -> Result<BigRational, DensityError> {
        let density = self.fd(length)?;
        let (numerator, denominator) = density.into();
        let common = numerator.gcd_small(length);
        Ok(BigRational::new_raw(numerator / common, denominator * (length / common)))
    }

    /// `j^n`.
    fn power(&self, length: u64) -> BigUint {
        BigUint::from(self.calls).pow(u32::try_from(length).expect("checked lengths are short"))
    }

    /// The number of tests without the failing sequence: the closed form by Horner's rule.
    fn spared(&self, length: u64) -> BigInt {
        let (j, k, n) = (self.calls, self.failing, length);
        if k == 1 {
            return BigInt::from(BigUint::from(j - 1).pow(n as u32));
        }
        let terms = n / k;
        if terms == 0 {
            return self.power(n).into();
        }
        let step = BigInt::from(self.power(k));
        let mut binomial = BigUint::one();
        let mut sum = BigInt::one();
        for i in 0..terms {
            // From C(m, i) to C(m-k+1, i+1), where m = n - (k-1) i.
            let m = n - (k - 1) * i;
            for t in 0..k {
                binomial *= m - i - t;
            }
            for t in 0..k - 1 {
                binomial /= m - t;
            }
            binomial /= i + 1;
            sum *= &step;
            if i.is_even() {
                sum -= BigInt::from(binomial.clone());
            } else {
                sum += BigInt::from(binomial.clone());
            }
        }
        sum * BigInt::from(self.power(n - k * terms))
    }

    /// A fraction in lowest terms whose denominator is a power of `j`: only primes of `j` can be in
    /// both, so it takes no greatest common divisor of large numbers.
    fn reduced(&self, mut numerator: BigUint, mut denominator: BigUint) -> BigRational {
        let mut base = self.calls;
        while let Some(next) = base.checked_mul(self.calls).filter(|_| self.calls > 1) {
            base = next;
        }
        loop {
            let common = numerator.gcd_small(base).gcd(&denominator.gcd_small(base));
            if common == 1 || numerator.is_zero() {
                break;
            }
            numerator /= common;
            denominator /= common;
        }
        if numerator.is_zero() {
            denominator = BigUint::one();
        }
        BigRational::new_raw(numerator.into(), denominator.into())
    }
}

/// The nearest `double`; numbers below its range are zero.
pub fn nearest(fraction: &BigRational) -> f64 {
    fraction.to_f64().unwrap_or(0.0)
}

/// The greatest common divisor with a number of one word.
trait SmallDivisor {
    fn gcd_small(&self, other: u64) -> u64;
}

impl SmallDivisor for BigUint {
    fn gcd_small(&self, other: u64) -> u64 {
        (self % other).to_u64().expect("a remainder of a word is a word").gcd(&other)
    }
}

impl SmallDivisor for BigInt {
    fn gcd_small(&self, other: u64) -> u64 {
        self.magnitude().gcd_small(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's recurrence as it stands there.
    fn recurrence(j: u64, k: usize, n: usize) -> BigUint {
        let mut phi: Vec<BigUint> = Vec::new();
        for length in 0..=n {
            phi.push(match length {
                _ if length < k => BigUint::zero(),
                _ if length == k => BigUint::one(),
                _ => {
                    &phi[length - 1] * j + BigUint::from(j).pow((length - k) as u32)
                        - &phi[length - k]
                }
            });
        }
        phi.swap_remove(n)
    }

    /// Counts the tests that contain `0 1 1 … 1`, which does not overlap itself.
    fn enumerated(j: u64, k: usize, n: usize) -> u64 {
        let failing: Vec<u64> = (0..k).map(|at| u64::from(at > 0)).collect();
        let digits = |mut index: u64| {
            let mut digit = || {
                let digit = index % j;
                index /= j;
                digit
            };
            (0..n).map(|_| digit()).collect::<Vec<_>>()
        };
        let fails = |test: &Vec<u64>| test.windows(k).any(|window| window == failing);
        (0..j.pow(n as u32)).map(digits).filter(fails).count() as u64
    }

    #[test]
    fn failing_tests_are_as_many_as_are_found_by_trying_all() {
        for j in 1..=5u64 {
            for n in 1..=7 {
                for k in (1..=n + 1).filter(|k| j > 1 || *k == 1) {
                    let expected = BigUint::from(enumerated(j, k, n));
                    let density = Density::new(j, k as u64).expect("a good question");
                    assert_eq!(density.phi(n as u64), Ok(expected.clone()), "{j} {k} {n}");
                    assert_eq!(recurrence(j, k, n), expected, "{j} {k} {n}");
                }
            }
        }
    }

    #[test]
    fn the_closed_form_agrees_with_the_papers_recurrence() {
        for (j, k, n) in [(2, 2, 300), (10, 3, 400), (45, 7, 350), (9999, 10, 64), (3, 200, 401)] {
            let density = Density::new(j, k as u64).expect("a good question");
            assert_eq!(density.phi(n as u64), Ok(recurrence(j, k, n)), "{j} {k} {n}");
        }
    }

    #[test]
    fn fractions_are_exact_and_in_lowest_terms() {
        let check = |j, k, n, fd: (u32, u32), fdpmc: (u32, u32)| {
            let density = Density::new(j, k).expect("a good question");
            let fraction = |(a, b): (u32, u32)| BigRational::new_raw(a.into(), b.into());
            let (found, per_call) =
                (density.fd(n).expect("short"), density.fdpmc(n).expect("short"));
            assert_eq!(
                (found.numer(), found.denom()),
                (fraction(fd).numer(), fraction(fd).denom())
            );
            assert_eq!(per_call.numer(), fraction(fdpmc).numer());
            assert_eq!(per_call.denom(), fraction(fdpmc).denom());
        };
        check(10, 2, 2, (1, 100), (1, 200));
        check(10, 2, 3, (1, 50), (1, 150));
        check(6, 1, 2, (11, 36), (11, 72));
        check(2, 1, 2, (3, 4), (3, 8));
        check(4, 3, 2, (0, 1), (0, 1));
        check(1, 1, 5, (1, 1), (1, 5));
        for n in 1..40 {
            let found = Density::new(12, 3).expect("good").fdpmc(n).expect("short");
            assert_eq!(found, BigRational::new(found.numer().clone(), found.denom().clone()));
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        assert_eq!(Density::new(0, 1), Err(DensityError::NoCalls));
        assert_eq!(Density::new(5, 0), Err(DensityError::NothingFails));
        assert_eq!(Density::new(1, 2), Err(DensityError::Overlaps(2)));
        assert_eq!(Density::new(5, u64::MAX), Err(DensityError::TooManyFail(u64::MAX)));
        let density = Density::new(5, 2).expect("a good question");
        assert_eq!(density.phi(0), Err(DensityError::NoLength));
        assert!(matches!(density.phi(u64::MAX), Err(DensityError::TooLong(_))));
    }

    #[test]
    fn ten_thousand_calls_out_of_ten_thousand_are_counted() {
        for k in [1, 2, 3, 100, 5000, 10_000] {
            let density = Density::new(10_000, k).expect("a good question");
            let share = nearest(&density.fd(10_000).expect("not too long"));
            let expected = match k {
                // About (n-k+1) / j^k, where that is small; for one call the power itself.
                1 => 1.0 - (1.0 - 1e-4f64).powi(10_000),
                2 | 3 => (10_001 - k) as f64 * 1e4f64.powi(-(k as i32)),
                _ => 0.0,
            };
            assert!((share - expected).abs() <= expected * 1e-3, "{k}: {share} {expected}");
        }
    }
}
