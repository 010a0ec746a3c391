//! Resolves coordinates to jars, through Maven.
//!
//! Maven is asked by a temporary project that depends on the coordinates, so that the user's
//! settings (mirrors, credentials, proxies, local repository) apply as in any build.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use crate::cache::Cache;
use crate::{Maven, ToolchainError};

const BUILD_CLASSPATH: &str =
    "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath";

/// Whether what a library depends on is wanted too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transitive {
    /// With everything it depends on.
    Yes,
    /// The named jars alone.
    No,
}

/// The jars of libraries given as `group:artifact:version`, downloaded where needed.
///
/// Answers are remembered in the user's cache directory while the jars exist.
pub fn resolve(
    maven: &Maven,
    coordinates: &[&str],
    transitive: Transitive,
) -> Result<Vec<PathBuf>, ToolchainError> {
    resolve_with(maven, coordinates, transitive, Cache::of_user().as_ref())
}

pub(crate) fn resolve_with(
    maven: &Maven,
    coordinates: &[&str],
    transitive: Transitive,
    cache: Option<&Cache>,
) -> Result<Vec<PathBuf>, ToolchainError> {
    let pom = pom(coordinates, transitive)?;
    let question = format!("{transitive:?} {}", coordinates.join(" "));
    if let Some(files) = cache.and_then(|cache| cache.get(&question)) {
        return Ok(files);
    }
    let project = tempfile::Builder::new()
        .prefix("testhound-resolve-")
        .tempdir()
        .map_err(ToolchainError::io("create a directory in", std::env::temp_dir()))?;
    let pom_file = project.path().join("pom.xml");
    let answer = project.path().join("classpath");
    fs::write(&pom_file, pom).map_err(ToolchainError::io("write", &pom_file))?;
    let properties = [("mdep.outputFile", &*answer.to_string_lossy())];
    maven.run(project.path(), &[BUILD_CLASSPATH], &properties)?;
    let text = fs::read_to_string(&answer).map_err(ToolchainError::io("read", &answer))?;
    let files: Vec<PathBuf> =
        std::env::split_paths(text.trim()).filter(|path| !path.as_os_str().is_empty()).collect();
    if let Some(cache) = cache {
        // Documented in `cache`: without an entry the next question only takes longer.
        let _ = cache.put(&question, &files);
    }
    Ok(files)
}

fn pom(coordinates: &[&str], transitive: Transitive) -> Result<String, ToolchainError> {
    let exclusions = match transitive {
        Transitive::Yes => "",
        Transitive::No => {
            "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId>\
             </exclusion></exclusions>"
        }
    };
    let mut dependencies = String::new();
    for coordinates in coordinates {
        let parts: Vec<&str> = coordinates.split(':').collect();
        // These characters are all that Maven allows, and none needs escaping.
        let allowed = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
        let well_formed = |part: &&str| !part.is_empty() && part.chars().all(allowed);
        let [group, artifact, version] = parts[..] else {
            return Err(ToolchainError::BadCoordinates { coordinates: (*coordinates).to_owned() });
        };
        if !parts.iter().all(well_formed) {
            return Err(ToolchainError::BadCoordinates { coordinates: (*coordinates).to_owned() });
        }
        write!(
            dependencies,
            "<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>\
             <version>{version}</version>{exclusions}</dependency>"
        )
        .expect("a string takes everything");
    }
    Ok(format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\
         <groupId>testhound</groupId><artifactId>resolve</artifactId><version>1</version>\
         <packaging>pom</packaging><dependencies>{dependencies}</dependencies></project>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_have_three_plain_parts() {
        let check = |coordinates: &str, well_formed: bool| {
            assert_eq!(pom(&[coordinates], Transitive::No).is_ok(), well_formed, "{coordinates}");
        };
        check("org.junit.jupiter:junit-jupiter-api:5.11.4", true);
        check("org.junit.jupiter:junit-jupiter-api", false);
        check("g:a:", false);
        check("g:a:</version>", false);
    }

    #[test]
    fn maven_resolves_with_and_without_what_a_library_needs() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let cache = Cache::at(directory.path());
        let maven = Maven::find(None).expect("tests need Maven");
        let check = |transitive: Transitive, expected: &[&str]| {
            let files = resolve_with(&maven, &["junit:junit:4.13.2"], transitive, Some(&cache))
                .expect("resolved");
            let names: Vec<&str> =
                files.iter().filter_map(|file| file.file_name()?.to_str()).collect();
            assert_eq!(names, expected);
            assert!(files.iter().all(|file| file.is_file()), "{files:?}");
        };
        check(Transitive::Yes, &["junit-4.13.2.jar", "hamcrest-core-1.3.jar"]);
        check(Transitive::No, &["junit-4.13.2.jar"]);
        // Remembered: a Maven that does not exist is not missed.
        let absent = Maven::at("/no/such/mvn");
        let question = ["junit:junit:4.13.2"];
        let files = resolve_with(&absent, &question, Transitive::Yes, Some(&cache));
        assert_eq!(files.expect("remembered").len(), 2);
        let error = resolve_with(&absent, &question, Transitive::Yes, None).expect_err("no Maven");
        assert_eq!(error.to_string(), "cannot run `/no/such/mvn`");
    }

    #[test]
    fn what_does_not_exist_is_an_error_in_the_words_of_maven() {
        let maven = Maven::find(None).expect("tests need Maven");
        let absent = "org.example.testhound:absent:1.2.3";
        let error = resolve_with(&maven, &[absent], Transitive::Yes, None).expect_err("absent");
        let message = error.to_string();
        assert!(message.contains("org.example.testhound:absent:jar:1.2.3"), "{message}");
        assert!(!message.contains("offline mode"), "{message}");
    }
}
