//! Sees that calls come to an end: after a while the Java thread is stopped; if that does not
//! help, the supervisor is asked to kill the process.
//!
//! The step budget cuts most endless loops long before, at the same count every time. The clock is
//! for what probes do not see: endless loops in the JDK, blocked threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use jvm::{Blackbox, Jvm, JvmError, Stopper};

use crate::inside::machine::Machine;
use crate::inside::tell;
use crate::protocol::{Reply, Sender};

/// A call that takes longer is stopped.
const CALL_LIMIT: Duration = Duration::from_millis(1500);
/// A call that goes on for so long after it was stopped cannot be stopped.
const STOP_LIMIT: Duration = Duration::from_millis(700);
const LOOK_EVERY: Duration = Duration::from_millis(25);

/// The watchdog; it ends with this.
pub(crate) struct Watchdog {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
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
    let blackbox = machine.blackbox.clone();
    let over = Arc::new(AtomicBool::new(false));
    let asked = Arc::new(AtomicBool::new(false));
    // Stopping waits for a safepoint, which may never come: not on the thread that keeps the time.
    let stop_thread = stop_on_request(jvm.clone(), stopper, &asked, &over);
    let (sender, flag) = (sender.clone(), over.clone());
    let thread = std::thread::spawn(move || {
        watch(&blackbox, &sender, &flag, &asked);
        drop(stop_thread);
    });
    Ok(Watchdog { over, thread: Some(thread) })
}

fn stop_on_request(
    jvm: Jvm,
    stopper: Stopper,
    asked: &Arc<AtomicBool>,
    over: &Arc<AtomicBool>,
) -> JoinHandle<()> {
    let (asked, over) = (asked.clone(), over.clone());
    std::thread::spawn(move || {
        while !over.load(Ordering::Acquire) {
            if asked.swap(false, Ordering::AcqRel) {
                // A failure shows as a call that goes on, which the watchdog handles.
                let _ = stopper.stop(&jvm);
            }
            std::thread::sleep(LOOK_EVERY);
        }
    })
}

fn watch(blackbox: &Blackbox, sender: &Sender, over: &AtomicBool, asked: &AtomicBool) {
    let mut position = blackbox.position();
    let mut since = Instant::now();
    let mut stopped = false;
    while !over.load(Ordering::Acquire) {
        std::thread::sleep(LOOK_EVERY);
        let now = blackbox.position();
        if now != position || now.operation.is_none() {
            position = now;
            since = Instant::now();
            stopped = false;
        } else if !stopped && since.elapsed() > CALL_LIMIT {
            asked.store(true, Ordering::Release);
            stopped = true;
        } else if stopped && since.elapsed() > CALL_LIMIT + STOP_LIMIT {
            tell(sender, &Reply::Hung);
            return;
        }
    }
}
