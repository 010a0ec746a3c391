//! What checks noted of a run: a line for each thing that happened, as
//! `runtime/contracts/testhound/contracts/Report.java` writes them.
//!
//! The file is written by the process of the program, which may be cut short or worse: lines that
//! cannot be read are passed over.

use std::io::{ErrorKind, Read};
use std::path::Path;

use anyhow::Context;
use contracts::weave::ClauseId;

/// What was noted; more is not read.
const MAX_BYTES: u64 = 256 << 20;
/// What sets items of a list apart.
const BETWEEN: char = '\u{1f}';

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Note {
    pub(super) what: Happened,
    /// How often.
    pub(super) count: u64,
    pub(super) clause: ClauseId,
    /// Parts of the clause with their values, why it was undefined, or the thread that was ended.
    pub(super) parts: Vec<String>,
    /// As it would be without checks.
    pub(super) stack: Vec<String>,
}

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Happened {
    /// A clause did not hold.
    Violation(When),
    /// What was thrown for it ended a thread.
    Uncaught(When),
    /// A clause had no value.
    Undefined,
}

/// When it was noticed that a clause does not hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum When {
    /// On a call by code that is not checked.
    Entry,
    /// On a call by checked code.
    Internal,
    /// Before a call, of what holds between calls.
    Before,
    /// During or after a call.
    After,
}

/// Reads what was noted; nothing, if there is no file.
pub(super) fn read(file: &Path) -> anyhow::Result<Vec<Note>> {
    let reading = || format!("cannot read `{}`", file.display());
    let mut bytes = Vec::new();
    match std::fs::File::open(file) {
        Ok(found) => found.take(MAX_BYTES).read_to_end(&mut bytes).with_context(reading)?,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(reading),
    };
    Ok(String::from_utf8_lossy(&bytes).lines().filter_map(note).collect())
}

fn note(line: &str) -> Option<Note> {
    let mut fields = line.split('\t');
    let count = fields.next()?.parse().ok()?;
    let what = fields.next()?;
    let clause = fields.next()?.parse().ok()?;
    let when = match fields.next()? {
        "1" => When::Entry,
        "2" => When::Internal,
        "3" => When::Before,
        _ => When::After,
    };
    let what = match what {
        "violation" => Happened::Violation(when),
        "uncaught" => Happened::Uncaught(when),
        "undefined" => Happened::Undefined,
        _ => return None,
    };
    let mut list = || -> Option<Vec<String>> {
        let items = fields.next()?.split(BETWEEN).filter(|item| !item.is_empty());
        Some(items.map(str::to_owned).collect())
    };
    Some(Note { what, count, clause, parts: list()?, stack: list()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_cannot_be_read_are_passed_over() {
        let check = |text: &str, expected: &[Note]| {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("notes");
            std::fs::write(&file, text).unwrap();
            assert_eq!(read(&file).unwrap(), expected);
        };
        let violation = Note {
            what: Happened::Violation(When::Internal),
            count: 12,
            clause: 7,
            parts: vec!["lent = 0".to_owned(), "copies = 1".to_owned()],
            stack: vec!["p.A.m(A.java:3)".to_owned()],
        };
        let line =
            "0000000000000000012\tviolation\t7\t2\tlent = 0\u{1f}copies = 1\tp.A.m(A.java:3)";
        check(&format!("{line}\n"), std::slice::from_ref(&violation));
        check(&format!("x\n{line}\n1\tother\t7\t2\t\t\n1\tviolation\t7"), &[violation]);
        let undefined = Note {
            what: Happened::Undefined,
            count: 1,
            clause: 3,
            parts: Vec::new(),
            stack: Vec::new(),
        };
        check("1\tundefined\t3\t0\t\t\n", &[undefined]);
        check("", &[]);
    }
}
