//! Watching the JDK's own choke points: its native methods (requirement Q17).
//!
//! Every way Java has to touch files, processes or the network ends in one of a few native
//! methods, whatever library asks. Each is replaced by a wrapper that notes the attempt and calls
//! the original. Methods bound later are caught by JVMTI's `NativeMethodBind`; those of classes
//! that the JVM used while it started are registered again ([`wrap_bound`]).

use std::ffi::{CStr, c_char, c_void};
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jfieldID, jmethodID, jobject, jthread};
use jvmti_bindings::sys::jvmti::{jvmtiEnv, jvmtiError};
use model::EffectKind;

use crate::env::{Env, jni};
use crate::names::{lossy, modified_utf8};
use crate::unknown::{self, MAX_UNKNOWN, base};
use crate::watches::{EARLY, IN_SOME_JDKS, MOVING, On, WATCHES, Watch, When};
use crate::{Jvm, JvmError, effects, file_attributes, known_files, own_folder};

/// A native method of the JDK whose calls are noted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WatchedNative {
    /// The class, by internal name.
    pub class: &'static str,
    /// The method.
    pub method: &'static str,
    /// Whether the JVM has bound it, and so to its wrapper: most are bound when first called.
    pub is_bound: bool,
}

/// The native methods watched; a JDK need not have all of them.
pub fn watched_natives() -> impl Iterator<Item = WatchedNative> {
    WATCHES.iter().zip(&ORIGINALS).map(|(watch, original)| WatchedNative {
        class: watch.class,
        method: watch.method,
        is_bound: !original.load(Ordering::Acquire).is_null(),
    })
}

/// A native method of up to twelve integer or pointer arguments, environment and receiver
/// included. One shape serves all that are watched.
///
/// What makes that sound: no method watched takes more (`forkAndExec` takes all twelve) or takes or
/// returns a floating-point value, which travels in other registers; the supervisor compares every
/// JDK with that before it is used (`can_be_wrapped`), and nothing is wrapped that does not fit.
/// Under the C calling conventions of Linux on x86-64 and AArch64 an integer or pointer fills a
/// register or eight bytes of the stack, whatever its width, its place depends on the number of those
/// before it only, the callee ignores the bits beyond its width, and the caller removes what is on
/// the stack. So arguments a method does not have are read from registers and stack words of the
/// caller, which are there whatever they hold, and handed on unseen; and a result, or none, is what
/// is left in the one register for it.
type Native = unsafe extern "system" fn(
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
) -> usize;

/// The methods of the list, then room for those of this JDK that are unknown.
const PLACES: usize = WATCHES.len() + MAX_UNKNOWN;

static ORIGINALS: [AtomicPtr<c_void>; PLACES] = [const { AtomicPtr::new(ptr::null_mut()) }; PLACES];

/// What wrappers need to read their arguments.
struct Reading {
    file_path: jfieldID,
    descriptor: jfieldID,
    jdk_home: String,
}

// SAFETY: a field id is valid on every thread.
unsafe impl Send for Reading {}
// SAFETY: as above.
unsafe impl Sync for Reading {}

static READING: OnceLock<Reading> = OnceLock::new();

