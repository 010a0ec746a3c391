//! Finds JDKs on this machine: `JAVA_HOME`, then `PATH`, then the usual folder on Linux.
//!
//! Shared by the build script, which needs one compiler, and the tests, which run on every JDK
//! there is.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Where Linux distributions install JDKs, one folder each.
const INSTALLED: &str = "/usr/lib/jvm";

/// The compiler of the first JDK found.
pub fn javac() -> Result<PathBuf, String> {
    homes().first().map(|home| home.join("bin/javac")).ok_or_else(|| {
        format!(
            "no JDK found: set JAVA_HOME to a JDK of version 17 or later, or put its javac on \
             PATH (also looked below {INSTALLED})"
        )
    })
}

/// The home folders of all JDKs found, most wanted first, each once.
pub fn homes() -> Vec<PathBuf> {
    let mut homes = Vec::new();
    if let Some(home) = env::var_os("JAVA_HOME") {
        add(&mut homes, Path::new(&home));
    }
    for folder in env::split_paths(&env::var_os("PATH").unwrap_or_default()) {
        // Often a chain of links; the home is where they end.
        if let Ok(javac) = folder.join("javac").canonicalize()
            && let Some(home) = javac.parent().and_then(Path::parent)
        {
            add(&mut homes, home);
        }
    }
    let mut installed: Vec<PathBuf> = fs::read_dir(INSTALLED)
        .map(|entries| entries.filter_map(|entry| entry.ok().map(|e| e.path())).collect())
        .unwrap_or_default();
    installed.sort();
    for home in installed {
        add(&mut homes, &home);
    }
    homes
}

fn add(homes: &mut Vec<PathBuf>, home: &Path) {
    if let Ok(home) = home.canonicalize()
        && home.join("bin/javac").is_file()
        && is_17_or_later(&home)
        && !homes.contains(&home)
    {
        homes.push(home);
    }
}

/// Reads the `release` file that every JDK has in its home. One without is taken on trust.
fn is_17_or_later(home: &Path) -> bool {
    let Ok(release) = fs::read_to_string(home.join("release")) else {
        return true;
    };
    release
        .lines()
        .find_map(|line| line.strip_prefix("JAVA_VERSION="))
        .and_then(|version| version.trim_matches('"').split(['.', '-', '+']).next())
        .and_then(|major| major.parse::<u32>().ok())
        .is_none_or(|major| major >= 17)
}
