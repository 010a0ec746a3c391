//! Remembers which files coordinates were resolved to.
//!
//! A small file per question under the user's cache directory, since asking Maven takes seconds.
//! The cache is never an authority: an entry that cannot be read, belongs to another question or
//! names a file that is gone counts as absent, and failing to write one costs time, nothing else.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    question: String,
    files: Vec<PathBuf>,
}

/// Answers to earlier questions.
#[derive(Debug, Clone)]
pub(crate) struct Cache {
    directory: PathBuf,
}

impl Cache {
    /// The cache of the user, if the machine has a place for it.
    pub(crate) fn of_user() -> Option<Self> {
        let configured = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let base = configured
            .filter(|path| path.is_absolute())
            .or_else(|| std::env::home_dir().map(|home| home.join(".cache")))?;
        Some(Self::at(&base.join("testhound").join("resolved")))
    }

    pub(crate) fn at(directory: &Path) -> Self {
        Self { directory: directory.to_owned() }
    }

    /// The files a question was answered with, if all of them are still there.
    pub(crate) fn get(&self, question: &str) -> Option<Vec<PathBuf>> {
        let text = fs::read_to_string(self.file(question)).ok()?;
        let entry: Entry = serde_json::from_str(&text).ok()?;
        let valid = entry.question == question && entry.files.iter().all(|file| file.exists());
        valid.then_some(entry.files)
    }

    /// Remembers an answer; readers see the whole of it or nothing.
    pub(crate) fn put(&self, question: &str, files: &[PathBuf]) -> std::io::Result<()> {
        fs::create_dir_all(&self.directory)?;
        let entry = Entry { question: question.to_owned(), files: files.to_vec() };
        let mut file = tempfile::NamedTempFile::new_in(&self.directory)?;
        file.write_all(serde_json::to_string(&entry)?.as_bytes())?;
        file.persist(self.file(question))?;
        Ok(())
    }

    fn file(&self, question: &str) -> PathBuf {
        self.directory.join(format!("{:016x}.json", fnv1a(question)))
    }
}

/// The 64-bit FNV-1a hash, which stays the same from one version of this program to the next.
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_holds_while_its_files_exist() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let cache = Cache::at(&directory.path().join("cache"));
        let jar = directory.path().join("a.jar");
        fs::write(&jar, "").expect("a file");
        assert_eq!(cache.get("a"), None);
        cache.put("a", std::slice::from_ref(&jar)).expect("writable");
        assert_eq!(cache.get("a"), Some(vec![jar.clone()]));
        assert_eq!(cache.get("b"), None);
        fs::copy(cache.file("a"), cache.file("b")).expect("a copy");
        assert_eq!(cache.get("b"), None, "an answer to another question");
        fs::remove_file(jar).expect("it exists");
        assert_eq!(cache.get("a"), None);
        fs::write(cache.file("a"), "{").expect("writable");
        assert_eq!(cache.get("a"), None, "a broken file");
    }
}
