//! A study's result as text: a table, then whatever keeps a suite from being taken as it is.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::columns::{aligned, share};
use crate::{Coverage, LibraryResult, StudyResult};

const HEADINGS: [&str; 15] = [
    "library",
    "classes",
    "tested",
    "tests",
    "green",
    "red",
    "left",
    "br own",
    "br JaCoCo",
    "ln own",
    "ln JaCoCo",
    "instr own",
    "instr JaCoCo",
    "s over/class",
    "s Maven",
];

/// Why the two measurements differ.
const NOTE: &str = "\
br, ln, instr: branches, lines and instructions covered, of the classes tried and the nested
classes that only they can reach. `own` is what Testhound measured while it searched: each class
by its own tests. JaCoCo measured the Surefire run: it counts the same, and has more where tests
of one class reach another. left: files left behind.
s over/class: seconds that `generate` took beyond the time for search, per class.";

/// The result for people.
pub fn table(result: &StudyResult) -> String {
    let mut rows: Vec<[String; 15]> = vec![HEADINGS.map(str::to_owned)];
    rows.extend(result.libraries.iter().map(row));
    rows.push(total(result));
    let mut text = aligned(&rows);
    text.push('\n');
    text.push_str(NOTE);
    text.push('\n');
    for library in &result.libraries {
        defects(library, &mut text);
    }
    counts(result, &mut text);
    text
}

fn row(library: &LibraryResult) -> [String; 15] {
    let [own_branches, branches, own_lines, lines, own_instructions, instructions] =
        shares(library.own, library.jacoco);
    [
        format!("{} {}", library.library, library.version),
        format!("{} of {}", library.classes.len(), library.candidates),
        library.with_tests().to_string(),
        library.tests.to_string(),
        library.green.to_string(),
        (library.red.len() as u32 + library.not_run() + library.skipped).to_string(),
        library.left_behind.len().to_string(),
        own_branches,
        branches,
        own_lines,
        lines,
        own_instructions,
        instructions,
        format!("{:.2}", library.seconds.overhead_per_class),
        format!("{:.1}", library.seconds.maven),
    ]
}

fn total(result: &StudyResult) -> [String; 15] {
    let totals = &result.totals;
    let [own_branches, branches, own_lines, lines, own_instructions, instructions] =
        shares(totals.own, totals.jacoco);
    let classes = f64::from(totals.classes.max(1));
    let overhead: f64 = result
        .libraries
        .iter()
        .map(|l| l.seconds.overhead_per_class * l.classes.len() as f64)
        .sum();
    let maven: f64 = result.libraries.iter().map(|l| l.seconds.maven).sum();
    let skipped: u32 = result.libraries.iter().map(|l| l.skipped).sum();
    [
        "all".to_owned(),
        totals.classes.to_string(),
        totals.with_tests.to_string(),
        totals.tests.to_string(),
        totals.green.to_string(),
        (totals.red + totals.not_run + skipped).to_string(),
        totals.left_behind.to_string(),
        own_branches,
        branches,
        own_lines,
        lines,
        own_instructions,
        instructions,
        format!("{:.2}", overhead / classes),
        format!("{maven:.1}"),
    ]
}

fn shares(own: Coverage, jacoco: Coverage) -> [String; 6] {
    [own.branches, jacoco.branches, own.lines, jacoco.lines, own.instructions, jacoco.instructions]
        .map(share)
}

fn defects(library: &LibraryResult, text: &mut String) {
    let name = &library.library;
    let mut line = |what: String| {
        text.push_str(&what);
        text.push('\n');
    };
    if let Some(failure) = &library.maven_failure {
        line(format!("{name}: Maven failed:\n{failure}"));
    }
    for red in &library.red {
        line(format!("{name}: {} is red: {}", red.name, red.message));
    }
    if library.not_run() > 0 {
        line(format!("{name}: Surefire has no word of {} tests", library.not_run()));
    }
    for left in &library.left_behind {
        line(format!("{name}: left behind: {left}"));
    }
}

/// What was dropped and what got no test, over all libraries.
fn counts(result: &StudyResult, text: &mut String) {
    let mut dropped: BTreeMap<&str, u32> = BTreeMap::new();
    let mut reasons: BTreeMap<&str, u32> = BTreeMap::new();
    for library in &result.libraries {
        for (why, count) in &library.dropped {
            *dropped.entry(why).or_default() += count;
        }
        for reason in library.classes.iter().flat_map(|class| &class.reasons) {
            *reasons.entry(&reason.code).or_default() += 1;
        }
    }
    for (what, counts) in [("tests dropped", dropped), ("members without a test", reasons)] {
        let counts: Vec<String> = counts
            .iter()
            .filter(|(_, count)| **count > 0)
            .map(|(why, count)| format!("{count} {why}"))
            .collect();
        if !counts.is_empty() {
            writeln!(text, "{what}: {}", counts.join(", ")).expect("a string takes everything");
        }
    }
}
