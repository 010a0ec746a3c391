//! Rewriting classes as they load (JVMTI `ClassFileLoadHook`).

use std::ffi::{CStr, c_char, c_uchar};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jobject};
use jvmti_bindings::sys::jvmti::{jvmtiEnv, jvmtiError};

use crate::names::lossy;

/// Decides what becomes of a class: `None` leaves it alone.
///
/// Called on whatever thread loads the class, for every class: answer quickly for those that are
/// of no interest.
pub trait ClassHook: Send + Sync {
    /// Rewrites the class of that internal name; `boot` tells whether the boot loader defines it.
    fn rewrite(&self, name: &str, boot: bool, bytes: &[u8]) -> Option<Vec<u8>>;
}

static HOOK: OnceLock<Box<dyn ClassHook>> = OnceLock::new();

/// Installs the hook of this process; it can be set once, before the classes of interest load.
pub fn set_class_hook(hook: Box<dyn ClassHook>) -> bool {
    HOOK.set(hook).is_ok()
}

pub(crate) unsafe extern "system" fn on_class_file(
    jvmti: *mut jvmtiEnv,
    _jni: *mut JNIEnv,
    _redefined: jclass,
    loader: jobject,
    name: *const c_char,
    _domain: jobject,
    length: jint,
    data: *const c_uchar,
    new_length: *mut jint,
    new_data: *mut *mut c_uchar,
) {
    let Some(hook) = HOOK.get() else { return };
    if name.is_null() {
        return;
    }
    // SAFETY: JVMTI passes a NUL-terminated name and `length` bytes of class data.
    let (name, bytes) =
        unsafe { (lossy(CStr::from_ptr(name)), std::slice::from_raw_parts(data, length as usize)) };
    let rewritten = catch_unwind(AssertUnwindSafe(|| hook.rewrite(&name, loader.is_null(), bytes)));
    let Ok(rewritten) = rewritten else { std::process::abort() };
    let Some(rewritten) = rewritten else { return };
    let mut memory: *mut c_uchar = std::ptr::null_mut();
    // SAFETY: the replacement must live in memory from JVMTI's own allocator, which is given as
    // many bytes as are copied.
    unsafe {
        let allocate = (*(*jvmti).functions).Allocate.expect("present in every JVMTI table");
        if allocate(jvmti, rewritten.len() as i64, &mut memory) == jvmtiError::NONE {
            std::ptr::copy_nonoverlapping(rewritten.as_ptr(), memory, rewritten.len());
            *new_length = rewritten.len() as jint;
            *new_data = memory;
        }
    }
}
