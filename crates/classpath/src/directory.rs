//! A directory of class files: which classes lie below it.

use std::collections::VecDeque;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustc_hash::FxHashSet;

use crate::jar::class_of_path;
use crate::{Diagnostic, Reason};

/// The internal names of the classes below `root`, sorted, and what could not be looked at.
///
/// Symbolic links are followed, after what is really there, and each directory is entered once:
/// links in circles come to an end.
pub(crate) fn classes_below(root: &Path) -> (Vec<String>, Vec<Diagnostic>) {
    let mut names = Vec::new();
    let mut diagnostics = Vec::new();
    let mut entered = FxHashSet::default();
    let mut pending = VecDeque::from([(root.to_owned(), String::new())]);
    while let Some((directory, prefix)) = pending.pop_front() {
        let listing = fs::metadata(&directory)
            .map(|data| entered.insert((data.dev(), data.ino())))
            .and_then(|fresh| if fresh { fs::read_dir(&directory).map(Some) } else { Ok(None) });
        let listing = match listing {
            Ok(Some(listing)) => listing,
            Ok(None) => continue,
            Err(error) => {
                diagnostics.push(Diagnostic::file(&directory, error));
                continue;
            }
        };
        for child in listing {
            let found = child.and_then(|child| Ok((child.path(), child.file_type()?)));
            let (path, kind) = match found {
                Ok(found) => found,
                Err(error) => {
                    diagnostics.push(Diagnostic::file(&directory, error));
                    continue;
                }
            };
            let is_directory = kind.is_dir() || (kind.is_symlink() && path.is_dir());
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                if is_directory || path.extension().is_some_and(|e| e == "class") {
                    diagnostics.push(Diagnostic::file(&path, Reason::Name));
                }
                continue;
            };
            let relative = format!("{prefix}{name}");
            if kind.is_symlink() && is_directory {
                pending.push_back((path, relative + "/"));
            } else if is_directory {
                pending.push_front((path, relative + "/"));
            } else if let Some(class) = class_of_path(&relative) {
                names.push(class.to_owned());
            }
        }
    }
    names.sort_unstable();
    (names, diagnostics)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_in_circles_come_to_an_end_and_real_places_win() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path();
        fs::create_dir_all(root.join("p/q")).unwrap();
        fs::write(root.join("p/q/A.class"), b"").unwrap();
        fs::write(root.join("p/notes.txt"), b"").unwrap();
        symlink(root, root.join("a")).unwrap();
        symlink(root.join("p"), root.join("b")).unwrap();
        let (names, diagnostics) = classes_below(root);
        assert_eq!(names, ["p/q/A"]);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
    }

    #[test]
    fn a_directory_that_is_gone_is_told() {
        let (names, diagnostics) = classes_below(Path::new("/no/such/place"));
        assert!(names.is_empty());
        assert_eq!(diagnostics.len(), 1);
    }
}
