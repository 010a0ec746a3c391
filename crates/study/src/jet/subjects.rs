//! The classes, and what the paper's tables say of those that they are like.

use std::path::Path;

use super::result::JetVariant;
use crate::StudyError;

/// A class of the study.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JetSubject {
    /// What the paper's tables call it.
    pub name: &'static str,
    /// Its full name.
    pub class: &'static str,
    /// T.
    pub attempts: u64,
    /// The paper's MF, R, ML and milliseconds with A1, A2 and A3 (figure 5, on a Pentium 4 of 3 GHz).
    published: [[u64; 4]; 3],
}

impl JetSubject {
    /// The paper's MF, R, ML and milliseconds with a strategy.
    pub fn published(&self, variant: JetVariant) -> Option<[u64; 4]> {
        let at = JetVariant::STRATEGIES.iter().position(|strategy| *strategy == variant)?;
        Some(self.published[at])
    }
}

/// In the order of the paper's tables.
pub const JET_SUBJECTS: [JetSubject; 5] = [
    JetSubject {
        name: "Stack",
        class: "jet.BoundedStackImplementation",
        attempts: 1000,
        published: [[78, 285, 637, 78], [89, 286, 625, 110], [192, 561, 247, 688]],
    },
    JetSubject {
        name: "Digraph",
        class: "jet.SearchableDigraph",
        attempts: 2600,
        published: [[81, 929, 1590, 452], [84, 943, 1573, 452], [135, 1780, 685, 3086]],
    },
    JetSubject {
        name: "Node",
        class: "jet.SearchableNode",
        attempts: 1100,
        published: [[344, 299, 457, 110], [355, 298, 447, 110], [388, 251, 461, 500]],
    },
    JetSubject {
        name: "Proof",
        class: "jet.Proof",
        attempts: 700,
        published: [[69, 128, 503, 421], [59, 121, 520, 359], [178, 136, 386, 4551]],
    },
    JetSubject {
        name: "Account",
        class: "jet.Account",
        attempts: 1200,
        published: [[601, 124, 475, 436], [604, 112, 484, 374], [923, 142, 135, 1839]],
    },
];

/// Their sources, with those of what they extend and use.
const SOURCES: [(&str, &str); 10] = [
    ("Account.java", include_str!("../../subjects/jet/Account.java")),
    ("Arc.java", include_str!("../../subjects/jet/Arc.java")),
    ("BoundedStack.java", include_str!("../../subjects/jet/BoundedStack.java")),
    (
        "BoundedStackImplementation.java",
        include_str!("../../subjects/jet/BoundedStackImplementation.java"),
    ),
    ("Digraph.java", include_str!("../../subjects/jet/Digraph.java")),
    ("Node.java", include_str!("../../subjects/jet/Node.java")),
    ("Proof.java", include_str!("../../subjects/jet/Proof.java")),
    ("SearchableDigraph.java", include_str!("../../subjects/jet/SearchableDigraph.java")),
    ("SearchableNode.java", include_str!("../../subjects/jet/SearchableNode.java")),
    ("TraversableDigraph.java", include_str!("../../subjects/jet/TraversableDigraph.java")),
];

/// Writes the sources below a folder, which is then a source root.
pub(super) fn write_sources(root: &Path) -> Result<(), StudyError> {
    let folder = root.join("jet");
    std::fs::create_dir_all(&folder).map_err(StudyError::io("create", &folder))?;
    for (name, text) in SOURCES {
        let file = folder.join(name);
        std::fs::write(&file, text).map_err(StudyError::io("write", &file))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_counts_add_up_to_the_attempts() {
        for subject in JET_SUBJECTS {
            for [meaningful, redundant, meaningless, _] in subject.published {
                assert_eq!(meaningful + redundant + meaningless, subject.attempts);
            }
        }
    }

    #[test]
    fn every_subject_has_a_source() {
        let folder = tempfile::tempdir().expect("a folder");
        write_sources(folder.path()).expect("written");
        for subject in JET_SUBJECTS {
            let file = format!("{}.java", subject.class.replace('.', "/"));
            assert!(folder.path().join(&file).is_file(), "{file}");
        }
    }
}
