//! The tests of all classes together, in one class loader of one JVM, as Maven and Gradle run them.
//!
//! By then each class's tests hold by themselves, and none leaves a static field set (`statics`). But
//! what one class leaves in a registry, a count or a default that is made once, another one may find.
//! Classes run by name in the usual environment, backward in the changed one, so that any two run in
//! both orders, and shuffled. Of two new tests that do not get along the one that fails is dropped: what
//! is left is state that code keeps for itself, and who asserts it would fail after the user's own
//! tests too.
//!
//! Tests that were there before (`residents`) take part and stay. New ones that fail because of them
//! are dropped like others; for one that fails because of new ones, those are searched for.

use std::collections::BTreeMap;
use std::panic::resume_unwind;

use crate::answer::TestEnd;
use crate::check::{Checked, Checker, SETTINGS, run_in};
use crate::culprits::Culprits;
use crate::dropped::Fate;
use crate::environment::Environment;
use crate::killers::{Ends, Inquiry, Trial};
use crate::process::WorkerError;
use crate::residents::Residents;
use crate::runners::IsOver;
use crate::scratch::Passing;
use crate::services::Suite;
use crate::services::copy_folder;
use crate::trial::{is_fine, named, trial};

/// How many of the settings all classes run in.
pub(crate) const TOGETHER: usize = 3;

/// Whether suites hold together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Together {
    /// What is left was seen to.
    Hold,
    /// It was not found out: the time was over, or runners went on dying. Names the test that was
    /// there before and was last seen to fail among them, if there is one.
    Unknown(Option<String>),
}

/// Somebody who takes part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Who {
    /// A test of this run: its suite and its number there.
    New(usize, usize),
    /// One that was there before, by its number.
    Resident(usize),
}

/// What came of one of the runs of all tests.
struct Sifted {
    /// Whether what is left was seen to, or can be in the next round.
    is_known: bool,
    /// A test that was there before and failed.
    broken: Option<String>,
}

/// The tests that are left of all suites and the residents, numbered.
struct Roll {
    /// By what runners call them.
    names: BTreeMap<String, usize>,
    tests: Vec<Who>,
    /// The test classes, in order.
    classes: Vec<String>,
}

impl Roll {
    fn call(suites: &[&mut Checked], residents: &Residents) -> Self {
        let mut roll = Self { names: BTreeMap::new(), tests: Vec::new(), classes: Vec::new() };
        for (number, suite) in suites.iter().enumerate() {
            let Some(written) = suite.written.as_ref().filter(|_| !suite.survivors.is_empty())
            else {
                continue;
            };
            for (name, test) in suite.names(written) {
                roll.add(name, Who::New(number, test));
            }
            roll.classes.push(written.test_class());
        }
        for (test, name) in residents.tests.iter().enumerate() {
            roll.add(name.clone(), Who::Resident(test));
        }
        roll.classes.extend(residents.test_classes());
        roll.classes.sort();
        roll
    }

    fn add(&mut self, name: String, who: Who) {
        self.names.insert(name, self.tests.len());
        self.tests.push(who);
    }

    fn name(&self, test: usize) -> &str {
        let name = self.names.iter().find(|(_, number)| **number == test);
        name.map_or("a test that was there", |(name, _)| name)
    }

    fn has_new(&self) -> bool {
        self.tests.iter().any(|who| matches!(who, Who::New(..)))
    }
}

impl Checker {
    /// Has processes started for [`Checker::check_together`], while there is time.
    pub fn prepare_together(&self) -> Result<(), WorkerError> {
        self.services.prepare_fresh()
    }

    /// Runs the tests of these suites and the residents together, dropping those of the suites that
    /// do not hold then or break a resident, until nothing changes. `is_over` says whether the time
    /// is up.
    pub fn check_together(
        &self,
        suites: &mut [&mut Checked],
        residents: &Residents,
        is_over: IsOver<'_>,
    ) -> Result<Together, WorkerError> {
        let roll = Roll::call(suites, residents);
        if roll.classes.len() < 2 || !roll.has_new() {
            return Ok(Together::Hold);
        }
        let mut broken = None;
        while !is_over() {
            broken = None;
            let classes = self.gather(suites, residents)?;
            let before: Vec<usize> = suites.iter().map(|suite| suite.survivors.len()).collect();
            let roll = Roll::call(suites, residents);
            let found = self.side_by_side(&roll, &classes, is_over)?;
            let mut is_known = true;
            for (setting, found) in found.into_iter().enumerate() {
                // Whoever goes in one setting may be to blame for what others did in the next.
                let is_last = suites.iter().zip(&before).any(|(s, n)| s.survivors.len() < *n);
                if is_known && !is_last {
                    let sifted = self.drop_in(
                        setting,
                        found,
                        (&roll, &classes),
                        suites,
                        residents,
                        is_over,
                    )?;
                    is_known = sifted.is_known;
                    broken = sifted.broken.or(broken);
                }
            }
            let mut changed = false;
            for (suite, before) in suites.iter_mut().zip(before) {
                if suite.survivors.len() < before {
                    changed = true;
                    suite.written = self.compile(suite)?;
                }
            }
            if !is_known {
                break;
            }
            if !changed {
                return Ok(Together::Hold);
            }
        }
        Ok(Together::Unknown(broken))
    }

