//! The folders code under test may write to: made anew when a test case has touched files.
//!
//! What one test case leaves in them the next would find: a test found after that holds nowhere
//! else. They are not empty: a user's folders are not either, and code that deletes what it finds
//! must find something to be seen deleting.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::setup::Setup;

/// Working directory, temporary directory and homes.
#[derive(Debug)]
pub(crate) struct Folders {
    working: PathBuf,
    others: Vec<PathBuf>,
}

/// What is in each of them: a file, and a folder with a file.
const FILE: (&str, &str) = ("notes.txt", "some notes, worth keeping\n");
const FOLDER: &str = "letters";
const FILE_IN_FOLDER: (&str, &str) = ("letter.txt", "a letter, worth keeping\n");

impl Folders {
    /// Those of a worker.
    pub(crate) fn of(setup: &Setup) -> Self {
        let places = setup.places();
        Self { working: places.working, others: vec![places.temporary, places.home] }
    }

    fn all(&self) -> impl Iterator<Item = &PathBuf> {
        self.others.iter().chain([&self.working])
    }

    /// Makes them anew, whatever became of them; the process is in its working directory after.
    pub(crate) fn renew(&self) -> io::Result<()> {
        for folder in self.all() {
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
            fill(folder)?;
        }
        // It may be another folder of the same name by now.
        std::env::set_current_dir(&self.working)
    }

    /// Whether nothing in them was added, changed or taken away.
    pub(crate) fn are_as_made(&self) -> bool {
        self.all().all(|folder| is_as_filled(folder).unwrap_or(false))
    }
}

fn fill(folder: &Path) -> io::Result<()> {
    fs::write(folder.join(FILE.0), FILE.1)?;
    let inner = folder.join(FOLDER);
    fs::create_dir(&inner)?;
    fs::write(inner.join(FILE_IN_FOLDER.0), FILE_IN_FOLDER.1)
}

/// Fails if something is missing.
fn is_as_filled(folder: &Path) -> io::Result<bool> {
    let inner = folder.join(FOLDER);
    Ok(fs::read_dir(folder)?.count() == 2
        && fs::read_dir(&inner)?.count() == 1
        && fs::read(folder.join(FILE.0))? == FILE.1.as_bytes()
        && fs::read(inner.join(FILE_IN_FOLDER.0))? == FILE_IN_FOLDER.1.as_bytes())
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
    fn folders_are_as_before_whatever_became_of_them() {
        let scratch = tempfile::tempdir().expect("a folder");
        let outside = scratch.path().join("outside");
        fs::create_dir(&outside).expect("a folder");
        fs::write(outside.join("kept"), "").expect("a file");
        let [tmp, home, working] = ["tmp", "home", "cwd"].map(|name| scratch.path().join(name));
        fs::create_dir_all(tmp.join("deep/er")).expect("a folder");
        fs::write(tmp.join("file"), "").expect("a file");
        std::os::unix::fs::symlink(&outside, tmp.join("link")).expect("a link");
        fs::write(&home, "a file where a folder was").expect("a file");
        let folders = Folders { working: working.clone(), others: vec![tmp.clone(), home.clone()] };
        assert!(!folders.are_as_made());
        folders.renew().expect("renewed");
        for folder in [&tmp, &home, &working] {
            let count = fs::read_dir(folder).expect("a folder").count();
            assert_eq!(count, 2, "{}", folder.display());
        }
        assert!(outside.join("kept").exists());
        assert!(folders.are_as_made());
    }

    #[test]
    fn every_change_in_a_folder_is_seen() {
        let scratch = tempfile::tempdir().expect("a folder");
        let working = scratch.path().join("cwd");
        let folders = Folders { working: working.clone(), others: Vec::new() };
        let changes: [fn(&Path) -> io::Result<()>; 5] = [
            |folder| fs::remove_file(folder.join(FILE.0)),
            |folder| fs::write(folder.join(FILE.0), ""),
            |folder| fs::write(folder.join("new"), ""),
            |folder| fs::remove_file(folder.join(FOLDER).join(FILE_IN_FOLDER.0)),
            |folder| fs::remove_dir_all(folder),
        ];
        for change in changes {
            folders.renew().expect("renewed");
            assert!(folders.are_as_made());
            change(&working).expect("a change");
            assert!(!folders.are_as_made());
        }
    }
}
