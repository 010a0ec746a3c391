//! Times of files, as Java reads them: those of another day where the clock is another.
//!
//! A file that a test has just written is as old as the test. What is said of it by the day or the
//! hour would be the same in both runs of a check, and different tomorrow.

use std::sync::OnceLock;

use jvmti_bindings::sys::jni::{jfieldID, jobject};

use crate::env::{Env, jni};
use crate::natives::field;
use crate::watches::Watch;
use crate::{Jvm, JvmError};

/// What holds the times that `stat` told.
const ATTRIBUTES: &str = "sun/nio/fs/UnixFileAttributes";
/// The methods that fill it in.
const TELLING: [&str; 2] = ["stat0", "lstat0"];
/// Where they have it, among the arguments of the native function.
const ARGUMENT: usize = 3;

struct Shift {
    seconds: i64,
    fields: [jfieldID; 3],
}

// SAFETY: a field id is valid on every thread.
unsafe impl Send for Shift {}
// SAFETY: as above.
unsafe impl Sync for Shift {}

static SHIFT: OnceLock<Shift> = OnceLock::new();

/// Has Java see files that are younger by this much, from now on.
pub fn shift_file_times(jvm: &Jvm, millis: i64) -> Result<(), JvmError> {
    let env = jvm.attach()?;
    let find = |name| field(env, ATTRIBUTES, name, c"J");
    let fields = [find(c"st_atime_sec")?, find(c"st_mtime_sec")?, find(c"st_ctime_sec")?];
    SHIFT.get_or_init(|| Shift { seconds: millis / 1000, fields });
    Ok(())
}

/// Called once a watched native has returned.
pub(crate) fn told(watch: &Watch, env: Env, args: &[usize; 12]) {
    let Some(shift) = SHIFT.get() else { return };
    let attributes = args[ARGUMENT] as jobject;
    if !watch.class.starts_with("sun/nio/fs/") || !TELLING.contains(&watch.method) {
        return;
    }
    // SAFETY: the descriptors of these methods say that the argument is an object of the class whose
    // fields these are; no exception is pending when they are read and written.
    unsafe {
        if attributes.is_null() || jni!(env, ExceptionCheck) != 0 {
            return;
        }
        for field in shift.fields {
            let seconds = jni!(env, GetLongField, attributes, field);
            jni!(env, SetLongField, attributes, field, seconds + shift.seconds);
        }
    }
}
