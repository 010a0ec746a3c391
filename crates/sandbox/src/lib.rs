//! Confines the calling process: files, network, processes, signals.
//!
//! A worker calls [`enter`] on its only thread before it runs anything it does not trust; from
//! then on this thread, and every thread and process it starts, can write below a few directories
//! only and cannot reach the network, other processes or the machine's settings. [`exec`] does the
//! same and then becomes another program.
//!
//! Three mechanisms of Linux work together, each where the others are blind: Landlock judges
//! paths but not file metadata or sockets, seccomp judges system calls but not paths, and a
//! network namespace leaves a loopback device with nobody else on it.
//!
//! What is not confined: reading, processor time, memory, the number of files written, and
//! descriptors that were open before (the caller decides what it holds when it enters).
//!
//! Invariants: a refused system call returns an error and kills nobody; a policy is in force as a
//! whole or `enter` fails, and after a failure the process is in no state to go on with.

mod confinement;
mod error;
mod policy;
mod support;

#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
mod loopback;
#[cfg(target_os = "linux")]
mod network;
#[cfg(target_os = "linux")]
mod refusals;
#[cfg(all(test, target_os = "linux"))]
mod simulated_kernel;
#[cfg(target_os = "linux")]
mod threads;

use std::ffi::OsStr;

pub use confinement::{Confinement, NetworkInForce};
pub use error::{Mechanism, SandboxError};
pub use policy::{Limits, Network, Permission, Policy, Processes};
pub use support::{Availability, Support, support};

/// Confines the calling process by `policy`, for good.
///
/// Must be called while the process has one thread. An error leaves the process partly confined:
/// report it and end.
#[cfg(target_os = "linux")]
pub fn enter(policy: &Policy) -> Result<Confinement, SandboxError> {
    threads::require_one()?;
    policy.validate()?;
    limits::apply(&policy.limits)?;
    // Namespaces and path descriptors first: what follows refuses to make either.
    let network = network::apply(policy.network)?;
    let landlock_abi = files::restrict(policy, &network)?;
    let refused_calls = filter::restrict(&refusals::of(policy, &network))?;
    Ok(Confinement {
        landlock_abi,
        writable: policy.writable.clone(),
        network,
        processes: policy.processes,
        refused_calls,
        limits: policy.limits,
    })
}

/// Confining is not implemented for this operating system: always an error.
#[cfg(not(target_os = "linux"))]
pub fn enter(policy: &Policy) -> Result<Confinement, SandboxError> {
    policy.validate()?;
    Err(SandboxError::Unsupported {
        mechanism: Mechanism::Landlock,
        reason: format!("{} is not Linux", std::env::consts::OS),
    })
}

/// Confines the calling process by `policy`, then replaces it by `command`.
///
/// Returns only if that failed. The policy must let a process replace itself
/// ([`Processes::Replace`] or [`Processes::Allow`]).
#[cfg(unix)]
pub fn exec<A: AsRef<OsStr>>(
    policy: &Policy,
    command: &OsStr,
    arguments: impl IntoIterator<Item = A>,
) -> SandboxError {
    use std::os::unix::process::CommandExt;

    if policy.processes == Processes::Deny {
        return SandboxError::ExecDenied { command: command.to_os_string() };
    }
    if let Err(error) = enter(policy) {
        return error;
    }
    let source = std::process::Command::new(command).args(arguments).exec();
    SandboxError::Exec { command: command.to_os_string(), source }
}
