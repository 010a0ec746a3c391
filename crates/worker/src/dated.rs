//! Tests that depend on the date, and those that only seem to hold because it was never another one.
//!
//! Two environments have two dates. So the tests of a class that asks for the date, whichever of them
//! was seen to do it, run at those of [`calendar`] too: what a static initializer asks is asked in the
//! first test that needs the class, and told in any of them.
//!
//! Invariant: a class of which nothing asks for the date costs nothing here.

use std::collections::{BTreeMap, BTreeSet};

use crate::answer::TestEnd;
use crate::check::{Checked, Checker, Elsewhere, Ended, SETTINGS, Written, run_in};
use crate::moments::calendar;
use crate::process::WorkerError;
use crate::spent::Watch;
use crate::trial::trial;

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
        let found = self.bad_at(&calendar(), written, suite)?;
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
            for (moment, bad) in self.bad_at(&moments, written, suite)? {
                again.extend(bad.into_iter().filter(|(test, _)| {
                    first.get(test).is_some_and(|(failed_at, _)| *failed_at == moment)
                }));
            }
        }
        suite.spent.fresh_runs += watch.lap();
        let elsewhere = Elsewhere { depends: "depends on the date or time", again: &again };
        for bad in &bad {
            suite.drop_bad_one(written, bad, Some(elsewhere));
        }
        Ok(!bad.is_empty())
    }

    /// The tests that did not do what they should at each of these moments.
    fn bad_at(
        &self,
        moments: &[i64],
        written: &Written,
        suite: &Checked,
    ) -> Result<Vec<(i64, Vec<Ended>)>, WorkerError> {
        let class_path = self.class_path_of(written);
        let classes = [written.test_class()];
        let mut run = run_in(SETTINGS[0], &class_path, &classes);
        run.assertions |= suite.has_failing();
        let names = suite.names(written);
        let only: Vec<String> = names.keys().cloned().collect();
        let all = self.services.run_at(moments, &run, &only)?;
        let bad = |ran| suite.bad(written, &trial(&names, ran).ends);
        Ok(moments.iter().copied().zip(all.into_iter().map(bad)).collect())
    }
}
