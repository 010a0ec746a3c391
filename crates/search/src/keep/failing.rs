//! From the failures a search found to tests: each run again, minimized, told in words, and one for each
//! cause (requirement G11).

use model::{ClassSource, Expectation, Failure, FailureKind, TestCase, UnitTest};

use crate::driver::Driver;
use crate::executor::Executor;
use crate::failures::{Exceptions, Given, Unexpected};
use crate::minimize::minimize;
use crate::record::record;
use crate::regression::Known;
use crate::strategy::Ending;

/// A test for each line that throws what it should not, which shows it still.
pub(super) fn unexpected<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
) -> Vec<UnitTest> {
    let Known { classes, knowledge, .. } = known;
    let found = driver.failures.take();
    found
        .into_iter()
        .filter_map(|failure| {
            if !shows(driver, classes, &failure.case, &failure) {
                return None;
            }
            let outcome = record(driver.executor, &failure.case);
            let api = driver.api;
            let case = minimize(&failure.case, &outcome, api, &classes, |candidate| {
                shows(driver, classes, candidate, &failure)
            });
            // What it takes is seen best in the shortest test.
            let op = case.calls.last().and_then(|call| driver.api.id_of(&call.op));
            let is_deprecated = op.is_some_and(|op| driver.api.is_deprecated(op));
            let failures = &mut driver.failures;
            let is_noise = failure.breach.is_none()
                && (failures.leaves_out(&case, &failure, is_deprecated)
                    || failures.is_of_unset(classes, &knowledge.setters, &case, &failure));
            (!is_noise).then(|| report(case, classes, &failure, &failures.exceptions))
        })
        .collect()
}

/// Whether running the test shows this failure, and nothing earlier fails.
fn shows<E: Executor>(
    driver: &mut Driver<'_, E>,
    classes: &dyn ClassSource,
    case: &TestCase,
    failure: &Unexpected,
) -> bool {
    let ending = driver.execute(case);
    let clean = driver.executor.effects(true).may_be_emitted();
    let last = case.calls.len().saturating_sub(1);
    if let Some(breach) = failure.breach {
        driver.executor.end();
        return clean && ending == Ending::Breached(last, breach);
    }
    let shown = clean
        && ending == Ending::Threw(last)
        && driver.executor.thrown().is_some_and(|thrown| {
            let given = Given::of(driver.executor, case, last, driver.api.is_wired());
            let exceptions = &driver.failures.exceptions;
            let origin = exceptions.unexpected(classes, &case.calls[last], &thrown, given);
            // Not just of the same cause: what is said of it must hold of the test.
            let is_told_alike = origin.is_some_and(|o| o.is_told_alike(&failure.origin));
            thrown.class == failure.class && is_told_alike
        });
    driver.executor.end();
    shown
}

fn report(
    case: TestCase,
    classes: &dyn ClassSource,
    failure: &Unexpected,
    exceptions: &Exceptions,
) -> UnitTest {
    let (kind, explanation) = match failure.breach {
        Some(breach) => {
            // What its clause says is the business of whoever numbered it.
            (FailureKind::Breach { breach, restated: None }, format!("breaks its {breach}"))
        }
        None => {
            let message = failure.message.as_ref().map_or_else(String::new, |m| format!(": {m}"));
            let frame = &failure.origin.frame;
            let why = failure.why(classes, exceptions);
            let (class, place) = (failure.class.clone(), failure.place());
            let explanation = format!("throws {class}{message} in {frame}{why}");
            (FailureKind::UnexpectedException { class, place }, explanation)
        }
    };
    UnitTest {
        subject: case.calls.len().saturating_sub(1),
        case,
        expectation: Expectation::Returns,
        checks: Vec::new(),
        failure: Some(Failure { kind, explanation, cause: failure.cause() }),
    }
}

/// The shortest of the failing tests that have one cause. That of all that a search found: what the
/// others do is not to be asserted as right either, so they go only after passing tests were chosen.
pub(super) fn one_for_each_cause(mut failing: Vec<UnitTest>) -> Vec<UnitTest> {
    failing.sort_by_key(|test| test.case.calls.len());
    let mut folded: Vec<UnitTest> = Vec::new();
    for test in failing {
        if !folded.iter().any(|known| is_same_cause(known, &test)) {
            folded.push(test);
        }
    }
    folded
}

pub(super) fn is_same_cause(one: &UnitTest, other: &UnitTest) -> bool {
    let causes = one.failure.as_ref().zip(other.failure.as_ref());
    causes.is_some_and(|(one, other)| one.cause.is_same(&other.cause))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::machine::Halt;
    use crate::testing::machine::Value;
    use crate::testing::world::{World, class};
    use crate::testing::{finish_tests, followed, run, told};

    fn wrong(line: i32, message: &'static str) -> Result<Value, Halt> {
        let message = Some(message);
        Err(Halt::Throw { class: "ArrayIndexOutOfBoundsException", message, line })
    }

    #[test]
    fn a_mistake_that_a_class_repeats_has_one_test_and_no_passing_one() {
        let index = "Index -1 out of bounds for length 1";
        let tasks = class("a/Tasks")
            .method("start()V", |_, _| wrong(3, "Index -1 out of bounds for length 1"))
            .method("end()V", |_, _| wrong(7, "Index -1 out of bounds for length 1"))
            .method("length()V", |_, _| wrong(9, "Index -2 out of bounds for length 1"));
        let world = World::of([tasks]);
        let moves = ["start", "end", "length"].map(|name| run(&world, "a/Tasks", &[name]));
        followed(&world, "a/Tasks", moves.into(), |driver, _| {
            let finished = finish_tests(driver, &world);
            let failures = finished.failures.iter();
            let said: Vec<&str> =
                failures.filter_map(|test| Some(&*test.failure.as_ref()?.explanation)).collect();
            assert_eq!(said.len(), 2, "{said:?}");
            assert!(said[0].contains(index) && said[1].contains("Index -2"), "{said:?}");
            let fails = |(test, _): &(UnitTest, Vec<u32>)| {
                told(&test.case).iter().any(|call| call != "<init>")
            };
            assert!(!finished.tests.iter().any(fails), "{:?}", finished.tests);
        });
    }
}
