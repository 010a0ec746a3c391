//! What was found for a class, from its search to its report.
//!
//! The tests of a class are written as soon as they hold by themselves. Those of all classes
//! together may hold less, so the report is made, and files are brought up to it, at the end.

use std::path::PathBuf;

use instrument::SkipReason;
use instrument::coverage::Summary;
use model::{ClassName, Failure, FailureKind, Literal, UnitTest};
use search::{Reason, ReasonCode};
use worker::{Checked, Dropped, UnitResult};

use crate::exit;
use crate::jml::{self, Unsaid, Violation};
use crate::lost;
use crate::output::Output;
use crate::report::{self, Attempts, Branches, ClassReport, ExploredReport, FailingTest};
use crate::summary::count;

/// See the module.
pub(crate) struct Finding {
    pub(crate) class: ClassName,
    /// What the search found, the tests taken out.
    result: UnitResult,
    /// The probes that each of the passing tests hits.
    hits: Vec<Vec<u32>>,
    pub(crate) passing: Checked,
    /// The file of the passing tests.
    file: Option<TestFile>,
    failing: Checked,
    failing_tests: Vec<FailingTest>,
    failing_file: Option<String>,
    /// Broken contracts, and how many of them no test shows.
    violations: Vec<Violation>,
}

/// A file as it was written.
struct TestFile {
    path: PathBuf,
    text: String,
    tests: usize,
}

impl Finding {
    /// With the tests of a search taken out and checked, none of them written yet.
    pub(crate) fn new(
        class: &ClassName,
        result: UnitResult,
        hits: Vec<Vec<u32>>,
        passing: Checked,
        failing: Checked,
    ) -> Self {
        let class = class.clone();
        Self {
            class,
            result,
            hits,
            passing,
            file: None,
            failing,
            failing_tests: Vec::new(),
            failing_file: None,
            violations: Vec::new(),
        }
    }

    /// Nothing but that Testhound itself failed on the class.
    pub(crate) fn of_defect(class: &ClassName, why: &str) -> Self {
        let reasons = vec![Reason::of_class(ReasonCode::InternalError, why)];
        let result = UnitResult { reasons, ..UnitResult::default() };
        Self::new(class, result, Vec::new(), Checked::nothing(class), Checked::nothing(class))
    }

    /// Writes the passing tests.
    pub(crate) fn write_passing(&mut self, output: &Output) -> Result<(), exit::Failure> {
        if let Some(source) = self.passing.source() {
            let path = output.write(&source.path, &source.text)?;
            let (text, tests) = (source.text.clone(), self.passing.survivors.len());
            self.file = Some(TestFile { path, text, tests });
        }
        Ok(())
    }

    /// Writes the failing tests, if they are asked for; `found` are all there were.
    pub(crate) fn write_failing(
        &mut self,
        output: Option<&Output>,
        found: &[UnitTest],
    ) -> Result<(), exit::Failure> {
        if let (Some(output), Some(source)) = (output, self.failing.source()) {
            if output.is_free(&source.path) {
                let path = output.write(&source.path, &source.text)?;
                self.failing_file = Some(path.display().to_string());
            } else {
                self.result.reasons.push(file_exists(&source.path));
            }
        }
        self.failing_tests = failing_tests(found, &self.failing, self.failing_file.as_ref());
        Ok(())
    }

    /// Tells of the contracts that are broken; `found` are the failing tests there were, `unsaid` those
    /// that no test can show.
    pub(crate) fn tell_violations(
        &mut self,
        contracts: &jml::Checked,
        found: &[UnitTest],
        unsaid: &[Unsaid],
    ) {
        let names = self.failing.source().into_iter().flat_map(|source| &source.tests);
        let names: Vec<Option<String>> = names.cloned().collect();
        for (index, test) in found.iter().enumerate() {
            let Some(mut violation) = contracts.violation(test) else { continue };
            let survived = self.failing.survivors.iter().position(|at| *at == index);
            violation.test = survived.and_then(|at| names.get(at).cloned().flatten());
            let lost = self.failing.lost.iter().find(|(lost, _)| *lost == index);
            violation.reason = lost.map(|(_, fate)| lost::without_test(*fate));
            self.violations.push(violation);
        }
        for Unsaid { test, reason } in unsaid {
            let Some(violation) = contracts.violation(test) else { continue };
            self.violations.push(Violation { reason: Some(reason.clone()), ..violation });
        }
    }

