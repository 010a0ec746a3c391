//! Exit codes: what scripts can rely on. The manual lists them.

use std::process::ExitCode;

use study::StudyError;
use toolchain::ToolchainError;
use worker::WorkerError;

/// How the program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Done; single classes that could not be tested included.
    Done = 0,
    /// Done, and something is wrong in the code under test.
    FailuresFound = 1,
    /// The input is wrong: arguments, class path, class names.
    BadInput = 2,
    /// Something that is needed is missing: a JDK, JUnit, Maven, sandbox support.
    MissingPart = 3,
    /// The output cannot be written.
    CannotWrite = 4,
    /// A defect of Testhound, or of the machine.
    Internal = 70,
    /// Interrupted; what was found until then is written.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An error whose exit code is chosen where it is made.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Failure {
    exit: Exit,
    message: String,
}

impl Failure {
    /// The input is wrong.
    pub(crate) fn bad_input(message: impl Into<String>) -> Self {
        Self { exit: Exit::BadInput, message: message.into() }
    }

    /// The output cannot be written.
    pub(crate) fn cannot_write(message: impl Into<String>) -> Self {
        Self { exit: Exit::CannotWrite, message: message.into() }
    }
}

impl Exit {
    /// The code for an error.
    pub(crate) fn of(error: &anyhow::Error) -> Self {
        if let Some(failure) = error.downcast_ref::<Failure>() {
            return failure.exit;
        }
        if let Some(error) = error.downcast_ref::<ToolchainError>() {
            return Self::of_toolchain(error);
        }
        if let Some(error) = error.downcast_ref::<StudyError>() {
            return match error {
                StudyError::NoSuchLibrary { .. } => Self::BadInput,
                StudyError::Toolchain(error) => Self::of_toolchain(error),
                StudyError::Jdk(_) => Self::MissingPart,
                StudyError::Io { .. } => Self::CannotWrite,
                _ => Self::Internal,
            };
        }
        if error.downcast_ref::<classpath::JdkError>().is_some() {
            return Self::MissingPart;
        }
        match error.downcast_ref::<WorkerError>() {
            Some(WorkerError::Failed(why)) if why.contains("--no-sandbox") => Self::MissingPart,
            _ => Self::Internal,
        }
    }

    fn of_toolchain(error: &ToolchainError) -> Self {
        match error {
            ToolchainError::NoPom { .. }
            | ToolchainError::NoSuchModule { .. }
            | ToolchainError::BadCoordinates { .. }
            | ToolchainError::MavenFailed { .. } => Self::BadInput,
            _ => Self::MissingPart,
        }
    }
}
