//! The JNI environment of a thread, with the few idioms the rest of the crate is built from.

use std::ffi::CStr;
use std::ptr;

use jvmti_bindings::sys::jni::{
    JNIEnv, jclass, jfieldID, jmethodID, jobject, jstring, jthrowable, jvalue,
};
use model::JavaString;

use crate::JvmError;
use crate::names::modified_utf8;

/// Calls a function of the JNI table. Which functions may be called while an exception is pending
/// is in the JNI specification, chapter "Java Exceptions"; callers clear it first.
macro_rules! jni {
    ($env:expr, $function:ident $(, $arg:expr)* $(,)?) => {{
        let env = $env.raw();
        ((**env).$function)(env $(, $arg)*)
    }};
}
pub(crate) use jni;

/// The JNI environment of the current thread.
#[derive(Clone, Copy)]
pub(crate) struct Env(*mut JNIEnv);

impl Env {
    /// # Safety
    /// `raw` is the environment of the current thread, and the value stays on that thread.
    pub(crate) unsafe fn from_raw(raw: *mut JNIEnv) -> Self {
        Self(raw)
    }

    pub(crate) fn raw(self) -> *mut JNIEnv {
        self.0
    }

    /// The exception pending, cleared.
    pub(crate) fn take_exception(self) -> Option<jthrowable> {
        // SAFETY: all three functions are legal with and without a pending exception.
        unsafe {
            if jni!(self, ExceptionCheck) == 0 {
                return None;
            }
            let thrown = jni!(self, ExceptionOccurred);
            jni!(self, ExceptionClear);
            Some(thrown)
        }
    }

    /// Clears the exception pending; whether there was one.
    pub(crate) fn clear_exception(self) -> bool {
        // SAFETY: both functions are legal with and without a pending exception.
        unsafe {
            let pending = jni!(self, ExceptionCheck) != 0;
            if pending {
                jni!(self, ExceptionClear);
            }
            pending
        }
    }

    /// A class by JNI name, as a global reference; loading it runs its initializer.
    pub(crate) fn find_class(self, name: &str) -> Result<jclass, JvmError> {
        let c_name = modified_utf8(name);
        // SAFETY: the name is NUL-terminated; no exception is pending between our own calls.
        unsafe {
            let class = jni!(self, FindClass, c_name.as_ptr());
            self.global_or(class, || name.replace('/', "."))
        }
    }

    /// Makes a global reference of a fresh local one, or an error of the pending exception.
    ///
    /// # Safety
    /// `local` is a local reference of this thread or null.
    pub(crate) unsafe fn global_or(
        self,
        local: jobject,
        what: impl FnOnce() -> String,
    ) -> Result<jobject, JvmError> {
        if let Some(thrown) = self.take_exception() {
            return Err(JvmError::Link { what: what(), why: self.describe(thrown) });
        }
        // SAFETY: `local` is a valid local reference; it is not used after being deleted.
        unsafe {
            let global = jni!(self, NewGlobalRef, local);
            jni!(self, DeleteLocalRef, local);
            if global.is_null() {
                let why = "the JVM gave no reference".to_owned();
                return Err(JvmError::Link { what: what(), why });
            }
            Ok(global)
        }
    }

    /// The loader of the class path, as a global reference.
    pub(crate) fn system_loader(self) -> Result<jobject, JvmError> {
        let class = self.find_class("java/lang/ClassLoader")?;
        let descriptor = "()Ljava/lang/ClassLoader;";
        let get = self.method(class, "getSystemClassLoader", descriptor, true)?;
        // SAFETY: a static method without arguments that returns a reference.
        unsafe {
            let loader = jni!(self, CallStaticObjectMethodA, class, get, ptr::null::<jvalue>());
            self.global_or(loader, || "the system class loader".into())
        }
    }

    /// Gives the current thread the loader of the class path as its context class loader.
    pub(crate) fn set_context_loader(self) -> Result<(), JvmError> {
        let loader = self.system_loader()?;
        let class = self.find_class("java/lang/Thread")?;
        let current = self.method(class, "currentThread", "()Ljava/lang/Thread;", true)?;
        let descriptor = "(Ljava/lang/ClassLoader;)V";
        let set = self.method(class, "setContextClassLoader", descriptor, false)?;
        // SAFETY: the methods have these descriptors; the thread's reference is given back.
        unsafe {
            let thread = jni!(self, CallStaticObjectMethodA, class, current, ptr::null::<jvalue>());
            let thread = self.global_or(thread, || "the current thread".into())?;
            let args = [jvalue { l: loader }];
            jni!(self, CallVoidMethodA, thread, set, args.as_ptr());
            jni!(self, DeleteGlobalRef, thread);
        }
        match self.take_exception() {
            None => Ok(()),
            Some(thrown) => Err(JvmError::Link {
                what: "the context class loader".into(),
                why: self.describe(thrown),
            }),
        }
    }

    /// A method id.
    pub(crate) fn method(
        self,
        class: jclass,
        name: &str,
        descriptor: &str,
        is_static: bool,
    ) -> Result<jmethodID, JvmError> {
        let (c_name, c_descriptor) = (modified_utf8(name), modified_utf8(descriptor));
        // SAFETY: `class` is a live class reference held by the caller; strings are NUL-terminated.
        let id = unsafe {
            if is_static {
                jni!(self, GetStaticMethodID, class, c_name.as_ptr(), c_descriptor.as_ptr())
            } else {
                jni!(self, GetMethodID, class, c_name.as_ptr(), c_descriptor.as_ptr())
            }
        };
        match self.take_exception() {
            Some(thrown) => Err(JvmError::Link {
                what: format!("{name}{descriptor}"),
                why: self.describe(thrown),
            }),
            None => Ok(id),
        }
    }

