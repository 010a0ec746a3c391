//! The programs of the study, and which of them may be looked at while the search is improved.
//!
//! The published list has 23 programs that are on Maven Central; every second one from the first is
//! taken, in its order and version: bcel, (commons-cli,) commons-codec, (commons-collections4,)
//! commons-compress, (commons-lang3,) commons-math3, (commons-primitives,) shiro-core, (asm-all,)
//! easymock, (guava,) hamcrest-core, (jcommander,) jsap, (javassist,) javax.mail, (jaxen,) jdom,
//! (joda-time,) pmd-core, (sat4j,) slf4j-api. Roles alternate, beginning with tuning.

use serde::{Deserialize, Serialize};

use crate::library::library;
use crate::{Library, StudyError};

/// What a subject is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// It may be looked at while the search is improved.
    Tuning,
    /// It is only reported on.
    HeldOut,
}

impl Role {
    /// Every second is held out.
    pub(crate) fn of_position(position: usize) -> Self {
        if position.is_multiple_of(2) { Self::Tuning } else { Self::HeldOut }
    }

    /// For tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tuning => "tuning",
            Self::HeldOut => "held out",
        }
    }
}

/// A program and its role.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Program {
    /// Where it is on Maven Central.
    pub library: Library,
    /// What it is used for.
    pub role: Role,
}

/// The artifacts, in the order of the published list.
pub const PROGRAMS: [Library; 12] = [
    library("org.apache.bcel", "bcel", "5.2"),
    library("commons-codec", "commons-codec", "1.9"),
    library("org.apache.commons", "commons-compress", "1.8"),
    library("org.apache.commons", "commons-math3", "3.2"),
    library("org.apache.shiro", "shiro-core", "1.2.3"),
    library("org.easymock", "easymock", "3.2"),
    library("org.hamcrest", "hamcrest-core", "1.3"),
    library("com.martiansoftware", "jsap", "2.1"),
    library("com.sun.mail", "javax.mail", "1.5.1"),
    library("jdom", "jdom", "1.0"),
    library("net.sourceforge.pmd", "pmd-core", "5.2.2"),
    library("org.slf4j", "slf4j-api", "1.7.12"),
];

impl Program {
    /// The programs of these names in the order of [`PROGRAMS`]; all if no name is given.
    pub fn named(names: &[String]) -> Result<Vec<Self>, StudyError> {
        Library::check_names(names, &PROGRAMS)?;
        let all = PROGRAMS.iter().enumerate();
        let all = all.map(|(n, library)| Self { library: *library, role: Role::of_position(n) });
        Ok(all.filter(|p| names.is_empty() || names.iter().any(|n| n == p.library.name)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_programs_are_held_out_whichever_are_chosen() {
        let all = Program::named(&[]).expect("all");
        assert_eq!(all.len(), 12);
        assert_eq!(all.iter().filter(|p| p.role == Role::HeldOut).count(), 6);
        let one = Program::named(&["commons-codec".to_owned()]).expect("one");
        assert_eq!(one[0].role, Role::HeldOut);
        let error = Program::named(&["soup".to_owned()]).expect_err("none of that name");
        assert!(error.to_string().contains("there are bcel, commons-codec"), "{error}");
    }
}
