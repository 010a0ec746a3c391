//! Class path entries by another path than they are given by, so that code which asks where it comes
//! from gets another answer where tests are run for the second time.
//!
//! A folder of classes is reached by a link to itself, a jar by a link to its folder, for the
//! `Class-Path` of a jar names others from where it lies.
//!
//! Invariant: no link leads to more than the class path needs; programs that walk temporary folders
//! may follow them.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::scratch::Scratch;

/// The links of a run, by the folder each leads to.
#[derive(Default, Debug)]
pub(crate) struct Detours(Mutex<BTreeMap<PathBuf, PathBuf>>);

impl Detours {
    /// The same class path by links in the scratch folder. What is neither a folder nor a file stays
    /// as it is.
    pub(crate) fn class_path(&self, class_path: &str, scratch: &Scratch) -> io::Result<String> {
        let entries = class_path.split(':').map(|entry| {
            let path = Path::new(entry);
            let name = path.file_name().filter(|_| path.is_file());
            let detour = match (name, path.parent()) {
                _ if !path.is_absolute() => path.to_owned(),
                (Some(name), Some(folder)) => self.link_to(folder, scratch)?.join(name),
                _ if path.is_dir() => self.link_to(path, scratch)?,
                _ => path.to_owned(),
            };
            Ok(detour.display().to_string())
        });
        Ok(entries.collect::<io::Result<Vec<_>>>()?.join(":"))
    }

    fn link_to(&self, folder: &Path, scratch: &Scratch) -> io::Result<PathBuf> {
        let mut links = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(link) = links.get(folder) {
            return Ok(link.clone());
        }
        let link = scratch.folder("by")?.join("way");
        std::os::unix::fs::symlink(folder, &link)?;
        links.insert(folder.to_owned(), link.clone());
        Ok(link)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_entry_is_found_by_another_path() {
        let subject = tempfile::tempdir().expect("a folder");
        let scratch = Scratch::new().expect("a folder");
        let [classes, one, two, gone] =
            ["classes", "one.jar", "two.jar", "gone.jar"].map(|name| subject.path().join(name));
        fs::create_dir(&classes).expect("a folder");
        fs::write(classes.join("A.class"), "a").expect("a file");
        fs::write(&one, "one").expect("a file");
        fs::write(&two, "two").expect("a file");
        let entries = [&classes, &one, &two, &gone].map(|path| path.display().to_string());
        let detours = Detours::default();
        let detoured = detours.class_path(&entries.join(":"), &scratch).expect("links");
        let paths: Vec<&Path> = detoured.split(':').map(Path::new).collect();
        let read = |path: &Path| fs::read_to_string(path).expect("a file");
        assert_eq!(read(&paths[0].join("A.class")), "a");
        assert_eq!((read(paths[1]), read(paths[2])), ("one".to_owned(), "two".to_owned()));
        assert!(paths[..3].iter().all(|path| path.starts_with(scratch.path())), "{paths:?}");
        assert_eq!(paths[1].with_file_name("two.jar"), paths[2], "neighbours stay neighbours");
        assert_eq!(paths[3], gone);
        let again = detours.class_path(&entries.join(":"), &scratch).expect("links");
        assert_eq!(again, detoured);
    }
}
