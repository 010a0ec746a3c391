//! The temporary folder of the test case that runs: made when the test case first asks for it, gone
//! when it ends.
//!
//! Code under test sees it under a path that is the same in every search: hash codes of paths and
//! whatever else depends on them repeat. The scratch folder has another name in every run, so that
//! path goes through a descriptor of a fixed number.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use nix::fcntl::{FcntlArg, fcntl};

use crate::setup::Setup;

/// The descriptor of the folder that it is made in: higher than any other, for lower ones are taken
/// first, and below the number of files that a process may have open everywhere.
const DESCRIPTOR: i32 = 900;
/// Where Java finds it.
pub(crate) const PATH: &str = "/proc/self/fd/900/folder";

/// The folder of one test case after the other.
#[derive(Debug)]
pub(crate) struct OwnFolder {
    /// Where it is made.
    place: PathBuf,
    is_open: bool,
}

impl OwnFolder {
    /// Makes the place for it; one in a process.
    pub(crate) fn prepare(setup: &Setup) -> io::Result<Self> {
        let folder = Self { place: setup.scratch.join("own"), is_open: false };
        folder.make_place()?;
        Ok(folder)
    }

    fn make_place(&self) -> io::Result<()> {
        fs::create_dir_all(&self.place)?;
        // It stays open for as long as the process lives.
        let number = fcntl(File::open(&self.place)?, FcntlArg::F_DUPFD_CLOEXEC(DESCRIPTOR))?;
        if number == DESCRIPTOR {
            Ok(())
        } else {
            Err(io::Error::other(format!("descriptor {DESCRIPTOR} is taken")))
        }
    }

    /// Makes the folder, if the test case has none yet.
    pub(crate) fn open(&mut self) -> io::Result<()> {
        if self.is_open {
            return Ok(());
        }
        match fs::create_dir(PATH) {
            // An earlier test case climbed up and deleted the place too.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                nix::unistd::close(DESCRIPTOR)?;
                self.make_place()?;
                fs::create_dir(PATH)?;
            }
            result => result?,
        }
        jvm::set_own_folder(Some(Path::new(PATH)));
        self.is_open = true;
        Ok(())
    }

    /// Deletes the folder and all that is in it; links are deleted, not followed.
    pub(crate) fn close(&mut self) -> io::Result<()> {
        if self.is_open {
            jvm::set_own_folder(None);
            match fs::remove_dir_all(PATH) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                // The test case put a file in its place.
                Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                    fs::remove_file(PATH)?;
                }
                result => result?,
            }
            self.is_open = false;
        }
        Ok(())
    }

    /// Whether the test case has a folder.
    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_made_when_asked_for_and_gone_whatever_became_of_it() {
        let scratch = tempfile::tempdir().expect("a folder");
        let place = scratch.path().join("own");
        let folder = place.join("folder");
        let mut own = OwnFolder { place, is_open: false };
        own.make_place().expect("a place");
        own.close().expect("nothing to do");
        let changes: [fn(&Path) -> io::Result<()>; 4] = [
            |folder| fs::remove_dir_all(folder.parent().expect("its place")),
            |folder| fs::create_dir_all(folder.join("a/b")),
            |folder| fs::remove_dir(folder),
            |folder| fs::remove_dir(folder).and_then(|()| fs::write(folder, "")),
        ];
        for change in changes {
            own.open().expect("made");
            own.open().expect("still there");
            assert!(folder.is_dir());
            change(&folder).expect("a change");
            own.close().expect("deleted");
            assert!(!folder.exists());
        }
    }
}
