//! Operations made ready to be called: classes found, method ids looked up, once each.

use std::sync::Arc;

use jvmti_bindings::sys::jni::{jclass, jfieldID, jmethodID, jobject, jvalue};
use model::{Implementation, Operation, OperationKind, Primitive, TEMPORARY_CLASS, Type};
use rustc_hash::FxHashMap;

use crate::JvmError;
use crate::env::{Env, jni};
use crate::names::modified_utf8;

/// What a value is to JNI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Void,
    Primitive(Primitive),
    Object,
}

impl Kind {
    pub(crate) fn of(ty: Option<&Type>) -> Self {
        match ty {
            None => Self::Void,
            Some(Type::Primitive(p)) => Self::Primitive(*p),
            Some(_) => Self::Object,
        }
    }
}

#[derive(Clone, Copy)]
enum Target {
    Constructor(jmethodID),
    /// An object that no constructor made, and the method that tells it its answers.
    Mock(jmethodID),
    /// The constructor; the fields are the site's.
    Inject(jmethodID),
    Static(jmethodID),
    Instance(jmethodID),
    StaticField(jfieldID),
    InstanceField(jfieldID),
    SetField(jfieldID, Kind),
    /// The class is the element type's.
    ObjectArray,
    PrimitiveArray(Primitive),
}

/// An operation linked to the running JVM.
pub(crate) struct Site {
    pub(crate) result: Kind,
    class: jclass,
    target: Target,
    /// The fields that an injection sets.
    fields: Vec<jfieldID>,
}

impl Site {
    fn link(env: Env, classes: &mut Classes, op: &Arc<Operation>) -> Result<Self, JvmError> {
        let descriptor = op.descriptor();
        let owner = |classes: &mut Classes| classes.get(env, &Type::Class(op.owner.clone()));
        let mut fields = Vec::new();
        let (class, target) = match op.kind {
            OperationKind::Constructor => {
                let class = owner(classes)?;
                (class, Target::Constructor(env.method(class, "<init>", &descriptor, false)?))
            }
            OperationKind::Implement if op.as_mock().is_some() => {
                let class = classes.get(env, &Type::Class(op.made_class().clone()))?;
                (class, Target::Mock(env.method(class, Implementation::TOLD, &descriptor, false)?))
            }
            OperationKind::Inject => {
                let class = owner(classes)?;
                for (name, ty) in op.injected_fields().zip(&op.params) {
                    fields.push(field(env, class, name, &ty.descriptor(), false)?);
                }
                (class, Target::Inject(env.method(class, "<init>", "()V", false)?))
            }
            OperationKind::Implement => {
                let class = classes.get(env, &Type::Class(op.made_class().clone()))?;
                (class, Target::Constructor(env.method(class, "<init>", &descriptor, false)?))
            }
            OperationKind::Temporary => {
                let class = classes.get(env, &Type::class(TEMPORARY_CLASS))?;
                (class, Target::Static(env.method(class, &op.name, &descriptor, true)?))
            }
            OperationKind::StaticMethod => {
                let class = owner(classes)?;
                (class, Target::Static(env.method(class, &op.name, &descriptor, true)?))
            }
            OperationKind::InstanceMethod => {
                let class = owner(classes)?;
                (class, Target::Instance(env.method(class, &op.name, &descriptor, false)?))
            }
            OperationKind::StaticField | OperationKind::InstanceField => {
                let class = owner(classes)?;
                let is_static = op.kind == OperationKind::StaticField;
                let id = field(env, class, &op.name, &descriptor, is_static)?;
                let target =
                    if is_static { Target::StaticField(id) } else { Target::InstanceField(id) };
                (class, target)
            }
            OperationKind::SetField => {
                let class = owner(classes)?;
                let id = field(env, class, &op.name, &descriptor, false)?;
                (class, Target::SetField(id, Kind::of(op.params.get(1))))
            }
            OperationKind::Array => match op.result.as_ref().and_then(Type::element) {
                Some(Type::Primitive(p)) => (std::ptr::null_mut(), Target::PrimitiveArray(*p)),
                Some(element) => (classes.get(env, element)?, Target::ObjectArray),
                None => {
                    let why = "its result is no array".to_owned();
                    return Err(JvmError::Link { what: op.to_string(), why });
                }
            },
        };
        Ok(Self { result: Kind::of(op.result.as_ref()), class, target, fields })
    }

