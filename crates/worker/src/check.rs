//! No test is handed out that was not compiled by the real compiler and run twice in other JVMs
//! than the one it was found in, the second time in another order and environment.
//!
//! What differs between two runs that are alike flickers, and the test is dropped. Of one that holds as
//! JUnit runs it, and fails elsewhere each time, an assertion may be left out, which is counted.
//!
//! The tests of a class are checked by themselves here, so that files can be written class by class;
//! those of all classes together in `joint`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use model::{ClassName, ClassSource, UnitTest};
use writer::{Options, Source};

use crate::answer::TestEnd;
use crate::dropped::{Dropped, Fate};
use crate::environment::Environment;
use crate::killers::Inquiry;
use crate::process::WorkerError;
use crate::rounds::{Round, until_nothing_changes};
use crate::runners::Ran;
use crate::scratch::Passing;
use crate::services::{self, Order, Services};
use crate::spent::{Spent, Watch};
use crate::statements::Statements;
use crate::trial::{is_fine, named, trial};
use crate::verdict::{is_as_expected, spare_check};

/// The tests of a class while they are checked, and what is left of them then.
#[derive(Debug)]
pub struct Checked {
    pub(crate) class: ClassName,
    /// The tests given, without the assertions that do not hold everywhere.
    pub(crate) tests: Vec<UnitTest>,
    /// Which of the tests given are left, by index.
    pub survivors: Vec<usize>,
    pub(crate) written: Option<Written>,
    /// What became of the others, by index.
    pub lost: Vec<(usize, Fate)>,
    /// The same, counted.
    pub dropped: Dropped,
    /// The tests that lost an assertion, by index, once for each assertion.
    pub(crate) shortened: Vec<usize>,
    /// Those of them that are not yet written anew: what is run has the assertion still.
    pub(crate) stale: BTreeSet<usize>,
    /// Those that did what they should at every moment of the calendar, as they are written.
    pub(crate) timeless: BTreeSet<usize>,
    /// The same in words, a line per test.
    pub notes: Vec<String>,
    /// Where the time went.
    pub spent: Spent,
}

/// A test, by index, and how it ended.
pub(crate) type Ended = (usize, TestEnd);

/// What is known of tests that end well where they were found and not in another order or environment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elsewhere<'e> {
    /// What they depend on, in words.
    pub(crate) depends: &'e str,
    /// How they ended when they were run there once more: one that ends otherwise flickers.
    pub(crate) again: &'e [Ended],
}

/// Tests as source and as classes.
#[derive(Debug)]
pub(crate) struct Written {
    /// Those that were left at the time.
    pub(crate) tests: Vec<usize>,
    pub(crate) source: Source,
    pub(crate) classes: Passing,
}

impl Written {
    /// The test class, by binary name.
    pub(crate) fn test_class(&self) -> String {
        if self.source.package.is_empty() {
            self.source.class_name.clone()
        } else {
            format!("{}.{}", self.source.package, self.source.class_name)
        }
    }

    pub(crate) fn method(&self, test: usize) -> &str {
        let at = self.tests.iter().position(|written| *written == test);
        at.and_then(|at| self.source.tests[at].as_deref()).unwrap_or("a test")
    }

    fn statements(&self, test: usize) -> Statements {
        Statements::of(&self.source.text, self.method(test))
    }
}

impl Checked {
    /// No tests of a class.
    pub fn nothing(class: &ClassName) -> Self {
        Self {
            class: class.clone(),
            tests: Vec::new(),
            survivors: Vec::new(),
            written: None,
            lost: Vec::new(),
            dropped: Dropped::default(),
            shortened: Vec::new(),
            stale: BTreeSet::new(),
            timeless: BTreeSet::new(),
            notes: Vec::new(),
            spent: Spent::default(),
        }
    }

    /// The source; `None` if no test is left.
    pub fn source(&self) -> Option<&Source> {
        self.written.as_ref().filter(|_| !self.survivors.is_empty()).map(|w| &w.source)
    }

    /// The tests that are left, by what runners call them.
    pub(crate) fn names(&self, written: &Written) -> BTreeMap<String, usize> {
        let class = written.test_class();
        let name = |test: &usize| (format!("{class}#{}", written.method(*test)), *test);
        self.survivors.iter().map(name).collect()
    }

    /// The tests that did not do what they should; nothing is said of those to be written anew.
    pub(crate) fn bad(&self, written: &Written, ends: &[Ended]) -> Vec<Ended> {
        let is_good = |(test, end): &&Ended| {
            *end == TestEnd::Passed && self.tests[*test].failure.is_none()
                || self.stale.contains(test)
                || is_as_expected(&self.tests[*test], &written.statements(*test), end)
        };
        ends.iter().filter(|end| !is_good(end)).cloned().collect()
    }

