//! What becomes of classes as they load: coverage and step counting for the code under test, step
//! counting for what it uses, effect hooks for the JDK methods that set process-wide state.

use std::cell::Cell;
use std::sync::{Mutex, OnceLock, PoisonError, RwLock};

use classfile::ClassFile;
use instrument::{Base, Hook, HookCall, Options, Plan};
use jvm::{ClassHook, Jvm, JvmError};
use model::EffectKind;
use rustc_hash::FxHashMap;

use crate::inside::foreign::with_foreign_members;

const LOGGER: &str = "java/util/logging/Logger";
const LOG_MANAGER: &str = "java/util/logging/LogManager";

/// Methods of the JDK that change state of the whole process or reach outside it, by class. Raising a
/// signal ends the user's JVM but throws in ours, where the JDK handles no signals (`-Xrs`), before it
/// comes to any native method. What is put off by a timer or to a virtual thread is done when nobody
/// watches any more.
const SETTERS: [(&str, &str, EffectKind); 78] = [
    ("jdk/internal/misc/Signal", "raise", EffectKind::Process),
    ("java/io/File", "deleteOnExit", EffectKind::FileDelete),
    ("java/net/InetAddress", "getAllByName0", EffectKind::Network),
    ("java/util/Locale", "setDefault", EffectKind::Locale),
    ("java/util/TimeZone", "setDefault", EffectKind::TimeZone),
    ("java/lang/System", "setProperty", EffectKind::SystemProperty),
    ("java/lang/System", "setProperties", EffectKind::SystemProperty),
    ("java/lang/System", "clearProperty", EffectKind::SystemProperty),
    ("java/lang/System", "setSecurityManager", EffectKind::Setting),
    ("java/lang/Runtime", "addShutdownHook", EffectKind::Setting),
    ("java/lang/Thread", "setDefaultUncaughtExceptionHandler", EffectKind::Setting),
    ("java/lang/ClassLoader", "setDefaultAssertionStatus", EffectKind::Setting),
    ("java/lang/ClassLoader", "setPackageAssertionStatus", EffectKind::Setting),
    ("java/lang/ClassLoader", "setClassAssertionStatus", EffectKind::Setting),
    ("java/lang/ClassLoader", "clearAssertionStatus", EffectKind::Setting),
    ("java/security/Security", "insertProviderAt", EffectKind::Setting),
    ("java/security/Security", "addProvider", EffectKind::Setting),
    ("java/security/Security", "removeProvider", EffectKind::Setting),
    ("java/security/Security", "setProperty", EffectKind::Setting),
    ("java/net/URL", "setURLStreamHandlerFactory", EffectKind::Setting),
    ("java/net/ProxySelector", "setDefault", EffectKind::Setting),
    ("java/net/Authenticator", "setDefault", EffectKind::Setting),
    ("java/net/CookieHandler", "setDefault", EffectKind::Setting),
    ("java/net/ResponseCache", "setDefault", EffectKind::Setting),
    ("java/net/URLConnection", "setContentHandlerFactory", EffectKind::Setting),
    ("java/net/URLConnection", "setFileNameMap", EffectKind::Setting),
    ("java/net/URLConnection", "setDefaultAllowUserInteraction", EffectKind::Setting),
    ("java/net/URLConnection", "setDefaultUseCaches", EffectKind::Setting),
    ("java/net/HttpURLConnection", "setFollowRedirects", EffectKind::Setting),
    ("java/net/Socket", "setSocketImplFactory", EffectKind::Setting),
    ("java/net/ServerSocket", "setSocketFactory", EffectKind::Setting),
    ("java/net/DatagramSocket", "setDatagramSocketImplFactory", EffectKind::Setting),
    ("javax/net/ssl/HttpsURLConnection", "setDefaultSSLSocketFactory", EffectKind::Setting),
    ("javax/net/ssl/HttpsURLConnection", "setDefaultHostnameVerifier", EffectKind::Setting),
    ("javax/net/ssl/SSLContext", "setDefault", EffectKind::Setting),
    ("java/lang/ThreadGroup", "setMaxPriority", EffectKind::Setting),
    ("java/lang/ThreadGroup", "setDaemon", EffectKind::Setting),
    ("java/util/concurrent/CompletableFuture", "delayedExecutor", EffectKind::Thread),
    ("java/util/concurrent/CompletableFuture", "orTimeout", EffectKind::Thread),
    ("java/util/concurrent/CompletableFuture", "completeOnTimeout", EffectKind::Thread),
    ("sun/management/MemoryImpl", "setVerbose", EffectKind::Setting),
    ("sun/management/ClassLoadingImpl", "setVerbose", EffectKind::Setting),
    ("com/sun/jmx/mbeanserver/JmxMBeanServer", "registerMBean", EffectKind::Setting),
    ("com/sun/jmx/mbeanserver/JmxMBeanServer", "unregisterMBean", EffectKind::Setting),
    ("java/sql/DriverManager", "registerDriver", EffectKind::Setting),
    ("java/sql/DriverManager", "deregisterDriver", EffectKind::Setting),
    ("java/sql/DriverManager", "setLogWriter", EffectKind::Setting),
    ("java/sql/DriverManager", "setLoginTimeout", EffectKind::Setting),
    ("com/sun/jmx/mbeanserver/JmxMBeanServer", "createMBean", EffectKind::Setting),
    ("sun/management/ThreadImpl", "setThreadContentionMonitoringEnabled", EffectKind::Setting),
    ("sun/management/ThreadImpl", "setThreadCpuTimeEnabled", EffectKind::Setting),
    ("com/sun/management/internal/HotSpotDiagnostic", "setVMOption", EffectKind::Setting),
    ("java/io/ObjectInputFilter$Config", "setSerialFilter", EffectKind::Setting),
    ("java/io/ObjectInputFilter$Config", "setSerialFilterFactory", EffectKind::Setting),
    ("java/beans/PropertyEditorManager", "registerEditor", EffectKind::Setting),
    ("java/beans/PropertyEditorManager", "setEditorSearchPath", EffectKind::Setting),
    ("java/beans/Beans", "setDesignTime", EffectKind::Setting),
    ("java/beans/Beans", "setGuiAvailable", EffectKind::Setting),
    ("java/beans/Introspector", "setBeanInfoSearchPath", EffectKind::Setting),
    ("javax/naming/spi/NamingManager", "setInitialContextFactoryBuilder", EffectKind::Setting),
    ("javax/naming/spi/NamingManager", "setObjectFactoryBuilder", EffectKind::Setting),
    ("javax/imageio/ImageIO", "setUseCache", EffectKind::Setting),
    ("javax/imageio/ImageIO", "setCacheDirectory", EffectKind::Setting),
    ("java/rmi/server/RMISocketFactory", "setSocketFactory", EffectKind::Setting),
    ("java/util/logging/Handler", "setLevel", EffectKind::Setting),
    // Loggers are shared by name, and handlers of the root serve everybody.
    (LOGGER, "setLevel", EffectKind::Setting),
    (LOGGER, "addHandler", EffectKind::Setting),
    (LOGGER, "removeHandler", EffectKind::Setting),
    (LOGGER, "setFilter", EffectKind::Setting),
    (LOGGER, "setUseParentHandlers", EffectKind::Setting),
    (LOG_MANAGER, "reset", EffectKind::Setting),
    (LOG_MANAGER, "readConfiguration", EffectKind::Setting),
    (LOG_MANAGER, "updateConfiguration", EffectKind::Setting),
    // What throws in our JVMs, which run headless, opens windows elsewhere.
    ("java/awt/GraphicsEnvironment", "checkHeadless", EffectKind::Desktop),
    ("java/awt/Desktop", "getDesktop", EffectKind::Desktop),
    ("javax/sound/sampled/AudioSystem", "getLine", EffectKind::Desktop),
    ("javax/sound/sampled/AudioSystem", "getMixer", EffectKind::Desktop),
    ("javax/sound/midi/MidiSystem", "getMidiDevice", EffectKind::Desktop),
];

