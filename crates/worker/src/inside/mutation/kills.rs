//! The tests that kill a mutant, and what that makes of it.

use crate::mutation::suite::{Ending, Judged};

/// The tests that killed a mutant so far.
#[derive(Default)]
pub(super) struct Kills {
    tests: Vec<u32>,
    why: String,
    timed_out: Option<u32>,
    /// How many tests passed.
    pub(super) passed: u32,
}

impl Kills {
    /// Adds a test that ended so.
    pub(super) fn add(&mut self, test: u32, end: &Ending) {
        if let Ending::Stopped = end {
            self.timed_out.get_or_insert(test);
            return;
        }
        if self.tests.is_empty() {
            self.why = in_words(end);
        }
        if !self.tests.contains(&test) {
            self.tests.push(test);
        }
    }

    /// Whether there are any.
    pub(super) fn are_there(&self) -> bool {
        !self.tests.is_empty() || self.timed_out.is_some()
    }

    /// The first, if there are any.
    pub(super) fn first(&self) -> Option<u32> {
        self.tests.first().copied().or(self.timed_out)
    }

    /// What they make of the mutant.
    pub(super) fn verdict(self) -> Judged {
        match self.timed_out {
            _ if !self.tests.is_empty() => Judged::Killed(self.tests, self.why),
            Some(test) => Judged::TimedOut(test),
            None if self.passed == 0 => {
                Judged::Unjudged("the tests that come to it do not pass by themselves".to_owned())
            }
            None => Judged::Survived(self.passed),
        }
    }
}

fn in_words(end: &Ending) -> String {
    match end {
        Ending::Failed(why) => why.clone(),
        Ending::Exited => "it tried to end the JVM".to_owned(),
        Ending::Absent => "JUnit could not run it".to_owned(),
        Ending::Passed | Ending::Skipped | Ending::Stopped => String::new(),
    }
}

/// Whether the end of a test tells nothing against a mutant.
pub(super) fn is_harmless(end: &Ending) -> bool {
    matches!(end, Ending::Passed | Ending::Skipped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ends: &[Ending], passed: u32, expected: Judged) {
        let mut kills = Kills { passed, ..Kills::default() };
        for (test, end) in (0..).zip(ends) {
            kills.add(test, end);
        }
        assert_eq!(kills.first().is_some(), kills.are_there(), "{ends:?}");
        assert_eq!(kills.verdict(), expected, "{ends:?}");
    }

    #[test]
    fn a_failure_counts_more_than_a_test_that_does_not_end() {
        let failed = Ending::Failed("java.lang.Error: why".to_owned());
        let why = "java.lang.Error: why".to_owned();
        check(&[Ending::Stopped, failed], 3, Judged::Killed(vec![1], why));
        check(&[Ending::Stopped, Ending::Stopped], 3, Judged::TimedOut(0));
        let ended = "it tried to end the JVM".to_owned();
        check(&[Ending::Exited, Ending::Absent], 0, Judged::Killed(vec![0, 1], ended));
    }

    #[test]
    fn nothing_survives_without_a_test_that_passes() {
        check(&[], 2, Judged::Survived(2));
        let why = "the tests that come to it do not pass by themselves".to_owned();
        check(&[], 0, Judged::Unjudged(why));
    }
}
