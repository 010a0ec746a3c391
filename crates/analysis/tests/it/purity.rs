//! Effects of a compiled fixture, and the file with the JDK's summaries.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use analysis::{MethodEffects, Purity, Summaries, SummariesOrigin};
use classpath::{JdkImage, World};
use model::{ClassName, ClassSource, Operation};

use crate::fixture::{compile, jdk};

fn summaries() -> &'static (Arc<JdkImage>, tempfile::TempDir, Summaries) {
    static COMPUTED: OnceLock<(Arc<JdkImage>, tempfile::TempDir, Summaries)> = OnceLock::new();
    COMPUTED.get_or_init(|| {
        let (jdk, scratch) = (jdk(), tempfile::tempdir().unwrap());
        let summaries = Summaries::for_jdk(&jdk, &file(scratch.path())).unwrap();
        assert!(matches!(summaries.origin(), SummariesOrigin::Computed(Ok(()))));
        assert!(summaries.methods() > 50_000);
        (jdk, scratch, summaries)
    })
}

fn file(folder: &Path) -> std::path::PathBuf {
    folder.join("of/jdk.summaries")
}

fn show(effects: MethodEffects) -> String {
    let mut shown = Vec::new();
    if effects.receiver {
        shown.push("R".to_owned());
    }
    shown.extend((0..8).filter(|arg| effects.changes_arg(*arg)).map(|arg| format!("A{arg}")));
    if effects.statics {
        shown.push("S".to_owned());
    }
    if effects.unknown {
        shown.push("U".to_owned());
    }
    shown.join(" ")
}

/// Compiles the fixture and hands over what is known of it.
fn with_fixture(check: impl FnOnce(&World, &Purity<'_>)) {
    let (jdk, _, summaries) = summaries();
    let classes = compile(jdk, &[], "Effects.java", include_str!("../fixtures/Effects.java"));
    let world = World::new(&[classes.path().to_owned()], &[], Arc::clone(jdk));
    let purity = Purity::of(&world, summaries, world.project_classes());
    assert!(purity.damaged().is_empty());
    check(&world, &purity);
}

fn check(expected: &[(&str, &str)]) {
    with_fixture(|world, purity| {
        let class = world.class(&"Effects".into()).unwrap();
        for (name, effects) in expected {
            let method = class.methods.iter().find(|method| &*method.name == *name).unwrap();
            let found = purity.operation(&Operation::of_method(&class, method)).unwrap();
            assert_eq!(show(found), *effects, "{name}");
        }
    });
}

#[test]
fn effects_are_those_the_fixture_names() {
    check(&[
        ("get", ""),
        ("set", "R"),
        ("setElement", "R"),
        ("addToList", "R"),
        ("collect", ""),
        ("chain", ""),
        ("push", "R"),
        ("fill", "A0"),
        ("copy", "A1"),
        ("copied", ""),
        ("fillAll", "A0"),
        ("countCall", "S"),
        ("register", "S"),
        ("lookedUp", ""),
        ("text", ""),
        ("setOnce", "R"),
        ("start", "R"),
        ("sum", ""),
        ("clearAll", "A0"),
        ("advance", "A0"),
        ("checked", ""),
        ("later", "R"),
        ("ask", ""),
        ("grow", "A0"),
        ("area", ""),
        ("growWrapped", "A0"),
        ("mark", "A0"),
        ("array", ""),
        ("external", "U"),
        ("question", ""),
    ]);
}

#[test]
fn constructors_do_not_change_what_they_make() {
    with_fixture(|_, purity| {
        let node = ClassName::internal("Effects$Node");
        let effects = purity.effects(&node, "<init>", "(Ljava/lang/Object;)V").unwrap();
        assert!(effects.is_pure());
        assert!(purity.effects(&node, "absent", "()V").is_none());
    });
}

#[test]
fn methods_depend_on_those_that_write_what_they_read() {
    with_fixture(|_, purity| {
        let effects = ClassName::internal("Effects");
        let of =
            |name: &str, descriptor: &str| purity.field_access(&effects, name, descriptor).unwrap();
        let (get, set) = (of("get", "()I"), of("set", "(I)V"));
        assert!(get.depends_on(&set) && !set.depends_on(&get));
        let text = of("text", "()Ljava/lang/String;");
        assert!(text.depends_on(&set), "it shows the count");
        assert!(!text.depends_on(&of("push", "(Ljava/lang/Object;)V")));
        // Through a call, and through an interface.
        let fill = of("fillAll", "(LEffects;)V");
        let names: Vec<&str> = fill.reads.iter().map(|field| &*field.name).collect();
        assert_eq!(names, ["numbers"]);
        let grow = of("grow", "(LEffects$Shape;)V");
        let side = grow.writes.iter().next().unwrap();
        assert_eq!((side.class.as_internal(), &*side.name), ("Effects$Square", "side"));
    });
}

#[test]
fn stored_summaries_are_loaded_and_damaged_ones_are_computed_again() {
    let (jdk, scratch, computed) = summaries();
    let stored = std::fs::read(file(scratch.path())).unwrap();
    let other = tempfile::tempdir().unwrap();
    let copy = other.path().join("copy");
    std::fs::write(&copy, &stored).unwrap();
    let loaded = Summaries::for_jdk(jdk, &copy).unwrap();
    assert!(matches!(loaded.origin(), SummariesOrigin::Loaded));
    assert_eq!(loaded.methods(), computed.methods());
    let mut damaged = stored.clone();
    damaged[stored.len() / 2] ^= 4;
    std::fs::write(&copy, &damaged).unwrap();
    let again = Summaries::for_jdk(jdk, &copy).unwrap();
    assert!(matches!(again.origin(), SummariesOrigin::Computed(Ok(()))));
    assert!(std::fs::read(&copy).unwrap() == stored, "the same summaries, stored anew");
}

#[test]
fn damaged_classes_are_told_and_the_rest_is_analysed() {
    let (jdk, _, summaries) = summaries();
    let classes = compile(jdk, &[], "Effects.java", include_str!("../fixtures/Effects.java"));
    let damaged_file = classes.path().join("Effects.class");
    let bytes = std::fs::read(&damaged_file).unwrap();
    // Numbers of a linear congruential generator: the same damage each time.
    let mut number = 0x1234_5678_u32;
    let mut below = |limit: usize| {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (number >> 8) as usize % limit
    };
    let mut told = 0;
    for _ in 0..200 {
        let mut damaged = bytes.clone();
        for _ in 0..4 {
            let at = 8 + below(damaged.len() - 8);
            damaged[at] = below(256) as u8;
        }
        std::fs::write(&damaged_file, damaged).unwrap();
        let world = World::new(&[classes.path().to_owned()], &[], Arc::clone(jdk));
        let purity = Purity::of(&world, summaries, world.project_classes());
        told += usize::from(!purity.damaged().is_empty());
        let grow = purity.effects(&"Effects$Square".into(), "grow", "()V").unwrap();
        assert_eq!(show(grow), "R");
    }
    assert!(told > 100, "only {told} damaged classes were told");
}
