//! Looking at objects: what class they are of, what value they have, what an exception says.

use std::ptr;

use jvmti_bindings::sys::jni::{jclass, jmethodID, jobject, jthrowable, jvalue};
use model::{ClassName, Frame, JavaString, Literal, Observation, Primitive, Slot, Thrown, Type};

use crate::calls::Kind;
use crate::env::{Env, jni};
use crate::executor::{Executor, primitive_literal};
use crate::{JvmError, own_folder};

/// Classes and methods used to look at objects.
pub(crate) struct Known {
    pub(crate) null_pointer_exception: jclass,
    pub(crate) class_cast_exception: jclass,
    string: jclass,
    class: jclass,
    enum_class: jclass,
    boxes: Vec<(Primitive, jclass, jmethodID, jmethodID)>,
    object_get_class: jmethodID,
    class_get_name: jmethodID,
    enum_name: jmethodID,
    enum_declaring_class: jmethodID,
    string_intern: jmethodID,
    get_message: jmethodID,
    get_stack_trace: jmethodID,
    frame_class: jmethodID,
    frame_method: jmethodID,
    frame_line: jmethodID,
}

/// Frames of a stack trace that are kept.
const MAX_FRAMES: i32 = 24;
/// Longer arrays are remembered by their length.
const MAX_ELEMENTS: i32 = 16;
/// Longer strings are not read.
const MAX_STRING: i32 = 10_000;

impl Known {
    pub(crate) fn new(env: Env) -> Result<Self, JvmError> {
        let object = env.find_class("java/lang/Object")?;
        let class = env.find_class("java/lang/Class")?;
        let string = env.find_class("java/lang/String")?;
        let enum_class = env.find_class("java/lang/Enum")?;
        let throwable = env.find_class("java/lang/Throwable")?;
        let frame = env.find_class("java/lang/StackTraceElement")?;
        let text = "()Ljava/lang/String;";
        let boxes = Primitive::ALL
            .into_iter()
            .map(|p| {
                let boxed = env.find_class(p.boxed())?;
                let d = p.descriptor();
                let value_of =
                    env.method(boxed, "valueOf", &format!("({d})L{};", p.boxed()), true)?;
                let value =
                    env.method(boxed, &format!("{}Value", p.keyword()), &format!("(){d}"), false)?;
                Ok((p, boxed, value_of, value))
            })
            .collect::<Result<_, JvmError>>()?;
        let stack_trace = "()[Ljava/lang/StackTraceElement;";
        Ok(Self {
            null_pointer_exception: env.find_class("java/lang/NullPointerException")?,
            class_cast_exception: env.find_class("java/lang/ClassCastException")?,
            boxes,
            object_get_class: env.method(object, "getClass", "()Ljava/lang/Class;", false)?,
            class_get_name: env.method(class, "getName", text, false)?,
            enum_name: env.method(enum_class, "name", text, false)?,
            enum_declaring_class: env.method(
                enum_class,
                "getDeclaringClass",
                "()Ljava/lang/Class;",
                false,
            )?,
            string_intern: env.method(string, "intern", text, false)?,
            get_message: env.method(throwable, "getMessage", text, false)?,
            get_stack_trace: env.method(throwable, "getStackTrace", stack_trace, false)?,
            frame_class: env.method(frame, "getClassName", text, false)?,
            frame_method: env.method(frame, "getMethodName", text, false)?,
            frame_line: env.method(frame, "getLineNumber", "()I", false)?,
            string,
            class,
            enum_class,
        })
    }

    /// Calls a method without arguments that returns an object; `None` if it threw or gave null.
    ///
    /// # Safety
    /// `method` is an object-returning method without parameters of `object`'s class.
    unsafe fn get(&self, env: Env, object: jobject, method: jmethodID) -> Option<jobject> {
        // SAFETY: by this function's contract.
        let result = unsafe { jni!(env, CallObjectMethodA, object, method, ptr::null::<jvalue>()) };
        (!env.clear_exception() && !result.is_null()).then_some(result)
    }

    /// As [`Self::get`], for a method that returns a string.
    ///
    /// # Safety
    /// `method` is a string-returning method without parameters of `object`'s class.
    unsafe fn text(&self, env: Env, object: jobject, method: jmethodID) -> Option<JavaString> {
        // SAFETY: by this function's contract.
        unsafe {
            let string = self.get(env, object, method)?;
            let text = env.read_string(string);
            jni!(env, DeleteLocalRef, string);
            Some(text)
        }
    }

    /// The string as the source literal it is: interned, as a global reference.
    pub(crate) fn interned(&self, env: Env, text: &JavaString) -> Result<jobject, JvmError> {
        let fresh = env.new_string(text.units());
        // SAFETY: `fresh` is a new local reference to a string (or null with an exception pending,
        // which `global_or` reports).
        unsafe {
            if fresh.is_null() {
                return env.global_or(fresh, || "a string literal".into());
            }
            let interned = self.get(env, fresh, self.string_intern).unwrap_or(fresh);
            env.global_or(interned, || "a string literal".into())
        }
    }

