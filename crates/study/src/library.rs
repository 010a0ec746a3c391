//! The libraries of the study, each pinned to a version so that figures can be compared.

use crate::StudyError;

/// A library from Maven Central.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Library {
    /// What it is called in tables and on the command line.
    pub name: &'static str,
    /// Maven's group.
    pub group: &'static str,
    /// Maven's artifact.
    pub artifact: &'static str,
    /// The version.
    pub version: &'static str,
}

/// From small and plain to large: parsing of options, codecs, helpers around the JDK's own
/// classes, files (it deletes them for a living), a parser with a mutable tree, collections.
pub const LIBRARIES: [Library; 6] = [
    library("commons-cli", "commons-cli", "1.9.0"),
    library("commons-codec", "commons-codec", "1.17.1"),
    library("org.apache.commons", "commons-lang3", "3.17.0"),
    library("commons-io", "commons-io", "2.18.0"),
    library("org.jsoup", "jsoup", "1.18.3"),
    library("com.google.guava", "guava", "33.4.8-jre"),
];

/// A library called by its artifact.
pub(crate) const fn library(
    group: &'static str,
    artifact: &'static str,
    version: &'static str,
) -> Library {
    Library { name: artifact, group, artifact, version }
}

impl Library {
    /// The libraries of these names in the order of [`LIBRARIES`]; all if no name is given.
    pub fn named(names: &[String]) -> Result<Vec<Self>, StudyError> {
        Self::check_names(names, &LIBRARIES)?;
        let wanted = |l: &&Self| names.is_empty() || names.iter().any(|name| name == l.name);
        Ok(LIBRARIES.iter().filter(wanted).copied().collect())
    }

    /// An error if a name is that of none of these.
    pub(crate) fn check_names(names: &[String], among: &[Self]) -> Result<(), StudyError> {
        let known = |name: &String| among.iter().any(|library| library.name == name);
        let Some(name) = names.iter().find(|name| !known(name)) else { return Ok(()) };
        let mut known: Vec<&str> = among.iter().map(|library| library.name).collect();
        known.dedup();
        Err(StudyError::NoSuchLibrary { name: name.clone(), known: known.join(", ") })
    }

    /// `group:artifact:version`.
    pub fn coordinates(&self) -> String {
        format!("{}:{}:{}", self.group, self.artifact, self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &[&str], expected: Result<&[&str], &str>) {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let outcome = Library::named(&names)
            .map(|found| found.iter().map(|l| l.name).collect::<Vec<_>>())
            .map_err(|error| error.to_string());
        assert_eq!(outcome.as_deref().map_err(String::as_str), expected);
    }

    #[test]
    fn libraries_go_by_name_and_keep_their_order() {
        check(&["guava", "jsoup"], Ok(&["jsoup", "guava"]));
        check(&[], Ok(&LIBRARIES.map(|l| l.name)));
        check(
            &["jsoup", "soup"],
            Err("no library is called `soup`; there are commons-cli, commons-codec, \
                 commons-lang3, commons-io, jsoup, guava"),
        );
    }
}
