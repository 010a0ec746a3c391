//! Starting the JVM.
//!
//! A process has at most one JVM in its life (HotSpot cannot be created twice), so [`Jvm`] is made
//! once and lives until the process exits.

use std::ffi::{CStr, CString, c_char, c_void};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::Arc;

use jvmti_bindings::sys::jni::{
    JNI_CreateJavaVM, JNI_OK, JNI_VERSION_10, JNIEnv, JavaVM, JavaVMInitArgs, JavaVMOption, jclass,
};
use jvmti_bindings::sys::jvmti::{
    JVMTI_VERSION_1_2, jvmtiCapabilities, jvmtiEnv, jvmtiError, jvmtiEventCallbacks,
};

use crate::env::{Env, jni};
use crate::names::modified_utf8;
use crate::{JvmError, NativeMethod, effects, hook, natives, unknown};

/// Classes there may be when those that are loaded are listed; a JVM starts with some hundreds.
const MAX_LOADED: i32 = 1 << 14;

/// How the JVM is started.
#[derive(Clone, Debug)]
pub struct Options {
    /// `libjvm.so` of the JDK to use.
    pub libjvm: PathBuf,
    /// Arguments as on the `java` command line (`-Xmx…`, `-D…`).
    pub args: Vec<String>,
    /// Native methods of watched classes that no list knows: calls of them are taken for effects.
    pub unknown_natives: Vec<NativeMethod>,
}

/// The JVM of this process; clones stand for the same one.
#[derive(Clone)]
pub struct Jvm {
    vm: *mut JavaVM,
    jvmti: *mut jvmtiEnv,
    /// Never unloaded: the JVM's code stays in use until the process ends.
    library: Arc<libloading::Library>,
}

// SAFETY: a JavaVM and a JVMTI environment may be used from any thread (JNI and JVMTI
// specifications); thread-bound state lives in `Env`, which is made anew per thread.
unsafe impl Send for Jvm {}
// SAFETY: as above.
unsafe impl Sync for Jvm {}

impl Jvm {
    /// Starts the JVM with class hook, native-method hook and effect monitor in place. The current
    /// thread becomes its main thread.
    pub fn create(options: &Options) -> Result<Self, JvmError> {
        unknown::watch(&options.unknown_natives)?;
        let library = Arc::new(load(&options.libjvm)?);
        let strings = options
            .args
            .iter()
            .map(|arg| CString::new(arg.as_str()).map_err(|_| JvmError::Option(arg.clone())))
            .collect::<Result<Vec<_>, _>>()?;
        let mut raw_options: Vec<JavaVMOption> = strings
            .iter()
            .map(|s| JavaVMOption {
                optionString: s.as_ptr().cast_mut(),
                extraInfo: ptr::null_mut(),
            })
            .collect();
        let mut args = JavaVMInitArgs {
            version: JNI_VERSION_10,
            nOptions: raw_options.len() as i32,
            options: raw_options.as_mut_ptr(),
            ignoreUnrecognized: 0,
        };
        let mut vm: *mut JavaVM = ptr::null_mut();
        let mut env: *mut JNIEnv = ptr::null_mut();
        // SAFETY: the symbol has this type in every JVM library; all pointers outlive the call.
        let code = unsafe {
            let create: libloading::Symbol<JNI_CreateJavaVM> =
                library
                    .get(b"JNI_CreateJavaVM\0")
                    .map_err(|source| JvmError::Load { path: options.libjvm.clone(), source })?;
            create(&mut vm, &mut env, &mut args)
        };
        if code != JNI_OK {
            return Err(JvmError::Create { code, options: options.args.clone() });
        }
        let mut jvmti: *mut c_void = ptr::null_mut();
        // SAFETY: `vm` was just created and the out pointer is valid.
        let code = unsafe { ((**vm).GetEnv)(vm, &mut jvmti, JVMTI_VERSION_1_2) };
        if code != JNI_OK {
            return Err(JvmError::Jvmti { function: "GetEnv", code });
        }
        let jvm = Self { vm, jvmti: jvmti.cast(), library };
        jvm.enable_events()?;
        Ok(jvm)
    }

