//! Folders that workers may write to, gone when the run ends.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The scratch folder of a run.
#[derive(Debug)]
pub struct Scratch {
    root: tempfile::TempDir,
    next: AtomicU32,
}

impl Scratch {
    /// Makes the folder, in the system's place for temporary files.
    pub fn new() -> io::Result<Self> {
        let root = tempfile::Builder::new().prefix("testhound-").tempdir()?;
        Ok(Self { root, next: AtomicU32::new(0) })
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        self.root.path()
    }

    /// A new folder in it.
    pub fn folder(&self, what: &str) -> io::Result<PathBuf> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let path = self.root.path().join(format!("{what}-{number}"));
        std::fs::create_dir(&path)?;
        Ok(path)
    }
}

/// A folder of the scratch folder, gone when this is dropped.
#[derive(Debug)]
pub(crate) struct Passing(PathBuf);

impl Scratch {
    /// A new folder for a while.
    pub(crate) fn passing(&self, what: &str) -> io::Result<Passing> {
        self.folder(what).map(Passing)
    }
}

impl Passing {
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        // What cannot be removed now goes with the scratch folder.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passing_folder_goes_with_all_that_is_in_it() {
        let scratch = Scratch::new().expect("a folder");
        let passing = scratch.passing("classes").expect("a folder");
        std::fs::write(passing.path().join("A.class"), "").expect("a file");
        drop(passing);
        assert_eq!(std::fs::read_dir(scratch.path()).expect("a folder").count(), 0);
    }
}
