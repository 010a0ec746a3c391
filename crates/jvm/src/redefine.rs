//! Giving a loaded class other method bodies in place (JVMTI `RedefineClasses`).

use std::ptr;

use jvmti_bindings::sys::jni::{jclass, jvalue};
use jvmti_bindings::sys::jvmti::jvmtiClassDefinition;

use crate::boot::jvmti;
use crate::env::jni;
use crate::{Jvm, JvmError, Service};

/// A class that is loaded, whichever loader has it.
pub struct LoadedClass<'vm> {
    jvm: &'vm Jvm,
    class: jclass,
}

impl<'vm> LoadedClass<'vm> {
    /// What a static method of a service answers that takes a name and returns a class; `None` if that
    /// is null.
    pub fn of(service: &Service<'vm>, method: &str, name: &str) -> Result<Option<Self>, JvmError> {
        let (jvm, class) = service.handle();
        let env = jvm.attach()?;
        let descriptor = "(Ljava/lang/String;)Ljava/lang/Class;";
        let id = env.method(class, method, descriptor, true)?;
        let units: Vec<u16> = name.encode_utf16().collect();
        let text = env.new_string(&units);
        let what = || JvmError::Service { call: method.to_owned(), why: "no memory".to_owned() };
        if text.is_null() {
            env.clear_exception();
            return Err(what());
        }
        // SAFETY: the method takes one string and returns a class or null; local references are given
        // back, and the exception is looked at before the next call.
        unsafe {
            let args = [jvalue { l: text }];
            let found = jni!(env, CallStaticObjectMethodA, class, id, args.as_ptr());
            let thrown = env.take_exception();
            jni!(env, DeleteLocalRef, text);
            if let Some(thrown) = thrown {
                let why = env.describe(thrown);
                return Err(JvmError::Service { call: method.to_owned(), why });
            }
            if found.is_null() {
                return Ok(None);
            }
            let class = env.global_or(found, || name.to_owned())?;
            Ok(Some(Self { jvm, class }))
        }
    }

    /// Gives its methods the bodies of these bytes, of a class with the same members. Calls that are
    /// under way go on in the bodies they began in; static fields stay as they are.
    pub fn redefine(&self, bytes: &[u8]) -> Result<(), JvmError> {
        self.jvm.attach()?;
        let definition = jvmtiClassDefinition {
            klass: self.class,
            class_byte_count: bytes.len() as i32,
            class_bytes: bytes.as_ptr(),
        };
        // SAFETY: one definition, of a live class; pointer and length describe `bytes`, which the JVM
        // copies and verifies.
        let result = unsafe { jvmti!(self.jvm, RedefineClasses, 1, ptr::from_ref(&definition)) };
        self.jvm.check("RedefineClasses", result)
    }
}

impl Drop for LoadedClass<'_> {
    fn drop(&mut self) {
        if let Ok(env) = self.jvm.attach() {
            // SAFETY: a global reference of ours that nobody uses any more.
            unsafe { jni!(env, DeleteGlobalRef, self.class) };
        }
    }
}
