//! Class paths of jars and directories: who wins, what is followed, what is told.

use std::fs;
use std::path::{Path, PathBuf};
use std::slice;

use classpath::{ClassPath, Reason, SearchPath, World};
use model::{ClassSource, Origin};

use crate::fixture::{class, jdk, run, small_class, world};

/// A directory to put jars and directories of classes in.
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

    /// Makes a directory of classes, each with one field.
    fn tree(&self, name: &str, classes: &[(&str, &str)]) -> PathBuf {
        let tree = self.path(name);
        for (class, field) in classes {
            write(&tree, class, &small_class(class, &[field]));
        }
        tree
    }

    /// Makes a jar of classes, each with one field, with lines added to its manifest.
    fn jar(&self, name: &str, classes: &[(&str, &str)], manifest: &str) -> PathBuf {
        self.pack(name, &self.tree(&format!("{name}.d"), classes), manifest)
    }

    /// Packs a directory with the JDK's own tool.
    fn pack(&self, name: &str, tree: &Path, manifest: &str) -> PathBuf {
        let (jar, lines) = (self.path(name), self.path(&format!("{name}.mf")));
        fs::write(&lines, manifest).unwrap();
        let [jar_text, lines, tree] =
            [&jar, &lines, tree].map(|path: &Path| path.to_str().unwrap());
        run(&jdk(), "jar", ["-J-XX:TieredStopAtLevel=1", "cfm", jar_text, lines, "-C", tree, "."]);
        jar
    }
}

/// Writes a class file to where its name says, below a directory.
fn write(tree: &Path, name: &str, bytes: &[u8]) {
    let file = tree.join(format!("{name}.class"));
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, bytes).unwrap();
}

fn told(world: &World) -> Vec<String> {
    world.diagnostics().iter().map(ToString::to_string).collect()
}

#[test]
fn the_first_entry_that_has_a_class_wins() {
    let shop = Workshop::new();
    let first = shop.tree("first", &[("p/A", "one")]);
    let second = shop.jar("b.jar", &[("p/A", "two"), ("p/B", "three")], "");
    let paths = [first, second.clone()];
    let both = World::new(&paths, &[], jdk());
    assert!(class(&both, "p/A").field("one").is_some());
    let split = World::new(&paths[1..], &paths[..1], jdk());
    assert!(class(&split, "p/A").field("two").is_some());
    assert_eq!(class(&split, "p/A").origin, Origin::Project);
    assert_eq!(split.project_classes(), ["p/A".into(), "p/B".into()]);
    let location = split.class_path().location("p/B");
    assert_eq!(location, Some(format!("{}!p/B.class", second.display())));
}

#[test]
fn class_bytes_are_those_on_disk() {
    let shop = Workshop::new();
    let classes = [("p/A", "one")];
    for entry in [shop.tree("tree", &classes), shop.jar("a.jar", &classes, "")] {
        let world = world(&entry, &jdk());
        assert_eq!(world.class_bytes(&"p/A".into()), Some(small_class("p/A", &["one"])));
        assert_eq!(world.class_bytes(&"p/B".into()), None);
        let object = world.class_bytes(&"java/lang/Object".into()).unwrap();
        assert_eq!(object[..4], [0xca, 0xfe, 0xba, 0xbe]);
    }
}

#[test]
fn a_manifests_class_path_is_followed_relative_to_its_jar() {
    let shop = Workshop::new();
    fs::create_dir(shop.path("lib")).unwrap();
    shop.jar("lib/deep.jar", &[("d/Deep", "f")], "Class-Path: ../app.jar gone.jar\n");
    shop.jar("lib/a b.jar", &[("d/Spaced", "f")], "");
    let other = shop.jar("other.jar", &[("o/Other", "f")], "");
    let named = "Class-Path: lib/deep.jar lib/a%20b.jar other.jar https://host/x.jar\n";
    let app = shop.jar("app.jar", &[("a/App", "f")], named);
    let world = World::new(&[app, other], &[], jdk());
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
    let [remote, missing] = &reasons[..] else { panic!("{reasons:?}") };
    assert!(matches!(remote, Reason::RemoteClassPath { .. }));
    assert!(matches!(missing, Reason::MissingFromManifest { .. }));
}

#[test]
fn a_multi_release_jar_shows_the_newest_version_the_jvm_takes() {
    let shop = Workshop::new();
    let tree = shop.tree("tree", &[("p/A", "base")]);
    write(&tree, "META-INF/versions/9/p/A", &small_class("p/A", &["nine"]));
    write(&tree, "META-INF/versions/11/p/A", &small_class("p/A", &["eleven"]));
    write(&tree, "META-INF/versions/99/p/A", &small_class("p/A", &["future"]));
    write(&tree, "META-INF/versions/9/p/Only", &small_class("p/Only", &[]));
    write(&tree, "META-INF/versions/9/p/package-info", b"");
    write(&tree, "p/package-info", b"");
    for (manifest, multi) in [("Multi-Release: true\n", true), ("", false)] {
        // The tool checks such jars and refuses what is no proper class, so it is told later.
        let jar = shop.pack(&format!("{multi}.jar"), &tree, "");
        let lines = shop.path("manifest");
        fs::write(&lines, manifest).unwrap();
        run(&jdk(), "jar", ["ufm", jar.to_str().unwrap(), lines.to_str().unwrap()]);
        let world = world(&jar, &jdk());
        let newest = if multi { "eleven" } else { "base" };
        assert!(class(&world, "p/A").field(newest).is_some(), "{manifest}");
        assert_eq!(world.contains(&"p/Only".into()), multi);
        assert_eq!(world.project_classes().len(), 1 + usize::from(multi));
        for (release, entry) in [(8, "p/A.class"), (10, "META-INF/versions/9/p/A.class")] {
            let (path, diagnostics) = ClassPath::open(slice::from_ref(&jar), &[], release);
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
    let good = shop.jar("good.jar", &[("Good", "f")], "");
    let (gone, noise, pipe) = (shop.path("gone.jar"), shop.path("noise.jar"), shop.path("pipe"));
    fs::write(&noise, b"this is no zip file").unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let tree = shop.path("tree");
    write(&tree, "Noise", b"no class");
    write(&tree, "moved/Plain", &small_class("Plain", &[]));
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
        format!("{}: cannot be unzipped: ", noise.display()),
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

#[test]
fn class_loaders_look_for_what_manifests_name_there_or_not() {
    let shop = Workshop::new();
    shop.jar("lib/deep.jar", &[("d/Deep", "f")], "Class-Path: ../app.jar gone.jar\n");
    let app = shop.jar("app.jar", &[("a/A", "f")], "Class-Path: lib/deep.jar https://host/x.jar\n");
    let tree = shop.tree("classes", &[("b/B", "f")]);
    let mut search_path = SearchPath::default();
    let entries = [app.clone(), tree.clone()];
    let expected = [app, shop.path("lib/deep.jar"), shop.path("lib/gone.jar"), tree];
    assert_eq!(search_path.places(&entries), expected);
    assert_eq!(search_path.places(&entries), expected, "what was read is remembered");
}