/// The same, in JDKs that have the class and the method. Functions of native libraries, those of the
/// system among them, can do anything.
const SETTERS_OF_SOME: [(&str, &str, EffectKind); 5] = [
    ("java/lang/VirtualThread", "start", EffectKind::Thread),
    ("java/util/concurrent/ForkJoinPool", "scheduleDelayedTask", EffectKind::Thread),
    ("jdk/internal/foreign/abi/AbstractLinker", "downcallHandle", EffectKind::NativeLibrary),
    ("sun/nio/ch/sctp/SctpNet", "socket", EffectKind::Network),
    ("sun/nio/ch/sctp/SctpNet", "connect", EffectKind::Network),
];

struct State {
    jdk: FxHashMap<&'static str, Vec<Hook>>,
    targets: RwLock<FxHashMap<String, (Plan, Base)>>,
    /// A class that is loaded with other bytes than its own, and those.
    substitute: RwLock<Option<(String, Vec<u8>)>>,
    failures: Mutex<Vec<String>>,
    /// What of the JDK cannot be watched.
    unwatched: OnceLock<String>,
}

static STATE: OnceLock<State> = OnceLock::new();

fn state() -> &'static State {
    STATE.get_or_init(|| {
        let mut jdk: FxHashMap<&'static str, Vec<Hook>> = FxHashMap::default();
        for (class, method, kind) in SETTERS.into_iter().chain(SETTERS_OF_SOME) {
            jdk.entry(class).or_default().push(Hook {
                method: method.to_owned(),
                descriptor: None,
                call: HookCall::Effect(u32::from(kind as u8)),
            });
        }
        for method in ["exit", "halt"] {
            jdk.entry("java/lang/Runtime").or_default().push(Hook {
                method: method.to_owned(),
                descriptor: Some("(I)V".to_owned()),
                call: HookCall::Exit,
            });
        }
        State {
            jdk,
            targets: RwLock::default(),
            substitute: RwLock::default(),
            failures: Mutex::default(),
            unwatched: OnceLock::new(),
        }
    })
}

