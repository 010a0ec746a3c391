//! Folders that workers may write to, gone when the run ends.
//!
//! A run that is killed leaves its folder; the next one removes it. Each has a file in it that its
//! owner keeps locked, and a lock ends with its process, whatever ended that. So a folder whose file
//! can be locked has no owner, and whoever starts at the same time cannot take it for its own: an
//! owner whose file somebody else has locked or removed makes another folder.
//!
//! Invariant: nothing is removed but folders of that name that belong to this user.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

const PREFIX: &str = "testhound-run-";
/// The file that the owner keeps locked.
const OWNER: &str = "owner";
/// Folders that may be lost to others that start at the same time.
const TRIES: u32 = 16;
/// How long the end of a run waits for folders to come to rest, and how long between two looks.
const REST: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(20);

/// The scratch folder of a run.
#[derive(Debug)]
pub struct Scratch {
    root: PathBuf,
    /// Locked as long as this lives.
    _owner: File,
    next: AtomicU32,
}

impl Scratch {
    /// Makes the folder, in the system's place for temporary files, and removes what runs that were
    /// killed left there.
    pub fn new() -> io::Result<Self> {
        let place = std::env::temp_dir();
        remove_abandoned(&place);
        Self::new_in(&place)
    }

    fn new_in(place: &Path) -> io::Result<Self> {
        for _ in 0..TRIES {
            let root = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place)?;
            if let Some(owner) = own(root.path())? {
                let root = root.keep();
                return Ok(Self { root, _owner: owner, next: AtomicU32::new(0) });
            }
        }
        Err(io::Error::other("every new folder was taken for an abandoned one"))
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// A new folder in it.
    pub fn folder(&self, what: &str) -> io::Result<PathBuf> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let path = self.root.join(format!("{what}-{number}"));
        std::fs::create_dir(&path)?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A worker that was killed may write for another moment: one of this run, or of another that
        // was still being written to when this run began.
        let end = Instant::now() + REST;
        loop {
            let is_gone = remove(&self.root);
            let are_gone = self.root.parent().is_none_or(remove_abandoned);
            if is_gone && are_gone || Instant::now() > end {
                break;
            }
            std::thread::sleep(PAUSE);
        }
    }
}

/// Locks the owner's file of a new folder; `None` if somebody was faster to remove it.
fn own(folder: &Path) -> io::Result<Option<File>> {
    let owner = match File::create_new(folder.join(OWNER)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other?,
    };
    match owner.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        // Where files cannot be locked, nobody can take this one for abandoned either.
        Ok(()) | Err(TryLockError::Error(_)) => {
            Ok((owner.metadata()?.nlink() > 0).then_some(owner))
        }
    }
}

/// Removes all that is in a folder but the owner's file: as long as that is there, a removal that is
/// cut short can be taken up again.
fn empty(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name() != OWNER) {
        // What cannot be removed now is left to the next run.
        let _ = match entry.file_type() {
            Ok(kind) if kind.is_dir() => std::fs::remove_dir_all(entry.path()),
            _ => std::fs::remove_file(entry.path()),
        };
    }
}

/// Removes a scratch folder; `false` if something is left of it, then with an owner's file by which
/// it is known the next time.
fn remove(folder: &Path) -> bool {
    empty(folder);
    let owner = folder.join(OWNER);
    let _ = std::fs::remove_file(&owner);
    let is_gone = match std::fs::remove_dir(folder) {
        Ok(()) => true,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if !is_gone {
        let _ = File::create_new(owner);
    }
    is_gone
}

/// Removes the scratch folders whose owner is gone; `false` if something is left of one. What cannot be
/// removed is in nobody's way.
fn remove_abandoned(place: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(place) else { return true };
    let me = nix::unistd::geteuid().as_raw();
    let mut are_gone = true;
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX))
            // Of the entry itself, should it be a link.
            && entry.metadata().is_ok_and(|found| found.is_dir() && found.uid() == me);
        are_gone &= !is_ours || remove_if_abandoned(&entry.path());
    }
    are_gone
}

