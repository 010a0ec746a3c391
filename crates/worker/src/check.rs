//! No test is handed out that was not compiled by the real compiler and run twice in other JVMs
//! than the one it was found in, the second time in another order and environment.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use model::{ClassName, ClassSource, Contract, FailureKind, UnitTest};
use serde::{Deserialize, Serialize};
use writer::{Options, Source, Suite};

use crate::answer::{Diagnostic, TestEnd};
use crate::environment::Environment;
use crate::inside::describe;
use crate::killers::{Inquiry, Trial};
use crate::mocking;
use crate::process::WorkerError;
use crate::rounds::{Round, until_nothing_changes};
use crate::runners::Ran;
use crate::scratch::Passing;
use crate::services::{self, Services};

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
}

impl Dropped {
    /// All of them.
    pub fn total(&self) -> u32 {
        self.unwritable
            + self.uncompilable
            + self.unreproducible
            + self.environment
            + self.unsafe_effect
    }

    /// Adds another count.
    pub fn add(&mut self, other: Self) {
        self.unwritable += other.unwritable;
        self.uncompilable += other.uncompilable;
        self.unreproducible += other.unreproducible;
        self.environment += other.environment;
        self.unsafe_effect += other.unsafe_effect;
    }
}

/// What is left of a class's tests.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The source; `None` if no test is left.
    pub source: Option<Source>,
    /// Which of the tests given are in it, by index.
    pub survivors: Vec<usize>,
    /// What became of the others.
    pub dropped: Dropped,
    /// The same in words, a line per test.
    pub notes: Vec<String>,
}

/// Checks suites with the services of a run.
pub struct Checker {
    services: Arc<Services>,
    classes: Arc<dyn ClassSource + Send + Sync>,
    options: Options,
    class_path: String,
    release: Option<u32>,
}

/// The tests of one class are given so long to be left with those that hold. Ample: a round takes
/// seconds, more only where tests hang or kill their process.
const PATIENCE: Duration = Duration::from_secs(900);

impl Checker {
    /// A checker; `class_path` holds the subject and JUnit.
    pub fn new(
        services: Arc<Services>,
        classes: Arc<dyn ClassSource + Send + Sync>,
        options: Options,
        class_path: String,
        release: Option<u32>,
    ) -> Self {
        Self { services, classes, options, class_path, release }
    }

    /// Writes, compiles and runs the tests of a class, dropping those that do not hold.
    pub fn check(&self, class: &ClassName, tests: &[UnitTest]) -> Result<Checked, WorkerError> {
        let mut suite = Examined {
            checker: self,
            class,
            tests,
            survivors: (0..tests.len()).collect(),
            written: Vec::new(),
            dropped: Dropped::default(),
            notes: Vec::new(),
        };
        let source = suite.check()?;
        let Examined { survivors, dropped, notes, .. } = suite;
        Ok(Checked { source: source.filter(|_| !survivors.is_empty()), survivors, dropped, notes })
    }
}

/// The tests of a class while they are checked.
struct Examined<'c> {
    checker: &'c Checker,
    class: &'c ClassName,
    tests: &'c [UnitTest],
    survivors: Vec<usize>,
    /// The survivors at the time the source was written.
    written: Vec<usize>,
    dropped: Dropped,
    notes: Vec<String>,
}

