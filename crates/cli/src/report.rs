//! What a run found, for people and for machines. The names of JSON keys are used from outside.

use std::collections::BTreeMap;
use std::time::Duration;

use instrument::coverage::Count;
use model::Cause;
use search::{Counts, Explored, Reason, ReasonCode};
use serde::Serialize;
use worker::{Dropped, Spent};

use crate::jml::{ContractsReport, Violation};
use crate::missing::MissingClass;

/// So many of so many.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub(crate) struct Branches {
    pub(crate) covered: u32,
    pub(crate) total: u32,
}

impl Branches {
    pub(crate) fn add(&mut self, count: Count) {
        self.covered += count.covered;
        self.total += count.total;
    }
}

/// A failing test that survived all checks.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct FailingTest {
    /// The method (or `constructor`) that does it.
    pub(crate) member: String,
    /// A sentence.
    pub(crate) what: String,
    /// Its cause in words: the same for all that have the same one, which may be of several classes.
    pub(crate) cause: String,
    /// What tells its cause from others.
    #[serde(skip)]
    pub(crate) told: Cause,
    /// How likely it is worth a look: the smaller, the likelier.
    pub(crate) rank: (u8, usize),
    /// The name of the test method.
    pub(crate) test: String,
    /// The file it was written to, if it was.
    pub(crate) file: Option<String>,
}

/// Where the time went, in seconds.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
pub(crate) struct Seconds {
    pub(crate) start: f64,
    pub(crate) prepare: f64,
    pub(crate) search: f64,
    pub(crate) finish: f64,
    pub(crate) compile: f64,
    pub(crate) statics: f64,
    pub(crate) runs: f64,
    pub(crate) fresh_runs: f64,
}

impl From<Spent> for Seconds {
    fn from(spent: Spent) -> Self {
        Self {
            start: seconds(spent.start),
            prepare: seconds(spent.prepare),
            search: seconds(spent.search),
            finish: seconds(spent.finish),
            compile: seconds(spent.compile),
            statics: seconds(spent.statics),
            runs: seconds(spent.runs),
            fresh_runs: seconds(spent.fresh_runs),
        }
    }
}

/// To the millisecond, which is as much as is worth reading.
pub(crate) fn seconds(time: Duration) -> f64 {
    time.as_millis() as f64 / 1000.0
}

/// Attempts to make a test case for a method, as the published tables count them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Attempts {
    /// All of them.
    pub(crate) total: u64,
    /// Those that call the method as its contract allows, each test case once.
    pub(crate) meaningful: u64,
    /// Those that are equivalent to one of these.
    pub(crate) redundant: u64,
    /// Those whose objects could not be built, or whose call the contract forbids.
    pub(crate) meaningless: u64,
    /// Meaningful ones that break a contract.
    pub(crate) failed: u64,
    /// Calls taken back for others.
    pub(crate) taken_back: u64,
    /// What they took of the processor, all other work left out: a busy machine does not add to it.
    pub(crate) milliseconds: f64,
    /// The same of each further search, if the same one was made more than once.
    pub(crate) again: Vec<f64>,
}

impl Attempts {
    /// With the time that each search took.
    pub(crate) fn of(counts: Counts, searches: &[Duration]) -> Self {
        let milliseconds = |time: &Duration| time.as_micros() as f64 / 1000.0;
        Self {
            taken_back: counts.taken_back,
            milliseconds: searches.first().map(milliseconds).unwrap_or_default(),
            again: searches.iter().skip(1).map(milliseconds).collect(),
            total: counts.total(),
            meaningful: counts.meaningful,
            redundant: counts.redundant,
            meaningless: counts.meaningless,
            failed: counts.failed,
        }
    }
}

/// What an explorative strategy came to for a class.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct ExploredReport {
    /// Distinct calls.
    pub(crate) calls: u64,
    /// Calls in a test.
    pub(crate) length: u32,
    pub(crate) tests: u64,
    /// Tests that show a failure.
    pub(crate) failing: u64,
    /// Which test of the run was the first of these, from 1.
    pub(crate) earliest_failure: Option<u64>,
    /// Its index among all tests of the length, in decimal.
    pub(crate) earliest_failure_index: Option<String>,
    pub(crate) failure_density: f64,
    pub(crate) cpu_seconds: f64,
    pub(crate) failures_per_cpu_second: f64,
    /// Tests that had been run before.
    pub(crate) duplicates: u64,
    /// How many tests were compared for that, the first ones.
    pub(crate) compared: u64,
    /// What `--from` takes to go on; `null` if nothing is left.
    pub(crate) next: Option<String>,
}

