//! The real jars of JUnit and Mockito, from Maven Central, kept in the target folder from run to run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const POM: &str = r#"<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>testhound</groupId>
  <artifactId>junit-jars</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter-api</artifactId>
      <version>5.13.4</version>
    </dependency>
    <dependency>
      <groupId>junit</groupId>
      <artifactId>junit</artifactId>
      <version>4.13.2</version>
    </dependency>
    <dependency>
      <groupId>org.mockito</groupId>
      <artifactId>mockito-junit-jupiter</artifactId>
      <version>4.11.0</version>
    </dependency>
  </dependencies>
</project>
"#;

/// The class path of JUnit 5's API, of JUnit 4 and of Mockito, each with what it needs.
pub fn class_path() -> String {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let folder = target.join("junit-5.13.4-4.13.2-mockito-4.11.0");
        if !folder.is_dir() {
            resolve(target, &folder);
        }
        folder
    });
    let jars = fs::read_dir(folder).expect("the folder just resolved");
    let jars: Vec<PathBuf> = jars.map(|jar| jar.expect("a readable folder").path()).collect();
    assert_eq!(jars.len(), 11, "two JUnits, Mockito and what they need: {jars:?}");
    let joined = std::env::join_paths(jars).expect("no path separator in the target folder");
    joined.into_string().expect("the target folder has a name in UTF-8")
}

/// Resolves into a folder beside the wanted one, then renames it, so that it is whole or absent.
fn resolve(target: &Path, folder: &Path) {
    let work = tempfile::tempdir_in(target).expect("a folder in the target folder");
    fs::write(work.path().join("pom.xml"), POM).expect("a pom");
    let output = Command::new("mvn")
        .current_dir(work.path())
        .args(["-q", "-B", "-DoutputDirectory=jars"])
        .arg("org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies")
        .output()
        .expect("mvn runs");
    assert!(output.status.success(), "mvn: {}", String::from_utf8_lossy(&output.stdout));
    if let Err(error) = fs::rename(work.path().join("jars"), folder) {
        assert!(folder.is_dir(), "neither we nor another run could put the jars there: {error}");
    }
}
