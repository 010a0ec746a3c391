//! Runs tests of a suite, one at a time, within limits, and says what they came to.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jvm::{Arg, Count, Jvm, JvmError, LoadedClass, Meter, Service};

use crate::inside::thread_time::ThreadTime;
use crate::inside::{describe, tell};
use crate::mutation::suite::{Ending, SuiteOrder};
use crate::protocol::{Reply, Sender};

/// How often the clock is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// So many times as long a test may take by the clock, however little of it its thread was given.
const PATIENCE: u32 = 8;

/// So many times classes are loaded anew before those of earlier loaders are collected: every class that
/// there is makes swapping slower.
const RENEWALS_PER_COLLECTION: u32 = 4;

/// Where tests run.
pub(super) struct Bench<'vm> {
    jvm: &'vm Jvm,
    renewals: Cell<u32>,
    pub(super) service: Service<'vm>,
    pub(super) meter: Meter<'vm>,
    clock: Clock,
    temporary: PathBuf,
    suite: SuiteOrder,
}

/// A run of a test.
pub(super) struct Run {
    pub(super) end: Ending,
    pub(super) steps: i32,
    pub(super) time: Duration,
}

impl<'vm> Bench<'vm> {
    pub(super) fn new(
        jvm: &'vm Jvm,
        sender: &Sender,
        temporary: PathBuf,
    ) -> Result<Self, JvmError> {
        let name = "testhound/runtime/JUnitRun";
        let meter = Meter::new(jvm)?;
        let service = Service::define(jvm, runtime::service_classes(), name)?;
        service.call("begin", &[])?;
        let clock = Clock::start(sender);
        let suite =
            SuiteOrder { class_path: String::new(), own: String::new(), measured: Vec::new() };
        let renewals = Cell::new(0);
        Ok(Self { jvm, renewals, service, meter, clock, temporary, suite })
    }

    /// Takes a suite, with no class of it loaded.
    pub(super) fn open(&mut self, suite: SuiteOrder) -> Result<(), String> {
        self.suite = suite;
        self.renew()
    }

    /// Forgets all classes of the project, their static state, and what tests left in the folder for
    /// temporary files.
    pub(super) fn renew(&self) -> Result<(), String> {
        // Tests may have kept files open or removed the folder itself; what cannot be removed is no
        // concern of the next ones.
        let _ = std::fs::remove_dir_all(&self.temporary);
        std::fs::create_dir_all(&self.temporary)
            .map_err(|error| format!("the folder for temporary files cannot be made: {error}"))?;
        let (all, own) =
            (Arg::Text(Some(&self.suite.class_path)), Arg::Text(Some(&self.suite.own)));
        self.call("open", &[all, own])?;
        self.renewals.set(self.renewals.get() + 1);
        if self.renewals.get().is_multiple_of(RENEWALS_PER_COLLECTION) {
            jvm::collect_garbage(self.jvm).map_err(|error| describe(&error))?;
        }
        Ok(())
    }

    pub(super) fn call(&self, method: &str, args: &[Arg<'_>]) -> Result<Vec<String>, String> {
        self.service.call(method, args).map_err(|error| describe(&error))
    }

    /// Runs a test; a process in which it does not end is given up.
    pub(super) fn run(&self, id: &str, steps: i32, limit: Duration) -> Run {
        let started = Instant::now();
        self.clock.set(limit);
        self.meter.begin(steps);
        let answer = self.service.call("run", &[Arg::Text(Some(id))]);
        let count = self.meter.end(steps);
        self.clock.clear();
        Run { end: ending(answer, count), steps: count.steps, time: started.elapsed() }
    }

    /// A class of the project as the tests see it, by internal name.
    pub(super) fn loaded(&self, class: &str) -> Result<Option<LoadedClass<'vm>>, String> {
        LoadedClass::of(&self.service, "type", &class.replace('/', "."))
            .map_err(|error| describe(&error))
    }
}

fn ending(answer: Result<Vec<String>, JvmError>, count: Count) -> Ending {
    if count.is_stopped {
        return Ending::Stopped;
    }
    if count.has_exited {
        return Ending::Exited;
    }
    match answer.as_deref() {
        Ok([status, class, message]) => match &**status {
            "PASSED" => Ending::Passed,
            "SKIPPED" => Ending::Skipped,
            "ABSENT" => Ending::Absent,
            _ if message.is_empty() => Ending::Failed(class.clone()),
            _ => Ending::Failed(format!("{class}: {message}")),
        },
        Ok(_) => Ending::Absent,
        // What a test did to JUnit itself.
        Err(error) => Ending::Failed(error.to_string()),
    }
}

/// Has the supervisor kill this process when a test takes too long: the exception that would stop its
/// thread might hit JUnit or an initializer of the JDK, and spoil what later tests share with it.
///
/// Time is what the thread of the tests was given, so that no test is cut short because others were busy.
struct Clock {
    /// How many tests have begun, and in the lower half how many milliseconds the one under way may
    /// take; 0 if none is.
    word: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
}

impl Clock {
    /// A clock for the tests of the current thread.
    fn start(sender: &Sender) -> Self {
        let (word, is_over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (looked_at, ends, sender) = (word.clone(), is_over.clone(), sender.clone());
        let mut time = ThreadTime::of_current_thread();
        std::thread::spawn(move || {
            let (mut last, mut spent, mut since) = (0, Duration::ZERO, Instant::now());
            while !ends.load(Ordering::Acquire) {
                std::thread::sleep(LOOK_EVERY);
                let (word, given) = (looked_at.load(Ordering::Acquire), time.advance());
                if word == last {
                    spent += given;
                } else {
                    (last, spent, since) = (word, Duration::ZERO, Instant::now());
                }
                let limit = Duration::from_millis(word & u64::from(u32::MAX));
                let taken = spent.max(since.elapsed() / PATIENCE);
                if !limit.is_zero() && taken > limit {
                    tell(&sender, &Reply::Hung);
                    return;
                }
            }
        });
        Self { word, is_over }
    }

    fn set(&self, limit: Duration) {
        let count = self.word.load(Ordering::Relaxed) >> 32;
        let limit = u32::try_from(limit.as_millis()).unwrap_or(u32::MAX).max(1);
        self.word.store((count + 1) << 32 | u64::from(limit), Ordering::Release);
    }

    fn clear(&self) {
        let count = self.word.load(Ordering::Relaxed) >> 32;
        self.word.store(count << 32, Ordering::Release);
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
    }
}
