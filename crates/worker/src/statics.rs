//! Tests that leave static state of the project changed are dropped, for they would disturb tests
//! that are not seen here: those of the user, and those of other runs.
//!
//! What counts is a field that code sets at will and that has another value afterwards, and a
//! collection or map that has lost what it held from the start. Caches, counters, objects made on
//! first use and collections that grow do not: nearly every call changes such things, and what
//! depends on them is found by running tests in several orders, where it is the one that depends
//! that goes.

use std::collections::BTreeMap;

use crate::check::{Checked, Checker, Fate, SETTINGS, Written, run_in};
use crate::process::WorkerError;
use crate::runners::Ran;
use crate::services::Process;

impl Checker {
    /// Drops those that leave static state changed; whether there was any.
    pub(crate) fn drop_polluters(
        &self,
        written: &Written,
        suite: &mut Checked,
    ) -> Result<bool, WorkerError> {
        let class_path = format!("{}:{}", written.classes.path().display(), self.class_path);
        let classes = [written.test_class()];
        let run = run_in(SETTINGS[0], &class_path, &classes);
        let is_clean = |ran: &Ran| ran.death.is_none() && ran.left_statics.is_empty();
        if is_clean(&self.services.measure(Process::Warm, &run)?) {
            return Ok(false);
        }
        // As elsewhere, a process that has run nothing else decides. One that dies is looked into
        // when tests are run for how they end; what was found out before is so all the same.
        let ran = self.services.measure(Process::Fresh, &run)?;
        let names = suite.names(written);
        let mut left: BTreeMap<usize, String> = BTreeMap::new();
        for (test, what) in ran.left_statics {
            if let Some(number) = names.get(&test) {
                left.entry(*number).or_insert(what);
            }
        }
        for (test, what) in &left {
            let method = written.method(*test);
            suite.notes.push(format!("{method} leaves static state changed: {what}"));
            suite.lose(&[*test], Fate::StaticState);
        }
        Ok(!left.is_empty())
    }
}