    /// The files it has by now.
    pub(crate) fn files(&self) -> impl Iterator<Item = PathBuf> {
        let passing = self.file.iter().map(|file| file.path.clone());
        passing.chain(self.failing_file.iter().map(PathBuf::from))
    }

    /// Brings the file of passing tests up to what is left of them. A file that somebody changed or
    /// removed meanwhile is theirs: it stays as it is, and a note says so.
    pub(crate) fn update(&mut self, output: &Output) -> Result<(), exit::Failure> {
        let left = self.passing.survivors.len();
        let Some(file) = self.file.take_if(|file| left < file.tests) else { return Ok(()) };
        let TestFile { path, text, .. } = file;
        if !std::fs::read_to_string(&path).is_ok_and(|now| now == text) {
            let why = "has tests that do not hold together with those of other classes";
            let note = format!("{} was changed meanwhile and {why}", path.display());
            self.passing.notes.push(note);
            self.file = Some(TestFile { path, text, tests: left });
            return Ok(());
        }
        match self.passing.source() {
            Some(source) => {
                output.replace(&path, &source.text)?;
                let text = source.text.clone();
                self.file = Some(TestFile { path, text, tests: left });
            }
            None => output.remove(&path)?,
        }
        Ok(())
    }

    /// What is told of the class, whose tests go to this folder.
    pub(crate) fn report(&self, out: &str) -> ClassReport {
        let Self { result, passing, failing, .. } = self;
        let mut dropped = Dropped { unreproducible: result.flaky, ..Dropped::default() };
        dropped.add(passing.dropped);
        // A broken contract is told, and counted as a failure, without its test.
        let untold = failing.lost.iter().filter(|(test, _)| !is_breach(failing.test(*test)));
        untold.for_each(|(_, fate)| dropped.count(*fate));
        let mut reasons = result.reasons.clone();
        reasons.extend(lost::reasons(passing, failing, &reasons));
        let mut spent = result.spent;
        spent += passing.spent;
        spent += failing.spent;
        let [branches, lines, instructions] = coverage(result, &self.hits, &passing.survivors);
        let shown_by_no_test = self.violations.iter().filter(|v| v.test.is_none());
        let defects: Vec<String> = reasons.iter().filter_map(report::defect_note).collect();
        ClassReport {
            tests: passing.survivors.len() as u32,
            failures: (failing.survivors.len() + shown_by_no_test.clone().count()) as u32,
            branches,
            lines,
            instructions,
            measured: result.plans.iter().map(|plan| plan.class.replace('/', ".")).collect(),
            reasons,
            dropped,
            lost_assertions: passing.lost_assertions() + failing.lost_assertions(),
            files: self.files().map(|file| file.display().to_string()).collect(),
            calls: result.statistics.calls,
            failing: (self.failing_tests.iter().map(|f| f.what.clone()))
                .chain(shown_by_no_test.map(Violation::sentence))
                .collect(),
            violations: self.violations.clone(),
            attempts: result.counts.map(|counts| Attempts::of(counts, &result.searches)),
            explored: (result.explored.as_ref())
                .map(|explored| ExploredReport::of(explored, &result.searches)),
            failing_tests: self.failing_tests.clone(),
            noise: result.noise.iter().map(|(noise, count)| (noise.name(), *count)).collect(),
            notes: (passing.notes.iter().chain(&failing.notes).cloned())
                .chain(unsteady(result.flaky))
                .chain(result.uninstrumented.iter().map(|c| format!("not instrumented: {c}")))
                .chain(result.notes.iter().cloned())
                .chain(unmeasured(&result.plans))
                .chain(defects)
                .collect(),
            seconds: spent.into(),
            ..ClassReport::empty(&self.class.to_binary(), out)
        }
    }
}

/// Why a class has no tests, or none of one kind: the file is there.
pub(crate) fn file_exists(file: &str) -> Reason {
    let detail = format!("{file} exists; --force overwrites it, --suffix gives another name");
    Reason::of_class(ReasonCode::FileExists, detail)
}

