//! A test case with what it asserts: what the writer turns into a test method.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{
    Breach, Cause, ClassName, Frame, Observation, Operation, Restated, Slot, TestCase, Verified,
};

/// How the last call of a test ends.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Expectation {
    /// It returns.
    Returns,
    /// It throws this class (or, where that cannot be named, a nameable superclass).
    Throws(ClassName),
}

/// A law every class has to keep (requirement G10).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Contract {
    /// `a.equals(a)`
    EqualsReflexive,
    /// `a.equals(b) == b.equals(a)`
    EqualsSymmetric,
    /// `a.equals(b) && b.equals(c)` implies `a.equals(c)`
    EqualsTransitive,
    /// `!a.equals(null)`
    EqualsNull,
    /// `a.equals(b)` implies `a.hashCode() == b.hashCode()`
    EqualsHashCode,
    /// `sgn(a.compareTo(b)) == -sgn(b.compareTo(a))`
    CompareAntisymmetric,
    /// `a > b && b > c` implies `a > c`
    CompareTransitive,
    /// `a.compareTo(b) == 0` implies `sgn(a.compareTo(c)) == sgn(b.compareTo(c))`
    CompareConsistent,
    /// `a.compareTo(a) == 0`
    CompareReflexive,
    /// `a.clone() != a`
    CloneFresh,
    /// `a.clone().getClass() == a.getClass()`
    CloneClass,
    /// `toString()` does not throw.
    ToStringReturns,
    /// `hashCode()` does not throw.
    HashCodeReturns,
    /// `a.equals(b)` does not throw.
    EqualsReturns,
    /// `sgn(c.compare(x, y)) == -sgn(c.compare(y, x))` of a comparator `c`
    ComparatorAntisymmetric,
    /// `c.compare(x, y) > 0 && c.compare(y, z) > 0` implies `c.compare(x, z) > 0`
    ComparatorTransitive,
    /// `c.compare(x, y) == 0` implies `sgn(c.compare(x, z)) == sgn(c.compare(y, z))`
    ComparatorConsistent,
    /// `c.compare(x, x) == 0`
    ComparatorReflexive,
}

impl Contract {
    /// How many objects it speaks of; the first one of a comparator's laws is the comparator.
    pub fn operands(self) -> usize {
        match self {
            Self::EqualsReflexive
            | Self::EqualsNull
            | Self::CompareReflexive
            | Self::CloneFresh
            | Self::CloneClass
            | Self::ToStringReturns
            | Self::HashCodeReturns => 1,
            Self::EqualsSymmetric
            | Self::EqualsHashCode
            | Self::EqualsReturns
            | Self::CompareAntisymmetric
            | Self::ComparatorReflexive => 2,
            Self::EqualsTransitive
            | Self::CompareTransitive
            | Self::CompareConsistent
            | Self::ComparatorAntisymmetric => 3,
            Self::ComparatorTransitive | Self::ComparatorConsistent => 4,
        }
    }

    /// Whether it says no more than that a method returns.
    pub fn is_of_returning(self) -> bool {
        matches!(self, Self::ToStringReturns | Self::HashCodeReturns | Self::EqualsReturns)
    }

    /// The method that has to keep it.
    pub fn method(self) -> &'static str {
        match self {
            Self::EqualsReflexive
            | Self::EqualsSymmetric
            | Self::EqualsTransitive
            | Self::EqualsNull
            | Self::EqualsReturns => "equals",
            Self::EqualsHashCode | Self::HashCodeReturns => "hashCode",
            Self::CompareAntisymmetric
            | Self::CompareTransitive
            | Self::CompareConsistent
            | Self::CompareReflexive => "compareTo",
            Self::CloneFresh | Self::CloneClass => "clone",
            Self::ToStringReturns => "toString",
            Self::ComparatorAntisymmetric
            | Self::ComparatorTransitive
            | Self::ComparatorConsistent
            | Self::ComparatorReflexive => "compare",
        }
    }

    /// Whether it is a law of comparators.
    pub fn is_of_comparator(self) -> bool {
        matches!(
            self,
            Self::ComparatorAntisymmetric
                | Self::ComparatorTransitive
                | Self::ComparatorConsistent
                | Self::ComparatorReflexive
        )
    }
}

/// What is wrong in a failing test.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FailureKind {
    /// A contract is broken, by the objects in these slots.
    Contract {
        /// Which.
        contract: Contract,
        /// The objects, in the order of the contract's letters.
        slots: Vec<Slot>,
    },
    /// The last call broke a contract that its authors wrote down.
    Breach {
        /// Which clause, and how.
        breach: Breach,
        /// What it says, where that can be said in a test; filled in by whoever knows the clauses.
        restated: Option<Box<Restated>>,
    },
    /// The last call threw what no caller could expect.
    UnexpectedException {
        /// The exception.
        class: ClassName,
        /// Where it comes from; none where that differs from run to run.
        place: Option<Frame>,
    },
}

/// Why a failing test is reported.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// What is wrong.
    pub kind: FailureKind,
    /// In words: what was expected, what happened.
    pub explanation: String,
    /// What tells its cause from others.
    pub cause: Cause,
}

/// What a check compares.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum CheckKind {
    /// The slot holds what was observed: value, `null`, enum constant, array of such.
    Holds(Slot, Observation),
    /// The slot is not `null` (nothing better is known of it).
    NotNull(Slot),
    /// Both slots hold the same object.
    Same(Slot, Slot),
    /// Calling the operation (a method without arguments) on the slot gives what was observed.
    View(Slot, Arc<Operation>, Observation),
    /// A mock got a call.
    Verified(Verified),
}

/// An assertion at a place in the test.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Check {
    /// It stands after this call.
    pub after: usize,
    /// What it compares.
    pub kind: CheckKind,
}

/// A test case with its assertions.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct UnitTest {
    /// The calls.
    pub case: TestCase,
    /// The call under test: the one the test is named after.
    pub subject: usize,
    /// How the last call ends.
    pub expectation: Expectation,
    /// Assertions, in order of their places.
    pub checks: Vec<Check>,
    /// Set in tests that are meant to fail: what they report.
    pub failure: Option<Failure>,
}
