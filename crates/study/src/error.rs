//! What keeps a study from having a result. Red tests do not: they are a result.

use std::io;
use std::path::PathBuf;

use classpath::JdkError;
use serde::{Deserialize, Serialize};
use toolchain::ToolchainError;

/// What keeps a study from having a result.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// There is no library of that name.
    #[error("no library is called `{name}`; there are {known}")]
    NoSuchLibrary {
        /// The name.
        name: String,
        /// Those there are.
        known: String,
    },
    /// A JDK, Maven or an artifact is missing.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// The JDK's classes cannot be read.
    #[error(transparent)]
    Jdk(#[from] JdkError),
    /// There is no local Maven repository to read from without network.
    #[error("there is no local Maven repository although Maven has just used it")]
    NoRepository,
    /// Something of the machine failed.
    #[error("cannot {action} `{}`", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// With what.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A program that is part of the study failed.
    #[error("{program} failed ({status}):\n{output}")]
    Program {
        /// Which.
        program: &'static str,
        /// How it ended.
        status: String,
        /// The end of what it said.
        output: String,
    },
    /// What a program wrote is not what it should write.
    #[error("{what} cannot be understood: {reason}")]
    BadOutput {
        /// Whose output.
        what: String,
        /// Why not.
        reason: String,
    },
    /// A library has no class by the drawing rule.
    #[error("{library} has no public top-level class with a branch")]
    NothingDrawn {
        /// Which.
        library: String,
    },
}

/// A piece that has no result although the others have: it is in no mean, and is tried again by the
/// next run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FailedPiece {
    /// Which.
    pub piece: String,
    /// Why.
    pub why: String,
}

impl FailedPiece {
    /// With the error and its causes.
    pub(crate) fn new(piece: impl Into<String>, error: &StudyError) -> Self {
        let mut why = error.to_string();
        let mut source = std::error::Error::source(error);
        while let Some(cause) = source {
            why.push_str(&format!(": {cause}"));
            source = cause.source();
        }
        Self { piece: piece.into(), why }
    }
}

impl StudyError {
    /// For `map_err`: what was tried with which path.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }

    /// For `map_err`: whose output cannot be understood.
    pub(crate) fn bad_output<E: ToString>(what: impl Into<String>) -> impl FnOnce(E) -> Self {
        let what = what.into();
        move |reason| Self::BadOutput { what, reason: reason.to_string() }
    }
}

/// The last lines of what a program said.
pub(crate) fn last_lines(output: &str, count: usize) -> String {
    let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_piece_tells_the_cause_too() {
        let error = StudyError::io("read", "/a/file")(io::Error::other("it is full of eels"));
        let failed = FailedPiece::new("eels-2s", &error);
        assert_eq!(failed.why, "cannot read `/a/file`: it is full of eels");
    }
}
