//! What can go wrong when a class is rewritten.

use classfile::ClassFileError;
use thiserror::Error;

/// Why a class cannot be rewritten, or hits cannot be read.
#[derive(Debug, Error)]
pub enum InstrumentError {
    /// The class file is bad, or a limit of the format is passed.
    #[error("cannot instrument {class}")]
    ClassFile {
        /// The internal name of the class, or `a class` if it cannot be read.
        class: String,
        /// What is wrong.
        source: ClassFileError,
    },
    /// The plan was made for another class.
    #[error("the plan was made for other bytes of {class}: {reason}")]
    PlanMismatch {
        /// The class the plan was made for.
        class: String,
        /// What does not fit.
        reason: &'static str,
    },
    /// Probe ids beyond what an index into a Java array can be.
    #[error("{probes} probes of {class} do not fit into the map from {base} on")]
    MapTooLarge {
        /// The internal name of the class.
        class: String,
        /// Where its probes were to begin.
        base: u32,
        /// How many there are.
        probes: usize,
    },
    /// A method of a class file from version 51 on jumps to a place without frame.
    #[error("no stack map frame at a jump target of {class}")]
    MissingFrame {
        /// The internal name of the class.
        class: String,
    },
    /// Fewer hits than the class has probes.
    #[error("{found} hits for the {expected} probes of {class}")]
    MissingHits {
        /// The internal name of the class.
        class: String,
        /// How many probes it has.
        expected: usize,
        /// How many hits were given.
        found: usize,
    },
    /// An exit hook on a method whose first argument is no `int`.
    #[error("{class}.{method}{descriptor} has no exit status to pass on")]
    NoExitStatus {
        /// The internal name of the class.
        class: String,
        /// The name of the method.
        method: String,
        /// Its descriptor.
        descriptor: String,
    },
}