    /// Makes the call. A pending exception is left for the caller to check.
    ///
    /// # Safety
    /// `args` are values of the operation's parameter types (receiver first and not null), live
    /// on this thread; no exception is pending.
    #[inline]
    pub(crate) unsafe fn invoke(&self, env: Env, args: &[jvalue]) -> jvalue {
        // SAFETY: ids belong to `class`, argument types fit by this function's contract.
        unsafe {
            match self.target {
                Target::Constructor(id) => {
                    jvalue { l: jni!(env, NewObjectA, self.class, id, args.as_ptr()) }
                }
                Target::Mock(id) => jvalue { l: mock(env, self.class, id, args) },
                Target::Inject(id) => jvalue { l: inject(env, self.class, id, &self.fields, args) },
                Target::Static(id) => call_static(env, self.result, self.class, id, args),
                Target::Instance(id) => call_instance(env, self.result, args[0].l, id, &args[1..]),
                Target::StaticField(id) => get_static(env, self.result, self.class, id),
                Target::InstanceField(id) => get_field(env, self.result, args[0].l, id),
                Target::SetField(id, kind) => set_field(env, kind, args[0].l, id, args[1]),
                Target::ObjectArray => jvalue { l: object_array(env, self.class, args) },
                Target::PrimitiveArray(p) => jvalue { l: primitive_array(env, p, args) },
            }
        }
    }
}

fn field(
    env: Env,
    class: jclass,
    name: &str,
    descriptor: &str,
    is_static: bool,
) -> Result<jfieldID, JvmError> {
    let (c_name, c_descriptor) = (modified_utf8(name), modified_utf8(descriptor));
    // SAFETY: `class` is a global reference; strings are NUL-terminated.
    let id = unsafe {
        if is_static {
            jni!(env, GetStaticFieldID, class, c_name.as_ptr(), c_descriptor.as_ptr())
        } else {
            jni!(env, GetFieldID, class, c_name.as_ptr(), c_descriptor.as_ptr())
        }
    };
    match env.take_exception() {
        Some(thrown) => {
            Err(JvmError::Link { what: format!("field {name}"), why: env.describe(thrown) })
        }
        None => Ok(id),
    }
}

/// One function of the JNI table per result type, chosen by `Kind`.
macro_rules! by_kind {
    ($kind:expr, $env:expr, ($($arg:expr),*), $void:ident, $z:ident, $b:ident, $c:ident, $s:ident,
     $i:ident, $j:ident, $f:ident, $d:ident, $l:ident) => {
        match $kind {
            Kind::Void => { jni!($env, $void $(, $arg)*); jvalue { j: 0 } }
            Kind::Object => jvalue { l: jni!($env, $l $(, $arg)*) },
            Kind::Primitive(Primitive::Boolean) => jvalue { z: jni!($env, $z $(, $arg)*) },
            Kind::Primitive(Primitive::Byte) => jvalue { b: jni!($env, $b $(, $arg)*) },
            Kind::Primitive(Primitive::Char) => jvalue { c: jni!($env, $c $(, $arg)*) },
            Kind::Primitive(Primitive::Short) => jvalue { s: jni!($env, $s $(, $arg)*) },
            Kind::Primitive(Primitive::Int) => jvalue { i: jni!($env, $i $(, $arg)*) },
            Kind::Primitive(Primitive::Long) => jvalue { j: jni!($env, $j $(, $arg)*) },
            Kind::Primitive(Primitive::Float) => jvalue { f: jni!($env, $f $(, $arg)*) },
            Kind::Primitive(Primitive::Double) => jvalue { d: jni!($env, $d $(, $arg)*) },
        }
    };
}

/// # Safety
/// As for [`Site::invoke`].
unsafe fn call_static(
    env: Env,
    kind: Kind,
    class: jclass,
    id: jmethodID,
    args: &[jvalue],
) -> jvalue {
    // SAFETY: by this function's contract.
    unsafe {
        by_kind!(
            kind,
            env,
            (class, id, args.as_ptr()),
            CallStaticVoidMethodA,
            CallStaticBooleanMethodA,
            CallStaticByteMethodA,
            CallStaticCharMethodA,
            CallStaticShortMethodA,
            CallStaticIntMethodA,
            CallStaticLongMethodA,
            CallStaticFloatMethodA,
            CallStaticDoubleMethodA,
            CallStaticObjectMethodA
        )
    }
}

/// # Safety
/// As for [`Site::invoke`].
unsafe fn call_instance(
    env: Env,
    kind: Kind,
    receiver: jobject,
    id: jmethodID,
    args: &[jvalue],
) -> jvalue {
    // SAFETY: by this function's contract.
    unsafe {
        by_kind!(
            kind,
            env,
            (receiver, id, args.as_ptr()),
            CallVoidMethodA,
            CallBooleanMethodA,
            CallByteMethodA,
            CallCharMethodA,
            CallShortMethodA,
            CallIntMethodA,
            CallLongMethodA,
            CallFloatMethodA,
            CallDoubleMethodA,
            CallObjectMethodA
        )
    }
}