unsafe extern "system" fn wrapper<const N: usize>(
    a: usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    f: usize,
    g: usize,
    h: usize,
    i: usize,
    j: usize,
    k: usize,
    l: usize,
) -> usize {
    let args = [a, b, c, d, e, f, g, h, i, j, k, l];
    // SAFETY: the first argument of a native method is the thread's environment.
    let env = unsafe { Env::from_raw(a as *mut JNIEnv) };
    if effects::is_armed() {
        let noted = catch_unwind(AssertUnwindSafe(|| match WATCHES.get(N) {
            Some(watch) if watch.kind.is_none() => is_thread_refused(env),
            Some(watch) => {
                note(watch, env, &args);
                false
            }
            None => {
                unknown::note(N - WATCHES.len());
                false
            }
        }));
        match noted {
            Ok(true) => return 0,
            Ok(false) => {}
            Err(_) => std::process::abort(),
        }
    }
    let original = ORIGINALS[N].load(Ordering::Acquire);
    // SAFETY: the wrapper was installed after the original was stored; the shape fits (see `Native`).
    let result = unsafe {
        let original: Native = std::mem::transmute(original);
        original(a, b, c, d, e, f, g, h, i, j, k, l)
    };
    let Some(watch) = WATCHES.get(N) else { return result };
    let told = catch_unwind(AssertUnwindSafe(|| {
        let path = || read(env, watch.on, &args);
        let result = file_attributes::told(watch, env, &args, result, path);
        own_folder::told(watch, env, result)
    }));
    told.unwrap_or_else(|_| std::process::abort())
}

/// Whether a thread is not started, for there are too many; then the error is pending with which the
/// JVM itself refuses one.
fn is_thread_refused(env: Env) -> bool {
    if effects::note_thread() {
        return false;
    }
    // SAFETY: names and messages end with a NUL, and no exception is pending in a native method that has
    // just been entered; a class that is not found leaves its own error pending.
    unsafe {
        let error = jni!(env, FindClass, c"java/lang/OutOfMemoryError".as_ptr());
        if !error.is_null() {
            jni!(env, ThrowNew, error, c"unable to create native thread".as_ptr());
            jni!(env, DeleteLocalRef, error);
        }
    }
    true
}

fn note(watch: &Watch, env: Env, args: &[usize; 12]) {
    let Some(kind) = watch.kind else { return };
    if own_folder::allows(watch, || paths(watch, env, args)) {
        return;
    }
    // The flags of Linux's `open`: write-only, read-write, create, truncate, append.
    const WRITING: usize = 0o1 | 0o2 | 0o100 | 0o1000 | 0o2000;
    let (kind, counts) = match watch.when {
        When::OpensForWriting(at) if args[at] & WRITING == 0 => (EffectKind::FileLook, true),
        When::NotReadOnly(at) if args[at] & 0xff == 1 => (EffectKind::FileLook, true),
        _ => (kind, counts(watch, env, args)),
    };
    if kind == EffectKind::FileLook {
        let path = read(env, watch.on, args);
        if !known_files::is_known(&path) {
            effects::note(kind, || path);
        }
    } else if counts {
        effects::note(kind, || read(env, watch.on, args));
    }
}

/// The paths of a method that is called on files.
fn paths(watch: &Watch, env: Env, args: &[usize; 12]) -> Vec<String> {
    let mut paths = vec![read(env, watch.on, args)];
    if watch.method == MOVING {
        let second = match watch.on {
            On::File(at) => On::File(at + 1),
            On::Path(at) => On::Path(at + 1),
            other => other,
        };
        paths.push(read(env, second, args));
    }
    paths
}

fn counts(watch: &Watch, env: Env, args: &[usize; 12]) -> bool {
    match watch.when {
        When::Always | When::OpensForWriting(_) | When::NotReadOnly(_) => true,
        When::OutsideJdk(at) => {
            let home = READING.get().map_or("", |r| &r.jdk_home);
            let path = read(env, On::String(at), args);
            !known_files::is_at_or_below(&path, home)
        }
        When::OnStandardStream => READING.get().is_some_and(|reading| {
            // SAFETY: the receiver is a `FileDescriptor`, whose field this is.
            let fd = unsafe { jni!(env, GetIntField, args[1] as jobject, reading.descriptor) };
            (0..=2).contains(&fd)
        }),
    }
}

