//! Writing and compiling the tests of a class that are left, without those that cannot be.

use writer::{Source, Suite};

use crate::answer::Diagnostic;
use crate::check::{Checked, Checker, Fate, PATIENCE, Written};
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
            suite.lose(&rejected, Fate::Unwritable);
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
        suite.lose(&refused, Fate::Uncompilable);
        Ok(Round::Again)
    }

    fn write(&self, suite: &Checked) -> Source {
        let tests = suite.survivors.iter().map(|index| suite.tests[*index].clone()).collect();
        writer::write(&Suite { class: suite.class.clone(), tests }, &*self.classes, &self.options)
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
