//! A keyed permutation of all tests, with random access: the order of BOBW (requirement E9).
//!
//! The additive generator of the paper walks slowly through the least significant calls, so that
//! long tests are all alike (its figure 6). Here position and test are bound by a Feistel network:
//! the number is cut into two halves, and in turn each half has added to it, modulo its size, a
//! function of the other one and the key. Whatever that function is, each round can be undone, so
//! every test comes exactly once, for any `j^n`, without large integers; and a function that mixes
//! well spreads consecutive positions all over the space.
//!
//! Halves are vectors of words of several digits (`crates/space/src/words.rs`), added word by word.
//! A space of one word is laid out as a rectangle instead, and whoever falls into the corner that is
//! no part of the space walks on until he leaves it. Spaces with no room for mixing are shuffled.

use num_bigint::BigUint;
use oorandom::Rand64;

use crate::mixing::{STEP, absorb, scale, scatter};
use crate::words::Words;

/// Spaces up to this size are shuffled and kept as a table.
const SHUFFLED: u64 = 4096;
/// Rounds over halves of many bits; four are enough in theory if the function is random.
const ROUNDS: usize = 6;
/// Rounds over a rectangle, whose sides may be short.
const SIDE_ROUNDS: usize = 10;

/// An order of all tests of a length.
#[derive(Clone, Debug)]
pub struct Permutation {
    words: Words,
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    /// The test of each position, and the position of each test.
    Table { forth: Vec<u64>, back: Vec<u64> },
    /// A rectangle that has at least `size` fields.
    Rectangle { size: u64, width: u64, height: u64, keys: [u64; SIDE_ROUNDS] },
    /// Two halves of so many words and the rest.
    Halves { left: usize, keys: [u64; ROUNDS] },
}

impl Permutation {
    /// The order of all tests of `length` calls out of `calls` (at most 2^62) that belongs to a key.
    ///
    /// # Panics
    /// If there is nothing to call.
    pub fn new(calls: u64, length: usize, key: u64) -> Self {
        let words = Words::new(calls, length);
        let form = match words.radices[..] {
            [size] if size <= SHUFFLED => shuffled(size, key),
            [size] => {
                let width = size.isqrt() + 1;
                Form::Rectangle { size, width, height: size.div_ceil(width), keys: keys(key) }
            }
            _ => Form::Halves { left: words.radices.len() / 2, keys: keys(key) },
        };
        Self { words, form }
    }

    /// The index of the test at a position; `None` beyond the last one.
    pub fn test_at(&self, position: &BigUint) -> Option<BigUint> {
        let mut words = self.words.of_index(position)?;
        self.forth(&mut words);
        Some(self.words.index(&words))
    }

    /// The position of the test of an index; `None` if there is no such test.
    pub fn position_of(&self, test: &BigUint) -> Option<BigUint> {
        let mut words = self.words.of_index(test)?;
        self.back(&mut words);
        Some(self.words.index(&words))
    }

    /// Goes through the tests from a position on; `None` beyond the last one.
    pub fn cursor(&self, from: &BigUint) -> Option<Cursor> {
        let at = self.words.of_index(from)?;
        Some(Cursor { permutation: self.clone(), there: at.clone(), at, is_over: false })
    }

    fn forth(&self, words: &mut [u64]) {
        match &self.form {
            Form::Table { forth, .. } => words[0] = forth[words[0] as usize],
            Form::Rectangle { size, width, height, keys } => {
                let mut at = words[0];
                loop {
                    let (mut x, mut y) = (at % width, at / width);
                    for pair in keys.chunks_exact(2) {
                        x = plus(x, scale(scatter(absorb(pair[0], y)), *width), *width);
                        y = plus(y, scale(scatter(absorb(pair[1], x)), *height), *height);
                    }
                    at = y * width + x;
                    if at < *size {
                        break;
                    }
                }
                words[0] = at;
            }
            Form::Halves { left, keys } => {
                for (round, key) in keys.iter().enumerate() {
                    self.half_round(words, *left, round, *key, plus);
                }
            }
        }
    }

