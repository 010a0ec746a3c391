//! Resource limits of the process.
//!
//! Soft and hard limit are set alike, so that nothing raises them again. A JVM raises its soft limit
//! of open files by itself, as far as it may: so far that one is raised here.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

use crate::{Limits, SandboxError};

/// Lowers the limits of this process; core dumps are always off.
pub(crate) fn apply(limits: &Limits) -> Result<(), SandboxError> {
    lower(Resource::RLIMIT_CORE, Some(0))?;
    lower(Resource::RLIMIT_FSIZE, limits.file_size)?;
    let Some(open_files) = limits.open_files else { return Ok(()) };
    let (_, hard) = read(Resource::RLIMIT_NOFILE)?;
    set(Resource::RLIMIT_NOFILE, open_files.min(hard))
}

fn read(resource: Resource) -> Result<(u64, u64), SandboxError> {
    getrlimit(resource).map_err(SandboxError::step("read a resource limit"))
}

fn set(resource: Resource, limit: u64) -> Result<(), SandboxError> {
    setrlimit(resource, limit, limit).map_err(SandboxError::step("set a resource limit"))
}

fn lower(resource: Resource, wanted: Option<u64>) -> Result<(), SandboxError> {
    let Some(wanted) = wanted else { return Ok(()) };
    let (soft, hard) = read(resource)?;
    set(resource, wanted.min(soft).min(hard))
}
