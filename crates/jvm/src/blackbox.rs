//! Where a worker was when it died: one word of memory shared with the supervisor.
//!
//! The worker maps a file and stores the number of each call before making it; the supervisor
//! reads the file when the worker is gone. The same word tells the watchdog whether calls go on.
//!
//! Invariant: a stop hits the call it is meant for or none. Who stops claims the call first
//! ([`Blackbox::claim`]), and a call that is claimed is not left before the stop was made. Each side
//! writes its own word and then reads the other's, in one total order, so that at least one of them
//! sees the other.

use std::fs::OpenOptions;
use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

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
    stop: AtomicU8,
}

/// Nobody stops the call under way.
const CALM: u8 = 0;
/// Somebody is about to.
const STOPPING: u8 = 1;
/// It was stopped.
const STOPPED: u8 = 2;

const IDLE: u32 = u32::MAX;
/// The number that stands for linking an operation, which runs static initializers.
pub const LINKING: u32 = u32::MAX - 1;
/// The number that stands for our own work around calls, which may ask code under test but is never
/// stopped.
pub const SETTLING: u32 = u32::MAX - 2;

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
        let blackbox = Self { map, stop: AtomicU8::new(CALM) };
        blackbox.word().store(u64::from(IDLE), Ordering::Relaxed);
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

    /// Notes that no operation is running; whether the last one was stopped, by an exception that
    /// may still be on its way.
    #[must_use]
    pub fn leave(&self) -> bool {
        let count = self.word().load(Ordering::Relaxed) >> 32;
        self.word().swap(count << 32 | u64::from(IDLE), Ordering::SeqCst);
        self.stop.load(Ordering::SeqCst) != CALM && self.wait_for_stop()
    }

    #[cold]
    fn wait_for_stop(&self) -> bool {
        loop {
            match self.stop.compare_exchange(STOPPED, CALM, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(_) => return true,
                Err(CALM) => return false,
                // This thread is in native code, so stopping it waits for nothing it does.
                Err(_) => std::thread::yield_now(),
            }
        }
    }

    /// Runs `stop`, which says whether it stopped something, if the call at that position is still
    /// under way; it does not end before that. For one thread only.
    pub(crate) fn claim<E>(
        &self,
        position: Position,
        stop: impl FnOnce() -> Result<(), E>,
    ) -> Result<bool, E> {
        let before = self.stop.swap(STOPPING, Ordering::SeqCst);
        let now = decode(self.word().load(Ordering::SeqCst));
        if now != position || now.operation.is_none() {
            self.stop.store(before, Ordering::SeqCst);
            return Ok(false);
        }
        let stopped = stop();
        let after = if stopped.is_ok() { STOPPED } else { before };
        self.stop.store(after, Ordering::SeqCst);
        stopped.map(|()| true)
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
        assert!(!blackbox.leave());
        assert_eq!(Blackbox::read(&path), Some(Position { count: 2, operation: None }));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(Blackbox::read(&path), None);
    }
    /// Calls come and go while another thread stops whatever it sees; a stop must be noticed by the
    /// call it was made for.
    #[test]
    fn a_stop_is_noticed_by_the_call_it_is_meant_for() {
        use std::sync::atomic::{AtomicBool, AtomicU32};

        let path = std::env::temp_dir().join(format!("testhound-claims-{}", std::process::id()));
        let blackbox = Blackbox::create(&path).unwrap();
        let (over, arrived) = (AtomicBool::new(false), AtomicU32::new(0));
        let (noticed, made) = std::thread::scope(|scope| {
            let stopper = scope.spawn(|| {
                let mut made = 0;
                while !over.load(Ordering::Acquire) {
                    let position = blackbox.position();
                    let stop = || {
                        arrived.fetch_add(1, Ordering::SeqCst);
                        Ok::<(), ()>(())
                    };
                    made += u32::from(blackbox.claim(position, stop).unwrap());
                }
                made
            });
            let mut noticed = 0;
            while noticed < 2000 {
                let before = arrived.load(Ordering::SeqCst);
                blackbox.enter(1);
                std::hint::spin_loop();
                let stopped = blackbox.leave();
                let after = arrived.load(Ordering::SeqCst);
                assert_eq!(stopped, after > before, "a stop came for another call");
                noticed += after - before;
            }
            over.store(true, Ordering::Release);
            (noticed, stopper.join().unwrap())
        });
        assert_eq!(noticed, made);
        std::fs::remove_file(&path).unwrap();
    }
}
