//! Which tests make another one fail that runs after them, found by running ever fewer of them.
//!
//! Invariant: a bounded number of runs. When they are used up, or time is, the smallest set is blamed
//! that the victim is known to fail after: somebody in it did it, and the victim was there first.

use std::time::{Duration, Instant};

/// Runs that the search for the culprits of one test may take.
const MAX_RUNS: u32 = 40;
/// The same by the clock.
const PATIENCE: Duration = Duration::from_secs(120);

/// Says whether the victim fails after these tests, or nothing if there is no time left to find out.
type Fails<'f, E> = dyn FnMut(&[usize]) -> Result<Option<bool>, E> + 'f;

/// Looks for culprits.
pub(crate) struct Culprits<'f, E> {
    fails: &'f mut Fails<'f, E>,
    runs: u32,
    started: Instant,
    is_over: bool,
}

impl<'f, E> Culprits<'f, E> {
    pub(crate) fn new(fails: &'f mut Fails<'f, E>) -> Self {
        Self { fails, runs: 0, started: Instant::now(), is_over: false }
    }

    /// At least one of `tests`, after which the victim has been seen to fail; none if it does not fail
    /// again.
    pub(crate) fn among(mut self, tests: &[usize]) -> Result<Vec<usize>, E> {
        let found = self.search(tests, &[])?;
        Ok(if found.is_empty() && self.is_over { tests.to_vec() } else { found })
    }

    /// Whether the victim fails after these; not if it cannot be found out any more.
    fn fails_after(&mut self, tests: &[usize]) -> Result<bool, E> {
        self.runs += 1;
        if self.runs > MAX_RUNS || self.started.elapsed() > PATIENCE {
            self.is_over = true;
        }
        if self.is_over {
            return Ok(false);
        }
        let fails = (self.fails)(tests)?;
        self.is_over = fails.is_none();
        Ok(fails == Some(true))
    }

    /// The same after `others`, without whom the tests may do nothing.
    fn search(&mut self, tests: &[usize], others: &[usize]) -> Result<Vec<usize>, E> {
        if tests.is_empty() || !self.fails_after(&[others, tests].concat())? {
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
        if found.is_empty() && self.is_over {
            found = tests.to_vec();
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
        check_for(u32::MAX, count, fails, culprits);
    }

    /// The same where there is time for so many runs only.
    fn check_for(runs: u32, count: usize, fails: impl Fn(&[usize]) -> bool, culprits: &[usize]) {
        let mut left = runs;
        let mut fails = |tests: &[usize]| {
            let is_over = left == 0;
            left = left.saturating_sub(1);
            Ok::<_, Infallible>((!is_over).then(|| fails(tests)))
        };
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

    #[test]
    fn when_time_is_up_the_smallest_set_is_blamed_that_is_known_to_do_it() {
        let all: Vec<usize> = (0..8).collect();
        check_for(0, 8, |run| run.contains(&2), &all);
        check_for(1, 8, |run| run.contains(&2), &all);
        check_for(2, 8, |run| run.contains(&2), &[0, 1, 2, 3]);
        check_for(4, 8, |run| run.contains(&2), &[2, 3]);
    }
}
