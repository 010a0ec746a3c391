//! From the tests a search kept to the few that are worth writing.
//!
//! Phases: measure each kept test on its own; choose greedily until everything is covered that any
//! of them covers; minimize each to what it was chosen for; observe it twice for its assertions.

use std::sync::Arc;

use model::{
    Check, ClassName, ClassSource, EffectSet, Expectation, Failure, FailureKind, Slot, TestCase,
    Type, UnitTest, type_accessible,
};

use crate::contracts;
use crate::driver::{Driver, Kept};
use crate::executor::Executor;
use crate::failures::{self, Unexpected};
use crate::minimize::minimize;
use crate::reasons::{self, Reason};
use crate::regression;
use crate::strategy::Ending;

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Tests that pass, each with the probes it hits.
    pub tests: Vec<(UnitTest, Vec<u32>)>,
    /// Tests that fail: what they report is wrong in the class.
    pub failures: Vec<UnitTest>,
    /// Kept tests that did not do the same again.
    pub flaky: u32,
    /// Why members have no test.
    pub reasons: Vec<Reason>,
}

struct Measured {
    kept: Kept,
    hits: Vec<u8>,
}

/// Reduces, minimizes and completes what the driver kept. `objects` are built objects of the class
/// under test, for the laws they have to keep.
pub fn finish<E: Executor>(
    driver: &mut Driver<'_, E>,
    classes: &dyn ClassSource,
    objects: &[(Arc<TestCase>, Slot)],
) -> Finished {
    let package = driver.api.class.package().to_owned();
    let (measured, flaky) = measure(driver);
    let mut tests: Vec<(UnitTest, Vec<u32>)> = Vec::new();
    for (index, goal) in choose(&measured) {
        let kept = &measured[index].kept;
        let case = minimize(&kept.case, &classes, |candidate| {
            run(driver, candidate).is_some_and(|seen| {
                seen.throws == kept.throws && goal.iter().all(|probe| seen.hits[*probe] != 0)
            })
        });
        let Some(test) = complete(driver, classes, &package, case, kept.throws.as_ref()) else {
            continue;
        };
        if tests.iter().any(|(known, _)| *known == test) {
            continue;
        }
        if let Some(seen) = run(driver, &test.case) {
            let hits = (0..).zip(&seen.hits).filter(|(_, hit)| **hit != 0).map(|(id, _)| id);
            tests.push((test, hits.collect()));
        }
    }
    let mut failing = unexpected(driver, classes);
    let limit = objects.len().min(contracts::MAX_OBJECTS);
    let class = driver.api.class.clone();
    failing.extend(contracts::audit(driver, classes, &class, &objects[..limit]));
    let reasons = reasons::after_search(driver, driver.api);
    Finished { tests, failures: failing, flaky, reasons }
}

/// What a run on its own did; `None` if it cannot be emitted.
struct Seen {
    throws: Option<ClassName>,
    hits: Vec<u8>,
}

fn run<E: Executor>(driver: &mut Driver<'_, E>, case: &TestCase) -> Option<Seen> {
    driver.executor.clear_hits();
    let ending = driver.execute(case);
    let effects: EffectSet = driver.executor.effects(true);
    let throws = match ending {
        Ending::Normal => Some(None),
        Ending::Threw(at) if at + 1 == case.calls.len() => {
            driver.executor.thrown().map(|t| Some(t.class))
        }
        _ => None,
    };
    let mut hits = vec![0; driver.covered().len()];
    driver.executor.hits(&mut hits);
    driver.executor.end();
    let throws = throws?;
    effects.may_be_emitted().then_some(Seen { throws, hits })
}

fn measure<E: Executor>(driver: &mut Driver<'_, E>) -> (Vec<Measured>, u32) {
    let mut measured = Vec::new();
    let mut flaky = 0;
    for kept in driver.kept().to_vec() {
        match run(driver, &kept.case) {
            Some(seen) if seen.throws == kept.throws => {
                measured.push(Measured { kept, hits: seen.hits });
            }
            _ => flaky += 1,
        }
    }
    (measured, flaky)
}

