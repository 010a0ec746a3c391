//! What `check` tells, for people and as JSON.

use std::fmt::Write;
use std::path::Path;

use serde::Serialize;
use toolchain::FailedTest;

use super::child::Ended;
use super::notes::Note;
use super::program::{Program, What};
use super::violation::{self, UndefinedClause, Violation};
use crate::jml::ContractsReport;
use crate::summary::count;

/// Frames of a stack that people are shown.
const MAX_FRAMES: usize = 12;
/// Tests that are listed, of those that failed for the same.
const MAX_TESTS: usize = 5;

/// What came of a run.
#[derive(Debug, Serialize)]
pub(super) struct CheckReport {
    /// How many clauses there are, how many are checked, which are not, and what was not understood.
    #[serde(flatten)]
    contracts: ContractsReport,
    /// Broken clauses, in the order in which they were first broken.
    pub(super) violations: Vec<Violation>,
    /// Clauses that had no value, each once.
    undefined: Vec<UndefinedClause>,
    /// What the program ended with; `null` if it was not run.
    exit: Option<i32>,
    /// What became of tests; `null` if none were to be run.
    pub(super) tests: Option<Tests>,
    warnings: Vec<String>,
    pub(super) interrupted: bool,
    /// What was run, for the summary.
    #[serde(skip)]
    main: Option<String>,
}

/// What became of tests.
#[derive(Debug, Serialize)]
pub(super) struct Tests {
    pub(super) run: usize,
    pub(super) failed: usize,
    /// Those that failed, whatever for.
    failures: Vec<Failing>,
}

/// A test that failed.
#[derive(Debug, Serialize)]
struct Failing {
    test: String,
    /// What was thrown, in a line.
    thrown: String,
    /// Whether a broken contract is what failed it.
    violation: bool,
}

impl CheckReport {
    pub(super) fn of(program: &Program, ended: &[Ended]) -> Self {
        let notes: Vec<Note> = ended.iter().flat_map(|ended| ended.notes.clone()).collect();
        let of_tests = || ended.iter().filter_map(|ended| ended.tests.as_ref());
        let failed: Vec<FailedTest> = of_tests().flat_map(|tests| tests.failed.clone()).collect();
        let is_own = |class: &str| {
            let file = format!("{}.class", class.replace('.', "/"));
            program.own.iter().any(|folder| Path::new(folder).join(&file).is_file())
        };
        let checked = program.checked.as_ref();
        let violations = checked.map_or_else(Vec::new, |checked| {
            violation::violations(&notes, checked, &failed, &is_own)
        });
        let main = program.runs.iter().find_map(|run| match &run.what {
            What::Main { class, .. } => Some(class.clone()),
            What::Tests { .. } => None,
        });
        let tests = main.is_none().then(|| Tests {
            run: of_tests().map(|tests| tests.run).sum(),
            failed: failed.len(),
            failures: failed.iter().map(|test| Failing::of(test, &violations)).collect(),
        });
        Self {
            contracts: checked.map(|checked| checked.report.clone()).unwrap_or_default(),
            undefined: checked
                .map_or_else(Vec::new, |checked| violation::undefined(&notes, checked, &is_own)),
            violations,
            exit: ended.iter().map(|ended| ended.status).max(),
            tests,
            warnings: program.warnings.clone(),
            interrupted: false,
            main,
        }
    }

    /// What people are told, without a line end.
    pub(super) fn text(&self) -> String {
        let mut lines = Vec::new();
        lines.extend(self.end());
        lines.push(match self.violations.len() {
            0 => "no contract was broken".to_owned(),
            1 => "1 contract is broken:".to_owned(),
            number => format!("{number} contracts are broken:"),
        });
        for violation in &self.violations {
            lines.push(String::new());
            lines.extend(violation.lines());
        }
        if !self.violations.is_empty() {
            lines.push(String::new());
        }
        lines.extend(self.undefined.iter().map(UndefinedClause::line));
        lines.extend(self.contracts.lines());
        if self.interrupted {
            lines.push("interrupted: this tells of what was run until then".to_owned());
        }
        lines.join("\n")
    }