    fn enable_events(&self) -> Result<(), JvmError> {
        let mut capabilities = jvmtiCapabilities::default();
        capabilities.set_can_generate_all_class_hook_events(true);
        capabilities.set_can_retransform_classes(true);
        capabilities.set_can_retransform_any_class(true);
        capabilities.set_can_redefine_classes(true);
        capabilities.set_can_signal_thread(true);
        capabilities.set_can_generate_native_method_bind_events(true);
        capabilities.set_can_tag_objects(true);
        let mut callbacks = jvmtiEventCallbacks::default();
        callbacks.ClassFileLoadHook = Some(hook::on_class_file);
        callbacks.NativeMethodBind = Some(natives::on_bind);
        let size = size_of::<jvmtiEventCallbacks>() as i32;
        // SAFETY: the JVM copies both structures during the calls, of the callbacks no more than the
        // size given, and events that a JVM does not know stay unused. The callbacks have the types
        // that the structure's fields declare, which the compiler compares; they live as long as the
        // process. They may come on any thread at once: what they share is behind `OnceLock`s, locks
        // and atomics. No panic of theirs unwinds into the JVM: it is caught, and at the latest it
        // ends the process where it would leave an `extern "system"` function.
        unsafe {
            self.check("AddCapabilities", jvmti!(self, AddCapabilities, &capabilities))?;
            self.check("SetEventCallbacks", jvmti!(self, SetEventCallbacks, &callbacks, size))?;
            for event in [
                jvmti_bindings::sys::jvmti::JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                jvmti_bindings::sys::jvmti::JVMTI_EVENT_NATIVE_METHOD_BIND,
            ] {
                let mode = jvmti_bindings::sys::jvmti::JVMTI_ENABLE;
                let result =
                    jvmti!(self, SetEventNotificationMode, mode, event, ptr::null_mut::<c_void>());
                self.check("SetEventNotificationMode", result)?;
            }
        }
        Ok(())
    }

    pub(crate) fn check(&self, function: &'static str, result: jvmtiError) -> Result<(), JvmError> {
        if result == jvmtiError::NONE {
            Ok(())
        } else {
            Err(JvmError::Jvmti { function, code: result.raw() })
        }
    }

    pub(crate) fn jvmti(&self) -> *mut jvmtiEnv {
        self.jvmti
    }

    /// A further JVMTI environment, with events of its own.
    pub(crate) fn another_jvmti(&self) -> Result<Listener, JvmError> {
        let mut jvmti: *mut c_void = ptr::null_mut();
        // SAFETY: the VM lives as long as the process; the out pointer is valid.
        let code = unsafe { ((**self.vm).GetEnv)(self.vm, &mut jvmti, JVMTI_VERSION_1_2) };
        if code == JNI_OK {
            Ok(Listener(jvmti.cast()))
        } else {
            Err(JvmError::Jvmti { function: "GetEnv", code })
        }
    }

    pub(crate) fn library(&self) -> &libloading::Library {
        &self.library
    }

    /// The JNI environment of the current thread, which is attached (as a daemon) if it was not.
    pub(crate) fn attach(&self) -> Result<Env, JvmError> {
        let mut env: *mut c_void = ptr::null_mut();
        // SAFETY: the VM lives as long as the process; attaching twice returns the same environment.
        let code = unsafe {
            ((**self.vm).AttachCurrentThreadAsDaemon)(self.vm, &mut env, ptr::null_mut())
        };
        if code != JNI_OK {
            return Err(JvmError::Attach(code));
        }
        // SAFETY: this is the current thread's environment.
        Ok(unsafe { Env::from_raw(env.cast()) })
    }

    /// The same for a thread that is no daemon, unless it was attached as one before.
    pub(crate) fn attach_as_user_thread(&self) -> Result<Env, JvmError> {
        let mut env: *mut c_void = ptr::null_mut();
        // SAFETY: as for `attach`.
        let code = unsafe { ((**self.vm).AttachCurrentThread)(self.vm, &mut env, ptr::null_mut()) };
        if code != JNI_OK {
            return Err(JvmError::Attach(code));
        }
        // SAFETY: this is the current thread's environment.
        Ok(unsafe { Env::from_raw(env.cast()) })
    }

    /// Defines classes into the boot loader, in the order given, and connects the effect monitor
    /// to `java.lang.Testhound`, which must be among them.
    pub fn define_boot_classes(&self, classes: &[(&str, &[u8])]) -> Result<(), JvmError> {
        let env = self.attach()?;
        for (name, bytes) in classes {
            let c_name = modified_utf8(name);
            // SAFETY: pointer and length describe `bytes`; a null loader is the boot loader.
            unsafe {
                let class = jni!(
                    env,
                    DefineClass,
                    c_name.as_ptr(),
                    ptr::null_mut(),
                    bytes.as_ptr().cast(),
                    bytes.len() as i32
                );
                env.global_or(class, || (*name).to_owned())?;
            }
        }
        effects::connect(env)?;
        natives::wrap_bound(self, env)
    }

