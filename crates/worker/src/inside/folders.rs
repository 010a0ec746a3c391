//! The folders code under test may write to: emptied when a test case has touched files.
//!
//! What one test case leaves in them the next would find: a test found after that holds nowhere
//! else.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::setup::Setup;

/// Working directory, temporary directory and home.
#[derive(Debug)]
pub(crate) struct Folders {
    working: PathBuf,
    others: [PathBuf; 2],
}

impl Folders {
    /// Those of a worker.
    pub(crate) fn of(setup: &Setup) -> Self {
        let others = ["tmp", "home"].map(|name| setup.scratch.join(name));
        Self { working: setup.working_directory(), others }
    }

    /// Makes them empty, whatever became of them; the process is in its working directory after.
    pub(crate) fn renew(&self) -> io::Result<()> {
        for folder in self.others.iter().chain([&self.working]) {
            match fs::symlink_metadata(folder) {
                Ok(data) if data.is_dir() => empty(folder)?,
                Ok(_) => {
                    fs::remove_file(folder)?;
                    fs::create_dir_all(folder)?;
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    fs::create_dir_all(folder)?;
                }
                Err(error) => return Err(error),
            }
        }
        // It may be another folder of the same name by now.
        std::env::set_current_dir(&self.working)
    }
}

/// Deletes what is in a folder; links are deleted, not followed.
fn empty(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if fs::symlink_metadata(&path)?.is_dir() {
            fs::remove_dir_all(&path)?;
        } else {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_empty_again_whatever_became_of_them() {
        let scratch = tempfile::tempdir().expect("a folder");
        let outside = scratch.path().join("outside");
        fs::create_dir(&outside).expect("a folder");
        fs::write(outside.join("kept"), "").expect("a file");
        let [tmp, home, working] = ["tmp", "home", "cwd"].map(|name| scratch.path().join(name));
        fs::create_dir_all(tmp.join("deep/er")).expect("a folder");
        fs::write(tmp.join("file"), "").expect("a file");
        std::os::unix::fs::symlink(&outside, tmp.join("link")).expect("a link");
        fs::write(&home, "a file where a folder was").expect("a file");
        let folders = Folders { working: working.clone(), others: [tmp.clone(), home.clone()] };
        folders.renew().expect("renewed");
        for folder in [&tmp, &home, &working] {
            let count = fs::read_dir(folder).expect("a folder").count();
            assert_eq!(count, 0, "{}", folder.display());
        }
        assert!(outside.join("kept").exists());
    }
}
