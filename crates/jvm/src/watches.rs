//! Which native methods of the JDK are watched, and what each call of one tells.
//!
//! Every native method of these classes is in this table, among the harmless ones (`harmless`) or
//! unknown (`unknown`): both lists are compared with each JDK before it is used.

use std::ffi::CStr;

use model::EffectKind;

use EffectKind::{
    FileDelete, FileLook, FileMove, FileWrite, NativeLibrary, Network, Process, Setting, Stream,
};
use When::Always;

/// Where the thing acted on stands among the native function's arguments (0 is the environment,
/// 1 the class or receiver).
#[derive(Clone, Copy)]
pub(crate) enum On {
    Nothing,
    String(usize),
    File(usize),
    /// The address of a C string.
    Path(usize),
}

/// When a call counts. What opens a file counts in any case: it looks if it does not write.
#[derive(Clone, Copy)]
pub(crate) enum When {
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

pub(crate) struct Watch {
    pub(crate) class: &'static str,
    pub(crate) method: &'static str,
    /// `None`: a thread is started.
    pub(crate) kind: Option<EffectKind>,
    pub(crate) on: On,
    pub(crate) when: When,
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
const LINUX: &str = "sun/nio/fs/LinuxNativeDispatcher";
const NET: &str = "sun/nio/ch/Net";
const UNIX: &str = "sun/nio/ch/UnixDomainSockets";
const PREFERENCES: &str = "java/util/prefs/FileSystemPreferences";

/// The methods watched. Newer JDKs added a `0` to the names of some.
pub(crate) static WATCHES: [Watch; 100] = [
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
    watch(NIO, "fchmod", FileWrite, On::Nothing, Always),
    watch(NIO, "fchmod0", FileWrite, On::Nothing, Always),
    watch(NIO, "fchmodat0", FileWrite, On::Path(3), Always),
    watch(NIO, "chown0", FileWrite, On::Path(2), Always),
    watch(NIO, "lchown0", FileWrite, On::Path(2), Always),
    watch(NIO, "fchown", FileWrite, On::Nothing, Always),
    watch(NIO, "fchown0", FileWrite, On::Nothing, Always),
    watch(NIO, "utimes0", FileWrite, On::Path(2), Always),
    watch(NIO, "futimes", FileWrite, On::Nothing, Always),
    watch(NIO, "futimens", FileWrite, On::Nothing, Always),
    watch(NIO, "futimens0", FileWrite, On::Nothing, Always),
    watch(NIO, "lutimes0", FileWrite, On::Path(2), Always),
    watch(NIO, "utimensat0", FileWrite, On::Path(3), Always),
    watch(NIO, "fsetxattr0", FileWrite, On::Nothing, Always),
    watch(NIO, "fremovexattr0", FileWrite, On::Nothing, Always),
    watch("java/io/FileInputStream", "open0", FileLook, On::String(2), Always),
    watch(FILES, "canonicalize0", FileLook, On::String(2), Always),
    watch(FILES, "getBooleanAttributes0", FileLook, On::File(2), Always),
    watch(FILES, "checkAccess", FileLook, On::File(2), Always),
    watch(FILES, "checkAccess0", FileLook, On::File(2), Always),
    watch(FILES, "getLastModifiedTime", FileLook, On::File(2), Always),
    watch(FILES, "getLastModifiedTime0", FileLook, On::File(2), Always),
    watch(FILES, "getLength", FileLook, On::File(2), Always),
    watch(FILES, "getLength0", FileLook, On::File(2), Always),
    watch(FILES, "list", FileLook, On::File(2), Always),
    watch(FILES, "list0", FileLook, On::File(2), Always),
    watch(FILES, "getSpace", FileLook, On::File(2), Always),
    watch(FILES, "getSpace0", FileLook, On::File(2), Always),
    watch(FILES, "getNameMax0", FileLook, On::String(2), Always),
    watch(NIO, "stat0", FileLook, On::Path(2), Always),
    watch(NIO, "stat1", FileLook, On::Path(2), Always),
    watch(NIO, "lstat0", FileLook, On::Path(2), Always),
    watch(NIO, "access0", FileLook, On::Path(2), Always),
    watch(NIO, "exists0", FileLook, On::Path(2), Always),
    watch(NIO, "opendir0", FileLook, On::Path(2), Always),
    watch(NIO, "readlink0", FileLook, On::Path(2), Always),
    watch(NIO, "realpath0", FileLook, On::Path(2), Always),
    watch(NIO, "statvfs0", FileLook, On::Path(2), Always),
    watch(NIO, "fstatat0", FileLook, On::Path(3), Always),
    watch(LINUX, "setmntent0", FileLook, On::Path(2), Always),
    watch("sun/nio/fs/LinuxWatchService", "inotifyAddWatch", FileLook, On::Path(3), Always),
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
    watch("java/net/NetworkInterface", "getByIndex0", Network, On::Nothing, Always),
    watch("java/net/NetworkInterface", "getByInetAddress0", Network, On::Nothing, Always),
    watch("jdk/internal/misc/Signal", "handle0", Setting, On::Nothing, Always),
    watch("jdk/internal/misc/Signal", "raise0", Process, On::Nothing, Always),
    watch(
        "jdk/internal/loader/NativeLibraries",
        "load",
        NativeLibrary,
        On::String(3),
        When::OutsideJdk(3),
    ),
    watch(
        "jdk/internal/loader/RawNativeLibraries",
        "load0",
        NativeLibrary,
        On::String(3),
        When::OutsideJdk(3),
    ),
    watch(PREFERENCES, "lockFile0", FileWrite, On::String(2), Always),
    watch(PREFERENCES, "chmod", FileWrite, On::String(2), Always),
    watch(
        "com/sun/management/internal/HotSpotDiagnostic",
        "dumpHeap0",
        FileWrite,
        On::String(2),
        Always,
    ),
    // Some of its commands write files, some change settings.
    watch(
        "com/sun/management/internal/DiagnosticCommandImpl",
        "executeDiagnosticCommand",
        Setting,
        On::String(2),
        Always,
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
/// Some JDKs spell a name with a `0` at its end and some without: one of the spellings must be there,
/// or the JVM is not used.
pub(crate) const EARLY: [(&str, &str, &CStr); 48] = [
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
    ("java/io/FileInputStream", "open0", c"(Ljava/lang/String;)V"),
    (FILES, "canonicalize0", c"(Ljava/lang/String;)Ljava/lang/String;"),
    (FILES, "getBooleanAttributes0", c"(Ljava/io/File;)I"),
    (FILES, "checkAccess", c"(Ljava/io/File;I)Z"),
    (FILES, "checkAccess0", c"(Ljava/io/File;I)Z"),
    (FILES, "getLastModifiedTime", c"(Ljava/io/File;)J"),
    (FILES, "getLastModifiedTime0", c"(Ljava/io/File;)J"),
    (FILES, "getLength", c"(Ljava/io/File;)J"),
    (FILES, "getLength0", c"(Ljava/io/File;)J"),
    (FILES, "list", c"(Ljava/io/File;)[Ljava/lang/String;"),
    (FILES, "list0", c"(Ljava/io/File;)[Ljava/lang/String;"),
    (FILES, "getSpace", c"(Ljava/io/File;I)J"),
    (FILES, "getSpace0", c"(Ljava/io/File;I)J"),
    (FILES, "getNameMax0", c"(Ljava/lang/String;)J"),
    (NIO, "open0", c"(JII)I"),
    (NIO, "stat0", c"(JLsun/nio/fs/UnixFileAttributes;)V"),
    (NIO, "stat0", c"(JLsun/nio/fs/UnixFileAttributes;)I"),
    (NIO, "stat1", c"(J)I"),
    (NIO, "lstat0", c"(JLsun/nio/fs/UnixFileAttributes;)V"),
    (NIO, "access0", c"(JI)V"),
    (NIO, "access0", c"(JI)I"),
    (NIO, "exists0", c"(J)Z"),
    (NIO, "opendir0", c"(J)J"),
    (NIO, "readlink0", c"(J)[B"),
    (NIO, "realpath0", c"(J)[B"),
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

/// Early natives that only some JDKs have, under no other name: newer ones ask `stat0` and `access0`.
pub(crate) const IN_SOME_JDKS: [(&str, &str); 2] = [(NIO, "stat1"), (NIO, "exists0")];

/// Those that a test may call on files of its own temporary folder: what makes, reads, writes, moves
/// and deletes them by their paths. Not what changes permissions or times, which the sandbox refuses
/// and others do not, and which may keep the folder from being deleted; nor what makes links, which
/// may lead out of it; nor what tells the time or the room on the disk; nor what goes by an open
/// folder, whose path is not known.
pub(crate) const IN_OWN_FOLDER: [(&str, &str); 29] = [
    ("java/io/FileOutputStream", "open0"),
    ("java/io/FileInputStream", "open0"),
    ("java/io/RandomAccessFile", "open0"),
    (FILES, "delete0"),
    (FILES, "rename0"),
    (FILES, "createDirectory"),
    (FILES, "createDirectory0"),
    (FILES, "createFileExclusively"),
    (FILES, "createFileExclusively0"),
    (FILES, "canonicalize0"),
    (FILES, "getBooleanAttributes0"),
    (FILES, "checkAccess"),
    (FILES, "checkAccess0"),
    (FILES, "getLength"),
    (FILES, "getLength0"),
    (FILES, "list"),
    (FILES, "list0"),
    (NIO, "open0"),
    (NIO, "unlink0"),
    (NIO, "rmdir0"),
    (NIO, "rename0"),
    (NIO, "mkdir0"),
    (NIO, "stat0"),
    (NIO, "stat1"),
    (NIO, "lstat0"),
    (NIO, "access0"),
    (NIO, "exists0"),
    (NIO, "opendir0"),
    (NIO, "realpath0"),
];

/// Those among them that may list a folder.
pub(crate) const LISTING: [&str; 4] = ["list", "list0", "open0", "opendir0"];

/// Those among them that remove what a path names, or put something in its place.
pub(crate) const REMOVING: [&str; 4] = ["delete0", "unlink0", "rmdir0", "rename0"];

/// The one that takes a second path, behind the first.
pub(crate) const MOVING: &str = "rename0";
