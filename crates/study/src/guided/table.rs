//! The result of the study for people: a table per budget, means beside published figures, what
//! components are worth, and what is left.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::average::{Average, Figures};
use super::published::PUBLISHED;
use super::result::{GuidedResult, Piece, PieceKind};
use crate::columns::{aligned, percent, share};

const HEADINGS: [&str; 14] = [
    "program",
    "role",
    "classes",
    "tested",
    "tests",
    "asserts",
    "red",
    "left",
    "br JaCoCo",
    "br own",
    "instr",
    "mutants",
    "s wall",
    "s over/class",
];

const NOTE: &str = "\
br, instr: branches and instructions covered, of the classes drawn and the nested classes that only
they can reach; JaCoCo measured a plain Surefire run, own is what Testhound measured. mutants:
detected by PIT, default mutators, of all. A program is the sum of its classes; `mean of programs` is
the mean of those, as published figures are; `mean of classes` has each class once. s over/class:
seconds of all jobs that were not search, per class.";

/// Below this share of branches a class is listed with what was in the way.
const LOW: f64 = 60.0;

/// The result for people.
pub fn guided_table(result: &GuidedResult) -> String {
    let mut text = String::new();
    let mut previous = None;
    for piece in &result.pieces {
        let key = (piece.kind, piece.question.budget);
        if previous != Some(key) {
            previous = Some(key);
            suites(result, key, &mut text);
        }
    }
    text.push_str(NOTE);
    text.push_str("\n\n");
    beside_published(result, &mut text);
    components(result, &mut text);
    left(result, &mut text);
    for piece in &result.pieces {
        defects(piece, &mut text);
    }
    for failed in &result.failed {
        writeln!(text, "{} has no result and is in no mean: {}", failed.piece, failed.why)
            .expect("a string takes everything");
    }
    text
}

fn suites(result: &GuidedResult, key: (PieceKind, f64), text: &mut String) {
    let whose = match key.0 {
        PieceKind::Own => "",
        PieceKind::Peer => ", the peer",
    };
    writeln!(text, "{} s per class{whose}", key.1).expect("a string takes everything");
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    let pieces = result.pieces.iter().filter(|p| (p.kind, p.question.budget) == key);
    rows.extend(pieces.map(row));
    for average in result.averages.iter().filter(|a| (a.kind, a.budget) == key) {
        for (of, figures) in [("programs", average.by_program), ("classes", average.by_class)] {
            rows.push(mean_row(average, of, figures));
        }
    }
    text.push_str(&aligned(&rows));
    text.push('\n');
}

fn row(piece: &Piece) -> [String; 14] {
    let tested = match piece.kind {
        PieceKind::Own => piece.with_tests().to_string(),
        PieceKind::Peer => "–".to_owned(),
    };
    [
        format!("{} {}", piece.program, piece.version),
        piece.role.name().to_owned(),
        format!("{} of {}", piece.classes.len(), piece.candidates),
        tested,
        piece.tests.to_string(),
        piece.assertions.to_string(),
        (piece.red.len() as u32 + piece.not_run() + piece.skipped).to_string(),
        piece.left_behind.len().to_string(),
        share(piece.jacoco().branches),
        share(piece.own().branches),
        share(piece.jacoco().instructions),
        share(piece.mutants()),
        format!("{:.1}", piece.wall),
        format!("{:.2}", piece.overhead_per_class),
    ]
}

fn mean_row(average: &Average, of: &str, figures: Figures) -> [String; 14] {
    let count = match of {
        "programs" => average.programs,
        _ => average.classes,
    };
    let mut row: [String; 14] = Default::default();
    row[0] = format!("mean of {of}");
    row[1] = average.role.map_or("all", super::Role::name).to_owned();
    row[2] = count.to_string();
    row[8] = percent(figures.branches);
    row[9] = percent(figures.own_branches);
    row[10] = percent(figures.instructions);
    row[11] = percent(figures.mutants);
    row[13] = format!("{:.2}", average.overhead_per_class);
    row
}

fn beside_published(result: &GuidedResult, text: &mut String) {
    text.push_str(
        "branches (mutants) in percent, mean of programs; published ones over 32 programs\n",
    );
    let headings = ["s per class", "all", "tuning", "held out", "peer"].map(str::to_owned);
    let mut rows: Vec<Vec<String>> = vec![headings.to_vec()];
    rows[0].extend(PUBLISHED.iter().map(|published| published.system.to_owned()));
    let mut budgets: Vec<f64> = Vec::new();
    for average in &result.averages {
        if !budgets.contains(&average.budget) {
            budgets.push(average.budget);
        }
    }
    let published = PUBLISHED[0].figures.map(|(seconds, ..)| seconds);
    budgets.extend(published.iter().filter(|b| !budgets.contains(b)).copied().collect::<Vec<_>>());
    budgets.sort_by(f64::total_cmp);
    for budget in budgets {
        let ours = |kind, role| {
            let fits = |a: &&Average| (a.kind, a.budget, a.role) == (kind, budget, role);
            result.averages.iter().find(fits).map_or_else(|| "–".to_owned(), figures)
        };
        let own = |role| ours(PieceKind::Own, role);
        let mut row = vec![budget.to_string(), own(None)];
        row.extend([super::Role::Tuning, super::Role::HeldOut].map(|role| own(Some(role))));
        row.push(ours(PieceKind::Peer, None));
        row.extend(PUBLISHED.iter().map(|published| published.at(budget)));
        rows.push(row);
    }
    text.push_str(&aligned(&rows));
    text.push('\n');
}

