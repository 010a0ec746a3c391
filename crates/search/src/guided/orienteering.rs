//! Orienteering (requirement G8): sequences that are cheap to run are extended more often.
//!
//! weight(seq) = 1 / (Σᵢ exec_timeᵢ · √meth_size), over its selections i so far. So that the same
//! seed gives the same tests, cost is not measured by the clock: each call counts, and what it takes
//! in steps where that is known.

/// The weight of a sequence that was selected so often, of so many calls, each run at this cost.
pub(crate) fn weight(selections: u32, cost: f64, calls: usize) -> f64 {
    1.0 / ((f64::from(selections) + 1.0) * cost.max(1.0) * (calls.max(1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cheap_short_and_fresh_sequences_weigh_more() {
        assert!(weight(0, 1.0, 1) > weight(0, 50.0, 1));
        assert!(weight(0, 1.0, 1) > weight(0, 1.0, 9));
        assert!(weight(0, 1.0, 1) > weight(3, 1.0, 1));
    }
}
