//! The folder of a study: results of finished pieces, and what they were made from.
//!
//! A piece is what a study does at a time: a library, or a program with one budget. It has a name,
//! by which its result and its folder are called.
//!
//! Invariant: a folder that is not a study's is never written to, because a study deletes what an
//! earlier one has left.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::StudyError;

/// The result of a piece, which says what it is the answer to.
pub(crate) trait Answer: Serialize + DeserializeOwned {
    /// What decides it, machine and chance aside.
    type Question: PartialEq;

    /// What was asked.
    fn question(&self) -> &Self::Question;
}

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

    /// A fresh folder for a piece; what earlier runs left there is gone. It is called after this
    /// process: a child of a study that was cut short may still be writing to its own.
    pub(crate) fn fresh(&self, piece: &str) -> Result<PathBuf, StudyError> {
        let folder = self.root.join(piece);
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(StudyError::io("delete", &folder))?;
        }
        let folder = folder.join(format!("run-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(StudyError::io("create", &folder))?;
        Ok(folder)
    }

    /// The result of a piece, if there is one for this very question.
    pub(crate) fn get<A: Answer>(&self, piece: &str, question: &A::Question) -> Option<A> {
        let bytes = std::fs::read(self.file(piece)).ok()?;
        // A file of another version of this program is no answer.
        let answer: A = serde_json::from_slice(&bytes).ok()?;
        (answer.question() == question).then_some(answer)
    }

    /// Keeps a result: as a whole, or as it was before.
    pub(crate) fn put<A: Answer>(&self, piece: &str, answer: &A) -> Result<(), StudyError> {
        let file = self.file(piece);
        let temporary = file.with_extension("json.part");
        let text = serde_json::to_string_pretty(answer)
            .map_err(StudyError::bad_output("a result of the study"))?;
        std::fs::write(&temporary, text)
            .and_then(|()| std::fs::rename(&temporary, &file))
            .map_err(StudyError::io("write", &file))
    }

    fn file(&self, piece: &str) -> PathBuf {
        self.root.join(format!("{piece}.json"))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(PartialEq, Debug, Serialize, Deserialize)]
    struct Weighed {
        question: String,
        grams: u32,
    }

    impl Answer for Weighed {
        type Question = String;

        fn question(&self) -> &String {
            &self.question
        }
    }

    #[test]
    fn a_result_is_found_again_for_the_same_question_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let [one, other] = ["plum", "pear"].map(str::to_owned);
        let weighed = Weighed { question: one.clone(), grams: 40 };
        let store = Store::open(&folder.path().join("study")).expect("a new folder");
        assert_eq!(store.get::<Weighed>("fruit", &one), None);
        store.put("fruit", &weighed).expect("written");
        let again = Store::open(&folder.path().join("study")).expect("a study's folder");
        assert_eq!(again.get::<Weighed>("fruit", &other), None);
        assert_eq!(again.get::<Weighed>("nut", &one), None);
        assert_eq!(again.get("fruit", &one), Some(weighed));
    }

    #[test]
    fn half_a_result_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("study")).expect("a new folder");
        let question = "plum".to_owned();
        store.put("fruit", &Weighed { question: question.clone(), grams: 40 }).expect("written");
        let file = folder.path().join("study/fruit.json");
        let text = std::fs::read_to_string(&file).expect("written");
        std::fs::write(&file, &text[..text.len() / 2]).expect("cut");
        assert_eq!(store.get::<Weighed>("fruit", &question), None);
    }

    #[test]
    fn a_folder_with_other_things_in_it_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("thesis.tex"), "").expect("a file");
        let error = Store::open(folder.path()).expect_err("not a study's");
        assert!(error.to_string().starts_with("cannot use"), "{error}");
    }
}
