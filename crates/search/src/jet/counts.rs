//! What became of the attempts, as the tables of the paper count it (figure 5).
//!
//! Invariant: every attempt is counted once, so that `T = MF + R + ML`.

use serde::{Deserialize, Serialize};

/// The counts of a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Counts {
    /// MF: test cases that call the method as its precondition allows, each of them once.
    pub meaningful: u64,
    /// R: those that are equivalent to one of them.
    pub redundant: u64,
    /// ML: those whose objects could not be built, or whose call the precondition forbids.
    pub meaningless: u64,
    /// Meaningful test cases that break a contract.
    pub failed: u64,
    /// Calls that were taken back while objects and arguments were chosen.
    pub taken_back: u64,
}

impl Counts {
    /// T: all attempts.
    pub fn total(&self) -> u64 {
        self.meaningful + self.redundant + self.meaningless
    }

    /// SR: the share of attempts that came to a meaningful test case, MF/T.
    pub fn success_ratio(&self) -> f64 {
        ratio(self.meaningful, self.total())
    }

    /// RR: the share of redundant test cases, R/(MF+R).
    pub fn redundancy_ratio(&self) -> f64 {
        ratio(self.redundant, self.meaningful + self.redundant)
    }
}

fn ratio(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_those_of_the_paper() {
        // Row Stack of table (a).
        let counts =
            Counts { meaningful: 78, redundant: 285, meaningless: 637, ..Counts::default() };
        assert_eq!(counts.total(), 1000);
        assert_eq!(format!("{:.2}", counts.success_ratio()), "0.08");
        assert_eq!(format!("{:.2}", counts.redundancy_ratio()), "0.79");
        assert_eq!(Counts::default().success_ratio(), 0.0);
    }
}
