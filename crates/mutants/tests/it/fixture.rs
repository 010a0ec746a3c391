//! The fixtures, compiled once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use tempfile::TempDir;

/// The source of a fixture.
pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/fixtures").join(format!("{name}.java"))
}

/// The classes in a folder, by their names.
pub fn classes_in(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("javac wrote classes");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    paths
        .map(|path| {
            let name = path.file_stem().and_then(|name| name.to_str()).expect("plain names");
            (name.to_owned(), fs::read(&path).expect("it can be read"))
        })
        .collect()
}

/// The classes of the fixtures for every JDK, by their names.
pub fn classes() -> &'static BTreeMap<String, Vec<u8>> {
    static CLASSES: LazyLock<BTreeMap<String, Vec<u8>>> = LazyLock::new(|| {
        let home = testkit::jdk_homes().swap_remove(0);
        let compiled =
            testkit::compile(&home, &["-g"], &[source("Operators"), source("Artefacts")]);
        classes_in(compiled.path())
    });
    &CLASSES
}

/// The fixture with patterns, compiled by a JDK that knows them.
pub fn patterns(home: &Path) -> Option<TempDir> {
    let release = fs::read_to_string(home.join("release")).expect("a JDK has a release file");
    let version = release.lines().find_map(|line| {
        line.strip_prefix("JAVA_VERSION=\"")?.split(['.', '"', '-']).next()?.parse::<u32>().ok()
    });
    let knows = version.expect("a release file names the version") >= 21;
    knows.then(|| testkit::compile(home, &["-g"], &[source("Patterns")]))
}

/// The bytes of a class of a fixture.
pub fn class(name: &str) -> &'static [u8] {
    classes().get(name).unwrap_or_else(|| panic!("no class {name}"))
}
