//! Tests that depend on the date, and those that only seem to hold because it was never another one.
//!
//! Two environments have two dates. So the tests of a class that asks for the date, whichever of them
//! was seen to do it, run at those of [`calendar`] too: what a static initializer asks is asked in the
//! first test that needs the class, and told in any of them.
//!
//! Where some were dropped, those that held at all of them run at some once more: that is to find what the
//! dropped ones hid, which does not take every month. What lost an assertion runs at all of them again,
//! for that may have hidden the next one.
//!
//! Invariant: a class of which nothing asks for the date costs nothing here.

use std::collections::{BTreeMap, BTreeSet};

use crate::answer::TestEnd;
use crate::check::{Checked, Checker, Elsewhere, Ended, SETTINGS, Written, run_in};
use crate::moments::calendar;
use crate::process::WorkerError;
use crate::spent::Watch;
use crate::trial::{named, trial};

/// One of so many moments is some of them: no divisor of the months of a year nor of the days of a week.
const SOME_OF_MOMENTS: usize = 5;

impl Checker {
    /// Runs the tests of a class that asks for the date at many dates and times, and drops those that
    /// do not hold at all of them, or what does not hold of them; whether there was any.
    pub(crate) fn drop_dated(
        &self,
        written: &Written,
        suite: &mut Checked,
    ) -> Result<bool, WorkerError> {
        if suite.survivors.is_empty() {
            return Ok(false);
        }
        let mut watch = Watch::start();
        let unwritten = suite.stale.clone();
        let mut found = Vec::new();
        let mut all = 0;
        for (moments, tests) in runs(&calendar(), &suite.survivors, &suite.timeless) {
            all += moments.len();
            found.extend(self.bad_at(&moments, &tests, written, suite)?);
        }
        // A run that dies leaves moments out.
        let is_whole = found.len() == all;
        found.sort_by_key(|(moment, _)| *moment);
        let mut first: BTreeMap<usize, (i64, TestEnd)> = BTreeMap::new();
        for (moment, bad) in found {
            for (test, end) in bad {
                first.entry(test).or_insert((moment, end));
            }
        }
        let bad: Vec<Ended> = first.iter().map(|(test, (_, end))| (*test, end.clone())).collect();
        let mut again = Vec::new();
        if suite.may_spare(written, &bad) {
            let moments: BTreeSet<i64> = first.values().map(|(moment, _)| *moment).collect();
            let moments: Vec<i64> = moments.into_iter().collect();
            for (moment, bad) in self.bad_at(&moments, &suite.survivors, written, suite)? {
                again.extend(bad.into_iter().filter(|(test, _)| {
                    first.get(test).is_some_and(|(failed_at, _)| *failed_at == moment)
                }));
            }
        }
        suite.spent.fresh_runs += watch.lap();
        let held = suite
            .survivors
            .iter()
            .copied()
            .filter(|test| is_whole && !unwritten.contains(test) && !first.contains_key(test));
        suite.timeless = held.collect();
        let elsewhere = Elsewhere { depends: "depends on the date or time", again: &again };
        for bad in &bad {
            suite.drop_bad_one(written, bad, Some(elsewhere));
        }
        Ok(!bad.is_empty())
    }

    /// Those of these tests that did not do what they should, at each of these moments.
    fn bad_at(
        &self,
        moments: &[i64],
        tests: &[usize],
        written: &Written,
        suite: &Checked,
    ) -> Result<Vec<(i64, Vec<Ended>)>, WorkerError> {
        let class_path = self.class_path_of(written);
        let classes = [written.test_class()];
        let mut run = run_in(SETTINGS[0], &class_path, &classes);
        run.assertions |= suite.has_failing();
        let names = named(&suite.names(written), tests);
        let only: Vec<String> = names.keys().cloned().collect();
        let all = self.services.run_at(moments, &run, &only)?;
        let bad = |ran| suite.bad(written, &trial(&names, ran).ends);
        Ok(moments.iter().copied().zip(all.into_iter().map(bad)).collect())
    }
}

/// At which moments which tests run: all at all; but of those that held at all of them before, one in so
/// many moments is enough.
fn runs(
    calendar: &[i64],
    tests: &[usize],
    timeless: &BTreeSet<usize>,
) -> Vec<(Vec<i64>, Vec<usize>)> {
    if timeless.is_empty() {
        return vec![(calendar.to_vec(), tests.to_vec())];
    }
    let (some, others): (Vec<_>, Vec<_>) =
        calendar.iter().enumerate().partition(|(at, _)| at.is_multiple_of(SOME_OF_MOMENTS));
    let [some, others] = [some, others].map(|of| of.into_iter().map(|(_, at)| *at).collect());
    let new: Vec<usize> = tests.iter().copied().filter(|test| !timeless.contains(test)).collect();
    let mut runs = vec![(some, tests.to_vec())];
    if !new.is_empty() {
        runs.push((others, new));
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(timeless: &[usize], expected: &[(&[i64], &[usize])]) {
        let calendar: Vec<i64> = (0..7).collect();
        let found = runs(&calendar, &[1, 2, 3], &timeless.iter().copied().collect());
        let found: Vec<(&[i64], &[usize])> = found.iter().map(|(m, t)| (&m[..], &t[..])).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_held_at_all_moments_runs_at_some_once_more_and_the_rest_at_all() {
        check(&[], &[(&[0, 1, 2, 3, 4, 5, 6], &[1, 2, 3])]);
        check(&[1, 2, 3], &[(&[0, 5], &[1, 2, 3])]);
        check(&[1, 3], &[(&[0, 5], &[1, 2, 3]), (&[1, 2, 3, 4, 6], &[2])]);
    }
}
