//! Operands of comparisons, as instrumented code tells them to `java.lang.TesthoundCompare`.

use jvmti_bindings::sys::jni::{
    jbyteArray, jclass, jdoubleArray, jfieldID, jintArray, jlongArray, jobjectArray,
};
use model::Observation;

use crate::JvmError;
use crate::env::{Env, jni};
use crate::executor::Executor;

/// A comparison that was passed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Compared {
    /// The comparison.
    pub number: u32,
    /// Where its operands are kept.
    pub place: u32,
    /// How far apart they were when they were closest.
    pub distance: f64,
}

/// The class and its arrays.
pub(crate) struct Comparisons {
    class: jclass,
    count: jfieldID,
    run: jfieldID,
    open: jbyteArray,
    sites: jintArray,
    distances: jdoubleArray,
    left: jlongArray,
    right: jlongArray,
    left_objects: jobjectArray,
    right_objects: jobjectArray,
    /// Whether any is open: else there is nothing to set back.
    watching: bool,
    runs: i32,
}

impl Comparisons {
    pub(crate) fn new(env: Env) -> Result<Self, JvmError> {
        let class = env.find_class("java/lang/TesthoundCompare")?;
        let objects = c"[Ljava/lang/Object;";
        Ok(Self {
            class,
            count: env.static_field(class, c"count", c"I")?,
            run: env.static_field(class, c"run", c"I")?,
            open: env.static_array(class, c"OPEN", c"[B")?,
            sites: env.static_array(class, c"SITES", c"[I")?,
            distances: env.static_array(class, c"DISTANCES", c"[D")?,
            left: env.static_array(class, c"LEFT", c"[J")?,
            right: env.static_array(class, c"RIGHT", c"[J")?,
            left_objects: env.static_array(class, c"LEFT_OBJECTS", objects)?,
            right_objects: env.static_array(class, c"RIGHT_OBJECTS", objects)?,
            watching: false,
            runs: 1,
        })
    }

    /// Forgets what was passed.
    pub(crate) fn restart(&mut self, env: Env) {
        if !self.watching {
            return;
        }
        self.runs = self.runs.wrapping_add(1);
        // SAFETY: static `int` fields of this class.
        unsafe {
            jni!(env, SetStaticIntField, self.class, self.count, 0);
            jni!(env, SetStaticIntField, self.class, self.run, self.runs);
        }
    }
}

impl Executor<'_> {
    /// Says which comparisons tell their operands from now on: a byte each, not 0 for those.
    pub fn watch(&mut self, open: &[u8]) {
        self.comparisons.watching = open.iter().any(|byte| *byte != 0);
        // SAFETY: the region is checked by the JVM, which throws if it is out of bounds.
        unsafe {
            let (array, length) = (self.comparisons.open, open.len() as i32);
            jni!(self.env, SetByteArrayRegion, array, 0, length, open.as_ptr().cast());
        }
        let out_of_bounds = self.env.clear_exception();
        assert!(!out_of_bounds, "there is room for every comparison");
    }

    /// The open comparisons that were passed since the test case was begun.
    pub fn compared(&self, into: &mut Vec<Compared>) {
        into.clear();
        let c = &self.comparisons;
        if !c.watching {
            return;
        }
        // SAFETY: a static `int` field of this class; the JVM checks the regions, and the buffers
        // are as long as what is read.
        unsafe {
            let count = jni!(self.env, GetStaticIntField, c.class, c.count);
            let Ok(length) = usize::try_from(count) else { return };
            if length == 0 {
                return;
            }
            let mut sites = vec![0_i32; length];
            let mut distances = vec![0_f64; length];
            jni!(self.env, GetIntArrayRegion, c.sites, 0, count, sites.as_mut_ptr());
            jni!(self.env, GetDoubleArrayRegion, c.distances, 0, count, distances.as_mut_ptr());
            self.env.clear_exception();
            into.extend(sites.iter().zip(&distances).zip(0..).map(|((site, distance), place)| {
                Compared { number: *site as u32, place, distance: *distance }
            }));
        }
    }

    /// The numbers compared: as they are, or the bits of `double`s.
    pub fn compared_numbers(&self, place: u32) -> (i64, i64) {
        let (mut left, mut right) = (0_i64, 0_i64);
        // SAFETY: the JVM checks the regions; each buffer holds one number.
        unsafe {
            let c = &self.comparisons;
            jni!(self.env, GetLongArrayRegion, c.left, place as i32, 1, &mut left);
            jni!(self.env, GetLongArrayRegion, c.right, place as i32, 1, &mut right);
        }
        self.env.clear_exception();
        (left, right)
    }

    /// The objects compared.
    pub fn compared_objects(&self, place: u32) -> (Observation, Observation) {
        let read = |array: jobjectArray| {
            // SAFETY: the JVM checks the index; the reference is given back.
            unsafe {
                let object = jni!(self.env, GetObjectArrayElement, array, place as i32);
                if self.env.clear_exception() {
                    return Observation::Null;
                }
                let observed = self.known.observe(self.env, object, 0);
                jni!(self.env, DeleteLocalRef, object);
                observed
            }
        };
        (read(self.comparisons.left_objects), read(self.comparisons.right_objects))
    }
}
