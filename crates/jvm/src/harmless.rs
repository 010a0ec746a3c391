//! Native methods of the watched classes that need no watching, each group with the reason.
//!
//! Invariant: a native method of a watched class is in `WATCHES`, is here, or is unknown; nothing is
//! taken for harmless because nobody has looked at it.

/// Class, reason, methods. Those of all JDKs together: a JDK need not have all of them.
const HARMLESS: &[(&str, &str, &str)] = &[
    (
        "java/io/FileDescriptor",
        "ask or flush a file that a watched method opened",
        "getAppend getHandle initIDs sync sync0",
    ),
    (
        "java/io/FileOutputStream",
        "write to what a watched method opened, or to a stream that is watched itself",
        "initIDs write writeBytes",
    ),
    (
        "java/io/RandomAccessFile",
        "work on what a watched method opened",
        "getFilePointer initIDs length length0 read0 readBytes readBytes0 seek0 setLength \
         setLength0 write0 writeBytes writeBytes0",
    ),
    (
        "java/io/FileInputStream",
        "read what a watched method opened",
        "available0 initIDs isRegularFile0 length0 position0 read0 readBytes skip0",
    ),
    ("java/io/UnixFileSystem", "looks up fields of Java's", "initIDs"),
    (
        "sun/nio/fs/UnixNativeDispatcher",
        "work on what a watched method opened, ask for users and groups, or spell errors",
        "close0 closedir dup fchmodatNoFollowSupported0 fdopendir fgetxattr0 flistxattr fstat \
         fstat0 getcwd getgrgid getgrnam0 getlinelen getpwnam0 getpwuid init read read0 readdir \
         readdir0 rewind strerror write write0",
    ),
    (
        "sun/nio/fs/LinuxNativeDispatcher",
        "work on what a watched method opened",
        "directCopy0 endmntent getmntent0 init posix_fadvise",
    ),
    (
        "sun/nio/fs/LinuxWatchService",
        "make and ask a queue of the process's own; what is put on it is watched",
        "configureBlocking eventOffsets eventSize inotifyInit inotifyRmWatch poll socketpair",
    ),
    ("java/lang/ProcessImpl", "sets up what starting needs, which is watched", "init"),
    (
        "java/lang/ProcessHandleImpl",
        "ask for processes",
        "getCurrentPid0 getProcessPids0 initNative isAlive0 parent0 waitForProcessExit0",
    ),
    (
        "sun/nio/ch/Net",
        "ask for what the machine can do, or work on a socket that a watched method made",
        "accept available blockOrUnblock4 blockOrUnblock6 canIPv6SocketJoinIPv4Group0 \
         canJoin6WithIPv4Group0 canUseIPv6OptionsWithIPv4LocalAddress0 discardOOB getIntOption0 \
         getInterface4 getInterface6 initIDs isExclusiveBindAvailable isIPv6Available0 \
         isReusePortAvailable0 joinOrDrop4 joinOrDrop6 listen localInetAddress localPort poll \
         pollConnect pollconnValue pollerrValue pollhupValue pollinValue pollnvalValue polloutValue \
         remoteInetAddress remotePort sendOOB setIntOption0 setInterface4 setInterface6 \
         shouldSetBothIPv4AndIPv6Options0 shouldShutdownWriteBeforeClose0 shutdown",
    ),
    (
        "sun/nio/ch/UnixDomainSockets",
        "work on a socket that a watched method made",
        "accept0 init localAddress0",
    ),
    (
        "java/net/NetworkInterface",
        "ask an interface that a watched method found",
        "boundInetAddress0 getMTU0 getMacAddr0 init isLoopback0 isP2P0 isUp0 supportsMulticast0",
    ),
    ("java/net/Inet4AddressImpl", "has none besides those watched", ""),
    ("java/net/Inet6AddressImpl", "has none besides those watched", ""),
    ("jdk/internal/misc/Signal", "turns a name into a number", "findSignal0"),
    (
        "jdk/internal/loader/NativeLibraries",
        "look into or unload what a watched method loaded",
        "findBuiltinLib findEntry0 unload",
    ),
    ("jdk/internal/loader/RawNativeLibraries", "unloads what a watched method loaded", "unload0"),
    (
        "java/lang/System",
        "act on the heap, or read the clock",
        "arraycopy currentTimeMillis identityHashCode mapLibraryName nanoTime registerNatives",
    ),
    (
        "java/lang/Thread",
        "steer threads whose start is watched",
        "clearInterruptEvent countStackFrames currentCarrierThread currentThread dumpThreads \
         ensureMaterializedForStackWalk findScopedValueBindings getNextThreadIdOffset \
         getStackTrace0 getThreads holdsLock interrupt0 registerNatives resume0 scopedValueCache \
         setCurrentThread setNativeName setPriority0 setScopedValueCache sleep sleep0 sleepNanos0 \
         stop0 suspend0 yield yield0",
    ),
    (
        "java/util/prefs/FileSystemPreferences",
        "unlocks what a watched method locked",
        "unlockFile0",
    ),
    ("com/sun/management/internal/HotSpotDiagnostic", "has none besides those watched", ""),
    (
        "com/sun/management/internal/DiagnosticCommandImpl",
        "list the commands, whose use is watched",
        "getDiagnosticCommandInfo getDiagnosticCommands setNotificationEnabled",
    ),
];

/// Whether the native method is known to need no watching.
pub(crate) fn is_harmless(class: &str, method: &str) -> bool {
    let of_class = HARMLESS.iter().filter(|(of, ..)| *of == class);
    of_class.flat_map(|(.., methods)| methods.split_whitespace()).any(|name| name == method)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watches::WATCHES;

    #[test]
    fn every_watched_class_is_looked_through_and_nothing_watched_is_harmless() {
        for watch in &WATCHES {
            assert!(HARMLESS.iter().any(|(class, ..)| *class == watch.class), "{}", watch.class);
            assert!(!is_harmless(watch.class, watch.method), "{}.{}", watch.class, watch.method);
        }
        for (class, reason, _) in HARMLESS {
            assert!(WATCHES.iter().any(|watch| watch.class == *class), "{class}");
            assert!(!reason.is_empty(), "{class}");
        }
    }
}
