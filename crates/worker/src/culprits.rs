//! Which tests make another one fail that runs after them, found by running ever fewer of them.
//!
//! Invariant: a bounded number of runs; what is not found then is not blamed.

use std::time::{Duration, Instant};

/// Runs that the search for the culprits of one test may take.
const MAX_RUNS: u32 = 40;
/// The same by the clock.
const PATIENCE: Duration = Duration::from_secs(120);

/// Looks for culprits; `fails` says whether the victim fails after these tests.
pub(crate) struct Culprits<'f, E> {
    fails: &'f mut dyn FnMut(&[usize]) -> Result<bool, E>,
    runs: u32,
    started: Instant,
}

impl<'f, E> Culprits<'f, E> {
    pub(crate) fn new(fails: &'f mut dyn FnMut(&[usize]) -> Result<bool, E>) -> Self {
        Self { fails, runs: 0, started: Instant::now() }
    }

    /// At least one of `tests`, if the victim fails after them; none if it does not.
    pub(crate) fn among(mut self, tests: &[usize]) -> Result<Vec<usize>, E> {
        self.search(tests, &[])
    }

    /// The same after `others`, without whom the tests may do nothing.
    fn search(&mut self, tests: &[usize], others: &[usize]) -> Result<Vec<usize>, E> {
        self.runs += 1;
        let is_over = self.runs > MAX_RUNS || self.started.elapsed() > PATIENCE;
        if tests.is_empty() || is_over || !(self.fails)(&[others, tests].concat())? {
            return Ok(Vec::new());
        }
        if let [only] = tests {
            return Ok(vec![*only]);
        }
        let (first, second) = tests.split_at(tests.len() / 2);
        let mut found = self.search(first, others)?;
        found.extend(self.search(second, others)?);
        if found.is_empty() {
            // Only some of each half together: those of one half may stay.
            found = self.search(second, &[others, first].concat())?;
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// Looks for culprits among `count` tests in a world where the victim fails as `fails` says.
    fn check(count: usize, fails: impl Fn(&[usize]) -> bool, culprits: &[usize]) {
        let mut fails = |tests: &[usize]| Ok::<_, Infallible>(fails(tests));
        let tests: Vec<usize> = (0..count).collect();
        let Ok(found) = Culprits::new(&mut fails).among(&tests);
        assert_eq!(found, culprits);
    }

    #[test]
    fn every_test_that_makes_the_victim_fail_is_found() {
        check(100, |run| run.contains(&17), &[17]);
        check(100, |run| run.contains(&17) || run.contains(&80), &[17, 80]);
        check(1, |_| true, &[0]);
    }

    #[test]
    fn of_those_that_do_it_only_together_one_is_blamed() {
        check(8, |run| run.contains(&2) && run.contains(&6), &[6]);
        check(2, |run| run.len() == 2, &[1]);
    }

    #[test]
    fn nobody_is_blamed_for_what_does_not_happen() {
        check(100, |_| false, &[]);
        check(0, |_| true, &[]);
    }
}