fn figures(average: &Average) -> String {
    let number = |value: Option<f64>| value.map(|value| format!("{value:.1}"));
    let branches = number(average.by_program.branches).unwrap_or_else(|| "–".to_owned());
    match number(average.by_program.mutants) {
        Some(mutants) => format!("{branches} ({mutants})"),
        None => branches,
    }
}

fn components(result: &GuidedResult, text: &mut String) {
    let Some(all) = result.components.first() else { return };
    writeln!(
        text,
        "components: branches by own measurement, mean of {} classes at {} s each",
        all.classes.len(),
        all.question.budget
    )
    .expect("a string takes everything");
    let headings = ["variant", "branches", "against all", "tests", "calls"];
    let mut rows = vec![headings.map(str::to_owned)];
    for row in &result.components {
        let against = row.mean().zip(all.mean()).map(|(one, all)| format!("{:+.1}", one - all));
        rows.push([
            row.variant.clone(),
            percent(row.mean()),
            against.unwrap_or_else(|| "–".to_owned()),
            row.tests.to_string(),
            row.calls.to_string(),
        ]);
    }
    text.push_str(&aligned(&rows));
    text.push('\n');
}

/// What keeps classes low at the largest budget.
fn left(result: &GuidedResult, text: &mut String) {
    let own = || result.pieces.iter().filter(|piece| piece.kind == PieceKind::Own);
    let Some(budget) = own().map(|piece| piece.question.budget).max_by(f64::total_cmp) else {
        return;
    };
    let mut line = |what: String| {
        text.push_str(&what);
        text.push('\n');
    };
    let mut all: BTreeMap<&str, u32> = BTreeMap::new();
    line(format!("classes below {LOW} % of branches at {budget} s, with reasons of members left:"));
    for piece in own().filter(|piece| piece.question.budget == budget) {
        for class in &piece.classes {
            let mut reasons: BTreeMap<&str, u32> = BTreeMap::new();
            for reason in &class.reasons {
                *reasons.entry(&reason.code).or_default() += 1;
                *all.entry(&reason.code).or_default() += 1;
            }
            let low = class.jacoco.branches.percent().is_some_and(|percent| percent < LOW);
            if low {
                let (name, role) = (&class.name, piece.role.name());
                let branches = share(class.jacoco.branches);
                line(format!("  {name} ({role}): {branches}; {}", counted(&reasons)));
            }
        }
    }
    line(format!("all classes: {}", counted(&all)));
}

fn counted(counts: &BTreeMap<&str, u32>) -> String {
    let counts: Vec<String> = counts.iter().map(|(what, n)| format!("{n} {what}")).collect();
    if counts.is_empty() { "no member without a test".to_owned() } else { counts.join(", ") }
}

fn defects(piece: &Piece, text: &mut String) {
    let name = format!("{} at {} s", piece.program, piece.question.budget);
    let mut line = |what: String| {
        text.push_str(&what);
        text.push('\n');
    };
    if let Some(failure) = &piece.maven_failure {
        line(format!("{name}: Maven failed:\n{failure}"));
    }
    if let Some(failure) = &piece.mutation_failure {
        line(format!("{name}: no mutation score: {failure}"));
    }
    if piece.kind == PieceKind::Own {
        for red in &piece.red {
            line(format!("{name}: {} is red: {}", red.name, red.message));
        }
        for left in &piece.left_behind {
            line(format!("{name}: left behind: {left}"));
        }
    }
    if piece.not_run() > 0 {
        line(format!("{name}: Surefire has no word of {} tests", piece.not_run()));
    }
    for trouble in &piece.peer_troubles {
        line(format!("{name}, the peer: {trouble}"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Role;
    use super::super::result::tests::piece;
    use super::*;
    use crate::FailedPiece;

    #[test]
    fn means_stand_beside_what_was_published_and_low_classes_are_named() {
        let pieces = vec![piece("one", Role::Tuning, 2.0, 10), piece("two", Role::HeldOut, 2.0, 5)];
        let failed = FailedPiece { piece: "three-2s".to_owned(), why: "eels".to_owned() };
        let text = guided_table(&GuidedResult::of(pieces, Vec::new(), vec![failed]));
        let line = |start: &str| {
            let line = text.lines().find(|line| line.starts_with(start));
            let words = line.unwrap_or_else(|| panic!("no {start}: {text}")).split_whitespace();
            words.collect::<Vec<_>>().join(" ")
        };
        let expected = "one 1 tuning 2 of 9 1 10 10 0 0 10.0 % 10.0 % – 25.0 % 5.0 3.00";
        assert_eq!(line("one"), expected);
        let published = "49.5 (47.3) 32.6 (36.8) 35.1 (34.5)";
        let ours = "7.5 (25.0) 10.0 (25.0) 5.0 (25.0) –";
        assert_eq!(line("2   "), format!("2 {ours} {published}"));
        assert_eq!(line("60 "), "60 – – – – 60.3 (59.2) 53.3 (54.5) 42.6 (43.9)");
        assert_eq!(line("  a.Small"), "a.Small (held out): 50.0 %; no member without a test");
        assert_eq!(line("three"), "three-2s has no result and is in no mean: eels");
    }
}
