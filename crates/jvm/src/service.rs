//! Calling our own Java services: static methods of strings and numbers.

use std::ptr;

use jvmti_bindings::sys::jni::{jclass, jmethodID, jobject, jvalue};

use crate::env::{Env, jni};
use crate::names::modified_utf8;
use crate::{Jvm, JvmError, clock, effects};

/// An argument of a service call.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// A string, or `null`.
    Text(Option<&'a str>),
    /// An array of strings.
    Texts(&'a [String]),
    /// An `int`.
    Int(i32),
}

/// A class of ours loaded beside the code under test.
pub struct Service<'vm> {
    jvm: &'vm Jvm,
    class: jclass,
    name: String,
    string: jclass,
}

impl<'vm> Service<'vm> {
    /// Defines the given classes into the system class loader and finds the service among them.
    pub fn define(
        jvm: &'vm Jvm,
        classes: &[(&str, &[u8])],
        service: &str,
    ) -> Result<Self, JvmError> {
        let env = jvm.attach()?;
        let loader = env.system_loader()?;
        // SAFETY: pointer and length describe each class's bytes.
        unsafe {
            for (name, bytes) in classes {
                let c_name = modified_utf8(name);
                let data = bytes.as_ptr().cast();
                let class =
                    jni!(env, DefineClass, c_name.as_ptr(), loader, data, bytes.len() as i32);
                env.global_or(class, || (*name).to_owned())?;
            }
        }
        Self::find(jvm, service)
    }

    /// A service whose class can be found already.
    pub fn find(jvm: &'vm Jvm, service: &str) -> Result<Self, JvmError> {
        let env = jvm.attach()?;
        let class = env.find_class(service)?;
        let string = env.find_class("java/lang/String")?;
        Ok(Self { jvm, class, name: service.to_owned(), string })
    }

    /// The class itself, a live reference.
    pub(crate) fn handle(&self) -> (&'vm Jvm, jclass) {
        (self.jvm, self.class)
    }

    /// Calls a static method that returns an array of strings.
    pub fn call(&self, method: &str, args: &[Arg<'_>]) -> Result<Vec<String>, JvmError> {
        let env = self.jvm.attach()?;
        let mut descriptor = String::from("(");
        for arg in args {
            descriptor.push_str(match arg {
                Arg::Text(_) => "Ljava/lang/String;",
                Arg::Texts(_) => "[Ljava/lang/String;",
                Arg::Int(_) => "I",
            });
        }
        descriptor.push_str(")[Ljava/lang/String;");
        let id = env.method(self.class, method, &descriptor, true)?;
        let fail = |env: Env, thrown| JvmError::Service {
            call: format!("{}.{method}", self.name.replace('/', ".")),
            why: env.describe(thrown),
        };
        // SAFETY: the frame is popped before returning; arguments are built after the descriptor
        // that names their types; the result is an array of strings by that descriptor.
        unsafe {
            jni!(env, PushLocalFrame, 64);
            let values: Vec<jvalue> = args.iter().map(|arg| self.argument(env, *arg)).collect();
            let result = match env.take_exception() {
                Some(thrown) => Err(fail(env, thrown)),
                None => {
                    let array = clock::really(|| {
                        jni!(env, CallStaticObjectMethodA, self.class, id, values.as_ptr())
                    });
                    match env.take_exception() {
                        Some(thrown) => Err(fail(env, thrown)),
                        None => Ok(read_strings(env, array)),
                    }
                }
            };
            jni!(env, PopLocalFrame, ptr::null_mut());
            result
        }
    }

    /// A static method without parameters that returns an `int`, ready to be called often.
    pub fn number(&self, method: &str) -> Result<NumberMethod<'vm>, JvmError> {
        let env = self.jvm.attach()?;
        let id = env.method(self.class, method, "()I", true)?;
        Ok(NumberMethod { jvm: self.jvm, class: self.class, id, name: method.to_owned() })
    }

    /// Runs `f` while effects of code under test are noted; returns their kinds too.
    pub fn watching<T>(&self, f: impl FnOnce(&Self) -> T) -> (T, model::EffectSet) {
        effects::take_details();
        effects::arm();
        let value = f(self);
        let kinds = effects::kinds();
        effects::disarm();
        (value, kinds)
    }

    /// # Safety
    /// Local references are made in the current frame.
    unsafe fn argument(&self, env: Env, arg: Arg<'_>) -> jvalue {
        let text = |text: &str| env.new_string(&text.encode_utf16().collect::<Vec<_>>());
        match arg {
            Arg::Int(i) => jvalue { i },
            Arg::Text(None) => jvalue { l: ptr::null_mut() },
            Arg::Text(Some(value)) => jvalue { l: text(value) },
            // SAFETY: every element is a new string, given back once it is in the array.
            Arg::Texts(values) => unsafe {
                let length = values.len() as i32;
                let array = jni!(env, NewObjectArray, length, self.string, ptr::null_mut());
                if !array.is_null() {
                    for (index, value) in values.iter().enumerate() {
                        let element = text(value);
                        jni!(env, SetObjectArrayElement, array, index as i32, element);
                        jni!(env, DeleteLocalRef, element);
                    }
                }
                jvalue { l: array }
            },
        }
    }
}

/// A static method of a service that takes nothing and returns an `int`.
pub struct NumberMethod<'vm> {
    jvm: &'vm Jvm,
    class: jclass,
    id: jmethodID,
    name: String,
}

impl NumberMethod<'_> {
    /// Calls it; effects are not noted meanwhile.
    pub fn call(&self) -> Result<i32, JvmError> {
        let armed = effects::pause();
        let result = self.call_noting();
        effects::resume(armed);
        result
    }

    /// Calls it, while effects are noted as before: for a method that has none of its own and waits
    /// for others.
    pub fn call_noting(&self) -> Result<i32, JvmError> {
        let env = self.jvm.attach()?;
        // SAFETY: a static method without parameters that returns an int.
        let result = clock::really(|| unsafe {
            jni!(env, CallStaticIntMethodA, self.class, self.id, ptr::null::<jvalue>())
        });
        match env.take_exception() {
            Some(thrown) => {
                Err(JvmError::Service { call: self.name.clone(), why: env.describe(thrown) })
            }
            None => Ok(result),
        }
    }
}

/// # Safety
/// `array` is a live reference to an array of strings, or null.
unsafe fn read_strings(env: Env, array: jobject) -> Vec<String> {
    if array.is_null() {
        return Vec::new();
    }
    // SAFETY: by this function's contract.
    unsafe {
        let length = jni!(env, GetArrayLength, array);
        (0..length)
            .map(|index| {
                let element = jni!(env, GetObjectArrayElement, array, index);
                if element.is_null() {
                    return String::new();
                }
                let text = env.read_string(element).to_string();
                jni!(env, DeleteLocalRef, element);
                text
            })
            .collect()
    }
}
