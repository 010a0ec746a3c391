//! Where a worker was when it died: one word of memory shared with the supervisor.
//!
//! The worker maps a file and stores the number of each call before making it; the supervisor
//! reads the file when the worker is gone. The same word tells the watchdog whether calls go on.

use std::fs::OpenOptions;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::MmapRaw;

use crate::JvmError;

/// What the box says: a count of calls made and the number of the one under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// Calls made so far (it wraps).
    pub count: u32,
    /// The operation under way, as numbered by the worker; `None` between calls.
    pub operation: Option<u32>,
}

/// The worker's side.
pub struct Blackbox {
    map: MmapRaw,
}

const IDLE: u32 = u32::MAX;
/// The number that stands for linking an operation, which runs static initializers.
pub const LINKING: u32 = u32::MAX - 1;

impl Blackbox {
    /// Creates and maps the file.
    pub fn create(path: &Path) -> Result<Self, JvmError> {
        let error = |source| JvmError::Blackbox { path: path.to_owned(), source };
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(path)
            .map_err(error)?;
        file.set_len(8).map_err(error)?;
        let map = MmapRaw::map_raw(&file).map_err(error)?;
        let blackbox = Self { map };
        blackbox.leave();
        Ok(blackbox)
    }

    fn word(&self) -> &AtomicU64 {
        // SAFETY: the mapping is page-aligned, eight bytes long and lives as long as `self`; both
        // sides only ever access it as one atomic word.
        unsafe { &*self.map.as_mut_ptr().cast::<AtomicU64>() }
    }

    /// Notes that an operation is about to run.
    pub fn enter(&self, operation: u32) {
        let count = (self.word().load(Ordering::Relaxed) >> 32) as u32;
        let next = u64::from(count.wrapping_add(1)) << 32 | u64::from(operation);
        self.word().store(next, Ordering::Relaxed);
    }

    /// Notes that no operation is running.
    pub fn leave(&self) {
        let count = self.word().load(Ordering::Relaxed) >> 32;
        self.word().store(count << 32 | u64::from(IDLE), Ordering::Relaxed);
    }

    /// What it says now.
    pub fn position(&self) -> Position {
        decode(self.word().load(Ordering::Relaxed))
    }

    /// Reads the box of another process; `None` if it never wrote one.
    pub fn read(path: &Path) -> Option<Position> {
        let bytes = std::fs::read(path).ok()?;
        Some(decode(u64::from_ne_bytes(bytes.try_into().ok()?)))
    }
}

fn decode(word: u64) -> Position {
    let operation = word as u32;
    Position { count: (word >> 32) as u32, operation: (operation != IDLE).then_some(operation) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_side_reads_what_was_entered_last() {
        let path = std::env::temp_dir().join(format!("testhound-blackbox-{}", std::process::id()));
        let blackbox = Blackbox::create(&path).unwrap();
        assert_eq!(Blackbox::read(&path), Some(Position { count: 0, operation: None }));
        blackbox.enter(7);
        blackbox.enter(9);
        assert_eq!(Blackbox::read(&path), Some(Position { count: 2, operation: Some(9) }));
        blackbox.leave();
        assert_eq!(Blackbox::read(&path), Some(Position { count: 2, operation: None }));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(Blackbox::read(&path), None);
    }
}