/// `false` if a folder is abandoned, and something is left of it.
fn remove_if_abandoned(folder: &Path) -> bool {
    let no_link = nix::fcntl::OFlag::O_NOFOLLOW.bits();
    let owner = OpenOptions::new().write(true).custom_flags(no_link).open(folder.join(OWNER));
    match owner {
        // Locked meanwhile, so that nobody takes the folder for his own.
        Ok(owner) => owner.try_lock().is_err() || remove(folder),
        // Its owner was killed before it wrote anything, or is about to, and makes another then.
        Err(_) => {
            let _ = std::fs::remove_dir(folder);
            true
        }
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

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("a folder");
        let name = |entry: io::Result<std::fs::DirEntry>| {
            entry.expect("an entry").file_name().into_string().expect("a name in UTF-8")
        };
        entries.map(name).collect()
    }

    #[test]
    fn a_passing_folder_goes_with_all_that_is_in_it() {
        let scratch = Scratch::new().expect("a folder");
        let passing = scratch.passing("classes").expect("a folder");
        std::fs::write(passing.path().join("A.class"), "").expect("a file");
        drop(passing);
        assert_eq!(names(scratch.path()), [OWNER]);
    }

    #[test]
    fn nothing_is_left_of_a_run_that_ends() {
        let place = tempfile::tempdir().expect("a folder");
        let scratch = Scratch::new_in(place.path()).expect("a folder");
        std::fs::write(scratch.folder("worker").expect("a folder").join("file"), "").expect("one");
        drop(scratch);
        assert_eq!(names(place.path()), [] as [&str; 0]);
    }

    /// A folder as a killed run leaves it.
    fn abandoned(place: &Path, name: &str, files: &[&str]) {
        let folder = place.join(name);
        std::fs::create_dir_all(folder.join("worker-1/home")).expect("a folder");
        for file in files {
            std::fs::write(folder.join(file), "").expect("a file");
        }
    }

    #[test]
    fn what_killed_runs_left_is_removed_and_nothing_else() {
        let place = tempfile::tempdir().expect("a folder");
        let alive = Scratch::new_in(place.path()).expect("a folder");
        let worker = alive.folder("worker").expect("a folder");
        abandoned(place.path(), "testhound-run-killed", &[OWNER, "worker-1/log"]);
        std::fs::create_dir(place.path().join("testhound-run-unborn")).expect("a folder");
        // Somebody else's, whatever their names.
        abandoned(place.path(), "testhound-running", &[OWNER]);
        abandoned(place.path(), "testhound-run-unowned", &["worker-1/log"]);
        std::fs::write(place.path().join("testhound-run-file"), "").expect("a file");
        let elsewhere = tempfile::tempdir().expect("a folder");
        abandoned(elsewhere.path(), "target", &[OWNER]);
        let link = place.path().join("testhound-run-link");
        std::os::unix::fs::symlink(elsewhere.path().join("target"), link).expect("a link");

        remove_abandoned(place.path());
        let mut left = names(place.path());
        left.retain(|name| !alive.path().ends_with(name));
        left.sort();
        let others = [
            "testhound-run-file",
            "testhound-run-link",
            "testhound-run-unowned",
            "testhound-running",
        ];
        assert_eq!(left, others);
        assert!(worker.exists() && elsewhere.path().join("target/worker-1/home").exists());
    }

    #[test]
    fn what_is_written_to_while_a_run_ends_goes_too() {
        let place = tempfile::tempdir().expect("a folder");
        let scratch = Scratch::new_in(place.path()).expect("a folder");
        let folder = scratch.path().to_owned();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for number in 0..2000 {
                    // Fails once the folder is gone.
                    let _ = std::fs::create_dir(folder.join(format!("worker-{number}")));
                }
            });
            drop(scratch);
        });
        assert_eq!(names(place.path()), [] as [&str; 0]);
    }

    #[test]
    fn a_folder_that_is_still_written_to_goes_the_next_time() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("testhound-run-killed");
        for _ in 0..50 {
            abandoned(place.path(), "testhound-run-killed", &[OWNER]);
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    for number in 0..200 {
                        // Fails once the folder is gone.
                        let _ = std::fs::create_dir(folder.join(format!("worker-{number}")));
                    }
                });
                remove_abandoned(place.path());
            });
            remove_abandoned(place.path());
            assert!(!folder.exists());
        }
    }

    #[test]
    fn runs_that_start_together_take_no_folder_from_each_other() {
        let place = tempfile::tempdir().expect("a folder");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        remove_abandoned(place.path());
                        let scratch = Scratch::new_in(place.path()).expect("a folder");
                        let folder = scratch.folder("worker").expect("a folder in it");
                        remove_abandoned(place.path());
                        assert!(folder.exists());
                    }
                });
            }
        });
        assert_eq!(names(place.path()), [] as [&str; 0]);
    }
}
