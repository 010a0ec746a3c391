//! What a worker is started with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use classpath::{JdkError, JdkImage, World};
use serde::{Deserialize, Serialize};

use crate::checked::CheckedClasses;
use crate::environment::{Environment, Places};
use crate::inside::own_folder;
use crate::monitor::UnknownNative;

/// The code under test and the JDK it runs on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Subject {
    /// Home of the JDK.
    pub jdk_home: PathBuf,
    /// Its `libjvm.so`.
    pub libjvm: PathBuf,
    /// Its feature version.
    pub feature: u32,
    /// Classes and jars to write tests for.
    pub project: Vec<PathBuf>,
    /// What those need.
    pub dependencies: Vec<PathBuf>,
    /// The release whose language and API tests may use; `None` for the JDK's own.
    pub release: Option<u16>,
    /// What is known of the JDK's methods, if that was studied.
    pub summaries: Option<PathBuf>,
    /// Native methods of the JDK whose calls are taken for effects: see [`crate::MonitorSurvey`].
    pub unknown_natives: Vec<UnknownNative>,
    /// The project's classes with their contracts checked, if they have any: what searches run.
    pub checked: Option<CheckedClasses>,
}

impl Subject {
    /// The whole class path, in order.
    pub fn class_path(&self) -> String {
        joined(self.entries())
    }

    /// The part of it that is under test.
    pub(crate) fn project_path(&self) -> String {
        joined(self.project.iter())
    }

    /// The classes there are, as tests may use them.
    pub fn world(&self) -> Result<World, JdkError> {
        let jdk = Arc::new(JdkImage::open(&self.jdk_home)?);
        let world = World::new(&self.project, &self.dependencies, jdk);
        Ok(match self.release {
            Some(release) => world.as_of(release),
            None => world,
        })
    }

    /// Its entries.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &PathBuf> {
        self.project.iter().chain(&self.dependencies)
    }

    /// The entries that a search has: classes with checks stand before those without.
    pub(crate) fn searched_entries(&self) -> impl Iterator<Item = &PathBuf> {
        self.checked.iter().map(|checked| &checked.folder).chain(self.entries())
    }
}

fn joined<'p>(entries: impl Iterator<Item = &'p PathBuf>) -> String {
    let paths: Vec<_> = entries.map(|path| path.display().to_string()).collect();
    paths.join(":")
}

/// Has Java read the clocks that `jvm` puts in the place of the real one.
const OTHER_CLOCK: [&str; 2] = ["-XX:+UnlockDiagnosticVMOptions", jvm::CLOCK_OPTION];

/// What a worker is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Role {
    /// Searches tests for one class.
    Search,
    /// Compiles emitted tests.
    Compiler,
    /// Runs emitted tests.
    Runner(Environment),
    /// Runs the tests of a project, as they are and on mutants.
    Mutation,
}

impl Role {
    /// The environment of its process.
    pub(crate) fn environment(self) -> Environment {
        match self {
            Self::Search | Self::Compiler | Self::Mutation => Environment::Usual,
            Self::Runner(environment) => environment,
        }
    }
}

/// How a worker is started.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Setup {
    pub(crate) role: Role,
    pub(crate) subject: Subject,
    /// The worker's own folder: the only place it can write to.
    pub(crate) scratch: PathBuf,
    pub(crate) sandbox: bool,
    /// Where the process stands, if that is not one of its own folders; it cannot write there.
    pub(crate) working: Option<PathBuf>,
    /// Further arguments for the JVM, such as `-Xcheck:jni`.
    pub(crate) jvm_args: Vec<String>,
}

/// Room for the probes of a class and those it contains.
pub(crate) const MAP_SIZE: u32 = 1 << 18;
/// Room for the probes of all classes that are mutated.
pub(crate) const MUTATION_MAP_SIZE: u32 = 1 << 23;
/// Comparisons that can be told apart.
pub(crate) const MAX_COMPARISONS: u32 = 1 << 16;

