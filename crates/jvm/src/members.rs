//! The order in which reflection gives the methods and constructors of a class.
//!
//! Nothing says what it is, and it differs from JVM to JVM with what was loaded before: HotSpot sorts
//! methods by where their names happen to lie. In one of the runs that check a test it is reversed, so
//! that a test which relies on it never passes both. Fields stay as they are declared: every JVM gives
//! them so.

use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jobject, jobjectArray};

use crate::boot::Jvm;
use crate::env::{Env, jni};
use crate::error::JvmError;

/// A native method of `Class` that gives members, and the function of the JVM behind it.
struct Giving {
    method: &'static CStr,
    descriptor: &'static CStr,
    function: &'static CStr,
    wrapper: Native,
    original: AtomicPtr<c_void>,
}

type Native = unsafe extern "system" fn(*mut JNIEnv, jobject, jboolean) -> jobjectArray;

static GIVING: [Giving; 2] = [
    Giving {
        method: c"getDeclaredMethods0",
        descriptor: c"(Z)[Ljava/lang/reflect/Method;",
        function: c"JVM_GetClassDeclaredMethods",
        wrapper: backward::<0>,
        original: AtomicPtr::new(ptr::null_mut()),
    },
    Giving {
        method: c"getDeclaredConstructors0",
        descriptor: c"(Z)[Ljava/lang/reflect/Constructor;",
        function: c"JVM_GetClassDeclaredConstructors",
        wrapper: backward::<1>,
        original: AtomicPtr::new(ptr::null_mut()),
    },
];

/// Has reflection give methods and constructors from the last to the first.
pub fn reverse_members(jvm: &Jvm) -> Result<(), JvmError> {
    let env = jvm.attach()?;
    let class = env.find_class("java/lang/Class")?;
    for giving in &GIVING {
        // SAFETY: the symbol is a function; it is only stored here.
        let function =
            unsafe { jvm.library().get::<*mut c_void>(giving.function.to_bytes_with_nul()) };
        let function = function.map_err(|error| JvmError::Link {
            what: giving.function.to_string_lossy().into_owned(),
            why: error.to_string(),
        })?;
        giving.original.store(*function, Ordering::Release);
        // SAFETY: the wrapper has the C signature of a method that takes a boolean.
        unsafe {
            let wrapper = giving.wrapper as *mut c_void;
            env.register_native(class, giving.method, giving.descriptor, wrapper)?;
        }
    }
    Ok(())
}

unsafe extern "system" fn backward<const N: usize>(
    raw: *mut JNIEnv,
    class: jobject,
    public_only: jboolean,
) -> jobjectArray {
    let original = GIVING[N].original.load(Ordering::Acquire);
    // SAFETY: stored before this was registered, and a function of this signature: the JVM's own behind
    // the native method.
    let members = unsafe {
        let original: Native = std::mem::transmute(original);
        original(raw, class, public_only)
    };
    // SAFETY: the first argument of a native method is the thread's environment.
    let env = unsafe { Env::from_raw(raw) };
    // SAFETY: the array is the JVM's answer, nobody else has it yet, and what is put into it comes out of
    // it; with an exception pending there is no answer.
    unsafe {
        if members.is_null() || jni!(env, ExceptionCheck) != 0 {
            return members;
        }
        let length = jni!(env, GetArrayLength, members);
        for at in 0..length / 2 {
            let (first, last) = (at, length - 1 - at);
            let one = jni!(env, GetObjectArrayElement, members, first);
            let other = jni!(env, GetObjectArrayElement, members, last);
            jni!(env, SetObjectArrayElement, members, first, other);
            jni!(env, SetObjectArrayElement, members, last, one);
            jni!(env, DeleteLocalRef, one);
            jni!(env, DeleteLocalRef, other);
        }
    }
    members
}
