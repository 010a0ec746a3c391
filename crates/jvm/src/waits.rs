//! Waiting for a time, where the clock is another than the real one.
//!
//! Java waits in three native methods: `Object.wait`, `Thread.sleep` and `Unsafe.park`, by the real
//! clock. Who waits asks the clock after that how much of the time is left, and would wait again and
//! again if waiting did not move it. So each is wrapped: a wait that lasted until its time was over
//! puts the clock forward by what was asked for, which is the same every time. A wait until a given
//! moment, which is one of the clock that Java sees, becomes a wait for the time until then.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::{Duration, Instant};

use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jlong, jmethodID, jobject, jthread, jvalue};
use jvmti_bindings::sys::jvmti::{
    JVMTI_ENABLE, JVMTI_EVENT_NATIVE_METHOD_BIND, jvmtiCapabilities, jvmtiEnv, jvmtiError,
    jvmtiEventCallbacks,
};

use crate::boot::jvmti;
use crate::env::{Env, jni};
use crate::names::modified_utf8;
use crate::{Jvm, JvmError, clock};

type Wait = unsafe extern "system" fn(*mut JNIEnv, jobject, jlong);
type Park = unsafe extern "system" fn(*mut JNIEnv, jobject, jboolean, jlong);

static MONITOR_WAIT: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
static SLEEP: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
static PARK: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// A method that waits for a number of units of time, as some JDK has it.
struct Waiting {
    class: &'static str,
    method: &'static str,
    is_static: bool,
    /// The function of the JVM that it is bound to.
    function: &'static str,
    original: &'static AtomicPtr<c_void>,
    wrapper: Wait,
}

/// One of each class is native.
const WAITING: [Waiting; 5] = [
    waiting("java/lang/Object", "wait", "JVM_MonitorWait", monitor_wait),
    waiting("java/lang/Object", "wait0", "JVM_MonitorWait", monitor_wait),
    sleeping("sleep", "JVM_Sleep", sleep_millis),
    sleeping("sleep0", "JVM_Sleep", sleep_nanos),
    sleeping("sleepNanos0", "JVM_SleepNanos", sleep_nanos),
];

const fn waiting(
    class: &'static str,
    method: &'static str,
    function: &'static str,
    wrapper: Wait,
) -> Waiting {
    Waiting { class, method, is_static: false, function, original: &MONITOR_WAIT, wrapper }
}

const fn sleeping(method: &'static str, function: &'static str, wrapper: Wait) -> Waiting {
    let class = "java/lang/Thread";
    Waiting { class, method, is_static: true, function, original: &SLEEP, wrapper }
}

/// Wraps all three.
pub(crate) fn wrap(jvm: &Jvm, env: Env) -> Result<(), JvmError> {
    if !PARK.load(Ordering::Acquire).is_null() {
        return Ok(());
    }
    for waiting in &WAITING {
        wrap_waiting(jvm, env, waiting)?;
    }
    wrap_park(jvm, env)?;
    for (what, original) in
        [("Object.wait", &MONITOR_WAIT), ("Thread.sleep", &SLEEP), ("Unsafe.park", &PARK)]
    {
        if original.load(Ordering::Acquire).is_null() {
            let why = "this JDK has no native method for it".to_owned();
            return Err(JvmError::Link { what: what.to_owned(), why });
        }
    }
    Ok(())
}

fn wrap_waiting(jvm: &Jvm, env: Env, waiting: &Waiting) -> Result<(), JvmError> {
    let class = env.find_class(waiting.class)?;
    let Ok(method) = env.method(class, waiting.method, "(J)V", waiting.is_static) else {
        return Ok(());
    };
    let mut native: jboolean = 0;
    // SAFETY: a method id of a loaded class; the out pointer is valid.
    let answer = unsafe { jvmti!(jvm, IsMethodNative, method, &mut native) };
    jvm.check("IsMethodNative", answer)?;
    let symbol = format!("{}\0", waiting.function);
    // SAFETY: the symbol is a function; it is only stored here.
    let function = unsafe { jvm.library().get::<*mut c_void>(symbol.as_bytes()) };
    let (true, Ok(function)) = (native != 0, function) else { return Ok(()) };
    waiting.original.store(*function, Ordering::Release);
    let name = modified_utf8(waiting.method);
    // SAFETY: the wrapper has the C signature of a method that takes a long.
    unsafe { env.register_native(class, &name, c"(J)V", waiting.wrapper as *mut c_void) }
}

