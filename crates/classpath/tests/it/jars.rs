//! Class paths of jars and directories: who wins, what is followed, what is told.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use classpath::{ClassPath, Reason, World};
use model::{ClassSource, Origin};

use crate::fixture::{class, compile, jdk, run, world};

/// A directory to put jars in.
struct Workshop {
    directory: tempfile::TempDir,
}

impl Workshop {
    fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Makes a jar of classes compiled from a source, with lines added to its manifest.
    fn jar(&self, name: &str, source: &str, manifest: &str) -> PathBuf {
        let jdk = jdk();
        let classes = compile(&jdk, &[], "Source.java", source);
        let lines = self.path(&format!("{}.mf", name.replace('/', "-")));
        fs::write(&lines, manifest).unwrap();
        let jar = self.path(name);
        fs::create_dir_all(jar.parent().unwrap()).unwrap();
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        let arguments = [
            "cfm".to_owned(),
            text(&jar),
            text(&lines),
            "-C".into(),
            text(classes.path()),
            ".".into(),
        ];
        run(&jdk, "jar", arguments);
        jar
    }
}

fn told(world: &World) -> Vec<String> {
    world.diagnostics().iter().map(ToString::to_string).collect()
}

#[test]
fn the_first_entry_that_has_a_class_wins() {
    let shop = Workshop::new();
    let jdk = jdk();
    let first = compile(&jdk, &[], "S.java", "package p; class A { int one; }");
    let second = shop.jar("b.jar", "package p; class A { int two; } class B {}", "");
    let paths = [first.path().to_owned(), second.clone()];
    let both = World::new(&paths, &[], Arc::clone(&jdk));
    assert!(class(&both, "p/A").field("one").is_some());
    let split = World::new(&paths[1..], &paths[..1], jdk);
    assert!(class(&split, "p/A").field("two").is_some());
    assert_eq!(class(&split, "p/A").origin, Origin::Project);
    assert_eq!(split.project_classes(), ["p/A".into(), "p/B".into()]);
    assert_eq!(split.class_path().location("p/B"), Some(format!("{}!p/B.class", second.display())));
}

#[test]
fn class_bytes_are_those_on_disk() {
    let jdk = jdk();
    let classes = compile(&jdk, &[], "S.java", "package p; class A { }");
    let world = world(classes.path(), &jdk);
    let bytes = fs::read(classes.path().join("p/A.class")).unwrap();
    assert_eq!(world.class_bytes(&"p/A".into()), Some(bytes));
    assert_eq!(world.class_bytes(&"p/B".into()), None);
    let object = world.class_bytes(&"java/lang/Object".into()).unwrap();
    assert_eq!(object[..4], [0xca, 0xfe, 0xba, 0xbe]);
}

