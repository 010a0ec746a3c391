//! Bloodhound (requirement G9): methods with much left to cover are called more often.
//!
//! w(m,0) = α·uncovRatio(m) + (1−α)·(1 − succ(m)/maxSucc(M)); between two refreshes the weight of a
//! method that is selected for the k-th time falls to
//! w(m,k) = max( (−3/ln(1−p))·(pᵏ/k), 1/ln(size(M)+3) )·w(m,0). The paper reads coverage every 50 s;
//! here it is known after every run, so weights are made anew after so many selections that each
//! method had its turns, and whenever something new was covered.
//!
//! Off with `--without bloodhound`. α is [`ALPHA`], p is [`P`], a refresh comes after [`TURNS`] selections of each.

use crate::Rng;

/// How much uncovered branches count against calls that did not succeed.
const ALPHA: f64 = 0.9;
/// How fast the weight of a selected method falls.
const P: f64 = 0.99;
/// Selections per method between two refreshes.
const TURNS: u32 = 50;

/// What a method's weight is made of.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(crate) struct Progress {
    /// Probes not hit yet, of all: its own and those of hidden methods it calls.
    pub(crate) uncovered: f64,
    /// Calls that returned.
    pub(crate) succeeded: u64,
}

/// The weights of a set of methods.
#[derive(Clone, Debug)]
pub(crate) struct Bloodhound {
    initial: Vec<f64>,
    selected: Vec<u32>,
    weights: Vec<f64>,
    total: f64,
    left: u32,
}

impl Bloodhound {
    /// Weights for methods of which this is known.
    pub(crate) fn new(progress: &[Progress]) -> Self {
        let mut this = Self {
            initial: Vec::new(),
            selected: Vec::new(),
            weights: Vec::new(),
            total: 0.0,
            left: 0,
        };
        this.refresh(progress);
        this
    }

    /// Whether the weights are old.
    pub(crate) fn is_due(&self) -> bool {
        self.left == 0
    }

    /// Makes the weights anew.
    pub(crate) fn refresh(&mut self, progress: &[Progress]) {
        let most = progress.iter().map(|p| p.succeeded).max().unwrap_or(0).max(1) as f64;
        self.initial = progress
            .iter()
            .map(|p| ALPHA * p.uncovered + (1.0 - ALPHA) * (1.0 - p.succeeded as f64 / most))
            // What is covered and succeeds is still of use to others.
            .map(|weight| weight.max(0.01))
            .collect();
        self.weights.clone_from(&self.initial);
        self.selected = vec![0; progress.len()];
        self.total = self.weights.iter().sum();
        self.left = TURNS * progress.len().max(1) as u32;
    }

    /// Selects a method by weight; its weight falls.
    pub(crate) fn select(&mut self, rng: &mut Rng) -> Option<usize> {
        if self.weights.is_empty() {
            return None;
        }
        let mut at = rng.rand_float() * self.total;
        let mut chosen = self.weights.len() - 1;
        for (index, weight) in self.weights.iter().enumerate() {
            if at < *weight {
                chosen = index;
                break;
            }
            at -= weight;
        }
        self.selected[chosen] += 1;
        let k = f64::from(self.selected[chosen]);
        let falling = (-3.0 / (1.0 - P).ln()) * (P.powf(k) / k);
        let floor = 1.0 / (self.weights.len() as f64 + 3.0).ln();
        self.weights[chosen] = falling.max(floor) * self.initial[chosen];
        self.total = self.weights.iter().sum();
        self.left = self.left.saturating_sub(1);
        Some(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(progress: &[Progress], selections: u32) -> Vec<u32> {
        let mut hound = Bloodhound::new(progress);
        let mut rng = Rng::new(1);
        let mut counts = vec![0; progress.len()];
        for _ in 0..selections {
            if hound.is_due() {
                hound.refresh(progress);
            }
            counts[hound.select(&mut rng).expect("there are methods")] += 1;
        }
        counts
    }

    #[test]
    fn uncovered_methods_are_selected_more_often_and_none_is_forgotten() {
        let of = |uncovered| Progress { uncovered, succeeded: 100 };
        let counts = counts(&[of(1.0), of(0.1), of(0.0)], 3000);
        assert!(counts[0] > counts[1] && counts[1] > counts[2], "{counts:?}");
        assert!(counts[2] > 0, "{counts:?}");
    }

    #[test]
    fn methods_that_never_succeed_are_preferred_among_equals() {
        let of = |succeeded| Progress { uncovered: 0.5, succeeded };
        let counts = counts(&[of(1000), of(0)], 4000);
        assert!(counts[1] > counts[0], "{counts:?}");
    }

    #[test]
    fn the_weight_falls_with_each_selection_down_to_a_floor() {
        let mut hound = Bloodhound::new(&[Progress { uncovered: 1.0, succeeded: 0 }]);
        let mut rng = Rng::new(1);
        let mut last = f64::INFINITY;
        for _ in 0..40 {
            hound.select(&mut rng);
            assert!(hound.weights[0] <= last);
            last = hound.weights[0];
        }
        assert!((last - hound.initial[0] / 4_f64.ln()).abs() < 1e-9, "{last}");
    }
}
