//! The fixtures, compiled once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The source of a fixture.
pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/fixtures").join(format!("{name}.java"))
}

/// The classes of all fixtures, by their names.
pub fn classes() -> &'static BTreeMap<String, Vec<u8>> {
    static CLASSES: LazyLock<BTreeMap<String, Vec<u8>>> = LazyLock::new(|| {
        let home = testkit::jdk_homes().swap_remove(0);
        let compiled =
            testkit::compile(&home, &["-g"], &[source("Operators"), source("Artefacts")]);
        let entries = fs::read_dir(compiled.path()).expect("javac wrote classes");
        let paths = entries.map(|entry| entry.expect("it can be read").path());
        paths
            .map(|path| {
                let name = path.file_stem().and_then(|name| name.to_str()).expect("plain names");
                (name.to_owned(), fs::read(&path).expect("it can be read"))
            })
            .collect()
    });
    &CLASSES
}

/// The bytes of a class of a fixture.
pub fn class(name: &str) -> &'static [u8] {
    classes().get(name).unwrap_or_else(|| panic!("no class {name}"))
}