    /// The assertion that a test failed in, if it can do without.
    fn spare(&self, written: &Written, (test, end): &Ended) -> Option<usize> {
        spare_check(&self.tests[*test], &written.statements(*test), end)
    }

    /// Whether one of these tests failed in an assertion that it can do without.
    pub(crate) fn may_spare(&self, written: &Written, bad: &[Ended]) -> bool {
        bad.iter().any(|bad| self.spare(written, bad).is_some())
    }

    /// Leaves out the assertion that a test failed in, if it can do without.
    fn leave_out_assertion(&mut self, written: &Written, bad: &Ended) -> bool {
        let spare = self.spare(written, bad);
        if let Some(check) = spare {
            let (test, end) = bad;
            self.tests[*test].checks.remove(check);
            self.shortened.push(*test);
            self.stale.insert(*test);
            let method = written.method(*test);
            self.notes.push(format!("{method} lost an assertion that does not hold: {end}"));
        }
        spare.is_some()
    }

    /// Drops a test that did not do what it should, or, if it does where it was found and fails each
    /// time elsewhere, the assertion that it failed in, as far as it can do without.
    pub(crate) fn drop_bad_one(
        &mut self,
        written: &Written,
        bad: &Ended,
        elsewhere: Option<Elsewhere<'_>>,
    ) {
        let (test, end) = bad;
        let flickers = elsewhere.is_some_and(|there| self.flickers(written, bad, there.again));
        if elsewhere.is_some() && !flickers && self.leave_out_assertion(written, bad) {
            return;
        }
        let (fate, kind) = match (end, elsewhere) {
            (TestEnd::LeftChanged(_), _) => (Fate::UnsafeEffect, "has an effect"),
            (TestEnd::Killed(_), _) => (Fate::Unreproducible, "cannot be run"),
            (_, Some(there)) if !flickers => (Fate::Environment, there.depends),
            _ => (Fate::Unreproducible, "is not reproducible"),
        };
        self.notes.push(format!("{} {kind}: {end}", written.method(*test)));
        self.lose(&[*test], fate);
    }

    /// Whether a test that failed in an assertion it can do without did not fail in it again.
    fn flickers(&self, written: &Written, bad: &Ended, again: &[Ended]) -> bool {
        let Some(spare) = self.spare(written, bad) else { return false };
        let again = again.iter().find(|(test, _)| *test == bad.0);
        again.and_then(|again| self.spare(written, again)) != Some(spare)
    }

    /// How many assertions were left out of the tests that are left.
    pub fn lost_assertions(&self) -> u32 {
        self.shortened.iter().filter(|test| self.survivors.contains(test)).count() as u32
    }

    /// Whether there are failing tests: what they show may be a failed `assert`.
    pub(crate) fn has_failing(&self) -> bool {
        self.tests.iter().any(|test| test.failure.is_some())
    }

    /// A test of this class that was given.
    pub fn test(&self, index: usize) -> &UnitTest {
        &self.tests[index]
    }

    /// Drops tests.
    pub(crate) fn lose(&mut self, tests: &[usize], fate: Fate) {
        self.survivors.retain(|survivor| !tests.contains(survivor));
        for test in tests {
            self.dropped.count(fate);
            self.lost.push((*test, fate));
        }
    }

    pub(crate) fn drop_all(&mut self, why: &str, fate: Fate) {
        let all = self.survivors.clone();
        self.notes.push(format!("{} tests never {why} together", all.len()));
        self.lose(&all, fate);
    }
}

/// Checks suites with the services of a run.
pub struct Checker {
    pub(crate) services: Arc<Services>,
    pub(crate) classes: Arc<dyn ClassSource + Send + Sync>,
    pub(crate) options: Options,
    pub(crate) class_path: String,
    pub(crate) release: Option<u16>,
}

/// The tests of one class are given so long to be left with those that hold. Ample: a round takes
/// seconds, more only where tests hang or kill their process.
pub(crate) const PATIENCE: Duration = Duration::from_secs(900);

/// One run of tests: where, and in which order.
pub(crate) type Setting = (Environment, Order);

/// In this order: what does not hold as JUnit runs it is not worth changing anything for. Forward and
/// backward any two tests run in both orders, but what one leaves behind a third may clear away in
/// between, so there are others.
pub(crate) const SETTINGS: [Setting; 5] = [
    (Environment::Usual, Order::Usual),
    (Environment::Changed, Order::Backward),
    (Environment::Usual, Order::Shuffled(0)),
    (Environment::Usual, Order::Shuffled(1)),
    (Environment::Usual, Order::Shuffled(2)),
];

impl Checker {
    /// A checker; `class_path` holds the subject and JUnit.
    pub fn new(
        services: Arc<Services>,
        classes: Arc<dyn ClassSource + Send + Sync>,
        options: Options,
        class_path: String,
        release: Option<u16>,
    ) -> Self {
        Self { services, classes, options, class_path, release }
    }

