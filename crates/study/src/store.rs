//! The folder of a study: results of finished libraries, and what they were made from.
//!
//! Invariant: a folder that is not a study's is never written to, because a study deletes what an
//! earlier one has left.

use std::path::{Path, PathBuf};

use crate::{Library, LibraryResult, Question, StudyError};

/// The file by which a study's folder is known.
const MARK: &str = ".testhound-study";

/// The folder of a study.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    root: PathBuf,
}

impl Store {
    /// Opens a folder, which is new, empty or a study's.
    pub(crate) fn open(root: &Path) -> Result<Self, StudyError> {
        std::fs::create_dir_all(root).map_err(StudyError::io("create", root))?;
        let root = root.canonicalize().map_err(StudyError::io("find", root))?;
        let mark = root.join(MARK);
        if !mark.exists() {
            let mut entries = std::fs::read_dir(&root).map_err(StudyError::io("read", &root))?;
            if entries.next().is_some() {
                let error = std::io::Error::other("it is not empty and not a study's folder");
                return Err(StudyError::io("use", &root)(error));
            }
            std::fs::write(&mark, "").map_err(StudyError::io("write", &mark))?;
        }
        Ok(Self { root })
    }

    /// A fresh folder for a library; what was in it is gone.
    pub(crate) fn fresh(&self, library: &Library) -> Result<PathBuf, StudyError> {
        let folder = self.root.join(library.name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(StudyError::io("delete", &folder))?;
        }
        std::fs::create_dir(&folder).map_err(StudyError::io("create", &folder))?;
        Ok(folder)
    }

    /// The result for a library, if there is one for this very question.
    pub(crate) fn get(&self, library: &Library, question: &Question) -> Option<LibraryResult> {
        let bytes = std::fs::read(self.file(library)).ok()?;
        // A file of another version of this program is no answer.
        let result: LibraryResult = serde_json::from_slice(&bytes).ok()?;
        (result.question == *question && result.version == library.version).then_some(result)
    }

    /// Keeps a result: as a whole, or as it was before.
    pub(crate) fn put(&self, library: &Library, result: &LibraryResult) -> Result<(), StudyError> {
        let file = self.file(library);
        let temporary = file.with_extension("part");
        let text = serde_json::to_string_pretty(result)
            .map_err(StudyError::bad_output("a result of the study"))?;
        std::fs::write(&temporary, text)
            .and_then(|()| std::fs::rename(&temporary, &file))
            .map_err(StudyError::io("write", &file))
    }

    fn file(&self, library: &Library) -> PathBuf {
        self.root.join(format!("{}.json", library.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LIBRARIES;

    fn question(seed: u64) -> Question {
        Question {
            time_per_class: 1.0,
            classes: 2,
            seed,
            jobs: 1,
            jdk: "17".to_owned(),
            program: "p".to_owned(),
        }
    }

    fn result(question: Question) -> LibraryResult {
        LibraryResult {
            library: LIBRARIES[0].name.to_owned(),
            version: LIBRARIES[0].version.to_owned(),
            question,
            candidates: 3,
            classes: Vec::new(),
            tests: 0,
            failures: 0,
            green: 0,
            skipped: 0,
            red: Vec::new(),
            maven_failure: None,
            left_behind: Vec::new(),
            own: Default::default(),
            jacoco: Default::default(),
            dropped: Default::default(),
            warnings: Vec::new(),
            seconds: Default::default(),
        }
    }

    #[test]
    fn a_result_is_found_again_for_the_same_question_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let library = &LIBRARIES[0];
        let store = Store::open(&folder.path().join("study")).expect("a new folder");
        assert_eq!(store.get(library, &question(1)), None);
        store.put(library, &result(question(1))).expect("written");
        let again = Store::open(&folder.path().join("study")).expect("a study's folder");
        assert_eq!(again.get(library, &question(1)), Some(result(question(1))));
        assert_eq!(again.get(library, &question(2)), None);
        assert_eq!(again.get(&LIBRARIES[1], &question(1)), None);
    }

    #[test]
    fn a_folder_with_other_things_in_it_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("thesis.tex"), "").expect("a file");
        let error = Store::open(folder.path()).expect_err("not a study's");
        assert!(error.to_string().starts_with("cannot use"), "{error}");
    }
}
