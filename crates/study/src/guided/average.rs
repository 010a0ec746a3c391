//! Means over programs and over classes.
//!
//! A program counts by the sums of its classes, as in the published figures; a class without a branch
//! or a mutant is in no mean of those.

use serde::{Deserialize, Serialize};

use super::Role;
use super::result::{GuidedClass, Piece, PieceKind};
use crate::Count;

/// Figures in percent; `None` of nothing.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Figures {
    /// Branches by JaCoCo.
    pub branches: Option<f64>,
    /// Branches by the program itself.
    pub own_branches: Option<f64>,
    /// Instructions by JaCoCo.
    pub instructions: Option<f64>,
    /// Mutation score by PIT.
    pub mutants: Option<f64>,
}

/// Means over all or some programs at one budget.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Average {
    /// Whose suites.
    pub kind: PieceKind,
    /// Seconds of search per class.
    pub budget: f64,
    /// Of programs of this role; of all if there is none.
    pub role: Option<Role>,
    /// How many programs.
    pub programs: usize,
    /// How many classes.
    pub classes: usize,
    /// The mean over programs, each by the sums of its classes: as the published figures are.
    pub by_program: Figures,
    /// The mean over classes.
    pub by_class: Figures,
    /// Seconds per class that were not search, the mean over classes.
    pub overhead_per_class: f64,
}

/// The means over pieces of one kind and budget whose programs have this role; `None` if none has.
pub(super) fn average(
    key: (PieceKind, f64),
    role: Option<Role>,
    pieces: &[&Piece],
) -> Option<Average> {
    let wanted = |piece: &&&Piece| role.is_none_or(|role| piece.role == role);
    let pieces: Vec<&Piece> = pieces.iter().filter(wanted).copied().collect();
    let classes: Vec<&GuidedClass> = pieces.iter().flat_map(|piece| &piece.classes).collect();
    if pieces.is_empty() {
        return None;
    }
    let over_programs =
        |of: &dyn Fn(&Piece) -> Count| mean(pieces.iter().filter_map(|p| of(p).percent()));
    let over_classes =
        |of: &dyn Fn(&GuidedClass) -> Count| mean(classes.iter().filter_map(|c| of(c).percent()));
    let overhead = pieces.iter().map(|p| p.overhead_per_class * p.classes.len() as f64);
    Some(Average {
        kind: key.0,
        budget: key.1,
        role,
        programs: pieces.len(),
        classes: classes.len(),
        by_program: Figures {
            branches: over_programs(&|piece| piece.jacoco().branches),
            own_branches: over_programs(&|piece| piece.own().branches),
            instructions: over_programs(&|piece| piece.jacoco().instructions),
            mutants: over_programs(&Piece::mutants),
        },
        by_class: Figures {
            branches: over_classes(&|class| class.jacoco.branches),
            own_branches: over_classes(&|class| class.own.branches),
            instructions: over_classes(&|class| class.jacoco.instructions),
            mutants: over_classes(&|class| class.mutants.unwrap_or_default()),
        },
        overhead_per_class: overhead.sum::<f64>() / classes.len().max(1) as f64,
    })
}

/// `None` of nothing.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
