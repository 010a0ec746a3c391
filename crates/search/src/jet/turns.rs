//! Which method is tested next: each in turn, so that they get the same number of attempts.
//!
//! A method of which test after test is redundant rests for a while, longer each time: there are few
//! ways to call a constructor that takes nothing.

use crate::api::OpId;

/// A method never rests for more than two to this power of rounds.
const MAX_REST: u32 = 6;

#[derive(Debug)]
struct Turn {
    method: OpId,
    /// Rounds that it is left out of from now on.
    rests: u32,
    /// How often in a row it came to nothing new.
    in_vain: u32,
}

/// The methods under test.
#[derive(Debug)]
pub(super) struct Turns {
    turns: Vec<Turn>,
    at: usize,
    /// Redundant test cases of the method whose turn it is, in a row.
    redundant: u32,
    replacements: u32,
}

impl Turns {
    pub(super) fn new(methods: impl Iterator<Item = OpId>, replacements: u32) -> Self {
        let turns = methods.map(|method| Turn { method, rests: 0, in_vain: 0 }).collect();
        Self { turns, at: 0, redundant: 0, replacements }
    }

    /// The method whose turn it is.
    pub(super) fn current(&self) -> Option<OpId> {
        self.turns.get(self.at).map(|turn| turn.method)
    }

    /// All of them.
    pub(super) fn methods(&self) -> impl Iterator<Item = OpId> {
        self.turns.iter().map(|turn| turn.method)
    }

    /// A test case of the method was redundant: it is replaced by another one, up to a limit.
    pub(super) fn was_redundant(&mut self) {
        self.redundant += 1;
        if self.redundant > self.replacements
            && let Some(turn) = self.turns.get_mut(self.at)
        {
            turn.in_vain += 1;
            turn.rests = (1 << turn.in_vain.min(MAX_REST)) - 1;
            self.pass();
        }
    }

    /// A test case of the method was meaningful.
    pub(super) fn was_new(&mut self) {
        if let Some(turn) = self.turns.get_mut(self.at) {
            turn.in_vain = 0;
        }
        self.pass();
    }

    /// The next method has its turn.
    pub(super) fn pass(&mut self) {
        self.redundant = 0;
        if self.turns.is_empty() {
            return;
        }
        loop {
            self.at = (self.at + 1) % self.turns.len();
            match &mut self.turns[self.at].rests {
                0 => return,
                rests => *rests -= 1,
            }
        }
    }

    /// A method is not to be tested any more.
    pub(super) fn remove(&mut self, method: OpId) {
        let current = self.current();
        self.turns.retain(|turn| turn.method != method);
        let kept = self.turns.iter().position(|turn| Some(turn.method) == current);
        self.at =
            kept.unwrap_or(if self.turns.is_empty() { 0 } else { self.at % self.turns.len() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The methods of the next attempts, if those of method 0 are redundant.
    fn check(replacements: u32, attempts: usize, expected: &[u32]) {
        let mut turns = Turns::new((0..3).map(OpId), replacements);
        let mut seen = Vec::new();
        for _ in 0..attempts {
            let method = turns.current().expect("there are three").0;
            seen.push(method);
            if method == 0 { turns.was_redundant() } else { turns.was_new() }
        }
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_redundant_test_case_is_replaced_up_to_a_limit_and_then_the_method_rests() {
        check(0, 9, &[0, 1, 2, 1, 2, 0, 1, 2, 1]);
        check(2, 8, &[0, 0, 0, 1, 2, 1, 2, 0]);
    }

    #[test]
    fn a_method_that_is_removed_has_no_more_turns() {
        let mut turns = Turns::new((0..3).map(OpId), 0);
        turns.pass();
        turns.remove(OpId(1));
        turns.remove(OpId(2));
        assert_eq!(turns.current(), Some(OpId(0)));
        turns.remove(OpId(0));
        turns.pass();
        assert_eq!(turns.current(), None);
    }
}
