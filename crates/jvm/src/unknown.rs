//! Native methods of watched classes that this version of Testhound does not know.
//!
//! A newer JDK may have others than those looked through. What the supervisor finds in the JDK's
//! class files and on no list is watched like the rest, and a call of it is taken for the gravest
//! effect its class can have: better no test than one with an effect that nobody saw.

use std::sync::OnceLock;

use model::{EffectKind, MethodDescriptor, Primitive, Type};

use crate::harmless::is_harmless;
use crate::watches::{EARLY, IN_SOME_JDKS, WATCHES};
use crate::{JvmError, effects};

/// Unknown native methods that can be watched; a JDK with more is one of another make.
pub const MAX_UNKNOWN: usize = 64;

/// A native method of a watched class, by internal name and descriptor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeMethod {
    /// The class.
    pub class: String,
    /// The method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
}

/// What the lists say of a native method of a watched class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Its calls are noted, as what they do.
    Watched,
    /// It needs no watching.
    Harmless,
    /// Nobody has looked at it.
    Unknown,
}

/// What the lists say of a native method of a watched class.
pub fn standing(class: &str, method: &str) -> Standing {
    if WATCHES.iter().any(|watch| watch.class == class && watch.method == method) {
        Standing::Watched
    } else if is_harmless(class, method) {
        Standing::Harmless
    } else {
        Standing::Unknown
    }
}

/// The classes whose native methods are watched, by internal name, each once.
pub fn watched_classes() -> Vec<&'static str> {
    let mut classes: Vec<&str> = WATCHES.iter().map(|watch| watch.class).collect();
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// Whether a JDK may do without the class: it is of a module that need not be there, or came with a
/// later release together with what it does.
pub fn may_be_absent(class: &str) -> bool {
    class.starts_with("java/util/prefs/")
        || class.starts_with("com/sun/management/")
        || class == "jdk/internal/loader/RawNativeLibraries"
}

/// The native methods of a class that every JDK must have, without the `0` that some end with.
pub fn required_natives(class: &str) -> Vec<&'static str> {
    let is_required = |method: &str| !IN_SOME_JDKS.contains(&(class, method));
    let early = EARLY.iter().filter(|(of, method, _)| *of == class && is_required(method));
    let mut names: Vec<&str> = early.map(|(_, method, _)| base(method)).collect();
    names.dedup();
    names
}

/// The name without the `0` that newer JDKs have at the end of some.
pub(crate) fn base(method: &'static str) -> &'static str {
    method.strip_suffix('0').unwrap_or(method)
}

/// What a call of an unknown native method of the class is taken for. `None`: it is not watched.
/// Those of `Thread` and `System` the JVM registers itself while it starts, so that they cannot be
/// had again; they act on threads, whose start is seen, and on streams, which are compared.
pub fn taken_for(class: &str) -> Option<EffectKind> {
    match class {
        "java/lang/Thread" | "java/lang/System" => None,
        "java/lang/ProcessImpl" | "java/lang/ProcessHandleImpl" => Some(EffectKind::Process),
        "jdk/internal/misc/Signal" | "com/sun/management/internal/DiagnosticCommandImpl" => {
            Some(EffectKind::Setting)
        }
        _ if class.starts_with("jdk/internal/loader/") => Some(EffectKind::NativeLibrary),
        _ if class.starts_with("java/net/") || class.starts_with("sun/nio/ch/") => {
            Some(EffectKind::Network)
        }
        _ => Some(EffectKind::FileWrite),
    }
}

/// Whether a wrapper can stand for a native method of that descriptor: up to ten integers or
/// references beside environment and receiver, and no floating-point value (see `natives::Native`).
pub fn can_be_wrapped(descriptor: &str) -> bool {
    let is_integer =
        |ty: &Type| !matches!(ty, Type::Primitive(Primitive::Float | Primitive::Double));
    MethodDescriptor::parse(descriptor).is_ok_and(|method| {
        method.params.len() <= 10
            && method.params.iter().all(is_integer)
            && method.result.as_ref().is_none_or(is_integer)
    })
}

struct Unknown {
    native: NativeMethod,
    kind: EffectKind,
}

static UNKNOWN: OnceLock<Vec<Unknown>> = OnceLock::new();

/// Has unknown natives watched; before the JVM binds any.
pub(crate) fn watch(natives: &[NativeMethod]) -> Result<(), JvmError> {
    let error = |native: &NativeMethod, why: &str| {
        let what = format!("the native method {}", spelled(native));
        JvmError::Link { what, why: why.to_owned() }
    };
    if let Some(native) = natives.get(MAX_UNKNOWN) {
        return Err(error(native, "more of them are unknown than can be watched"));
    }
    let mut unknown = Vec::new();
    for native in natives {
        let Some(kind) = taken_for(&native.class) else { continue };
        if !can_be_wrapped(&native.descriptor) {
            return Err(error(native, "it is unknown and cannot be watched"));
        }
        unknown.push(Unknown { native: native.clone(), kind });
    }
    // A process has one JVM in its life, so there is nothing to replace.
    UNKNOWN.get_or_init(|| unknown);
    Ok(())
}

fn all() -> &'static [Unknown] {
    UNKNOWN.get().map_or(&[], Vec::as_slice)
}