    /// The classes of all suites in one folder: a class path of hundreds would be slow to search.
    fn gather(
        &self,
        suites: &[&mut Checked],
        residents: &Residents,
    ) -> Result<Passing, WorkerError> {
        let folder = self.services.class_folder()?;
        let written = suites.iter().filter_map(|suite| suite.written.as_ref());
        let classes = residents.classes.iter().chain(written.map(|written| &written.classes));
        for classes in classes {
            copy_folder(classes.path(), folder.path()).map_err(WorkerError::Scratch)?;
        }
        Ok(folder)
    }

    /// How all tests end in each of the settings. The environments run side by side; each has one
    /// fresh process for its settings, as long as all tests pass in it. Where one does not, fresh
    /// processes decide, and those of the suites that do not pass then are dropped before the next.
    /// `None` where it was not found out, because it was given up or not asked for any more.
    fn side_by_side(
        &self,
        roll: &Roll,
        classes: &Passing,
        is_over: IsOver<'_>,
    ) -> Result<Vec<Option<Ends>>, WorkerError> {
        let environments = [Environment::Usual, Environment::Changed];
        let found = std::thread::scope(|scope| {
            let runs = environments.map(|environment| {
                scope.spawn(move || self.ends_in(environment, roll, classes, is_over))
            });
            runs.map(|run| run.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        let mut all: Vec<Option<Ends>> = (0..TOGETHER).map(|_| None).collect();
        for found in found {
            for (setting, ends) in found? {
                all[setting] = Some(ends);
            }
        }
        Ok(all)
    }

    /// How all tests end in the settings of an environment, up to the first in which a new one does
    /// not pass.
    fn ends_in(
        &self,
        environment: Environment,
        roll: &Roll,
        classes: &Passing,
        is_over: IsOver<'_>,
    ) -> Result<Vec<(usize, Ends)>, WorkerError> {
        let class_path = format!("{}:{}", classes.path().display(), self.class_path);
        let settings = (0..TOGETHER).filter(|setting| SETTINGS[*setting].0 == environment);
        let settings: Vec<usize> = settings.collect();
        let suite = |setting: usize| run_in(SETTINGS[setting], &class_path, &roll.classes);
        let suites: Vec<Suite<'_>> = settings.iter().map(|setting| suite(*setting)).collect();
        let only: Vec<String> = roll.names.keys().cloned().collect();
        let ran = self.services.run_fresh_until_bad(environment, &suites, &only, is_over);
        let mut ran = match ran {
            Err(WorkerError::GivenUp) => return Ok(Vec::new()),
            ran => ran?.into_iter().map(|ran| trial(&roll.names, ran)),
        };
        let all: Vec<usize> = (0..roll.tests.len()).collect();
        let mut found = Vec::new();
        for (at, setting) in settings.into_iter().enumerate() {
            let mut known = ran.next();
            let passes = |trial: &Trial| {
                is_fine(trial) && trial.ends.iter().all(|(_, end)| *end == TestEnd::Passed)
            };
            // Only the first of a process is one that nothing came before.
            known = known.filter(|trial| at == 0 || passes(trial));
            let mut run = |tests: &[usize]| match known.take() {
                Some(trial) => Ok(trial),
                None => {
                    let names = named(&roll.names, tests);
                    let only = names.keys().cloned().collect();
                    let ran =
                        self.services.run_fresh(environment, &suite(setting), only, is_over)?;
                    Ok::<_, WorkerError>(trial(&names, ran))
                }
            };
            let ends = match Inquiry::new(&mut run).ends(&all) {
                Err(WorkerError::GivenUp) => return Ok(found),
                ends => ends?,
            };
            let is_new = |number: usize| matches!(roll.tests[number], Who::New(..));
            let goes = |(number, end): &(usize, TestEnd)| {
                *end != TestEnd::Passed && is_new(*number) && !ends.undecided.contains(number)
            };
            let is_last = ends.ends.iter().any(goes);
            found.push((setting, ends));
            if is_last {
                break;
            }
        }
        Ok(found)
    }

    /// Drops the tests that failed in one of the settings, or that make residents fail there.
    fn drop_in(
        &self,
        setting: usize,
        found: Option<Ends>,
        (roll, classes): (&Roll, &Passing),
        suites: &mut [&mut Checked],
        residents: &Residents,
        is_over: IsOver<'_>,
    ) -> Result<Sifted, WorkerError> {
        let Some(found) = found else { return Ok(Sifted { is_known: false, broken: None }) };
        let class_path = format!("{}:{}", classes.path().display(), self.class_path);
        let suite = run_in(SETTINGS[setting], &class_path, &roll.classes);
        let mut broken = None;
        for (at, (number, end)) in found.ends.iter().enumerate() {
            // Each holds by itself: what is undecided may stay.
            if *end == TestEnd::Passed || found.undecided.contains(number) {
                continue;
            }
            match roll.tests[*number] {
                Who::New(suite, test) => suites[suite].drop_victim(test, end),
                Who::Resident(test) if residents.holds(test, setting) => {
                    broken.get_or_insert((*number, at));
                }
                Who::Resident(_) => {}
            }
        }
        // One after the other: who breaks one often breaks the rest.
        let mut is_known = found.undecided.is_empty();
        if let Some(victim) = broken {
            is_known &=
                self.drop_culprits(setting, &suite, roll, (victim, &found), suites, is_over)?;
        }
        let broken = broken.map(|(number, _)| roll.name(number).to_owned());
        Ok(Sifted { is_known, broken })
    }

    /// Drops the new tests because of which a resident fails; whether there is anyone to blame.
    fn drop_culprits(
        &self,
        setting: usize,
        suite: &Suite<'_>,
        roll: &Roll,
        ((victim, at), found): ((usize, usize), &Ends),
        suites: &mut [&mut Checked],
        is_over: IsOver<'_>,
    ) -> Result<bool, WorkerError> {
        let ran = |end: &TestEnd| matches!(end, TestEnd::Passed | TestEnd::Failed(_));
        let before = found.ends[..at].iter().filter(|(_, end)| ran(end)).map(|(number, _)| *number);
        let (new, others): (Vec<usize>, Vec<usize>) =
            before.partition(|number| matches!(roll.tests[*number], Who::New(..)));
        let mut fails = |tests: &[usize]| {
            let names = named(&roll.names, &[tests, &others, &[victim]].concat());
            let only = names.keys().cloned().collect();
            let ran = match self.services.run_fresh(SETTINGS[setting].0, suite, only, is_over) {
                Err(WorkerError::GivenUp) => return Ok(None),
                ran => trial(&names, ran?),
            };
            // A runner that died before it came to the victim says nothing of it.
            let end = ran.ends.iter().find(|(number, _)| *number == victim);
            Ok::<_, WorkerError>(Some(end.is_some_and(|(_, end)| *end != TestEnd::Passed)))
        };
        let culprits = Culprits::new(&mut fails).among(&new)?;
        let name = roll.name(victim);
        for number in &culprits {
            if let Who::New(suite, test) = roll.tests[*number] {
                suites[suite].drop_culprit(test, name);
            }
        }
        Ok(!culprits.is_empty())
    }
}

impl Checked {
    fn drop_victim(&mut self, test: usize, end: &TestEnd) {
        let (fate, kind) = match end {
            TestEnd::LeftChanged(_) => (Fate::UnsafeEffect, "has an effect"),
            _ => (Fate::Environment, "depends on tests of other classes"),
        };
        self.drop_with_note(test, fate, &format!("{kind}: {end}"));
    }

    fn drop_culprit(&mut self, test: usize, victim: &str) {
        // It may have failed itself.
        if self.survivors.contains(&test) {
            let why = format!("makes a test fail that was there: {victim}");
            self.drop_with_note(test, Fate::StaticState, &why);
        }
    }

    fn drop_with_note(&mut self, test: usize, fate: Fate, why: &str) {
        let method = self.written.as_ref().map_or("a test", |written| written.method(test));
        self.notes.push(format!("{method} {why}"));
        self.lose(&[test], fate);
    }
}
