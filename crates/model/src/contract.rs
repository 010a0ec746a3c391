//! How a call breaks a contract that its authors wrote down.
//!
//! What runs test cases says so at once, by the number of the clause; what the clause says is the
//! business of whoever numbered it. Laws that every class has to keep are not of this kind
//! ([`crate::Contract`]).

use std::fmt;

use serde::{Deserialize, Serialize};

/// Which part of a contract is broken, and so whose fault it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum BreachKind {
    /// The precondition of the very method that the test calls: the fault of the test. The call was
    /// not made, so that nothing has changed.
    EntryPrecondition,
    /// The precondition of a method that the code under test calls.
    InternalPrecondition,
    /// What a method promises when it returns.
    Postcondition,
    /// What a method promises when it throws.
    ExceptionalPostcondition,
    /// What holds of an object between calls.
    Invariant,
    /// How an object may change from call to call.
    Constraint,
    /// What holds of a new object.
    Initially,
    /// What a method may assign.
    Assignable,
    /// A result that may not be `null`.
    NonNull,
    /// A field that may not be `null`, between calls.
    NonNullField,
    /// An assertion within a body.
    Assertion,
}

/// A broken clause.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Breach {
    /// Which part of a contract it is.
    pub kind: BreachKind,
    /// Its number, among all clauses of the classes that are checked.
    pub clause: u32,
}

impl Breach {
    /// Whether the test is to blame: the call is infeasible, and says nothing of the code.
    pub fn is_infeasible(self) -> bool {
        self.kind == BreachKind::EntryPrecondition
    }

    /// Whether it is of what holds of an object between calls, whoever calls what.
    pub fn is_of_state(self) -> bool {
        use BreachKind::{Constraint, Invariant, NonNullField};
        matches!(self.kind, Invariant | Constraint | NonNullField)
    }
}

/// `postcondition`, for messages and reports.
impl fmt::Display for BreachKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EntryPrecondition => "precondition",
            Self::InternalPrecondition => "precondition of a method called",
            Self::Postcondition => "postcondition",
            Self::ExceptionalPostcondition => "exceptional postcondition",
            Self::Invariant => "invariant",
            Self::Constraint => "history constraint",
            Self::Initially => "initial condition",
            Self::Assignable => "assignable clause",
            Self::NonNull | Self::NonNullField => "non-null declaration",
            Self::Assertion => "assertion",
        })
    }
}

/// `postcondition (clause 12)`, for messages and reports.
impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (clause {})", self.kind, self.clause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: BreachKind, told: &str, is_infeasible: bool) {
        let breach = Breach { kind, clause: 12 };
        assert_eq!(breach.to_string(), told);
        assert_eq!(breach.is_infeasible(), is_infeasible);
    }

    #[test]
    fn only_a_broken_precondition_of_the_call_itself_is_the_fault_of_the_test() {
        check(BreachKind::EntryPrecondition, "precondition (clause 12)", true);
        check(
            BreachKind::InternalPrecondition,
            "precondition of a method called (clause 12)",
            false,
        );
        check(BreachKind::Invariant, "invariant (clause 12)", false);
    }
}
