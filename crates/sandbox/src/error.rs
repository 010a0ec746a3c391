//! Why a process could not be confined.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// A kernel mechanism that confinement rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mechanism {
    /// Landlock: which paths may be written.
    Landlock,
    /// Landlock's signal scope: which processes may be signalled.
    SignalScope,
    /// Seccomp: which system calls are refused.
    Seccomp,
    /// A network namespace: a loopback device of one's own.
    NetworkNamespace,
}

impl fmt::Display for Mechanism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Landlock => "Landlock (Linux 6.2 or later)",
            Self::SignalScope => "Landlock signal scope (Linux 6.12 or later)",
            Self::Seccomp => "seccomp",
            Self::NetworkNamespace => "network namespaces",
        })
    }
}

/// Why a process could not be confined.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The machine lacks a mechanism the policy needs.
    #[error(
        "the sandbox needs {mechanism}: {reason}; `--no-sandbox` runs without, at your own risk"
    )]
    Unsupported {
        /// What is missing.
        mechanism: Mechanism,
        /// How that showed.
        reason: String,
    },
    /// Other threads run already and would stay free.
    #[error("the sandbox must be entered by the only thread of a process, but there are {count}")]
    Threads {
        /// How many threads there are.
        count: usize,
    },
    /// The threads of this process could not be counted.
    #[error("cannot count the threads of this process in /proc/self/task")]
    CountThreads(#[source] io::Error),
    /// A writable directory was given relative to somewhere.
    #[error("writable directory `{}` is not an absolute path", path.display())]
    RelativePath {
        /// The path as given.
        path: PathBuf,
    },
    /// Everything was made writable.
    #[error("writable directory `{}` is the root directory", path.display())]
    RootWritable {
        /// The path as given.
        path: PathBuf,
    },
    /// A writable directory cannot be opened.
    #[error("cannot open writable directory `{}`", path.display())]
    OpenWritable {
        /// The path as given.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A step of confining failed though the machine has the mechanism.
    #[error("cannot {step}")]
    Step {
        /// The step, as a verb phrase.
        step: &'static str,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// [`crate::exec`] with a policy that refuses it.
    #[error("the policy refuses to become another program, so `{}` cannot run", command.display())]
    ExecDenied {
        /// The program.
        command: OsString,
    },
    /// The program could not be started.
    #[error("cannot run `{}`", command.display())]
    Exec {
        /// The program.
        command: OsString,
        /// Why.
        source: io::Error,
    },
}

#[cfg(target_os = "linux")]
impl SandboxError {
    /// A failed step, for `map_err`.
    pub(crate) fn step<E>(step: &'static str) -> impl FnOnce(E) -> Self
    where
        E: std::error::Error + Send + Sync + 'static,
    {
        move |source| Self::Step { step, source: Box::new(source) }
    }
}
