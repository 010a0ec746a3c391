//! The clocks Java is shown instead of the real one.
//!
//! In the search it is a *counted* clock: it starts at a fixed instant and moves on by being read
//! and by waiting, so that code which asks for the time does the same in every search. Readings are
//! counted for each thread, for other threads of the JVM read too, at moments of their own.
//!
//! Where suites are checked it is a *shifted* clock, to find tests that depend on the date: it starts at
//! a chosen moment and says whether it was asked for the date. It can run
//! on by some milliseconds whenever it is read: a test that reads it twice and counts on both
//! readings being the same fails there every time, not once in a thousand runs at the user's. And it
//! can be put forward to a chosen part of a second, so that a test which depends on that does so
//! every time.
//!
//! Our own Java code waits for threads and must see real time: see [`really`].
//!
//! Invariant: no thread ever sees either clock go back, but where [`set_shifted_clock`] is called, which
//! is for the time between suites.
//!
//! The JVM must run with `-XX:+UnlockDiagnosticVMOptions` and [`CLOCK_OPTION`], or compiled code
//! reads the real clock.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jlong};

use crate::{Jvm, JvmError, waits};

/// Has compiled code ask the methods that are replaced here.
pub const CLOCK_OPTION: &str = "-XX:DisableIntrinsic=_currentTimeMillis,_nanoTime,_park";

/// By how much each reading puts a clock forward.
const NANOS_PER_READING: i64 = 7_000_000;
/// When the counted clock starts: 2021-09-07 14:23:51.619 UTC. Some moment without meaning, not in
/// the future, so that code which refuses dates to come gets none.
pub(crate) const START_MILLIS: i64 = 1_631_024_631_619;
/// What the counted `nanoTime` starts with, which has no meaning either.
const START_NANO_TIME: i64 = 86_031_415_926_535;

const REAL: u8 = 0;
const SHIFTED: u8 = 1;
const COUNTED: u8 = 2;

/// Which clock Java sees.
static CLOCK: AtomicU8 = AtomicU8::new(REAL);
static SHIFT_MILLIS: AtomicI64 = AtomicI64::new(0);
/// By how much each reading puts the shifted clock forward.
static SHIFTED_PER_READING: AtomicI64 = AtomicI64::new(0);
/// How often the shifted clock was read, by whatever thread.
static READINGS: AtomicI64 = AtomicI64::new(0);
/// How often it was asked for the date, not only for the time that has passed.
static DATES: AtomicU64 = AtomicU64::new(0);
/// How far the counted clock has come where a thread was last started.
static AT_THREAD_START: AtomicI64 = AtomicI64::new(0);

thread_local! {
    /// How far the counted clock has come on this thread, in nanoseconds; 0 before it is first read.
    static PASSED: Cell<i64> = const { Cell::new(0) };
    /// Whether this thread runs our own code.
    static IS_OURS: Cell<bool> = const { Cell::new(false) };
}

/// Whether two readings of the shifted clock can be the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Readings {
    /// As those of the real one.
    MayBeAlike,
    /// Each is some milliseconds after the one before.
    Differ,
}

/// Has Java see a clock that starts at this moment, in milliseconds since the epoch.
pub fn shift_clock(jvm: &Jvm, moment: i64, readings: Readings) -> Result<(), JvmError> {
    set_shifted_clock(moment);
    let per_reading = match readings {
        Readings::MayBeAlike => 0,
        Readings::Differ => NANOS_PER_READING,
    };
    SHIFTED_PER_READING.store(per_reading, Ordering::Release);
    replace(jvm, SHIFTED)
}

/// Sets the shifted clock to another moment.
pub fn set_shifted_clock(moment: i64) {
    let real = real_nanos().div_euclid(1_000_000) as i64;
    SHIFT_MILLIS.store(moment - real, Ordering::Release);
    READINGS.store(0, Ordering::Release);
}

/// How far the shifted clock is ahead of the real one, but for its readings.
pub(crate) fn shift_millis() -> i64 {
    SHIFT_MILLIS.load(Ordering::Acquire)
}

/// How often the shifted clock was asked for the date so far.
pub fn dates_read() -> u64 {
    DATES.load(Ordering::Acquire)
}

/// Puts the shifted clock forward until it is this many milliseconds, less than 2000, after an even
/// second.
pub fn align_shifted_clock(millis: i64) {
    let now = shifted_nanos(ahead()).div_euclid(1_000_000) as i64;
    SHIFT_MILLIS.fetch_add((millis - now).rem_euclid(2000), Ordering::AcqRel);
}

/// Has Java see a clock that moves on only by being read and by waiting.
pub fn count_clock(jvm: &Jvm) -> Result<(), JvmError> {
    replace(jvm, COUNTED)
}

