//! Collecting garbage at a moment of our choice.

use crate::boot::jvmti;
use crate::{Jvm, JvmError};

/// Collects all garbage. What acts on objects that are garbage acts soon after, on threads of the
/// JDK.
pub fn collect_garbage(jvm: &Jvm) -> Result<(), JvmError> {
    jvm.attach()?;
    // SAFETY: the function takes no arguments and may be called from any attached thread.
    let result = unsafe { jvmti!(jvm, ForceGarbageCollection) };
    jvm.check("ForceGarbageCollection", result)
}
