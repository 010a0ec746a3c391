//! JDKs, javac and libraries to test with.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::{env, fs};

use classpath::JdkImage;
pub use testkit::library;
use writer::Source;

/// All JDKs at hand, the oldest first.
pub fn jdks() -> Vec<Arc<JdkImage>> {
    testkit::jdk_homes().iter().map(|home| Arc::new(JdkImage::open(home).unwrap())).collect()
}

/// JUnit 4 and 5 with what their signatures mention.
pub fn junit() -> Vec<PathBuf> {
    [
        "junit:junit:4.13.2",
        "org.hamcrest:hamcrest-core:1.3",
        "org.junit.jupiter:junit-jupiter-api:5.10.2",
        "org.junit.platform:junit-platform-commons:1.10.2",
        "org.opentest4j:opentest4j:1.3.0",
        "org.apiguardian:apiguardian-api:1.1.2",
    ]
    .map(library)
    .to_vec()
}

/// Compiles sources, given by path and text, into `to`; what javac said is the error.
pub fn javac(
    jdk: &JdkImage,
    options: &[&str],
    class_path: &[PathBuf],
    sources: &[(String, String)],
    to: &Path,
) -> Result<(), String> {
    let directory = tempfile::tempdir().unwrap();
    let mut list = String::new();
    for (path, text) in sources {
        let file = directory.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        list.push_str(&format!("{}\n", file.display()));
    }
    let arguments = directory.path().join("sources.txt");
    fs::write(&arguments, list).unwrap();
    let output = Command::new(jdk.home().join("bin/javac"))
        .args(["-proc:none", "-Xmaxerrs", "100000", "-encoding", "US-ASCII", "-d"])
        .arg(to)
        .args(options)
        .arg("-cp")
        .arg(env::join_paths(class_path).unwrap())
        .arg(format!("@{}", arguments.display()))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr)
        .replace(&format!("{}/", directory.path().display()), "");
    if output.status.success() { Ok(()) } else { Err(said) }
}

/// The path and text of a source.
pub fn file(source: &Source) -> (String, String) {
    (source.path.clone(), source.text.clone())
}