/// The JVM exports no function for it, but tells its address when it is bound to another than it was,
/// and its class can be asked to bind its natives once more: so it is bound to the wrapper, then back.
fn wrap_park(jvm: &Jvm, env: Env) -> Result<(), JvmError> {
    let class = env.find_class("jdk/internal/misc/Unsafe")?;
    let register = env.method(class, "registerNatives", "()V", true)?;
    // SAFETY: the wrapper has the C signature of the method.
    unsafe { env.register_native(class, c"park", c"(ZJ)V", park as *mut c_void)? };
    let listener = jvm.another_jvmti()?;
    let mut capabilities = jvmtiCapabilities::default();
    capabilities.set_can_generate_native_method_bind_events(true);
    let mut callbacks = jvmtiEventCallbacks::default();
    callbacks.NativeMethodBind = Some(on_bind);
    let size = size_of::<jvmtiEventCallbacks>() as i32;
    let event = JVMTI_EVENT_NATIVE_METHOD_BIND;
    // SAFETY: structures outlive the calls; the method is static, without arguments or result; the
    // environment is used no more once it is disposed of.
    unsafe {
        jvm.check("AddCapabilities", jvmti!(listener, AddCapabilities, &capabilities))?;
        jvm.check("SetEventCallbacks", jvmti!(listener, SetEventCallbacks, &callbacks, size))?;
        let nobody = ptr::null_mut::<c_void>();
        let enabled = jvmti!(listener, SetEventNotificationMode, JVMTI_ENABLE, event, nobody);
        jvm.check("SetEventNotificationMode", enabled)?;
        jni!(env, CallStaticVoidMethodA, class, register, ptr::null::<jvalue>());
        jvm.check("DisposeEnvironment", jvmti!(listener, DisposeEnvironment))?;
    }
    match env.take_exception() {
        None => Ok(()),
        Some(thrown) => {
            Err(JvmError::Link { what: "Unsafe.park".into(), why: env.describe(thrown) })
        }
    }
}

unsafe extern "system" fn on_bind(
    jvmti: *mut jvmtiEnv,
    _jni: *mut JNIEnv,
    _thread: jthread,
    method: jmethodID,
    address: *mut c_void,
    new_address: *mut *mut c_void,
) {
    // SAFETY: JVMTI's arguments are valid during the callback; what it allocated is given back.
    unsafe {
        let functions = &*(*jvmti).functions;
        let (Some(get_name), Some(deallocate)) = (functions.GetMethodName, functions.Deallocate)
        else {
            return;
        };
        let mut name: *mut c_char = ptr::null_mut();
        let mut descriptor: *mut c_char = ptr::null_mut();
        if get_name(jvmti, method, &mut name, &mut descriptor, ptr::null_mut()) != jvmtiError::NONE
        {
            return;
        }
        let is_park = CStr::from_ptr(name) == c"park" && CStr::from_ptr(descriptor) == c"(ZJ)V";
        deallocate(jvmti, name.cast());
        deallocate(jvmti, descriptor.cast());
        if is_park && address != park as *mut c_void {
            PARK.store(address, Ordering::Release);
            *new_address = park as *mut c_void;
        }
    }
}

/// Waits; if that takes as long as it may, the clock is put forward by it. No time means for ever.
fn timed(nanos: i64, wait: impl FnOnce()) {
    let start = Instant::now();
    wait();
    if nanos > 0 && start.elapsed() >= Duration::from_nanos(nanos.unsigned_abs()) {
        clock::note_waited(nanos);
    }
}

/// # Safety
/// `original` holds a function of this shape, and the arguments are those of a call under way.
unsafe fn wait_in(
    original: &AtomicPtr<c_void>,
    env: *mut JNIEnv,
    this: jobject,
    time: jlong,
    nanos: i64,
) {
    // SAFETY: by this function's contract.
    timed(nanos, || unsafe {
        let original: Wait = std::mem::transmute(original.load(Ordering::Acquire));
        original(env, this, time);
    });
}

unsafe extern "system" fn monitor_wait(env: *mut JNIEnv, object: jobject, millis: jlong) {
    // SAFETY: registered once the original was stored.
    unsafe { wait_in(&MONITOR_WAIT, env, object, millis, millis.saturating_mul(1_000_000)) }
}

unsafe extern "system" fn sleep_millis(env: *mut JNIEnv, class: jobject, millis: jlong) {
    // SAFETY: as above.
    unsafe { wait_in(&SLEEP, env, class, millis, millis.saturating_mul(1_000_000)) }
}

unsafe extern "system" fn sleep_nanos(env: *mut JNIEnv, class: jobject, nanos: jlong) {
    // SAFETY: as above.
    unsafe { wait_in(&SLEEP, env, class, nanos, nanos) }
}

unsafe extern "system" fn park(
    env: *mut JNIEnv,
    this: jobject,
    is_absolute: jboolean,
    time: jlong,
) {
    let original = PARK.load(Ordering::Acquire);
    if original.is_null() {
        // While it is being wrapped: who parks must be ready to be woken for no reason.
        return;
    }
    // SAFETY: what was stored is the method's original function.
    let wait = |is_absolute: jboolean, time: jlong| unsafe {
        let original: Park = std::mem::transmute(original);
        original(env, this, is_absolute, time);
    };
    if is_absolute == 0 {
        return timed(time, || wait(0, time));
    }
    let nanos = clock::millis_until(time).saturating_mul(1_000_000);
    if nanos > 0 {
        timed(nanos, || wait(0, nanos));
    } else {
        // It is over; this takes a permit, if there is one.
        wait(1, 1);
    }
}
