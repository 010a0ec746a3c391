//! The result of the study of contracts for people: the paper's tables, with its figures beside ours.

use super::result::{JetMedian, JetResult, JetVariant};
use super::subjects::{JET_SUBJECTS, JetSubject};
use crate::columns::aligned;

const HEADINGS: [&str; 14] = [
    "class", "", "MF", "(paper)", "R", "ML", "T", "ms first", "ms warm", "(paper)", "SR",
    "(paper)", "RR", "failed",
];

const NOTE: &str = "\
A1 pure, A2 pooled, A3 incremental. MF: meaningful test cases, each once; R: redundant; ML: meaningless;
T: attempts; SR: MF/T; RR: R/(MF+R); failed: those of MF that break a contract. Medians over the seeds.
ms: the search alone, in a JVM that has just been started and in one that is warm; the paper's were
measured on a Pentium 4 of 3 GHz.";

const COSTS: [&str; 9] = [
    "A3 with",
    "MF",
    "ms first",
    "ms warm",
    "no checks: MF",
    "ms warm",
    "no pool: MF",
    "ms warm",
    "no comparison: MF",
];

/// The result for people.
pub fn jet_table(result: &JetResult) -> String {
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    for subject in &JET_SUBJECTS {
        for variant in JetVariant::STRATEGIES {
            rows.extend(result.median(subject.name, variant).map(|median| row(subject, median)));
        }
    }
    let mut text = aligned(&rows);
    let seeds = result.runs.iter().map(|run| run.question.seed);
    if let (Some(first), Some(last)) = (seeds.clone().min(), seeds.max()) {
        text.push_str(&format!("seeds: {first} to {last}\n"));
    }
    text.push_str(&format!("\n{NOTE}\n"));
    text.push_str(&costs(result));
    for failed in &result.failed {
        text.push_str(&format!("{} has no result: {}\n", failed.piece, failed.why));
    }
    text
}

fn row(subject: &JetSubject, median: &JetMedian) -> [String; 14] {
    let figures = &median.figures;
    let published = subject.published(median.variant).unwrap_or_default();
    let [meaningful, _, _, milliseconds] = published;
    [
        subject.name.to_owned(),
        median.variant.name().to_owned(),
        figures.meaningful.to_string(),
        meaningful.to_string(),
        figures.redundant.to_string(),
        figures.meaningless.to_string(),
        median.attempts.to_string(),
        time(figures.first),
        time(figures.warm),
        milliseconds.to_string(),
        format!("{:.2}", figures.success_ratio()),
        format!("{:.2}", meaningful as f64 / subject.attempts as f64),
        format!("{:.2}", figures.redundancy_ratio()),
        figures.failed.to_string(),
    ]
}

/// What each part of A3 costs; nothing if it was not measured.
fn costs(result: &JetResult) -> String {
    let mut rows: Vec<Vec<String>> = vec![COSTS.map(str::to_owned).to_vec()];
    rows[0].push("ms warm".to_owned());
    for subject in &JET_SUBJECTS {
        let mut row = vec![subject.name.to_owned()];
        for variant in [JetVariant::Incremental].into_iter().chain(JetVariant::COSTS) {
            let Some(median) = result.median(subject.name, variant) else { break };
            row.push(median.figures.meaningful.to_string());
            if variant == JetVariant::Incremental {
                row.push(time(median.figures.first));
            }
            row.push(time(median.figures.warm));
        }
        if row.len() == rows[0].len() {
            rows.push(row);
        }
    }
    if rows.len() == 1 { String::new() } else { format!("\n{}", aligned(&rows)) }
}

fn time(milliseconds: f64) -> String {
    format!("{milliseconds:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jet::{JetFigures, JetQuestion, JetRun, JetRunOfClass};

    #[test]
    fn a_class_stands_beside_the_paper() {
        let figures = JetFigures {
            meaningful: 300,
            redundant: 100,
            meaningless: 300,
            failed: 0,
            first: 40.25,
            warm: 3.0,
        };
        let variant = JetVariant::Incremental;
        let run = JetRun {
            question: JetQuestion { build: String::new(), variant, seed: 21, rounds: 1 },
            classes: vec![JetRunOfClass { class: "jet.Proof".to_owned(), figures }],
        };
        let table = jet_table(&JetResult::of(1, vec![run], Vec::new()));
        let line = table.lines().nth(1).expect("a row");
        let cells: Vec<&str> = line.split_whitespace().collect();
        let expected = [
            "Proof", "A3", "300", "178", "100", "300", "700", "40.2", "3.0", "4551", "0.43",
            "0.25", "0.25", "0",
        ];
        assert_eq!(cells, expected);
        assert!(table.contains("\nseeds: 21 to 21\n"), "{table}");
        assert!(!table.contains("no pool"), "{table}");
    }
}
