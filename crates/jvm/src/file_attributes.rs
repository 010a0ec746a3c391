//! What Java is told of a file besides what it holds.
//!
//! A file that a test has just written is as old as the test, belongs to who runs it and may be read
//! by whom their settings say; how large a folder is, is the file system's affair. All that would be
//! the same in both runs of a check, and different tomorrow or elsewhere: so the second run is told
//! something else. Files are as much younger as the clock is ahead. Which of two files is the newer one depends on the file system's clock: so one run
//! is told the reverse of the other, and the search that all files are of the same age.

use std::path::Path;
use std::sync::OnceLock;

use jvmti_bindings::sys::jni::{jfieldID, jobject};

use crate::env::{Env, jni};
use crate::natives::field;
use crate::watches::Watch;
use crate::{Jvm, JvmError, clock};

/// What holds what `stat` told.
const ATTRIBUTES: &str = "sun/nio/fs/UnixFileAttributes";
/// The methods that fill it in.
const TELLING: [&str; 2] = ["stat0", "lstat0"];
/// Where they have it, among the arguments of the native function.
const ARGUMENT: usize = 3;
/// The methods of `java.io.File` that tell a size.
const MEASURING: [&str; 2] = ["getLength", "getLength0"];

/// By how much times of neighbours differ, as `stat` numbers them.
const SECONDS_APART: i64 = 3600;
/// How many neighbours are told apart.
const NEIGHBOURS: i64 = 1 << 12;
/// By how much the times of one file differ besides.
const KINDS_APART: i64 = 7 * 24 * 3600;
/// What folders are larger by.
const LARGER: i64 = 61;
/// The permissions that are turned around: those of others to read and execute.
const PERMISSIONS: i32 = 0o055;
/// The bits of the kind of file, and those of a folder.
const KIND: i32 = 0o170_000;
const FOLDER: i32 = 0o040_000;

/// What is told instead of the truth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileAttributes {
    /// All files are as old as the counted clock.
    OfOneAge,
    /// Of two files the one with the smaller number is newer, by far.
    OfOtherAges,
    /// It is the older one; all are of another owner, with other permissions, and folders have another
    /// size.
    OfElsewhere,
}

struct Change {
    told: FileAttributes,
    /// Last access, last modification, last change, creation: their seconds and nanoseconds, which
    /// early updates of JDK 17 do not have for all of them.
    times: [(jfieldID, Option<jfieldID>); 4],
    file_number: jfieldID,
    size: jfieldID,
    mode: jfieldID,
    owners: [jfieldID; 2],
}

// SAFETY: a field id is valid on every thread.
unsafe impl Send for Change {}
// SAFETY: as above.
unsafe impl Sync for Change {}

static CHANGE: OnceLock<Change> = OnceLock::new();

/// Has Java see this of files from now on.
pub fn change_file_attributes(jvm: &Jvm, told: FileAttributes) -> Result<(), JvmError> {
    let env = jvm.attach()?;
    let long = |name| field(env, ATTRIBUTES, name, c"J");
    let int = |name| field(env, ATTRIBUTES, name, c"I");
    let change = Change {
        told,
        times: [
            (long(c"st_atime_sec")?, long(c"st_atime_nsec").ok()),
            (long(c"st_mtime_sec")?, long(c"st_mtime_nsec").ok()),
            (long(c"st_ctime_sec")?, long(c"st_ctime_nsec").ok()),
            (long(c"st_birthtime_sec")?, long(c"st_birthtime_nsec").ok()),
        ],
        file_number: long(c"st_ino")?,
        size: long(c"st_size")?,
        mode: int(c"st_mode")?,
        owners: [int(c"st_uid")?, int(c"st_gid")?],
    };
    CHANGE.get_or_init(|| change);
    Ok(())
}

/// Called once a watched native has returned; what it returns instead. `path` is that of the file.
pub(crate) fn told(
    watch: &Watch,
    env: Env,
    args: &[usize; 12],
    result: usize,
    path: impl FnOnce() -> String,
) -> usize {
    let Some(change) = CHANGE.get() else { return result };
    if watch.class.starts_with("sun/nio/fs/") && TELLING.contains(&watch.method) {
        change.apply(env, args[ARGUMENT] as jobject);
    }
    let is_elsewhere = change.told == FileAttributes::OfElsewhere;
    if is_elsewhere && MEASURING.contains(&watch.method) && Path::new(&path()).is_dir() {
        return result.wrapping_add(LARGER as usize);
    }
    result
}

/// A time of a file, in seconds, as the shifted clock has it.
fn shifted(real: i64) -> i64 {
    real + clock::shift_millis() / 1000
}

impl Change {
    fn apply(&self, env: Env, attributes: jobject) {
        // SAFETY: the descriptors of these methods say that the argument is an object of the class
        // whose fields these are; no exception is pending when they are read and written.
        unsafe {
            if attributes.is_null() || jni!(env, ExceptionCheck) != 0 {
                return;
            }
            let number = jni!(env, GetLongField, attributes, self.file_number);
            let number = number.rem_euclid(NEIGHBOURS);
            for (kind, (seconds, nanos)) in (0..).zip(self.times) {
                let real = jni!(env, GetLongField, attributes, seconds);
                let told = match self.told {
                    FileAttributes::OfOneAge => {
                        if let Some(nanos) = nanos {
                            jni!(env, SetLongField, attributes, nanos, 0);
                        }
                        clock::START_MILLIS / 1000
                    }
                    FileAttributes::OfOtherAges => shifted(real) - number * SECONDS_APART,
                    FileAttributes::OfElsewhere => {
                        let apart = (NEIGHBOURS - number) * SECONDS_APART;
                        shifted(real) - apart + kind * KINDS_APART
                    }
                };
                jni!(env, SetLongField, attributes, seconds, told);
            }
            if self.told != FileAttributes::OfElsewhere {
                return;
            }
            let mode = jni!(env, GetIntField, attributes, self.mode);
            jni!(env, SetIntField, attributes, self.mode, mode ^ PERMISSIONS);
            for field in self.owners {
                let owner = jni!(env, GetIntField, attributes, field);
                jni!(env, SetIntField, attributes, field, owner + 1);
            }
            if mode & KIND == FOLDER {
                let size = jni!(env, GetLongField, attributes, self.size);
                jni!(env, SetLongField, attributes, self.size, size + LARGER);
            }
        }
    }
}
