//! The JDK's classes as they were in earlier releases, on every JDK at hand.

use std::sync::Arc;

use classpath::{JdkImage, World};
use model::{Class, ClassName, Hierarchy, Type, type_accessible};

use crate::fixture::{class, compile, jdk, jdks, run, world};

fn as_of(jdk: &Arc<JdkImage>, release: u16) -> World {
    World::new(&[], &[], Arc::clone(jdk)).as_of(release)
}

fn offers(class: &Class, name: &str, descriptor: &str) -> bool {
    class.method(name, descriptor).is_some_and(|method| method.access.is_public())
}

#[test]
fn members_are_there_from_their_release_on() {
    for jdk in jdks() {
        for release in 8..=jdk.feature() {
            let world = as_of(&jdk, release);
            for (owner, name, descriptor, since) in [
                ("java/util/List", "of", "()Ljava/util/List;", 9),
                ("java/util/Map", "of", "()Ljava/util/Map;", 9),
                ("java/util/List", "copyOf", "(Ljava/util/Collection;)Ljava/util/List;", 10),
                ("java/lang/String", "isBlank", "()Z", 11),
                ("java/lang/String", "repeat", "(I)Ljava/lang/String;", 11),
                ("java/util/List", "size", "()I", 8),
                ("java/lang/String", "trim", "()Ljava/lang/String;", 8),
                ("java/nio/ByteBuffer", "flip", "()Ljava/nio/ByteBuffer;", 9),
                ("java/nio/Buffer", "flip", "()Ljava/nio/Buffer;", 8),
            ] {
                let there = offers(&class(&world, owner), name, descriptor);
                assert_eq!(there, release >= since, "{owner}.{name} in {release} of {jdk:?}");
            }
            assert!(world.diagnostics().is_empty(), "{:?}", world.diagnostics());
        }
    }
}

#[test]
fn newer_classes_cannot_be_named_and_keep_their_place_in_the_hierarchy() {
    let accessible =
        |world: &World, name: &str| type_accessible(world, &Type::class(name), "org/example");
    for jdk in jdks() {
        for release in 8..=jdk.feature() {
            let world = as_of(&jdk, release);
            assert!(accessible(&world, "java/util/Map$Entry"));
            assert_eq!(accessible(&world, "java/lang/StackWalker"), release >= 9);
            assert_eq!(accessible(&world, "java/net/http/HttpClient"), release >= 11);
            let is_collection = |name: &str| {
                let collection = ClassName::internal("java/util/Collection");
                world.is_subclass(&ClassName::internal(name), &collection)
            };
            // Since 21 there is a newer interface between the two.
            assert!(is_collection("java/util/List"));
            assert!(is_collection("java/util/ImmutableCollections$ListN"));
        }
    }
}

#[test]
fn what_is_hidden_stays_for_those_who_would_have_to_implement_it() {
    for jdk in jdks() {
        let count = |world: &World| {
            let hidden = |m: &&model::Method| m.access.is_abstract() && !m.access.is_public();
            class(world, "java/nio/CharBuffer").methods.iter().filter(hidden).count()
        };
        let now = World::new(&[], &[], Arc::clone(&jdk));
        assert_ne!(count(&now), 0);
        assert_eq!(count(&as_of(&jdk, 9)), count(&now));
    }
}

/// What is offered is what the compiler accepts.
#[test]
fn the_compiler_agrees() {
    for jdk in jdks() {
        let world = as_of(&jdk, 8);
        let string = class(&world, "java/lang/String");
        let getters: Vec<&str> = string
            .methods
            .iter()
            .filter(|m| m.params.is_empty() && m.access.is_public() && m.result.is_some())
            .filter(|m| !m.access.is_static() && !m.access.is_synthetic())
            .map(|m| &*m.name)
            .collect();
        assert!(getters.len() > 8, "{getters:?}");
        let calls: String = getters.iter().map(|name| format!("text.{name}();")).collect();
        let source = format!("class Uses {{ void all(String text) {{ {calls} }} }}");
        compile(&jdk, &["--release", "8", "-Xlint:-options"], "Uses.java", &source);
    }
}

#[test]
fn an_unknown_release_is_told_and_restricts_nothing() {
    let jdk = jdk();
    for release in [3, 60] {
        let world = as_of(&jdk, release);
        let told = world.diagnostics();
        assert_eq!(told.len(), 1, "{told:?}");
        let message = format!("ct.sym: does not tell the API of Java {release}");
        assert!(told[0].to_string().ends_with(&message), "{told:?}");
        assert!(offers(&class(&world, "java/util/List"), "of", "()Ljava/util/List;"));
    }
}

#[test]
fn the_release_of_a_project_is_that_of_its_newest_class() {
    let jdk = jdk();
    let old = compile(&jdk, &["--release", "8", "-Xlint:-options"], "Old.java", "class Old {}");
    assert_eq!(world(old.path(), &jdk).release_of_project(), Some(8));
    let jar = old.path().join("old.jar");
    let arguments = ["cf".as_ref(), jar.as_os_str(), "-C".as_ref(), old.path().as_os_str()];
    run(&jdk, "jar", arguments.into_iter().chain(["Old.class".as_ref()]));
    assert_eq!(world(&jar, &jdk).release_of_project(), Some(8));
    let new = compile(&jdk, &["--release", "11"], "New.java", "class New {}");
    std::fs::copy(new.path().join("New.class"), old.path().join("New.class")).unwrap();
    assert_eq!(world(old.path(), &jdk).release_of_project(), Some(11));
    let with_newer = World::new(&[jar], &[new.path().to_owned()], Arc::clone(&jdk));
    assert_eq!(with_newer.release_of_project(), Some(8), "dependencies do not count");
    std::fs::write(new.path().join("New.class"), "no class").unwrap();
    assert_eq!(world(new.path(), &jdk).release_of_project(), None);
}