fn replace(jvm: &Jvm, clock: u8) -> Result<(), JvmError> {
    let env = jvm.attach()?;
    let system = env.find_class("java/lang/System")?;
    let vm = env.find_class("jdk/internal/misc/VM")?;
    waits::wrap(jvm, env)?;
    CLOCK.store(clock, Ordering::Release);
    // SAFETY: the functions have the C signatures of the methods they are registered for.
    unsafe {
        env.register_native(system, c"currentTimeMillis", c"()J", current_millis as *mut c_void)?;
        env.register_native(system, c"nanoTime", c"()J", nano_time as *mut c_void)?;
        env.register_native(vm, c"getNanoTimeAdjustment", c"(J)J", adjustment as *mut c_void)
    }
}

/// Runs our own code on this thread, which sees the real clock meanwhile.
pub(crate) fn really<T>(f: impl FnOnce() -> T) -> T {
    let before = IS_OURS.replace(true);
    let value = f();
    IS_OURS.set(before);
    value
}

/// Says whether this thread runs our own code from now on.
pub(crate) fn set_ours(is: bool) {
    IS_OURS.set(is);
}

/// A thread is about to be started by this one: its clock goes on from here.
pub(crate) fn note_thread_start() {
    AT_THREAD_START.fetch_max(PASSED.get(), Ordering::AcqRel);
}

/// This thread has waited for so long, until the time was over.
pub(crate) fn note_waited(nanos: i64) {
    if clock() == COUNTED {
        put_forward(nanos);
    }
}

/// The time until a moment, as this thread's clock has it, without counting as a reading.
pub(crate) fn millis_until(moment: i64) -> i64 {
    let now = match clock() {
        COUNTED => START_MILLIS.saturating_add(passed() / 1_000_000),
        SHIFTED => shifted_nanos(ahead()).div_euclid(1_000_000) as i64,
        _ => real_nanos().div_euclid(1_000_000) as i64,
    };
    moment.saturating_sub(now)
}

fn clock() -> u8 {
    if IS_OURS.get() { REAL } else { CLOCK.load(Ordering::Acquire) }
}

fn passed() -> i64 {
    match PASSED.get() {
        0 => AT_THREAD_START.load(Ordering::Acquire),
        passed => passed,
    }
}

fn put_forward(nanos: i64) -> i64 {
    let passed = passed().saturating_add(nanos);
    PASSED.set(passed);
    passed
}

fn real_nanos() -> i128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos() as i128
}

fn shifted_nanos(ahead: i64) -> i128 {
    let shift = i128::from(shift_millis()) * 1_000_000;
    real_nanos() + shift + i128::from(ahead)
}

/// By how much the shifted clock is ahead for having been read.
fn ahead() -> i64 {
    let per_reading = SHIFTED_PER_READING.load(Ordering::Acquire);
    READINGS.load(Ordering::Relaxed).wrapping_mul(per_reading)
}

fn count_reading() -> i64 {
    let ahead = ahead();
    READINGS.fetch_add(1, Ordering::Relaxed);
    ahead
}

/// A reading, in nanoseconds since the epoch.
fn read_nanos() -> i128 {
    match clock() {
        COUNTED => {
            i128::from(START_MILLIS) * 1_000_000 + i128::from(put_forward(NANOS_PER_READING))
        }
        SHIFTED => {
            DATES.fetch_add(1, Ordering::AcqRel);
            shifted_nanos(count_reading())
        }
        _ => real_nanos(),
    }
}

unsafe extern "system" fn nano_time(_env: *mut JNIEnv, _class: jclass) -> jlong {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let real = || START.elapsed().as_nanos() as i64;
    match clock() {
        COUNTED => START_NANO_TIME.wrapping_add(put_forward(NANOS_PER_READING)),
        SHIFTED => real().wrapping_add(count_reading()),
        _ => real(),
    }
}

unsafe extern "system" fn current_millis(_env: *mut JNIEnv, _class: jclass) -> jlong {
    read_nanos().div_euclid(1_000_000) as jlong
}

/// Nanoseconds from `offset` seconds after the epoch until now, or -1 if that is too far away.
unsafe extern "system" fn adjustment(_env: *mut JNIEnv, _class: jclass, offset: jlong) -> jlong {
    let nanos = read_nanos() - i128::from(offset) * 1_000_000_000;
    // `java.time.Clock` counts on at most 2^32 seconds.
    if nanos.abs() >= 1i128 << 62 { -1 } else { nanos as jlong }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a thread reads first, if threads were started when others had come so far.
    fn first_reading(passed_before: &[i64]) -> i64 {
        for passed in passed_before {
            PASSED.set(*passed);
            note_thread_start();
        }
        std::thread::spawn(|| put_forward(NANOS_PER_READING)).join().expect("it reads")
    }

    #[test]
    fn the_clock_of_a_thread_goes_on_from_that_of_its_starter() {
        assert_eq!(first_reading(&[]), NANOS_PER_READING);
        assert_eq!(first_reading(&[5_000]), 5_000 + NANOS_PER_READING);
        assert_eq!(first_reading(&[9_000, 7_000]), 9_000 + NANOS_PER_READING);
    }
}
