//! Looking at files is an effect, unless it is at what every run has.

use jvm::Executor;
use model::{Effect, EffectKind};

use crate::Case;
use crate::child::Child;
use crate::effects::effects_of;

pub const CASES: &[Case] = &[
    ("looking_for_a_file_is_noted_with_its_path", &[], outside),
    ("reading_and_listing_is_noted", &[], reading),
    ("looking_at_the_jdk_and_the_class_path_is_not_noted", &[], known),
];

/// A method of `fixture.Looks`, and the path it looks at first: in its folder, or as given.
const LOOKS: &[(&str, &str)] = &[
    ("exists", "/missing"),
    ("isHidden", "/file"),
    ("canRead", "/file"),
    ("length", "/missing"),
    ("lastModified", "/missing"),
    ("list", "/folder"),
    ("listFiles", "/missing"),
    ("freeSpace", "/missing"),
    ("canonical", "/link"),
    ("toUri", "/folder"),
    ("inputStream", "/file"),
    ("missingInputStream", "/missing"),
    ("randomAccess", "/file"),
    ("relative", "missing"),
    ("nioRelative", "missing"),
    ("nioExists", "/missing"),
    ("nioExistsWithoutFollowing", "/missing"),
    ("nioIsDirectory", "/missing"),
    ("nioIsReadable", "/missing"),
    ("nioSize", "/file"),
    ("nioIsSymbolicLink", "/link"),
    ("nioReadLink", "/link"),
    ("nioRealPath", "/link"),
    ("nioRead", "/file"),
    ("nioChannel", "/file"),
    ("nioList", "/folder"),
    ("nioWalk", "/folder"),
    ("nioDeleteIfExists", "/missing"),
    ("nioDeleteMissing", "/missing"),
    ("nioCopyMissing", "/missing"),
    ("nioMoveMissing", "/missing"),
    ("nioSetTimeOfMissing", "/missing"),
    ("fileStore", "/file"),
    ("watch", "/folder"),
    ("attributesIn", ""),
];

/// Those that look at other places than their folder: the kind is what counts.
const ELSEWHERE: &[&str] = &["fileStores", "leavingTheClassPath"];

/// Looks in every way there is, so that natives are bound that were not.
pub fn have_all(child: &Child, executor: &mut Executor<'_>) {
    for (name, on) in LOOKS {
        let (effects, folder) = effects_of(child, executor, "Looks", name);
        let is_relative = !on.is_empty() && !on.starts_with('/');
        let on = if is_relative { (*on).to_owned() } else { format!("{folder}{on}") };
        assert_eq!(effects, [Effect { kind: EffectKind::FileLook, on }], "{name}");
    }
    for name in ELSEWHERE {
        let (effects, _) = effects_of(child, executor, "Looks", name);
        let kinds: Vec<EffectKind> = effects.iter().map(|effect| effect.kind).collect();
        assert_eq!(kinds, [EffectKind::FileLook], "{name}");
    }
}

fn outside(child: &Child) {
    have_all(child, &mut child.executor());
}

fn reading(child: &Child) {
    let (effects, folder) = effects_of(child, &mut child.executor(), "FileEffects", "read");
    assert_eq!(effects, [Effect { kind: EffectKind::FileLook, on: format!("{folder}/file") }]);
}

fn known(child: &Child) {
    let mut executor = child.executor();
    for name in
        ["classes", "resources", "timeZones", "locales", "charsets", "security", "management"]
    {
        let (effects, _) = effects_of(child, &mut executor, "Known", name);
        assert_eq!(effects, [], "{name}");
    }
    let (effects, _) = effects_of(child, &mut executor, "Known", "others");
    assert!(effects.iter().all(|e| e.kind != EffectKind::FileLook), "{effects:?}");
}
