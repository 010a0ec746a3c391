//! Watching the JDK's own choke points: its native methods (requirement Q17).
//!
//! Every way Java has to touch files, processes or the network ends in one of a few native
//! methods, whatever library asks. Each is replaced by a wrapper that notes the attempt and calls
//! the original. Methods bound later are caught by JVMTI's `NativeMethodBind`; those of classes
//! that the JVM used while it started are registered again ([`wrap_bound`]).

use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jfieldID, jmethodID, jobject, jthread};
use jvmti_bindings::sys::jvmti::{jvmtiEnv, jvmtiError};
use model::EffectKind;

use crate::env::{Env, jni};
use crate::names::{lossy, modified_utf8};
use crate::{Jvm, JvmError, effects};

/// Where the thing acted on stands among the native function's arguments (0 is the environment,
/// 1 the class or receiver).
#[derive(Clone, Copy)]
enum On {
    Nothing,
    String(usize),
    File(usize),
    /// The address of a C string.
    Path(usize),
}

/// When a call counts.
#[derive(Clone, Copy)]
enum When {
    Always,
    /// The argument is a set of `open` flags that allows writing.
    OpensForWriting(usize),
    /// The argument is not `RandomAccessFile`'s read-only mode.
    NotReadOnly(usize),
    /// The string argument is a path outside the JDK.
    OutsideJdk(usize),
    /// The receiver is the descriptor of a standard stream.
    OnStandardStream,
}

struct Watch {
    class: &'static str,
    method: &'static str,
    /// `None`: a thread is started.
    kind: Option<EffectKind>,
    on: On,
    when: When,
}

const fn watch(
    class: &'static str,
    method: &'static str,
    kind: EffectKind,
    on: On,
    when: When,
) -> Watch {
    Watch { class, method, kind: Some(kind), on, when }
}

const FILES: &str = "java/io/UnixFileSystem";
const NIO: &str = "sun/nio/fs/UnixNativeDispatcher";
const NET: &str = "sun/nio/ch/Net";
const UNIX: &str = "sun/nio/ch/UnixDomainSockets";

use EffectKind::{
    FileDelete, FileMove, FileWrite, NativeLibrary, Network, Process, Setting, Stream,
};
use When::Always;

