//! Numbers that make no difference: `cost(3)` says nothing of grams if every hundred of them costs.

use model::{End, Literal, Observation, TestCase};

use crate::driver::Driver;
use crate::executor::Executor;
use crate::record::record;

/// Larger numbers that are tried.
const LARGER: [i64; 3] = [10, 100, 1000];

/// The test with a larger number for an argument of its last call that could as well be zero, if the
/// answer is another one then and the test still does what it is for.
pub(super) fn replaced<E: Executor>(
    driver: &mut Driver<'_, E>,
    case: TestCase,
    does_it: &impl Fn(&mut Driver<'_, E>, &TestCase) -> bool,
) -> TestCase {
    let Some(last) = case.calls.len().checked_sub(1) else { return case };
    let Some(answer) = answer(driver, &case) else { return case };
    for at in 0..case.calls[last].args.len() {
        let with = |number: i64| {
            let slot = case.calls[last].args[at];
            let decl = &case.slots[slot.index()];
            let literal = decl.init.as_ref().filter(|init| !matches!(init, Literal::Char(_)))?;
            let other = literal.with_number(number)?;
            let mut candidate = case.clone();
            candidate.calls[last].args[at] = candidate.literal(decl.ty.clone(), other);
            candidate.compact(&[]);
            Some(candidate)
        };
        let is_inert = |driver: &mut Driver<'_, E>| {
            with(0).is_some_and(|zero| self::answer(driver, &zero).as_ref() == Some(&answer))
        };
        if !is_inert(driver) {
            continue;
        }
        let telling = LARGER.iter().filter_map(|number| with(*number)).find(|candidate| {
            let other = self::answer(driver, candidate);
            other.is_some_and(|other| other != answer) && does_it(driver, candidate)
        });
        if let Some(telling) = telling {
            return telling;
        }
    }
    case
}

/// What the last call of a test answers, if that can be compared.
fn answer<E: Executor>(driver: &mut Driver<'_, E>, case: &TestCase) -> Option<Observation> {
    match record(driver.executor, case).calls.pop()?.end {
        End::Returned(seen @ (Observation::Value { .. } | Observation::Enum { .. })) => Some(seen),
        _ => None,
    }
}
