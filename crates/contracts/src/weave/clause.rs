//! What is checked, as a table: every clause with its kind, text and place.
//!
//! Invariant: numbers depend on the sources only, not on which clauses were dropped, so that a
//! class that is woven again reports the same clauses under the same numbers.

use std::fmt;

/// The number of a clause, from 1; what woven classes hand to the run-time part.
pub type ClauseId = u32;

/// What a clause is for, as a violation tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// What a call asks for: broken on entry by the caller, else by checked code.
    Precondition,
    /// What holds after a call that returns.
    Postcondition,
    /// What holds after a call that throws.
    ExceptionalPostcondition,
    /// What holds of an object, or a class, between calls.
    Invariant,
    /// What holds between the states before and after any call.
    Constraint,
    /// What holds of new objects.
    Initially,
    /// What a call may change.
    Assignable,
    /// A field or result that is never `null`.
    NonNull,
    /// What holds at a place in a body: `assert`, `assume`, invariants and variants of loops.
    Assertion,
    /// No check of its own: ghost and model members, `represents`, `set`.
    Definition,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Precondition => "precondition",
            Kind::Postcondition => "postcondition",
            Kind::ExceptionalPostcondition => "exceptional postcondition",
            Kind::Invariant => "invariant",
            Kind::Constraint => "constraint",
            Kind::Initially => "initially",
            Kind::Assignable => "assignable",
            Kind::NonNull => "non-null",
            Kind::Assertion => "assertion",
            Kind::Definition => "definition",
        })
    }
}

/// A clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// Its number.
    pub id: ClauseId,
    /// What it is for.
    pub kind: Kind,
    /// Its keyword as written; of what is meant without being written, a word for it.
    pub keyword: String,
    /// What it says, on one line.
    pub text: String,
    /// The file it stands in.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// Its column, from 1.
    pub column: u32,
    /// The type it belongs to, by its full name, nested ones after a dot.
    pub owner: String,
    /// The method it belongs to, `<init>` for constructors; of clauses of a type empty.
    pub member: String,
    /// Whether it follows from something else that is written (a default, `normal_behavior`).
    pub implied: bool,
}

/// A clause that is not checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Which.
    pub clause: ClauseId,
    /// Why, in lower case.
    pub reason: String,
}

/// A method that is not checked where a class inherits it, though that class has more to ask of it
/// than the class that declares it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unforwarded {
    /// The class that inherits it, by its full name.
    pub owner: String,
    /// The type that declares it.
    pub from: String,
    /// Its name.
    pub member: String,
    /// Why, in lower case.
    pub reason: String,
}

/// A method or constructor that is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedMethod {
    /// The type that declares it, by its full name, nested ones after a dot.
    pub owner: String,
    /// Its name, `<init>` for constructors.
    pub name: String,
    /// The types of its parameters as written, without type arguments.
    pub parameters: Vec<String>,
    /// Its preconditions, those of supertypes too: an entry violation of one of them is a violation
    /// of this method's.
    pub preconditions: Vec<ClauseId>,
    /// Whether it is declared `pure`.
    pub pure: bool,
    /// Whether a postcondition says that its result is a new object.
    pub fresh_result: bool,
    /// Whether it may change what was there before, by its `assignable` clauses; `None` if they do not
    /// say it for all cases.
    pub assigns: Option<bool>,
}

/// Text on one line, as it is told: blanks collapsed, the `@` at the beginning of lines left out.
pub(super) fn on_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for (at, part) in text.lines().enumerate() {
        let part = part.trim();
        let part = if at == 0 { part } else { part.trim_start_matches(['@', ' ', '*']) };
        for word in part.split_whitespace() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(on_one_line(text), expect);
    }

    #[test]
    fn lines_are_joined_without_their_ats() {
        check("a &&\n    @   b\n  * c", "a && b c");
        check("(\\forall int i;\n\t0 < i)", "(\\forall int i; 0 < i)");
    }
}
