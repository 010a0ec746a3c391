//! A JDK, recognized by its files.
//!
//! Running `java -version` would cost a JVM start for each candidate; the `release` file at the
//! root of every JDK since 7 says the same.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::ToolchainError;

/// A Java installation. That it has a compiler is the caller's to demand (see [`crate::select`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jdk {
    /// Its root directory, without symbolic links.
    pub home: PathBuf,
    /// Its version.
    pub version: JavaVersion,
    /// The JVM as a library.
    pub libjvm: PathBuf,
    /// Whether it has a compiler: a JRE has none.
    pub has_compiler: bool,
}

/// The version of a Java installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JavaVersion {
    /// The number people speak of: 8, 17, 25.
    pub feature: u32,
    /// In full, as `JAVA_VERSION` has it: `17.0.15`.
    pub full: String,
}

impl JavaVersion {
    /// Reads a version in the numbering of Java 9 (`17.0.15`) or the one before (`1.8.0_372`).
    pub fn parse(full: &str) -> Option<Self> {
        let mut numbers = full.split(['.', '_', '-', '+']).map(str::parse::<u32>);
        let feature = match numbers.next()?.ok()? {
            1 => numbers.next()?.ok()?,
            feature => feature,
        };
        Some(Self { feature, full: full.to_owned() })
    }
}

impl fmt::Display for JavaVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.full)
    }
}

impl Jdk {
    /// Reads the JDK or JRE whose root directory is `home`.
    pub fn at(home: &Path) -> Result<Self, ToolchainError> {
        let broken = |reason: String| ToolchainError::NotAJdk { home: home.to_owned(), reason };
        let home = home.canonicalize().map_err(|error| broken(error.to_string()))?;
        let release = home.join("release");
        let text = fs::read_to_string(&release)
            .map_err(|error| broken(format!("cannot read its `release` file: {error}; the folder that contains `bin/java` is wanted")))?;
        let full = property(&text, "JAVA_VERSION")
            .ok_or_else(|| broken("its `release` file has no JAVA_VERSION".to_owned()))?;
        let version = JavaVersion::parse(full)
            .ok_or_else(|| broken(format!("its version `{full}` is not understood")))?;
        let libjvm = libjvm(&home)
            .ok_or_else(|| broken("it has no JVM library (lib/server/libjvm.so)".to_owned()))?;
        let compiler = ["bin/javac", "bin/javac.exe", "lib/ct.sym"];
        let has_compiler = compiler.iter().any(|file| home.join(file).is_file());
        Ok(Self { home, version, libjvm, has_compiler })
    }

    /// A program of this JDK, such as `java` or `javac`.
    pub fn program(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(name).with_extension(std::env::consts::EXE_EXTENSION)
    }
}

/// The value of `name="value"`.
fn property<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines()
        .filter_map(|line| line.split_once('='))
        .find(|(key, _)| key.trim() == name)
        .map(|(_, value)| value.trim().trim_matches('"'))
}

fn libjvm(home: &Path) -> Option<PathBuf> {
    [
        "lib/server/libjvm.so",
        "lib/server/libjvm.dylib",
        "bin/server/jvm.dll",
        "jre/lib/amd64/server/libjvm.so",
        "jre/lib/aarch64/server/libjvm.so",
    ]
    .iter()
    .map(|file| home.join(file))
    .find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_version(full: &str, feature: Option<u32>) {
        assert_eq!(JavaVersion::parse(full).map(|version| version.feature), feature, "{full}");
    }

    #[test]
    fn both_numberings_of_java_are_read() {
        check_version("17.0.15", Some(17));
        check_version("25", Some(25));
        check_version("26-ea", Some(26));
        check_version("1.8.0_372", Some(8));
        check_version("", None);
        check_version("latest", None);
    }

    #[test]
    fn a_directory_without_release_file_is_no_jdk() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let error = Jdk::at(directory.path()).expect_err("no JDK").to_string();
        assert!(error.contains("is not a JDK: cannot read its `release` file"), "{error}");
        let error = Jdk::at(Path::new("/no/such/jdk")).expect_err("no JDK").to_string();
        assert!(error.contains("`/no/such/jdk` is not a JDK: No such file"), "{error}");
    }
}
