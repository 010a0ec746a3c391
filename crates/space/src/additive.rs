//! The generator that the paper's BOBW had (sections 4.3 and 6.4): the next index is the last one
//! plus a large prime, modulo `z`. It is here for the study, which shows what is wrong with it.
//!
//! It has every index once if `z` is no multiple of the prime. But once `z` is much larger than the
//! prime, thousands of steps do not reach the significant digits, and tests differ in their first
//! calls only.

use num_bigint::BigUint;

use crate::digits_of;

/// The largest prime that is an `int` in Java; the paper does not say which one it took.
pub const USUAL_PRIME: u64 = 2_147_483_647;

/// A walk through all indices in steps of one size.
#[derive(Clone, Debug)]
pub struct Additive {
    calls: u64,
    step: Vec<u64>,
    at: Vec<u64>,
}

impl Additive {
    /// Starts at index 0.
    pub fn new(calls: u64, length: usize, prime: u64) -> Self {
        let z = crate::size(calls, length);
        let step = digits_of(&(BigUint::from(prime) % z), calls, length);
        let step = step.expect("a remainder of z is below z");
        Self { calls, step, at: vec![0; length] }
    }

    /// The calls of the test at hand, as digits.
    pub fn digits(&self) -> &[u64] {
        &self.at
    }

    /// Goes to the next test.
    pub fn advance(&mut self) {
        let mut carry = 0;
        for (digit, step) in self.at.iter_mut().zip(&self.step) {
            let sum = *digit + step + carry;
            carry = u64::from(sum >= self.calls);
            *digit = if sum >= self.calls { sum - self.calls } else { sum };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_index_comes_once_unless_the_prime_divides_the_base() {
        let distinct = |calls: u64, length, prime| {
            let mut walk = Additive::new(calls, length, prime);
            let mut seen = BTreeSet::new();
            for _ in 0..calls.pow(length as u32) {
                seen.insert(walk.digits().to_vec());
                walk.advance();
            }
            seen.len()
        };
        assert_eq!(distinct(10, 3, USUAL_PRIME), 1000);
        assert_eq!(distinct(31, 2, 7), 961);
        assert_eq!(distinct(7, 3, 7), 49);
    }
}
