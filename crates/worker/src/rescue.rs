//! Saving what was kept when workers keep dying.
//!
//! What is left to do with kept tests (measuring, minimizing, observing) is tried on all of them
//! at once, then on ever smaller parts, each by a worker of its own.
//!
//! Failures found are saved in the same way.
//!
//! Invariant: what was found is given up only if a worker died that had nothing else, or if a bounded
//! number of workers is used up; what is given up is told.

use rustc_hash::FxHashSet;
use search::{Kept, Unexpected};

use crate::protocol::UnitResult;

/// Workers that may be used.
const MAX_WORKERS: u32 = 64;

/// Something that a worker found before it died.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Found {
    /// A test that was kept.
    Test(Kept),
    /// A failure.
    Failure(Unexpected),
}

/// Tests and failures apart.
pub(crate) fn split(found: Vec<Found>) -> (Vec<Kept>, Vec<Unexpected>) {
    let (mut tests, mut failures) = (Vec::new(), Vec::new());
    for found in found {
        match found {
            Found::Test(kept) => tests.push(kept),
            Found::Failure(failure) => failures.push(failure),
        }
    }
    (tests, failures)
}

/// What could be saved.
#[derive(Debug)]
pub(crate) struct Rescued {
    /// The results of all parts; `None` if every worker died.
    pub(crate) result: Option<UnitResult>,
    /// What is lost.
    pub(crate) lost: Vec<Found>,
}

/// Has what was found finished by `finish`, which says `None` if its worker died.
pub(crate) fn rescue<E>(
    found: Vec<Found>,
    finish: &mut dyn FnMut(Vec<Found>) -> Result<Option<UnitResult>, E>,
) -> Result<Rescued, E> {
    let mut rescued = Rescued { result: None, lost: Vec::new() };
    let mut workers = 0;
    let mut parts = vec![found];
    while let Some(mut part) = parts.pop() {
        if workers == MAX_WORKERS {
            rescued.lost.append(&mut part);
            continue;
        }
        workers += 1;
        match finish(part.clone())? {
            Some(result) => match &mut rescued.result {
                Some(whole) => merge(whole, result),
                none => *none = Some(result),
            },
            None if part.len() < 2 => rescued.lost.append(&mut part),
            None => {
                let second = part.split_off(part.len() / 2);
                // The first half comes next.
                parts.extend([second, part]);
            }
        }
    }
    Ok(rescued)
}

/// Adds what another worker found for the same class: tests that cover something more.
pub(crate) fn merge(whole: &mut UnitResult, other: UnitResult) {
    let known = whole.tests.iter().flat_map(|test| &test.hits).chain(&whole.initial);
    let mut covered: FxHashSet<u32> = known.copied().collect();
    for test in other.tests {
        let before = covered.len();
        covered.extend(&test.hits);
        if covered.len() > before {
            whole.tests.push(test);
        }
    }
    for failure in other.failures {
        if !whole.failures.contains(&failure) {
            whole.failures.push(failure);
        }
    }
    for (noise, count) in other.noise {
        match whole.noise.iter_mut().find(|(known, _)| *known == noise) {
            Some((_, known)) => *known += count,
            None => whole.noise.push((noise, count)),
        }
    }
    // A member that has no test has none in any part.
    let lacks = |member: &str| other.reasons.iter().any(|reason| reason.member == member);
    whole.reasons.retain(|reason| reason.member.is_empty() || lacks(&reason.member));
    whole.statistics.runs += other.statistics.runs;
    whole.statistics.calls += other.statistics.calls;
    whole.statistics.unsafe_runs += other.statistics.unsafe_runs;
    whole.statistics.cuts += other.statistics.cuts;
    whole.flaky += other.flaky;
    whole.spent += other.spent;
    for class in other.uninstrumented {
        if !whole.uninstrumented.contains(&class) {
            whole.uninstrumented.push(class);
        }
    }
    for note in other.notes {
        if !whole.notes.contains(&note) {
            whole.notes.push(note);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use model::{Expectation, TestCase, Type, UnitTest};
    use search::{Reason, ReasonCode};

    use super::*;
    use crate::protocol::WorkedTest;

    /// The kept test of that number: one of so many slots.
    fn kept(number: u32) -> Kept {
        let mut case = TestCase::default();
        for _ in 0..number {
            case.literal(Type::INT, model::Literal::Int(0));
        }
        Kept { case, throws: None }
    }

    fn number(case: &TestCase) -> u32 {
        case.slots.len() as u32
    }

    /// A test for each kept test, which hits the probe of its number.
    fn finished(part: Vec<Kept>) -> UnitResult {
        let tests = part.into_iter().map(|kept| WorkedTest {
            hits: vec![number(&kept.case)],
            test: UnitTest {
                case: kept.case,
                subject: 0,
                expectation: Expectation::Returns,
                checks: Vec::new(),
                failure: None,
            },
        });
        UnitResult { tests: tests.collect(), ..UnitResult::default() }
    }

    /// Rescues `count` tests from workers that die as `dies` says of the tests they have.
    fn check(count: u32, dies: impl Fn(&[u32]) -> bool, saved: &[u32], max_workers: u32) {
        let mut workers = 0;
        let mut finish = |part: Vec<Found>| -> Result<_, Infallible> {
            workers += 1;
            let (part, _) = split(part);
            let numbers: Vec<u32> = part.iter().map(|kept| number(&kept.case)).collect();
            Ok((!dies(&numbers)).then(|| finished(part)))
        };
        let found = (0..count).map(|number| Found::Test(kept(number)));
        let Ok(rescued) = rescue(found.collect(), &mut finish);
        let tests = rescued.result.map(|result| result.tests).unwrap_or_default();
        let numbers: Vec<u32> = tests.iter().map(|worked| number(&worked.test.case)).collect();
        assert_eq!(numbers, saved);
        assert_eq!(rescued.lost.len(), count as usize - saved.len());
        assert!(workers <= max_workers, "{workers} workers");
    }

    #[test]
    fn what_no_worker_dies_of_is_saved_at_once() {
        check(5, |_| false, &[0, 1, 2, 3, 4], 1);
    }

    #[test]
    fn only_tests_that_kill_are_lost() {
        check(6, |part| part.contains(&4), &[0, 1, 2, 3, 5], 7);
    }

    #[test]
    fn what_is_too_much_together_is_saved_in_parts() {
        let all: Vec<u32> = (0..16).collect();
        check(16, |part| part.len() > 3, &all, 15);
    }

    #[test]
    fn if_every_worker_dies_all_is_lost_in_bounded_time() {
        check(1000, |_| true, &[], MAX_WORKERS);
        check(0, |_| true, &[], 1);
    }

    #[test]
    fn merging_adds_what_covers_more_and_keeps_reasons_that_hold_for_both() {
        let lacking = |members: &[&str]| {
            let reason = |member: &&str| Reason {
                member: (*member).to_owned(),
                ..Reason::of_class(ReasonCode::NoValueOfType, "")
            };
            members.iter().map(reason).collect::<Vec<_>>()
        };
        let mut whole = finished(vec![kept(1), kept(2)]);
        whole.reasons = lacking(&["", "a", "b"]);
        let mut other = finished(vec![kept(2), kept(3)]);
        other.reasons = lacking(&["b", "c"]);
        merge(&mut whole, other);
        let numbers: Vec<u32> = whole.tests.iter().map(|w| number(&w.test.case)).collect();
        assert_eq!(numbers, [1, 2, 3]);
        assert_eq!(whole.reasons, lacking(&["", "b"]));
    }
}
