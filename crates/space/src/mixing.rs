//! Small functions that turn numbers into others that show no trace of them. No cryptography: the
//! order must look random to code under test, not to an adversary.

/// The golden ratio as a fraction of 2^64: steps that stay far apart.
pub(crate) const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A bijection of 64-bit numbers in which every bit of the result depends on all bits given.
pub(crate) fn scatter(mut x: u64) -> u64 {
    x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 32)
}

/// Takes one more number into a state: the halves of a product, folded.
pub(crate) fn absorb(state: u64, word: u64) -> u64 {
    let product = u128::from(state ^ word ^ STEP) * 0xa076_1d64_78bd_642f_u128;
    (product as u64) ^ ((product >> 64) as u64).wrapping_add(word)
}

/// Brings a random number down to `0..bound`.
pub(crate) fn scale(random: u64, bound: u64) -> u64 {
    ((u128::from(random) * u128::from(bound)) >> 64) as u64
}
