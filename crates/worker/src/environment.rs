//! The environments code under test meets: what is usual, and what is changed where tests are run
//! for the second time.
//!
//! A test that holds in one of them only depends on the machine and not on the code. So the changed
//! one is unlike the first in every respect that machines differ in and that a process can be told.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The environment a test meets; it must pass in both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Environment {
    /// The one tests are found in.
    Usual,
    /// Other time zone, locale, charset, folders, user, variables, system properties, hash codes,
    /// clock, heap, cores, path to the classes; members that no source has, as coverage agents add
    /// them.
    Changed,
}

/// The folders code under test may write to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Places {
    /// Where the process stands.
    pub(crate) working: PathBuf,
    /// For temporary files.
    pub(crate) temporary: PathBuf,
    /// The user's.
    pub(crate) home: PathBuf,
}

impl Environment {
    /// The folders, below a worker's own.
    pub(crate) fn places(self, scratch: &Path) -> Places {
        let [working, temporary, home] = match self {
            Self::Usual => ["cwd", "tmp", "home"],
            Self::Changed => ["some/other/place", "var/passing", "people/of/the/house/root"],
        }
        .map(|place| scratch.join(place));
        Places { working, temporary, home }
    }

    /// The arguments of the JVM.
    pub(crate) fn jvm_arguments(self, scratch: &Path) -> Vec<String> {
        let settings: &[&str] = match self {
            Self::Usual => &[
                "-Duser.timezone=Asia/Tokyo",
                "-Duser.language=en",
                // As where `LANG` is `C`.
                "-Duser.country=",
                "-Dfile.encoding=UTF-8",
                "-Duser.name=tester",
                "-Djava.awt.headless=true",
                "-Xmx512m",
                "-ea",
            ],
            Self::Changed => &[
                "-Duser.timezone=America/St_Johns",
                // Case as in Turkish, other digits and signs, another name for the dollar; years as in
                // Thailand, weeks as in Germany.
                "-Duser.language=az",
                "-Duser.country=AZ",
                "-Duser.extensions=u-ca-buddhist-nu-arab-rg-dezzzz",
                "-Dfile.encoding=ISO-8859-1",
                "-Duser.name=root",
                "-Djava.awt.headless=false",
                // Not used, only allowed.
                "-Xmx4g",
                "-ea",
                "-XX:ActiveProcessorCount=1",
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:hashCode=3",
                "-Dbasedir=/srv/build/checkout",
                "-Ddebug=true",
                "-Denvironment=integration",
                "-Dhttp.nonProxyHosts=localhost",
                "-Dhttp.proxyHost=proxy.example.org",
                "-Dhttp.proxyPort=3128",
                "-Dlog.level=FINE",
                "-Dmaven.home=/opt/maven",
                "-Dspring.profiles.active=other",
                "-Dsurefire.real.class.path=/srv/build/surefire.jar",
                "-Dtest=true",
            ],
        };
        let places = self.places(scratch);
        let mut args: Vec<String> = settings.iter().map(|s| (*s).to_owned()).collect();
        args.push(format!("-Duser.home={}", places.home.display()));
        args.push(format!("-Djava.io.tmpdir={}", places.temporary.display()));
        args
    }

    /// System properties that the JVM sets itself, whatever its arguments say, with the values they
    /// are given once it is up: the next release of the JDK, by somebody else, elsewhere on another
    /// system, and started otherwise. `home` is another path to the JDK, for code that reads files there.
    pub(crate) fn properties(self, feature: u32, home: &Path) -> Vec<(&'static str, String)> {
        let next = feature + 1;
        match self {
            Self::Usual => Vec::new(),
            Self::Changed => vec![
                ("java.home", home.display().to_string()),
                ("java.library.path", "/opt/java/lib:/usr/java/packages/lib".to_owned()),
                ("java.specification.version", next.to_string()),
                ("java.vm.specification.version", next.to_string()),
                ("java.class.version", format!("{}.0", 44 + next)),
                ("sun.java.command", "org.example.build.Booter /srv/build 17".to_owned()),
                ("sun.java.launcher", "SUN_STANDARD".to_owned()),
                ("java.version", format!("{next}.0.97")),
                ("java.version.date", "2031-01-21".to_owned()),
                ("java.runtime.version", format!("{next}.0.97+13-other")),
                ("java.runtime.name", "Another Runtime Environment".to_owned()),
                ("java.vm.version", format!("{next}.0.97+13-other")),
                ("java.vm.name", "Another 64-Bit VM".to_owned()),
                ("java.vm.vendor", "Somebody Else".to_owned()),
                ("java.vm.info", "interpreted mode".to_owned()),
                ("java.vendor", "Somebody Else".to_owned()),
                ("java.vendor.url", "https://example.org/".to_owned()),
                ("java.vendor.url.bug", "https://example.org/bugs".to_owned()),
                ("java.vendor.version", "Else-97".to_owned()),
                ("os.version", "99.7.3-other".to_owned()),
            ],
        }
    }

