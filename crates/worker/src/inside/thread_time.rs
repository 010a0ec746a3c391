//! How much time a thread was given, so that a busy machine cuts no call short.
//!
//! While the thread runs or could run, its processor time counts; while it waits for something in
//! the kernel, the time on the clock does. What it spent in the queue for a processor counts not
//! at all: that says nothing of the call.

use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The time of one thread of this process.
#[derive(Debug)]
pub(crate) struct ThreadTime {
    folder: PathBuf,
    processor: Option<Duration>,
    clock: Instant,
}

impl ThreadTime {
    /// That of the current thread, from now on; to be asked from any thread.
    pub(crate) fn of_current_thread() -> Self {
        let folder = PathBuf::from(format!("/proc/self/task/{}", nix::unistd::gettid()));
        let mut time = Self { folder, processor: None, clock: Instant::now() };
        time.processor = time.processor_time();
        time
    }

    /// What the thread was given since this was last asked.
    pub(crate) fn advance(&mut self) -> Duration {
        let clock = Instant::now();
        let passed = clock - std::mem::replace(&mut self.clock, clock);
        let now = self.processor_time();
        let before = std::mem::replace(&mut self.processor, now);
        match (before, now) {
            (Some(before), Some(now)) if self.could_run() => now.saturating_sub(before).min(passed),
            // Waiting, or this kernel does not tell.
            _ => passed,
        }
    }

    /// Nanoseconds on a processor are the first number of `schedstat`.
    fn processor_time(&self) -> Option<Duration> {
        let text = std::fs::read_to_string(self.folder.join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    }

    /// The state follows the name, which is in parentheses and may hold any character.
    fn could_run(&self) -> bool {
        std::fs::read_to_string(self.folder.join("stat")).is_ok_and(|text| {
            text.rsplit(')').next().is_some_and(|r| r.trim_start().starts_with('R'))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_and_working_count_and_starving_does_not() {
        let mut time = ThreadTime::of_current_thread();
        // Asked by itself, the thread is running: a sleep is no processor time.
        std::thread::sleep(Duration::from_millis(50));
        assert!(time.advance() < Duration::from_millis(40));
        let started = Instant::now();
        while started.elapsed() < Duration::from_millis(50) {
            std::hint::spin_loop();
        }
        let worked = time.advance();
        assert!(worked > Duration::ZERO && worked < Duration::from_secs(5), "{worked:?}");
        // Asked by another thread, it is found waiting.
        let waited = std::thread::scope(|scope| {
            let asked = scope.spawn(move || {
                time.advance();
                std::thread::sleep(Duration::from_millis(50));
                time.advance()
            });
            asked.join().expect("no panic")
        });
        assert!(waited >= Duration::from_millis(50), "{waited:?}");
    }
}
