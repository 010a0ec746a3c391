//! Tests that leave static state of the project changed are dropped, for they would disturb tests
//! that are not seen here: those of the user, and those of other runs.
//!
//! What counts is a field that code sets at will and that has another value afterwards, and a
//! collection or map that has lost what it held from the start. Caches, counters, objects made on
//! first use and collections that grow do not: nearly every call changes such things, and what
//! depends on them is found by running tests in several orders, where it is the one that depends
//! that goes.
//!
//! Invariant: where this could not be found out, the tests stay, and a note of the class says so.

use std::collections::BTreeMap;

use crate::check::{Checked, Checker, SETTINGS, Written, run_in};
use crate::dropped::Fate;
use crate::process::WorkerError;
use crate::runners::Ran;
use crate::services::Process;

/// How the note begins.
const NOT_LOOKED_AT: &str = "static state was not looked at: ";

impl Ran {
    /// Why it is not known of all tests what they leave in static state, if it is not.
    fn unmeasured(&self) -> Option<String> {
        let death = self.death.as_ref().map(|death| match &death.during {
            Some(test) => format!("the JVM {} during {test}", death.how),
            None => format!("the JVM {}", death.how),
        });
        death.or_else(|| self.unmeasured.clone())
    }
}

impl Ran {
    /// Whether tests that were run with a look at static state may leave some changed.
    pub(crate) fn may_leave_statics(&self) -> bool {
        self.has_statics || self.death.is_some()
    }
}

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
        let is_clean = |ran: &Ran| ran.unmeasured().is_none() && ran.left_statics.is_empty();
        // A round before may not have come to an end because of a test that is gone.
        suite.notes.retain(|note| !note.starts_with(NOT_LOOKED_AT));
        if is_clean(&self.services.measure(Process::Warm, &run)?) {
            return Ok(false);
        }
        // As elsewhere, a process that has run nothing else decides. One that dies is looked into
        // when tests are run for how they end; what was found out before is so all the same.
        let ran = self.services.measure(Process::Fresh, &run)?;
        suite.notes.extend(ran.unmeasured().map(|why| format!("{NOT_LOOKED_AT}{why}")));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runners::Death;

    #[test]
    fn a_measurement_that_did_not_come_to_its_end_says_why() {
        let check = |ran: Ran, why: Option<&str>| assert_eq!(ran.unmeasured().as_deref(), why);
        check(Ran::default(), None);
        let left_statics = vec![("ATest#a".to_owned(), "A.b".to_owned())];
        check(Ran { left_statics, ..Ran::default() }, None);
        let died = |during: Option<&str>| Ran {
            death: Some(Death { during: during.map(str::to_owned), how: "ended".to_owned() }),
            ..Ran::default()
        };
        check(died(None), Some("the JVM ended"));
        check(died(Some("ATest#a")), Some("the JVM ended during ATest#a"));
        let why = "no end".to_owned();
        check(Ran { unmeasured: Some(why), ..Ran::default() }, Some("no end"));
    }
}
