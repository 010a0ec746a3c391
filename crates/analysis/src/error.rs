//! What can be wrong with the code of a class that is analysed.

use classfile::ClassFileError;
use thiserror::Error;

/// Why a class cannot be analysed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum AnalysisError {
    /// The class file itself is damaged.
    #[error("cannot read the class")]
    ClassFile(#[from] ClassFileError),
    /// The instructions contradict each other, as the JVM's verifier would find too.
    #[error("bad code at instruction {at}: {reason}")]
    BadCode {
        /// The number of the instruction.
        at: usize,
        /// What is wrong.
        reason: &'static str,
    },
}
