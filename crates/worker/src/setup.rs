//! What a worker is started with, and the environments code under test meets.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

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
}

impl Subject {
    /// The whole class path, in order.
    pub fn class_path(&self) -> String {
        let entries = self.project.iter().chain(&self.dependencies);
        let paths: Vec<_> = entries.map(|p| p.display().to_string()).collect();
        paths.join(":")
    }
}

/// What a worker is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Role {
    /// Searches tests for one class.
    Search,
    /// Compiles emitted tests.
    Compiler,
    /// Runs emitted tests.
    Runner(Environment),
}

/// The environment a test meets. A test must pass in both: what holds only in one of them depends
/// on the machine and not on the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Environment {
    /// The one tests are found in.
    Usual,
    /// Other time zone, locale, charset, folders, user, variables, hash codes, clock, heap, cores;
    /// members that no source has, as coverage agents add them.
    Changed,
}

/// How a worker is started.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Setup {
    pub(crate) role: Role,
    pub(crate) subject: Subject,
    /// The worker's own folder: the only place it can write to.
    pub(crate) scratch: PathBuf,
    pub(crate) sandbox: bool,
    /// Further arguments for the JVM, such as `-Xcheck:jni`.
    pub(crate) jvm_args: Vec<String>,
}

/// Room for the probes of a class and those it contains.
pub(crate) const MAP_SIZE: u32 = 1 << 18;

/// How far ahead the changed environment's clock is: some fifteen years, so that decades differ, and
/// to an hour at which the date in its time zone is another than in UTC.
pub(crate) fn clock_shift_millis(now_millis: i64) -> i64 {
    const DAY: i64 = 24 * 3600 * 1000;
    let night = (3 * 60 + 17) * 60_000;
    let days = now_millis.div_euclid(DAY) + 15 * 365 + 41;
    days * DAY + night - now_millis
}

impl Setup {
    /// Where the black box is.
    pub(crate) fn blackbox(scratch: &Path) -> PathBuf {
        scratch.join("blackbox")
    }

    /// The folder code under test finds itself in.
    pub(crate) fn working_directory(&self) -> PathBuf {
        match self.role {
            Role::Runner(Environment::Changed) => self.scratch.join("other").join("place"),
            _ => self.scratch.join("cwd"),
        }
    }

    /// The arguments of the JVM.
    pub(crate) fn jvm_arguments(&self) -> Vec<String> {
        let scratch = self.scratch.display();
        let mut args = vec![
            "-XX:+UseSerialGC".to_owned(),
            "-XX:-UsePerfData".to_owned(),
            "-Xrs".to_owned(),
            "-XX:-CreateCoredumpOnCrash".to_owned(),
            "-XX:+DisableAttachMechanism".to_owned(),
            format!("-XX:ErrorFile={scratch}/crash.log"),
            "-Djava.awt.headless=true".to_owned(),
            format!("-Dtesthound.map={MAP_SIZE}"),
        ];
        if self.subject.feature >= 22 {
            // Our own natives; the JDK would print a warning for each.
            args.push("--enable-native-access=ALL-UNNAMED".to_owned());
        }
        match self.role {
            Role::Compiler => args.extend([
                "-Xmx1g".to_owned(),
                "-XX:TieredStopAtLevel=1".to_owned(),
                format!("-Djava.io.tmpdir={scratch}/tmp"),
            ]),
            Role::Search => {
                args.push(format!("-Djava.class.path={}", self.subject.class_path()));
                // C1 compiles soon and leaves safepoints in counted loops.
                args.push("-XX:TieredStopAtLevel=1".to_owned());
                args.push("-XX:-OmitStackTraceInFastThrow".to_owned());
                args.extend(["-XX:+UnlockDiagnosticVMOptions", jvm::CLOCK_OPTION].map(String::from));
                args.extend(self.environment(Environment::Usual));
            }
            Role::Runner(environment) => {
                args.push("-XX:TieredStopAtLevel=1".to_owned());
                args.extend(self.environment(environment));
            }
        }
        args.extend(self.jvm_args.iter().cloned());
        args
    }

    fn environment(&self, environment: Environment) -> Vec<String> {
        let scratch = self.scratch.display();
        let (settings, home): (&[&str], &str) = match environment {
            Environment::Usual => (
                &[
                    "-Duser.timezone=Asia/Tokyo",
                    "-Duser.language=en",
                    "-Duser.country=US",
                    "-Dfile.encoding=UTF-8",
                    "-Duser.name=tester",
                    "-Xmx512m",
                    "-ea",
                ],
                "home",
            ),
            Environment::Changed => (
                &[
                    "-Duser.timezone=America/Anchorage",
                    "-Duser.language=tr",
                    "-Duser.country=TR",
                    "-Dfile.encoding=ISO-8859-1",
                    "-Duser.name=somebody",
                    "-Xmx384m",
                    "-ea",
                    "-XX:ActiveProcessorCount=1",
                    "-XX:+UnlockExperimentalVMOptions",
                    "-XX:hashCode=3",
                    "-XX:+UnlockDiagnosticVMOptions",
                    jvm::CLOCK_OPTION,
                ],
                "another-home",
            ),
        };
        let mut args: Vec<String> = settings.iter().map(|s| (*s).to_owned()).collect();
        args.push(format!("-Duser.home={scratch}/{home}"));
        args.push(format!("-Djava.io.tmpdir={scratch}/tmp"));
        args
    }

    /// The variables of the process, which are all it gets.
    pub(crate) fn variables(role: Role, scratch: &Path) -> Vec<(String, String)> {
        let pairs: &[(&str, &str)] = match role {
            Role::Runner(Environment::Changed) => {
                &[("LANG", "tr_TR.ISO-8859-9"), ("USER", "somebody"), ("EDITOR", "ed")]
            }
            _ => &[("LANG", "C.UTF-8"), ("USER", "tester")],
        };
        let mut variables: Vec<(String, String)> =
            pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        variables.push(("HOME".to_owned(), scratch.join("home").display().to_string()));
        variables
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shifted_clock_shows_the_small_hours_of_a_day_in_another_decade() {
        const DAY: i64 = 24 * 3600 * 1000;
        for now in [0, 1, DAY - 1, 1_763_000_000_000] {
            let then = now + clock_shift_millis(now);
            assert_eq!(then.rem_euclid(DAY), (3 * 60 + 17) * 60_000);
            assert!(then - now > 15 * 365 * DAY);
        }
    }
}