/// # Safety
/// As for [`Site::invoke`]; the field has the given kind.
unsafe fn get_static(env: Env, kind: Kind, class: jclass, id: jfieldID) -> jvalue {
    // SAFETY: by this function's contract; a field has a type, so `Void` does not occur.
    unsafe {
        by_kind!(
            kind,
            env,
            (class, id),
            GetStaticObjectField,
            GetStaticBooleanField,
            GetStaticByteField,
            GetStaticCharField,
            GetStaticShortField,
            GetStaticIntField,
            GetStaticLongField,
            GetStaticFloatField,
            GetStaticDoubleField,
            GetStaticObjectField
        )
    }
}

/// # Safety
/// As for [`Site::invoke`]; the field has the given kind.
unsafe fn get_field(env: Env, kind: Kind, receiver: jobject, id: jfieldID) -> jvalue {
    // SAFETY: by this function's contract; a field has a type, so `Void` does not occur.
    unsafe {
        by_kind!(
            kind,
            env,
            (receiver, id),
            GetObjectField,
            GetBooleanField,
            GetByteField,
            GetCharField,
            GetShortField,
            GetIntField,
            GetLongField,
            GetFloatField,
            GetDoubleField,
            GetObjectField
        )
    }
}

/// # Safety
/// As for [`Site::invoke`]; field and value have the given kind.
unsafe fn set_field(env: Env, kind: Kind, of: jobject, id: jfieldID, value: jvalue) -> jvalue {
    // SAFETY: by this function's contract; each value is read as what it is.
    unsafe {
        match kind {
            // A field has a type, so it is not `void`.
            Kind::Void => {}
            Kind::Object => jni!(env, SetObjectField, of, id, value.l),
            Kind::Primitive(Primitive::Boolean) => jni!(env, SetBooleanField, of, id, value.z),
            Kind::Primitive(Primitive::Byte) => jni!(env, SetByteField, of, id, value.b),
            Kind::Primitive(Primitive::Char) => jni!(env, SetCharField, of, id, value.c),
            Kind::Primitive(Primitive::Short) => jni!(env, SetShortField, of, id, value.s),
            Kind::Primitive(Primitive::Int) => jni!(env, SetIntField, of, id, value.i),
            Kind::Primitive(Primitive::Long) => jni!(env, SetLongField, of, id, value.j),
            Kind::Primitive(Primitive::Float) => jni!(env, SetFloatField, of, id, value.f),
            Kind::Primitive(Primitive::Double) => jni!(env, SetDoubleField, of, id, value.d),
        }
    }
    jvalue { j: 0 }
}

/// # Safety
/// `told` is a method of the class with parameters that `args` fit.
unsafe fn mock(env: Env, class: jclass, told: jmethodID, args: &[jvalue]) -> jobject {
    // SAFETY: by this function's contract; after a failed allocation nothing else is called.
    unsafe {
        let mock = jni!(env, AllocObject, class);
        if !mock.is_null() {
            jni!(env, CallNonvirtualVoidMethodA, mock, class, told, args.as_ptr());
        }
        mock
    }
}

/// # Safety
/// `init` is the constructor of the class without parameters; `args` are references of the types of
/// `fields`, which are the class's.
unsafe fn inject(
    env: Env,
    class: jclass,
    init: jmethodID,
    fields: &[jfieldID],
    args: &[jvalue],
) -> jobject {
    // SAFETY: by this function's contract; after an exception nothing else is called.
    unsafe {
        let object = jni!(env, NewObjectA, class, init, std::ptr::null());
        if !object.is_null() && jni!(env, ExceptionCheck) == 0 {
            for (field, arg) in fields.iter().zip(args) {
                jni!(env, SetObjectField, object, *field, arg.l);
            }
        }
        object
    }
}

/// # Safety
/// `args` are references of the element class.
unsafe fn object_array(env: Env, element: jclass, args: &[jvalue]) -> jobject {
    // SAFETY: by this function's contract; after a failed allocation nothing else is called.
    unsafe {
        let array = jni!(env, NewObjectArray, args.len() as i32, element, std::ptr::null_mut());
        if !array.is_null() {
            for (index, arg) in args.iter().enumerate() {
                jni!(env, SetObjectArrayElement, array, index as i32, arg.l);
                if jni!(env, ExceptionCheck) != 0 {
                    break;
                }
            }
        }
        array
    }
}

