//! The fixture classes, compiled once.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use classpath::{JdkImage, World};
use model::{Class, ClassName, ClassSource, Implementations};
use search::{Api, Clues, Detective, Extras};
use tempfile::TempDir;

/// The compiled classes and the JDK's, without the JDK's subtypes.
pub struct Classes {
    world: World,
    _directory: TempDir,
}

impl ClassSource for Classes {
    fn class(&self, name: &ClassName) -> Option<Arc<Class>> {
        self.world.class(name)
    }
}

impl Implementations for Classes {
    fn subtypes(&self, name: &ClassName) -> Vec<ClassName> {
        let every = name.as_internal() == "java/lang/Object";
        if every { Vec::new() } else { self.world.subtypes(name) }
    }

    fn package_classes(&self, package: &str) -> Vec<ClassName> {
        self.world.package_classes(package)
    }

    fn returning(&self, name: &ClassName) -> Vec<ClassName> {
        self.world.returning(name)
    }
}

fn java_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of fixtures") {
        let path = entry.expect("an entry of it").path();
        if path.is_dir() {
            java_files(&path, found);
        } else {
            found.push(path);
        }
    }
}

pub fn classes() -> &'static Classes {
    static CLASSES: OnceLock<Classes> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let home = testkit::jdk_homes().remove(0);
        let mut sources = Vec::new();
        java_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures"), &mut sources);
        sources.sort();
        let directory = testkit::compile(&home, &["-nowarn"], &sources);
        let jdk = Arc::new(JdkImage::open(&home).expect("a readable JDK"));
        let world = World::new(&[directory.path().to_owned()], &[], jdk);
        Classes { world, _directory: directory }
    })
}

/// What can be called for a class of package `zoo`.
pub fn api(class: &str) -> Api {
    api_with(class, &Extras::default())
}

/// The same, with what tests write on the spot.
pub fn api_with_implementations(class: &str) -> Api {
    api_with_clues(class, &Clues::default())
}

/// The same, with what the code of the class asks for.
pub fn api_with_clues(class: &str, clues: &Clues) -> Api {
    api_with(
        class,
        &Extras { detective: Detective::Writes, clues: clues.clone(), ..Extras::default() },
    )
}

/// With whatever else there is.
pub fn api_with(class: &str, extras: &Extras) -> Api {
    let name = ClassName::internal(&format!("zoo/{class}"));
    let declared = classes().class(&name).unwrap_or_else(|| panic!("no {name}"));
    Api::with(classes(), &declared, extras)
}