impl ExploredReport {
    /// With the time that the search took.
    pub(crate) fn of(explored: &Explored, searches: &[Duration]) -> Self {
        let seconds = searches.first().map_or(0.0, Duration::as_secs_f64);
        let share = |all: f64| if all > 0.0 { explored.failing as f64 / all } else { 0.0 };
        Self {
            calls: explored.calls,
            length: explored.length,
            tests: explored.tests,
            failing: explored.failing,
            earliest_failure: explored.earliest,
            earliest_failure_index: explored.earliest_index.as_ref().map(ToString::to_string),
            failure_density: share(explored.tests as f64),
            cpu_seconds: seconds,
            failures_per_cpu_second: share(seconds),
            duplicates: explored.duplicates,
            compared: explored.compared,
            next: explored.next.as_ref().map(ToString::to_string),
        }
    }

    /// In a sentence.
    pub(crate) fn sentence(&self) -> String {
        let failures = match &self.earliest_failure {
            None => "none of which failed".to_owned(),
            Some(first) => format!(
                "{} of which failed (density {:.4}, the first was number {first}, {:.2} a CPU second)",
                self.failing, self.failure_density, self.failures_per_cpu_second
            ),
        };
        let Self { tests, length, duplicates, .. } = self;
        format!("ran {tests} tests of length {length}, {failures}, with {duplicates} duplicates")
    }
}

/// One class.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ClassReport {
    pub(crate) name: String,
    pub(crate) tests: u32,
    pub(crate) failures: u32,
    pub(crate) branches: Branches,
    pub(crate) lines: Branches,
    pub(crate) instructions: Branches,
    /// The classes that `branches`, `lines` and `instructions` are of: itself and those nested classes that only
    /// it can reach.
    pub(crate) measured: Vec<String>,
    pub(crate) reasons: Vec<Reason>,
    pub(crate) dropped: Dropped,
    /// Assertions left out of tests that are left, because they hold in one order or environment only.
    pub(crate) lost_assertions: u32,
    pub(crate) files: Vec<String>,
    pub(crate) calls: u64,
    /// A sentence for each failure.
    pub(crate) failing: Vec<String>,
    pub(crate) failing_tests: Vec<FailingTest>,
    /// Broken contracts, those included that no test without checks can show.
    pub(crate) violations: Vec<Violation>,
    /// What became of the attempts, with a strategy that tests each method on its own.
    pub(crate) attempts: Option<Attempts>,
    /// What an explorative strategy came to.
    pub(crate) explored: Option<ExploredReport>,
    /// Failures left out as noise, by kind.
    pub(crate) noise: BTreeMap<&'static str, u32>,
    /// Tests that were dropped, and why, a line each; those without a name by their number.
    pub(crate) notes: Vec<String>,
    /// The folder its tests go to.
    pub(crate) out: String,
    pub(crate) seconds: Seconds,
}

impl ClassReport {
    /// A class of which there is nothing to tell yet.
    pub(crate) fn empty(name: &str, out: &str) -> Self {
        Self {
            name: name.to_owned(),
            tests: 0,
            failures: 0,
            branches: Branches::default(),
            lines: Branches::default(),
            instructions: Branches::default(),
            measured: Vec::new(),
            reasons: Vec::new(),
            dropped: Dropped::default(),
            lost_assertions: 0,
            files: Vec::new(),
            calls: 0,
            failing: Vec::new(),
            failing_tests: Vec::new(),
            violations: Vec::new(),
            attempts: None,
            explored: None,
            noise: BTreeMap::new(),
            notes: Vec::new(),
            out: out.to_owned(),
            seconds: Seconds::default(),
        }
    }
}

/// What the notes of a class say of a reason that is a defect of Testhound.
pub(crate) fn defect_note(reason: &Reason) -> Option<String> {
    let is_defect = reason.code == ReasonCode::InternalError;
    is_defect.then(|| format!("internal error: {}", reason.detail))
}

impl ClassReport {
    /// Whether Testhound itself failed on it.
    pub(crate) fn has_defect(&self) -> bool {
        self.reasons.iter().any(|reason| reason.code == ReasonCode::InternalError)
    }
}

/// Tests that were in the test folder before the run.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub(crate) struct Existing {
    /// Test files that were there.
    pub(crate) files: u32,
    /// Tests in them that took part in the run of all tests together.
    pub(crate) tests: u32,
    /// Files and tests that could not, with the reason, a line each.
    pub(crate) left_out: Vec<String>,
}

/// How long a run took, in seconds.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
pub(crate) struct RunSeconds {
    /// From the first class to the last.
    pub(crate) classes: f64,
    /// The tests of all classes together.
    pub(crate) together: f64,
    /// From start to end.
    pub(crate) all: f64,
}