    fn back(&self, words: &mut [u64]) {
        match &self.form {
            Form::Table { back, .. } => words[0] = back[words[0] as usize],
            Form::Rectangle { size, width, height, keys } => {
                let mut at = words[0];
                loop {
                    let (mut x, mut y) = (at % width, at / width);
                    for pair in keys.chunks_exact(2).rev() {
                        y = minus(y, scale(scatter(absorb(pair[1], x)), *height), *height);
                        x = minus(x, scale(scatter(absorb(pair[0], y)), *width), *width);
                    }
                    at = y * width + x;
                    if at < *size {
                        break;
                    }
                }
                words[0] = at;
            }
            Form::Halves { left, keys } => {
                for (round, key) in keys.iter().enumerate().rev() {
                    self.half_round(words, *left, round, *key, minus);
                }
            }
        }
    }

    /// Adds to one half (or takes from it) what the other half and the key make.
    fn half_round(
        &self,
        words: &mut [u64],
        left: usize,
        round: usize,
        key: u64,
        change: fn(u64, u64, u64) -> u64,
    ) {
        let (first, second) = words.split_at_mut(left);
        let (first_radices, second_radices) = self.words.radices.split_at(left);
        let (from, to, radices) = if round.is_multiple_of(2) {
            (first, second, second_radices)
        } else {
            (second, first, first_radices)
        };
        let state = from.iter().fold(key, |state, word| absorb(state, *word));
        let mut stream = scatter(state);
        for (word, radix) in to.iter_mut().zip(radices) {
            stream = stream.wrapping_add(STEP);
            *word = change(*word, scale(scatter(stream), *radix), *radix);
        }
    }
}

/// `a + b` modulo `radix`, both below it.
fn plus(a: u64, b: u64, radix: u64) -> u64 {
    let sum = a + b;
    if sum >= radix { sum - radix } else { sum }
}

/// `a - b` modulo `radix`, both below it.
fn minus(a: u64, b: u64, radix: u64) -> u64 {
    if a >= b { a - b } else { a + radix - b }
}

fn keys<const COUNT: usize>(key: u64) -> [u64; COUNT] {
    let first = scatter(key ^ STEP);
    std::array::from_fn(|at| scatter(first.wrapping_add((at as u64 + 1).wrapping_mul(STEP))))
}

fn shuffled(size: u64, key: u64) -> Form {
    let mut rng = Rand64::new(scatter(key ^ STEP).into());
    let mut forth: Vec<u64> = (0..size).collect();
    for at in (1..forth.len()).rev() {
        forth.swap(at, rng.rand_range(0..at as u64 + 1) as usize);
    }
    let mut back = vec![0; forth.len()];
    for (position, test) in forth.iter().enumerate() {
        back[*test as usize] = position as u64;
    }
    Form::Table { forth, back }
}

/// A place in the order.
#[derive(Clone, Debug)]
pub struct Cursor {
    permutation: Permutation,
    /// The position.
    at: Vec<u64>,
    /// Room for the test that is there.
    there: Vec<u64>,
    is_over: bool,
}

impl Cursor {
    /// The calls of the next test, as digits; false, and nothing written, after the last one.
    pub fn next(&mut self, digits: &mut [u64]) -> bool {
        debug_assert_eq!(digits.len(), self.permutation.words.length(), "a digit for each call");
        if self.is_over {
            return false;
        }
        self.there.copy_from_slice(&self.at);
        self.permutation.forth(&mut self.there);
        self.permutation.words.unpack(&self.there, digits);
        self.is_over = self.permutation.words.increment(&mut self.at);
        true
    }