    /// The value in its box, as a global reference.
    pub(crate) fn boxed(
        &self,
        env: Env,
        primitive: Primitive,
        value: jvalue,
    ) -> Result<jobject, JvmError> {
        let (_, class, value_of, _) =
            self.boxes.iter().find(|b| b.0 == primitive).expect("all eight are there");
        // SAFETY: `valueOf` takes one value of this primitive type.
        unsafe {
            let local = jni!(env, CallStaticObjectMethodA, *class, *value_of, &value);
            env.global_or(local, || "a boxed value".into())
        }
    }

    /// The name of a class, in internal form.
    ///
    /// # Safety
    /// `class` is a live reference to a `java.lang.Class`.
    unsafe fn class_name(&self, env: Env, class: jclass) -> ClassName {
        // SAFETY: by this function's contract.
        let name = unsafe { self.text(env, class, self.class_get_name) };
        ClassName::binary(&name.map_or_else(|| "?".to_owned(), |n| n.to_string()))
    }

    /// The type a `java.lang.Class` object stands for; `None` for `void`.
    ///
    /// # Safety
    /// As for [`Self::class_name`].
    unsafe fn class_type(&self, env: Env, class: jclass) -> Option<Type> {
        // SAFETY: by this function's contract.
        let name = unsafe { self.class_name(env, class) };
        let internal = name.as_internal();
        if internal == "void" {
            return None;
        }
        if let Some(p) = Primitive::ALL.into_iter().find(|p| p.keyword() == internal) {
            return Some(Type::Primitive(p));
        }
        Some(Type::parse(internal).unwrap_or(Type::Class(name)))
    }

    /// What an exception says, without running code under test more than needed; an exception
    /// whose `getMessage` throws has no message.
    pub(crate) fn thrown(&self, env: Env, thrown: jthrowable) -> Thrown {
        // SAFETY: `thrown` is a live reference to a Throwable; every result is checked for null and
        // every exception cleared. Overridden methods may be code under test, which is armed.
        unsafe {
            let class = jni!(env, GetObjectClass, thrown);
            let name = self.class_name(env, class);
            jni!(env, DeleteLocalRef, class);
            let message = self.text(env, thrown, self.get_message).map(|message| {
                if own_folder::shows_it(&message) {
                    JavaString::from(own_folder::without_it(&message.to_string()).as_str())
                } else {
                    message
                }
            });
            let mut frames = Vec::new();
            if let Some(trace) = self.get(env, thrown, self.get_stack_trace) {
                let length = jni!(env, GetArrayLength, trace).min(MAX_FRAMES);
                for index in 0..length {
                    let frame = jni!(env, GetObjectArrayElement, trace, index);
                    if frame.is_null() {
                        continue;
                    }
                    let class = self.text(env, frame, self.frame_class);
                    let method = self.text(env, frame, self.frame_method);
                    let line =
                        jni!(env, CallIntMethodA, frame, self.frame_line, ptr::null::<jvalue>());
                    env.clear_exception();
                    jni!(env, DeleteLocalRef, frame);
                    if let (Some(class), Some(method)) = (class, method) {
                        frames.push(Frame {
                            class: ClassName::binary(&class.to_string()),
                            method: method.to_string().into(),
                            line,
                        });
                    }
                }
                jni!(env, DeleteLocalRef, trace);
            }
            Thrown { class: name, message, frames }
        }
    }

    /// What is remembered of an object.
    ///
    /// # Safety
    /// `object` is a live reference or null.
    pub(crate) unsafe fn observe(&self, env: Env, object: jobject, depth: u32) -> Observation {
        if object.is_null() {
            return Observation::Null;
        }
        // SAFETY: by this function's contract; every downcast is checked with `IsInstanceOf` or by
        // the class's name, local references are given back.
        unsafe {
            let is = |class: jclass| jni!(env, IsInstanceOf, object, class) != 0;
            if is(self.string) {
                let class = ClassName::internal("java/lang/String");
                let unread = Observation::Object { class, views: Vec::new() };
                if jni!(env, GetStringLength, object) > MAX_STRING {
                    return unread;
                }
                let text = env.read_string(object);
                if own_folder::shows_it(&text) {
                    return unread;
                }
                return Observation::Value { value: Literal::String(text), boxed: false };
            }
            for (primitive, class, _, value) in &self.boxes {
                if is(*class) {
                    let raw = unbox(env, *primitive, object, *value);
                    env.clear_exception();
                    let value = primitive_literal(*primitive, raw);
                    return Observation::Value { value, boxed: true };
                }
            }
            if is(self.class) {
                let value = Literal::Class(self.class_type(env, object));
                return Observation::Value { value, boxed: false };
            }
            if is(self.enum_class) {
                let name = self.text(env, object, self.enum_name);
                let class = self.get(env, object, self.enum_declaring_class);
                if let (Some(name), Some(class)) = (name, class) {
                    let observed = Observation::Enum {
                        class: self.class_name(env, class),
                        constant: name.to_string().into(),
                    };
                    jni!(env, DeleteLocalRef, class);
                    return observed;
                }
            }
            let Some(class) = self.get(env, object, self.object_get_class) else {
                return Observation::Null;
            };
            let ty = self.class_type(env, class);
            jni!(env, DeleteLocalRef, class);
            match ty {
                Some(Type::Array(element)) => self.observe_array(env, object, &element, depth),
                Some(Type::Class(class)) => Observation::Object { class, views: Vec::new() },
                _ => Observation::Null,
            }
        }
    }