fn read(env: Env, on: On, args: &[usize; 12]) -> String {
    let string = |string: jobject| {
        if string.is_null() {
            return String::new();
        }
        // SAFETY: the method's descriptor says that this argument is a string.
        unsafe { env.read_string(string) }.to_string()
    };
    match on {
        On::Nothing => String::new(),
        On::String(at) => string(args[at] as jobject),
        On::File(at) => {
            let (Some(reading), false) = (READING.get(), args[at] == 0) else {
                return String::new();
            };
            // SAFETY: the method's descriptor says that this argument is a `java.io.File`.
            unsafe {
                let path = jni!(env, GetObjectField, args[at] as jobject, reading.file_path);
                let text = string(path);
                jni!(env, DeleteLocalRef, path);
                text
            }
        }
        On::Path(at) if args[at] == 0 => String::new(),
        // SAFETY: the JDK passes the address of a NUL-terminated path it owns during the call.
        On::Path(at) => lossy(unsafe { CStr::from_ptr(args[at] as *const c_char) }),
    }
}

macro_rules! wrappers {
    ($($n:literal)*) => { [$(wrapper::<$n> as Native),*] };
}

static WRAPPERS: [Native; PLACES] = wrappers![
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29
    30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59
    60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89
    90 91 92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119
    120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149
    150 151 152 153 154 155 156 157 158 159 160 161 162 163
];

/// A native method was found its function: put the wrapper in its place, if it is watched.
pub(crate) unsafe extern "system" fn on_bind(
    jvmti: *mut jvmtiEnv,
    jni: *mut JNIEnv,
    _thread: jthread,
    method: jmethodID,
    address: *mut c_void,
    new_address: *mut *mut c_void,
) {
    // SAFETY: JVMTI's arguments are valid during the callback.
    let env = unsafe { Env::from_raw(jni) };
    // SAFETY: as above.
    let index = catch_unwind(AssertUnwindSafe(|| unsafe { watched(jvmti, env, method) }));
    let Ok(index) = index else { std::process::abort() };
    let Some(index) = index else { return };
    let wrapper = WRAPPERS[index] as *mut c_void;
    if address != wrapper {
        ORIGINALS[index].store(address, Ordering::Release);
        // SAFETY: the out pointer is valid during the callback; the wrapper has the native method's
        // shape (see `Native`), and finds the original stored.
        unsafe { *new_address = wrapper };
    }
}

/// # Safety
/// The arguments come from a JVMTI callback that is under way.
unsafe fn watched(jvmti: *mut jvmtiEnv, env: Env, method: jmethodID) -> Option<usize> {
    // SAFETY: out pointers are valid; what JVMTI allocated is given back after being read.
    unsafe {
        let functions = &*(*jvmti).functions;
        let mut name: *mut c_char = ptr::null_mut();
        let get_name = functions.GetMethodName?;
        let mut descriptor: *mut c_char = ptr::null_mut();
        if get_name(jvmti, method, &mut name, &mut descriptor, ptr::null_mut()) != jvmtiError::NONE
        {
            return None;
        }
        let deallocate = functions.Deallocate?;
        let method_name = lossy(CStr::from_ptr(name));
        let declared = lossy(CStr::from_ptr(descriptor));
        deallocate(jvmti, name.cast());
        deallocate(jvmti, descriptor.cast());
        if !WATCHES.iter().any(|w| w.method == method_name) && !unknown::has_method(&method_name) {
            return None;
        }
        let mut class: jclass = ptr::null_mut();
        let get_class = functions.GetMethodDeclaringClass?;
        if get_class(jvmti, method, &mut class) != jvmtiError::NONE {
            return None;
        }
        let mut signature: *mut c_char = ptr::null_mut();
        let get_signature = functions.GetClassSignature?;
        let found = get_signature(jvmti, class, &mut signature, ptr::null_mut());
        jni!(env, DeleteLocalRef, class);
        if found != jvmtiError::NONE {
            return None;
        }
        let class_name = lossy(CStr::from_ptr(signature));
        deallocate(jvmti, signature.cast());
        let class_name = class_name.strip_prefix('L')?.strip_suffix(';')?.to_owned();
        let is_watched = |w: &Watch| w.method == method_name && w.class == class_name;
        WATCHES.iter().position(is_watched).or_else(|| {
            unknown::position(&class_name, &method_name, &declared)
                .map(|number| WATCHES.len() + number)
        })
    }
}

