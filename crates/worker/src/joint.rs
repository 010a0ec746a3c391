//! The tests of all classes together, in one class loader of one JVM, as Maven and Gradle run them.
//!
//! By then each class's tests hold by themselves; but what one class leaves in static fields, a
//! registry or a default that is made once, another one may find. Classes run by name in the usual
//! environment, backward in the changed one, so that any two run in both orders, and shuffled. Of two that do
//! not get along the one that fails is dropped: it is told by the run itself, and once it is gone
//! nothing is wrong with the other.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::answer::TestEnd;
use crate::check::{Checked, Checker, Fate, SETTINGS, Setting, run_in};
use crate::killers::Inquiry;
use crate::process::WorkerError;
use crate::runners::IsOver;
use crate::scratch::Passing;
use crate::services::copy_folder;
use crate::trial::trial;

/// How many of the settings all classes run in: each takes a JVM of its own.
const TOGETHER: usize = 3;

/// Whether suites hold together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Together {
    /// What is left was seen to.
    Hold,
    /// It was not found out: the time was over, or runners went on dying.
    Unknown,
}

/// The tests that are left of all suites, numbered.
struct Roll {
    /// By what runners call them.
    names: BTreeMap<String, usize>,
    /// The suite of each, and its number there.
    tests: Vec<(usize, usize)>,
    /// The test classes, in order.
    classes: Vec<String>,
}

impl Roll {
    fn call(suites: &[&mut Checked]) -> Self {
        let mut roll = Self { names: BTreeMap::new(), tests: Vec::new(), classes: Vec::new() };
        for (number, suite) in suites.iter().enumerate() {
            let Some(written) = suite.written.as_ref().filter(|_| !suite.survivors.is_empty())
            else {
                continue;
            };
            for (name, test) in suite.names(written) {
                roll.names.insert(name, roll.tests.len());
                roll.tests.push((number, test));
            }
            roll.classes.push(written.test_class());
        }
        roll.classes.sort();
        roll
    }
}

impl Checker {
    /// Runs the tests of these suites together, dropping those that do not hold then, until nothing
    /// changes. `is_over` says whether to go on after so much time.
    pub fn check_together(
        &self,
        suites: &mut [&mut Checked],
        is_over: &dyn Fn(Duration) -> bool,
    ) -> Result<Together, WorkerError> {
        if Roll::call(suites).classes.len() < 2 {
            return Ok(Together::Hold);
        }
        let start = Instant::now();
        while !is_over(start.elapsed()) {
            let classes = self.gather(suites)?;
            let before: Vec<usize> = suites.iter().map(|suite| suite.survivors.len()).collect();
            let mut together = Together::Hold;
            for setting in &SETTINGS[..TOGETHER] {
                if together == Together::Hold {
                    let is_over = || is_over(start.elapsed());
                    together = self.drop_victims(*setting, &classes, suites, &is_over)?;
                }
            }
            let mut changed = false;
            for (suite, before) in suites.iter_mut().zip(before) {
                if suite.survivors.len() < before {
                    changed = true;
                    suite.written = self.compile(suite)?;
                }
            }
            if !changed || together == Together::Unknown {
                return Ok(together);
            }
        }
        Ok(Together::Unknown)
    }

    /// The classes of all suites in one folder: a class path of hundreds would be slow to search.
    fn gather(&self, suites: &[&mut Checked]) -> Result<Passing, WorkerError> {
        let folder = self.services.class_folder()?;
        for written in suites.iter().filter_map(|suite| suite.written.as_ref()) {
            copy_folder(written.classes.path(), folder.path()).map_err(WorkerError::Scratch)?;
        }
        Ok(folder)
    }

    /// Runs all tests in one setting and drops those that fail.
    fn drop_victims(
        &self,
        setting: Setting,
        classes: &Passing,
        suites: &mut [&mut Checked],
        is_over: IsOver<'_>,
    ) -> Result<Together, WorkerError> {
        let roll = Roll::call(suites);
        let class_path = format!("{}:{}", classes.path().display(), self.class_path);
        let suite = run_in(setting, &class_path, &roll.classes);
        let mut run = |tests: &[usize]| {
            let mut meant = vec![false; roll.tests.len()];
            tests.iter().for_each(|test| meant[*test] = true);
            let names = roll.names.iter().filter(|(_, test)| meant[**test]);
            let names: BTreeMap<String, usize> = names.map(|(n, t)| (n.clone(), *t)).collect();
            let only = names.keys().cloned().collect();
            let ran = self.services.run_fresh(setting.0, &suite, only, is_over)?;
            Ok::<_, WorkerError>(trial(&names, ran))
        };
        let all: Vec<usize> = (0..roll.tests.len()).collect();
        let found = match Inquiry::new(&mut run).ends(&all) {
            Err(WorkerError::GivenUp) => return Ok(Together::Unknown),
            found => found?,
        };
        for (number, end) in &found.ends {
            // Each holds by itself: what is undecided may stay.
            if *end != TestEnd::Passed && !found.undecided.contains(number) {
                let (suite, test) = roll.tests[*number];
                suites[suite].drop_victim(test, end);
            }
        }
        Ok(if found.undecided.is_empty() { Together::Hold } else { Together::Unknown })
    }
}

impl Checked {
    fn drop_victim(&mut self, test: usize, end: &TestEnd) {
        let (fate, kind) = match end {
            TestEnd::LeftChanged(_) => (Fate::UnsafeEffect, "has an effect"),
            _ => (Fate::Environment, "depends on tests of other classes"),
        };
        let method = self.written.as_ref().map_or("a test", |written| written.method(test));
        self.notes.push(format!("{method} {kind}: {end}"));
        self.lose(&[test], fate);
    }
}
