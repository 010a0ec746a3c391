//! What a broken law puts in doubt. A failing test reports it, so no other test says that it is right;
//! what the law does not speak of stays: that `toString` throws for one object says nothing of what it
//! returns for others.

use model::{Contract, Expectation, FailureKind, Literal, Slot, UnitTest};

/// Whether a test asserts what one of the failing tests reports as wrong.
pub(super) fn is_doubted(test: &UnitTest, failing: &[UnitTest]) -> bool {
    let laws = failing.iter().filter_map(|failing| match &failing.failure.as_ref()?.kind {
        FailureKind::Contract { contract, .. } => Some(*contract),
        _ => None,
    });
    laws.into_iter().any(|law| asserts(test, law))
}

/// Whether the call under test is one that the law speaks of.
fn asserts(test: &UnitTest, law: Contract) -> bool {
    let Some(call) = test.case.calls.get(test.subject) else { return false };
    if !call.op.has_receiver() || *call.op.name != *law.method() {
        return false;
    }
    let value = |slot: &Slot| test.case.slots[slot.index()].init.as_ref();
    let is_same = |one: &Slot, other: &Slot| {
        one == other || value(one).is_some_and(|one| value(other) == Some(one))
    };
    match (law, &call.args[1..]) {
        (Contract::ToStringReturns | Contract::HashCodeReturns | Contract::EqualsReturns, _) => {
            matches!(test.expectation, Expectation::Throws(_))
                && test.subject + 1 == test.case.calls.len()
        }
        (Contract::EqualsNull, [other]) => value(other) == Some(&Literal::Null),
        (Contract::EqualsReflexive | Contract::CompareReflexive, [other]) => {
            is_same(&call.args[0], other)
        }
        (Contract::ComparatorReflexive, [one, other]) => is_same(one, other),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use model::{ClassName, Expectation, Failure, TestCase, Type};

    use super::*;
    use crate::testing::machine::Value;
    use crate::testing::world::{World, class};
    use crate::testing::{case, op};

    const EQUALS: &str = "equals(Ljava/lang/Object;)Z";

    fn world() -> World {
        let item = class("a/Item")
            .method("toString()Ljava/lang/String;", |_, _| Ok(Value::Null))
            .method(EQUALS, |_, _| Ok(Value::boolean(false)));
        World::of([item])
    }

    fn test(case: TestCase, expectation: Expectation) -> UnitTest {
        let subject = case.calls.len() - 1;
        UnitTest { case, subject, expectation, checks: Vec::new(), failure: None }
    }

    fn breaking(world: &World, contract: Contract) -> UnitTest {
        let kind = FailureKind::Contract { contract, slots: Vec::new() };
        let failure = Failure { kind, explanation: String::new(), cause: model::Cause::default() };
        let failing = test(case(world, "a/Item", &[]), Expectation::Returns);
        UnitTest { failure: Some(failure), ..failing }
    }

    #[test]
    fn what_to_string_returns_is_right_though_it_throws_for_another_object() {
        let world = world();
        let failing = [breaking(&world, Contract::ToStringReturns)];
        let told = case(&world, "a/Item", &["toString"]);
        assert!(!is_doubted(&test(told.clone(), Expectation::Returns), &failing));
        let thrown = Expectation::Throws(ClassName::internal("java/lang/RuntimeException"));
        assert!(is_doubted(&test(told, thrown), &failing));
    }

    #[test]
    fn only_what_a_law_of_equals_speaks_of_is_in_doubt() {
        let world = world();
        let equals = |other: fn(&mut TestCase) -> Slot| {
            let mut case = case(&world, "a/Item", &[]);
            let item = case.calls[0].result.expect("an item");
            let other = other(&mut case);
            case.call(&op(&world, "a/Item", "equals"), &[item, other]);
            test(case, Expectation::Returns)
        };
        let itself = equals(|case| case.calls[0].result.expect("an item"));
        let null = equals(|case| case.literal(Type::object(), Literal::Null));
        let text = equals(|case| case.literal(Type::string(), Literal::String("a".into())));
        let doubted = |contract| {
            let failing = [breaking(&world, contract)];
            [&itself, &null, &text].map(|test| is_doubted(test, &failing))
        };
        assert_eq!(doubted(Contract::EqualsReflexive), [true, false, false]);
        assert_eq!(doubted(Contract::EqualsNull), [false, true, false]);
        assert_eq!(doubted(Contract::EqualsReturns), [false; 3]);
        assert_eq!(doubted(Contract::EqualsSymmetric), [true; 3]);
        assert_eq!(doubted(Contract::CompareReflexive), [false; 3]);
    }
}
