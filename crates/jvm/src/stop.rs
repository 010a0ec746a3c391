//! Stopping a Java thread from another thread (JVMTI `StopThread`).

use jvmti_bindings::sys::jni::{jobject, jvalue};
use jvmti_bindings::sys::jvmti::{
    JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER, JVMTI_THREAD_STATE_PARKED,
    JVMTI_THREAD_STATE_SLEEPING, JVMTI_THREAD_STATE_WAITING,
};
use std::ptr;

use crate::boot::jvmti;
use crate::env::jni;
use crate::{Blackbox, Jvm, JvmError, Position};

/// Throws `TesthoundStop` into one thread, from any other.
pub struct Stopper {
    thread: jobject,
    stop: jobject,
}

// SAFETY: both are global references, which are valid on every thread.
unsafe impl Send for Stopper {}
// SAFETY: as above.
unsafe impl Sync for Stopper {}

impl Stopper {
    /// A stopper for the current thread.
    pub fn for_current_thread(jvm: &Jvm) -> Result<Self, JvmError> {
        let env = jvm.attach()?;
        let thread_class = env.find_class("java/lang/Thread")?;
        let current = env.method(thread_class, "currentThread", "()Ljava/lang/Thread;", true)?;
        let stop_class = env.find_class("java/lang/TesthoundStop")?;
        let init = env.method(stop_class, "<init>", "()V", false)?;
        // SAFETY: the method ids belong to the classes they are used with and take no arguments.
        unsafe {
            let none = ptr::null::<jvalue>();
            let thread = jni!(env, CallStaticObjectMethodA, thread_class, current, none);
            let thread = env.global_or(thread, || "the current thread".into())?;
            let stop = jni!(env, NewObjectA, stop_class, init, none);
            let stop = env.global_or(stop, || "TesthoundStop".into())?;
            Ok(Self { thread, stop })
        }
    }

    /// Whether the thread sleeps or waits for something.
    pub fn is_blocked(&self, jvm: &Jvm) -> Result<bool, JvmError> {
        jvm.attach()?;
        let mut state = 0;
        // SAFETY: the reference is global and live; the out pointer is valid.
        let result = unsafe { jvmti!(jvm, GetThreadState, self.thread, &mut state) };
        jvm.check("GetThreadState", result)?;
        let blocked = JVMTI_THREAD_STATE_WAITING
            | JVMTI_THREAD_STATE_SLEEPING
            | JVMTI_THREAD_STATE_PARKED
            | JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER;
        Ok(state & blocked != 0)
    }

    /// Throws into the thread if the call at that position is still under way; whether it is. The
    /// exception arrives at the thread's next safepoint, or not at all if it is blocked or never
    /// reaches one; the call's executor sees to it that no later call meets it.
    pub fn stop(
        &self,
        jvm: &Jvm,
        blackbox: &Blackbox,
        position: Position,
    ) -> Result<bool, JvmError> {
        jvm.attach()?;
        blackbox.claim(position, || {
            // SAFETY: both references are global and live.
            let result = unsafe { jvmti!(jvm, StopThread, self.thread, self.stop) };
            jvm.check("StopThread", result)
        })
    }
}
