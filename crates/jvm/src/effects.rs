//! What code under test tried to do outside the heap, as it happens (requirement Q17).
//!
//! Effects arrive from two sides: wrapped native methods of the JDK (`natives`) and hooks at the
//! entry of JDK methods that set process-wide state, which call `Testhound.effect`. They are
//! noted only while a test case runs, whatever thread they come from; but who says so leaves out those
//! of finalizers and cleaners, which come when garbage is collected and so during any test case.

use std::ffi::c_void;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jclass, jint, jstring};
use model::{Effect, EffectKind, EffectSet};

use crate::env::{Env, jni};
use crate::{JvmError, clock, own_folder};

static ARMED: AtomicBool = AtomicBool::new(false);
static CLEANING_COUNTS: AtomicBool = AtomicBool::new(true);
static KINDS: AtomicU32 = AtomicU32::new(0);
static STARTED_THREADS: AtomicU32 = AtomicU32::new(0);
static DETAILS: Mutex<Vec<Effect>> = Mutex::new(Vec::new());

/// More attempts than this by one test case are only counted by kind.
const MAX_DETAILS: usize = 64;

/// A test case that starts more threads than this is told that there are no more. What a machine has
/// would take a minute to start and as long to end.
const MAX_THREADS: u32 = 500;

/// Starts noting effects, with none noted.
pub(crate) fn arm() {
    KINDS.store(0, Ordering::Relaxed);
    STARTED_THREADS.store(0, Ordering::Relaxed);
    ARMED.store(true, Ordering::Release);
}

/// Leaves out what finalizers and cleaners do from now on, which is then for others to find out.
pub fn leave_out_cleaning() {
    CLEANING_COUNTS.store(false, Ordering::Release);
}

thread_local! {
    /// Whether this thread runs finalizers or cleaners. The JVM gives its threads their names for the
    /// system too, cut to 15 characters. Code under test may name a thread of its own like that.
    static IS_CLEANING: bool = std::fs::read_to_string("/proc/thread-self/comm").is_ok_and(|name| {
        let name = name.trim_end();
        ["Finalizer", "Common-Cleaner", "Reference Handl"].contains(&name)
            || name.starts_with("Cleaner-")
    });
}

/// Stops noting effects.
pub(crate) fn disarm() {
    ARMED.store(false, Ordering::Release);
}

pub(crate) fn is_armed() -> bool {
    ARMED.load(Ordering::Acquire)
}

/// The kinds noted since `arm`.
pub(crate) fn kinds() -> EffectSet {
    EffectSet::from_bits(KINDS.load(Ordering::Acquire))
}

/// How many threads were started since `arm`.
pub(crate) fn started_threads() -> u32 {
    STARTED_THREADS.load(Ordering::Acquire)
}

/// The effects noted since the last call of this function.
pub(crate) fn take_details() -> Vec<Effect> {
    std::mem::take(&mut *DETAILS.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
}

/// Notes an effect, if a test case is running.
pub(crate) fn note(kind: EffectKind, on: impl FnOnce() -> String) {
    let is_left_out =
        || !CLEANING_COUNTS.load(Ordering::Acquire) && IS_CLEANING.with(|cleaning| *cleaning);
    if !is_armed() || is_left_out() {
        return;
    }
    let before = KINDS.fetch_or(1 << kind as u8, Ordering::AcqRel);
    // Output comes in many pieces, and who looks for files looks at many: one is enough.
    let is_frequent = matches!(kind, EffectKind::Output | EffectKind::FileLook);
    if is_frequent && EffectSet::from_bits(before).contains(kind) {
        return;
    }
    let mut details = DETAILS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if details.len() < MAX_DETAILS {
        details.push(Effect { kind, on: on() });
    }
}

/// Notes that a thread is to be started; whether it may be.
pub(crate) fn note_thread() -> bool {
    if is_armed() && STARTED_THREADS.fetch_add(1, Ordering::AcqRel) >= MAX_THREADS {
        note(EffectKind::Thread, || format!("more than {MAX_THREADS}"));
        return false;
    }
    clock::note_thread_start();
    true
}

/// Connects `java.lang.Testhound`'s native methods.
pub(crate) fn connect(env: Env) -> Result<(), JvmError> {
    let class = env.find_class("java/lang/Testhound")?;
    // SAFETY: the functions have the C signatures of the methods they are registered for.
    unsafe {
        let effect = on_effect as *mut c_void;
        env.register_native(class, c"record", c"(I)V", effect)?;
        let exited = on_exit as *mut c_void;
        env.register_native(class, c"exited", c"(I)Z", exited)?;
        let taken = on_take as *mut c_void;
        env.register_native(class, c"effectsSinceLast", c"()I", taken)?;
        let own_folder = on_own_folder as *mut c_void;
        env.register_native(class, c"setOwnFolder", c"(Ljava/lang/String;)V", own_folder)?;
        env.register_native(class, c"setOurs", c"(Z)V", on_ours as *mut c_void)?;
        let watched = jni!(env, GetStaticFieldID, class, c"watched".as_ptr(), c"Z".as_ptr());
        jni!(env, SetStaticBooleanField, class, watched, 1);
    }
    Ok(())
}

unsafe extern "system" fn on_effect(_env: *mut JNIEnv, _class: jclass, kind: jint) {
    if let Some(kind) = u8::try_from(kind).ok().and_then(EffectKind::from_number) {
        note(kind, String::new);
    }
}

unsafe extern "system" fn on_take(_env: *mut JNIEnv, _class: jclass) -> jint {
    take_details();
    KINDS.swap(0, Ordering::AcqRel) as jint
}

unsafe extern "system" fn on_own_folder(env: *mut JNIEnv, _class: jclass, path: jstring) {
    // SAFETY: the first argument of a native method is the thread's environment, and the method's
    // descriptor says that this one is a string.
    let path = (!path.is_null()).then(|| unsafe { Env::from_raw(env).read_string(path) });
    own_folder::set_own_folder(path.map(|path| path.to_string()).as_deref().map(Path::new));
}

unsafe extern "system" fn on_ours(_env: *mut JNIEnv, _class: jclass, is: jboolean) {
    clock::set_ours(is != 0);
}

/// Always refuses: a thread that code under test left behind may ask at any time, and our own
/// processes do not end through Java.
unsafe extern "system" fn on_exit(_env: *mut JNIEnv, _class: jclass, status: jint) -> jboolean {
    note(EffectKind::Exit, || format!("status {status}"));
    1
}

/// Stops noting effects for a moment; the result is for [`resume`].
pub(crate) fn pause() -> bool {
    ARMED.swap(false, Ordering::AcqRel)
}

/// Goes on after [`pause`].
pub(crate) fn resume(armed: bool) {
    ARMED.store(armed, Ordering::Release);
}
