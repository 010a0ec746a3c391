//! A Maven build, compiled and described by Maven itself.
//!
//! One run does all: compiles classes and tests, lists the dependencies of each module and writes
//! the effective POMs. What Maven writes goes to a temporary directory, so that nothing but the
//! usual build output appears in the project.

use std::fs;
use std::path::{Path, PathBuf};

use crate::effective_pom::{self, EffectivePom};
use crate::{Dependency, JUnitOnPath, Maven, ToolchainError, class_version, dependency, junit};

/// Fixed versions, which run on Maven 3.2.5 and later, so that their output is known.
const LIST: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:list";
pub(crate) const EFFECTIVE_POM: &str =
    "org.apache.maven.plugins:maven-help-plugin:3.4.0:effective-pom";

/// A compiled Maven build: one project, or the modules of a reactor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MavenBuild {
    /// Where the build is.
    pub directory: PathBuf,
    /// The modules that have compiled classes, in the order in which Maven builds them.
    pub projects: Vec<MavenProject>,
}

/// A project, or one module of a build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MavenProject {
    /// Group id.
    pub group: String,
    /// Artifact id, by which modules are picked.
    pub artifact: String,
    /// The directory of its POM.
    pub directory: PathBuf,
    /// Where its classes are.
    pub output_directory: PathBuf,
    /// Where its compiled tests are.
    pub test_output_directory: PathBuf,
    /// Where its sources are.
    pub source_directory: PathBuf,
    /// Where its test sources are, or would be.
    pub test_source_directory: PathBuf,
    /// The Java release its classes were compiled for.
    pub release: u16,
    /// Everything it depends on, in class path order.
    pub dependencies: Vec<Dependency>,
    /// The version of Surefire that runs its tests.
    pub surefire: Option<String>,
}

impl MavenBuild {
    /// Compiles the build in `directory` and asks Maven about it.
    pub fn read(maven: &Maven, directory: &Path) -> Result<Self, ToolchainError> {
        let directory = directory.canonicalize().map_err(ToolchainError::io("find", directory))?;
        if !directory.join("pom.xml").is_file() {
            return Err(ToolchainError::NoPom { directory });
        }
        let answers = tempfile::Builder::new()
            .prefix("testhound-maven-")
            .tempdir()
            .map_err(ToolchainError::io("create a directory in", std::env::temp_dir()))?;
        let answer = |name: &str| answers.path().join(name).to_string_lossy().into_owned();
        let properties = [
            ("skipTests", "true"),
            ("outputAbsoluteArtifactFilename", "true"),
            ("outputFile", &answer("${project.groupId}+${project.artifactId}")),
            ("output", &answer("effective-pom.xml")),
        ];
        maven.run(&directory, &["test-compile", LIST, EFFECTIVE_POM], &properties)?;
        let mut projects = Vec::new();
        let poms = read_answer(&answers.path().join("effective-pom.xml"), effective_pom::parse)?;
        for pom in poms.into_iter().filter(|pom| pom.packaging != "pom") {
            // A module without classes is nothing to test.
            let Some(release) = class_version::release_of(&pom.output_directory)? else {
                continue;
            };
            let list = answers.path().join(format!("{}+{}", pom.group, pom.artifact));
            let dependencies = read_answer(&list, dependency::parse_list)?;
            projects.push(MavenProject::new(pom, release, dependencies));
        }
        if projects.is_empty() {
            return Err(ToolchainError::NoClasses { directory });
        }
        Ok(Self { directory, projects })
    }

    /// The module of this artifact id or directory, relative to the build.
    pub fn project(&self, wanted: &str) -> Result<&MavenProject, ToolchainError> {
        let directory = self.directory.join(wanted);
        self.projects
            .iter()
            .find(|project| project.artifact == wanted || project.directory == directory)
            .ok_or_else(|| ToolchainError::NoSuchModule {
                wanted: wanted.to_owned(),
                modules: self.projects.iter().map(|project| project.artifact.clone()).collect(),
            })
    }
}

impl MavenProject {
    fn new(pom: EffectivePom, release: u16, dependencies: Vec<Dependency>) -> Self {
        Self {
            group: pom.group,
            artifact: pom.artifact,
            directory: pom.directory,
            output_directory: pom.output_directory,
            test_output_directory: pom.test_output_directory,
            source_directory: pom.source_directory,
            test_source_directory: pom.test_source_directory,
            release,
            dependencies,
            surefire: pom.surefire,
        }
    }

    /// What its program runs with: its classes, then its dependencies.
    pub fn runtime_class_path(&self) -> Vec<PathBuf> {
        let needed = self.dependencies.iter().filter(|dependency| dependency.scope.is_runtime());
        let files = needed.map(|dependency| dependency.file.clone());
        std::iter::once(self.output_directory.clone()).chain(files).collect()
    }

    /// What its tests run with: its tests, its classes, all dependencies.
    pub fn test_class_path(&self) -> Vec<PathBuf> {
        let own = [self.test_output_directory.clone(), self.output_directory.clone()];
        let files = self.dependencies.iter().map(|dependency| dependency.file.clone());
        own.into_iter().chain(files).collect()
    }

    /// The JUnit to write its tests for; an error says what the POM lacks.
    pub fn junit(&self) -> Result<JUnitOnPath, ToolchainError> {
        junit::on_path(&self.artifact, &self.dependencies, self.surefire.as_deref())
    }
}

pub(crate) fn read_answer<T>(
    file: &Path,
    parse: impl FnOnce(&str) -> Result<T, String>,
) -> Result<T, ToolchainError> {
    let text = fs::read_to_string(file).map_err(ToolchainError::io("read", file))?;
    parse(&text).map_err(|reason| ToolchainError::MavenOutput { file: file.to_owned(), reason })
}