/// The methods watched. Newer JDKs added a `0` to the names of `UnixFileSystem`'s.
static WATCHES: [Watch; 62] = [
    watch("java/io/FileOutputStream", "open0", FileWrite, On::String(2), Always),
    watch("java/io/RandomAccessFile", "open0", FileWrite, On::String(2), When::NotReadOnly(3)),
    watch(FILES, "delete0", FileDelete, On::File(2), Always),
    watch(FILES, "rename0", FileMove, On::File(2), Always),
    watch(FILES, "createDirectory", FileWrite, On::File(2), Always),
    watch(FILES, "createDirectory0", FileWrite, On::File(2), Always),
    watch(FILES, "createFileExclusively", FileWrite, On::String(2), Always),
    watch(FILES, "createFileExclusively0", FileWrite, On::String(2), Always),
    watch(FILES, "setLastModifiedTime", FileWrite, On::File(2), Always),
    watch(FILES, "setLastModifiedTime0", FileWrite, On::File(2), Always),
    watch(FILES, "setReadOnly", FileWrite, On::File(2), Always),
    watch(FILES, "setReadOnly0", FileWrite, On::File(2), Always),
    watch(FILES, "setPermission", FileWrite, On::File(2), Always),
    watch(FILES, "setPermission0", FileWrite, On::File(2), Always),
    watch(NIO, "open0", FileWrite, On::Path(2), When::OpensForWriting(3)),
    watch(NIO, "openat0", FileWrite, On::Path(3), When::OpensForWriting(4)),
    watch(NIO, "unlink0", FileDelete, On::Path(2), Always),
    watch(NIO, "unlinkat0", FileDelete, On::Path(3), Always),
    watch(NIO, "rmdir0", FileDelete, On::Path(2), Always),
    watch(NIO, "rename0", FileMove, On::Path(2), Always),
    watch(NIO, "renameat0", FileMove, On::Path(3), Always),
    watch(NIO, "link0", FileMove, On::Path(2), Always),
    watch(NIO, "symlink0", FileMove, On::Path(3), Always),
    watch(NIO, "mkdir0", FileWrite, On::Path(2), Always),
    watch(NIO, "mknod0", FileWrite, On::Path(2), Always),
    watch(NIO, "chmod0", FileWrite, On::Path(2), Always),
    watch(NIO, "fchmod0", FileWrite, On::Nothing, Always),
    watch(NIO, "chown0", FileWrite, On::Path(2), Always),
    watch(NIO, "lchown0", FileWrite, On::Path(2), Always),
    watch(NIO, "fchown0", FileWrite, On::Nothing, Always),
    watch(NIO, "utimes0", FileWrite, On::Path(2), Always),
    watch(NIO, "futimes0", FileWrite, On::Nothing, Always),
    watch(NIO, "futimens0", FileWrite, On::Nothing, Always),
    watch(NIO, "lutimes0", FileWrite, On::Path(2), Always),
    watch(NIO, "fsetxattr0", FileWrite, On::Nothing, Always),
    watch(NIO, "fremovexattr0", FileWrite, On::Nothing, Always),
    watch("java/lang/ProcessImpl", "forkAndExec", Process, On::Nothing, Always),
    watch("java/lang/ProcessHandleImpl", "destroy0", Process, On::Nothing, Always),
    watch(NET, "socket0", Network, On::Nothing, Always),
    watch(NET, "connect0", Network, On::Nothing, Always),
    watch(NET, "bind0", Network, On::Nothing, Always),
    watch(UNIX, "socket0", Network, On::Nothing, Always),
    watch(UNIX, "connect0", Network, On::Nothing, Always),
    watch(UNIX, "bind0", Network, On::Nothing, Always),
    watch("java/net/Inet4AddressImpl", "lookupAllHostAddr", Network, On::String(2), Always),
    watch("java/net/Inet4AddressImpl", "getLocalHostName", Network, On::Nothing, Always),
    watch("java/net/Inet4AddressImpl", "getHostByAddr", Network, On::Nothing, Always),
    watch("java/net/Inet4AddressImpl", "isReachable0", Network, On::Nothing, Always),
    watch("java/net/Inet6AddressImpl", "lookupAllHostAddr", Network, On::String(2), Always),
    watch("java/net/Inet6AddressImpl", "getLocalHostName", Network, On::Nothing, Always),
    watch("java/net/Inet6AddressImpl", "getHostByAddr", Network, On::Nothing, Always),
    watch("java/net/Inet6AddressImpl", "isReachable0", Network, On::Nothing, Always),
    watch("java/net/NetworkInterface", "getAll", Network, On::Nothing, Always),
    watch("java/net/NetworkInterface", "getByName0", Network, On::String(2), Always),
    watch("jdk/internal/misc/Signal", "handle0", Setting, On::Nothing, Always),
    watch("jdk/internal/misc/Signal", "raise0", Process, On::Nothing, Always),
    watch(
        "jdk/internal/loader/NativeLibraries",
        "load",
        NativeLibrary,
        On::String(3),
        When::OutsideJdk(3),
    ),
    watch("java/io/FileDescriptor", "close0", Stream, On::Nothing, When::OnStandardStream),
    watch("java/lang/System", "setIn0", Stream, On::Nothing, Always),
    watch("java/lang/System", "setOut0", Stream, On::Nothing, Always),
    watch("java/lang/System", "setErr0", Stream, On::Nothing, Always),
    Watch {
        class: "java/lang/Thread",
        method: "start0",
        kind: None,
        on: On::Nothing,
        when: Always,
    },
];

