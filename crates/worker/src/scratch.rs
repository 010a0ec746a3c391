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
