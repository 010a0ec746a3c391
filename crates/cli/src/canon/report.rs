//! What is told of conversions.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::class::Converted;
use super::tests::of_runs;

/// The report, as JSON has it.
#[derive(Debug, Default, Serialize)]
pub(crate) struct CanonReport {
    /// Tests that were looked at, without those that nobody runs.
    pub(crate) tests: usize,
    /// Those: they are disabled.
    pub(crate) disabled: usize,
    /// Those that were converted and checked.
    pub(crate) converted: usize,
    /// Why the others were not, by code.
    pub(crate) reasons: BTreeMap<String, usize>,
    /// The tests, class by class.
    pub(crate) classes: Vec<ClassEntry>,
    /// What was written.
    pub(crate) files: Vec<String>,
    /// Whether there is more that was not looked at.
    pub(crate) interrupted: bool,
}

/// A class.
#[derive(Debug, Serialize)]
pub(crate) struct ClassEntry {
    name: String,
    tests: Vec<TestEntry>,
}

/// A test.
#[derive(Debug, Serialize)]
struct TestEntry {
    name: String,
    converted: bool,
    /// Calls of the form.
    #[serde(skip_serializing_if = "Option::is_none")]
    calls: Option<usize>,
    /// Calls that returned another value when the form was run.
    #[serde(skip_serializing_if = "Option::is_none")]
    other_values: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<ReasonEntry>,
}

/// Why a test was not converted.
#[derive(Debug, Serialize)]
struct ReasonEntry {
    code: String,
    message: String,
}

impl CanonReport {
    pub(crate) fn add(&mut self, converted: Converted) {
        let mut tests = Vec::new();
        let all = &converted.tests;
        for runs in all.chunk_by(|one, other| of_runs(&one.name) == of_runs(&other.name)) {
            // A test that is run several times is converted if all its runs are.
            match runs.iter().find_map(|test| test.form.as_ref().err()) {
                Some(refusal) if refusal.code() == "disabled" => self.disabled += 1,
                Some(refusal) => {
                    self.tests += 1;
                    *self.reasons.entry(refusal.code().to_owned()).or_default() += 1;
                }
                None => {
                    self.tests += 1;
                    self.converted += 1;
                }
            }
        }
        for test in converted.tests {
            let calls = test.form.as_ref().ok().map(|form| form.case.calls.len());
            let reason = test.form.as_ref().err().map(|refusal| {
                let (code, message) = (refusal.code().to_owned(), refusal.to_string());
                ReasonEntry { code, message }
            });
            tests.push(TestEntry {
                name: test.name,
                converted: reason.is_none(),
                calls,
                other_values: calls.map(|_| test.other_values),
                reason,
            });
        }
        self.classes.push(ClassEntry { name: converted.class.to_binary(), tests });
    }

    /// A line for each test that was not converted.
    pub(crate) fn refusals(&self) -> impl Iterator<Item = String> {
        self.classes.iter().flat_map(|class| {
            class.tests.iter().filter_map(|test| {
                let reason = test.reason.as_ref()?;
                Some(format!(
                    "{}#{} is not converted: {} ({})",
                    class.name, test.name, reason.message, reason.code
                ))
            })
        })
    }

    /// The summary.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for line in self.refusals() {
            text.push_str(&line);
            text.push('\n');
        }
        let share = self.converted as f64 * 100.0 / self.tests.max(1) as f64;
        write!(text, "{} of {} tests converted ({share:.1} %)", self.converted, self.tests)
            .expect("writing to a string does not fail");
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(code, count)| (std::cmp::Reverse(**count), *code));
        for (code, count) in reasons {
            write!(text, "\n{count:6} {code}").expect("writing to a string does not fail");
        }
        if self.disabled > 0 {
            write!(text, "\n{:6} more are disabled", self.disabled)
                .expect("writing to a string does not fail");
        }
        if self.interrupted {
            text.push_str("\ninterrupted: not all tests were looked at");
        }
        text
    }
}