fn is_breach(test: &UnitTest) -> bool {
    test.failure.as_ref().is_some_and(|f| matches!(f.kind, FailureKind::Breach { .. }))
}

/// The failing tests that are left, as they are told.
fn failing_tests(found: &[UnitTest], checked: &Checked, file: Option<&String>) -> Vec<FailingTest> {
    let names = checked.source().into_iter().flat_map(|source| &source.tests);
    let names = names.map(|name| name.clone().unwrap_or_default());
    let tests = checked.survivors.iter().map(|index| &found[*index]).zip(names);
    let told = tests.filter_map(|(test, name)| {
        let failure = test.failure.as_ref()?;
        let member = match failure.kind {
            // A test of a law is named after the method that has to keep it.
            FailureKind::Contract { .. } => name.split('_').next().unwrap_or_default().to_owned(),
            FailureKind::Breach { .. } | FailureKind::UnexpectedException { .. } => {
                let called = test.case.calls.get(test.subject).map(|call| &*call.op.name);
                called.unwrap_or_default().replace("<init>", "constructor")
            }
        };
        let what = failure.explanation.clone();
        let (rank, told) = (rank(test, failure), failure.cause.clone());
        let (cause, file) = (told.to_string(), file.cloned());
        Some(FailingTest { member, what, cause, told, rank, test: name, file })
    });
    told.collect()
}

/// How likely a failure is worth a look, and how soon it is understood: by kind, then by length.
fn rank(test: &UnitTest, failure: &Failure) -> (u8, usize) {
    let is_number = |literal: &Literal| {
        !matches!(
            literal,
            Literal::Null | Literal::Boolean(_) | Literal::String(_) | Literal::Class(_)
        )
    };
    let literals = test.case.slots.iter().filter_map(|slot| slot.init.as_ref());
    let has_number = literals.into_iter().any(is_number);
    let kind = match &failure.kind {
        // A number that means nothing was taken without a word, and is told of late.
        FailureKind::Contract { contract, .. } if has_number && contract.is_of_returning() => 4,
        // Every class has to keep them, whatever its authors think.
        FailureKind::Contract { .. } | FailureKind::Breach { .. } => 0,
        FailureKind::UnexpectedException { class, .. } => match class.as_internal() {
            // What the authors say must never be; with a number they may speak to the caller.
            "java/lang/AssertionError" if !has_number => 1,
            "java/lang/NullPointerException" => 2,
            "java/lang/AssertionError" => 4,
            "java/lang/StackOverflowError" => 5,
            "java/lang/OutOfMemoryError" => 6,
            _ => 3,
        },
    };
    (kind, test.case.calls.len())
}

/// That tests were dropped while they were worked out, which have no names yet.
fn unsteady(tests: u32) -> Option<String> {
    let tests = (tests > 0).then(|| count(tests as usize, "test"))?;
    Some(format!("dropped: {tests} that did something else when run again in the same JVM"))
}

/// The methods that the figures of coverage leave out although they have code, a note for each.
fn unmeasured(plans: &[instrument::Plan]) -> impl Iterator<Item = String> {
    plans.iter().flat_map(|plan| {
        plan.skipped.iter().filter_map(|skipped| {
            let why = match &skipped.reason {
                // It has nothing to cover.
                SkipReason::EmptyFinalizer => return None,
                SkipReason::TooLarge(what) => format!("it is too large: {what}"),
                SkipReason::PoolFull => "its class has no room for more constants".to_owned(),
                SkipReason::MissingFrame => "it has no stack map frames".to_owned(),
                SkipReason::Undecodable(why) => format!("its code cannot be read: {why}"),
            };
            let (class, name) = (plan.class.replace('/', "."), &skipped.name);
            let descriptor = &skipped.descriptor;
            Some(format!("not in the coverage figures: {class}.{name}{descriptor} ({why})"))
        })
    })
}

