//! Java fixtures, compiled into folders that go away with the last test that uses them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tempfile::TempDir;

/// A compiled fixture.
pub struct Fixture {
    folder: Arc<TempDir>,
}

/// Fixtures in use, by name: tests that run at the same time share one compilation.
static IN_USE: Mutex<BTreeMap<&'static str, Weak<TempDir>>> = Mutex::new(BTreeMap::new());

impl Fixture {
    /// The fixture `tests/fixtures/NAME`, which nobody may change.
    pub fn shared(name: &'static str) -> Self {
        let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(folder) = in_use.get(name).and_then(Weak::upgrade) {
            return Self { folder };
        }
        let fixture = Self::own(name);
        in_use.insert(name, Arc::downgrade(&fixture.folder));
        fixture
    }

    /// The same in a folder of its own, whose classes the test may damage.
    pub fn own(name: &str) -> Self {
        Self::filled_in(name, &[])
    }

    /// The same with parts of its sources replaced by what only the test knows.
    pub fn filled_in(name: &str, replaced: &[(&str, &str)]) -> Self {
        Self::made(name, replaced, compile)
    }

    /// The same for an earlier release of Java.
    pub fn of_release(name: &str, release: &str) -> Self {
        Self::made(name, &[], |sources, output, class_path| {
            compile_with(&["--release", release], sources, output, class_path);
        })
    }

    fn made(
        name: &str,
        replaced: &[(&str, &str)],
        compile: impl FnOnce(&[PathBuf], &Path, &str),
    ) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let sources = folder.path().join("sources");
        copy(&source_folder(name), &sources);
        let files = java_files(&sources);
        assert!(!files.is_empty(), "no Java file in fixture {name}");
        for file in &files {
            let mut text = fs::read_to_string(file).expect("a source file");
            for (mark, value) in replaced {
                text = text.replace(mark, value);
            }
            fs::write(file, text).expect("a source file");
        }
        compile(&files, &folder.path().join("classes"), "");
        Self { folder: Arc::new(folder) }
    }

    /// Where its classes are.
    pub fn classes(&self) -> PathBuf {
        self.folder.path().join("classes")
    }

    /// The file of a class, given as `package/Class`.
    pub fn class_file(&self, class: &str) -> PathBuf {
        self.classes().join(format!("{class}.class"))
    }
}

/// Where the sources of a fixture are.
pub fn source_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// The Java files below a folder, sorted.
pub fn java_files(folder: &Path) -> Vec<PathBuf> {
    files_below(folder).into_iter().filter(|f| f.extension().is_some_and(|e| e == "java")).collect()
}

/// All files below a folder, sorted; none if it does not exist.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.expect("a folder entry").path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

/// Compiles with the JDK that the program chooses too; class files fit every JDK it supports.
pub fn compile(sources: &[PathBuf], output: &Path, class_path: &str) {
    let options = ["-source", "17", "-target", "17", "-XDignore.symbol.file"];
    compile_with(&options, sources, output, class_path);
}

/// The same for what these options say.
pub fn compile_with(options: &[&str], sources: &[PathBuf], output: &Path, class_path: &str) {
    fs::create_dir_all(output).expect("a folder for classes");
    let jdk = toolchain::select(None, 17).expect("tests need a JDK");
    let result = Command::new(jdk.home.join("bin/javac"))
        .args(["-nowarn", "-g", "-parameters", "-Xlint:-options"])
        .args(options)
        .arg("-d")
        .arg(output)
        .args(["-cp", class_path])
        .args(sources)
        .output()
        .expect("javac can be started");
    assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stderr));
}

/// Copies a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) {
    for file in files_below(from) {
        let target = to.join(file.strip_prefix(from).expect("a file below the folder"));
        fs::create_dir_all(target.parent().expect("a file has a folder")).expect("a folder");
        fs::copy(&file, target).expect("a copied file");
    }
}
