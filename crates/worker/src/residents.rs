//! The tests that are in the test folder before a run: the user's own, and those of earlier runs.
//!
//! They run together with the new ones, which must not break them; nobody changes their files. Only
//! those take part that our runner can run, and that pass by themselves here: in the sandbox, without
//! an effect, in time. The others are told of.
//!
//! Invariant: a resident is judged in a setting only if it passes there among residents alone, so what
//! makes it fail is a new test.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use crate::answer::TestEnd;
use crate::check::{Checker, SETTINGS, run_in};
use crate::joint::TOGETHER;
use crate::killers::Inquiry;
use crate::mocking;
use crate::process::WorkerError;
use crate::runners::IsOver;
use crate::scratch::Passing;
use crate::trial::{named, trial};

/// All residents are given so long to be tried class by class; those that are not reached take no
/// part. It also bounds what they add to each run of all tests.
const PATIENCE: Duration = Duration::from_secs(60);
/// Files looked at.
const MAX_FILES: usize = 1000;
/// How the runner says that it finds no test in a class.
const NO_TESTS: &str = "no test methods found";
/// Files with errors are left out so often before all are.
const COMPILATIONS: u32 = 8;

/// See the module.
#[derive(Debug)]
pub struct Residents {
    /// Their classes; none if nobody takes part.
    pub(crate) classes: Option<Passing>,
    /// The tests that pass by themselves, by what runners call them.
    pub(crate) tests: Vec<String>,
    /// Those that pass among residents alone, setting by setting, by index.
    holding: Vec<BTreeSet<usize>>,
    /// How many files have no test that the runner finds.
    pub without_tests: usize,
    /// Files and tests that take no part, with the reason, a line each.
    pub left_out: Vec<String>,
}

impl Residents {
    /// Nobody.
    pub fn nobody() -> Self {
        Self {
            classes: None,
            tests: Vec::new(),
            holding: Vec::new(),
            without_tests: 0,
            left_out: Vec::new(),
        }
    }

    /// How many tests take part.
    pub fn count(&self) -> usize {
        self.tests.len()
    }

    /// Their test classes, by binary name.
    pub(crate) fn test_classes(&self) -> BTreeSet<String> {
        self.tests.iter().map(|test| class_of(test).to_owned()).collect()
    }

    /// Whether a test should pass in a setting of the runs of all tests.
    pub(crate) fn holds(&self, test: usize, setting: usize) -> bool {
        self.holding.get(setting).is_some_and(|tests| tests.contains(&test))
    }
}

fn class_of(test: &str) -> &str {
    test.split('#').next().unwrap_or(test)
}

/// The class in a file, given by its path below the test folder.
fn class_in(path: &str) -> String {
    path.trim_end_matches(".java").replace('/', ".")
}

impl Checker {
    /// Finds out which tests of these files, given as path below the test folder and text, can take
    /// part; files without tests may be what tests need. `is_over` says whether the time is up.
    pub fn residents(
        &self,
        mut files: Vec<(String, String)>,
        is_over: IsOver<'_>,
    ) -> Result<Residents, WorkerError> {
        let start = Instant::now();
        let mut residents = Residents::nobody();
        if files.is_empty() {
            return Ok(residents);
        }
        if files.len() > MAX_FILES {
            files.truncate(MAX_FILES);
            let note = format!("only the first {MAX_FILES} files are looked at");
            residents.left_out.push(note);
        }
        let classes = self.services.class_folder()?;
        let files = self.compile_residents(files, &classes, &mut residents.left_out)?;
        for (_, text) in &files {
            mocking::prepare(text, classes.path()).map_err(WorkerError::Scratch)?;
        }
        let class_path = format!("{}:{}", classes.path().display(), self.class_path);
        for (path, _) in &files {
            if start.elapsed() > PATIENCE || is_over() {
                residents.left_out.push(format!("{path}: there was no time left to try it"));
                continue;
            }
            self.try_alone(path, &class_path, &mut residents)?;
        }
        residents.classes = (!residents.tests.is_empty()).then_some(classes);
        if residents.classes.is_some() {
            self.try_among_residents(&class_path, &mut residents, is_over)?;
        }
        Ok(residents)
    }

