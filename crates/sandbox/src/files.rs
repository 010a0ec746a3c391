//! Files and signals, by Landlock.
//!
//! Every right to change a file is handled, then granted again below the writable directories, so
//! a change anywhere else fails whatever path, link or descriptor leads there. Reading and
//! executing are not handled.
//!
//! Invariant: what the policy needs is a hard requirement; only what seccomp refuses as well
//! (device ioctl, TCP, signals of a lone process) is best effort.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, LandlockStatus,
    PathBeneath, RestrictionStatus, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope,
};
use nix::libc;

use crate::{Mechanism, Network, NetworkInForce, Permission, Policy, Processes, SandboxError};

/// Devices that swallow what is written; a JVM and most tools expect to open them for writing.
const HARMLESS_DEVICES: [&str; 5] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// The version that first covers truncating, without which files outside can be emptied.
const REQUIRED: ABI = ABI::V3;

/// Restricts this thread and its descendants; returns the Landlock version in use.
pub(crate) fn restrict(policy: &Policy, network: &NetworkInForce) -> Result<u32, SandboxError> {
    let ruleset = handled(policy, network)?;
    let mut ruleset = ruleset.create().map_err(SandboxError::step("create a Landlock ruleset"))?;
    for directory in &policy.writable {
        let descriptor = open(directory, libc::O_DIRECTORY)
            .map_err(|source| SandboxError::OpenWritable { path: directory.clone(), source })?;
        ruleset = ruleset
            .add_rule(PathBeneath::new(descriptor, granted_below()))
            .map_err(SandboxError::step("add a writable directory"))?;
    }
    for device in HARMLESS_DEVICES {
        // A container without one of these devices loses nothing by its rule missing.
        let Ok(descriptor) = open(Path::new(device), 0) else { continue };
        ruleset = ruleset
            .add_rule(PathBeneath::new(descriptor, AccessFs::WriteFile))
            .map_err(SandboxError::step("add a writable device"))?;
    }
    let status = ruleset.restrict_self().map_err(SandboxError::step("enforce Landlock"))?;
    confirm(&status)
}

fn handled(policy: &Policy, network: &NetworkInForce) -> Result<Ruleset, SandboxError> {
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_write(REQUIRED))
        .map_err(unsupported(Mechanism::Landlock))?;
    if policy.signals == Permission::Deny {
        // Alone in its domain, a process is also held by a filter on its own id; several
        // processes are not.
        if policy.processes != Processes::Allow {
            ruleset = ruleset.set_compatibility(CompatLevel::BestEffort);
        }
        ruleset = ruleset.scope(Scope::Signal).map_err(unsupported(Mechanism::SignalScope))?;
    }
    ruleset = ruleset.set_compatibility(CompatLevel::BestEffort);
    let best_effort = SandboxError::step("handle optional Landlock rights");
    let extend = |ruleset: Ruleset| -> Result<Ruleset, RulesetError> {
        let mut ruleset = ruleset;
        if policy.privileges == Permission::Deny {
            ruleset = ruleset.handle_access(AccessFs::IoctlDev)?;
        }
        if policy.network != Network::Allow {
            ruleset = ruleset.scope(Scope::AbstractUnixSocket)?;
        }
        if matches!(network, NetworkInForce::None { .. }) {
            ruleset = ruleset.handle_access(AccessNet::from_all(ABI::V4))?;
        }
        Ok(ruleset)
    };
    extend(ruleset).map_err(best_effort)
}

/// Rights below a writable directory: all but making devices, through which root could write to
/// a disk from inside.
fn granted_below() -> BitFlags<AccessFs> {
    AccessFs::from_write(REQUIRED) & !(AccessFs::MakeChar | AccessFs::MakeBlock)
}

fn open(path: &Path, flags: i32) -> io::Result<OwnedFd> {
    let file = std::fs::OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_PATH | libc::O_CLOEXEC | flags)
        .open(path)?;
    Ok(file.into())
}

fn unsupported(mechanism: Mechanism) -> impl FnOnce(RulesetError) -> SandboxError {
    move |error| SandboxError::Unsupported { mechanism, reason: error.to_string() }
}

fn confirm(status: &RestrictionStatus) -> Result<u32, SandboxError> {
    let missing = |reason: &str| SandboxError::Unsupported {
        mechanism: Mechanism::Landlock,
        reason: reason.to_owned(),
    };
    if status.ruleset == RulesetStatus::NotEnforced || !status.no_new_privs {
        return Err(missing("the kernel did not enforce it"));
    }
    abi(status.landlock).map_err(missing)
}

/// The version number of a Landlock status, or why there is none.
pub(crate) fn abi(status: LandlockStatus) -> Result<u32, &'static str> {
    match status {
        LandlockStatus::Available { kernel_abi: Some(newer), .. } => Ok(newer.unsigned_abs()),
        LandlockStatus::Available { effective_abi, .. } => Ok(effective_abi as u32),
        LandlockStatus::NotEnabled => Err("it is in the kernel but not enabled at boot"),
        LandlockStatus::NotImplemented => Err("the kernel has none"),
    }
}

/// The Landlock version of the running kernel, or why there is none.
///
/// The library tells only what it enforced, so a thread of its own is confined and ends.
pub(crate) fn probe_abi() -> Result<u32, String> {
    let attempt = || -> Result<RestrictionStatus, RulesetError> {
        Ruleset::default().handle_access(AccessFs::MakeBlock)?.create()?.restrict_self()
    };
    let status = std::thread::spawn(attempt)
        .join()
        .map_err(|_| "the probing thread panicked".to_owned())?
        .map_err(|error| error.to_string())?;
    abi(status.landlock).map_err(str::to_owned)
}
