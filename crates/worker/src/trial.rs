//! What a run of tests says of each of them, by number.

use std::collections::{BTreeMap, BTreeSet};

use crate::answer::TestEnd;
use crate::killers::Trial;
use crate::runners::Ran;

/// Some of the tests, by their names in runners.
pub(crate) fn named(tests: &BTreeMap<String, usize>, some: &[usize]) -> BTreeMap<String, usize> {
    let some: BTreeSet<usize> = some.iter().copied().collect();
    let meant = tests.iter().filter(|(_, test)| some.contains(test));
    meant.map(|(name, test)| (name.clone(), *test)).collect()
}

/// What a run says of these tests, given by their names in runners (`class#method`).
pub(crate) fn trial(tests: &BTreeMap<String, usize>, ran: Ran) -> Trial {
    let number = |name: &str| tests.get(name).copied();
    let death = ran.death.map(|death| (death.during.and_then(|test| number(&test)), death.how));
    let mut ends: Vec<(usize, TestEnd)> = Vec::new();
    for run in &ran.runs {
        let name = format!("{}#{}", run.class, run.method);
        if run.method.is_empty() {
            // The class as a whole could not be run.
            let of_class = tests.range(name.clone()..).take_while(|(n, _)| n.starts_with(&name));
            ends.extend(of_class.map(|(_, test)| (*test, run.end.clone())));
        }
        ends.extend(number(&name).map(|test| (test, run.end.clone())));
    }
    if death.is_none() {
        let ended: BTreeSet<usize> = ends.iter().map(|(test, _)| *test).collect();
        let missing = tests.values().filter(|test| !ended.contains(test));
        ends.extend(missing.map(|test| (*test, TestEnd::TimedOut)));
    }
    Trial { ends, death, late: ran.late }
}

/// Whether the runner came to a good end, whatever its tests did.
pub(crate) fn is_fine(trial: &Trial) -> bool {
    trial.death.is_none() && trial.late.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::TestRun;
    use crate::runners::Death;

    fn check(runs: &[&str], death: Option<&str>, expected: &[(usize, bool)]) {
        let tests = ["a.BTest#c", "a.BTest#d", "a.BTests#e"];
        let tests = tests.iter().zip(0..).map(|(name, test)| ((*name).to_owned(), test)).collect();
        let run = |name: &&str| {
            let (class, method) = name.split_once('#').expect("class and method");
            let end = TestEnd::Passed;
            TestRun { class: class.to_owned(), method: method.to_owned(), end }
        };
        let death = death.map(|test| Death { during: Some(test.to_owned()), how: String::new() });
        let is_dead = death.is_some();
        let trial =
            trial(&tests, Ran { runs: runs.iter().map(run).collect(), death, ..Ran::default() });
        let passed = trial.ends.iter().map(|(test, end)| (*test, *end == TestEnd::Passed));
        assert_eq!(passed.collect::<Vec<_>>(), expected);
        assert_eq!(is_fine(&trial), !is_dead);
        assert_eq!(trial.death.is_some(), is_dead);
    }

    #[test]
    fn tests_are_told_by_class_and_method() {
        check(&["a.BTests#e", "a.BTest#c", "a.BTest#d"], None, &[(2, true), (0, true), (1, true)]);
        check(&["a.BTest#d", "a.Other#c"], Some("a.BTest#c"), &[(1, true)]);
    }

    #[test]
    fn a_class_that_cannot_be_run_answers_for_its_tests_only() {
        check(&["a.BTest#", "a.BTests#e"], None, &[(0, true), (1, true), (2, true)]);
    }

    #[test]
    fn a_test_nothing_is_said_of_did_not_end() {
        check(&["a.BTest#c", "a.BTests#e"], None, &[(0, true), (2, true), (1, false)]);
    }
}
