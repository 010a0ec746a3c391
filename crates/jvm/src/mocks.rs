//! What mocks are asked and answer, as the classes made for them tell `java.lang.TesthoundMocks`.

use std::ptr;

use jvmti_bindings::sys::jni::{jclass, jfieldID, jintArray, jmethodID, jobject, jobjectArray};
use model::{Interaction, Slot};

use crate::JvmError;
use crate::calls::Kind;
use crate::env::{Env, jni};
use crate::executor::Executor;

/// The class, its fields and its arrays.
pub(crate) struct Mocks {
    class: jclass,
    begin: jmethodID,
    end: jmethodID,
    gave_null: jfieldID,
    count: jfieldID,
    spoiled: jfieldID,
    mocks: jobjectArray,
    methods: jintArray,
    ends: jintArray,
    arguments: jobjectArray,
    /// Whether there are any: else there is nothing to look at.
    used: bool,
    noting: bool,
    /// Calls that mocks had got before the last call of the open test case was made.
    before: i32,
}

impl Mocks {
    pub(crate) fn new(env: Env) -> Result<Self, JvmError> {
        let class = env.find_class("java/lang/TesthoundMocks")?;
        let objects = c"[Ljava/lang/Object;";
        Ok(Self {
            class,
            begin: env.method(class, "begin", "()V", true)?,
            end: env.method(class, "end", "()V", true)?,
            gave_null: env.static_field(class, c"gaveNull", c"Z")?,
            count: env.static_field(class, c"count", c"I")?,
            spoiled: env.static_field(class, c"spoiled", c"Z")?,
            mocks: env.static_array(class, c"MOCKS", objects)?,
            methods: env.static_array(class, c"METHODS", c"[I")?,
            ends: env.static_array(class, c"ENDS", c"[I")?,
            arguments: env.static_array(class, c"ARGUMENTS", objects)?,
            used: false,
            noting: false,
            before: 0,
        })
    }

    /// A test case is opened.
    pub(crate) fn restart(&mut self, env: Env) {
        if self.noting {
            self.tell(env, self.begin);
        }
    }

    /// A call of the test case is about to be made.
    pub(crate) fn before_call(&mut self, env: Env) {
        if self.used {
            // SAFETY: a static `boolean` field of this class.
            unsafe { jni!(env, SetStaticBooleanField, self.class, self.gave_null, 0) };
        }
        if self.noting {
            // SAFETY: a static `int` field of this class.
            self.before = unsafe { jni!(env, GetStaticIntField, self.class, self.count) };
        }
    }

    fn tell(&self, env: Env, method: jmethodID) {
        // SAFETY: a static method of the class without arguments or result.
        unsafe { jni!(env, CallStaticVoidMethodA, self.class, method, ptr::null()) };
        env.clear_exception();
    }
}

impl Executor<'_> {
    /// Says that test cases have mocks from now on.
    pub fn expect_mocks(&mut self) {
        self.mocks.used = true;
    }

    /// Has what mocks are asked noted in the test cases that are opened from now on, or no more.
    pub fn note_mocks(&mut self, noting: bool) {
        self.mocks.noting = noting;
        if !noting {
            self.mocks.tell(self.env, self.mocks.end);
        }
    }

    /// Whether a mock answered `null` in the last call of the open test case.
    pub fn mocks_gave_null(&self) -> bool {
        let m = &self.mocks;
        // SAFETY: a static `boolean` field of this class.
        m.used && unsafe { jni!(self.env, GetStaticBooleanField, m.class, m.gave_null) != 0 }
    }

    /// What mocks in slots of the open test case were asked; `None` if that is not all known.
    pub fn interactions(&self) -> Option<Vec<Interaction>> {
        let m = &self.mocks;
        // SAFETY: static fields of this class with these types.
        let (spoiled, count) = unsafe {
            (
                jni!(self.env, GetStaticBooleanField, m.class, m.spoiled) != 0,
                jni!(self.env, GetStaticIntField, m.class, m.count),
            )
        };
        if spoiled {
            return None;
        }
        let (mut methods, mut ends) = (vec![0; count as usize], vec![0; count as usize]);
        // SAFETY: the JVM checks the regions; the buffers are as long as what is read.
        unsafe {
            jni!(self.env, GetIntArrayRegion, m.methods, 0, count, methods.as_mut_ptr());
            jni!(self.env, GetIntArrayRegion, m.ends, 0, count, ends.as_mut_ptr());
        }
        self.env.clear_exception();
        let mut all = Vec::new();
        let mut first = 0;
        for (at, (method, end)) in (0..).zip(methods.into_iter().zip(ends)) {
            let mock = self.with_element(m.mocks, at, |mock| self.slot_of(mock));
            let observed = |argument| {
                // SAFETY: a live reference or null.
                (unsafe { self.known.observe(self.env, argument, 0) }, self.slot_of(argument))
            };
            let args = (first..end).map(|at| self.with_element(m.arguments, at, observed));
            let args: Vec<_> = args.collect();
            first = end;
            if let Some(mock) = mock {
                let is_of_last = at >= m.before;
                all.push(Interaction { mock, method: method as usize, args, is_of_last });
            }
        }
        Some(all)
    }

    /// Looks at an element of an array of objects.
    fn with_element<T>(&self, array: jobjectArray, at: i32, look: impl Fn(jobject) -> T) -> T {
        // SAFETY: the JVM checks the index; the reference is given back once it was looked at.
        unsafe {
            let object = jni!(self.env, GetObjectArrayElement, array, at);
            self.env.clear_exception();
            let seen = look(object);
            jni!(self.env, DeleteLocalRef, object);
            seen
        }
    }

    /// The first slot that holds an object.
    fn slot_of(&self, object: jobject) -> Option<Slot> {
        let holds = |value: &crate::executor::Value| {
            // SAFETY: an object slot of the open frame holds a live reference or null.
            value.kind == Kind::Object
                && unsafe { jni!(self.env, IsSameObject, value.raw.l, object) != 0 }
        };
        let slot = self.values.iter().position(holds).filter(|_| !object.is_null());
        slot.map(|slot| Slot(slot as u32))
    }
}
