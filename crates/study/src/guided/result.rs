//! What the study of the guided search found, as data. The names of JSON keys are used from outside.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Role;
use super::average::{Average, average, mean};
use crate::store::Answer;
use crate::{Count, Coverage, FailedPiece, GeneratedReason, RedTest};

/// Whose suite it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PieceKind {
    /// This program's.
    Own,
    /// That of the peer whose jar was given.
    Peer,
}

/// What decides a piece, machine and chance aside.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PieceQuestion {
    /// The library, by its Maven coordinates.
    pub program: String,
    /// The classes that tests were asked for.
    pub classes: Vec<String>,
    /// Seconds of search per class.
    pub budget: f64,
    /// Whether the mutation score was asked for.
    pub mutation: bool,
    /// Which peer, if it is a peer's suite.
    pub peer: Option<String>,
    /// Where random numbers start.
    pub seed: u64,
    /// Classes worked on at a time.
    pub jobs: usize,
    /// The JDK's version.
    pub jdk: String,
    /// Which build of this program was asked.
    pub build: String,
}

/// The suite for one program with one budget.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// What was asked.
    pub question: PieceQuestion,
    /// The program's name.
    pub program: String,
    /// Its version.
    pub version: String,
    /// What the program is used for.
    pub role: Role,
    /// Whose suite it is.
    pub kind: PieceKind,
    /// Classes that the drawing rule allows.
    pub candidates: u32,
    /// The classes that were drawn.
    pub classes: Vec<GuidedClass>,
    /// Tests written; of a peer: tests run.
    pub tests: u32,
    /// Assertions in them.
    pub assertions: u32,
    /// Tests that passed.
    pub green: u32,
    /// Tests that were skipped.
    pub skipped: u32,
    /// Tests that did not pass.
    pub red: Vec<RedTest>,
    /// What Maven said if it failed.
    pub maven_failure: Option<String>,
    /// What PIT said if it failed.
    pub mutation_failure: Option<String>,
    /// Files of a peer that did not compile and were left out; what a peer said when it failed.
    pub peer_troubles: Vec<String>,
    /// Files that were left behind.
    pub left_behind: Vec<String>,
    /// Tests the program dropped before it wrote any, by why.
    pub dropped: BTreeMap<String, u32>,
    /// What the program could not read.
    pub warnings: Vec<String>,
    /// Seconds that writing the suite took.
    pub wall: f64,
    /// Seconds it takes if searching is all that is done: the budget for each round of jobs.
    pub scheduled: f64,
    /// What was not search, per class: seconds beyond the schedule times jobs, by classes.
    pub overhead_per_class: f64,
    /// Seconds of Maven's run.
    pub maven_seconds: f64,
    /// Seconds of PIT's run.
    pub mutation_seconds: f64,
}

impl Answer for Piece {
    type Question = PieceQuestion;

    fn question(&self) -> &PieceQuestion {
        &self.question
    }
}

impl Piece {
    /// Classes that got tests.
    pub fn with_tests(&self) -> u32 {
        self.classes.iter().filter(|class| class.tests > 0).count() as u32
    }

    /// Tests that were written and that Surefire has no word of.
    pub fn not_run(&self) -> u32 {
        self.tests.saturating_sub(self.green + self.skipped + self.red.len() as u32)
    }

    /// Whether the suite is one that a user can take as it is.
    pub fn is_clean(&self) -> bool {
        self.red.is_empty()
            && self.not_run() == 0
            && self.skipped == 0
            && self.left_behind.is_empty()
            && self.maven_failure.is_none()
    }

    /// JaCoCo's coverage of all its classes.
    pub fn jacoco(&self) -> Coverage {
        self.sum(|class| class.jacoco)
    }

    /// The program's own measurement.
    pub fn own(&self) -> Coverage {
        self.sum(|class| class.own)
    }

    /// Mutants of all its classes; nothing where no score was asked for.
    pub fn mutants(&self) -> Count {
        self.classes.iter().filter_map(|class| class.mutants).sum()
    }

    fn sum(&self, of: impl Fn(&GuidedClass) -> Coverage) -> Coverage {
        let mut sum = Coverage::default();
        for class in &self.classes {
            sum += of(class);
        }
        sum
    }
}

/// One class.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GuidedClass {
    /// Its binary name.
    pub name: String,
    /// The classes its coverage is of: itself, and those only it can reach.
    pub measured: Vec<String>,
    /// Tests written.
    pub tests: u32,
    /// Assertions in them.
    pub assertions: u32,
    /// Calls made while searching.
    pub calls: u64,
    /// Coverage by the program itself; of nothing for a peer.
    pub own: Coverage,
    /// Coverage by JaCoCo.
    pub jacoco: Coverage,
    /// Mutants detected, of all, if that was asked for and PIT answered.
    pub mutants: Option<Count>,
    /// Why it or a member of it got no test.
    pub reasons: Vec<GeneratedReason>,
    /// Tests that were dropped, by why.
    pub dropped: BTreeMap<String, u32>,
}

/// What decides a variant of components.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ComponentQuestion {
    /// The classes, with the coordinates of their programs.
    pub classes: Vec<(String, Vec<String>)>,
    /// Components switched off.
    pub without: Vec<String>,
    /// Seconds of search per class.
    pub budget: f64,
    /// Where random numbers start.
    pub seed: u64,
    /// Classes worked on at a time.
    pub jobs: usize,
    /// The JDK's version.
    pub jdk: String,
    /// Which build of this program was asked.
    pub build: String,
}

