//! What a confined process may do, as plain data.
//!
//! A policy says what is wanted, not how it is reached, so that callers do not depend on kernel
//! mechanisms. The two presets are the two uses the product has; the setters serve what lies
//! between.

use std::path::{Path, PathBuf};

use crate::SandboxError;

/// What a process may do once it has entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    pub(crate) writable: Vec<PathBuf>,
    pub(crate) metadata: Permission,
    pub(crate) processes: Processes,
    pub(crate) signals: Permission,
    pub(crate) network: Network,
    pub(crate) privileges: Permission,
    pub(crate) limits: Limits,
}

/// Whether something is refused or left as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// Refused with an error.
    Deny,
    /// As without a sandbox.
    Allow,
}

/// Which processes may come into being.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Processes {
    /// Threads only: no new process, no other program.
    Deny,
    /// The process may become another program, but there is never a second process.
    Replace,
    /// As without a sandbox; children inherit the confinement.
    Allow,
}

/// Which sockets may be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// No sockets but connected pairs within the process.
    Deny,
    /// A loopback device of the process's own, without anybody else on it, and no Unix sockets
    /// with names. Where the kernel grants no network namespace this is [`Network::Deny`], and
    /// [`crate::Confinement::network`] says so.
    PrivateLoopback,
    /// As without a sandbox.
    Allow,
}

/// Resource limits; `None` leaves a limit as it is. Limits are only ever lowered.
///
/// Core dumps are always off. Address space is not limited: a JVM reserves far more than it uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Largest file that may be written, in bytes.
    pub file_size: Option<u64>,
    /// Most descriptors open at once.
    pub open_files: Option<u64>,
}

impl Policy {
    /// For code under test: writes below `scratch` only, no file metadata, no processes, no
    /// signals to others, a loopback device of its own, no privileged calls.
    ///
    /// Changing metadata (mode, owner, times, extended attributes) is refused below `scratch`
    /// too, because the kernel offers no way to tell by path.
    pub fn code_under_test(scratch: impl Into<PathBuf>) -> Self {
        Self {
            writable: vec![scratch.into()],
            metadata: Permission::Deny,
            processes: Processes::Deny,
            signals: Permission::Deny,
            network: Network::PrivateLoopback,
            privileges: Permission::Deny,
            limits: Limits { file_size: Some(1 << 30), open_files: Some(4096) },
        }
    }

    /// For whole tools, such as a build: writes below `writable` only and no signals to processes
    /// outside; processes and network as without a sandbox.
    ///
    /// Metadata of files outside can still be changed, and a server outside can be asked to write.
    pub fn files_only<P: Into<PathBuf>>(writable: impl IntoIterator<Item = P>) -> Self {
        Self {
            writable: writable.into_iter().map(Into::into).collect(),
            metadata: Permission::Allow,
            processes: Processes::Allow,
            signals: Permission::Deny,
            network: Network::Allow,
            privileges: Permission::Allow,
            limits: Limits::default(),
        }
    }

    /// Lets files be written below one more directory. It must exist when the policy is entered.
    #[must_use]
    pub fn writable(mut self, directory: impl Into<PathBuf>) -> Self {
        self.writable.push(directory.into());
        self
    }

    /// Sets which processes may come into being.
    #[must_use]
    pub fn processes(mut self, processes: Processes) -> Self {
        self.processes = processes;
        self
    }

    /// Sets which sockets may be opened.
    #[must_use]
    pub fn network(mut self, network: Network) -> Self {
        self.network = network;
        self
    }

    /// Sets whether processes outside may be signalled.
    #[must_use]
    pub fn signals(mut self, signals: Permission) -> Self {
        self.signals = signals;
        self
    }

    /// Sets whether file metadata (mode, owner, times, extended attributes) may be changed.
    #[must_use]
    pub fn metadata(mut self, metadata: Permission) -> Self {
        self.metadata = metadata;
        self
    }

    /// Sets the resource limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Refuses paths whose meaning depends on where the process stands, and the root directory,
    /// which would make every other rule void.
    pub(crate) fn validate(&self) -> Result<(), SandboxError> {
        for path in &self.writable {
            if !path.is_absolute() {
                return Err(SandboxError::RelativePath { path: path.clone() });
            }
            if path.canonicalize().is_ok_and(|real| real == Path::new("/")) {
                return Err(SandboxError::RootWritable { path: path.clone() });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, expected: Result<(), &str>) {
        let outcome = Policy::code_under_test(path).validate().map_err(|error| error.to_string());
        assert_eq!(outcome, expected.map_err(str::to_owned), "{path}");
    }

    #[test]
    fn writable_directories_are_absolute_and_not_the_root() {
        check("/tmp", Ok(()));
        check("scratch", Err("writable directory `scratch` is not an absolute path"));
        check("/tmp/..", Err("writable directory `/tmp/..` is the root directory"));
    }
}