/// What becomes of classes that are not the JDK's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Others {
    /// They count steps, and coverage if they are targets.
    Counted,
    /// The same, but for JUnit's: a budget that ends there would spoil what runs the tests.
    CountedButJunit,
    /// They stay as they are.
    Plain,
    /// They get members as coverage agents add them.
    WithForeignMembers,
}

struct Rewriter {
    others: Others,
}

/// Installs the hook and sends the JDK's classes through it that are loaded already. An effect that
/// cannot be watched is an error: tests would be taken for harmless that are not.
pub(crate) fn install(jvm: &Jvm, others: Others) -> Result<(), JvmError> {
    jvm::set_class_hook(Box::new(Rewriter { others }));
    let hooked = &state().jdk;
    jvm.retransform_loaded(&|name| hooked.contains_key(name))?;
    check_monitor()
}

/// Whether all classes of the JDK that were loaded so far are watched.
pub(crate) fn check_monitor() -> Result<(), JvmError> {
    match state().unwatched.get() {
        None => Ok(()),
        Some(why) => Err(JvmError::Link { what: "the effect monitor".into(), why: why.clone() }),
    }
}

/// Has these classes instrumented for coverage when they load, each from its base.
pub(crate) fn set_targets(plans: &[(Plan, Base)]) {
    let mut targets = state().targets.write().unwrap_or_else(PoisonError::into_inner);
    for (plan, base) in plans {
        targets.insert(plan.class.clone(), (plan.clone(), *base));
    }
}

/// Has a class loaded with these bytes, which count their steps already, in place of its own.
pub(crate) fn substitute(class: Option<(String, Vec<u8>)>) {
    *state().substitute.write().unwrap_or_else(PoisonError::into_inner) = class;
}

thread_local! {
    /// Whether this thread gives the JVM classes that are to stay as they are.
    static IS_AS_IT_IS: Cell<bool> = const { Cell::new(false) };
}

/// Does something that gives the JVM classes on this thread which are rewritten already.
pub(crate) fn as_it_is<T>(give: impl FnOnce() -> T) -> T {
    IS_AS_IT_IS.set(true);
    let value = give();
    IS_AS_IT_IS.set(false);
    value
}

/// Classes that could not be rewritten, with the reason.
pub(crate) fn take_failures() -> Vec<String> {
    std::mem::take(&mut *state().failures.lock().unwrap_or_else(PoisonError::into_inner))
}

