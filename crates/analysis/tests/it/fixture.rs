//! JDKs, compiled fixtures and libraries to test with.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::{env, fs};

use classpath::JdkImage;
use tempfile::TempDir;

/// The homes of all JDKs at hand: `JAVA_HOME`, `java` on the path, and where Linux keeps them.
pub fn jdk_homes() -> Vec<PathBuf> {
    let on_path = env::var_os("PATH").into_iter().flat_map(|path| {
        env::split_paths(&path).map(|directory| directory.join("java")).collect::<Vec<_>>()
    });
    let home_of = |java: PathBuf| Some(java.canonicalize().ok()?.parent()?.parent()?.to_owned());
    let installed = fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten();
    let mut homes: Vec<PathBuf> = env::var_os("JAVA_HOME")
        .map(PathBuf::from)
        .into_iter()
        .chain(on_path.filter_map(home_of))
        .chain(installed.map(|entry| entry.path()))
        .filter(|home| home.join("lib/modules").is_file() && home.join("bin/javac").is_file())
        .filter_map(|home| home.canonicalize().ok())
        .collect();
    homes.sort();
    homes.dedup();
    assert!(!homes.is_empty(), "these tests need a JDK: set JAVA_HOME");
    homes
}

/// All JDKs at hand, opened.
pub fn jdks() -> Vec<Arc<JdkImage>> {
    jdk_homes().iter().map(|home| Arc::new(JdkImage::open(home).unwrap())).collect()
}

/// Any JDK.
pub fn jdk() -> Arc<JdkImage> {
    Arc::new(JdkImage::open(&jdk_homes()[0]).unwrap())
}

/// Compiles a source file, given as its name and text, to a directory of classes.
pub fn compile(jdk: &JdkImage, options: &[&str], file: &str, text: &str) -> TempDir {
    let (sources, classes) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = sources.path().join(file);
    fs::write(&path, text).unwrap();
    let to = [OsStr::new("-d"), classes.path().as_os_str(), path.as_os_str()];
    let output = Command::new(jdk.home().join("bin/javac"))
        // The compiler is done before the JVM's best optimizer pays.
        .arg("-J-XX:TieredStopAtLevel=1")
        .args(options)
        .args(to)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    classes
}

/// A library from Maven Central, by `group:artifact:version`.
pub fn library(coordinates: &str) -> PathBuf {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libraries");
    let parts: Vec<&str> = coordinates.split(':').collect();
    let jar = directory.join(format!("{}-{}.jar", parts[1], parts[2]));
    if !jar.is_file() {
        fs::create_dir_all(&directory).unwrap();
        let fresh = tempfile::tempdir_in(&directory).unwrap();
        let status = Command::new("mvn")
            .args(["-q", "-B", "dependency:copy"])
            .arg(format!("-Dartifact={coordinates}"))
            .arg(format!("-DoutputDirectory={}", fresh.path().display()))
            .current_dir(fresh.path())
            .status()
            .unwrap();
        assert!(status.success(), "mvn dependency:copy of {coordinates} failed");
        fs::rename(fresh.path().join(jar.file_name().unwrap()), &jar).unwrap();
    }
    jar
}