    /// The position of the test that comes next; `None` after the last one.
    pub fn position(&self) -> Option<BigUint> {
        (!self.is_over).then(|| self.permutation.words.index(&self.at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{digits_of, index_of, size};
    use proptest::prelude::*;

    /// Goes through a whole space, and says whether every test came once and could be found again.
    fn check_exhausted(calls: u64, length: usize, key: u64) {
        let permutation = Permutation::new(calls, length, key);
        let z = calls.pow(length as u32) as usize;
        let mut seen = vec![false; z];
        let mut cursor = permutation.cursor(&BigUint::ZERO).expect("there is a first test");
        let mut digits = vec![0; length];
        let mut words = [0];
        let mut position = 0u64;
        while cursor.next(&mut digits) {
            let test = digits.iter().rev().fold(0, |index, digit| index * calls + digit);
            assert!(!seen[test as usize], "{calls}^{length}: {test} comes twice");
            seen[test as usize] = true;
            if permutation.words.radices.len() == 1 {
                words[0] = test;
                permutation.back(&mut words);
                assert_eq!(words[0], position);
            }
            position += 1;
        }
        assert_eq!(position, z as u64, "{calls}^{length}");
        assert_eq!(cursor.position(), None);
    }

    #[test]
    fn every_test_comes_exactly_once_in_spaces_small_and_odd() {
        for calls in 1..=40 {
            for length in 0..=4 {
                if u64::pow(calls, length as u32) <= 50_000 {
                    check_exhausted(calls, length, calls ^ 99);
                }
            }
        }
        let odd =
            [(1, 70), (2, 16), (3, 11), (5, 7), (7, 6), (11, 5), (13, 4), (4097, 1), (65_537, 1)];
        for (calls, length) in odd {
            for key in 0..3 {
                check_exhausted(calls, length, key);
            }
        }
        // The bound that requirement E9 names, in even and in prime bases.
        for (calls, length) in [(10, 7), (9_999_991, 1)] {
            check_exhausted(calls, length, 5);
        }
    }

    /// The network over words, on spaces small enough to be gone through: words are cut smaller than
    /// they would be.
    #[test]
    fn the_network_over_words_has_every_test_once() {
        for radices in [vec![3, 5], vec![2, 2], vec![1, 7], vec![7, 4, 9], vec![13, 14, 15, 16]] {
            let size: u64 = radices.iter().product();
            let mut words = Words::new(2, 1);
            words.radices = radices;
            let left = words.radices.len() / 2;
            for key in 0..4 {
                let form = Form::Halves { left, keys: keys(key) };
                let permutation = Permutation { words: words.clone(), form };
                let mut seen = vec![false; size as usize];
                let mut at = vec![0; words.radices.len()];
                loop {
                    let mut there = at.clone();
                    permutation.forth(&mut there);
                    let test = words.index(&there).iter_u64_digits().next().unwrap_or(0);
                    assert!(!std::mem::replace(&mut seen[test as usize], true));
                    permutation.back(&mut there);
                    assert_eq!(there, at);
                    if words.increment(&mut at) {
                        break;
                    }
                }
                assert!(seen.into_iter().all(|seen| seen));
            }
        }
    }

    #[test]
    fn keys_give_different_orders_and_one_key_always_the_same() {
        for (calls, length) in [(31, 1), (31, 2), (31, 8), (31, 100)] {
            let first = |key| {
                let permutation = Permutation::new(calls, length, key);
                let at = |n: u32| permutation.test_at(&BigUint::from(n)).expect("a position");
                (0..20).map(at).collect::<Vec<_>>()
            };
            assert_eq!(first(1), first(1));
            assert_ne!(first(1), first(2), "{calls}^{length}");
        }
    }

    proptest! {
        #[test]
        fn positions_and_tests_determine_each_other(
            calls in prop_oneof![1u64..50, 1u64..(1 << 62)],
            length in 0usize..70,
            key in any::<u64>(),
            bytes in proptest::collection::vec(any::<u8>(), 0..550),
        ) {
            let position = BigUint::from_bytes_le(&bytes) % size(calls, length);
            let permutation = Permutation::new(calls, length, key);
            let test = permutation.test_at(&position).expect("it is below z");
            prop_assert_eq!(permutation.position_of(&test), Some(position.clone()));
            let mut cursor = permutation.cursor(&position).expect("it is below z");
            let mut digits = vec![0; length];
            prop_assert_eq!(cursor.position(), Some(position));
            prop_assert!(cursor.next(&mut digits));
            prop_assert_eq!(index_of(&digits, calls), test.clone());
            prop_assert_eq!(digits_of(&test, calls, length), Some(digits));
        }
    }
}
