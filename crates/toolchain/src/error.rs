//! What can be missing or go wrong, and what to do about it.

use std::io;
use std::path::PathBuf;

use crate::discover::Looked;

/// What can be missing or go wrong, each with what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum ToolchainError {
    /// A directory is not a JDK.
    #[error("`{}` is not a JDK: {reason}", home.display())]
    NotAJdk {
        /// The directory.
        home: PathBuf,
        /// What is missing from it.
        reason: String,
    },
    /// The JDK asked for is too old.
    #[error("the JDK in `{}` is version {version}, but {minimum} or later is needed", home.display())]
    JdkTooOld {
        /// Its directory.
        home: PathBuf,
        /// Its version.
        version: String,
        /// The version needed.
        minimum: u32,
    },
    /// The JDK asked for has no compiler.
    #[error(
        "the Java in `{}` has no compiler (neither bin/javac nor lib/ct.sym): it is a JRE; \
         install the JDK package of the same version", home.display()
    )]
    NoCompiler {
        /// Its directory.
        home: PathBuf,
    },
    /// No suitable JDK on the machine.
    #[error(
        "no JDK {minimum} or later found; install one and set JAVA_HOME, or name it with `--jdk`; \
         looked at: {}",
        looked_at(looked)
    )]
    NoJdk {
        /// The version needed.
        minimum: u32,
        /// What was looked at and why it would not do.
        looked: Vec<Looked>,
    },
    /// No Maven on the machine.
    #[error("no Maven found: neither `mvnw` in the project nor `mvn` on PATH")]
    NoMaven,
    /// A directory without a POM.
    #[error("`{}` has no pom.xml, and no build.gradle either", directory.display())]
    NoPom {
        /// The directory.
        directory: PathBuf,
    },
    /// A Gradle build without classes.
    #[error(
        "the Gradle build in `{}` has no compiled classes in build/classes: run `./gradlew \
         testClasses` there first, because Testhound does not run Gradle; the jars that its classes \
         need are named with --dependencies", directory.display()
    )]
    GradleNotBuilt {
        /// The directory.
        directory: PathBuf,
    },
    /// Maven ran and failed.
    #[error("`{command}` failed in `{}`:\n{message}", directory.display())]
    MavenFailed {
        /// The command, shortened to its goals.
        command: String,
        /// Where it ran.
        directory: PathBuf,
        /// Maven's own words.
        message: String,
    },
    /// Maven wrote something unexpected.
    #[error("cannot read Maven's output in `{}`: {reason}", file.display())]
    MavenOutput {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A build without a module that has classes.
    #[error("the build in `{}` has no module with compiled classes", directory.display())]
    NoClasses {
        /// Where the build is.
        directory: PathBuf,
    },
    /// The module asked for is not in the build.
    #[error("no module `{wanted}` in the build; it has: {}", modules.join(", "))]
    NoSuchModule {
        /// The name asked for.
        wanted: String,
        /// The names there are.
        modules: Vec<String>,
    },
    /// The project has no JUnit.
    #[error(
        "project `{project}` has no JUnit on its test class path; add this to the \
         <dependencies> of its pom.xml:\n{snippet}"
    )]
    NoJUnit {
        /// The project.
        project: String,
        /// The dependency to add.
        snippet: String,
    },
    /// The project's Surefire does not run JUnit 5.
    #[error(
        "project `{project}` has JUnit {junit} but Surefire {surefire}, which does not run it \
         (2.22 does); add this to the <build><plugins> of its pom.xml:\n{snippet}"
    )]
    SurefireTooOld {
        /// The project.
        project: String,
        /// The version of JUnit.
        junit: String,
        /// The version of Surefire.
        surefire: String,
        /// The plugin to add.
        snippet: String,
    },
    /// The JUnit jars are nowhere.
    #[error(
        "no jars of JUnit {version} found (looked in {looked}); \
         name them with `--junit-jars`, or install Maven so that they can be downloaded"
    )]
    NoJUnitJars {
        /// 4 or 5.
        version: u8,
        /// Where they were looked for.
        looked: String,
        /// Why they could not be downloaded.
        source: Box<ToolchainError>,
    },
    /// Tests cannot be run.
    #[error(
        "no console launcher of JUnit {version} found (looked in the local Maven repository, and \
         asked Maven to download it)"
    )]
    NoJUnitConsole {
        /// Its version.
        version: String,
        /// Why it could not be downloaded.
        source: Box<ToolchainError>,
    },
    /// JUnit wrote something unexpected.
    #[error("cannot read JUnit's report in `{}`: {reason}", file.display())]
    JUnitOutput {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A jar that the user named lacks what it was named for.
    #[error("the given JUnit jars have no class `{class}`: add the jar that holds it")]
    IncompleteJUnitJars {
        /// A class that tests need.
        class: &'static str,
    },
    /// A file that should be a jar is none.
    #[error("`{}` is not a jar: {reason}", file.display())]
    NotAJar {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Not `group:artifact:version`.
    #[error("`{coordinates}` is not of the form group:artifact:version")]
    BadCoordinates {
        /// As given.
        coordinates: String,
    },
    /// A file could not be read or written, a program not started.
    #[error("cannot {action} `{}`", path.display())]
    Io {
        /// A verb.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl ToolchainError {
    /// A failed action on a file, for `map_err`.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }
}

fn looked_at(looked: &[Looked]) -> String {
    if looked.is_empty() {
        return "JAVA_HOME, PATH and the usual directories, which have none".to_owned();
    }
    let lines: Vec<String> = looked.iter().map(|looked| format!("\n  {looked}")).collect();
    lines.concat()
}
