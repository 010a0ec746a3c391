//! A shifted clock, to find tests that depend on the time of day.
//!
//! It also runs on by some milliseconds whenever it is read: a test that reads it twice and counts on
//! both readings being the same fails here every time, not once in a thousand runs at the user's.
//!
//! The JVM must run with `-XX:+UnlockDiagnosticVMOptions
//! -XX:DisableIntrinsic=_currentTimeMillis,_nanoTime`, or compiled code reads the real clock.

use std::ffi::c_void;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jlong};

use crate::{Jvm, JvmError};

static SHIFT_MILLIS: AtomicI64 = AtomicI64::new(0);
/// How often it was read.
static READINGS: AtomicI64 = AtomicI64::new(0);
/// By how much each reading puts it forward.
const NANOS_PER_READING: i64 = 7_000_000;

/// Has Java see a clock that is ahead by this much.
pub fn shift_clock(jvm: &Jvm, millis: i64) -> Result<(), JvmError> {
    SHIFT_MILLIS.store(millis, Ordering::Release);
    let env = jvm.attach()?;
    let system = env.find_class("java/lang/System")?;
    let vm = env.find_class("jdk/internal/misc/VM")?;
    // SAFETY: the functions have the C signatures of the methods they are registered for.
    unsafe {
        env.register_native(system, c"currentTimeMillis", c"()J", current_millis as *mut c_void)?;
        env.register_native(system, c"nanoTime", c"()J", nano_time as *mut c_void)?;
        env.register_native(vm, c"getNanoTimeAdjustment", c"(J)J", adjustment as *mut c_void)
    }
}

fn now_nanos() -> i128 {
    let real = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    real as i128
        + i128::from(SHIFT_MILLIS.load(Ordering::Acquire)) * 1_000_000
        + i128::from(put_forward())
}

fn put_forward() -> i64 {
    READINGS.fetch_add(1, Ordering::Relaxed).wrapping_mul(NANOS_PER_READING)
}

unsafe extern "system" fn nano_time(_env: *mut JNIEnv, _class: jclass) -> jlong {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    (START.elapsed().as_nanos() as i64).wrapping_add(put_forward())
}

unsafe extern "system" fn current_millis(_env: *mut JNIEnv, _class: jclass) -> jlong {
    (now_nanos() / 1_000_000) as jlong
}

/// Nanoseconds from `offset` seconds after the epoch until now, or -1 if that is too far away.
unsafe extern "system" fn adjustment(_env: *mut JNIEnv, _class: jclass, offset: jlong) -> jlong {
    let nanos = now_nanos() - i128::from(offset) * 1_000_000_000;
    // `java.time.Clock` counts on at most 2^32 seconds.
    if nanos.abs() >= 1i128 << 62 { -1 } else { nanos as jlong }
}