/// Wraps the natives of classes that were in use before events could be had.
pub(crate) fn wrap_bound(jvm: &Jvm, env: Env) -> Result<(), JvmError> {
    let file_path = field(env, "java/io/File", c"path", c"Ljava/lang/String;")?;
    let descriptor = field(env, "java/io/FileDescriptor", c"fd", c"I")?;
    let jdk_home = jdk_home(env)?;
    let libraries =
        Libraries { java: library(&jdk_home, "java")?, nio: library(&jdk_home, "nio")? };
    known_files::set_jdk_home(&jdk_home);
    if READING.set(Reading { file_path, descriptor, jdk_home }).is_err() {
        return Ok(());
    }
    for (class_name, method, descriptor) in EARLY {
        let index = WATCHES
            .iter()
            .position(|w| w.class == class_name && w.method == method)
            .expect("every early native is watched");
        let address = original(jvm, &libraries, class_name, method);
        let Some(address) = address else { continue };
        if !ORIGINALS[index].load(Ordering::Acquire).is_null() {
            continue;
        }
        let class = env.find_class(class_name)?;
        let declared = lossy(descriptor);
        let exists = |is_static| env.method(class, method, &declared, is_static).is_ok();
        if !exists(false) && !exists(true) {
            continue;
        }
        ORIGINALS[index].store(address, Ordering::Release);
        let c_name = modified_utf8(method);
        let wrapper = WRAPPERS[index] as *mut c_void;
        // SAFETY: the wrapper has the shape of every watched native (see `Native`).
        unsafe { env.register_native(class, &c_name, descriptor, wrapper)? };
    }
    wrap_unknown(jvm, env, &libraries)?;
    let is_bound = |index: usize| !ORIGINALS[index].load(Ordering::Acquire).is_null();
    match unwatched(is_bound) {
        None => Ok(()),
        Some((class, method)) => {
            let what = format!("the native method {}.{method}", class.replace('/', "."));
            let why = "this JDK has none of that name, so its effects would not be seen".to_owned();
            Err(JvmError::Link { what, why })
        }
    }
}

/// Wraps those unknown natives that the JVM may have bound; others are wrapped when they are bound.
fn wrap_unknown(jvm: &Jvm, env: Env, libraries: &Libraries) -> Result<(), JvmError> {
    for (number, native) in unknown::watched() {
        let index = WATCHES.len() + number;
        let Some(address) = original(jvm, libraries, &native.class, &native.method) else {
            continue;
        };
        if ORIGINALS[index].load(Ordering::Acquire).is_null() {
            let class = env.find_class(&native.class)?;
            ORIGINALS[index].store(address, Ordering::Release);
            let name = modified_utf8(&native.method);
            let descriptor = modified_utf8(&native.descriptor);
            let wrapper = WRAPPERS[index] as *mut c_void;
            // SAFETY: what is watched was seen to have the wrapper's shape (`unknown::watch`).
            unsafe { env.register_native(class, &name, &descriptor, wrapper)? };
        }
    }
    Ok(())
}

/// An early native of which no spelling is bound to its wrapper. JDKs have it with or without a `0`
/// at the end of its name, so one of them must be there.
fn unwatched(is_bound: impl Fn(usize) -> bool) -> Option<(&'static str, &'static str)> {
    let required =
        EARLY.iter().filter(|(class, method, _)| !IN_SOME_JDKS.contains(&(class, method)));
    required.map(|(class, method, _)| (*class, base(method))).find(|(class, method)| {
        let spellings = WATCHES.iter().enumerate();
        !spellings
            .filter(|(_, watch)| watch.class == *class && base(watch.method) == *method)
            .any(|(index, _)| is_bound(index))
    })
}

