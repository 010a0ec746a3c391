//! Files that code under test leaves open.
//!
//! The JDK closes a stream that nobody refers to any more, once the collector finds it; but files are
//! used up long before memory is, and then nothing that works on files goes on.

use std::fs;
use std::time::{Duration, Instant};

use jvm::{Jvm, JvmError};

/// Test cases with files between two looks: all that those can open must be left over.
const CASES: u32 = 16;
/// With so many open files garbage is collected; a process has about a hundred by itself.
const MANY: usize = 300;
/// Cleaners are given so long to close files, by which they have long been done.
const PATIENCE: Duration = Duration::from_millis(200);

/// Looks after open files.
pub(crate) struct OpenFiles<'vm> {
    jvm: &'vm Jvm,
    cases: u32,
}

impl<'vm> OpenFiles<'vm> {
    pub(crate) fn new(jvm: &'vm Jvm) -> Self {
        Self { jvm, cases: 0 }
    }

    /// A test case that may have opened files has ended.
    pub(crate) fn case_ended(&mut self) -> Result<(), JvmError> {
        self.cases = (self.cases + 1) % CASES;
        if self.cases == 0 && are_many() {
            self.close_forgotten()?;
        }
        Ok(())
    }

    /// Has those closed that nobody refers to.
    pub(crate) fn close_forgotten(&self) -> Result<(), JvmError> {
        jvm::collect_garbage(self.jvm)?;
        let start = Instant::now();
        while are_many() && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }
}

/// Whether this process has many files open: so many that they cannot be counted, for that takes one
/// more, are too many.
fn are_many() -> bool {
    fs::read_dir("/proc/self/fd").map_or(true, |files| files.count() > MANY)
}
