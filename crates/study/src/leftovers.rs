//! What a run left behind in a folder: files that are new, changed or gone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::StudyError;

/// The files and folders below a folder as they were at one time.
#[derive(Debug)]
pub(crate) struct Snapshot {
    root: PathBuf,
    except: PathBuf,
    entries: BTreeMap<PathBuf, Trace>,
}

/// By what a change is seen: times are of files only, since a folder's changes with what is in it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Trace {
    size: u64,
    modified: Option<SystemTime>,
}

impl Snapshot {
    /// Looks at everything below `root` but not below `except`.
    pub(crate) fn take(root: &Path, except: &Path) -> Result<Self, StudyError> {
        let mut entries = BTreeMap::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            let listed = std::fs::read_dir(&folder).map_err(StudyError::io("read", &folder))?;
            for entry in listed {
                let path = entry.map_err(StudyError::io("read", &folder))?.path();
                if path == except {
                    continue;
                }
                // A link is what it is, not what it leads to.
                let data =
                    std::fs::symlink_metadata(&path).map_err(StudyError::io("look at", &path))?;
                let trace = if data.is_dir() {
                    folders.push(path.clone());
                    Trace { size: 0, modified: None }
                } else {
                    Trace { size: data.len(), modified: data.modified().ok() }
                };
                entries.insert(path, trace);
            }
        }
        Ok(Self { root: root.to_owned(), except: except.to_owned(), entries })
    }

    /// What is different now, a line each.
    pub(crate) fn differences(&self) -> Result<Vec<String>, StudyError> {
        let now = Self::take(&self.root, &self.except)?;
        let shown =
            |path: &PathBuf| path.strip_prefix(&self.root).unwrap_or(path).display().to_string();
        let mut found = Vec::new();
        for (path, trace) in &now.entries {
            match self.entries.get(path) {
                None => found.push(format!("{} is new", shown(path))),
                Some(before) if before != trace => found.push(format!("{} changed", shown(path))),
                Some(_) => {}
            }
        }
        let gone = self.entries.keys().filter(|path| !now.entries.contains_key(*path));
        found.extend(gone.map(|path| format!("{} is gone", shown(path))));
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn new_changed_and_missing_files_are_told_and_the_exception_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        for made in ["target", "work"] {
            fs::create_dir(root.join(made)).expect("a folder");
        }
        for file in ["kept", "changed", "gone"] {
            fs::write(root.join(file), file).expect("a file");
        }
        let before = Snapshot::take(root, &root.join("target")).expect("readable");
        assert_eq!(before.differences().expect("readable"), Vec::<String>::new());
        fs::write(root.join("target/class"), "").expect("a file");
        fs::write(root.join("work/new"), "").expect("a file");
        fs::write(root.join("changed"), "longer than before").expect("a file");
        fs::remove_file(root.join("gone")).expect("removed");
        let found = before.differences().expect("readable");
        assert_eq!(found, ["changed changed", "work/new is new", "gone is gone"]);
    }
}
