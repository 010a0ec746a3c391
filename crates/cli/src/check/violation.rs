//! Violations of a run, folded: one for each clause and place in the user's code that breaks it.
//!
//! Of a precondition that place is the call, of all else the member whose clause it is. What the
//! program did with the error is found by comparing: it ended a thread, or a test, or was swallowed.

use std::collections::BTreeMap;

use contracts::weave::Clause;
use serde::Serialize;
use toolchain::FailedTest;

use super::notes::{Happened, Note, When};
use crate::jml::Checked;

/// A clause that is broken at a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Violation {
    /// What kind of clause it is: `internal precondition`, `postcondition` and so on.
    pub(super) kind: String,
    /// Keyword and expression.
    pub(super) clause: String,
    /// Where it stands.
    pub(super) file: String,
    pub(super) line: u32,
    /// The type that says it, and the member; no member if it is of the type.
    pub(super) owner: String,
    pub(super) member: String,
    /// Parts of the clause with their values, the first time.
    pub(super) values: Vec<String>,
    /// The stack, the first time, down to the last frame of the user's code and without what checks
    /// add to it.
    pub(super) stack: Vec<String>,
    /// How often.
    pub(super) count: u64,
    /// How often nobody heard of it: it neither ended a thread nor failed a test.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) swallowed: u64,
    /// Threads that it ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) threads: Vec<String>,
    /// Tests that it failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tests: Vec<String>,
    /// Whether it did not hold before a call already.
    #[serde(skip)]
    pub(super) is_before: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A clause that has no value in some state: an error of the specification.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct UndefinedClause {
    pub(super) clause: String,
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) owner: String,
    pub(super) member: String,
    /// What was thrown, the first time.
    pub(super) reason: String,
    pub(super) stack: Vec<String>,
}

/// Keyword and expression; what is meant without being written has no keyword.
fn words(clause: &Clause) -> String {
    if clause.implied {
        clause.text.clone()
    } else {
        format!("{} {}", clause.keyword, clause.text).trim_end().to_owned()
    }
}

/// The class of a frame such as `java.base/java.util.List.of(List.java:3)`.
fn class_of(frame: &str) -> &str {
    let member = frame.split('(').next().unwrap_or(frame);
    let class = member.rsplit_once('.').map_or(member, |(class, _)| class);
    class.rsplit_once('/').map_or(class, |(_, class)| class)
}

/// The frame that breaks the clause.
fn place<'n>(note: &'n Note, when: When, is_own: &dyn Fn(&str) -> bool) -> &'n str {
    // Whose precondition it is stands on top.
    let callee = usize::from(matches!(when, When::Entry | When::Internal));
    let frames = note.stack.get(callee..).unwrap_or_default();
    let own = frames.iter().find(|frame| is_own(class_of(frame)));
    own.or(frames.first()).or(note.stack.first()).map_or("", String::as_str)
}

/// A stack without what lies below the last frame of the user's code.
fn down_to_own(stack: &[String], is_own: &dyn Fn(&str) -> bool) -> Vec<String> {
    let last = stack.iter().rposition(|frame| is_own(class_of(frame)));
    stack.iter().take(last.map_or(stack.len(), |last| last + 1)).cloned().collect()
}

/// Folds what was noted, in the order in which it happened.
pub(super) fn violations(
    notes: &[Note],
    checked: &Checked,
    failed: &[FailedTest],
    is_own: &dyn Fn(&str) -> bool,
) -> Vec<Violation> {
    let mut folded: Vec<(Violation, &str)> = Vec::new();
    let mut known = BTreeMap::new();
    let mut heard = Vec::new();
    for note in notes {
        let (Happened::Violation(when) | Happened::Uncaught(when)) = note.what else { continue };
        let Some(clause) = checked.clause(note.clause) else { continue };
        let place = place(note, when, is_own);
        let at = *known.entry((note.clause, when, place)).or_insert_with(|| {
            folded.push((Violation::of(clause, when, note, is_own), place));
            heard.push(0);
            folded.len() - 1
        });
        let (violation, _) = &mut folded[at];
        if let Happened::Violation(_) = note.what {
            violation.count += note.count;
        } else {
            heard[at] += note.count;
            violation.threads.extend(note.parts.first().cloned());
        }
    }
    for test in failed {
        for (violation, place) in &mut folded {
            if violation.fails(test, place) {
                violation.tests.push(test.name.clone());
            }
        }
    }
    let ended = folded.into_iter().zip(heard).map(|((mut violation, _), heard)| {
        violation.swallowed = violation.count.saturating_sub(heard + violation.tests.len() as u64);
        violation
    });
    ended.collect()
}

