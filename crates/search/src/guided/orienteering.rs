//! Orienteering (requirement G8): sequences that are cheap to run are extended more often.
//!
//! weight(seq) = 1 / (Σᵢ exec_timeᵢ · √meth_size), over its selections i so far. So that the same
//! seed gives the same tests, cost is not measured by the clock but in steps, as the probes count
//! them. Drawing by weight from hundreds of sequences would cost more than running one, so the
//! heaviest of a few drawn evenly is taken.
//!
//! Off with `--without orienteering`. Of how many the heaviest is taken is [`DRAWN`].

use crate::Rng;
use crate::pool::Entry;

/// How many are drawn.
const DRAWN: u32 = 3;

/// An entry, cheap ones more often.
pub(crate) fn draw<'p>(entries: &'p [Entry], rng: &mut Rng) -> &'p Entry {
    let mut any = || &entries[rng.rand_range(0..entries.len() as u64) as usize];
    let mut best = any();
    for _ in 1..DRAWN {
        let other = any();
        if weight(other) > weight(best) {
            best = other;
        }
    }
    best.selections.set(best.selections.get().saturating_add(1));
    best
}

fn weight(entry: &Entry) -> f64 {
    let time = (f64::from(entry.selections.get()) + 1.0) * f64::from(entry.cost.max(1));
    1.0 / (time * (entry.case.calls.len().max(1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use model::{Slot, TestCase};

    use super::*;
    use crate::api::TypeId;

    fn entry(cost: u32) -> Entry {
        Entry::new(Arc::new(TestCase::default()), Slot(0), TypeId(0), cost)
    }

    #[test]
    fn cheap_sequences_are_drawn_more_often_and_costly_ones_are_not_forgotten() {
        let entries = [entry(5), entry(500)];
        let mut rng = Rng::new(1);
        for _ in 0..2000 {
            draw(&entries, &mut rng);
        }
        let [cheap, costly] = [&entries[0], &entries[1]].map(|e| e.selections.get());
        assert!(cheap > 2 * costly && costly > 0, "{cheap} {costly}");
    }
}