    /// Writes, compiles and runs the tests of a class, dropping those that do not hold, until what
    /// is written passes as a whole in both environments: a test that was dropped may have hidden
    /// what another one does.
    pub fn check(&self, class: &ClassName, tests: Vec<UnitTest>) -> Result<Checked, WorkerError> {
        let survivors = (0..tests.len()).collect();
        let mut suite = Checked { tests, survivors, ..Checked::nothing(class) };
        let checked = until_nothing_changes(PATIENCE, || {
            let mut watch = Watch::start();
            suite.stale.clear();
            let written = self.compile(&mut suite)?;
            suite.spent.compile += watch.lap();
            let Some(written) = written else { return Ok(Round::Last(())) };
            // First, or those that they disturb would be dropped in their place.
            let first = self.run_first(&written, &mut suite)?;
            let is_dated = !first.asked_for_date.is_empty();
            let mut first = Some(first);
            let mut watch = Watch::start();
            let may_pollute = first.as_ref().is_none_or(Ran::may_leave_statics);
            let polluted = may_pollute && self.drop_polluters(&written, &mut suite)?;
            suite.spent.statics += watch.lap();
            if polluted {
                return Ok(Round::Again);
            }
            let mut changed = false;
            for setting in SETTINGS {
                changed |= self.drop_bad(setting, first.take(), &written, &mut suite)?;
            }
            if is_dated {
                changed |= self.drop_dated(&written, &mut suite)?;
            }
            suite.written = Some(written);
            Ok::<_, WorkerError>(if changed { Round::Again } else { Round::Last(()) })
        })?;
        if checked.is_none() {
            suite.drop_all("passed", Fate::Unreproducible);
        }
        Ok(suite)
    }

    /// The class path that these tests run with.
    pub(crate) fn class_path_of(&self, written: &Written) -> String {
        format!("{}:{}", written.classes.path().display(), self.class_path)
    }

    /// Runs all tests of the source in the first setting, which also tells whether there is static
    /// state to look at: most classes have none.
    fn run_first(&self, written: &Written, suite: &mut Checked) -> Result<Ran, WorkerError> {
        let mut watch = Watch::start();
        let class_path = self.class_path_of(written);
        let classes = [written.test_class()];
        let run = run_in(SETTINGS[0], &class_path, &classes);
        let ran = self.services.run_with_statics(SETTINGS[0].0, &run);
        suite.spent.runs += watch.lap();
        ran
    }

    /// Runs all tests of the source in one setting, unless they have been, and drops those that do
    /// not hold, or what does not hold of them; whether there was any.
    fn drop_bad(
        &self,
        setting: Setting,
        ran: Option<Ran>,
        written: &Written,
        suite: &mut Checked,
    ) -> Result<bool, WorkerError> {
        let class_path = self.class_path_of(written);
        let classes = [written.test_class()];
        let (environment, order) = setting;
        let mut run = run_in(setting, &class_path, &classes);
        run.assertions |= suite.has_failing();
        let names = suite.names(written);
        let mut watch = Watch::start();
        let ran = match ran {
            Some(ran) => ran,
            None => self.services.run(environment, &run)?,
        };
        let first = trial(&names, ran);
        suite.spent.runs += watch.lap();
        if is_fine(&first) && suite.bad(written, &first.ends).is_empty() {
            return Ok(false);
        }
        // The runner is warm and has seen other classes: a fresh one decides, so that the answer
        // does not depend on which classes came before.
        let mut again = |tests: &[usize]| {
            let names = named(&names, tests);
            let only = names.keys().cloned().collect();
            Ok::<_, WorkerError>(trial(
                &names,
                self.services.run_fresh(environment, &run, only, &|| false)?,
            ))
        };
        let ends = Inquiry::new(&mut again).ends(&suite.survivors)?.ends;
        let bad = suite.bad(written, &ends);
        let holds_there = order == Order::Usual;
        let mut once_more = Vec::new();
        if !holds_there && suite.may_spare(written, &bad) {
            once_more = Inquiry::new(&mut again).ends(&suite.survivors)?.ends;
        }
        suite.spent.fresh_runs += watch.lap();
        let depends = "depends on order or environment";
        let elsewhere = (!holds_there).then_some(Elsewhere { depends, again: &once_more });
        for bad in &bad {
            suite.drop_bad_one(written, bad, elsewhere);
        }
        Ok(!bad.is_empty())
    }
}

/// How classes are run in a setting: in the changed environment without assertions, which not every
/// user has on.
pub(crate) fn run_in<'s>(
    (environment, order): Setting,
    class_path: &'s str,
    classes: &'s [String],
) -> services::Suite<'s> {
    let assertions = environment == Environment::Usual;
    services::Suite { class_path, classes, order, assertions }
}

#[cfg(test)]
mod tests;
