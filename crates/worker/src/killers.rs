//! Which tests take the runner down with them, found by running ever fewer of them.
//!
//! The runner names each test before it starts it, so the one under way is asked first, alone. If
//! it is innocent, one before it did something that showed late: those are told apart by halves,
//! each half followed by the innocent one, during which it shows. In the same way those are found
//! that leave something behind which has an effect only when it is garbage.
//!
//! Invariant: a bounded number of runners dies; what is undecided then is blamed, and told apart.

use std::time::{Duration, Instant};

use crate::answer::TestEnd;

/// Runners that the tests of one class may cost.
const MAX_DEATHS: u32 = 24;
/// For runners that take long to die: those that fall silent.
const PATIENCE: Duration = Duration::from_secs(180);

/// What came of running some tests, by their numbers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Trial {
    /// Those that ended, in the order they ran.
    pub(crate) ends: Vec<(usize, TestEnd)>,
    /// How the runner died and during which test, if it did.
    pub(crate) death: Option<(Option<usize>, String)>,
    /// What finalizers and cleaners did after the last of them, if anything.
    pub(crate) late: Option<String>,
}

/// How tests end that were run in fresh runners.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Ends {
    /// Each with its end.
    pub(crate) ends: Vec<(usize, TestEnd)>,
    /// Those blamed when time or runners ran out, the innocent among them.
    pub(crate) undecided: Vec<usize>,
}

/// Has tests run by `run`, in a fresh runner each time.
pub(crate) struct Inquiry<'r, E> {
    run: &'r mut dyn FnMut(&[usize]) -> Result<Trial, E>,
    deaths: u32,
    started: Instant,
}

impl<'r, E> Inquiry<'r, E> {
    pub(crate) fn new(run: &'r mut dyn FnMut(&[usize]) -> Result<Trial, E>) -> Self {
        Self { run, deaths: 0, started: Instant::now() }
    }

    fn trial(&mut self, tests: &[usize]) -> Result<Trial, E> {
        let trial = (self.run)(tests)?;
        self.deaths += u32::from(trial.death.is_some() || trial.late.is_some());
        Ok(trial)
    }

    fn is_over(&self) -> bool {
        self.deaths >= MAX_DEATHS || self.started.elapsed() >= PATIENCE
    }

    /// How each of these tests ends in a runner that none of them kills.
    pub(crate) fn ends(mut self, tests: &[usize]) -> Result<Ends, E> {
        let mut left = tests.to_vec();
        let mut found = Ends::default();
        while !left.is_empty() {
            let trial = self.trial(&left)?;
            let (blamed, end) = match (trial.death, trial.late) {
                (Some((_, how)), _) if self.is_over() => {
                    found.undecided.clone_from(&left);
                    (left.clone(), TestEnd::Killed(how))
                }
                (Some((during, how)), _) => {
                    let before: Vec<usize> = trial.ends.iter().map(|(test, _)| *test).collect();
                    (self.killers(&left, &before, during)?, TestEnd::Killed(how))
                }
                (None, Some(what)) => {
                    let blamed = self.late(&left, &mut found.undecided)?;
                    (blamed, TestEnd::LeftChanged(what))
                }
                (None, None) => {
                    found.ends.extend(trial.ends);
                    break;
                }
            };
            left.retain(|test| !blamed.contains(test));
            found.ends.extend(blamed.into_iter().map(|test| (test, end.clone())));
        }
        Ok(found)
    }

    /// At least one of those that together leave something behind which has an effect.
    fn late(&mut self, tests: &[usize], undecided: &mut Vec<usize>) -> Result<Vec<usize>, E> {
        if tests.len() < 2 {
            return Ok(tests.to_vec());
        }
        let (first, second) = tests.split_at(tests.len() / 2);
        let mut found = Vec::new();
        for half in [first, second] {
            if self.is_over() {
                undecided.extend(half);
                found.extend(half);
            } else if self.trial(half)?.late.is_some() {
                found.extend(self.late(half, undecided)?);
            }
        }
        if found.is_empty() {
            // Only together with others, which may stay.
            found.extend(tests.last());
        }
        Ok(found)
    }

    /// At least one of those that died together.
    fn killers(
        &mut self,
        tests: &[usize],
        before: &[usize],
        during: Option<usize>,
    ) -> Result<Vec<usize>, E> {
        let Some(last) = during else {
            // None had started: opening the class did it, and nobody can be told from another.
            return Ok(tests.to_vec());
        };
        if before.is_empty() || self.trial(&[last])?.death.is_some() {
            return Ok(vec![last]);
        }
        let found = self.among(before, last)?;
        // Only together with others, which may stay.
        Ok(if found.is_empty() { vec![last] } else { found })
    }

