//! Rows of features: a class with a specification, and calls that hold or violate a clause of it.
//!
//! Beside the class `X` there is a class `XCase` with a static method for each call.

use contracts::Source;
use contracts::weave::Options;

use crate::harness::{End, compiled, drive, parsed};

/// A feature: what it is called, the source, and for each call how it is to end.
///
/// `ok`, or how and the text of the clause (`entry: x > 0`, `after: …`, `before: …`, `internal: …`),
/// or `undefined: …` for a clause that has no value, or `threw …`.
pub struct Row {
    pub class: &'static str,
    pub source: &'static str,
    pub calls: &'static [(&'static str, &'static str)],
    /// Texts of the clauses that are skipped.
    pub skipped: &'static [&'static str],
}

/// Runs all rows in one JVM and compares.
#[track_caller]
pub fn check(rows: &[Row], options: &Options) {
    let names: Vec<String> = rows.iter().map(|row| format!("{}.java", row.class)).collect();
    let files: Vec<(&str, &str)> =
        names.iter().zip(rows).map(|(name, row)| (name.as_str(), row.source)).collect();
    check_parsed(rows, &parsed(&files), options);
}

/// The same for sources that were parsed already, in the order of the rows.
#[track_caller]
pub fn check_parsed(rows: &[Row], sources: &[Source], options: &Options) {
    let (folder, weaving) = compiled(sources, options);
    let mut wrong = Vec::new();
    for row in rows {
        let file = format!("{}.java", row.class);
        let mut skipped: Vec<String> = weaving
            .skipped
            .iter()
            .filter_map(|skipped| {
                let clause = weaving.clause(skipped.clause)?;
                (clause.file == file).then(|| format!("{} ({})", clause.text, skipped.reason))
            })
            .collect();
        for text in row.skipped {
            if !skipped.iter().any(|found| found.starts_with(text)) {
                wrong.push(format!("{}: `{text}` is not skipped", row.class));
            }
        }
        skipped.retain(|found| !row.skipped.iter().any(|text| found.starts_with(text)));
        if !skipped.is_empty() {
            wrong.push(format!("{}: skipped {skipped:#?}", row.class));
        }
    }
    let calls: Vec<String> = rows
        .iter()
        .flat_map(|row| row.calls.iter().map(|(call, _)| format!("{}Case.{call}", row.class)))
        .collect();
    let ends = drive(folder.path(), &[], &calls);
    for row in rows {
        for (call, expected) in row.calls {
            let name = format!("{}Case.{call}", row.class);
            let found = ends.get(&name).map_or("nothing".to_owned(), |end| told(&weaving, end));
            if found != *expected {
                wrong.push(format!("{name}: {found}, expected {expected}"));
            }
        }
        let text: Vec<&str> = row.source.lines().collect();
        for clause in weaving.clauses.iter().filter(|c| c.file.starts_with(row.class)) {
            let line = text.get(clause.line as usize - 1).copied().unwrap_or_default();
            let start: String = clause.text.chars().take(8).collect();
            if !clause.implied && !line.contains(&start) && !line.contains(&clause.keyword) {
                wrong.push(format!("{}: `{}` is not in line {line}", row.class, clause.text));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn told(weaving: &contracts::Weaving<'_>, end: &End) -> String {
    let text =
        |id: u32| weaving.clause(id).map_or("?".to_owned(), |c| format!("{}: {}", c.kind, c.text));
    if end.clause != 0 {
        let how = ["?", "entry ", "internal ", "before ", ""][end.how as usize];
        let swallowed = if end.text.starts_with("violation") { "" } else { "swallowed " };
        return format!("{swallowed}{how}{}", text(end.clause));
    }
    if end.undefined != 0 {
        return format!("undefined {}", text(end.undefined));
    }
    if end.undefined_preconditions != 0 {
        return format!("undefined precondition, {}", end.text);
    }
    end.text.clone()
}
