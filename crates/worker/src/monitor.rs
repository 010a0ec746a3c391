//! Whether the effect monitor knows a JDK, by its class files, before any JVM is started.
//!
//! The monitor watches named native methods of named classes. A JDK that has further ones there is
//! still watched: calls of those are taken for effects (`jvm::taken_for`), and the user is told. A
//! JDK that lacks what must be watched, or has what cannot be, is not used.

use std::fmt;

use classfile::{ClassFile, flags};
use classpath::JdkImage;
use jvm::{MAX_UNKNOWN, Standing};
use serde::{Deserialize, Serialize};

/// A native method of the JDK.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnknownNative {
    /// The class, by internal name.
    pub class: String,
    /// The method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
}

impl fmt::Display for UnknownNative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.class.replace('/', "."), self.method)
    }
}

impl From<&UnknownNative> for jvm::NativeMethod {
    fn from(native: &UnknownNative) -> Self {
        let UnknownNative { class, method, descriptor } = native.clone();
        Self { class, method, descriptor }
    }
}

/// What of a JDK the effect monitor does not know.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MonitorSurvey {
    /// How many native methods the watched classes have.
    pub natives: usize,
    /// Native methods whose calls are taken for effects, for nobody knows what they do.
    pub taken_for_effects: Vec<UnknownNative>,
    /// Native methods that are unknown and not watched.
    pub unwatched: Vec<UnknownNative>,
    /// Why effects would go unseen, a sentence each: the JDK cannot be used.
    pub blind: Vec<String>,
}

/// The native methods a class declares, or none if there is no such class; or why it cannot be read.
type Declared = Result<Option<Vec<UnknownNative>>, String>;

impl MonitorSurvey {
    /// Compares the lists with a JDK.
    pub fn of(image: &JdkImage) -> Self {
        Self::by(&|class| natives(image, class), &jvm::standing)
    }

    /// The same with any classes (`None`: there is no such class) and lists.
    fn by(natives: &dyn Fn(&str) -> Declared, standing: &dyn Fn(&str, &str) -> Standing) -> Self {
        let mut survey = Self::default();
        for class in jvm::watched_classes() {
            match natives(class) {
                Ok(Some(natives)) => survey.add(class, natives, standing),
                Ok(None) if jvm::may_be_absent(class) => {}
                Ok(None) => survey.blind.push(format!("it has no class {}", spelled(class))),
                Err(why) => {
                    survey.blind.push(format!("its class {} cannot be read: {why}", spelled(class)))
                }
            }
        }
        let unknown = survey.taken_for_effects.len();
        if unknown > MAX_UNKNOWN {
            survey.blind.push(format!("{unknown} of its native methods are unknown"));
        }
        survey
    }

    fn add(
        &mut self,
        class: &str,
        natives: Vec<UnknownNative>,
        standing: &dyn Fn(&str, &str) -> Standing,
    ) {
        self.natives += natives.len();
        for required in jvm::required_natives(class) {
            let is_it =
                |n: &UnknownNative| n.method.strip_suffix('0').unwrap_or(&n.method) == required;
            if !natives.iter().any(is_it) {
                let class = spelled(class);
                self.blind.push(format!("{class} has no native method `{required}`"));
            }
        }
        for native in &natives {
            let standing = standing(class, &native.method);
            // The list goes by name: of two methods of a name only one would be watched.
            let is_alike = |other: &&UnknownNative| other.method == native.method;
            if standing == Standing::Watched && natives.iter().filter(is_alike).count() > 1 {
                self.blind.push(format!("there are several methods {native}"));
            }
            let kind = jvm::taken_for(class);
            let is_watched = match standing {
                Standing::Harmless => false,
                Standing::Watched => true,
                Standing::Unknown => kind.is_some(),
            };
            if is_watched && !jvm::can_be_wrapped(&native.descriptor) {
                self.blind.push(format!("{native}{} cannot be watched", native.descriptor));
            }
            match (standing, kind) {
                (Standing::Unknown, Some(_)) => self.taken_for_effects.push(native.clone()),
                (Standing::Unknown, None) => self.unwatched.push(native.clone()),
                _ => {}
            }
        }
    }
}