/// # Safety
/// `args` are values of the primitive type.
unsafe fn primitive_array(env: Env, primitive: Primitive, args: &[jvalue]) -> jobject {
    macro_rules! fill {
        ($new:ident, $set:ident, $field:ident) => {{
            let values: Vec<_> = args.iter().map(|a| a.$field).collect();
            let array = jni!(env, $new, values.len() as i32);
            if !array.is_null() {
                jni!(env, $set, array, 0, values.len() as i32, values.as_ptr());
            }
            array
        }};
    }
    // SAFETY: by this function's contract; each buffer is as long as the array.
    unsafe {
        match primitive {
            Primitive::Boolean => fill!(NewBooleanArray, SetBooleanArrayRegion, z),
            Primitive::Byte => fill!(NewByteArray, SetByteArrayRegion, b),
            Primitive::Char => fill!(NewCharArray, SetCharArrayRegion, c),
            Primitive::Short => fill!(NewShortArray, SetShortArrayRegion, s),
            Primitive::Int => fill!(NewIntArray, SetIntArrayRegion, i),
            Primitive::Long => fill!(NewLongArray, SetLongArrayRegion, j),
            Primitive::Float => fill!(NewFloatArray, SetFloatArrayRegion, f),
            Primitive::Double => fill!(NewDoubleArray, SetDoubleArrayRegion, d),
        }
    }
}

/// Classes by type, as global references.
#[derive(Default)]
pub(crate) struct Classes(FxHashMap<Type, jclass>);

impl Classes {
    pub(crate) fn get(&mut self, env: Env, ty: &Type) -> Result<jclass, JvmError> {
        if let Some(class) = self.0.get(ty) {
            return Ok(*class);
        }
        let class = match ty {
            Type::Primitive(p) => primitive_class(env, p.boxed())?,
            _ => env.find_class(&ty.jni_name())?,
        };
        self.0.insert(ty.clone(), class);
        Ok(class)
    }

    /// `void.class`, which is no type of ours.
    pub(crate) fn void(env: Env) -> Result<jclass, JvmError> {
        primitive_class(env, "java/lang/Void")
    }
}

/// The class of a primitive type is its box's field `TYPE`.
fn primitive_class(env: Env, boxed: &str) -> Result<jclass, JvmError> {
    let boxed_class = env.find_class(boxed)?;
    let id = field(env, boxed_class, "TYPE", "Ljava/lang/Class;", true)?;
    // SAFETY: `TYPE` is a static field of type `Class` in every box class.
    unsafe {
        let local = jni!(env, GetStaticObjectField, boxed_class, id);
        env.global_or(local, || format!("{boxed}.TYPE"))
    }
}

/// Linked operations, numbered in the order they were first asked for.
#[derive(Default)]
pub(crate) struct Sites {
    sites: Vec<Site>,
    by_value: FxHashMap<Arc<Operation>, u32>,
    /// Shortcut by address; each entry's operation is kept alive by `aliases`.
    by_address: FxHashMap<usize, u32>,
    aliases: Vec<Arc<Operation>>,
    failed: FxHashMap<Arc<Operation>, String>,
}

impl Sites {
    /// The number of an operation that is linked.
    pub(crate) fn linked(&self, op: &Arc<Operation>) -> Option<u32> {
        let known = self.by_address.get(&(Arc::as_ptr(op) as usize));
        known.or_else(|| self.by_value.get(op)).copied()
    }

    /// Whether an operation is linked or could not be.
    pub(crate) fn was_tried(&self, op: &Arc<Operation>) -> bool {
        self.linked(op).is_some() || self.failed.contains_key(op)
    }

    /// The number of an operation, which is linked if it was not; an operation that could not be
    /// linked once is not tried again.
    pub(crate) fn number(
        &mut self,
        env: Env,
        classes: &mut Classes,
        op: &Arc<Operation>,
    ) -> Result<u32, JvmError> {
        if let Some(number) = self.by_address.get(&(Arc::as_ptr(op) as usize)) {
            return Ok(*number);
        }
        if let Some(why) = self.failed.get(op) {
            return Err(JvmError::Link { what: op.to_string(), why: why.clone() });
        }
        let number = match self.by_value.get(op) {
            Some(number) => *number,
            None => {
                let site = Site::link(env, classes, op).inspect_err(|error| {
                    let why = match error {
                        JvmError::Link { why, .. } => why.clone(),
                        other => other.to_string(),
                    };
                    self.failed.insert(op.clone(), why);
                })?;
                self.sites.push(site);
                let number = self.sites.len() as u32 - 1;
                self.by_value.insert(op.clone(), number);
                number
            }
        };
        self.by_address.insert(Arc::as_ptr(op) as usize, number);
        self.aliases.push(op.clone());
        Ok(number)
    }

    pub(crate) fn site(&self, number: u32) -> &Site {
        &self.sites[number as usize]
    }
}
