//! The order in which `Set.of` and `Map.of` are walked.
//!
//! The JDK draws it anew in every JVM, so that nobody relies on it. Here it is said instead: the
//! same in every search, which repeats itself then, and reversed in one of the runs that check a
//! test, so that a test which relies on it never passes both.

use crate::boot::Jvm;
use crate::env::jni;
use crate::error::JvmError;

/// Which way immutable sets and maps are walked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Walk {
    /// From the first place of the table to the last.
    Forward,
    /// From the last place to the first.
    Backward,
}

const HOLDER: &str = "java/util/ImmutableCollections";
/// What reads its fields, which compiled code takes for constants.
const READERS: [&str; 4] = [
    "java/util/ImmutableCollections$Set12",
    "java/util/ImmutableCollections$Set12$1",
    "java/util/ImmutableCollections$SetN$SetNIterator",
    "java/util/ImmutableCollections$MapN$MapNIterator",
];

/// Has all immutable sets and maps walked this way. Only iterators ask for it, no lookup does.
pub fn set_walk(jvm: &Jvm, walk: Walk) -> Result<(), JvmError> {
    let env = jvm.attach()?;
    let holder = env.find_class(HOLDER)?;
    // An iterator starts at `SALT32L * length >>> 32` and steps before it looks.
    let (salt, reverse) = match walk {
        Walk::Forward => (0xffff_ffff_i64, 1),
        Walk::Backward => (0, 0),
    };
    let missing = |field: &str| JvmError::Link {
        what: format!("{HOLDER}.{field}"),
        why: "this JDK has no such field".to_owned(),
    };
    // SAFETY: the class is initialized at boot and the fields have the types asked for; that they
    // are final is checked by no JNI function.
    unsafe {
        let field = jni!(env, GetStaticFieldID, holder, c"SALT32L".as_ptr(), c"J".as_ptr());
        if env.clear_exception() || field.is_null() {
            return Err(missing("SALT32L"));
        }
        jni!(env, SetStaticLongField, holder, field, salt);
        let field = jni!(env, GetStaticFieldID, holder, c"REVERSE".as_ptr(), c"Z".as_ptr());
        if env.clear_exception() || field.is_null() {
            return Err(missing("REVERSE"));
        }
        jni!(env, SetStaticBooleanField, holder, field, reverse);
    }
    // Has code that was compiled with the old values thrown away.
    jvm.retransform(&READERS)
}
