//! The list of watched native methods, compared with what the JDKs have.

use jvm::{Arg, Service, Standing};
use model::{Effect, EffectKind};

use crate::Case;
use crate::child::Child;
use crate::effects::{self, IPV4};
use crate::looks;

pub const CASES: &[Case] = &[
    ("every_native_of_a_watched_class_is_watched_or_harmless", &[], nothing_is_missing),
    ("calls_of_unknown_natives_are_noted_as_what_their_class_can_do", UNKNOWN, unknown_are_effects),
    ("every_watched_native_is_reached", &[], |child| all_are_reached(child, "Inet4AddressImpl")),
    ("every_watched_native_is_reached_on_an_ipv4_stack", IPV4, |child| {
        all_are_reached(child, "Inet6AddressImpl");
    }),
];

const UNKNOWN: &[&str] = &[
    "unknown java/lang/ProcessHandleImpl isAlive0 (J)J",
    "unknown java/io/FileOutputStream writeBytes ([BIIZ)V",
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
    for class in jvm::watched_classes() {
        let mut unknown = natives(&service, class);
        unknown.retain(|method| jvm::standing(class, method) == Standing::Unknown);
        assert!(unknown.is_empty(), "{class}: what do {unknown:?} do?");
    }
}

/// Two methods of the JDK that are harmless, as if nobody had looked at them: one that is bound when
/// it is first called, and one that the JVM may have bound before.
fn unknown_are_effects(child: &Child) {
    let mut executor = child.executor();
    let (effects, _) = effects::effects_of(child, &mut executor, "Effects", "harmless");
    let check = |kind: EffectKind, method: &str| {
        let on = format!("unknown method java.{method}");
        assert!(effects.contains(&Effect { kind, on }), "{method}: {effects:?}");
    };
    check(EffectKind::Process, "lang.ProcessHandleImpl.isAlive0");
    check(EffectKind::FileWrite, "io.FileOutputStream.writeBytes");
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