/// The number of an unknown native among those watched.
pub(crate) fn position(class: &str, method: &str, descriptor: &str) -> Option<usize> {
    all().iter().position(|Unknown { native, .. }| {
        native.class == class && native.method == method && native.descriptor == descriptor
    })
}

/// Whether one of that name is watched.
pub(crate) fn has_method(method: &str) -> bool {
    all().iter().any(|unknown| unknown.native.method == method)
}

/// Those watched, each with its number.
pub(crate) fn watched() -> impl Iterator<Item = (usize, &'static NativeMethod)> {
    all().iter().map(|unknown| &unknown.native).enumerate()
}

/// Notes a call of the one of that number.
pub(crate) fn note(number: usize) {
    if let Some(unknown) = all().get(number) {
        effects::note(unknown.kind, || format!("unknown method {}", spelled(&unknown.native)));
    }
}

fn spelled(native: &NativeMethod) -> String {
    format!("{}.{}", native.class.replace('/', "."), native.method)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrapper_stands_for_ten_integers_and_references() {
        let check = |descriptor: &str, fits: bool| {
            assert_eq!(can_be_wrapped(descriptor), fits, "{descriptor}");
        };
        check("()V", true);
        check("(JLsun/nio/fs/UnixFileAttributes;)V", true);
        check("(IIIIIIIIII)Z", true);
        check("(IIIIIIIIIII)Z", false);
        check("(ID)V", false);
        check("([D)V", true);
        check("()F", false);
        check("what", false);
    }

    #[test]
    fn every_watched_class_has_what_its_unknown_methods_are_taken_for() {
        for class in watched_classes() {
            let harmless = taken_for(class).is_some_and(EffectKind::may_be_emitted);
            assert!(!harmless, "{class}");
        }
        assert_eq!(taken_for("java/io/UnixFileSystem"), Some(EffectKind::FileWrite));
        assert_eq!(taken_for("sun/nio/ch/Net"), Some(EffectKind::Network));
        assert_eq!(standing("sun/nio/ch/Net", "socket0"), Standing::Watched);
        assert_eq!(standing("sun/nio/ch/Net", "listen"), Standing::Harmless);
        assert_eq!(standing("sun/nio/ch/Net", "teleport0"), Standing::Unknown);
    }

    #[test]
    fn what_must_be_there_is_told_without_its_ending() {
        let names = required_natives("java/io/UnixFileSystem");
        assert!(names.contains(&"delete") && names.contains(&"setReadOnly"), "{names:?}");
        assert!(!required_natives("sun/nio/fs/UnixNativeDispatcher").contains(&"exists"));
        assert_eq!(required_natives("sun/nio/ch/Net"), [] as [&str; 0]);
    }
}
