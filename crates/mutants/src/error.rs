//! What can go wrong when classes are mutated.

use classfile::ClassFileError;
use thiserror::Error;

/// Why a class has no mutants, or a mutant cannot be made.
#[derive(Debug, Error)]
pub enum MutantsError {
    /// The class file is bad, or a limit of the format is passed.
    #[error("cannot mutate {class}")]
    ClassFile {
        /// The internal name of the class, or `a class` if it cannot be read.
        class: String,
        /// What is wrong.
        source: ClassFileError,
    },
    /// The mutant was found in another class, or in other bytes of this one.
    #[error("{mutant} is no mutant of these bytes: {reason}")]
    Mismatch {
        /// The id of the mutant.
        mutant: String,
        /// What does not fit.
        reason: &'static str,
    },
}
