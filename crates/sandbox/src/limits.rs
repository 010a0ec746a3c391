//! Resource limits of the process.
//!
//! Soft and hard limit are set alike, so that nothing raises them again (a JVM raises its soft
//! limit of open files by itself).

use nix::sys::resource::{Resource, getrlimit, setrlimit};

use crate::{Limits, SandboxError};

/// Lowers the limits of this process; core dumps are always off.
pub(crate) fn apply(limits: &Limits) -> Result<(), SandboxError> {
    lower(Resource::RLIMIT_CORE, Some(0))?;
    lower(Resource::RLIMIT_FSIZE, limits.file_size)?;
    lower(Resource::RLIMIT_NOFILE, limits.open_files)
}

fn lower(resource: Resource, wanted: Option<u64>) -> Result<(), SandboxError> {
    let Some(wanted) = wanted else { return Ok(()) };
    let (soft, hard) = getrlimit(resource).map_err(SandboxError::step("read a resource limit"))?;
    let limit = wanted.min(soft).min(hard);
    setrlimit(resource, limit, limit).map_err(SandboxError::step("set a resource limit"))
}