/// The whole run.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Report {
    pub(crate) tests: u32,
    pub(crate) failures: u32,
    pub(crate) branches: Branches,
    pub(crate) lines: Branches,
    pub(crate) instructions: Branches,
    pub(crate) classes: Vec<ClassReport>,
    pub(crate) dropped: Dropped,
    pub(crate) lost_assertions: u32,
    pub(crate) existing: Existing,
    /// The contracts that were checked, if there are any.
    pub(crate) contracts: Option<ContractsReport>,
    /// Failures left out as noise, by kind.
    pub(crate) noise: BTreeMap<&'static str, u32>,
    pub(crate) warnings: Vec<String>,
    /// Classes that are needed and on no class path.
    pub(crate) missing: Vec<MissingClass>,
    pub(crate) interrupted: bool,
    /// What ended the run before all modules were done; it tells of those that were.
    pub(crate) error: Option<String>,
    /// The folders that tests go to: one, or one per module of a build.
    pub(crate) out: Vec<String>,
    pub(crate) seconds: RunSeconds,
}

impl Existing {
    /// Adds those of another folder.
    pub(crate) fn add(&mut self, other: Self) {
        self.files += other.files;
        self.tests += other.tests;
        self.left_out.extend(other.left_out);
    }
}

impl Report {
    /// Has failures of a class say their causes in the words of the first that has the same one.
    fn fold(&self, class: &mut ClassReport) {
        let mut known: Vec<(Cause, String)> = Vec::new();
        for failing in self.classes.iter().flat_map(|class| &class.failing_tests) {
            // Only the first of each counts: being the same cause does not carry over.
            if !known.iter().any(|(_, words)| *words == failing.cause) {
                known.push((failing.told.clone(), failing.cause.clone()));
            }
        }
        for failing in &mut class.failing_tests {
            match known.iter().find(|(told, _)| told.is_same(&failing.told)) {
                Some((_, words)) => failing.cause.clone_from(words),
                None => known.push((failing.told.clone(), failing.cause.clone())),
            }
        }
    }

    pub(crate) fn add(&mut self, mut class: ClassReport) {
        self.fold(&mut class);
        self.tests += class.tests;
        self.failures += class.failures;
        for (all, one) in [
            (&mut self.branches, class.branches),
            (&mut self.lines, class.lines),
            (&mut self.instructions, class.instructions),
        ] {
            all.covered += one.covered;
            all.total += one.total;
        }
        self.dropped.add(class.dropped);
        self.lost_assertions += class.lost_assertions;
        for (kind, count) in &class.noise {
            *self.noise.entry(kind).or_default() += count;
        }
        self.classes.push(class);
    }
}

#[cfg(test)]
mod tests {
    use model::{ClassName, Frame, Trace};

    use super::*;

    /// What throws with this message at a line of `a.B.c`, led there by a method.
    fn failing(line: i32, led_by: Option<&str>, message: &str) -> FailingTest {
        let frame = |class: &str, method: &str, line| Frame {
            class: ClassName::internal(class),
            method: method.into(),
            line,
        };
        let led_by = led_by.map(|method| frame("a/D", method, -1));
        let way = std::iter::once(frame("a/B", "c", line)).chain(led_by).collect();
        let thrown = ClassName::internal("X");
        let message = (!message.is_empty()).then(|| message.to_owned());
        let told = Cause::of_exception(Trace { thrown, message, way });
        FailingTest {
            member: String::new(),
            what: String::new(),
            cause: told.to_string(),
            told,
            rank: (0, 1),
            test: String::new(),
            file: None,
        }
    }

    #[test]
    fn failures_of_one_cause_say_it_in_the_same_words() {
        let mut report = Report::default();
        for failing_tests in [
            vec![failing(3, Some("e"), ""), failing(3, None, "")],
            vec![failing(3, Some("f"), ""), failing(4, None, "-1")],
            vec![failing(5, None, "-1"), failing(6, None, "")],
        ] {
            report.add(ClassReport { failing_tests, ..ClassReport::empty("a.B", "out") });
        }
        let all = report.classes.iter().flat_map(|class| &class.failing_tests);
        let causes: Vec<&str> = all.map(|failing| &*failing.cause).collect();
        let [three, four, six] = [3, 4, 6].map(|line| format!("X in a.B.c (line {line})"));
        let [e, f] = ["e", "f"].map(|by| format!("{three}, called by a.D.{by}"));
        assert_eq!(causes, [&e, &e, &f, &four, &four, &six]);
    }
}
