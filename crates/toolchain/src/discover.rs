//! Looks for JDKs where users have them.
//!
//! Order: `JAVA_HOME`, programs on `PATH`, then the places package managers and installers use.
//! What a user set comes first, because that is the JDK builds are done with. `TESTHOUND_JDKS` names
//! folders of JDKs in place of those last ones.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::{Jdk, ToolchainError};

/// A place that was looked at for a JDK, and why it would not do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Looked {
    /// The place.
    pub home: PathBuf,
    /// Why it would not do.
    pub reason: String,
}

impl fmt::Display for Looked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.home.display(), self.reason)
    }
}

/// All Java installations found, each once, in the order in which [`select`] prefers them.
pub fn discover() -> Vec<Jdk> {
    candidates(&Environment::of_process()).iter().filter_map(|home| Jdk::at(home).ok()).collect()
}

/// The JDK to use: the one named, or else the first one found that has a compiler and is of
/// version `minimum` or later.
pub fn select(explicit: Option<&Path>, minimum: u32) -> Result<Jdk, ToolchainError> {
    match explicit {
        Some(home) => Jdk::at(home).and_then(|jdk| suitable(jdk, minimum)),
        None => select_from(&candidates(&Environment::of_process()), minimum),
    }
}

/// `JAVA_HOME`, if it is set and [`select`] passes over it, with the reason.
pub fn unsuitable_java_home(minimum: u32) -> Option<Looked> {
    unsuitable(Environment::of_process().java_home?.into(), minimum)
}

fn unsuitable(home: PathBuf, minimum: u32) -> Option<Looked> {
    let error = Jdk::at(&home).and_then(|jdk| suitable(jdk, minimum)).err()?;
    Some(Looked { home, reason: error.to_string() })
}

fn select_from(candidates: &[PathBuf], minimum: u32) -> Result<Jdk, ToolchainError> {
    let mut looked = Vec::new();
    for home in candidates {
        match Jdk::at(home).and_then(|jdk| suitable(jdk, minimum)) {
            Ok(jdk) => return Ok(jdk),
            Err(error) => looked.push(Looked { home: home.clone(), reason: error.to_string() }),
        }
    }
    Err(ToolchainError::NoJdk { minimum, looked })
}

fn suitable(jdk: Jdk, minimum: u32) -> Result<Jdk, ToolchainError> {
    if jdk.version.feature < minimum {
        return Err(ToolchainError::JdkTooOld {
            home: jdk.home,
            version: jdk.version.full,
            minimum,
        });
    }
    if !jdk.has_compiler {
        return Err(ToolchainError::NoCompiler { home: jdk.home });
    }
    Ok(jdk)
}

/// What of the process's environment tells where JDKs are.
struct Environment {
    java_home: Option<OsString>,
    path: OsString,
    home: Option<PathBuf>,
    /// Folders to look for JDKs in, instead of the usual ones.
    holders: Option<OsString>,
}

impl Environment {
    fn of_process() -> Self {
        Self {
            java_home: std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty()),
            path: std::env::var_os("PATH").unwrap_or_default(),
            home: std::env::home_dir(),
            holders: std::env::var_os("TESTHOUND_JDKS").filter(|holders| !holders.is_empty()),
        }
    }
}

/// Directories that should be JDKs, each once.
///
/// `JAVA_HOME` is listed whether or not it is one, so that a wrong setting is reported.
fn candidates(environment: &Environment) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = environment.java_home.iter().map(PathBuf::from).collect();
    for directory in std::env::split_paths(&environment.path) {
        for program in ["javac", "java"] {
            let program = directory.join(program).with_extension(std::env::consts::EXE_EXTENSION);
            found.extend(program.canonicalize().ok().and_then(|program| home_of(&program)));
        }
    }
    let in_holders = |holders: Vec<PathBuf>| {
        holders.into_iter().flat_map(|h| children(&h, |_| true)).filter_map(with_release)
    };
    match &environment.holders {
        Some(holders) => found.extend(in_holders(std::env::split_paths(holders).collect())),
        None => {
            found.extend(in_holders(usual_holders(environment.home.as_deref())));
            let named = |name: &str| name.starts_with("java") || name.starts_with("jdk");
            let unpacked = children(Path::new("/opt"), named);
            found.extend(unpacked.into_iter().filter_map(with_release));
        }
    }
    let mut seen = HashSet::new();
    found.retain(|home| seen.insert(home.canonicalize().unwrap_or_else(|_| home.clone())));
    found
}

/// Folders that package managers and installers put JDKs into.
fn usual_holders(home: Option<&Path>) -> Vec<PathBuf> {
    let personal = [".sdkman/candidates/java", ".jdks", ".local/share/mise/installs/java"];
    let shared = ["/usr/lib/jvm", "/usr/java", "/Library/Java/JavaVirtualMachines"];
    home.into_iter()
        .flat_map(|home| personal.map(|holder| home.join(holder)))
        .chain(shared.iter().map(PathBuf::from))
        .collect()
}

/// The JDK that a program without symbolic links belongs to: `HOME/bin/java`, of Java 8 also
/// `HOME/jre/bin/java`.
fn home_of(program: &Path) -> Option<PathBuf> {
    let home = program.parent()?.parent()?;
    let around =
        home.parent().filter(|_| home.ends_with("jre")).and_then(|up| with_release(up.into()));
    around.or_else(|| with_release(home.to_owned()))
}

