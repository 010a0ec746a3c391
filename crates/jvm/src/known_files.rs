//! The files that are the same in every run, so that looking at them tells nothing.
//!
//! Code that looks before it acts (`Files.delete` does) acts only where there is something to be
//! found. So looking is an effect by itself, except at what is there wherever the code runs: the JDK,
//! the class path, and a few files of the system that the JDK reads on its own account. Class loaders
//! look through the same native methods as everybody else.
//!
//! Invariant: a relative path is never known, nor is one that leaves a known folder by `..`.

use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

/// What the JDK itself reads, whatever it is asked for: files only, and none that anybody changes.
const OF_THE_SYSTEM: [&str; 2] = [
    // Seeds of `SecureRandom`, hence of `UUID.randomUUID` and of temporary names.
    "/dev/random",
    "/dev/urandom",
];

struct Known {
    /// Its home, and what links in it lead to: distributors keep settings elsewhere.
    jdk: Vec<String>,
    class_path: Vec<String>,
}

static KNOWN: RwLock<Known> = RwLock::new(Known { jdk: Vec::new(), class_path: Vec::new() });

/// Says what is on the class path of the code that runs next: folders and jars, and whatever a
/// class loader looks for because a manifest names it.
pub fn set_known_class_path(entries: &[PathBuf]) {
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.class_path.clear();
    for entry in entries {
        for path in spellings(entry) {
            if !known.class_path.contains(&path) {
                known.class_path.push(path);
            }
        }
    }
}

pub(crate) fn set_jdk_home(home: &str) {
    let mut jdk = spellings(Path::new(home));
    for folder in ["conf", "lib"] {
        add_linked(&Path::new(home).join(folder), &mut jdk);
    }
    KNOWN.write().unwrap_or_else(PoisonError::into_inner).jdk = jdk;
}

/// Whether looking at this path tells nothing.
pub(crate) fn is_known(path: &str) -> bool {
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    OF_THE_SYSTEM.contains(&path)
        || known.jdk.iter().chain(&known.class_path).any(|folder| is_at_or_below(path, folder))
}

/// Adds what links in the folder and below lead to. What cannot be read stays unknown.
fn add_linked(folder: &Path, known: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => add_linked(&entry.path(), known),
            Ok(kind) if kind.is_symlink() => {
                let targets = entry.path().canonicalize().into_iter();
                let texts = targets.map(|target| target.to_string_lossy().into_owned());
                known.extend(texts.filter(|target| target != "/"));
            }
            _ => {}
        }
    }
}

/// As class loaders may name an entry: made absolute, and with its links resolved. An entry that is
/// the root of the file system would make everything known.
pub(crate) fn spellings(entry: &Path) -> Vec<String> {
    [std::path::absolute(entry), entry.canonicalize()]
        .into_iter()
        .flatten()
        .filter(|path| path.parent().is_some())
        .map(|path| path.to_string_lossy().trim_end_matches('/').to_owned())
        .collect()
}

pub(crate) fn is_at_or_below(path: &str, folder: &str) -> bool {
    !folder.is_empty()
        && path.strip_prefix(folder).is_some_and(|rest| {
            rest.is_empty() || (rest.starts_with('/') && !rest.split('/').any(|name| name == ".."))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, folder: &str, is_below: bool) {
        assert_eq!(is_at_or_below(path, folder), is_below, "{path} in {folder}");
    }

    #[test]
    fn a_folder_holds_what_is_below_it_and_does_not_leave_it() {
        check("/a/b", "/a/b", true);
        check("/a/b/c/d", "/a/b", true);
        check("/a/b/", "/a/b", true);
        check("/a/bc", "/a/b", false);
        check("/a", "/a/b", false);
        check("/a/b/../c", "/a/b", false);
        check("/a/b/..", "/a/b", false);
        check("/a/b/..c", "/a/b", true);
        check("a/b", "/a/b", false);
        check("/a", "", false);
    }

    #[test]
    fn a_jdk_whose_settings_are_elsewhere_is_known_with_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let real = folder.path().canonicalize().expect("a folder");
        let (conf, elsewhere) = (real.join("conf/security"), real.join("elsewhere"));
        std::fs::create_dir_all(&conf).expect("a folder");
        std::fs::write(&elsewhere, "").expect("a file");
        std::os::unix::fs::symlink(&elsewhere, conf.join("policy")).expect("a link");
        std::os::unix::fs::symlink(real.join("missing"), conf.join("broken")).expect("a link");
        let mut known = Vec::new();
        add_linked(&real, &mut known);
        assert_eq!(known, [elsewhere.display().to_string()]);
    }

    #[test]
    fn an_entry_is_known_by_each_of_its_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let real = folder.path().canonicalize().expect("a folder").join("classes");
        std::fs::create_dir(&real).expect("a folder");
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&real, &link).expect("a link");
        let names = spellings(&link);
        let text = |path: &Path| path.display().to_string();
        assert_eq!(names, [text(&link), text(&real)]);
        assert_eq!(spellings(Path::new("/")), [] as [String; 0]);
        assert_eq!(spellings(Path::new("/missing/jar/")), ["/missing/jar"]);
    }
}