fn spelled(class: &str) -> String {
    class.replace('/', ".")
}

/// The native methods a class of the JDK declares; `None` if there is no such class.
fn natives(image: &JdkImage, class: &str) -> Declared {
    let Some(bytes) = image.read(class).map_err(|e| e.to_string())? else { return Ok(None) };
    let parsed = ClassFile::parse(&bytes).map_err(|e| e.to_string())?;
    let natives = parsed.methods.iter().filter(|method| method.access & flags::NATIVE != 0);
    let named = natives.map(|method| {
        Ok(UnknownNative {
            class: class.to_owned(),
            method: method.name(&parsed.pool)?.into_owned(),
            descriptor: method.descriptor(&parsed.pool)?.into_owned(),
        })
    });
    let named: Result<Vec<_>, classfile::ClassFileError> = named.collect();
    named.map(Some).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn images() -> Vec<JdkImage> {
        let jdks = toolchain::discover();
        let usable = jdks.iter().filter(|jdk| jdk.version.feature >= 17);
        let images: Vec<_> =
            usable.map(|jdk| JdkImage::open(&jdk.home).expect("a JDK's classes")).collect();
        assert!(!images.is_empty(), "tests need a JDK");
        images
    }

    #[test]
    fn every_native_of_a_watched_class_is_known_on_every_jdk_at_hand() {
        for image in images() {
            let survey = MonitorSurvey::of(&image);
            assert!(survey.natives > 200, "{}: {survey:?}", image.home().display());
            let known = MonitorSurvey { natives: survey.natives, ..MonitorSurvey::default() };
            assert_eq!(survey, known, "{}", image.home().display());
        }
    }

    #[test]
    fn what_no_list_knows_is_taken_for_an_effect_if_it_can_be_watched() {
        for image in images() {
            let forgotten = |class: &str, method: &str| match (class, method) {
                ("java/io/FileDescriptor", "getAppend")
                | ("sun/nio/ch/Net", "socket0")
                | ("java/lang/Thread", "holdsLock") => Standing::Unknown,
                _ => jvm::standing(class, method),
            };
            let survey = MonitorSurvey::by(&|class| natives(&image, class), &forgotten);
            let spelled = |natives: &[UnknownNative]| -> Vec<String> {
                natives.iter().map(ToString::to_string).collect()
            };
            let effects = ["java.io.FileDescriptor.getAppend", "sun.nio.ch.Net.socket0"];
            assert_eq!(spelled(&survey.taken_for_effects), effects);
            assert_eq!(spelled(&survey.unwatched), ["java.lang.Thread.holdsLock"]);
            assert_eq!(survey.blind, [] as [&str; 0]);
        }
    }

    /// What is said of a JDK in which one class has other native methods.
    fn check(class: &str, methods: Option<&[(&str, &str)]>, blind: &[&str]) {
        let image = &images()[0];
        let native = |(method, descriptor): &(&str, &str)| UnknownNative {
            class: class.to_owned(),
            method: (*method).to_owned(),
            descriptor: (*descriptor).to_owned(),
        };
        let changed = |name: &str| match name == class {
            true => Ok(methods.map(|methods| methods.iter().map(native).collect())),
            false => natives(image, name),
        };
        assert_eq!(MonitorSurvey::by(&changed, &jvm::standing).blind, blind);
    }

    #[test]
    fn a_jdk_whose_effects_would_go_unseen_is_not_used() {
        let preferences = "java/util/prefs/FileSystemPreferences";
        check(preferences, None, &[]);
        check("sun/nio/ch/Net", None, &["it has no class sun.nio.ch.Net"]);
        let missing = "java.io.FileOutputStream has no native method `open`";
        check("java/io/FileOutputStream", Some(&[]), &[missing]);
        let unfit = [("beam0", "(D)V")];
        check("sun/nio/ch/Net", Some(&unfit), &["sun.nio.ch.Net.beam0(D)V cannot be watched"]);
        let twice = [("socket0", "(ZZZZ)I"), ("socket0", "(I)I")];
        let several = "there are several methods sun.nio.ch.Net.socket0";
        check("sun/nio/ch/Net", Some(&twice), &[several, several]);
    }
}
