//! What the study found: runs, and medians over them.

use serde::{Deserialize, Serialize};

use super::subjects::JET_SUBJECTS;
use crate::FailedPiece;
use crate::store::Answer;

/// A strategy, or the last one without a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum JetVariant {
    /// A1: all calls of a test case are decided at once.
    Pure,
    /// A2: the same, and objects that worked are reused.
    Pooled,
    /// A3: each call is made before the next one is decided, and objects are reused.
    Incremental,
    /// A3 on classes that check no contracts.
    Unchecked,
    /// A3 that reuses nothing.
    WithoutPool,
    /// A3 that does not tell redundant test cases.
    WithoutRedundancy,
}

impl JetVariant {
    /// The strategies of the paper.
    pub const STRATEGIES: [Self; 3] = [Self::Pure, Self::Pooled, Self::Incremental];
    /// What shows the costs of A3's parts.
    pub const COSTS: [Self; 3] = [Self::Unchecked, Self::WithoutPool, Self::WithoutRedundancy];

    /// A short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pure => "A1",
            Self::Pooled => "A2",
            Self::Incremental => "A3",
            Self::Unchecked => "A3-unchecked",
            Self::WithoutPool => "A3-no-pool",
            Self::WithoutRedundancy => "A3-no-redundancy-check",
        }
    }

    /// The options that ask for it.
    pub(super) fn options(self) -> &'static [&'static str] {
        match self {
            Self::Pure => &["--strategy", "pure"],
            Self::Pooled => &["--strategy", "pooled"],
            Self::Incremental => &["--strategy", "incremental"],
            Self::Unchecked => &["--strategy", "incremental", "--no-contracts"],
            Self::WithoutPool => &["--strategy", "incremental", "--no-pool"],
            Self::WithoutRedundancy => &["--strategy", "incremental", "--no-redundancy-check"],
        }
    }
}

/// What decides a run, machine and chance aside.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JetQuestion {
    /// Which build of the program.
    pub build: String,
    /// With what.
    pub variant: JetVariant,
    /// Where random numbers start.
    pub seed: u64,
    /// How often each search is made in one JVM.
    pub rounds: u32,
}

/// What became of the attempts at a class.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct JetFigures {
    /// MF.
    pub meaningful: u64,
    /// R.
    pub redundant: u64,
    /// ML.
    pub meaningless: u64,
    /// Meaningful test cases that break a contract.
    pub failed: u64,
    /// Milliseconds in a JVM that has just been started.
    pub first: f64,
    /// Milliseconds once it is warm.
    pub warm: f64,
}

impl JetFigures {
    /// SR: MF/T.
    pub fn success_ratio(&self) -> f64 {
        ratio(self.meaningful, self.meaningful + self.redundant + self.meaningless)
    }

    /// RR: R/(MF+R).
    pub fn redundancy_ratio(&self) -> f64 {
        ratio(self.redundant, self.meaningful + self.redundant)
    }
}

fn ratio(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

/// A class in a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JetRunOfClass {
    /// The class.
    pub class: String,
    /// What became of its attempts.
    pub figures: JetFigures,
}

/// A run: all classes with one variant and seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JetRun {
    /// What was asked.
    pub question: JetQuestion,
    /// The classes.
    pub classes: Vec<JetRunOfClass>,
}

impl Answer for JetRun {
    type Question = JetQuestion;

    fn question(&self) -> &JetQuestion {
        &self.question
    }
}

/// The medians over the runs of a class with one variant.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JetMedian {
    /// What the paper calls the class.
    pub subject: String,
    /// With what.
    pub variant: JetVariant,
    /// T.
    pub attempts: u64,
    /// Each figure is a median of its own.
    pub figures: JetFigures,
    /// The smallest MF of all runs.
    pub least: u64,
    /// The largest.
    pub most: u64,
}

