//! Effects outside the heap: each is noted by its kind and what it is done to.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use jvm::Executor;
use model::{CallEnd, Effect, EffectKind, Literal, TestCase, Type};

use EffectKind::{
    FileDelete, FileMove, FileWrite, NativeLibrary, Network, Process, Setting, Stream,
};

use crate::Case;
use crate::child::{Child, static_method};

pub const CASES: &[Case] = &[
    ("changes_of_files_are_noted_with_their_paths", &[], files),
    ("other_effects_are_noted", &[], others),
    ("effects_are_noted_on_an_ipv4_stack", IPV4, others),
    ("plain_computing_notes_nothing", &[], harmless),
    ("effects_of_other_threads_are_noted", &[], other_threads),
    ("effects_of_cleaners_can_be_left_out", &[], cleaners),
    ("floods_of_effects_are_counted_by_kind", &[], flood),
    ("nothing_is_noted_between_test_cases", &[], between),
    ("files_outside_the_folder_of_a_case_are_out_of_reach", &[], outside),
];

pub const IPV4: &[&str] = &["-Djava.net.preferIPv4Stack=true"];

/// A method of `fixture.FileEffects`, and the effects it has: path in its folder, or as given.
type FileEffect = (&'static str, &'static [(EffectKind, &'static str)]);

/// The name of what was done in an open folder is relative to it; through a descriptor, no name
/// is known.
const BY_DESCRIPTOR: &str = "";

const FILE_EFFECTS: &[FileEffect] = &[
    ("stream", &[(FileWrite, "/file")]),
    ("appendingStream", &[(FileWrite, "/file")]),
    ("refusedStream", &[(FileWrite, "/missing/file")]),
    ("randomAccess", &[(FileWrite, "/file")]),
    ("delete", &[(FileDelete, "/file")]),
    ("deleteMissing", &[(FileDelete, "/missing")]),
    ("rename", &[(FileMove, "/file")]),
    ("makeFolder", &[(FileWrite, "/made")]),
    ("create", &[(FileWrite, "/made")]),
    ("setTime", &[(FileWrite, "/file")]),
    ("setReadOnly", &[(FileWrite, "/file")]),
    ("setExecutable", &[(FileWrite, "/file")]),
    ("write", &[(FileWrite, "/file")]),
    ("append", &[(FileWrite, "/file")]),
    ("channel", &[(FileWrite, "/file")]),
    ("nioDelete", &[(FileDelete, "/file")]),
    ("nioDeleteFolder", &[(FileDelete, "/folder")]),
    ("nioMove", &[(FileMove, "/file")]),
    ("nioLink", &[(FileMove, "/file")]),
    ("nioSymbolicLink", &[(FileMove, "/soft")]),
    ("nioMakeFolder", &[(FileWrite, "/made")]),
    ("permissions", &[(FileWrite, "/file")]),
    ("owner", &[(FileWrite, "/file")]),
    ("ownerWithoutFollowing", &[(FileWrite, "/file")]),
    ("nioTimeOfLink", &[(FileWrite, "/link")]),
    ("setAttribute", &[(FileWrite, BY_DESCRIPTOR)]),
    ("removeAttribute", &[(FileWrite, BY_DESCRIPTOR)]),
    ("openIn", &[(FileWrite, "file")]),
    ("deleteIn", &[(FileDelete, "file")]),
    ("moveIn", &[(FileMove, "file")]),
    ("ownerIn", &[(FileWrite, BY_DESCRIPTOR)]),
    ("timeIn", &[(FileWrite, BY_DESCRIPTOR)]),
];

/// What differs between JDKs, or has more effects than one: only the kind is compared.
const BY_KIND: &[(&str, &str, EffectKind)] = &[
    ("FileEffects", "permissionsWithoutFollowing", FileWrite),
    ("FileEffects", "permissionsIn", FileWrite),
    ("FileEffects", "nioTime", FileWrite),
    ("Effects", "process", Process),
    ("Effects", "destroy", Process),
    ("Effects", "serverSocket", Network),
    ("Effects", "socket", Network),
    ("Effects", "datagram", Network),
    ("Effects", "unixSocket", Network),
    ("Effects", "lookUp", Network),
    ("Effects", "localHost", Network),
    ("Effects", "hostName", Network),
    ("Effects", "reachable", Network),
    ("Effects", "interfaces", Network),
    ("Effects", "interfaceByName", Network),
    ("Effects", "interfaceByIndex", Network),
    ("Effects", "interfaceByAddress", Network),
    ("Effects", "handleSignal", Setting),
    ("Effects", "raiseSignal", Process),
    ("Effects", "loadLibrary", NativeLibrary),
    ("Effects", "setIn", Stream),
    ("Effects", "setOut", Stream),
    ("Effects", "setErr", Stream),
    ("Effects", "dumpHeap", FileWrite),
    ("Effects", "diagnose", Setting),
    ("Effects", "preferences", FileWrite),
];

/// On what some of those act.
const ON: &[(&str, &str)] = &[
    ("lookUp", "localhost"),
    ("interfaceByName", "lo"),
    ("loadLibrary", "/library.so"),
    ("lookUpLibrary", "/library.so"),
    ("dumpHeap", "/dump.hprof"),
    ("diagnose", "VM.version"),
];

/// A folder as `fixture.FileEffects` wants it.
fn folder(child: &Child, name: &str) -> String {
    let path = child.path(name);
    fs::create_dir(&path).expect("a new folder");
    let inside = |name: &str| Path::new(&path).join(name);
    fs::write(inside("file"), "content").expect("a file");
    fs::create_dir(inside("folder")).expect("a folder");
    std::os::unix::fs::symlink(inside("file"), inside("link")).expect("a link");
    path
}

/// Calls the method with a fresh folder; the effects noted, and that folder.
pub fn effects_of(
    child: &Child,
    executor: &mut Executor<'_>,
    owner: &str,
    name: &str,
) -> (Vec<Effect>, String) {
    let folder = folder(child, &format!("{owner}-{name}"));
    if owner == "Effects" {
        fs::write(Path::new(&folder).join("library.so"), "no library").expect("a file");
    }
    let mut case = TestCase::default();
    let path = case.literal(Type::string(), Literal::String(folder.as_str().into()));
    case.call(&static_method(owner, name, "(Ljava/lang/String;)V"), &[path]);
    executor.take_effects();
    executor.begin(&case.slots).expect("the slots can be filled");
    let end = executor.call(&case.calls[0]);
    assert_eq!(end, CallEnd::Returned, "{name}: {:?}", executor.thrown());
    let effects = executor.take_effects();
    let kinds = executor.effect_kinds();
    let told = |effect: &Effect| kinds.contains(effect.kind);
    assert!(effects.iter().all(told), "{name}: {effects:?} but {kinds:?}");
    executor.end();
    (effects, folder)
}

/// The same without the looking for files that goes before many of them.
fn changes_of(
    child: &Child,
    executor: &mut Executor<'_>,
    owner: &str,
    name: &str,
) -> (Vec<Effect>, String) {
    let (mut effects, folder) = effects_of(child, executor, owner, name);
    effects.retain(|effect| effect.kind != EffectKind::FileLook);
    (effects, folder)
}

/// Has all effects, so that natives are bound that were not.
pub fn have_all(child: &Child, executor: &mut Executor<'_>) {
    for (name, expected) in FILE_EFFECTS {
        let (effects, folder) = changes_of(child, executor, "FileEffects", name);
        let expected: Vec<Effect> = expected
            .iter()
            .map(|(kind, on)| {
                let on = if on.starts_with('/') { format!("{folder}{on}") } else { (*on).into() };
                Effect { kind: *kind, on }
            })
            .collect();
        assert_eq!(effects, expected, "{name}");
    }
    for (owner, name, kind) in BY_KIND {
        check_kind(child, executor, owner, name, *kind);
    }
    if child.jdk.version.feature >= 22 {
        check_kind(child, executor, "Effects", "lookUpLibrary", NativeLibrary);
    }
}

fn check_kind(
    child: &Child,
    executor: &mut Executor<'_>,
    owner: &str,
    name: &str,
    kind: EffectKind,
) {
    let (effects, folder) = changes_of(child, executor, owner, name);
    assert!(!effects.is_empty(), "{name} was not noted");
    // Preferences register a hook to write them when the JVM ends, and rename their file.
    let all = effects.iter().all(|e| e.kind == kind) || name == "preferences";
    assert!(all && effects.iter().any(|e| e.kind == kind), "{name}: {effects:?}");
    if let Some((_, on)) = ON.iter().find(|(of, _)| *of == name) {
        let on = if on.starts_with('/') { format!("{folder}{on}") } else { (*on).to_owned() };
        assert!(effects.iter().any(|e| e.on == on), "{name} of {on}: {effects:?}");
    }
}

fn files(child: &Child) {
    have_all(child, &mut child.executor());
}

fn others(child: &Child) {
    let mut executor = child.executor();
    for (owner, name, kind) in BY_KIND {
        check_kind(child, &mut executor, owner, name, *kind);
    }
}

fn harmless(child: &Child) {
    let mut executor = child.executor();
    let (effects, _) = effects_of(child, &mut executor, "Effects", "harmless");
    assert_eq!(effects, []);
    let (effects, _) = effects_of(child, &mut executor, "Effects", "thread");
    assert_eq!(effects, []);
    assert_eq!(executor.started_threads(), 1);
}

fn other_threads(child: &Child) {
    let mut executor = child.executor();
    // The first lambda has the JDK start its cleaner thread.
    effects_of(child, &mut executor, "Effects", "thread");
    let (effects, folder) = effects_of(child, &mut executor, "Effects", "fromAnotherThread");
    assert_eq!(effects, [Effect { kind: FileDelete, on: format!("{folder}/file") }]);
    assert_eq!(executor.started_threads(), 1);
}

fn cleaners(child: &Child) {
    let mut executor = child.executor();
    let (effects, folder) = effects_of(child, &mut executor, "Effects", "fromCleaner");
    assert_eq!(effects, [Effect { kind: FileDelete, on: format!("{folder}/file") }]);
    jvm::leave_out_cleaning();
    for name in ["fromCleanerLater", "fromFinalizer"] {
        let (effects, _) = effects_of(child, &mut executor, "Effects", name);
        assert_eq!(effects, [], "{name}");
    }
    let (effects, _) = effects_of(child, &mut executor, "Effects", "fromAnotherThread");
    assert_eq!(effects.len(), 1, "what other threads do is noted as before");
}

fn flood(child: &Child) {
    let mut executor = child.executor();
    let (effects, _) = effects_of(child, &mut executor, "Effects", "manyTimes");
    assert_eq!(effects.len(), 64);
    assert!(effects.iter().all(|e| e.kind == FileDelete));
    let (effects, _) = effects_of(child, &mut executor, "FileEffects", "delete");
    assert_eq!(effects.len(), 1, "they are gone by the next test case");
}

/// What a thread left behind does later is nobody's.
fn between(child: &Child) {
    let mut executor = child.executor();
    let service = jvm::Service::find(&child.jvm, "fixture/Echo").expect("it is there");
    let path = child.path("missing");
    service.call("delete", &[jvm::Arg::Text(Some(&path))]).expect("it returns");
    assert_eq!(executor.take_effects(), []);
    executor.begin(&[]).expect("there are no slots");
    assert!(executor.effect_kinds().is_empty());
    assert_eq!(executor.started_threads(), 0);
}

fn outside(child: &Child) {
    let around = child.temp.parent().expect("a temporary folder is in another");
    let file = around.join(format!("testhound-outside-{}", std::process::id()));
    let refused = fs::write(&file, "").map(|()| fs::remove_file(&file));
    assert_eq!(refused.map_err(|error| error.kind()).err(), Some(ErrorKind::PermissionDenied));
    fs::write(child.path("inside"), "").expect("a file in the folder of the case");
}