    /// # Safety
    /// `array` is a live reference to an array of this element type.
    unsafe fn observe_array(
        &self,
        env: Env,
        array: jobject,
        element: &Type,
        depth: u32,
    ) -> Observation {
        macro_rules! read {
            ($get:ident, $length:expr, $zero:expr, $literal:expr) => {{
                let mut buffer = vec![$zero; $length as usize];
                jni!(env, $get, array, 0, $length, buffer.as_mut_ptr());
                buffer
                    .into_iter()
                    .map(|v| Observation::Value { value: $literal(v), boxed: false })
                    .collect()
            }};
        }
        // SAFETY: by this function's contract; buffers are as long as the region read.
        unsafe {
            let length = jni!(env, GetArrayLength, array);
            let elements = if length > MAX_ELEMENTS || depth == 0 {
                None
            } else {
                Some(match element {
                    Type::Primitive(Primitive::Boolean) => {
                        read!(GetBooleanArrayRegion, length, 0u8, |v| Literal::Boolean(v != 0))
                    }
                    Type::Primitive(Primitive::Byte) => {
                        read!(GetByteArrayRegion, length, 0i8, Literal::Byte)
                    }
                    Type::Primitive(Primitive::Char) => {
                        read!(GetCharArrayRegion, length, 0u16, Literal::Char)
                    }
                    Type::Primitive(Primitive::Short) => {
                        read!(GetShortArrayRegion, length, 0i16, Literal::Short)
                    }
                    Type::Primitive(Primitive::Int) => {
                        read!(GetIntArrayRegion, length, 0i32, Literal::Int)
                    }
                    Type::Primitive(Primitive::Long) => {
                        read!(GetLongArrayRegion, length, 0i64, Literal::Long)
                    }
                    Type::Primitive(Primitive::Float) => {
                        read!(GetFloatArrayRegion, length, 0f32, Literal::Float)
                    }
                    Type::Primitive(Primitive::Double) => {
                        read!(GetDoubleArrayRegion, length, 0f64, Literal::Double)
                    }
                    _ => (0..length)
                        .map(|index| {
                            let item = jni!(env, GetObjectArrayElement, array, index);
                            let observed = self.observe(env, item, depth - 1);
                            jni!(env, DeleteLocalRef, item);
                            observed
                        })
                        .collect(),
                })
            };
            Observation::Array { element: element.clone(), length: length as u32, elements }
        }
    }
}

/// # Safety
/// `object` is of the primitive's box class and `method` its unboxing method.
unsafe fn unbox(env: Env, primitive: Primitive, object: jobject, method: jmethodID) -> jvalue {
    let none = ptr::null::<jvalue>();
    // SAFETY: by this function's contract.
    unsafe {
        match primitive {
            Primitive::Boolean => jvalue { z: jni!(env, CallBooleanMethodA, object, method, none) },
            Primitive::Byte => jvalue { b: jni!(env, CallByteMethodA, object, method, none) },
            Primitive::Char => jvalue { c: jni!(env, CallCharMethodA, object, method, none) },
            Primitive::Short => jvalue { s: jni!(env, CallShortMethodA, object, method, none) },
            Primitive::Int => jvalue { i: jni!(env, CallIntMethodA, object, method, none) },
            Primitive::Long => jvalue { j: jni!(env, CallLongMethodA, object, method, none) },
            Primitive::Float => jvalue { f: jni!(env, CallFloatMethodA, object, method, none) },
            Primitive::Double => jvalue { d: jni!(env, CallDoubleMethodA, object, method, none) },
        }
    }
}

impl Executor<'_> {
    /// What is remembered of the value in a slot: strings, boxes, enums, classes and small arrays
    /// by value, other objects by their class.
    pub fn observe(&self, slot: Slot) -> Observation {
        let value = self.values[slot.index()];
        match value.kind {
            Kind::Void => Observation::Nothing,
            Kind::Primitive(p) => {
                // SAFETY: the kind says which field of the union was written.
                let value = unsafe { primitive_literal(p, value.raw) };
                Observation::Value { value, boxed: false }
            }
            // SAFETY: an object slot of the open frame holds a live reference or null.
            Kind::Object => unsafe { self.known.observe(self.env, value.raw.l, 2) },
        }
    }

    /// The run-time class of the object in a slot; `None` for `null` and primitives.
    pub fn class_of(&self, slot: Slot) -> Option<Type> {
        let value = self.values[slot.index()];
        // SAFETY: an object slot of the open frame holds a live reference or null.
        unsafe {
            if value.kind != Kind::Object || value.raw.l.is_null() {
                return None;
            }
            let class = jni!(self.env, GetObjectClass, value.raw.l);
            let ty = self.known.class_type(self.env, class);
            jni!(self.env, DeleteLocalRef, class);
            ty
        }
    }
}