impl Examined<'_> {
    /// Until what is written passes as a whole in both environments: a test that was dropped may
    /// have hidden what another one does.
    fn check(&mut self) -> Result<Option<Source>, WorkerError> {
        let checked = until_nothing_changes(PATIENCE, || {
            let Some((source, folder)) = self.compile()? else { return Ok(Round::Last(None)) };
            let before = self.survivors.len();
            for environment in [Environment::Usual, Environment::Changed] {
                self.drop_bad(environment, &source, folder.path())?;
            }
            let is_last = self.survivors.len() == before;
            Ok::<_, WorkerError>(if is_last { Round::Last(Some(source)) } else { Round::Again })
        })?;
        if checked.is_none() {
            self.notes.push(format!("{} tests never passed together", self.survivors.len()));
            self.dropped.unreproducible += self.survivors.len() as u32;
            self.survivors.clear();
        }
        Ok(checked.flatten())
    }

    /// Runs all tests of the source in one environment and drops those that do not hold.
    fn drop_bad(
        &mut self,
        environment: Environment,
        source: &Source,
        folder: &Path,
    ) -> Result<(), WorkerError> {
        let class_path = format!("{}:{}", folder.display(), self.checker.class_path);
        let class = if source.package.is_empty() {
            source.class_name.clone()
        } else {
            format!("{}.{}", source.package, source.class_name)
        };
        // Backward, so that any two tests run in both orders.
        let backward = environment == Environment::Changed;
        let suite = services::Suite { class_path: &class_path, class: &class, backward };
        let services = &self.checker.services;
        let first = self.trial(source, &self.survivors, services.run(environment, &suite)?);
        if first.death.is_none() && self.bad(&first.ends).is_empty() {
            return Ok(());
        }
        // The runner is warm and has seen other classes: a fresh one decides, so that the answer
        // does not depend on which classes came before.
        let mut run = |tests: &[usize]| {
            let only = tests.iter().map(|test| self.name(source, *test).to_owned()).collect();
            let ran = services.run_fresh(environment, &suite, only)?;
            Ok::<_, WorkerError>(self.trial(source, tests, ran))
        };
        let ends = Inquiry::new(&mut run).ends(&self.survivors)?;
        let bad = self.bad(&ends);
        for (index, end) in &bad {
            let (count, kind) = match end {
                TestEnd::LeftChanged(_) => (&mut self.dropped.unsafe_effect, "has an effect"),
                TestEnd::Killed(_) => (&mut self.dropped.unreproducible, "cannot be run"),
                _ if environment == Environment::Changed => {
                    (&mut self.dropped.environment, "depends on order or environment")
                }
                _ => (&mut self.dropped.unreproducible, "is not reproducible"),
            };
            *count += 1;
            let name = self.name(source, *index);
            self.notes.push(format!("{name} {kind}: {end}"));
        }
        self.survivors.retain(|test| !bad.iter().any(|(b, _)| b == test));
        Ok(())
    }

    fn name<'s>(&self, source: &'s Source, index: usize) -> &'s str {
        let at = self.written.iter().position(|written| *written == index);
        at.and_then(|at| source.tests[at].as_deref()).unwrap_or("a test")
    }

    fn write(&self) -> Source {
        let tests = self.survivors.iter().map(|index| self.tests[*index].clone()).collect();
        let suite = Suite { class: self.class.clone(), tests };
        writer::write(&suite, &*self.checker.classes, &self.checker.options)
    }

    /// Writes and compiles what is left, without the tests that cannot be.
    fn compile(&mut self) -> Result<Option<(Source, Passing)>, WorkerError> {
        let compiled = until_nothing_changes(PATIENCE, || self.try_to_compile())?;
        if compiled.is_none() {
            self.notes.push(format!("{} tests never compiled together", self.survivors.len()));
            self.dropped.uncompilable += self.survivors.len() as u32;
            self.survivors.clear();
        }
        Ok(compiled.flatten())
    }

    fn try_to_compile(&mut self) -> Result<Round<Option<(Source, Passing)>>, WorkerError> {
        if self.survivors.is_empty() {
            return Ok(Round::Last(None));
        }
        let source = self.write();
        if !source.rejected.is_empty() {
            let rejected: Vec<usize> =
                source.rejected.iter().map(|(at, _)| self.survivors[*at]).collect();
            self.dropped.unwritable += rejected.len() as u32;
            let words = source.rejected.iter().map(|(_, why)| format!("a test: {}", describe(why)));
            self.notes.extend(words);
            self.survivors.retain(|test| !rejected.contains(test));
            return Ok(Round::Again);
        }
        let folder = self.checker.services.class_folder()?;
        let sources = [(source.path.clone(), source.text.clone())];
        let errors = self.checker.services.compile_to(
            &sources,
            &self.checker.class_path,
            folder.path(),
            self.checker.release,
        )?;
        if errors.is_empty() {
            mocking::prepare(&source, folder.path()).map_err(WorkerError::Scratch)?;
            self.written.clone_from(&self.survivors);
            return Ok(Round::Last(Some((source, folder))));
        }
        let words = errors.iter().map(|e| format!("{}:{}: {}", e.file, e.line, e.message));
        self.notes.extend(words);
        let refused = self.refused(&source, &errors);
        self.dropped.uncompilable += refused.len() as u32;
        self.survivors.retain(|test| !refused.contains(test));
        Ok(Round::Again)
    }

    /// The tests that the errors lie in; all of them if an error lies in none.
    fn refused(&self, source: &Source, errors: &[Diagnostic]) -> Vec<usize> {
        let lines: Vec<&str> = source.text.lines().collect();
        let mut refused = Vec::new();
        for error in errors {
            let upto = (error.line as usize).min(lines.len());
            let method = lines[..upto].iter().rev().find_map(|line| {
                source.tests.iter().position(|name| {
                    name.as_ref().is_some_and(|name| line.contains(&format!("void {name}(")))
                })
            });
            match method {
                Some(at) if !refused.contains(&self.survivors[at]) => {
                    refused.push(self.survivors[at]);
                }
                Some(_) => {}
                None => return self.survivors.clone(),
            }
        }
        refused
    }

    /// What a run says of these tests.
    fn trial(&self, source: &Source, tests: &[usize], ran: Ran) -> Trial {
        let number =
            |method: &str| tests.iter().copied().find(|test| self.name(source, *test) == method);
        let death = ran.death.map(|death| (death.during.and_then(|test| number(&test)), death.how));
        let mut ends: Vec<(usize, TestEnd)> = Vec::new();
        for run in &ran.runs {
            if run.method.is_empty() {
                // The class as a whole could not be run.
                ends.extend(tests.iter().map(|test| (*test, run.end.clone())));
            }
            ends.extend(number(&run.method).map(|test| (test, run.end.clone())));
        }
        if death.is_none() {
            let has_end = |test: &usize| ends.iter().any(|(ended, _)| ended == test);
            let missing: Vec<usize> = tests.iter().copied().filter(|t| !has_end(t)).collect();
            ends.extend(missing.into_iter().map(|test| (test, TestEnd::TimedOut)));
        }
        Trial { ends, death }
    }

    /// The tests that did not do what they should.
    fn bad(&self, ends: &[(usize, TestEnd)]) -> Vec<(usize, TestEnd)> {
        let is_good = |(test, end): &&(usize, TestEnd)| is_as_expected(&self.tests[*test], end);
        ends.iter().filter(|end| !is_good(end)).cloned().collect()
    }
}

/// A passing test passes; a failing one fails for the reason it gives.
fn is_as_expected(test: &UnitTest, end: &TestEnd) -> bool {
    match (&test.failure, end) {
        (None, TestEnd::Passed) => true,
        (Some(failure), TestEnd::Failed { exception, .. }) => match &failure.kind {
            FailureKind::UnexpectedException { class } => *exception == class.to_binary(),
            // A law that an object breaks shows as a failed assertion, or as what it throws.
            FailureKind::Contract { contract, .. } => {
                let throws = matches!(
                    contract,
                    Contract::EqualsNull
                        | Contract::EqualsReturns
                        | Contract::HashCodeReturns
                        | Contract::ToStringReturns
                );
                throws || exception.contains("Assertion") || exception.contains("Comparison")
            }
        },
        _ => false,
    }
}
