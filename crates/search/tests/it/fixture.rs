//! The fixture classes, compiled once.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::{env, fs};

use classpath::{JdkImage, World};
use model::{Class, ClassName, ClassSource, Implementations};
use search::Api;
use tempfile::TempDir;

/// The home of some JDK: `JAVA_HOME`, that of `java` on the path, or where Linux keeps them.
fn jdk_home() -> PathBuf {
    let on_path = env::var_os("PATH").into_iter().flat_map(|path| {
        env::split_paths(&path).map(|directory| directory.join("java")).collect::<Vec<_>>()
    });
    let home_of = |java: PathBuf| Some(java.canonicalize().ok()?.parent()?.parent()?.to_owned());
    let installed = fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten();
    env::var_os("JAVA_HOME")
        .map(PathBuf::from)
        .into_iter()
        .chain(on_path.filter_map(home_of))
        .chain(installed.map(|entry| entry.path()))
        .find(|home| home.join("lib/modules").is_file() && home.join("bin/javac").is_file())
        .expect("these tests need a JDK: set JAVA_HOME")
}

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
        let home = jdk_home();
        let directory = tempfile::tempdir().expect("a scratch directory");
        let mut sources = Vec::new();
        java_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures"), &mut sources);
        sources.sort();
        let output = Command::new(home.join("bin/javac"))
            .args(["-J-XX:TieredStopAtLevel=1", "-nowarn", "-d"])
            .arg(directory.path())
            .args(&sources)
            .output()
            .expect("javac runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let jdk = Arc::new(JdkImage::open(&home).expect("a readable JDK"));
        let world = World::new(&[directory.path().to_owned()], &[], jdk);
        Classes { world, _directory: directory }
    })
}

/// What can be called for a class of package `zoo`.
pub fn api(class: &str) -> Api {
    let name = ClassName::internal(&format!("zoo/{class}"));
    let declared = classes().class(&name).unwrap_or_else(|| panic!("no {name}"));
    Api::of(classes(), &declared)
}

/// The same, with what tests write on the spot.
pub fn api_with_implementations(class: &str) -> Api {
    let name = ClassName::internal(&format!("zoo/{class}"));
    let declared = classes().class(&name).unwrap_or_else(|| panic!("no {name}"));
    Api::with_implementations(classes(), &declared)
}
