//! Exit codes: what scripts can rely on. The manual lists them.

use std::process::ExitCode;

use sandbox::{Availability, Mechanism, SandboxError};
use study::StudyError;
use toolchain::ToolchainError;

use crate::args::MachineOptions;

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
    /// A defect of Testhound, or of the machine; the report of a run tells of the other classes.
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

    /// Something that is needed is missing.
    pub(crate) fn missing_part(message: impl Into<String>) -> Self {
        Self { exit: Exit::MissingPart, message: message.into() }
    }

    /// The output cannot be written.
    pub(crate) fn cannot_write(message: impl Into<String>) -> Self {
        Self { exit: Exit::CannotWrite, message: message.into() }
    }
}

/// Refuses to start where code under test cannot be confined, unless that is what the user wants.
pub(crate) fn require_sandbox(options: &MachineOptions) -> Result<(), SandboxError> {
    if options.no_sandbox { Ok(()) } else { confines_code_under_test(&sandbox::support()) }
}

fn confines_code_under_test(support: &sandbox::Support) -> Result<(), SandboxError> {
    let parts = [(Mechanism::Landlock, &support.landlock), (Mechanism::Seccomp, &support.seccomp)];
    for (mechanism, availability) in parts {
        if let Availability::Missing(reason) = availability {
            return Err(SandboxError::Unsupported { mechanism, reason: reason.clone() });
        }
    }
    Ok(())
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
        match error.downcast_ref::<SandboxError>() {
            Some(SandboxError::Unsupported { .. }) => Self::MissingPart,
            Some(SandboxError::Exec { .. }) => Self::BadInput,
            _ => Self::Internal,
        }
    }

    fn of_toolchain(error: &ToolchainError) -> Self {
        match error {
            ToolchainError::NoPom { .. }
            | ToolchainError::GradleNotBuilt { .. }
            | ToolchainError::NoSuchModule { .. }
            | ToolchainError::BadCoordinates { .. }
            | ToolchainError::NotAJar { .. }
            | ToolchainError::MavenFailed { .. } => Self::BadInput,
            _ => Self::MissingPart,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn support(landlock: Availability, seccomp: Availability) -> sandbox::Support {
        let missing = Availability::Missing("not asked for".to_owned());
        sandbox::Support {
            landlock,
            seccomp,
            signal_scope: missing.clone(),
            network_namespace: missing,
        }
    }

    #[test]
    fn a_machine_that_cannot_confine_lacks_a_part() {
        let there = || Availability::Available("ABI 3".to_owned());
        let missing = || Availability::Missing("too old".to_owned());
        assert!(confines_code_under_test(&support(there(), there())).is_ok());
        for support in [support(missing(), there()), support(there(), missing())] {
            let error = anyhow::Error::from(confines_code_under_test(&support).unwrap_err());
            assert_eq!(Exit::of(&error), Exit::MissingPart);
            let message = error.to_string();
            assert!(message.contains("too old") && message.contains("--no-sandbox"), "{message}");
        }
    }

    #[test]
    fn words_of_a_worker_do_not_choose_the_exit_code() {
        let error = worker::WorkerError::Failed("something of --no-sandbox".to_owned());
        assert_eq!(Exit::of(&error.into()), Exit::Internal);
    }
}