/// The directory itself, or what macOS wraps inside, if it has a `release` file.
fn with_release(directory: PathBuf) -> Option<PathBuf> {
    let inner = directory.join("Contents/Home");
    [directory, inner].into_iter().find(|home| home.join("release").is_file())
}

/// Entries of a directory, sorted with the highest name first; none if it cannot be listed.
fn children(directory: &Path, named: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut children: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_str().is_some_and(&named))
        .map(|entry| entry.path())
        .collect();
    children.sort_by(|one, other| other.cmp(one));
    children
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A directory that looks like a JDK.
    fn fake_jdk(home: &Path, version: &str, compiler: bool) {
        fs::create_dir_all(home.join("lib/server")).expect("a directory");
        fs::create_dir_all(home.join("bin")).expect("a directory");
        fs::write(home.join("release"), format!("JAVA_VERSION=\"{version}\"\n")).expect("a file");
        fs::write(home.join("lib/server/libjvm.so"), "").expect("a file");
        fs::write(home.join("bin/java"), "").expect("a file");
        if compiler {
            fs::write(home.join("bin/javac"), "").expect("a file");
        }
    }

    /// Selects among fake JDKs of these versions; `true` means with a compiler.
    fn check(jdks: &[(&str, bool)], expected: Result<&str, &[&str]>) {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let homes: Vec<PathBuf> = jdks
            .iter()
            .enumerate()
            .map(|(index, (version, compiler))| {
                let home = directory.path().join(index.to_string());
                fake_jdk(&home, version, *compiler);
                home
            })
            .collect();
        match (select_from(&homes, 17), expected) {
            (Ok(jdk), Ok(version)) => assert_eq!(jdk.version.full, version),
            (Err(error), Err(parts)) => {
                let message = error.to_string();
                parts.iter().for_each(|part| assert!(message.contains(part), "{message}"));
            }
            (outcome, expected) => panic!("{outcome:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn a_java_home_that_is_passed_over_is_told_with_the_reason() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let [good, old, nowhere] = ["good", "old", "nowhere"].map(|n| directory.path().join(n));
        fake_jdk(&good, "17.0.1", true);
        fake_jdk(&old, "11.0.2", true);
        assert_eq!(unsuitable(good, 17), None);
        for home in [old, nowhere] {
            let looked = unsuitable(home.clone(), 17).expect("it will not do");
            assert_eq!(looked.home, home);
            assert!(!looked.reason.is_empty());
        }
    }

    #[test]
    fn the_first_suitable_jdk_is_selected() {
        check(&[("11.0.2", true), ("17.0.1", true), ("25", true)], Ok("17.0.1"));
        check(&[("21", false), ("17", true)], Ok("17"));
    }

    #[test]
    fn the_error_tells_what_was_looked_at_and_what_to_do() {
        let expected = ["no JDK 17 or later", "set JAVA_HOME", "version 11", "it is a JRE"];
        check(&[("11.0.2", true), ("21", false)], Err(&expected));
        check(&[], Err(&["JAVA_HOME, PATH and the usual directories"]));
    }

    #[test]
    fn java_home_comes_before_path_and_links_are_one_jdk() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let root = directory.path().canonicalize().expect("it exists");
        let (first, second) = (root.join("first"), root.join("second"));
        fake_jdk(&first, "21", true);
        fake_jdk(&second, "17", true);
        std::os::unix::fs::symlink(&first, root.join("link")).expect("a link");
        let environment = Environment {
            java_home: Some(root.join("link").into()),
            path: std::env::join_paths([second.join("bin"), first.join("bin")]).expect("a path"),
            home: None,
            holders: None,
        };
        let found = candidates(&environment);
        assert_eq!(found[..2], [root.join("link"), second]);
        assert!(!found.contains(&first), "{found:?}");
    }

    #[test]
    fn named_folders_are_looked_into_in_place_of_the_usual_ones() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let root = directory.path().canonicalize().expect("it exists");
        let [here, there] = ["here", "there"].map(|holder| root.join(holder).join("some"));
        fake_jdk(&here, "21", true);
        fake_jdk(&there, "17", true);
        let in_folders = |holders: &[PathBuf]| {
            let holders = Some(std::env::join_paths(holders).expect("a path"));
            let (java_home, path, home) = (None, OsString::new(), None);
            candidates(&Environment { java_home, path, home, holders })
        };
        let [first, second] = [root.join("here"), root.join("there")];
        assert_eq!(in_folders(&[second, first]), [there, here]);
        assert!(in_folders(&[]).is_empty());
    }

    #[test]
    fn a_jdk_of_this_machine_is_found() {
        let jdk = select(None, 17).expect("tests need a JDK 17 or later");
        assert!(jdk.has_compiler && jdk.libjvm.is_file() && jdk.program("java").is_file());
        assert!(discover().contains(&jdk));
        assert_eq!(select(Some(&jdk.home), 17).expect("the same"), jdk);
        let error = select(Some(&jdk.home), 99).expect_err("too old").to_string();
        assert!(error.contains("but 99 or later is needed"), "{error}");
    }
}
