//! Writing test files: whole or not at all, and never over a user's file.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// The folder test files go to.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    root: PathBuf,
    force: bool,
}

impl Output {
    /// Opens the folder, making it if need be, and makes sure that it can be written to.
    pub(crate) fn open(root: &Path, force: bool) -> Result<Self, Failure> {
        let refuse = |error: std::io::Error| {
            Failure::cannot_write(format!(
                "the output folder `{}` cannot be written to: {error}",
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
        let probe = tempfile::Builder::new().prefix(".testhound-").tempfile_in(root);
        probe.and_then(|file| file.close()).map_err(refuse)?;
        // Nothing is left behind if the run ends without a test; a folder that is not empty any more
        // is somebody's.
        if let Some(made) = made {
            let below = root.ancestors().take_while(|folder| folder.starts_with(&made));
            for folder in below {
                if std::fs::remove_dir(folder).is_err() {
                    break;
                }
            }
        }
        Ok(Self { root: root.to_owned(), force })
    }

    /// Whether a file may be written.
    pub(crate) fn is_free(&self, path: &str) -> bool {
        self.force || !self.root.join(path).exists()
    }

    /// Writes a file: it is there as a whole, or as it was before.
    pub(crate) fn write(&self, path: &str, text: &str) -> Result<PathBuf, Failure> {
        let target = self.root.join(path);
        let refuse = |error: std::io::Error| {
            Failure::cannot_write(format!("cannot write `{}`: {error}", target.display()))
        };
        let folder = target.parent().unwrap_or(&self.root);
        std::fs::create_dir_all(folder).map_err(refuse)?;
        let mut file =
            tempfile::Builder::new().prefix(".testhound-").tempfile_in(folder).map_err(refuse)?;
        file.write_all(text.as_bytes()).map_err(refuse)?;
        file.as_file().sync_all().map_err(refuse)?;
        if self.force {
            file.persist(&target).map_err(|e| refuse(e.error))?;
        } else {
            file.persist_noclobber(&target).map_err(|e| refuse(e.error))?;
        }
        make_readable(&target).map_err(refuse)?;
        Ok(target)
    }
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
    fn a_file_in_the_way_of_the_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(Output::open(&file, false).is_err());
        assert!(Output::open(&file.join("below"), false).is_err());
    }
}
