//! What is in force after entering, for logs and for `doctor`.

use std::fmt;
use std::path::PathBuf;

use crate::{Limits, Processes};

/// What is in force; returned by [`crate::enter`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confinement {
    /// The Landlock version in use.
    pub landlock_abi: u32,
    /// Directories below which files may be written.
    pub writable: Vec<PathBuf>,
    /// What is left of the network.
    pub network: NetworkInForce,
    /// Which processes may come into being.
    pub processes: Processes,
    /// How many system calls are refused, always or for some arguments; 0 without a filter.
    pub refused_calls: usize,
    /// The resource limits set.
    pub limits: Limits,
}

/// What is left of the network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NetworkInForce {
    /// The network of the machine.
    Unrestricted,
    /// A loopback device of the process's own.
    PrivateLoopback,
    /// No sockets.
    None {
        /// Why there is no loopback, if one was wanted.
        reason: Option<String>,
    },
}

impl fmt::Display for NetworkInForce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unrestricted => f.write_str("unrestricted"),
            Self::PrivateLoopback => f.write_str("private loopback"),
            Self::None { reason: None } => f.write_str("none"),
            Self::None { reason: Some(reason) } => write!(f, "none ({reason})"),
        }
    }
}

impl fmt::Display for Confinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Landlock ABI {}, writable:", self.landlock_abi)?;
        for path in &self.writable {
            write!(f, " {}", path.display())?;
        }
        write!(f, "; network: {}; {} system calls refused", self.network, self.refused_calls)
    }
}