#[test]
fn a_manifests_class_path_is_followed_relative_to_its_jar() {
    let shop = Workshop::new();
    shop.jar("lib/deep.jar", "package d; class Deep {}", "Class-Path: ../app.jar gone.jar\n");
    shop.jar("lib/a b.jar", "package d; class Spaced {}", "");
    let other = shop.jar("other.jar", "package o; class Other {}", "");
    let app = shop.jar(
        "app.jar",
        "package a; class App {}",
        "Class-Path: lib/deep.jar lib/a%20b.jar other.jar https://host/x.jar\n",
    );
    let world = World::new(&[app.clone(), other], &[], jdk());
    assert_eq!(world.project_classes(), ["a/App".into(), "o/Other".into()]);
    assert_eq!(class(&world, "d/Deep").origin, Origin::Dependency);
    assert_eq!(class(&world, "d/Spaced").origin, Origin::Dependency);
    let order: Vec<String> = world
        .class_path()
        .entries()
        .map(|(path, _)| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(order, ["app.jar", "deep.jar", "a b.jar", "other.jar"]);
    let reasons: Vec<Reason> = world.diagnostics().into_iter().map(|d| d.reason).collect();
    assert!(
        matches!(
            &reasons[..],
            [Reason::RemoteClassPath { .. }, Reason::MissingFromManifest { .. }]
        ),
        "{reasons:?}"
    );
}

#[test]
fn a_multi_release_jar_shows_the_newest_version_the_jvm_takes() {
    let jdk = jdk();
    let base = compile(&jdk, &["--release", "8"], "S.java", "package p; class A { int base; }");
    let nine = "package p; class A { int nine; } class Only {}";
    let nine = compile(&jdk, &["--release", "9"], "S.java", nine);
    let eleven =
        compile(&jdk, &["--release", "11"], "S.java", "package p; class A { int eleven; }");
    let shop = Workshop::new();
    for (file, manifest, multi) in
        [("multi.jar", "Multi-Release: true\n", true), ("plain.jar", "", false)]
    {
        // Put together by hand: the jar tool would refuse that the versions differ.
        let tree = shop.path(&format!("{file}.d"));
        for (classes, below) in
            [(&base, "p"), (&nine, "META-INF/versions/9/p"), (&eleven, "META-INF/versions/11/p")]
        {
            fs::create_dir_all(tree.join(below)).unwrap();
            for entry in fs::read_dir(classes.path().join("p")).unwrap() {
                let from = entry.unwrap().path();
                fs::copy(&from, tree.join(below).join(from.file_name().unwrap())).unwrap();
            }
        }
        let jar = shop.path(file);
        let lines = shop.path("manifest");
        fs::write(&lines, manifest).unwrap();
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        let arguments = ["cfM0".to_owned(), text(&jar), "-C".into(), text(&tree), ".".into()];
        run(&jdk, "jar", arguments);
        run(&jdk, "jar", ["ufm".to_owned(), text(&jar), text(&lines)]);

        let world = world(&jar, &jdk);
        let newest = if multi { "eleven" } else { "base" };
        assert!(class(&world, "p/A").field(newest).is_some(), "{file}");
        assert_eq!(world.contains(&"p/Only".into()), multi);
        assert_eq!(world.project_classes().len(), 1 + usize::from(multi));
        for (release, entry) in [(8, "p/A.class"), (10, "META-INF/versions/9/p/A.class")] {
            let (path, diagnostics) = ClassPath::open(&[jar.clone()], &[], release);
            assert!(diagnostics.is_empty());
            let entry = if multi { entry } else { "p/A.class" };
            assert_eq!(path.location("p/A"), Some(format!("{}!{entry}", jar.display())));
            assert_eq!(path.contains("p/Only"), multi && release >= 9);
        }
        assert!(told(&world).is_empty(), "{:?}", told(&world));
    }
}

#[test]
fn what_cannot_be_opened_is_told_and_the_rest_goes_on() {
    let shop = Workshop::new();
    let good = shop.jar("good.jar", "class Good {}", "");
    let (gone, noise, pipe) = (shop.path("gone.jar"), shop.path("noise.jar"), shop.path("pipe"));
    fs::write(&noise, b"this is no zip file").unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let tree = shop.path("tree");
    fs::create_dir_all(&tree).unwrap();
    fs::write(tree.join("Noise.class"), b"no class").unwrap();
    fs::create_dir_all(tree.join("moved")).unwrap();
    let plain = compile(&jdk(), &[], "Plain.java", "class Plain {}");
    fs::copy(plain.path().join("Plain.class"), tree.join("moved/Plain.class")).unwrap();
    assert!(
        std::process::Command::new("mkfifo")
            .arg(tree.join("Pipe.class"))
            .status()
            .unwrap()
            .success()
    );
    let paths = [gone.clone(), noise.clone(), pipe.clone(), tree.clone(), good];
    let world = World::new(&paths, &[], jdk());
    assert!(world.class(&"Good".into()).is_some());
    for bad in ["Noise", "Pipe", "moved/Plain"] {
        assert!(world.contains(&bad.into()));
        assert!(world.class(&bad.into()).is_none());
    }
    assert!(world.class(&"Plain".into()).is_none());
    let found = told(&world);
    let expected = [
        format!("{}: does not exist", gone.display()),
        format!("{}: not a readable jar: ", noise.display()),
        format!("{}: neither a directory nor a file", pipe.display()),
        format!("{}: not a class file", tree.join("Noise.class").display()),
        format!("{}: neither a directory nor a file", tree.join("Pipe.class").display()),
        format!("{}: declares Plain, which", tree.join("moved/Plain.class").display()),
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(&expected) {
        assert!(found.starts_with(expected), "{found}");
    }
}

#[test]
fn packages_of_the_jdk_are_the_jdks_alone() {
    let tree = tempfile::tempdir().unwrap();
    fs::create_dir_all(tree.path().join("java/util")).unwrap();
    for name in ["Mine", "ArrayList"] {
        fs::write(tree.path().join(format!("java/util/{name}.class")), b"").unwrap();
    }
    let world = world(tree.path(), &jdk());
    assert!(world.project_classes().is_empty());
    assert!(world.class(&"java/util/Mine".into()).is_none());
    assert_eq!(class(&world, "java/util/ArrayList").origin, Origin::Jdk);
    let expected = format!(
        "{}: its package java.util belongs to the JDK's module java.base",
        tree.path().display()
    );
    assert_eq!(told(&world), [expected]);
}
