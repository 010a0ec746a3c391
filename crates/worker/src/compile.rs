//! Writing and compiling the tests of a class that are left, without those that cannot be.

use model::{Check, CheckKind};
use writer::{Source, Suite};

use crate::answer::Diagnostic;
use crate::check::{Checked, Checker, PATIENCE, Written};
use crate::dropped::Fate;
use crate::inside::describe;
use crate::mocking;
use crate::process::WorkerError;
use crate::rounds::{Round, until_nothing_changes};

impl Checker {
    /// The tests that are left, as source and classes; `None` if none is.
    pub(crate) fn compile(&self, suite: &mut Checked) -> Result<Option<Written>, WorkerError> {
        let compiled = until_nothing_changes(PATIENCE, || self.try_to_compile(suite))?;
        if compiled.is_none() {
            suite.drop_all("compiled", Fate::Uncompilable);
        }
        Ok(compiled.flatten())
    }

    fn try_to_compile(&self, suite: &mut Checked) -> Result<Round<Option<Written>>, WorkerError> {
        if suite.survivors.is_empty() {
            return Ok(Round::Last(None));
        }
        let source = self.write(suite);
        if !source.rejected.is_empty() {
            let rejected: Vec<usize> =
                source.rejected.iter().map(|(at, _)| suite.survivors[*at]).collect();
            let words = source.rejected.iter().map(|(_, why)| format!("a test: {}", describe(why)));
            suite.notes.extend(words);
            suite.refuse(&rejected, Fate::Unwritable);
            return Ok(Round::Again);
        }
        let classes = self.services.class_folder()?;
        let sources = [(source.path.clone(), source.text.clone())];
        let errors =
            self.services.compile_to(&sources, &self.class_path, classes.path(), self.release)?;
        if errors.is_empty() {
            mocking::prepare(&source.text, classes.path()).map_err(WorkerError::Scratch)?;
            let tests = suite.survivors.clone();
            return Ok(Round::Last(Some(Written { tests, source, classes })));
        }
        let words = errors.iter().map(|e| format!("{}:{}: {}", e.file, e.line, e.message));
        suite.notes.extend(words);
        let refused = refused(&suite.survivors, &source, &errors);
        suite.refuse(&refused, Fate::Uncompilable);
        Ok(Round::Again)
    }

    fn write(&self, suite: &Checked) -> Source {
        let tests = suite.survivors.iter().map(|index| suite.tests[*index].clone()).collect();
        writer::write(&Suite { class: suite.class.clone(), tests }, &*self.classes, &self.options)
    }
}

impl Checked {
    /// Leaves out what these tests verify of mocks: a call on a mock may be one that javac cannot be
    /// shown to take for what is meant. Drops them if none verifies anything.
    fn refuse(&mut self, tests: &[usize], fate: Fate) {
        let is_verified = |check: &Check| matches!(check.kind, CheckKind::Verified(_));
        if !tests.iter().any(|test| self.tests[*test].checks.iter().any(is_verified)) {
            return self.lose(tests, fate);
        }
        for test in tests {
            self.tests[*test].checks.retain(|check| !is_verified(check));
        }
    }
}

/// Those of the tests in the source that the errors lie in; all of them if an error lies in none.
fn refused(tests: &[usize], source: &Source, errors: &[Diagnostic]) -> Vec<usize> {
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
            Some(at) if !refused.contains(&tests[at]) => refused.push(tests[at]),
            Some(_) => {}
            None => return tests.to_vec(),
        }
    }
    refused
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use model::{
        ClassName, Expectation, Operation, OperationKind, Slot, TestCase, UnitTest, Verified,
    };

    use super::*;

    #[test]
    fn a_test_that_is_refused_is_tried_without_what_it_verifies() {
        let class = ClassName::internal("a/B");
        let method = Arc::new(Operation {
            kind: OperationKind::InstanceMethod,
            owner: class.clone(),
            name: "put".into(),
            params: Vec::new(),
            result: None,
            implementation: None,
        });
        let verified = Verified { mock: Slot(0), method, args: Vec::new(), times: 1 };
        let kinds = [CheckKind::NotNull(Slot(0)), CheckKind::Verified(verified)];
        let test = UnitTest {
            case: TestCase::default(),
            subject: 0,
            expectation: Expectation::Returns,
            checks: kinds.into_iter().map(|kind| Check { after: 0, kind }).collect(),
            failure: None,
        };
        let tests = vec![test.clone(), test];
        let mut suite = Checked { tests, survivors: vec![0, 1], ..Checked::nothing(&class) };
        suite.refuse(&[1], Fate::Unwritable);
        assert_eq!(suite.survivors, [0, 1]);
        let kinds = suite.tests.iter().map(|test| test.checks.len());
        assert_eq!(kinds.collect::<Vec<_>>(), [2, 1]);
        suite.refuse(&[1], Fate::Unwritable);
        assert_eq!(suite.survivors, [0]);
        assert_eq!(suite.lost, [(1, Fate::Unwritable)]);
    }
}
