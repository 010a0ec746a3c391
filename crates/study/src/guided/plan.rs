//! How long a study will take, roughly: what the budgets say, and what the rest took on a machine
//! with two cores.

use super::piece::schedule;

/// Seconds per class for starting, minimizing, compiling, checking.
const PER_CLASS: f64 = 2.2;
/// Seconds for Maven's run and JaCoCo's report.
const MAVEN: f64 = 15.0;
/// Seconds per class for PIT.
const MUTATION_PER_CLASS: f64 = 15.0;
/// Seconds that a peer takes beyond its budget.
const PEER_PER_CLASS: f64 = 30.0;

/// A suite, its Maven run and perhaps its mutation score.
pub(super) fn piece(classes: usize, jobs: usize, budget: f64, mutation: bool) -> f64 {
    let mutation = if mutation { MUTATION_PER_CLASS } else { 0.0 };
    search(classes, jobs, budget) + MAVEN + mutation * classes as f64
}

/// A peer's suite: a class at a time.
pub(super) fn peer(classes: usize, budget: f64) -> f64 {
    (budget + PEER_PER_CLASS) * classes as f64 + MAVEN
}

/// Searching alone.
pub(super) fn search(classes: usize, jobs: usize, budget: f64) -> f64 {
    schedule(classes, jobs, budget, 0.0).0 + PER_CLASS * classes as f64 / jobs.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_study_takes_less_than_two_hours_on_two_cores() {
        let budgets = [(2.0, false), (10.0, true), (30.0, false)];
        let suites: f64 = budgets.iter().map(|(budget, pit)| piece(5, 2, *budget, *pit)).sum();
        // Ten components, off in turn and alone; all and none: twenty classes of twelve programs.
        let variants = 22.0 * (8.0 * search(2, 2, 5.0) + 4.0 * search(1, 2, 5.0));
        let hours = (12.0 * suites + variants) / 3600.0;
        assert!((0.5..2.0).contains(&hours), "{hours}");
    }
}