    /// How the program ended, or its tests.
    fn end(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let (Some(main), Some(status)) = (&self.main, self.exit) {
            lines.push(format!("{main} ended with status {status}"));
        }
        let Some(tests) = &self.tests else { return lines };
        let of_contracts = tests.failures.iter().filter(|test| test.violation).count();
        let mut line = format!("{}, {} failed", count(tests.run, "test"), tests.failed);
        if tests.failed > 0 {
            line += &match tests.failed - of_contracts {
                0 => ", for broken contracts".to_owned(),
                others => format!(", {others} not for a broken contract:"),
            };
        }
        lines.push(line);
        let others = tests.failures.iter().filter(|test| !test.violation);
        lines.extend(others.map(|test| format!("  {}: {}", test.test, test.thrown)));
        lines
    }
}

impl Failing {
    fn of(test: &FailedTest, violations: &[Violation]) -> Self {
        Self {
            test: test.name.clone(),
            thrown: test.thrown.lines().next().unwrap_or_default().to_owned(),
            violation: violations.iter().any(|violation| violation.tests.contains(&test.name)),
        }
    }
}

impl Violation {
    fn lines(&self) -> Vec<String> {
        let Self { kind, clause, file, line, .. } = self;
        let mut head = format!("{kind} does not hold");
        let of = member(&self.owner, &self.member);
        let place = if self.is_before { "before a call of" } else { "in" };
        let _ = write!(head, " {place} {of}{}", self.fate());
        let mut lines = vec![head, format!("  {clause} ({file}:{line})")];
        lines.extend(self.values.iter().map(|value| format!("    {value}")));
        let frames = self.stack.iter().take(MAX_FRAMES);
        lines.extend(frames.map(|frame| format!("    at {frame}")));
        if self.stack.len() > MAX_FRAMES {
            lines.push(format!("    … {} more", self.stack.len() - MAX_FRAMES));
        }
        lines.extend(self.tests.iter().take(MAX_TESTS).map(|test| format!("  fails {test}")));
        if self.tests.len() > MAX_TESTS {
            lines.push(format!("  and {} more", self.tests.len() - MAX_TESTS));
        }
        lines
    }

    /// How often, and what became of it.
    fn fate(&self) -> String {
        let mut fate = String::new();
        if self.count > 1 {
            let _ = write!(fate, ", {} times", self.count);
        }
        if self.swallowed == self.count {
            fate.push_str(", swallowed by the program");
        } else if self.swallowed > 0 {
            let _ = write!(fate, ", {} of them swallowed by the program", self.swallowed);
        }
        match &*self.threads {
            [] => {}
            [thread] => fate = format!("{fate}, and ends the thread `{thread}`"),
            threads => fate = format!("{fate}, and ends {} threads", threads.len()),
        }
        fate
    }
}

impl UndefinedClause {
    fn line(&self) -> String {
        let Self { clause, file, line, owner, member: of, reason, .. } = self;
        let of = member(owner, of);
        format!("has no value in some state of {of}: {clause} ({file}:{line}): {reason}")
    }
}

/// `p.Account.withdraw`, `the constructor of p.Account`, or `p.Account`.
fn member(owner: &str, member: &str) -> String {
    match member {
        "" => owner.to_owned(),
        "<init>" => format!("the constructor of {owner}"),
        member => format!("{owner}.{member}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violation_is_told_with_what_became_of_it() {
        let check = |count: u64, swallowed: u64, threads: &[&str], expected: &str| {
            let violation = Violation {
                kind: "postcondition".to_owned(),
                clause: "ensures \\result > 0".to_owned(),
                file: "p/A.java".to_owned(),
                line: 3,
                owner: "p.A".to_owned(),
                member: "m".to_owned(),
                values: vec!["\\result = 0".to_owned()],
                stack: ["p.A.m(A.java:4)", "p.B.main(B.java:5)"].map(str::to_owned).into(),
                count,
                swallowed,
                threads: threads.iter().map(|thread| (*thread).to_owned()).collect(),
                tests: Vec::new(),
                is_before: false,
            };
            let head = format!("postcondition does not hold in p.A.m{expected}");
            let lines = [
                &*head,
                "  ensures \\result > 0 (p/A.java:3)",
                "    \\result = 0",
                "    at p.A.m(A.java:4)",
                "    at p.B.main(B.java:5)",
            ];
            assert_eq!(violation.lines(), lines);
        };
        check(1, 0, &["main"], ", and ends the thread `main`");
        check(1, 1, &[], ", swallowed by the program");
        check(
            3,
            2,
            &["main"],
            ", 3 times, 2 of them swallowed by the program, and ends the thread `main`",
        );
        check(2, 0, &["a", "b"], ", 2 times, and ends 2 threads");
    }
}