/// Tests in the order chosen, each with the probes it is there for: always the one that adds most,
/// the shorter one first among equals.
fn choose(measured: &[Measured]) -> Vec<(usize, Vec<usize>)> {
    let probes = measured.first().map_or(0, |m| m.hits.len());
    let mut open = vec![true; probes];
    let mut left: Vec<usize> = (0..measured.len()).collect();
    let mut chosen = Vec::new();
    loop {
        let gain = |index: usize| {
            measured[index]
                .hits
                .iter()
                .zip(&open)
                .filter(|(hit, open)| **hit != 0 && **open)
                .count()
        };
        let best = left
            .iter()
            .map(|index| (gain(*index), *index))
            .filter(|(gain, _)| *gain > 0)
            .min_by_key(|(gain, index)| {
                (std::cmp::Reverse(*gain), measured[*index].kept.case.calls.len(), *index)
            });
        let Some((_, index)) = best else { break };
        let goal: Vec<usize> =
            (0..probes).filter(|probe| measured[index].hits[*probe] != 0 && open[*probe]).collect();
        for probe in &goal {
            open[*probe] = false;
        }
        left.retain(|i| *i != index);
        chosen.push((index, goal));
    }
    chosen
}

/// Adds what the test asserts.
fn complete<E: Executor>(
    driver: &mut Driver<'_, E>,
    classes: &dyn ClassSource,
    package: &str,
    case: TestCase,
    throws: Option<&ClassName>,
) -> Option<UnitTest> {
    let (expectation, checks): (Expectation, Vec<Check>) = match throws {
        Some(class) => (Expectation::Throws(nameable(classes, class, package)?), Vec::new()),
        None => {
            let checks = regression::checks(driver, classes, package, &case)?;
            (Expectation::Returns, checks)
        }
    };
    let subject = case.calls.len().checked_sub(1)?;
    Some(UnitTest { case, subject, expectation, checks, failure: None })
}

/// The class itself, or the nearest superclass that a test in the package can name.
fn nameable(classes: &dyn ClassSource, class: &ClassName, package: &str) -> Option<ClassName> {
    let mut name = class.clone();
    loop {
        if type_accessible(classes, &Type::Class(name.clone()), package) {
            return Some(name);
        }
        name = classes.class(&name)?.superclass.clone()?;
    }
}

fn unexpected<E: Executor>(driver: &mut Driver<'_, E>, classes: &dyn ClassSource) -> Vec<UnitTest> {
    let found = driver.failures.take();
    found
        .into_iter()
        .filter_map(|failure| {
            if !shows(driver, &failure.case, &failure) {
                return None;
            }
            let case =
                minimize(&failure.case, &classes, |candidate| shows(driver, candidate, &failure));
            Some(report(case, &failure))
        })
        .collect()
}

/// Whether running the test shows this failure, and nothing earlier fails.
fn shows<E: Executor>(driver: &mut Driver<'_, E>, case: &TestCase, failure: &Unexpected) -> bool {
    let ending = driver.execute(case);
    let clean = driver.executor.effects(true).may_be_emitted();
    let last = case.calls.len().saturating_sub(1);
    let shown = clean
        && ending == Ending::Threw(last)
        && driver.executor.thrown().is_some_and(|thrown| {
            failures::unexpected(case, last, &thrown)
                .is_some_and(|frame| failure.is_same_cause(&thrown.class, frame))
        });
    driver.executor.end();
    shown
}

fn report(case: TestCase, failure: &Unexpected) -> UnitTest {
    let place = format!("{}.{}", failure.frame.class, failure.frame.method);
    let line = if failure.frame.line > 0 {
        format!(" (line {})", failure.frame.line)
    } else {
        String::new()
    };
    let message = failure.message.as_ref().map_or_else(String::new, |m| format!(": {m}"));
    let explanation = format!("throws {}{message} in {place}{line}", failure.class);
    UnitTest {
        subject: case.calls.len().saturating_sub(1),
        case,
        expectation: Expectation::Returns,
        checks: Vec::new(),
        failure: Some(Failure {
            kind: FailureKind::UnexpectedException { class: failure.class.clone() },
            explanation,
        }),
    }
}
