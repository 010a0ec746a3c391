//! A network of one's own.
//!
//! A new network namespace holds a loopback device and nothing else, so that code which opens a
//! server and connects to it works, and nothing outside can be reached. Root makes one directly;
//! other users need a user namespace around it, which not every machine grants. Then all sockets
//! are refused instead (`refusals`): stricter, never weaker.

use std::fs;
use std::io;

use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};
use nix::unistd::{Gid, Uid, getegid, geteuid};

use crate::{Network, NetworkInForce, SandboxError, loopback};

/// Leaves the machine's network as `wanted` says, and tells what is left.
pub(crate) fn apply(wanted: Network) -> Result<NetworkInForce, SandboxError> {
    match wanted {
        Network::Allow => Ok(NetworkInForce::Unrestricted),
        Network::Deny => Ok(NetworkInForce::None { reason: None }),
        Network::PrivateLoopback => private(),
    }
}

fn private() -> Result<NetworkInForce, SandboxError> {
    let (user, group) = (geteuid(), getegid());
    match unshare(CloneFlags::CLONE_NEWNET) {
        Ok(()) => {}
        Err(Errno::EPERM) => match unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNET) {
            Ok(()) => keep_identity(user, group)
                .map_err(SandboxError::step("keep the user's identity in a user namespace"))?,
            Err(errno) => return Ok(none(format!("no user namespace: {errno}"))),
        },
        Err(errno) => return Ok(none(format!("no network namespace: {errno}"))),
    }
    Ok(match loopback::bring_up() {
        Ok(()) => NetworkInForce::PrivateLoopback,
        Err(errno) => none(format!("no loopback device: {errno}")),
    })
}

/// Maps the user and group to themselves; unmapped, the process would look like `nobody`'s.
fn keep_identity(user: Uid, group: Gid) -> io::Result<()> {
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    // The kernel wants this before a group map from a process without privileges.
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

fn none(reason: String) -> NetworkInForce {
    NetworkInForce::None { reason: Some(reason) }
}
