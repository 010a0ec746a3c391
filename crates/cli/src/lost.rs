//! Why a class, or a member of it, has no test although some were found (requirement G14).
//!
//! Invariant: a member that a test which is left calls is not among them.

use std::collections::BTreeMap;

use model::{Operation, UnitTest};
use search::{Reason, ReasonCode};
use worker::{Checked, Dropped, Fate};

use crate::summary::{by_fate, count};

/// The reasons for what is without tests now that these were dropped. `known` are those there are.
pub(crate) fn reasons(passing: &Checked, failing: &Checked, known: &[Reason]) -> Vec<Reason> {
    let left: Vec<&UnitTest> = [passing, failing]
        .into_iter()
        .flat_map(|suite| suite.survivors.iter().map(|index| suite.test(*index)))
        .collect();
    let has_test =
        |op: &Operation| left.iter().any(|test| test.case.calls.iter().any(|call| *call.op == *op));
    let mut by_member: Vec<(&Operation, Vec<Fate>)> = Vec::new();
    for (index, fate) in &passing.lost {
        let test = passing.test(*index);
        let Some(op) = test.case.calls.get(test.subject).map(|call| &*call.op) else { continue };
        match by_member.iter_mut().find(|(known, _)| *known == op) {
            Some((_, fates)) => fates.push(*fate),
            None => by_member.push((op, vec![*fate])),
        }
    }
    let mut reasons = Vec::new();
    if passing.survivors.is_empty() && !passing.lost.is_empty() {
        let (code, detail) = told(passing.lost.iter().map(|(_, fate)| *fate));
        reasons.push(Reason::of_class(code, detail));
    }
    for (op, fates) in by_member {
        if !has_test(op) && known.iter().all(|reason| reason.member != op.to_string()) {
            let (code, detail) = told(fates.into_iter());
            reasons.push(Reason::of_operation(code, op, detail));
        }
    }
    reasons
}

/// Why a broken contract has no test, by what befell the one that said it in plain Java.
pub(crate) fn without_test(fate: Fate) -> String {
    if fate == Fate::Unreproducible {
        return "what plain Java can say of it holds without checks".to_owned();
    }
    let mut dropped = Dropped::default();
    dropped.count(fate);
    format!("its test was dropped: {}", by_fate(dropped))
}

/// The code for what befell most of the tests, and all of it in words.
fn told(fates: impl Iterator<Item = Fate>) -> (ReasonCode, String) {
    let mut counts: BTreeMap<Fate, usize> = BTreeMap::new();
    let mut dropped = Dropped::default();
    for fate in fates {
        *counts.entry(fate).or_default() += 1;
        dropped.count(fate);
    }
    let most = counts.iter().rev().max_by_key(|(_, number)| **number).map(|(fate, _)| *fate);
    let code = match most {
        Some(Fate::Unwritable | Fate::Uncompilable) => ReasonCode::NotWritable,
        Some(Fate::Environment) => ReasonCode::EnvironmentDependent,
        Some(Fate::UnsafeEffect) => ReasonCode::UnsafeEffect,
        Some(Fate::Unreproducible | Fate::StaticState) | None => ReasonCode::NotReproducible,
    };
    let tests = count(dropped.total() as usize, "test");
    (code, format!("{tests} dropped: {}", by_fate(dropped)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_contract_without_test_has_a_reason() {
        let check = |fate: Fate, told: &str| assert_eq!(without_test(fate), told);
        check(Fate::Unreproducible, "what plain Java can say of it holds without checks");
        check(Fate::Uncompilable, "its test was dropped: 1 not compilable");
    }

    #[test]
    fn what_befell_most_tests_is_the_reason() {
        let check = |fates: &[Fate], code: ReasonCode, detail: &str| {
            assert_eq!(told(fates.iter().copied()), (code, detail.to_owned()));
        };
        use Fate::{Environment, Uncompilable, Unreproducible, UnsafeEffect, Unwritable};
        check(&[Unwritable], ReasonCode::NotWritable, "1 test dropped: 1 not writable");
        check(
            &[UnsafeEffect],
            ReasonCode::UnsafeEffect,
            "1 test dropped: 1 with effects outside the heap",
        );
        check(
            &[Environment, Uncompilable, Environment],
            ReasonCode::EnvironmentDependent,
            "3 tests dropped: 2 dependent on order or environment, 1 not compilable",
        );
        check(
            &[Unreproducible],
            ReasonCode::NotReproducible,
            "1 test dropped: 1 not reproducible in a fresh JVM",
        );
    }
}