impl Setup {
    /// Where the black box is.
    pub(crate) fn blackbox(scratch: &Path) -> PathBuf {
        scratch.join("blackbox")
    }

    /// Another path to the JDK, where the environment is a changed one.
    pub(crate) fn other_jdk_home(&self) -> PathBuf {
        self.scratch.join("jdk")
    }

    /// What a runner has for a class path of its own: nothing.
    pub(crate) fn no_classes(&self) -> PathBuf {
        self.scratch.join("no-classes")
    }

    /// The folders code under test finds.
    pub(crate) fn places(&self) -> Places {
        self.role.environment().places(&self.scratch)
    }

    /// How the JVM is started.
    pub(crate) fn jvm_options(&self) -> jvm::Options {
        jvm::Options {
            libjvm: self.subject.libjvm.clone(),
            args: self.jvm_arguments(),
            unknown_natives: self.subject.unknown_natives.iter().map(Into::into).collect(),
        }
    }

    fn map_size(&self) -> u32 {
        if self.role == Role::Mutation { MUTATION_MAP_SIZE } else { MAP_SIZE }
    }

    /// The arguments of the JVM.
    fn jvm_arguments(&self) -> Vec<String> {
        let scratch = self.scratch.display();
        let mut args = vec![
            "-XX:+UseSerialGC".to_owned(),
            "-XX:-UsePerfData".to_owned(),
            "-Xrs".to_owned(),
            "-XX:-CreateCoredumpOnCrash".to_owned(),
            "-XX:+DisableAttachMechanism".to_owned(),
            format!("-XX:ErrorFile={scratch}/crash.log"),
            format!("-Dtesthound.map={}", self.map_size()),
            format!("-Dtesthound.comparisons={MAX_COMPARISONS}"),
        ];
        if self.subject.feature >= 22 {
            // Our own natives; the JDK would print a warning for each.
            args.push("--enable-native-access=ALL-UNNAMED".to_owned());
        }
        match self.role {
            Role::Compiler => args.extend([
                "-Xmx1g".to_owned(),
                "-XX:TieredStopAtLevel=1".to_owned(),
                "-Djava.awt.headless=true".to_owned(),
                format!("-Djava.io.tmpdir={}", self.places().temporary.display()),
            ]),
            Role::Search => {
                let class_path = joined(self.subject.searched_entries());
                args.push(format!("-Djava.class.path={class_path}"));
                args.push(format!("-Dtesthound.folder={}", own_folder::PATH));
                // C1 compiles soon and leaves safepoints in counted loops.
                args.push("-XX:TieredStopAtLevel=1".to_owned());
                args.push("-XX:-OmitStackTraceInFastThrow".to_owned());
                args.extend(OTHER_CLOCK.map(String::from));
                args.extend(Environment::Usual.jvm_arguments(&self.scratch));
            }
            Role::Mutation => {
                let places = self.places();
                // Tests have a class loader of their own.
                args.push(format!("-Djava.class.path={}", self.no_classes().display()));
                args.push(format!("-Djava.io.tmpdir={}", places.temporary.display()));
                args.push(format!("-Duser.home={}", places.home.display()));
                if let Some(working) = &self.working {
                    args.push(format!("-Dbasedir={}", working.display()));
                }
                // As build tools run tests. What is compiled for a mutant is thrown away with it, so
                // the compiler that is done soon is the faster one.
                args.extend(
                    ["-ea", "-Xmx1g", "-Djava.awt.headless=true", "-XX:TieredStopAtLevel=1"]
                        .map(String::from),
                );
            }
            Role::Runner(environment) => {
                // Without one, the working folder would be it, and the JDK would look there for
                // services; tests have a class loader of their own.
                args.push(format!("-Djava.class.path={}", self.no_classes().display()));
                args.push("-XX:TieredStopAtLevel=1".to_owned());
                args.extend(OTHER_CLOCK.map(String::from));
                args.extend(environment.jvm_arguments(&self.scratch));
            }
        }
        args.extend(self.jvm_args.iter().cloned());
        args
    }
}