impl ClassHook for Rewriter {
    fn rewrite(&self, name: &str, boot: bool, bytes: &[u8]) -> Option<Vec<u8>> {
        if IS_AS_IT_IS.get() {
            return None;
        }
        let substitute = state().substitute.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, bytes)) = substitute.as_ref().filter(|(class, _)| class == name && !boot) {
            return Some(bytes.clone());
        }
        drop(substitute);
        if let Some(hooks) = state().jdk.get(name) {
            return self.hooked(name, bytes, hooks);
        }
        let targets = state().targets.read().unwrap_or_else(PoisonError::into_inner);
        let target = targets.get(name);
        // A library may well have classes in `javax`; if it is under test, it is no platform.
        if boot || (target.is_none() && is_platform(name)) {
            return None;
        }
        let result = match (self.others, target) {
            (Others::Plain, _) => return None,
            (Others::WithForeignMembers, _) => {
                with_foreign_members(bytes).map_err(|e| e.to_string())
            }
            (Others::CountedButJunit, None) if is_junit(name) => return None,
            (Others::Counted | Others::CountedButJunit, Some((plan, base))) => {
                ClassFile::parse(bytes)
                    .map_err(|e| e.to_string())
                    .and_then(|c| instrument::rewrite(&c, plan, *base).map_err(|e| e.to_string()))
            }
            (Others::Counted | Others::CountedButJunit, None) => with_steps(bytes),
        };
        self.noted(name, result)
    }
}

/// Classes of the JDK that are not the boot loader's, and our own.
fn is_platform(name: &str) -> bool {
    ["java/", "javax/", "jdk/", "sun/", "com/sun/", "testhound/runtime/"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

/// Classes of JUnit and what it is made of.
fn is_junit(name: &str) -> bool {
    ["org/junit/", "junit/", "org/opentest4j/", "org/apiguardian/"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

/// A class with its steps counted.
pub(crate) fn with_steps(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let class = ClassFile::parse(bytes).map_err(|e| e.to_string())?;
    let options = Options { coverage: false, steps: true, comparisons: false };
    let plan = instrument::place(&class, &options).map_err(|e| e.to_string())?;
    instrument::rewrite(&class, &plan, Base::default()).map_err(|e| e.to_string())
}

/// The class with its hooks; an error if it lacks a method that is to be hooked.
fn hooked(bytes: &[u8], hooks: &[Hook]) -> Result<Vec<u8>, String> {
    let class = ClassFile::parse(bytes).map_err(|e| e.to_string())?;
    let hooked = instrument::hook_entries(&class, hooks).map_err(|e| e.to_string())?;
    let of_some = |method: &str| SETTERS_OF_SOME.iter().any(|(_, of_some, _)| *of_some == method);
    match hooked.unmatched.iter().find(|index| !of_some(&hooks[**index].method)) {
        None => Ok(hooked.bytes),
        Some(index) => Err(format!("this JDK has no method `{}` there", hooks[*index].method)),
    }
}

impl Rewriter {
    fn hooked(&self, name: &str, bytes: &[u8], hooks: &[Hook]) -> Option<Vec<u8>> {
        hooked(bytes, hooks)
            .map_err(|why| state().unwatched.set(format!("{}: {why}", name.replace('/', "."))))
            .ok()
    }

    fn noted(&self, name: &str, result: Result<Vec<u8>, String>) -> Option<Vec<u8>> {
        result
            .map_err(|why| {
                let mut failures = state().failures.lock().unwrap_or_else(PoisonError::into_inner);
                failures.push(format!("{}: {why}", name.replace('/', ".")));
            })
            .ok()
    }
}

#[cfg(test)]
mod tests {
    use classpath::JdkImage;

    use super::*;

    #[test]
    fn every_jdk_has_the_methods_that_are_watched() {
        let found = toolchain::discover();
        let jdks: Vec<_> = found.iter().filter(|jdk| jdk.version.feature >= 17).collect();
        assert!(!jdks.is_empty(), "tests need a JDK");
        for jdk in jdks {
            let image = JdkImage::open(&jdk.home).expect("a JDK's classes");
            for (class, hooks) in &state().jdk {
                let is_everywhere = SETTERS_OF_SOME.iter().all(|(of_some, ..)| of_some != class);
                let Some(bytes) = image.read(class).expect("a readable image") else {
                    assert!(!is_everywhere, "{} has no {class}", jdk.home.display());
                    continue;
                };
                let result = hooked(&bytes, hooks);
                assert!(result.is_ok(), "{}: {class}: {:?}", jdk.home.display(), result.err());
            }
        }
    }

    #[test]
    fn a_class_without_the_method_to_watch_is_an_error() {
        let (_, class) = runtime::service_classes()[0];
        let hook =
            Hook { method: "setDefault".to_owned(), descriptor: None, call: HookCall::Effect(0) };
        let why = hooked(class, &[hook]).expect_err("there is no such method");
        assert!(why.contains("`setDefault`"), "{why}");
    }
}