    /// The variables of the process, which are all it gets.
    pub(crate) fn variables(self, scratch: &Path) -> Vec<(String, String)> {
        let pairs: &[(&str, &str)] = match self {
            Self::Usual => &[("LANG", "C.UTF-8"), ("USER", "tester")],
            Self::Changed => &[
                ("BUILD_NUMBER", "4711"),
                ("CI", "true"),
                ("COLORTERM", "truecolor"),
                ("COLUMNS", "211"),
                ("COMPUTERNAME", "OTHERHOST"),
                ("DEBUG", "1"),
                ("EDITOR", "ed"),
                ("ENV", "integration"),
                ("HOSTNAME", "otherhost.example.org"),
                ("JAVA_HOME", "/opt/java/current"),
                ("LANG", "tr_TR.ISO-8859-9"),
                ("LC_ALL", "tr_TR.ISO-8859-9"),
                ("LINES", "57"),
                ("LOGNAME", "root"),
                ("M2_HOME", "/opt/maven"),
                ("MAIL", "/var/mail/root"),
                ("MAVEN_OPTS", "-Xmx3g"),
                ("NO_PROXY", "localhost"),
                ("PAGER", "more"),
                ("PATH", "/opt/java/current/bin:/usr/local/bin:/usr/bin:/bin"),
                ("SHELL", "/bin/zsh"),
                ("SHLVL", "3"),
                ("TERM", "xterm-256color"),
                ("TZ", "America/St_Johns"),
                ("USER", "root"),
                ("USERNAME", "root"),
                ("XDG_SESSION_TYPE", "tty"),
            ],
        };
        let mut variables: Vec<(String, String)> =
            pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let places = self.places(scratch);
        variables.push(("HOME".to_owned(), places.home.display().to_string()));
        if self == Self::Changed {
            variables.push(("PWD".to_owned(), places.working.display().to_string()));
            variables.push(("TMPDIR".to_owned(), places.temporary.display().to_string()));
        }
        variables
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(pairs: &[(String, String)]) -> Vec<&str> {
        pairs.iter().map(|(name, _)| name.as_str()).collect()
    }

    #[test]
    fn no_variable_has_the_same_value_in_both() {
        let scratch = Path::new("/scratch");
        let usual = Environment::Usual.variables(scratch);
        let changed = Environment::Changed.variables(scratch);
        for pair in &usual {
            assert!(!changed.contains(pair), "{pair:?}");
            assert!(names(&changed).contains(&pair.0.as_str()), "{pair:?}");
        }
        for name in ["PATH", "JAVA_HOME", "TERM", "HOSTNAME", "COMPUTERNAME"] {
            assert!(names(&changed).contains(&name) && !names(&usual).contains(&name), "{name}");
        }
        assert!(changed.len() >= usual.len() + 20);
    }

    #[test]
    fn no_folder_has_the_same_name_or_depth_in_both() {
        let scratch = Path::new("/scratch");
        let places = |environment: Environment| {
            let places = environment.places(scratch);
            [places.working, places.temporary, places.home]
        };
        for (usual, changed) in places(Environment::Usual).iter().zip(places(Environment::Changed))
        {
            assert_ne!(usual.file_name(), changed.file_name());
            assert_ne!(usual.components().count(), changed.components().count());
            assert!(changed.starts_with(scratch));
        }
    }
}