/// What the tests that are left cover.
fn coverage(result: &UnitResult, tests: &[Vec<u32>], survivors: &[usize]) -> [Branches; 3] {
    let probes: usize = result.plans.iter().map(|p| p.probes.len()).sum();
    let mut hits = vec![0u8; probes];
    let by_tests = survivors.iter().flat_map(|index| &tests[*index]);
    let initial = result.initial.iter().filter(|_| !survivors.is_empty());
    for hit in by_tests.chain(initial) {
        hits[*hit as usize] = 1;
    }
    let mut covered = [Branches::default(); 3];
    let mut start = 0;
    for plan in &result.plans {
        let end = start + plan.probes.len();
        let summary = Summary::new(plan, &hits[start..end]).expect("as many hits as probes");
        let counts = [summary.branches, summary.lines, summary.instructions];
        for (all, one) in covered.iter_mut().zip(counts) {
            all.add(one);
        }
        start = end;
    }
    covered
}

#[cfg(test)]
mod tests {
    use model::{Contract, Expectation, TestCase, Type};

    use super::*;

    #[test]
    fn tests_that_were_dropped_before_they_had_a_name_are_noted() {
        let check = |flaky, expected: &[&str]| {
            let class = ClassName::internal("a/B");
            let result = UnitResult { flaky, ..UnitResult::default() };
            let [passing, failing] = [Checked::nothing(&class), Checked::nothing(&class)];
            let report = Finding::new(&class, result, Vec::new(), passing, failing).report("out");
            assert_eq!(report.dropped.total(), flaky);
            assert_eq!(report.notes, expected);
        };
        check(0, &[]);
        check(1, &["dropped: 1 test that did something else when run again in the same JVM"]);
        check(3, &["dropped: 3 tests that did something else when run again in the same JVM"]);
    }

    #[test]
    fn methods_that_are_not_measured_are_told() {
        let skipped = |name: &str, reason| instrument::Skipped {
            index: 0,
            name: name.to_owned(),
            descriptor: "()V".to_owned(),
            reason,
        };
        let options = instrument::Options { coverage: true, steps: true, comparisons: false };
        let plan = instrument::Plan {
            class: "a/B".to_owned(),
            options,
            methods: Vec::new(),
            probes: Vec::new(),
            branches: Vec::new(),
            segments: Vec::new(),
            comparisons: Vec::new(),
            skipped: vec![
                skipped("huge", SkipReason::TooLarge("code of 70000 bytes".to_owned())),
                skipped("finalize", SkipReason::EmptyFinalizer),
                skipped("full", SkipReason::PoolFull),
            ],
        };
        let notes: Vec<String> = unmeasured(&[plan]).collect();
        let expected = [
            "not in the coverage figures: a.B.huge()V (it is too large: code of 70000 bytes)",
            "not in the coverage figures: a.B.full()V (its class has no room for more constants)",
        ];
        assert_eq!(notes, expected);
    }

    #[test]
    fn laws_rank_before_exceptions_and_assertions_by_what_they_were_given() {
        let ranked = |kind: FailureKind, number: Option<Literal>| {
            let mut case = TestCase::default();
            if let Some(number) = number {
                case.literal(Type::INT, number);
            }
            let failure =
                Failure { kind, explanation: String::new(), cause: model::Cause::default() };
            let test = UnitTest {
                case,
                subject: 0,
                expectation: Expectation::Returns,
                checks: Vec::new(),
                failure: None,
            };
            rank(&test, &failure).0
        };
        let law = |contract| FailureKind::Contract { contract, slots: Vec::new() };
        let number = || Some(Literal::Int(1));
        let thrown = |name: &str| {
            let class = ClassName::internal(&format!("java/lang/{name}"));
            FailureKind::UnexpectedException { class, place: None }
        };
        let order = [
            ranked(law(Contract::EqualsNull), number()),
            ranked(thrown("AssertionError"), None),
            ranked(thrown("NullPointerException"), None),
            ranked(thrown("IndexOutOfBoundsException"), None),
            ranked(thrown("AssertionError"), Some(Literal::Int(1))),
            ranked(thrown("StackOverflowError"), None),
        ];
        assert!(order.is_sorted_by(|a, b| a < b), "{order:?}");
        assert_eq!(ranked(law(Contract::ToStringReturns), None), order[0]);
        assert_eq!(ranked(law(Contract::ToStringReturns), number()), order[4]);
    }
}