    /// The id of a static field.
    pub(crate) fn static_field(
        self,
        class: jclass,
        name: &CStr,
        descriptor: &CStr,
    ) -> Result<jfieldID, JvmError> {
        // SAFETY: `class` is a live class reference held by the caller; strings are NUL-terminated.
        let id = unsafe { jni!(self, GetStaticFieldID, class, name.as_ptr(), descriptor.as_ptr()) };
        match self.take_exception() {
            Some(thrown) => Err(JvmError::Link {
                what: format!("the static field {}", name.to_string_lossy()),
                why: self.describe(thrown),
            }),
            None => Ok(id),
        }
    }

    /// The array that a static field of an array type holds, as a global reference.
    pub(crate) fn static_array(
        self,
        class: jclass,
        name: &CStr,
        descriptor: &CStr,
    ) -> Result<jobject, JvmError> {
        assert!(descriptor.to_bytes().starts_with(b"["), "{descriptor:?} is no array");
        let field = self.static_field(class, name, descriptor)?;
        // SAFETY: the class has a static field with this descriptor, which is that of a reference.
        unsafe {
            let array = jni!(self, GetStaticObjectField, class, field);
            self.global_or(array, || format!("the static field {}", name.to_string_lossy()))
        }
    }

    /// The exception in words with its cause, for messages of our own; never fails. The reference is
    /// given back.
    pub(crate) fn describe(self, thrown: jthrowable) -> String {
        let described = self.to_text(thrown);
        let cause = self.cause(thrown);
        // SAFETY: a local reference that nothing uses after.
        unsafe { jni!(self, DeleteLocalRef, thrown) };
        match cause {
            Some(cause) => {
                let because = self.to_text(cause);
                // SAFETY: a local reference that `cause` made.
                unsafe { jni!(self, DeleteLocalRef, cause) };
                // The message of an exception often is its cause in words already.
                if described.contains(&because) {
                    described
                } else {
                    format!("{described}: {because}")
                }
            }
            None => described,
        }
    }

    /// What caused the exception, by its own account.
    fn cause(self, thrown: jthrowable) -> Option<jthrowable> {
        // SAFETY: `thrown` is a live reference; a pending exception is cleared.
        unsafe {
            let class = jni!(self, GetObjectClass, thrown);
            let (name, descriptor) = (c"getCause", c"()Ljava/lang/Throwable;");
            let get = jni!(self, GetMethodID, class, name.as_ptr(), descriptor.as_ptr());
            jni!(self, DeleteLocalRef, class);
            if self.clear_exception() {
                return None;
            }
            let cause = jni!(self, CallObjectMethodA, thrown, get, ptr::null::<jvalue>());
            (!self.clear_exception() && !cause.is_null()).then_some(cause)
        }
    }

    /// What `toString` says.
    fn to_text(self, thrown: jthrowable) -> String {
        // SAFETY: `thrown` is a live reference. Each lookup that can fail is checked, and pending
        // exceptions are cleared before the next call.
        unsafe {
            let class = jni!(self, GetObjectClass, thrown);
            let c_name = c"toString".as_ptr();
            let to_string =
                jni!(self, GetMethodID, class, c_name, c"()Ljava/lang/String;".as_ptr());
            jni!(self, DeleteLocalRef, class);
            if self.clear_exception() {
                return "an exception".to_owned();
            }
            let text = jni!(self, CallObjectMethodA, thrown, to_string, ptr::null::<jvalue>());
            if self.clear_exception() || text.is_null() {
                return "an exception whose toString fails".to_owned();
            }
            let described = self.read_string(text).to_string();
            jni!(self, DeleteLocalRef, text);
            described
        }
    }

    /// The contents of a string.
    ///
    /// # Safety
    /// `string` is a live reference to a `java.lang.String`, not null.
    pub(crate) unsafe fn read_string(self, string: jstring) -> JavaString {
        // SAFETY: by this function's contract; the buffer is as long as the string says.
        unsafe {
            let length = jni!(self, GetStringLength, string);
            let mut units = vec![0u16; length as usize];
            jni!(self, GetStringRegion, string, 0, length, units.as_mut_ptr());
            JavaString::from_units(&units)
        }
    }

    /// A new local reference to a string with these UTF-16 units; null with an exception pending
    /// when memory is short.
    pub(crate) fn new_string(self, units: &[u16]) -> jstring {
        // SAFETY: pointer and length describe `units`.
        unsafe { jni!(self, NewString, units.as_ptr(), units.len() as i32) }
    }

    /// Registers a native method.
    ///
    /// # Safety
    /// `function` has the C signature of the native method described.
    pub(crate) unsafe fn register_native(
        self,
        class: jclass,
        name: &CStr,
        descriptor: &CStr,
        function: *mut std::ffi::c_void,
    ) -> Result<(), JvmError> {
        let method = jvmti_bindings::sys::jni::JNINativeMethod {
            name: name.as_ptr(),
            signature: descriptor.as_ptr(),
            fnPtr: function,
        };
        // SAFETY: the array has one element; by this function's contract the signature fits.
        unsafe {
            jni!(self, RegisterNatives, class, &method, 1);
        }
        match self.take_exception() {
            Some(thrown) => Err(JvmError::Link {
                what: format!("native {}", name.to_string_lossy()),
                why: self.describe(thrown),
            }),
            None => Ok(()),
        }
    }
}