/// What a choice of components reaches, by the program's own measurement.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ComponentRow {
    /// What was asked.
    pub question: ComponentQuestion,
    /// `all`, `none`, `without-…`, `only-…`.
    pub variant: String,
    /// Branches by class.
    pub classes: BTreeMap<String, Count>,
    /// Tests of all classes.
    pub tests: u32,
    /// Calls made in all searches.
    pub calls: u64,
}

impl Answer for ComponentRow {
    type Question = ComponentQuestion;

    fn question(&self) -> &ComponentQuestion {
        &self.question
    }
}

impl ComponentRow {
    /// Branch coverage, the mean over classes.
    pub fn mean(&self) -> Option<f64> {
        mean(self.classes.values().filter_map(|count| count.percent()))
    }
}

/// The whole study.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GuidedResult {
    /// Means.
    pub averages: Vec<Average>,
    /// Suites, by budget, then by program.
    pub pieces: Vec<Piece>,
    /// Choices of components, if they were asked for.
    pub components: Vec<ComponentRow>,
    /// What has no result; it is in no mean.
    pub failed: Vec<FailedPiece>,
}

impl GuidedResult {
    /// The result with its means.
    pub(super) fn of(
        pieces: Vec<Piece>,
        components: Vec<ComponentRow>,
        failed: Vec<FailedPiece>,
    ) -> Self {
        let mut averages = Vec::new();
        let mut done: Vec<(PieceKind, f64)> = Vec::new();
        for piece in &pieces {
            let key = (piece.kind, piece.question.budget);
            if done.contains(&key) {
                continue;
            }
            done.push(key);
            let of_key = pieces.iter().filter(|p| (p.kind, p.question.budget) == key);
            let of_key: Vec<&Piece> = of_key.collect();
            for role in [Some(Role::Tuning), Some(Role::HeldOut), None] {
                averages.extend(average(key, role, &of_key));
            }
        }
        Self { averages, pieces, components, failed }
    }

    /// Whether every piece has a result, and every suite of this program's is one that a user can
    /// take as it is.
    pub fn is_clean(&self) -> bool {
        self.failed.is_empty()
            && self.pieces.iter().filter(|piece| piece.kind == PieceKind::Own).all(Piece::is_clean)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A class with so many of 100 branches covered, or of `total`.
    fn class(name: &str, covered: u32, total: u32, mutants: Option<Count>) -> GuidedClass {
        let branches = Count { covered, total };
        GuidedClass {
            name: name.to_owned(),
            measured: vec![name.to_owned()],
            tests: covered,
            assertions: covered,
            calls: 1,
            own: Coverage { branches, ..Default::default() },
            jacoco: Coverage { branches, ..Default::default() },
            mutants,
            reasons: Vec::new(),
            dropped: BTreeMap::new(),
        }
    }

    /// A program with a large class and a small one; what is covered is of the small one.
    pub(in crate::guided) fn piece(program: &str, role: Role, budget: f64, covered: u32) -> Piece {
        let question = PieceQuestion {
            program: program.to_owned(),
            classes: Vec::new(),
            budget,
            mutation: true,
            peer: None,
            seed: 1,
            jobs: 2,
            jdk: "17".to_owned(),
            build: "b".to_owned(),
        };
        let mutants = Some(Count { covered: 1, total: 4 });
        Piece {
            question,
            program: program.to_owned(),
            version: "1".to_owned(),
            role,
            kind: PieceKind::Own,
            candidates: 9,
            classes: vec![class("a.Large", 0, 90, None), class("a.Small", covered, 10, mutants)],
            tests: covered,
            assertions: covered,
            green: covered,
            skipped: 0,
            red: Vec::new(),
            maven_failure: None,
            mutation_failure: None,
            peer_troubles: Vec::new(),
            left_behind: Vec::new(),
            dropped: BTreeMap::new(),
            warnings: Vec::new(),
            wall: 5.0,
            scheduled: 2.0,
            overhead_per_class: 3.0,
            maven_seconds: 1.0,
            mutation_seconds: 1.0,
        }
    }

    #[test]
    fn programs_are_averaged_by_their_sums_and_classes_each_for_itself() {
        let pieces = vec![
            piece("one", Role::Tuning, 2.0, 10),
            piece("two", Role::HeldOut, 2.0, 5),
            piece("one", Role::Tuning, 10.0, 10),
        ];
        let result = GuidedResult::of(pieces, Vec::new(), Vec::new());
        let found: Vec<_> = result
            .averages
            .iter()
            .map(|a| (a.budget, a.role, a.by_program.branches, a.by_class.branches))
            .collect();
        let (tuning, held_out) = (Some(Role::Tuning), Some(Role::HeldOut));
        assert_eq!(
            found,
            [
                (2.0, tuning, Some(10.0), Some(50.0)),
                (2.0, held_out, Some(5.0), Some(25.0)),
                (2.0, None, Some(7.5), Some(37.5)),
                (10.0, tuning, Some(10.0), Some(50.0)),
                (10.0, None, Some(10.0), Some(50.0)),
            ]
        );
        // A class without a score is in no mean of scores; one without a branch in none of branches.
        assert_eq!(result.averages[0].by_class.mutants, Some(25.0));
        assert_eq!(result.averages[0].by_program.instructions, None);
        assert!(result.is_clean());
    }

    #[test]
    fn a_test_that_nothing_is_known_of_is_not_clean() {
        let mut lost = piece("one", Role::Tuning, 2.0, 10);
        lost.green = 9;
        assert_eq!(lost.not_run(), 1);
        assert!(!GuidedResult::of(vec![lost], Vec::new(), Vec::new()).is_clean());
        let failed = FailedPiece { piece: "two-2s".to_owned(), why: "eels".to_owned() };
        assert!(!GuidedResult::of(Vec::new(), Vec::new(), vec![failed]).is_clean());
    }
}