    /// Compiles them together, without those that have errors; what is left.
    fn compile_residents(
        &self,
        mut files: Vec<(String, String)>,
        classes: &Passing,
        left_out: &mut Vec<String>,
    ) -> Result<Vec<(String, String)>, WorkerError> {
        for _ in 0..COMPILATIONS {
            if files.is_empty() {
                return Ok(files);
            }
            let errors =
                self.services.compile_to(&files, &self.class_path, classes.path(), self.release)?;
            let Some(first) = errors.first() else { return Ok(files) };
            let refused: BTreeMap<&str, &str> =
                errors.iter().rev().map(|e| (&*e.file, &*e.message)).collect();
            let before = files.len();
            files.retain(|(path, _)| match refused.get(&**path) {
                Some(why) => {
                    left_out.push(format!("{path}: it cannot be compiled here: {why}"));
                    false
                }
                None => true,
            });
            if files.len() == before {
                left_out.push(format!("the test files cannot be compiled here: {}", first.message));
                return Ok(Vec::new());
            }
        }
        left_out.push("the test files cannot be compiled here".to_owned());
        Ok(Vec::new())
    }

    /// Runs the tests of a class; those that pass may take part.
    fn try_alone(
        &self,
        path: &str,
        class_path: &str,
        residents: &mut Residents,
    ) -> Result<(), WorkerError> {
        let classes = [class_in(path)];
        let suite = run_in(SETTINGS[0], class_path, &classes);
        let ran = self.services.run(SETTINGS[0].0, &suite)?;
        if let Some(death) = ran.death {
            residents.left_out.push(format!("{path}: it took the JVM down, which {}", death.how));
            return Ok(());
        }
        if let Some(late) = ran.late {
            residents.left_out.push(format!("{path}: it {late}"));
            return Ok(());
        }
        for run in ran.runs {
            if run.method.is_empty() && run.end.to_string().contains(NO_TESTS) {
                residents.without_tests += 1;
            }
            match run.end {
                TestEnd::Passed => residents.tests.push(format!("{}#{}", run.class, run.method)),
                end if run.method.is_empty() => residents.left_out.push(format!("{path}: {end}")),
                end => residents.left_out.push(format!("{path}: {}: {end}", run.method)),
            }
        }
        Ok(())
    }

    /// Finds out which of them pass with the others, in every setting that all tests are run in.
    fn try_among_residents(
        &self,
        class_path: &str,
        residents: &mut Residents,
        is_over: IsOver<'_>,
    ) -> Result<(), WorkerError> {
        let names: BTreeMap<String, usize> = residents.tests.iter().cloned().zip(0..).collect();
        let classes: Vec<String> = residents.test_classes().into_iter().collect();
        let mut unsteady: BTreeMap<usize, TestEnd> = BTreeMap::new();
        for setting in &SETTINGS[..TOGETHER] {
            let all: Vec<usize> = (0..residents.tests.len()).collect();
            let suite = run_in(*setting, class_path, &classes);
            let mut run = |tests: &[usize]| {
                let names = named(&names, tests);
                let only = names.keys().cloned().collect();
                let ran = self.services.run_fresh(setting.0, &suite, only, is_over)?;
                Ok::<_, WorkerError>(trial(&names, ran))
            };
            let ends = Inquiry::new(&mut run).ends(&all)?.ends;
            let mut holding = BTreeSet::new();
            for (test, end) in ends {
                if end == TestEnd::Passed {
                    holding.insert(test);
                } else {
                    unsteady.entry(test).or_insert(end);
                }
            }
            residents.holding.push(holding);
        }
        for (test, end) in unsteady {
            let why = "does not always pass among the tests that were there";
            residents.left_out.push(format!("{} {why}: {end}", residents.tests[test]));
        }
        Ok(())
    }
}
