//! JDKs, compiled fixtures and libraries to test with.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use classpath::{JdkImage, World};
use model::{Class, ClassName, ClassSource};
use tempfile::TempDir;
pub use testkit::{jdk_homes, library};

/// All JDKs at hand, opened.
pub fn jdks() -> Vec<Arc<JdkImage>> {
    jdk_homes().iter().map(|home| Arc::new(JdkImage::open(home).unwrap())).collect()
}

/// Any JDK.
pub fn jdk() -> Arc<JdkImage> {
    Arc::new(JdkImage::open(&jdk_homes()[0]).unwrap())
}

/// Runs a tool of the JDK and returns what it printed.
pub fn run(
    jdk: &JdkImage,
    tool: &str,
    args: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> String {
    let mut command = Command::new(jdk.home().join("bin").join(tool));
    let output = command.args(args).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{command:?}: {error}{}",
        String::from_utf8_lossy(&output.stdout)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Compiles a source file, given as its name and text, to a directory of classes.
pub fn compile(jdk: &JdkImage, options: &[&str], file: &str, text: &str) -> TempDir {
    testkit::compile_text(jdk.home(), options, file, text)
}

/// The classes of `Shapes.java`, compiled once for each JDK and set of options.
pub fn shapes(jdk: &JdkImage, options: &[&str]) -> PathBuf {
    static COMPILED: Mutex<BTreeMap<String, TempDir>> = Mutex::new(BTreeMap::new());
    let text = include_str!("../fixtures/shapes/Shapes.java");
    let key = format!("{} {options:?}", jdk.home().display());
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let classes = compiled.entry(key).or_insert_with(|| compile(jdk, options, "Shapes.java", text));
    classes.path().to_owned()
}

/// The bytes of a class with some `int` fields and nothing else.
pub fn small_class(name: &str, fields: &[&str]) -> Vec<u8> {
    let utf8 = |text: &str| [&[1, 0, text.len() as u8], text.as_bytes()].concat();
    let count = |number: usize| [0, number as u8];
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52];
    bytes.extend(count(6 + fields.len()));
    bytes.extend([utf8(name), vec![7, 0, 1], utf8("java/lang/Object"), vec![7, 0, 3]].concat());
    bytes.extend(utf8("I"));
    bytes.extend(fields.iter().flat_map(|field| utf8(field)));
    bytes.extend([0, 0x20, 0, 2, 0, 4, 0, 0]);
    bytes.extend(count(fields.len()));
    for index in 0..fields.len() {
        bytes.extend([[0, 0], count(6 + index), [0, 5], [0, 0]].concat());
    }
    bytes.extend([0, 0, 0, 0]);
    bytes
}

/// A world of one project entry.
pub fn world(entry: &Path, jdk: &Arc<JdkImage>) -> World {
    World::new(&[entry.to_owned()], &[], Arc::clone(jdk))
}

/// A class that must be there.
pub fn class(world: &World, name: &str) -> Arc<Class> {
    world
        .class(&ClassName::internal(name))
        .unwrap_or_else(|| panic!("no {name}: {:?}", world.diagnostics()))
}

/// Guava and the one library its classes inherit from.
pub fn guava() -> (PathBuf, PathBuf) {
    (library("com.google.guava:guava:33.4.8-jre"), library("com.google.guava:failureaccess:1.0.3"))
}
