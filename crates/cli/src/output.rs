//! Writing test files: whole or not at all, and never over a user's file.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::unistd::{AccessFlags, access};

use crate::exit::Failure;

/// What names of files begin with that are being written.
const UNFINISHED: &str = ".testhound-";
/// A file that is being written is locked that soon.
const STILL_MAKING: Duration = Duration::from_secs(60);

/// The folder test files go to.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    root: PathBuf,
    force: bool,
    /// The topmost folder that is there for nothing but the tests.
    made: Option<PathBuf>,
}

impl Output {
    /// Opens the folder, making it if need be, and makes sure that it can be written to.
    pub(crate) fn open(root: &Path, force: bool) -> Result<Self, Failure> {
        let refuse = |error: std::io::Error| {
            Failure::cannot_write(format!(
                "the output folder `{}` cannot be written to ({error}); name another with --out",
                root.display()
            ))
        };
        if let Some(file) = root.ancestors().find(|folder| folder.is_file()) {
            let message = format!("the output folder cannot be `{}`: ", root.display());
            let why = if file == root {
                "it is a file; name a folder with --out".to_owned()
            } else {
                format!("`{}` is a file", file.display())
            };
            return Err(Failure::bad_input(message + &why));
        }
        let made = missing_ancestor(root);
        std::fs::create_dir_all(root).map_err(refuse)?;
        let probe = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(root);
        probe.and_then(|file| file.close()).map_err(refuse)?;
        // Nothing is left behind if the run ends without a test; a folder that is not empty any more
        // is somebody's.
        let output = Self { root: root.to_owned(), force, made };
        output.remove_empty(root);
        Ok(output)
    }

    /// Whether a file may be written. A link that leads nowhere is somebody's too.
    pub(crate) fn is_free(&self, path: &str) -> bool {
        self.force || !is_there(&self.root.join(path))
    }

    /// Says what is in the way of a file, before anything is done for it.
    pub(crate) fn check(&self, path: &str) -> Result<(), Failure> {
        let target = self.root.join(path);
        let refuse = |place: &Path, why: &str| {
            let message =
                format!("cannot write `{}`: `{}` {why}", target.display(), place.display());
            Err(Failure::cannot_write(message))
        };
        if self.force && target.is_dir() {
            return refuse(&target, "is a folder");
        }
        let Some(place) = target.ancestors().skip(1).find(|place| is_there(place)) else {
            return Ok(());
        };
        if !place.is_dir() {
            return refuse(place, "is no folder");
        }
        match access(place, AccessFlags::W_OK | AccessFlags::X_OK) {
            Ok(()) => Ok(()),
            Err(error) => refuse(place, &format!("may not be written to ({})", error.desc())),
        }
    }

    /// Writes a file: it is there as a whole, or as it was before.
    pub(crate) fn write(&self, path: &str, text: &str) -> Result<PathBuf, Failure> {
        let target = self.root.join(path);
        put(&target, text, self.force).map_err(|error| refuse(&target, &error))?;
        Ok(target)
    }

    /// Writes a file anew that [`Self::write`] wrote.
    pub(crate) fn replace(&self, written: &Path, text: &str) -> Result<(), Failure> {
        put(written, text, true).map_err(|error| refuse(written, &error))
    }

    /// Removes a file that [`Self::write`] wrote, and folders that hold nothing else.
    pub(crate) fn remove(&self, written: &Path) -> Result<(), Failure> {
        std::fs::remove_file(written).map_err(|error| refuse(written, &error))?;
        written.parent().into_iter().for_each(|folder| self.remove_empty(folder));
        Ok(())
    }

    /// Removes a folder if it is empty, and those around it; not the output folder, unless it was
    /// made for this run.
    fn remove_empty(&self, folder: &Path) {
        let is_ours = |folder: &Path| match &self.made {
            Some(made) => folder.starts_with(made),
            None => folder.starts_with(&self.root) && folder != self.root,
        };
        for folder in folder.ancestors().take_while(|folder| is_ours(folder)) {
            if std::fs::remove_dir(folder).is_err() {
                break;
            }
        }
    }
}

