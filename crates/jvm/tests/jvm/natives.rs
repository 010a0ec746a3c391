//! The list of watched native methods, compared with what the JDKs have.

use jvm::{Arg, Service};

use crate::Case;
use crate::child::Child;
use crate::effects::{self, IPV4};
use crate::looks;

pub const CASES: &[Case] = &[
    ("every_native_of_a_watched_class_is_watched_or_harmless", &[], nothing_is_missing),
    ("every_watched_native_is_reached", &[], |child| all_are_reached(child, "Inet4AddressImpl")),
    ("every_watched_native_is_reached_on_an_ipv4_stack", IPV4, |child| {
        all_are_reached(child, "Inet6AddressImpl");
    }),
];

/// Native methods that change nothing outside the process and look at no path, or only at what a
/// watched one opened.
const HARMLESS: &[&str] = &[
    "java/io/FileDescriptor: getAppend getHandle initIDs sync sync0",
    "java/io/FileOutputStream: initIDs write writeBytes",
    "java/io/RandomAccessFile: getFilePointer initIDs length length0 read0 readBytes readBytes0 \
     seek0 setLength setLength0 write0 writeBytes writeBytes0",
    "java/io/FileInputStream: available0 initIDs isRegularFile0 length0 position0 read0 readBytes \
     skip0",
    "java/io/UnixFileSystem: initIDs",
    "sun/nio/fs/UnixNativeDispatcher: close0 closedir dup fchmodatNoFollowSupported0 fdopendir \
     fgetxattr0 flistxattr fstat fstat0 getcwd getgrgid getgrnam0 getlinelen getpwnam0 getpwuid \
     init read read0 readdir readdir0 rewind strerror write write0",
    "sun/nio/fs/LinuxNativeDispatcher: directCopy0 endmntent getmntent0 init posix_fadvise",
    "sun/nio/fs/LinuxWatchService: configureBlocking eventOffsets eventSize inotifyInit \
     inotifyRmWatch poll socketpair",
    "java/lang/ProcessImpl: init",
    "java/lang/ProcessHandleImpl: getCurrentPid0 getProcessPids0 initNative isAlive0 parent0 \
     waitForProcessExit0",
    "sun/nio/ch/Net: accept available blockOrUnblock4 blockOrUnblock6 canIPv6SocketJoinIPv4Group0 \
     canJoin6WithIPv4Group0 canUseIPv6OptionsWithIPv4LocalAddress0 discardOOB getIntOption0 \
     getInterface4 getInterface6 initIDs isExclusiveBindAvailable isIPv6Available0 \
     isReusePortAvailable0 joinOrDrop4 joinOrDrop6 listen localInetAddress localPort poll \
     pollConnect pollconnValue pollerrValue pollhupValue pollinValue pollnvalValue polloutValue \
     remoteInetAddress remotePort sendOOB setIntOption0 setInterface4 setInterface6 \
     shouldSetBothIPv4AndIPv6Options0 shouldShutdownWriteBeforeClose0 shutdown",
    "sun/nio/ch/UnixDomainSockets: accept0 init localAddress0",
    "java/net/NetworkInterface: boundInetAddress0 getMTU0 getMacAddr0 init isLoopback0 isP2P0 \
     isUp0 supportsMulticast0",
    "jdk/internal/misc/Signal: findSignal0",
    "jdk/internal/loader/NativeLibraries: findBuiltinLib findEntry0 unload",
    "jdk/internal/loader/RawNativeLibraries: unload0",
    "java/lang/System: arraycopy currentTimeMillis identityHashCode mapLibraryName nanoTime \
     registerNatives",
    "java/lang/Thread: clearInterruptEvent countStackFrames currentCarrierThread currentThread \
     dumpThreads ensureMaterializedForStackWalk findScopedValueBindings \
     getNextThreadIdOffset getStackTrace0 getThreads holdsLock interrupt0 registerNatives \
     resume0 scopedValueCache setCurrentThread setNativeName setPriority0 setScopedValueCache \
     sleep sleep0 sleepNanos0 stop0 suspend0 yield yield0",
    "java/util/prefs/FileSystemPreferences: unlockFile0",
    "com/sun/management/internal/DiagnosticCommandImpl: getDiagnosticCommandInfo \
     getDiagnosticCommands setNotificationEnabled",
];

/// Fallbacks the JDK does not use where the kernel can do better; and moving a pipe or device to
/// another file system, of which there may be only one.
const UNREACHED: [&str; 3] = ["futimes", "utimes0", "mknod0"];

/// The native methods that the JDK's class has.
fn natives(service: &Service<'_>, class: &str) -> Vec<String> {
    let name = class.replace('/', ".");
    service.call("natives", &[Arg::Text(Some(&name))]).expect("reflection works")
}

fn service(child: &Child) -> Service<'_> {
    Service::find(&child.jvm, "fixture/Machine").expect("it is there")
}

fn nothing_is_missing(child: &Child) {
    let service = service(child);
    let mut classes: Vec<&str> = jvm::watched_natives().map(|native| native.class).collect();
    classes.dedup();
    for class in classes {
        let harmless = HARMLESS
            .iter()
            .filter_map(|line| line.strip_prefix(class)?.strip_prefix(": "))
            .flat_map(str::split_whitespace);
        let mut known: Vec<&str> = harmless.collect();
        known.extend(jvm::watched_natives().filter(|n| n.class == class).map(|n| n.method));
        let unknown: Vec<String> = natives(&service, class)
            .into_iter()
            .filter(|method| !known.contains(&method.as_str()))
            .collect();
        assert!(unknown.is_empty(), "{class}: what do {unknown:?} do?");
    }
}

/// Every watched method that the JDK has was called through its wrapper, once all effects have
/// been had. Address lookups of the other IP version are out of reach.
fn all_are_reached(child: &Child, other_version: &str) {
    let service = service(child);
    let mut executor = child.executor();
    effects::have_all(child, &mut executor);
    looks::have_all(child, &mut executor);
    let mut existing = 0;
    let mut unreached = Vec::new();
    for native in jvm::watched_natives() {
        if !natives(&service, native.class).iter().any(|name| name == native.method) {
            continue;
        }
        existing += 1;
        let excused = UNREACHED.contains(&native.method) || native.class.ends_with(other_version);
        if !native.is_bound && !excused {
            unreached.push(format!("{}.{}", native.class, native.method));
        }
    }
    assert!(unreached.is_empty(), "{unreached:?}");
    assert!(existing > 50, "the JDK has the methods watched");
}
