//! Known facts of known libraries.

use classpath::World;
use model::{ClassKind, ClassName, ClassSource, Hierarchy, Origin};

use crate::fixture::{class, guava, jdk, library};

fn guava_world() -> World {
    let (guava, failureaccess) = guava();
    World::new(&[guava], &[failureaccess], jdk())
}

#[test]
fn facts_of_guava_hold() {
    let world = guava_world();
    let list = class(&world, "com/google/common/collect/ImmutableList");
    assert!(list.access.is_abstract() && list.access.is_public());
    let of = list.method(
        "of",
        "(Ljava/lang/Object;Ljava/lang/Object;)Lcom/google/common/collect/ImmutableList;",
    );
    let names: Vec<_> = of.unwrap().params.iter().map(|p| p.name.as_deref()).collect();
    assert_eq!(names, [Some("e1"), Some("e2")]);
    let bound = class(&world, "com/google/common/collect/BoundType");
    assert_eq!(bound.kind, ClassKind::Enum);
    let constants: Vec<&str> = bound.enum_constants().map(|field| &*field.name).collect();
    assert_eq!(constants, ["OPEN", "CLOSED"]);
    let dependency =
        class(&world, "com/google/common/util/concurrent/internal/InternalFutureFailureAccess");
    assert_eq!(dependency.origin, Origin::Dependency);
    assert!(world.is_subclass(&list.name, &"java/util/Collection".into()));
}

#[test]
fn subtypes_agree_with_a_walk_upward_from_every_class() {
    let world = guava_world();
    for sup in [
        "java/util/List",
        "java/lang/Object",
        "com/google/common/collect/Multimap",
        "com/google/common/base/Function",
        "com/google/common/util/concurrent/internal/InternalFutureFailureAccess",
    ] {
        let sup = ClassName::internal(sup);
        let expected: Vec<ClassName> = world
            .class_path()
            .names()
            .filter(|name| **name != sup && world.is_subclass(name, &sup))
            .cloned()
            .collect();
        let found = world.subtypes(&sup);
        assert!(found.is_sorted());
        assert_eq!(found.len(), expected.len(), "{sup}");
        assert!(expected.iter().all(|name| found.binary_search(name).is_ok()), "{sup}");
    }
    assert!(world.diagnostics().is_empty());
}

#[test]
fn opening_reads_no_class() {
    let jar = library("org.apache.commons:commons-lang3:3.17.0");
    let bytes = std::fs::read(&jar).unwrap();
    let temp = tempfile::tempdir().unwrap();
    let hollow = temp.path().join("hollow.jar");
    // The compressed data of all entries destroyed, the directory at the end kept.
    let start = bytes.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    let mut damaged = vec![0; start];
    damaged.extend_from_slice(&bytes[start..]);
    std::fs::write(&hollow, damaged).unwrap();
    let world = World::new(&[hollow], &[], jdk());
    assert!(world.project_classes().len() > 350);
    assert!(world.contains(&"org/apache/commons/lang3/StringUtils".into()));
    // Only the manifest was read, to no avail.
    assert_eq!(world.diagnostics().len(), 1);
    assert!(world.class(&"org/apache/commons/lang3/StringUtils".into()).is_none());
    assert_eq!(world.diagnostics().len(), 2);
}