impl Violation {
    fn of(clause: &Clause, when: When, note: &Note, is_own: &dyn Fn(&str) -> bool) -> Self {
        let kind = match when {
            When::Entry => format!("entry {}", clause.kind),
            When::Internal => format!("internal {}", clause.kind),
            When::Before | When::After => clause.kind.to_string(),
        };
        Self {
            kind,
            clause: words(clause),
            file: clause.file.clone(),
            line: clause.line,
            owner: clause.owner.clone(),
            member: clause.member.clone(),
            values: note.parts.clone(),
            stack: down_to_own(&note.stack, is_own),
            count: 0,
            swallowed: 0,
            threads: Vec::new(),
            tests: Vec::new(),
            is_before: when == When::Before,
        }
    }

    /// Whether a test failed for it, by what it said: the message has clause and place, the stack of
    /// the error the frame.
    fn fails(&self, test: &FailedTest, place: &str) -> bool {
        let words = format!(": {} ({}:{})", self.clause, self.file, self.line);
        let mut parts = test.thrown.split("testhound.contracts.Violation: ").skip(1);
        parts.any(|part| {
            let first = part.lines().next().unwrap_or_default();
            let has_frame = || part.lines().any(|line| line.trim() == format!("at {place}"));
            first.ends_with(&words) && (place.is_empty() || has_frame())
        })
    }
}

/// Clauses that were undefined, each once.
pub(super) fn undefined(
    notes: &[Note],
    checked: &Checked,
    is_own: &dyn Fn(&str) -> bool,
) -> Vec<UndefinedClause> {
    let mut known = Vec::new();
    let mut all = Vec::new();
    for note in notes.iter().filter(|note| note.what == Happened::Undefined) {
        let Some(clause) = checked.clause(note.clause) else { continue };
        if known.contains(&note.clause) {
            continue;
        }
        known.push(note.clause);
        all.push(UndefinedClause {
            clause: words(clause),
            file: clause.file.clone(),
            line: clause.line,
            owner: clause.owner.clone(),
            member: clause.member.clone(),
            reason: note.parts.first().cloned().unwrap_or_default(),
            stack: down_to_own(&note.stack, is_own),
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_of_a_frame_has_no_module_and_no_loader() {
        let check = |frame: &str, class: &str| assert_eq!(class_of(frame), class);
        check("java.base/java.util.List.of(List.java:3)", "java.util.List");
        check("app//p.A$B.<init>(A.java:3)", "p.A$B");
        check("p.A.m(Native Method)", "p.A");
        check("Main.main(Main.java:1)", "Main");
    }

    #[test]
    fn the_place_of_a_precondition_is_the_call() {
        let check = |when: When, stack: &[&str], expected: &str| {
            let note = Note {
                what: Happened::Violation(when),
                count: 1,
                clause: 1,
                parts: Vec::new(),
                stack: stack.iter().map(|frame| (*frame).to_owned()).collect(),
            };
            assert_eq!(place(&note, when, &|class| class.starts_with("p.")), expected);
        };
        let stack =
            ["p.A.m(A.java:3)", "java.base/java.util.List.forEach(List.java:9)", "p.B.n(B.java:4)"];
        check(When::Internal, &stack, stack[2]);
        check(When::After, &stack, stack[0]);
        check(When::Entry, &stack[..2], stack[1]);
        check(When::Entry, &stack[..1], stack[0]);
        check(When::After, &[], "");
    }
}
