//! A Gradle build as it left its folders: Gradle itself is not run.
//!
//! Which folders hold what is Gradle's convention, which hardly any build changes; what a build
//! depends on is known to its scripts alone, so whoever has it built is asked for that.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{JUnitKind, ToolchainError, class_version};

/// The files that tell a folder of a Gradle build.
const BUILD_FILES: [&str; 4] =
    ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];
/// Where versions may be kept besides.
const CATALOG: &str = "gradle/libs.versions.toml";
/// How deep projects of a build lie in it.
const MAX_DEPTH: usize = 4;

/// A Gradle build that was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradleBuild {
    /// The projects that have compiled classes, by folder.
    pub projects: Vec<GradleProject>,
    /// The JUnit that its scripts speak of.
    pub junit: JUnitKind,
}

/// A project of a build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradleProject {
    /// Its folder.
    pub directory: PathBuf,
    /// Where its classes are, a folder for each language.
    pub classes: Vec<PathBuf>,
    /// Where its resources are, if it has any.
    pub resources: Option<PathBuf>,
}

impl GradleProject {
    /// Where its sources are.
    pub fn source_directory(&self) -> PathBuf {
        self.directory.join("src/main/java")
    }

    /// Where its test sources are, or would be.
    pub fn test_source_directory(&self) -> PathBuf {
        self.directory.join("src/test/java")
    }
}

impl GradleBuild {
    /// Whether a file is one that Gradle reads in a project.
    pub fn is_build_file(file: &Path) -> bool {
        BUILD_FILES.iter().any(|name| file.ends_with(name))
    }

    /// Whether the folder is one of a Gradle build.
    pub fn is_in(directory: &Path) -> bool {
        BUILD_FILES.iter().any(|name| directory.join(name).is_file())
    }

    /// Reads what is in the folders of a build.
    pub fn read(directory: &Path) -> Result<Self, ToolchainError> {
        let directory = directory.canonicalize().map_err(ToolchainError::io("find", directory))?;
        let mut folders = Vec::new();
        add_projects(&directory, 0, &mut folders)?;
        let mut projects = Vec::new();
        for folder in &folders {
            projects.extend(project(folder)?);
        }
        if projects.is_empty() {
            return Err(ToolchainError::GradleNotBuilt { directory });
        }
        let mut scripts = String::new();
        for folder in folders.iter().chain([&directory]) {
            for name in BUILD_FILES.into_iter().chain([CATALOG]) {
                let file = folder.join(name);
                if file.is_file() {
                    // Names of JUnit are ASCII, whatever the rest is encoded in.
                    let bytes = fs::read(&file).map_err(ToolchainError::io("read", &file))?;
                    scripts += &String::from_utf8_lossy(&bytes);
                }
            }
        }
        Ok(Self { projects, junit: junit_in(&scripts) })
    }
}

/// Adds the folder and those below it, as far as projects are there, sorted.
fn add_projects(
    directory: &Path,
    depth: usize,
    found: &mut Vec<PathBuf>,
) -> Result<(), ToolchainError> {
    found.push(directory.to_owned());
    if depth == MAX_DEPTH {
        return Ok(());
    }
    let mut below = Vec::new();
    for entry in fs::read_dir(directory).map_err(ToolchainError::io("list", directory))? {
        let entry = entry.map_err(ToolchainError::io("list", directory))?;
        let kind = entry.file_type().map_err(ToolchainError::io("read", entry.path()))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_other = name.starts_with('.') || ["build", "src", "buildSrc"].contains(&&*name);
        if kind.is_dir() && !is_other {
            below.push(entry.path());
        }
    }
    below.sort();
    below.iter().try_for_each(|folder| add_projects(folder, depth + 1, found))
}

/// The project of a folder, if it has classes.
fn project(directory: &Path) -> Result<Option<GradleProject>, ToolchainError> {
    let mut classes = Vec::new();
    for language in ["java", "kotlin", "groovy", "scala"] {
        let folder = directory.join("build/classes").join(language).join("main");
        if class_version::release_of(&folder)?.is_some() {
            classes.push(folder);
        }
    }
    let resources = Some(directory.join("build/resources/main")).filter(|folder| folder.is_dir());
    let directory = directory.to_owned();
    Ok((!classes.is_empty()).then_some(GradleProject { directory, classes, resources }))
}

/// The JUnit that scripts speak of; 5 if they speak of none.
fn junit_in(scripts: &str) -> JUnitKind {
    let has = |text: &str| scripts.contains(text);
    if !has("useJUnitPlatform") && !has("jupiter") && has("junit:junit") {
        JUnitKind::JUnit4
    } else {
        JUnitKind::Jupiter
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASS: &[u8] = &[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52];

    fn build(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary directory");
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("in the directory")).expect("a directory");
            fs::write(path, if file.ends_with(".class") { CLASS } else { b"" }).expect("a file");
        }
        folder
    }

    #[test]
    fn projects_are_the_folders_with_classes() {
        let folder = build(&[
            "settings.gradle",
            "app/build.gradle",
            "app/build/classes/java/main/a/A.class",
            "app/build/classes/kotlin/main/a/B.class",
            "app/build/classes/java/test/a/ATest.class",
            "app/build/resources/main/a.txt",
            "libs/core/build/classes/java/main/Core.class",
            "libs/empty/build/classes/java/main/readme.txt",
        ]);
        assert!(GradleBuild::is_in(folder.path()));
        let root = folder.path().canonicalize().expect("a directory");
        let found = GradleBuild::read(folder.path()).expect("a build").projects;
        let classes: Vec<_> = found.iter().flat_map(|project| &project.classes).collect();
        let of = |path: &str| root.join(path);
        let expected = [
            of("app/build/classes/java/main"),
            of("app/build/classes/kotlin/main"),
            of("libs/core/build/classes/java/main"),
        ];
        assert_eq!(classes, expected.iter().collect::<Vec<_>>());
        assert_eq!(found[0].resources, Some(of("app/build/resources/main")));
        assert_eq!(found[1].resources, None);
        assert_eq!(found[1].test_source_directory(), of("libs/core/src/test/java"));
    }

    #[test]
    fn a_build_without_classes_is_told_to_be_built() {
        let folder = build(&["build.gradle.kts", "src/main/java/A.java"]);
        let error = GradleBuild::read(folder.path()).expect_err("no classes").to_string();
        assert!(error.contains("`./gradlew testClasses`"), "{error}");
    }

    #[test]
    fn the_junit_is_the_one_that_scripts_speak_of() {
        assert_eq!(junit_in("testImplementation 'junit:junit:4.13.2'"), JUnitKind::JUnit4);
        let both = "testImplementation 'junit:junit:4.13.2'\ntest { useJUnitPlatform() }";
        assert_eq!(junit_in(both), JUnitKind::Jupiter);
        assert_eq!(junit_in(""), JUnitKind::Jupiter);
    }
}
