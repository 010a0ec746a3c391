//! Sees that calls come to an end: after a while the Java thread is stopped; if that does not
//! help, the supervisor is asked to kill the process.
//!
//! The step budget cuts most endless loops long before, at the same count every time. The clock is
//! for what probes do not see: endless loops in the JDK, blocked threads. Time is what the thread
//! was given (`thread_time`), so that a call is not cut short because others were busy.
//!
//! What is cut by the clock may differ from run to run. A search that is to find the same tests every
//! time has limits several times as long, so that only calls are cut that no machine would end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use jvm::{Blackbox, Jvm, JvmError, Position, SETTLING, Stopper};

use crate::inside::machine::Machine;
use crate::inside::tell;
use crate::inside::thread_time::ThreadTime;
use crate::protocol::{Reply, Sender, UnitBudget};

/// A call that runs for longer is stopped.
const CALL_LIMIT: Duration = Duration::from_millis(1500);
/// The same for a short search, of which a single call may take so small a part, but never less than
/// a call may need that loads many classes.
const PART_OF_SEARCH: u32 = 8;
const SHORTEST_CALL_LIMIT: Duration = Duration::from_millis(250);
/// A call that waits for something for longer is stopped: nothing will come.
const BLOCKED_LIMIT: Duration = Duration::from_millis(150);
/// A call that goes on for so long after the limit cannot be stopped.
const STOP_LIMIT: Duration = Duration::from_millis(700);
/// So many times as long a call may take by the clock, however little of it the thread was given:
/// the supervisor does not wait for ever either.
const PATIENCE: u32 = 8;
/// The supervisor hears from a living worker this often, whatever it does.
const BEAT_EVERY: Duration = Duration::from_secs(1);
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How many times as long calls may take where the budget is counted.
const COUNTED: u32 = 4;

/// How long calls may run and wait.
#[derive(Debug)]
struct Limits {
    call_millis: AtomicU32,
    blocked_millis: AtomicU32,
}

impl Limits {
    fn new() -> Self {
        let limits = Self { call_millis: AtomicU32::new(0), blocked_millis: AtomicU32::new(0) };
        limits.set(CALL_LIMIT, BLOCKED_LIMIT);
        limits
    }

    fn set(&self, call: Duration, blocked: Duration) {
        self.call_millis.store(call.as_millis() as u32, Ordering::Relaxed);
        self.blocked_millis.store(blocked.as_millis() as u32, Ordering::Relaxed);
    }

    fn call(&self) -> Duration {
        Duration::from_millis(self.call_millis.load(Ordering::Relaxed).into())
    }

    fn blocked(&self) -> Duration {
        Duration::from_millis(self.blocked_millis.load(Ordering::Relaxed).into())
    }
}

/// The watchdog; it ends with this.
pub(crate) struct Watchdog {
    over: Arc<AtomicBool>,
    limits: Arc<Limits>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    /// Has calls watched as befits a budget.
    pub(crate) fn watch_for(&self, budget: &UnitBudget) {
        match budget {
            UnitBudget::Calls(_) => self.limits.set(CALL_LIMIT * COUNTED, BLOCKED_LIMIT * COUNTED),
            UnitBudget::Time(time) => {
                let part = (*time / PART_OF_SEARCH).clamp(SHORTEST_CALL_LIMIT, CALL_LIMIT);
                self.limits.set(part, BLOCKED_LIMIT);
            }
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Watches the current thread.
pub(crate) fn start(
    jvm: &Jvm,
    machine: &Machine<'_>,
    sender: &Sender,
) -> Result<Watchdog, JvmError> {
    let stopper = Stopper::for_current_thread(jvm)?;
    let over = Arc::new(AtomicBool::new(false));
    let limits = Arc::new(Limits::new());
    let (jvm, blackbox, flag) = (jvm.clone(), machine.blackbox.clone(), over.clone());
    let mut timer = Timer::new(&blackbox);
    // Stopping waits for a safepoint, which may never come: not on the thread that can ask for help.
    let stopping = limits.clone();
    std::thread::spawn(move || stop_calls(&jvm, &stopper, &mut timer, &blackbox, &stopping, &flag));
    let (blackbox, sender, flag) = (machine.blackbox.clone(), sender.clone(), over.clone());
    let mut timer = Timer::new(&blackbox);
    let helping = limits.clone();
    let thread =
        std::thread::spawn(move || ask_for_help(&mut timer, &blackbox, &helping, &sender, &flag));
    Ok(Watchdog { over, limits, thread: Some(thread) })
}

/// How much time the call under way was given.
struct Timer {
    position: Position,
    time: ThreadTime,
    spent: Duration,
    since: Instant,
}

impl Timer {
    /// A timer for the calls of the current thread.
    fn new(blackbox: &Blackbox) -> Self {
        Self {
            position: blackbox.position(),
            time: ThreadTime::of_current_thread(),
            spent: Duration::ZERO,
            since: Instant::now(),
        }
    }

    /// What the same call has been given so far; nothing if none is under way.
    fn look(&mut self, blackbox: &Blackbox) -> Duration {
        let now = blackbox.position();
        let given = self.time.advance();
        if now != self.position || now.operation.is_none() {
            self.position = now;
            self.restart();
        } else {
            self.spent += given;
        }
        self.spent.max(self.since.elapsed() / PATIENCE)
    }

    /// Counts from now on.
    fn restart(&mut self) {
        self.spent = Duration::ZERO;
        self.since = Instant::now();
    }
}

fn stop_calls(
    jvm: &Jvm,
    stopper: &Stopper,
    timer: &mut Timer,
    blackbox: &Blackbox,
    limits: &Limits,
    over: &AtomicBool,
) {
    while !over.load(Ordering::Acquire) {
        std::thread::sleep(LOOK_EVERY);
        let spent = timer.look(blackbox);
        if spent < limits.blocked() {
            continue;
        }
        // Our own work is not stopped: its exceptions would be taken for failures of ours.
        if timer.position.operation == Some(SETTLING) {
            continue;
        }
        if spent >= limits.call() || stopper.is_blocked(jvm).unwrap_or(false) {
            // A failure shows as a call that goes on, for which help is asked.
            let _ = stopper.stop(jvm, blackbox, timer.position);
            timer.restart();
        }
    }
}

fn ask_for_help(
    timer: &mut Timer,
    blackbox: &Blackbox,
    limits: &Limits,
    sender: &Sender,
    over: &AtomicBool,
) {
    let mut last_beat = Instant::now();
    while !over.load(Ordering::Acquire) {
        std::thread::sleep(LOOK_EVERY);
        if last_beat.elapsed() >= BEAT_EVERY {
            last_beat = Instant::now();
            tell(sender, &Reply::Beat);
        }
        if timer.look(blackbox) >= limits.call() + STOP_LIMIT {
            tell(sender, &Reply::Hung);
            return;
        }
    }
}
