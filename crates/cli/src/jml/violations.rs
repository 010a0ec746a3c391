//! Broken contracts as they are told: by clause, with where it stands.

use model::{BreachKind, FailureKind, UnitTest};
use serde::Serialize;

use super::checking::Checked;

/// A clause that a class breaks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Violation {
    /// What kind of clause it is: `postcondition`, `invariant` and so on.
    pub(crate) kind: &'static str,
    /// The same in words.
    #[serde(skip)]
    pub(crate) words: String,
    /// Keyword and expression.
    pub(crate) clause: String,
    /// Where it stands.
    pub(crate) file: String,
    pub(crate) line: u32,
    /// The type that says it, and the member; no member if it is of the type.
    pub(crate) owner: String,
    pub(crate) member: String,
    /// The calls of the shortest test that breaks it, one after the other.
    pub(crate) calls: Vec<String>,
    /// The test that shows it, if it can be written without checks.
    pub(crate) test: Option<String>,
    /// Why there is none.
    pub(crate) reason: Option<String>,
}

impl Checked {
    /// The violation that a failing test shows; `None` if it shows something else.
    pub(crate) fn violation(&self, test: &UnitTest) -> Option<Violation> {
        let FailureKind::Breach { breach, .. } = &test.failure.as_ref()?.kind else { return None };
        let clause = self.clause(breach.clause)?;
        Some(Violation {
            kind: code(breach.kind),
            words: breach.kind.to_string(),
            clause: format!("{} {}", clause.keyword, clause.text),
            file: clause.file.clone(),
            line: clause.line,
            owner: clause.owner.clone(),
            member: clause.member.clone(),
            calls: test.case.calls.iter().map(|call| call.op.to_string()).collect(),
            test: None,
            reason: None,
        })
    }

    /// Says of failing tests which clause they break, in the words of its author.
    pub(crate) fn explain(&self, tests: &mut [UnitTest]) {
        for test in tests {
            let Some(words) = self.violation(test).map(|violation| violation.sentence()) else {
                continue;
            };
            if let Some(failure) = &mut test.failure {
                failure.explanation = words;
            }
        }
    }
}

impl Violation {
    /// `breaks the postcondition of withdraw: ensures … (Account.java:12)`.
    pub(crate) fn sentence(&self) -> String {
        let Self { words, clause, file, line, owner, member, .. } = self;
        let of = match &**member {
            "" => owner.rsplit('.').next().unwrap_or(owner).to_owned(),
            "<init>" => format!("the constructor of {}", owner.rsplit('.').next().unwrap_or(owner)),
            member => member.to_owned(),
        };
        format!("breaks the {words} of {of}: {clause} ({file}:{line})")
    }
}

/// `exceptional-postcondition`, for programs that read reports.
fn code(kind: BreachKind) -> &'static str {
    match kind {
        BreachKind::EntryPrecondition => "entry-precondition",
        BreachKind::InternalPrecondition => "internal-precondition",
        BreachKind::Postcondition => "postcondition",
        BreachKind::ExceptionalPostcondition => "exceptional-postcondition",
        BreachKind::Invariant => "invariant",
        BreachKind::Constraint => "constraint",
        BreachKind::Initially => "initially",
        BreachKind::Assignable => "assignable",
        BreachKind::NonNull | BreachKind::NonNullField => "non-null",
        BreachKind::Assertion => "assertion",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violation_is_told_in_the_words_of_its_clause() {
        let check = |member: &str, told: &str| {
            let violation = Violation {
                kind: "postcondition",
                words: "postcondition".to_owned(),
                clause: "ensures balance >= 0".to_owned(),
                file: "bank/Account.java".to_owned(),
                line: 12,
                owner: "bank.Account".to_owned(),
                member: member.to_owned(),
                calls: Vec::new(),
                test: None,
                reason: None,
            };
            assert_eq!(violation.sentence(), told);
        };
        let place = "ensures balance >= 0 (bank/Account.java:12)";
        check("withdraw", &format!("breaks the postcondition of withdraw: {place}"));
        let of = "breaks the postcondition of the constructor of Account";
        check("<init>", &format!("{of}: {place}"));
        check("", &format!("breaks the postcondition of Account: {place}"));
    }
}