/// A field of a class of the JDK.
pub(crate) fn field(
    env: Env,
    class: &str,
    name: &CStr,
    descriptor: &CStr,
) -> Result<jfieldID, JvmError> {
    let owner = env.find_class(class)?;
    // SAFETY: the class is initialized by finding it; names are NUL-terminated.
    let field = unsafe { jni!(env, GetFieldID, owner, name.as_ptr(), descriptor.as_ptr()) };
    match env.take_exception() {
        None => Ok(field),
        Some(thrown) => {
            let what = format!("{class}.{}", lossy(name));
            Err(JvmError::Link { what, why: env.describe(thrown) })
        }
    }
}

/// The JDK's libraries that have the natives of its classes; never unloaded.
struct Libraries {
    java: ManuallyDrop<libloading::Library>,
    nio: ManuallyDrop<libloading::Library>,
}

fn library(jdk_home: &str, name: &str) -> Result<ManuallyDrop<libloading::Library>, JvmError> {
    let path = format!("{jdk_home}/lib/lib{name}.so");
    // SAFETY: a library that the JVM itself has loaded or loads when it needs it; it has no
    // initializers that matter to anybody else.
    unsafe { libloading::Library::new(&path) }
        .map(ManuallyDrop::new)
        .map_err(|source| JvmError::Load { path: path.into(), source })
}

/// The function a native method is bound to, by the name rules of JNI; `None` if this JDK has no
/// such method.
fn original(jvm: &Jvm, libraries: &Libraries, class: &str, method: &str) -> Option<*mut c_void> {
    let mangle = |name: &str| name.replace('_', "_1").replace('/', "_");
    let symbol = format!("Java_{}_{}\0", mangle(class), mangle(method));
    // `Thread`'s natives are functions of the JVM itself.
    let (library, symbol) = match (class, method) {
        ("java/lang/Thread", "start0") => (jvm.library(), "JVM_StartThread\0".to_owned()),
        _ if class.starts_with("sun/nio/") => (&*libraries.nio, symbol),
        _ => (&*libraries.java, symbol),
    };
    // SAFETY: the symbol is a function; it is only stored here.
    unsafe { library.get::<*mut c_void>(symbol.as_bytes()).ok().map(|found| *found) }
}

fn jdk_home(env: Env) -> Result<String, JvmError> {
    let system = env.find_class("java/lang/System")?;
    let get = env.method(system, "getProperty", "(Ljava/lang/String;)Ljava/lang/String;", true)?;
    let key: Vec<u16> = "java.home".encode_utf16().collect();
    // SAFETY: the method takes one string and returns one.
    unsafe {
        let args = [jvmti_bindings::sys::jni::jvalue { l: env.new_string(&key) }];
        let home = jni!(env, CallStaticObjectMethodA, system, get, args.as_ptr());
        if let Some(thrown) = env.take_exception() {
            return Err(JvmError::Link { what: "java.home".into(), why: env.describe(thrown) });
        }
        Ok(env.read_string(home).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is missed if these are not bound.
    fn check(unbound: &[(&str, &str)], missed: Option<(&str, &str)>) {
        let is_bound = |index: usize| {
            let watch = &WATCHES[index];
            !unbound.contains(&(watch.class, watch.method))
        };
        assert_eq!(unwatched(is_bound), missed);
    }

    #[test]
    fn one_spelling_of_an_early_native_must_be_bound() {
        const FILES: &str = "java/io/UnixFileSystem";
        check(&[], None);
        check(&[(FILES, "setReadOnly")], None);
        check(&[(FILES, "setReadOnly0")], None);
        let neither = [(FILES, "setReadOnly"), (FILES, "setReadOnly0")];
        check(&neither, Some((FILES, "setReadOnly")));
        check(&[("java/lang/Thread", "start0")], Some(("java/lang/Thread", "start")));
    }
}
