//! The dependencies of a project, as `dependency:list` prints them.
//!
//! One line each, in class path order: `group:artifact:type[:classifier]:version:scope:path`,
//! followed by remarks such as ` -- module name` or ` (optional)`.

use std::path::PathBuf;

/// A jar or class directory that a project depends on, directly or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// Group id.
    pub group: String,
    /// Artifact id.
    pub artifact: String,
    /// Version.
    pub version: String,
    /// When it is needed.
    pub scope: Scope,
    /// The jar, or the class directory of a module of the same build.
    pub file: PathBuf,
}

/// When a dependency is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Always.
    Compile,
    /// To compile and test; at run time somebody else brings it.
    Provided,
    /// To run and test.
    Runtime,
    /// To test.
    Test,
    /// To compile and test, from a fixed place.
    System,
}

impl Scope {
    fn parse(name: &str) -> Option<Self> {
        match name {
            "compile" => Some(Self::Compile),
            "provided" => Some(Self::Provided),
            "runtime" => Some(Self::Runtime),
            "test" => Some(Self::Test),
            "system" => Some(Self::System),
            _ => None,
        }
    }

    /// Whether it is on the class path when the program runs.
    pub fn is_runtime(self) -> bool {
        matches!(self, Self::Compile | Self::Runtime)
    }
}

/// Reads the output of `dependency:list`; the error is the line that is not understood.
pub(crate) fn parse_list(text: &str) -> Result<Vec<Dependency>, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .filter(|line| *line != "none" && !line.starts_with("The following files"))
        .map(|line| parse_line(line).ok_or_else(|| format!("not a dependency: `{line}`")))
        .collect()
}

fn parse_line(line: &str) -> Option<Dependency> {
    let line = line.split(" -- module ").next()?;
    let mut fields = line.splitn(5, ':');
    let (group, artifact, _kind) = (fields.next()?, fields.next()?, fields.next()?);
    let (fourth, rest) = (fields.next()?, fields.next()?);
    let (fifth, rest) = rest.split_once(':')?;
    // The fourth field is the version, or a classifier that stands before it.
    let (version, scope, file) = match scope_of(fifth) {
        Some(scope) => (fourth, scope, rest),
        None => {
            let (sixth, rest) = rest.split_once(':')?;
            (fifth, scope_of(sixth)?, rest)
        }
    };
    let file = file.trim().trim_end_matches("(optional)").trim_end();
    Some(Dependency {
        group: group.to_owned(),
        artifact: artifact.to_owned(),
        version: version.to_owned(),
        scope,
        file: PathBuf::from(file),
    })
}

fn scope_of(field: &str) -> Option<Scope> {
    Scope::parse(field.trim().trim_end_matches("(optional)").trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, artifact: &str, version: &str, scope: Scope, file: &str) {
        let parsed = parse_line(line).unwrap_or_else(|| panic!("not understood: {line}"));
        assert_eq!((parsed.artifact.as_str(), parsed.version.as_str()), (artifact, version));
        assert_eq!((parsed.scope, parsed.file), (scope, PathBuf::from(file)));
    }

    #[test]
    fn remarks_and_classifiers_are_understood() {
        check("g:a:jar:1.0:test:/r/a.jar -- module a.b", "a", "1.0", Scope::Test, "/r/a.jar");
        check("g:a:jar:linux:2:compile:/r/a.jar", "a", "2", Scope::Compile, "/r/a.jar");
        check("g:a:jar:2:runtime (optional):/r/a.jar", "a", "2", Scope::Runtime, "/r/a.jar");
        check("g:a:jar:2:compile:/r/a.jar (optional) ", "a", "2", Scope::Compile, "/r/a.jar");
        check("g:a:test-jar:tests:2:test:C:\\r\\a.jar", "a", "2", Scope::Test, "C:\\r\\a.jar");
    }

    #[test]
    fn headings_are_skipped_and_anything_else_is_an_error() {
        let none = "\nThe following files have been resolved:\n   none\n\n";
        assert_eq!(parse_list(none), Ok(vec![]));
        assert_eq!(parse_list("surprise"), Err("not a dependency: `surprise`".to_owned()));
    }
}
