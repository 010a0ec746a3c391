//! Tests as few large digits: several digits in base `j` make a word below 2^62, so that arithmetic
//! on a test of a thousand calls touches some ninety words.
//!
//! Invariant: the words, least significant first, each in its own radix, write the same number as
//! the digits do; all words have the same number of digits, or one more.

use num_bigint::BigUint;
use num_traits::Zero;

/// Words stay below this, so that two of them add up without overflow.
const LIMIT: u64 = 1 << 62;

/// How digits are put into words.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    calls: u64,
    /// Nearly 2^64 / `calls`: dividing is multiplying by this.
    reciprocal: u64,
    length: usize,
    /// How many digits each word has.
    digits: Vec<usize>,
    /// What each word is below.
    pub(crate) radices: Vec<u64>,
}

impl Words {
    /// For tests of `length` calls out of `calls`, which is neither zero nor more than 2^62.
    pub(crate) fn new(calls: u64, length: usize) -> Self {
        let reciprocal = u64::MAX / calls;
        if calls == 1 {
            return Self { calls, reciprocal, length, digits: vec![length], radices: vec![1] };
        }
        let most = (1..62).take_while(|count| power(calls, *count) <= u128::from(LIMIT)).count();
        let count = length.div_ceil(most.max(1)).max(1);
        let digits: Vec<usize> =
            (0..count).map(|at| length / count + usize::from(at < length % count)).collect();
        let radices = digits.iter().map(|digits| power(calls, *digits) as u64).collect();
        Self { calls, reciprocal, length, digits, radices }
    }

    /// How many calls a test has.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// The words of an index; `None` if it is too large.
    pub(crate) fn of_index(&self, index: &BigUint) -> Option<Vec<u64>> {
        let mut rest = index.clone();
        let mut words = Vec::with_capacity(self.radices.len());
        for radix in &self.radices {
            words.push((&rest % *radix).iter_u64_digits().next().unwrap_or(0));
            rest /= *radix;
        }
        rest.is_zero().then_some(words)
    }

    /// The index that words write.
    pub(crate) fn index(&self, words: &[u64]) -> BigUint {
        let parts = words.iter().zip(&self.radices).rev();
        parts.fold(BigUint::zero(), |index, (word, radix)| index * *radix + *word)
    }

    /// Adds one; whether there was no next number.
    pub(crate) fn increment(&self, words: &mut [u64]) -> bool {
        for (word, radix) in words.iter_mut().zip(&self.radices) {
            *word += 1;
            if *word < *radix {
                return false;
            }
            *word = 0;
        }
        true
    }

    /// Takes words apart into digits, one per call.
    pub(crate) fn unpack(&self, words: &[u64], digits: &mut [u64]) {
        if self.calls == 1 {
            digits.fill(0);
            return;
        }
        let mut rest = digits;
        for (word, count) in words.iter().zip(&self.digits) {
            let (own, others) = rest.split_at_mut(*count);
            let mut left = *word;
            for digit in own {
                // The quotient is at most one too small.
                let mut quotient = ((u128::from(left) * u128::from(self.reciprocal)) >> 64) as u64;
                let mut remainder = left - quotient * self.calls;
                if remainder >= self.calls {
                    remainder -= self.calls;
                    quotient += 1;
                }
                *digit = remainder;
                left = quotient;
            }
            rest = others;
        }
    }
}

fn power(base: u64, exponent: usize) -> u128 {
    (0..exponent).fold(1u128, |product, _| product.saturating_mul(base.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{digits_of, size};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_and_digits_write_the_same_number(
            calls in prop_oneof![1u64..50, 1u64..(1 << 62)],
            length in 0usize..90,
            bytes in proptest::collection::vec(any::<u8>(), 0..700),
        ) {
            let z = size(calls, length);
            let index = BigUint::from_bytes_le(&bytes) % &z;
            let words = Words::new(calls, length);
            let packed = words.of_index(&index).expect("it is below z");
            prop_assert_eq!(words.index(&packed), index.clone());
            let mut digits = vec![0; length];
            words.unpack(&packed, &mut digits);
            prop_assert_eq!(Some(digits), digits_of(&index, calls, length));
            let mut next = packed;
            let ended = words.increment(&mut next);
            prop_assert_eq!(words.index(&next), (&index + 1u32) % &z);
            prop_assert_eq!(ended, index + 1u32 == z);
            prop_assert!(words.of_index(&z).is_none());
        }
    }
}
