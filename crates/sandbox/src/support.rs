//! What this machine offers for confining, for `doctor`.

use std::fmt;

/// Whether a mechanism is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Availability {
    /// It is; with a detail such as its version.
    Available(String),
    /// It is not, and why.
    Missing(String),
}

impl Availability {
    /// Whether it is there.
    pub fn is_available(&self) -> bool {
        matches!(self, Self::Available(_))
    }
}

impl fmt::Display for Availability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Available(detail) => write!(f, "available ({detail})"),
            Self::Missing(reason) => write!(f, "missing ({reason})"),
        }
    }
}

/// What this machine offers for confining.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Support {
    /// Landlock, new enough for every policy: without it nothing can be confined.
    pub landlock: Availability,
    /// Landlock's signal scope: without it only lone processes can be kept from signalling.
    pub signal_scope: Availability,
    /// Seccomp filters: without them code under test cannot be confined.
    pub seccomp: Availability,
    /// A network namespace: without it code under test has no loopback, all else holds.
    pub network_namespace: Availability,
}

impl Support {
    /// Whether [`crate::Policy::code_under_test`] can be entered.
    pub fn confines_code_under_test(&self) -> bool {
        self.landlock.is_available() && self.seccomp.is_available()
    }

    /// Whether [`crate::Policy::files_only`] can be entered.
    pub fn confines_tools(&self) -> bool {
        self.landlock.is_available() && self.signal_scope.is_available()
    }
}

/// Asks the kernel what it offers; nothing is confined by it.
#[cfg(not(target_os = "linux"))]
pub fn support() -> Support {
    let missing = Availability::Missing(format!("{} is not Linux", std::env::consts::OS));
    Support {
        landlock: missing.clone(),
        signal_scope: missing.clone(),
        seccomp: missing.clone(),
        network_namespace: missing,
    }
}

/// Asks the kernel what it offers; nothing but short-lived threads is confined by it.
#[cfg(target_os = "linux")]
pub fn support() -> Support {
    let abi = crate::files::probe_abi();
    Support {
        landlock: linux::landlock(&abi, 3, "6.2"),
        signal_scope: linux::landlock(&abi, 6, "6.12"),
        seccomp: linux::seccomp(),
        network_namespace: linux::network_namespace(),
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;

    use nix::errno::Errno;
    use nix::sched::{CloneFlags, unshare};

    use super::Availability::{self, Available, Missing};

    pub(super) fn landlock(abi: &Result<u32, String>, needed: u32, linux: &str) -> Availability {
        match abi {
            Ok(abi) if *abi >= needed => Available(format!("ABI {abi}")),
            Ok(abi) => Missing(format!("ABI {abi}, needs {needed}: Linux {linux} or later")),
            Err(reason) => Missing(reason.clone()),
        }
    }

    pub(super) fn seccomp() -> Availability {
        if let Err(error) = seccompiler::TargetArch::try_from(std::env::consts::ARCH) {
            return Missing(error.to_string());
        }
        let path = "/proc/sys/kernel/seccomp/actions_avail";
        match fs::read_to_string(path) {
            Ok(actions) if actions.split_whitespace().any(|action| action == "errno") => {
                Available("filters that return errors".to_owned())
            }
            Ok(actions) => Missing(format!("{path} lists only {}", actions.trim())),
            Err(error) => Missing(format!("{path}: {error}")),
        }
    }

    /// As root, tries; for others the user namespace needs a process of one thread, so the
    /// settings that forbid it are read instead.
    pub(super) fn network_namespace() -> Availability {
        let attempt = std::thread::spawn(|| unshare(CloneFlags::CLONE_NEWNET)).join();
        match attempt {
            Ok(Ok(())) => Available("as this user".to_owned()),
            Ok(Err(Errno::EPERM)) => user_namespace(),
            Ok(Err(errno)) => Missing(errno.to_string()),
            Err(_) => Missing("the probing thread panicked".to_owned()),
        }
    }

    fn user_namespace() -> Availability {
        let forbidding = [
            ("/proc/sys/user/max_user_namespaces", "0"),
            ("/proc/sys/kernel/unprivileged_userns_clone", "0"),
            ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"),
        ];
        if !fs::exists("/proc/self/ns/user").unwrap_or(false) {
            return Missing("the kernel has no user namespaces".to_owned());
        }
        for (path, forbids) in forbidding {
            if fs::read_to_string(path).is_ok_and(|value| value.trim() == forbids) {
                return Missing(format!("{path} is {forbids}"));
            }
        }
        Available("through a user namespace, by its settings".to_owned())
    }
}
