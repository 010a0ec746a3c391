//! `--seed-tests`: what existing tests call, as where searches begin (requirement E3).
//!
//! The conversions are not written, so they are not checked here either: a search runs what it begins
//! with, and keeps what it reaches.

use model::{ClassName, TestCase};

use super::bench::Bench;
use super::{Tests, class};
use crate::args::GenerateOptions;
use crate::class_path::entries;
use crate::console;
use crate::exit::Failure;
use crate::target::{Target, jdk};

/// Longer tests are mostly loops: running them costs more than a search has to give.
const MAX_CALLS: usize = 200;
/// Seeds for one class.
const MAX_SEEDS: usize = 400;

/// Test cases from existing tests.
#[derive(Debug, Default)]
pub(crate) struct Seeds {
    cases: Vec<TestCase>,
}

impl Seeds {
    /// Converts the tests that a command line names, if any.
    pub(crate) fn of(options: &GenerateOptions, target: &Target) -> anyhow::Result<Self> {
        let Some(path) = &options.strategy.seed_tests else { return Ok(Self::default()) };
        let tests = entries(path)?;
        if tests.is_empty() {
            return Err(Failure::bad_input("--seed-tests names no tests").into());
        }
        let subject = &target.subject;
        let others = subject.project.iter().chain(&subject.dependencies);
        let others = others.filter(|entry| !tests.contains(entry)).cloned().collect();
        let tests = Tests::of_path(&jdk(&options.machine)?, tests, others)?;
        let mut bench = Bench::new(&tests, &options.machine)?;
        let mut seeds = Self::default();
        let mut count = 0;
        for (class, found) in tests.chosen(&[], &mut bench)? {
            for test in class::recorded(&mut bench, &class, &found)? {
                count += 1;
                let Ok(form) = test.form else { continue };
                let case = form.to_seed();
                if !case.calls.is_empty() && case.calls.len() <= MAX_CALLS {
                    seeds.cases.push(case);
                }
            }
        }
        console::note(&format!("searches begin with {} of {count} tests", seeds.cases.len()));
        Ok(seeds)
    }

    /// Those that call a class.
    pub(crate) fn of_class(&self, class: &ClassName) -> Vec<TestCase> {
        let calls = |case: &&TestCase| case.calls.iter().any(|call| call.op.owner == *class);
        self.cases.iter().filter(calls).take(MAX_SEEDS).cloned().collect()
    }
}