/// What the study found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JetResult {
    /// Seeds.
    pub seeds: u64,
    /// By variant, then by class.
    pub medians: Vec<JetMedian>,
    /// All runs.
    pub runs: Vec<JetRun>,
    /// Runs that have no result.
    pub failed: Vec<FailedPiece>,
}

impl JetResult {
    pub(super) fn of(seeds: u64, runs: Vec<JetRun>, failed: Vec<FailedPiece>) -> Self {
        let mut medians = Vec::new();
        for variant in JetVariant::STRATEGIES.into_iter().chain(JetVariant::COSTS) {
            for subject in JET_SUBJECTS {
                let of_variant = runs.iter().filter(|run| run.question.variant == variant);
                let of_class = of_variant.flat_map(|run| &run.classes);
                let all: Vec<JetFigures> = of_class
                    .filter(|one| one.class == subject.class)
                    .map(|one| one.figures)
                    .collect();
                let meaningful = all.iter().map(|figures| figures.meaningful);
                let (Some(least), Some(most)) = (meaningful.clone().min(), meaningful.max()) else {
                    continue;
                };
                medians.push(JetMedian {
                    subject: subject.name.to_owned(),
                    variant,
                    attempts: subject.attempts,
                    figures: medians_of(&all),
                    least,
                    most,
                });
            }
        }
        Self { seeds, medians, runs, failed }
    }

    /// The medians of a class with one variant.
    pub fn median(&self, subject: &str, variant: JetVariant) -> Option<&JetMedian> {
        self.medians.iter().find(|one| one.subject == subject && one.variant == variant)
    }
}

fn medians_of(all: &[JetFigures]) -> JetFigures {
    let count = |of: fn(&JetFigures) -> u64| {
        let mut counts: Vec<u64> = all.iter().map(of).collect();
        counts.sort_unstable();
        counts.get(counts.len() / 2).copied().unwrap_or_default()
    };
    let time = |of: fn(&JetFigures) -> f64| median(all.iter().map(of).collect());
    JetFigures {
        meaningful: count(|figures| figures.meaningful),
        redundant: count(|figures| figures.redundant),
        meaningless: count(|figures| figures.meaningless),
        failed: count(|figures| figures.failed),
        first: time(|figures| figures.first),
        warm: time(|figures| figures.warm),
    }
}

/// The upper median; nothing of nothing.
pub(super) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(variant: JetVariant, seed: u64, meaningful: u64, first: f64) -> JetRun {
        let figures = JetFigures { meaningful, first, ..JetFigures::default() };
        let class = "jet.Proof".to_owned();
        JetRun {
            question: JetQuestion { build: String::new(), variant, seed, rounds: 1 },
            classes: vec![JetRunOfClass { class, figures }],
        }
    }

    #[test]
    fn each_figure_is_the_median_over_the_seeds() {
        let counts = [(300, 2.0), (100, 9.0), (200, 1.0)];
        let runs = (1..).zip(counts).map(|(seed, (meaningful, first))| {
            run(JetVariant::Incremental, seed, meaningful, first)
        });
        let runs = runs.chain([run(JetVariant::Pure, 1, 7, 7.0)]).collect();
        let result = JetResult::of(3, runs, Vec::new());
        let median = result.median("Proof", JetVariant::Incremental).expect("there are runs");
        assert_eq!((median.figures.meaningful, median.figures.first), (200, 2.0));
        assert_eq!((median.least, median.most, median.attempts), (100, 300, 700));
        assert!(result.median("Stack", JetVariant::Incremental).is_none());
    }

    #[test]
    fn ratios_are_those_of_the_paper() {
        let stack =
            JetFigures { meaningful: 192, redundant: 561, meaningless: 247, ..Default::default() };
        assert_eq!(format!("{:.2}", stack.success_ratio()), "0.19");
        assert_eq!(format!("{:.3}", stack.redundancy_ratio()), "0.745");
        assert_eq!(JetFigures::default().success_ratio(), 0.0);
    }
}
