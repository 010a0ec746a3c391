//! No test is handed out that was not compiled by the real compiler and run twice in other JVMs
//! than the one it was found in, the second time in another order and environment.
//!
//! The tests of a class are checked by themselves here, so that files can be written class by class;
//! those of all classes together in `joint`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use model::{ClassName, ClassSource, UnitTest};
use serde::{Deserialize, Serialize};
use writer::{Options, Source};

use crate::answer::TestEnd;
use crate::environment::Environment;
use crate::killers::Inquiry;
use crate::moments::calendar;
use crate::process::WorkerError;
use crate::rounds::{Round, until_nothing_changes};
use crate::runners::Ran;
use crate::scratch::Passing;
use crate::services::{self, Order, Services};
use crate::spent::{Spent, Watch};
use crate::statements::Statements;
use crate::trial::{is_fine, named, trial};
use crate::verdict::{is_as_expected, spare_check};

/// Tests that did not survive, by why.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Dropped {
    /// They could not be written as source.
    pub unwritable: u32,
    /// The compiler refused them.
    pub uncompilable: u32,
    /// They did something else in a fresh JVM.
    pub unreproducible: u32,
    /// They did something else in another order or environment.
    pub environment: u32,
    /// They tried something outside the heap, or left something changed.
    pub unsafe_effect: u32,
    /// They left static state of the project changed that others may rely on.
    pub static_state: u32,
}

/// Why a test did not survive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fate {
    /// It could not be written as source.
    Unwritable,
    /// The compiler refused it.
    Uncompilable,
    /// It did something else in a fresh JVM.
    Unreproducible,
    /// It did something else in another order or environment.
    Environment,
    /// It tried something outside the heap, or left something changed.
    UnsafeEffect,
    /// It left static state of the project changed, or made a test fail that was there before.
    StaticState,
}

impl Dropped {
    /// Counts a test.
    pub fn count(&mut self, fate: Fate) {
        *match fate {
            Fate::Unwritable => &mut self.unwritable,
            Fate::Uncompilable => &mut self.uncompilable,
            Fate::Unreproducible => &mut self.unreproducible,
            Fate::Environment => &mut self.environment,
            Fate::UnsafeEffect => &mut self.unsafe_effect,
            Fate::StaticState => &mut self.static_state,
        } += 1;
    }

    /// All of them.
    pub fn total(&self) -> u32 {
        self.unwritable
            + self.uncompilable
            + self.unreproducible
            + self.environment
            + self.unsafe_effect
            + self.static_state
    }

    /// Adds another count.
    pub fn add(&mut self, other: Self) {
        self.unwritable += other.unwritable;
        self.uncompilable += other.uncompilable;
        self.unreproducible += other.unreproducible;
        self.environment += other.environment;
        self.unsafe_effect += other.unsafe_effect;
        self.static_state += other.static_state;
    }
}

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
    /// The same in words, a line per test.
    pub notes: Vec<String>,
    /// Where the time went.
    pub spent: Spent,
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

    /// The tests that did not do what they should.
    fn bad(&self, written: &Written, ends: &[(usize, TestEnd)]) -> Vec<(usize, TestEnd)> {
        let is_good = |(test, end): &&(usize, TestEnd)| {
            *end == TestEnd::Passed && self.tests[*test].failure.is_none()
                || is_as_expected(&self.tests[*test], &written.statements(*test), end)
        };
        ends.iter().filter(|end| !is_good(end)).cloned().collect()
    }

    /// Leaves out the assertion that a test failed in, if it can do without.
    fn leave_out_assertion(&mut self, written: &Written, test: usize, end: &TestEnd) -> bool {
        let spare = spare_check(&self.tests[test], &written.statements(test), end);
        if let Some(check) = spare {
            self.tests[test].checks.remove(check);
            let method = written.method(test);
            self.notes.push(format!("{method} lost an assertion that does not hold: {end}"));
        }
        spare.is_some()
    }

    /// Drops a test that did not do what it should, or the assertion that it failed in if it can do
    /// without; `elsewhere` says where it did not, if it does elsewhere.
    fn drop_bad_one(
        &mut self,
        written: &Written,
        test: usize,
        end: &TestEnd,
        elsewhere: Option<&str>,
    ) {
        if self.leave_out_assertion(written, test, end) {
            return;
        }
        let (fate, kind) = match (end, elsewhere) {
            (TestEnd::LeftChanged(_), _) => (Fate::UnsafeEffect, "has an effect"),
            (TestEnd::Killed(_), _) => (Fate::Unreproducible, "cannot be run"),
            (_, Some(depends)) => (Fate::Environment, depends),
            (_, None) => (Fate::Unreproducible, "is not reproducible"),
        };
        self.notes.push(format!("{} {kind}: {end}", written.method(test)));
        self.lose(&[test], fate);
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

    /// Runs all tests of the source in the first setting, which also tells whether there is static
    /// state to look at: most classes have none.
    fn run_first(&self, written: &Written, suite: &mut Checked) -> Result<Ran, WorkerError> {
        let mut watch = Watch::start();
        let class_path = format!("{}:{}", written.classes.path().display(), self.class_path);
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
        let class_path = format!("{}:{}", written.classes.path().display(), self.class_path);
        let classes = [written.test_class()];
        let (environment, order) = setting;
        let mut run = run_in(setting, &class_path, &classes);
        // A failed `assert` may be what a failing test shows.
        run.assertions |= suite.tests.iter().any(|test| test.failure.is_some());
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
        suite.spent.fresh_runs += watch.lap();
        let bad = suite.bad(written, &ends);
        let holds_there = order == Order::Usual;
        let elsewhere = (!holds_there).then_some("depends on order or environment");
        for (test, end) in &bad {
            suite.drop_bad_one(written, *test, end, elsewhere);
        }
        Ok(!bad.is_empty())
    }

    /// Runs the tests of a class that asks for the date at many dates and times, and drops those that
    /// do not hold at all of them, or what does not hold of them; whether there was any. All of them:
    /// what a static initializer asks is asked in the first one only, and told in any.
    fn drop_dated(
        &self,
        written: &Written,
        suite: &mut Checked,
    ) -> Result<bool, WorkerError> {
        let names = suite.names(written);
        if names.is_empty() {
            return Ok(false);
        }
        let mut watch = Watch::start();
        let class_path = format!("{}:{}", written.classes.path().display(), self.class_path);
        let classes = [written.test_class()];
        let mut run = run_in(SETTINGS[0], &class_path, &classes);
        run.assertions |= suite.tests.iter().any(|test| test.failure.is_some());
        let only: Vec<String> = names.keys().cloned().collect();
        let all = self.services.run_at(&calendar(), &run, &only)?;
        suite.spent.fresh_runs += watch.lap();
        let mut bad = BTreeMap::new();
        for ran in all {
            for (test, end) in suite.bad(written, &trial(&names, ran).ends) {
                bad.entry(test).or_insert(end);
            }
        }
        for (test, end) in &bad {
            suite.drop_bad_one(written, *test, end, Some("depends on the date or time"));
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
