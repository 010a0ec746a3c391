//! The JDK's own classes, on every JDK at hand.

use std::sync::Arc;

use classpath::World;
use model::{ClassName, ClassSource, Hierarchy, Nesting, Origin};

use crate::fixture::{jdks, run, world};

fn name(internal: &str) -> ClassName {
    ClassName::internal(internal)
}

#[test]
fn the_feature_release_is_what_the_jdk_says() {
    for jdk in jdks() {
        let text = run(&jdk, "java", ["--version"]);
        let version = text.split_whitespace().nth(1).unwrap();
        let feature = version.split(['.', '-', '+']).next().unwrap();
        assert_eq!(jdk.feature().to_string(), feature);
    }
}

#[test]
fn modules_are_those_the_jdk_lists() {
    for jdk in jdks() {
        let text = run(&jdk, "java", ["--list-modules"]);
        let mut listed: Vec<&str> =
            text.lines().map(|line| line.split('@').next().unwrap()).collect();
        let mut found: Vec<&str> = jdk.modules().collect();
        listed.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, listed);
    }
}

#[test]
fn what_is_exported_to_all_is_exported() {
    for jdk in jdks() {
        let empty = tempfile::tempdir().unwrap();
        let world = world(empty.path(), &jdk);
        for (class, exported) in [
            ("java/lang/Object", true),
            ("java/util/Map$Entry", true),
            ("java/sql/Connection", true),
            ("sun/misc/Unsafe", true),
            ("jdk/internal/misc/Unsafe", false),
            ("sun/nio/fs/UnixPath", false),
            ("sun/security/x509/X509CertImpl", false),
        ] {
            let class = world.class(&name(class)).unwrap();
            assert_eq!(class.exported, exported, "{:?}", class.name);
            assert_eq!(class.origin, Origin::Jdk);
            assert_eq!(class.version, jdk.feature() + 44);
        }
        assert!(world.diagnostics().is_empty(), "{:?}", world.diagnostics());
    }
}

#[test]
fn incubating_modules_are_out_of_sight() {
    for jdk in jdks() {
        let incubator = jdk.modules().find(|module| module.starts_with("jdk.incubator"));
        let Some("jdk.incubator.vector") = incubator else { continue };
        let package = "jdk/incubator/vector";
        assert!(jdk.packages().any(|found| found == package));
        assert_eq!(jdk.module_of_package(package), None);
        assert!(jdk.package_classes(package).unwrap().is_empty());
        assert!(!jdk.contains("jdk/incubator/vector/Vector").unwrap());
    }
}

#[test]
fn classes_are_found_by_name_and_by_package() {
    for jdk in jdks() {
        let util = jdk.package_classes("java/util").unwrap();
        assert!(util.is_sorted());
        assert!(util.contains(&name("java/util/ArrayList")));
        assert!(util.contains(&name("java/util/Map$Entry")));
        assert!(!util.contains(&name("java/util/concurrent/Future")));
        assert!(!util.iter().any(|name| name.local() == "package-info"));
        for class in &util {
            assert!(jdk.contains(class.as_internal()).unwrap(), "{class}");
        }
        assert!(!jdk.contains("java/util/NoSuchThing").unwrap());
        assert!(!jdk.contains("no/such/Package").unwrap());
        assert!(jdk.read("java/util/NoSuchThing").unwrap().is_none());
    }
}

#[test]
fn subtypes_within_the_jdk_are_found_in_the_packages_asked_for() {
    for jdk in jdks() {
        let empty = tempfile::tempdir().unwrap();
        let world = world(empty.path(), &jdk);
        let list = name("java/util/List");
        let found = world.jdk_subtypes(&list, &["java/util", "java/util/concurrent"]);
        for expected in [
            "java/util/ArrayList",
            "java/util/AbstractList",
            "java/util/Arrays$ArrayList",
            "java/util/Stack",
            "java/util/concurrent/CopyOnWriteArrayList",
        ] {
            assert!(found.contains(&name(expected)), "{expected}");
        }
        assert!(found.is_sorted());
        for class in &found {
            assert!(world.is_subclass(class, &list), "{class}");
        }
        for class in world.package_classes("java/util") {
            let expected = class != list && world.is_subclass(&class, &list);
            assert_eq!(found.contains(&class), expected, "{class}");
        }
        assert!(world.jdk_subtypes(&list, &["no/such/package"]).is_empty());
    }
}

#[test]
fn nested_classes_of_the_jdk_have_their_places() {
    for jdk in jdks() {
        let empty = tempfile::tempdir().unwrap();
        let world = world(empty.path(), &jdk);
        let entry = world.class(&name("java/util/Map$Entry")).unwrap();
        let Nesting::Member { outer, simple, is_static } = &entry.nesting else { panic!() };
        assert_eq!((outer.as_internal(), &**simple, *is_static), ("java/util/Map", "Entry", true));
        let map = world.class(&name("java/util/Map")).unwrap();
        assert_eq!(map.members, [name("java/util/Map$Entry")]);
    }
}

#[test]
fn every_class_of_every_module_is_read() {
    for jdk in jdks() {
        let world = World::new(&[], &[], Arc::clone(&jdk));
        let packages: Vec<&str> =
            jdk.packages().filter(|package| jdk.module_of_package(package).is_some()).collect();
        let read = |package: &str| -> usize {
            let names = world.package_classes(package);
            assert!(names.iter().all(|name| world.class(name).is_some()), "{package}");
            names.len()
        };
        let count: usize = packages.iter().map(|package| read(package)).sum();
        assert!(count > 20_000, "only {count} classes");
        assert!(world.diagnostics().is_empty(), "{:?}", world.diagnostics());
    }
}