    /// Those of `tests` after each of which, or after some of which, the runner dies in `witness`.
    fn among(&mut self, tests: &[usize], witness: usize) -> Result<Vec<usize>, E> {
        let asked: Vec<usize> = tests.iter().copied().chain([witness]).collect();
        if self.is_over() || self.trial(&asked)?.death.is_none() {
            return Ok(Vec::new());
        }
        if let [only] = tests {
            return Ok(vec![*only]);
        }
        let (first, second) = tests.split_at(tests.len() / 2);
        let mut found = self.among(first, witness)?;
        found.extend(self.among(second, witness)?);
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::convert::Infallible;

    use super::*;

    /// Runs `count` tests in a world where a runner dies as `death` says for the tests run so far,
    /// the last one under way; compares those blamed, and bounds the runners that died.
    fn check(count: usize, death: impl Fn(&[usize]) -> bool, killers: &[usize], max_deaths: u32) {
        check_both(count, death, |_| false, killers, max_deaths);
    }

    /// The same where all tests run together may have an effect late.
    fn check_both(
        count: usize,
        death: impl Fn(&[usize]) -> bool,
        late: impl Fn(&[usize]) -> bool,
        killers: &[usize],
        max_deaths: u32,
    ) {
        let deaths = Cell::new(0);
        let mut run = |tests: &[usize]| -> Result<Trial, Infallible> {
            let mut trial = Trial::default();
            for (at, test) in tests.iter().enumerate() {
                if death(&tests[..=at]) {
                    deaths.set(deaths.get() + 1);
                    trial.death = Some((Some(*test), "ended".to_owned()));
                    break;
                }
                trial.ends.push((*test, TestEnd::Passed));
            }
            if trial.death.is_none() && late(tests) {
                deaths.set(deaths.get() + 1);
                trial.late = Some("deleted a file".to_owned());
            }
            Ok(trial)
        };
        let tests: Vec<usize> = (0..count).collect();
        let Ok(Ends { mut ends, undecided }) = Inquiry::new(&mut run).ends(&tests);
        let is_killed =
            |test: &usize| ends.iter().any(|(t, end)| t == test && *end != TestEnd::Passed);
        assert!(undecided.iter().all(is_killed), "{undecided:?}");
        ends.sort_by_key(|(test, _)| *test);
        let all: Vec<usize> = ends.iter().map(|(test, _)| *test).collect();
        assert_eq!(all, tests, "every test has one end");
        let killed = ends.iter().filter(|(_, end)| *end != TestEnd::Passed);
        assert_eq!(killed.map(|(test, _)| *test).collect::<Vec<_>>(), killers);
        assert!(deaths.get() <= max_deaths, "{} runners died", deaths.get());
    }

    #[test]
    fn no_death_costs_one_runner() {
        check(5, |_| false, &[], 0);
    }

    #[test]
    fn killers_are_told_by_being_under_way() {
        check(40, |run| run.last() == Some(&7), &[7], 2);
        check(40, |run| [3, 4, 39].contains(run.last().expect("one")), &[3, 4, 39], 6);
        check(1, |_| true, &[0], 1);
    }

    #[test]
    fn a_killer_that_shows_late_is_found_by_halves() {
        // The test after it is under way when the runner dies; alone, its death shows at the end.
        check(32, |run| run.contains(&5) && (run.len() == 1 || run.last() > Some(&5)), &[5], 12);
    }

    #[test]
    fn of_tests_that_kill_only_together_one_goes() {
        check(20, |run| run.contains(&2) && run.contains(&11), &[2], 8);
        check(20, |run| [2, 7, 11].iter().all(|test| run.contains(test)), &[11], 4);
    }

    #[test]
    fn those_that_leave_something_behind_are_found_by_halves() {
        check_both(32, |_| false, |run| run.contains(&5), &[5], 8);
        check_both(32, |_| false, |run| run.contains(&5) || run.contains(&30), &[5, 30], 14);
        check_both(1, |_| false, |_| true, &[0], 1);
        check_both(8, |_| false, |run| run.contains(&2) && run.contains(&6), &[6, 7], 8);
        let is_killer = |run: &[usize]| run.last() == Some(&3);
        check_both(8, is_killer, |run| run.contains(&1), &[1, 3], 8);
        // What is undecided when too many runners have been spent is dropped.
        let all: Vec<usize> = (0..100).collect();
        check_both(100, |_| false, |run| !run.is_empty(), &all, MAX_DEATHS + 1);
    }

    #[test]
    fn runners_that_keep_dying_are_given_up() {
        let all: Vec<usize> = (0..200).collect();
        check(200, |_| true, &all, MAX_DEATHS + 1);
    }
}
