//! The order of BE (requirement E7): depth first through the search tree of figure 2(c).
//!
//! A test's position in this order is written with the first call most significant, and in the
//! parameter tree of a method the first parameter decides first; in the numbering it is the other
//! way round in both. A position is therefore kept as digits, one per call from the first, each the
//! call's rank in the tree.

use num_bigint::BigUint;

use crate::{Context, digits_of, index_of};

/// A walk through the leaves of the search tree, from left to right.
#[derive(Clone, Debug)]
pub struct DepthFirst {
    /// The call of each rank.
    ranked: Vec<u64>,
    /// The ranks of the calls at hand.
    ranks: Vec<u64>,
    calls: u64,
}

impl DepthFirst {
    /// Starts at a position; `None` if there is no leaf there.
    pub fn new(context: &Context, length: usize, from: &BigUint) -> Option<Self> {
        let calls = context.calls();
        let mut ranks = digits_of(from, calls, length)?;
        ranks.reverse();
        // Contexts whose calls do not fit into memory are gone through by number.
        let listed = if context.kept.is_empty() { 0 } else { calls };
        let ranked = (0..listed).map(|rank| context.call_of_rank(rank)).collect();
        Some(Self { ranked, ranks, calls })
    }

    /// The number of the call at a depth.
    pub fn call_at(&self, depth: usize) -> u64 {
        let rank = self.ranks[depth];
        self.ranked.get(rank as usize).copied().unwrap_or(rank)
    }

    /// The numbers of all calls of the test at hand.
    pub fn digits(&self) -> Vec<u64> {
        (0..self.ranks.len()).map(|depth| self.call_at(depth)).collect()
    }

    /// Goes to the next leaf, and says at which depth the first call differs; `None` after the last.
    pub fn advance(&mut self) -> Option<usize> {
        self.skip(self.ranks.len())
    }

    /// Goes to the next leaf whose first `kept` calls are not all those of this one.
    pub fn skip(&mut self, kept: usize) -> Option<usize> {
        self.ranks[kept..].fill(0);
        for depth in (0..kept).rev() {
            self.ranks[depth] += 1;
            if self.ranks[depth] < self.calls {
                return Some(depth);
            }
            self.ranks[depth] = 0;
        }
        None
    }

    /// Where the walk is.
    pub fn position(&self) -> BigUint {
        let ranks: Vec<u64> = self.ranks.iter().rev().copied().collect();
        index_of(&ranks, self.calls)
    }
}

impl Context {
    /// The call of a rank: as in the numbering, but the first parameter is the most significant.
    fn call_of_rank(&self, rank: u64) -> u64 {
        let method = self.method_of(rank);
        let mut rest = rank - self.offsets[method];
        let mut index = 0;
        let mut weight = self.signatures[method].calls;
        for choices in self.signatures[method].choices.iter().rev() {
            let choices = choices.len() as u64;
            weight /= choices;
            index += weight * (rest % choices);
            rest /= choices;
        }
        self.offsets[method] + index
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::tests::sample;
    use num_traits::Zero;
    use std::collections::BTreeSet;

    #[test]
    fn every_test_is_met_once_and_the_last_call_changes_first() {
        let context = sample();
        let mut walk = DepthFirst::new(&context, 2, &BigUint::zero()).expect("there are leaves");
        let mut seen = BTreeSet::new();
        let mut changed = Vec::new();
        loop {
            assert_eq!(walk.position(), BigUint::from(seen.len()));
            assert!(seen.insert(walk.digits()));
            match walk.advance() {
                Some(depth) => changed.push(depth),
                None => break,
            }
        }
        assert_eq!(seen.len(), 31 * 31);
        assert_eq!(changed.iter().filter(|depth| **depth == 0).count(), 30);
        assert_eq!(changed[29], 1);
        assert_eq!(changed[30], 0);
    }

    #[test]
    fn a_walk_goes_on_from_any_position() {
        let context = sample();
        let mut walk = DepthFirst::new(&context, 3, &BigUint::zero()).expect("there are leaves");
        for at in 0..2000u32 {
            let from = DepthFirst::new(&context, 3, &BigUint::from(at)).expect("a leaf");
            assert_eq!(from.digits(), walk.digits());
            walk.advance();
        }
        assert!(DepthFirst::new(&context, 3, &BigUint::from(31u32 * 31 * 31)).is_none());
    }

    #[test]
    fn in_the_parameter_tree_the_first_parameter_changes_last() {
        let context = sample();
        // Ranks of `add`: [a, b, target, result] with 3, 3, 1, 3 choices.
        let digit = |rank| context.call_of_rank(rank) - 1;
        assert_eq!(digit(1), 0);
        assert_eq!(digit(2), 9);
        assert_eq!(digit(4), 3);
        assert_eq!(digit(10), 1);
    }
}
