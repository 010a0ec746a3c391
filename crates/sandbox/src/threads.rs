//! Makes sure that nobody stays outside.
//!
//! Landlock and seccomp confine the calling thread and its descendants, so a thread that runs
//! already would stay free, and a new user namespace is refused to a process with several.

use std::time::{Duration, Instant};

use crate::SandboxError;

/// A joined thread can be listed for a moment longer, until the kernel has reaped it.
const REAP_TIME: Duration = Duration::from_millis(100);

/// Fails unless the calling thread is the only one.
pub(crate) fn require_one() -> Result<(), SandboxError> {
    let deadline = Instant::now() + REAP_TIME;
    loop {
        let count =
            std::fs::read_dir("/proc/self/task").map_err(SandboxError::CountThreads)?.count();
        if count == 1 {
            return Ok(());
        }
        if Instant::now() > deadline {
            return Err(SandboxError::Threads { count });
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
