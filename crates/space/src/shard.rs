//! Parts of a run: which positions of an order a process takes on.
//!
//! Invariant: the shards `1/n` to `n/n` of a space are disjoint and together the whole space.

use std::str::FromStr;

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

/// The k-th of n parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, from 1.
    number: u64,
    /// Of how many.
    of: u64,
}

/// Why a text names no shard.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no shard: write `2/8` for the second of eight")]
pub struct ShardError(String);

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// The positions of this part, of so many in all: from the first to before the second.
    pub fn range(self, size: &BigUint) -> (BigUint, BigUint) {
        let bound = |number: u64| size * number / self.of;
        (bound(self.number - 1), bound(self.number))
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let parsed = text.split_once('/').and_then(|(number, of)| {
            let (number, of) = (number.trim().parse().ok()?, of.trim().parse().ok()?);
            (1 <= number && number <= of).then_some(Self { number, of })
        });
        parsed.ok_or_else(|| ShardError(text.to_owned()))
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_together_are_the_whole_space() {
        for size in [0u32, 1, 7, 8, 1000] {
            for of in [1, 2, 3, 8, 11] {
                let mut next = BigUint::ZERO;
                for number in 1..=of {
                    let (from, to) = Shard { number, of }.range(&size.into());
                    assert_eq!(from, next);
                    next = to;
                }
                assert_eq!(next, size.into());
            }
        }
    }

    #[test]
    fn what_names_no_shard_is_refused() {
        assert_eq!("2/8".parse(), Ok(Shard { number: 2, of: 8 }));
        assert_eq!("1/1".parse(), Ok(Shard::WHOLE));
        for bad in ["", "3", "0/8", "9/8", "1/0", "-1/2", "a/b", "1/2/3"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