    /// Has classes pass through the class hook again; they are loaded if they were not.
    pub fn retransform(&self, classes: &[&str]) -> Result<(), JvmError> {
        let env = self.attach()?;
        let handles =
            classes.iter().map(|name| env.find_class(name)).collect::<Result<Vec<_>, _>>()?;
        // SAFETY: pointer and length describe `handles`, which are global references.
        let result =
            unsafe { jvmti!(self, RetransformClasses, handles.len() as i32, handles.as_ptr()) };
        self.check("RetransformClasses", result)
    }

    /// Has those of the classes loaded so far pass through the class hook again whose internal names
    /// are wanted.
    pub fn retransform_loaded(&self, is_wanted: &dyn Fn(&str) -> bool) -> Result<(), JvmError> {
        let env = self.attach()?;
        // SAFETY: no exception is pending; the frame is taken back below.
        if unsafe { jni!(env, PushLocalFrame, MAX_LOADED) } != JNI_OK {
            env.clear_exception();
            let why = "no room for the classes that are loaded".to_owned();
            return Err(JvmError::Link { what: "loaded classes".to_owned(), why });
        }
        let result = self.retransform_in_frame(is_wanted);
        // SAFETY: the frame from above; nothing of it is used any more.
        unsafe { jni!(env, PopLocalFrame, ptr::null_mut()) };
        result
    }

    fn retransform_in_frame(&self, is_wanted: &dyn Fn(&str) -> bool) -> Result<(), JvmError> {
        let mut count = 0;
        let mut classes: *mut jclass = ptr::null_mut();
        // SAFETY: both are places for what is returned.
        let result = unsafe { jvmti!(self, GetLoadedClasses, &mut count, &mut classes) };
        self.check("GetLoadedClasses", result)?;
        let mut wanted = Vec::new();
        for at in 0..count as usize {
            // SAFETY: there are so many classes, each a local reference of the open frame.
            let class = unsafe { *classes.add(at) };
            if self.internal_name(class).is_some_and(|name| is_wanted(&name)) {
                wanted.push(class);
            }
        }
        // SAFETY: pointer and length describe `wanted`, live references.
        let result =
            unsafe { jvmti!(self, RetransformClasses, wanted.len() as i32, wanted.as_ptr()) };
        // SAFETY: JVMTI allocated the list, and nobody uses it any more.
        let freed = unsafe { jvmti!(self, Deallocate, classes.cast()) };
        self.check("RetransformClasses", result)?;
        self.check("Deallocate", freed)
    }

    /// The internal name of a class that is no array.
    fn internal_name(&self, class: jclass) -> Option<String> {
        let mut signature: *mut c_char = ptr::null_mut();
        // SAFETY: a live class, a place for its signature, and no wish for the generic one.
        let result =
            unsafe { jvmti!(self, GetClassSignature, class, &mut signature, ptr::null_mut()) };
        self.check("GetClassSignature", result).ok()?;
        // SAFETY: JVMTI returned a text that ends with a zero.
        let text = unsafe { CStr::from_ptr(signature) }.to_str().ok()?.to_owned();
        // SAFETY: JVMTI allocated it, and nobody uses it any more.
        let freed = unsafe { jvmti!(self, Deallocate, signature.cast()) };
        self.check("Deallocate", freed).ok()?;
        Some(text.strip_prefix('L')?.strip_suffix(';')?.to_owned())
    }
}

/// A JVMTI environment beside the JVM's own.
pub(crate) struct Listener(*mut jvmtiEnv);

impl Listener {
    pub(crate) fn jvmti(&self) -> *mut jvmtiEnv {
        self.0
    }
}

/// Calls a function of the JVMTI table; every function used here exists since JVMTI 1.0.
macro_rules! jvmti {
    ($jvm:expr, $function:ident $(, $arg:expr)* $(,)?) => {{
        let env = $jvm.jvmti();
        ((*(*env).functions).$function.expect("present in every JVMTI table"))(env $(, $arg)*)
    }};
}
pub(crate) use jvmti;

fn load(path: &Path) -> Result<libloading::Library, JvmError> {
    // SAFETY: loading libjvm runs only its own initializers.
    unsafe { libloading::Library::new(path) }
        .map_err(|source| JvmError::Load { path: path.to_owned(), source })
}