/// Whether there is anything at a path, be it a link that leads nowhere.
fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn refuse(target: &Path, error: &std::io::Error) -> Failure {
    Failure::cannot_write(format!("cannot write `{}`: {error}", target.display()))
}

/// Puts a whole file in its place, which is taken only if it may be overwritten.
fn put(target: &Path, text: &str, overwrite: bool) -> std::io::Result<()> {
    let folder = target.parent().unwrap_or(target);
    std::fs::create_dir_all(folder)?;
    remove_unfinished(folder)?;
    let mut file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)?;
    // Until it has its name nobody else removes it; the lock goes with this process.
    file.as_file().lock()?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    if overwrite {
        file.persist(target).map_err(|e| e.error)?;
    } else {
        file.persist_noclobber(target).map_err(|e| e.error)?;
    }
    make_readable(target)
}

/// Removes files that a run which was killed has begun to write. One that is locked, or was made just
/// now and will be, is another run's.
fn remove_unfinished(folder: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let is_unfinished = entry.file_name().to_str().is_some_and(|n| n.starts_with(UNFINISHED))
            && entry.file_type()?.is_file();
        if !is_unfinished {
            continue;
        }
        // It may have got its name, or be gone, meanwhile; then there is nothing to do.
        let Ok(file) = std::fs::File::open(entry.path()) else { continue };
        let age = file.metadata()?.modified()?.elapsed().unwrap_or_default();
        if age > STILL_MAKING && file.try_lock().is_ok() {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Temporary files are for their owner only; sources are not.
fn make_readable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644))
}

/// The topmost folder that making `path` would make.
fn missing_ancestor(path: &Path) -> Option<PathBuf> {
    path.ancestors()
        .take_while(|p| !p.as_os_str().is_empty() && !p.exists())
        .last()
        .map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_run_had_begun_to_write_is_removed_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, "half").unwrap();
            let file = std::fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(std::time::SystemTime::now() - Duration::from_secs(3600)).unwrap();
            (path, file)
        };
        let (abandoned, _) = make(".testhound-abandoned");
        let (busy, lock) = make(".testhound-busy");
        lock.lock().unwrap();
        let (foreign, _) = make(".other");
        let new = folder.path().join(".testhound-new");
        std::fs::write(&new, "").unwrap();
        Output::open(folder.path(), false).unwrap().write("A.java", "whole").unwrap();
        assert!(!abandoned.exists());
        for left in [busy, foreign, new, folder.path().join("A.java")] {
            assert!(left.exists(), "{}", left.display());
        }
    }

    #[test]
    fn a_file_that_exists_is_left_alone_unless_forced() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("new/place");
        let output = Output::open(&root, false).unwrap();
        assert!(!root.exists(), "opening leaves nothing behind");
        output.write("a/B.java", "one").unwrap();
        assert!(!output.is_free("a/B.java"));
        assert!(output.write("a/B.java", "two").is_err());
        assert_eq!(std::fs::read_to_string(root.join("a/B.java")).unwrap(), "one");
        let forced = Output::open(&root, true).unwrap();
        forced.write("a/B.java", "two").unwrap();
        assert_eq!(std::fs::read_to_string(root.join("a/B.java")).unwrap(), "two");
        assert_eq!(std::fs::read_dir(root.join("a")).unwrap().count(), 1, "no temporary file left");
    }

    #[test]
    fn a_file_that_was_written_can_be_replaced_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("new/place");
        let output = Output::open(&root, false).unwrap();
        let (one, two) =
            (output.write("a/B.java", "one").unwrap(), output.write("c/D.java", "two").unwrap());
        output.replace(&one, "less").unwrap();
        assert_eq!(std::fs::read_to_string(&one).unwrap(), "less");
        output.remove(&one).unwrap();
        assert!(!root.join("a").exists() && two.exists());
        output.remove(&two).unwrap();
        assert!(!folder.path().join("new").exists(), "nothing is left behind");
        let there = Output::open(folder.path(), false).unwrap();
        there.remove(&there.write("B.java", "one").unwrap()).unwrap();
        assert!(folder.path().exists(), "a folder that was there stays");
    }

    #[test]
    fn a_file_in_the_way_of_the_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(Output::open(&file, false).is_err());
        assert!(Output::open(&file.join("below"), false).is_err());
    }
}
