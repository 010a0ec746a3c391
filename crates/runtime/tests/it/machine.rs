//! Child JVMs with the embedded classes in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::jdk;

/// One JDK per version found; there must be at least one.
pub fn jdks() -> Vec<PathBuf> {
    let homes = jdk::homes();
    assert!(!homes.is_empty(), "the tests need a JDK");
    homes
}

/// Folders with the embedded classes and the compiled drivers, made once per test run.
pub struct Folders {
    root: TempDir,
}

impl Folders {
    /// The embedded boot classes, in `order.txt` the files in the order of their definition.
    pub fn boot(&self) -> PathBuf {
        self.root.path().join("boot")
    }

    /// The embedded service classes, as above.
    pub fn service(&self) -> PathBuf {
        self.root.path().join("service")
    }

    /// The embedded stand-in of JUnit, as above.
    pub fn standin(&self) -> PathBuf {
        self.root.path().join("standin")
    }

    fn drivers(&self) -> PathBuf {
        self.root.path().join("drivers")
    }
}

/// The folders, filled.
pub fn folders() -> &'static Folders {
    static FOLDERS: OnceLock<Folders> = OnceLock::new();
    FOLDERS.get_or_init(|| {
        let folders = Folders { root: TempDir::new().expect("a temporary folder") };
        write_classes(&folders.boot(), runtime::boot_classes());
        write_classes(&folders.service(), runtime::service_classes());
        write_classes(&folders.standin(), runtime::standin_classes());
        let output = Command::new(jdk::javac().expect("a JDK"))
            .args(["--release", "17", "-Xlint:all", "-Werror", "-proc:none"])
            .arg("--patch-module")
            .arg(format!("java.base={}", folders.boot().display()))
            .arg("-cp")
            .arg(folders.service())
            .arg("-d")
            .arg(folders.drivers())
            .args(java_files(&java("drivers")))
            .output()
            .expect("javac runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        folders
    })
}

/// A folder below `tests/java`.
pub fn java(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(folder)
}

/// The Java sources in a folder, sorted.
pub fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder of sources")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|e| e == "java"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no sources in {}", folder.display());
    files
}

/// Writes classes below a folder, and `order.txt` with the order they came in.
pub fn write_classes(folder: &Path, classes: &[(&str, &[u8])]) {
    let mut order = String::new();
    for (name, bytes) in classes {
        let file = folder.join(format!("{name}.class"));
        fs::create_dir_all(file.parent().expect("below the folder")).expect("a folder");
        fs::write(file, bytes).expect("a class file");
        order += name;
        order.push('\n');
    }
    fs::write(folder.join("order.txt"), order).expect("a list of classes");
}

/// A JVM to be started with the embedded classes in it.
pub struct Jvm {
    home: PathBuf,
    boot: PathBuf,
    options: Vec<String>,
}

impl Jvm {
    pub fn new(home: &Path) -> Jvm {
        Jvm { home: home.to_owned(), boot: folders().boot(), options: Vec::new() }
    }

    /// With boot classes from another folder.
    pub fn boot(mut self, folder: &Path) -> Jvm {
        self.boot = folder.to_owned();
        self
    }

    pub fn option(mut self, option: &str) -> Jvm {
        self.options.push(option.to_owned());
        self
    }

    /// Runs a driver and returns what it printed; it must succeed and print no errors.
    pub fn run(&self, driver: &str, arguments: &[&str]) -> String {
        let output = self.output(driver, arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{driver}: {errors}");
        String::from_utf8(output.stdout).expect("drivers print UTF-8")
    }

    fn output(&self, driver: &str, arguments: &[&str]) -> Output {
        let folders = folders();
        let class_path = std::env::join_paths([folders.service(), folders.drivers()]);
        Command::new(self.home.join("bin/java"))
            // As a worker starts it; the drivers define classes into the boot loader.
            .args(["-XX:TieredStopAtLevel=1", "-Dstdout.encoding=UTF-8", "-Xshare:auto"])
            .args(["--add-opens", "java.base/java.lang=ALL-UNNAMED"])
            .args(&self.options)
            .arg("-cp")
            .arg(class_path.expect("no path separator in a temporary folder"))
            .arg("Launch")
            .arg(&self.boot)
            .arg(driver)
            .args(arguments)
            .output()
            .expect("java runs")
    }
}
