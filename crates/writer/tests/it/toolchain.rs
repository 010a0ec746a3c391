//! JDKs, javac and libraries to test with.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::{env, fs};

use classpath::JdkImage;
use writer::Source;

/// The homes of all JDKs at hand: `JAVA_HOME`, `java` on the path, and where Linux keeps them.
fn jdk_homes() -> Vec<PathBuf> {
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

/// All JDKs at hand, the oldest first.
pub fn jdks() -> Vec<Arc<JdkImage>> {
    let mut jdks: Vec<_> =
        jdk_homes().iter().map(|home| Arc::new(JdkImage::open(home).unwrap())).collect();
    jdks.sort_by_key(|jdk| jdk.feature());
    jdks
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