/// Classes whose natives the JVM may have bound while it started: class, method, descriptor.
/// A method that the JDK at hand does not have is passed over.
const EARLY: [(&str, &str, &CStr); 23] = [
    ("java/io/FileOutputStream", "open0", c"(Ljava/lang/String;Z)V"),
    ("java/io/RandomAccessFile", "open0", c"(Ljava/lang/String;I)V"),
    (FILES, "delete0", c"(Ljava/io/File;)Z"),
    (FILES, "rename0", c"(Ljava/io/File;Ljava/io/File;)Z"),
    (FILES, "createDirectory", c"(Ljava/io/File;)Z"),
    (FILES, "createDirectory0", c"(Ljava/io/File;)Z"),
    (FILES, "createFileExclusively", c"(Ljava/lang/String;)Z"),
    (FILES, "createFileExclusively0", c"(Ljava/lang/String;)Z"),
    (FILES, "setLastModifiedTime", c"(Ljava/io/File;J)Z"),
    (FILES, "setLastModifiedTime0", c"(Ljava/io/File;J)Z"),
    (FILES, "setReadOnly", c"(Ljava/io/File;)Z"),
    (FILES, "setReadOnly0", c"(Ljava/io/File;)Z"),
    (FILES, "setPermission", c"(Ljava/io/File;IZZ)Z"),
    (FILES, "setPermission0", c"(Ljava/io/File;IZZ)Z"),
    ("java/io/FileDescriptor", "close0", c"()V"),
    ("jdk/internal/misc/Signal", "handle0", c"(IJ)J"),
    ("jdk/internal/misc/Signal", "raise0", c"(I)V"),
    ("java/lang/System", "setIn0", c"(Ljava/io/InputStream;)V"),
    ("java/lang/System", "setOut0", c"(Ljava/io/PrintStream;)V"),
    ("java/lang/System", "setErr0", c"(Ljava/io/PrintStream;)V"),
    ("java/lang/Thread", "start0", c"()V"),
    (
        "jdk/internal/loader/NativeLibraries",
        "load",
        c"(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;ZZ)Z",
    ),
    (
        "jdk/internal/loader/NativeLibraries",
        "load",
        c"(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;ZZZ)Z",
    ),
];

/// A native method of up to ten integer or pointer arguments, environment and receiver included.
///
/// None of the methods watched takes more, none takes a floating-point value, and under the C
/// calling conventions of x86-64 and AArch64 passing more integers than the callee reads is
/// harmless, so that one shape serves them all.
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
) -> usize;

static ORIGINALS: [AtomicPtr<c_void>; WATCHES.len()] =
    [const { AtomicPtr::new(ptr::null_mut()) }; WATCHES.len()];

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
) -> usize {
    if effects::is_armed() {
        let args = [a, b, c, d, e, f, g, h, i, j];
        // SAFETY: the first argument of a native method is the thread's environment.
        let env = unsafe { Env::from_raw(a as *mut JNIEnv) };
        if catch_unwind(AssertUnwindSafe(|| note(&WATCHES[N], env, &args))).is_err() {
            std::process::abort();
        }
    }
    let original = ORIGINALS[N].load(Ordering::Acquire);
    // SAFETY: the wrapper was installed after the original was stored; the shape fits (see `Native`).
    unsafe {
        let original: Native = std::mem::transmute(original);
        original(a, b, c, d, e, f, g, h, i, j)
    }
}

fn note(watch: &Watch, env: Env, args: &[usize; 10]) {
    let Some(kind) = watch.kind else { return effects::note_thread() };
    // The flags of Linux's `open`: write-only, read-write, create, truncate, append.
    const WRITING: usize = 0o1 | 0o2 | 0o100 | 0o1000 | 0o2000;
    let counts = match watch.when {
        Always => true,
        When::OpensForWriting(at) => args[at] & WRITING != 0,
        When::NotReadOnly(at) => args[at] & 0xff != 1,
        When::OutsideJdk(at) => {
            let home = READING.get().map_or("", |r| &r.jdk_home);
            let path = read(env, On::String(at), args);
            home.is_empty() || !path.starts_with(home)
        }
        When::OnStandardStream => READING.get().is_some_and(|reading| {
            // SAFETY: the receiver is a `FileDescriptor`, whose field this is.
            let fd = unsafe { jni!(env, GetIntField, args[1] as jobject, reading.descriptor) };
            (0..=2).contains(&fd)
        }),
    };
    if counts {
        effects::note(kind, || read(env, watch.on, args));
    }
}

