//! What rewritten classes count while tests of any kind run: steps left, how often the budget stopped
//! code, refused exits, coverage.
//!
//! Tests that are run by services of ours make no JNI calls of their own, so this is all there is to
//! see of them from outside.

use jvmti_bindings::sys::jni::{jbyteArray, jclass, jfieldID};

use crate::env::{Env, jni};
use crate::{Jvm, JvmError};

/// Reads and sets the fields of `java.lang.Testhound`, on one thread.
pub struct Meter<'vm> {
    env: Env,
    jvm: std::marker::PhantomData<&'vm Jvm>,
    class: jclass,
    budget: jfieldID,
    stops: jfieldID,
    exits: jfieldID,
    map: jbyteArray,
}

/// What a test came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// Steps taken; all that there were if the budget stopped it.
    pub steps: i32,
    /// Whether the budget stopped it.
    pub is_stopped: bool,
    /// Whether it tried to end the JVM.
    pub has_exited: bool,
}

/// What the coverage map is cleared with, so many bytes at once.
static ZEROS: [i8; 1 << 16] = [0; 1 << 16];

impl<'vm> Meter<'vm> {
    /// A meter for the current thread, which is attached and made like one that runs tests elsewhere:
    /// no daemon. Boot classes must have been defined.
    pub fn new(jvm: &'vm Jvm) -> Result<Self, JvmError> {
        let env = jvm.attach_as_user_thread()?;
        let class = env.find_class("java/lang/Testhound")?;
        Ok(Self {
            env,
            jvm: std::marker::PhantomData,
            class,
            budget: env.static_field(class, c"budget", c"I")?,
            stops: env.static_field(class, c"stops", c"I")?,
            exits: env.static_field(class, c"exits", c"I")?,
            map: env.static_array(class, c"MAP", c"[B")?,
        })
    }

    fn set(&self, field: jfieldID, value: i32) {
        // SAFETY: the field is a static int of this class.
        unsafe { jni!(self.env, SetStaticIntField, self.class, field, value) };
    }

    fn get(&self, field: jfieldID) -> i32 {
        // SAFETY: the field is a static int of this class.
        unsafe { jni!(self.env, GetStaticIntField, self.class, field) }
    }

    /// Has what runs until [`Meter::end`] stopped after so many steps.
    pub fn begin(&self, steps: i32) {
        self.set(self.stops, 0);
        self.set(self.exits, 0);
        self.set(self.budget, steps);
    }

    /// What was counted since [`Meter::begin`] with as many steps; nothing is stopped from now on.
    pub fn end(&self, steps: i32) -> Count {
        let left = self.get(self.budget);
        self.set(self.budget, i32::MAX);
        let is_stopped = self.get(self.stops) > 0;
        let steps = if is_stopped { steps } else { steps.saturating_sub(left.max(0)) };
        Count { steps, is_stopped, has_exited: self.get(self.exits) > 0 }
    }

    /// Copies the first bytes of the coverage map.
    pub fn read_coverage(&self, hits: &mut [u8]) {
        let (length, bytes) = (hits.len() as i32, hits.as_mut_ptr().cast());
        // SAFETY: the buffer is as long as is said; the JVM checks the region, and throws if it is out
        // of bounds.
        unsafe { jni!(self.env, GetByteArrayRegion, self.map, 0, length, bytes) };
        let is_out_of_bounds = self.env.clear_exception();
        assert!(!is_out_of_bounds, "the coverage map has room for every probe");
    }

    /// Clears the first bytes of the coverage map.
    pub fn clear_coverage(&self, length: usize) {
        for from in (0..length).step_by(ZEROS.len()) {
            let zeros = &ZEROS[..ZEROS.len().min(length - from)];
            let (from, length) = (from as i32, zeros.len() as i32);
            // SAFETY: as above.
            unsafe { jni!(self.env, SetByteArrayRegion, self.map, from, length, zeros.as_ptr()) };
            let is_out_of_bounds = self.env.clear_exception();
            assert!(!is_out_of_bounds, "the coverage map has room for every probe");
        }
    }
}