fn read(env: Env, on: On, args: &[usize; 10]) -> String {
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
            string(unsafe { jni!(env, GetObjectField, args[at] as jobject, reading.file_path) })
        }
        On::Path(at) if args[at] == 0 => String::new(),
        // SAFETY: the JDK passes the address of a NUL-terminated path it owns during the call.
        On::Path(at) => lossy(unsafe { CStr::from_ptr(args[at] as *const c_char) }),
    }
}

macro_rules! wrappers {
    ($($n:literal)*) => { [$(wrapper::<$n> as Native),*] };
}

static WRAPPERS: [Native; WATCHES.len()] = wrappers![
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29
    30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59
    60 61
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
    let index = unsafe { watched(jvmti, env, method) };
    let Some(index) = index else { return };
    let wrapper = WRAPPERS[index] as *mut c_void;
    if address != wrapper {
        ORIGINALS[index].store(address, Ordering::Release);
        // SAFETY: the out pointer is valid; the wrapper has the native method's shape.
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
        if get_name(jvmti, method, &mut name, ptr::null_mut(), ptr::null_mut()) != jvmtiError::NONE
        {
            return None;
        }
        let deallocate = functions.Deallocate?;
        let method_name = lossy(CStr::from_ptr(name));
        deallocate(jvmti, name.cast());
        if !WATCHES.iter().any(|w| w.method == method_name) {
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
        WATCHES.iter().position(|w| w.method == method_name && w.class == class_name)
    }
}

/// Wraps the natives of classes that were in use before events could be had.
pub(crate) fn wrap_bound(jvm: &Jvm, env: Env) -> Result<(), JvmError> {
    let file_path = field(env, "java/io/File", c"path", c"Ljava/lang/String;")?;
    let descriptor = field(env, "java/io/FileDescriptor", c"fd", c"I")?;
    let jdk_home = jdk_home(env)?;
    let libjava = format!("{jdk_home}/lib/libjava.so");
    // SAFETY: the JVM has this library loaded already.
    let java = unsafe { libloading::Library::new(&libjava) }
        .map_err(|source| JvmError::Load { path: libjava.into(), source })?;
    if READING.set(Reading { file_path, descriptor, jdk_home }).is_err() {
        return Ok(());
    }
    for (class_name, method, descriptor) in EARLY {
        let index = WATCHES
            .iter()
            .position(|w| w.class == class_name && w.method == method)
            .expect("every early native is watched");
        let address = original(jvm, &java, class_name, method);
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
        // SAFETY: the wrapper has the shape of every watched native.
        unsafe { env.register_native(class, &c_name, descriptor, wrapper)? };
    }
    Ok(())
}

/// A field of a class of the JDK.
fn field(env: Env, class: &str, name: &CStr, descriptor: &CStr) -> Result<jfieldID, JvmError> {
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

/// The function a native method is bound to, by the name rules of JNI; `None` if this JDK has no
/// such method.
fn original(
    jvm: &Jvm,
    java: &libloading::Library,
    class: &str,
    method: &str,
) -> Option<*mut c_void> {
    let mangle = |name: &str| name.replace('_', "_1").replace('/', "_");
    let symbol = format!("Java_{}_{}\0", mangle(class), mangle(method));
    // `Thread`'s natives are functions of the JVM itself.
    let (library, symbol) = match (class, method) {
        ("java/lang/Thread", "start0") => (jvm.library(), "JVM_StartThread\0".to_owned()),
        _ => (java, symbol),
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
