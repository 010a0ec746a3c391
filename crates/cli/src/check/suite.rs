//! The tests of a run: folders of sources or classes, and names of classes.

use std::path::{Path, PathBuf};

use toolchain::JUnitConsole;
use worker::Services;

use super::program::{Run, What, Workshop};
use crate::class_path::join;
use crate::exit::Failure;

/// Test classes.
pub(super) struct Suite {
    /// Where the classes are.
    pub(super) folders: Vec<PathBuf>,
    /// What stands beside sources, such as files that tests read.
    beside: Vec<PathBuf>,
    /// Those to run; none for all.
    classes: Vec<String>,
}

/// What is in a folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Classes,
    Sources,
    Neither,
}

impl Suite {
    /// The tests of the command line; sources among them are compiled.
    pub(super) fn of(
        workshop: &Workshop<'_>,
        services: &Services,
        project: &[PathBuf],
        dependencies: &[PathBuf],
    ) -> anyhow::Result<Self> {
        let mut suite = Self { folders: Vec::new(), beside: Vec::new(), classes: Vec::new() };
        let mut sources = Vec::new();
        for named in &workshop.options.tests {
            let path = Path::new(named);
            if let Ok(folder) = path.canonicalize()
                && folder.is_dir()
            {
                match kind(&folder) {
                    Kind::Classes => suite.folders.push(folder),
                    Kind::Sources => sources.push(folder),
                    Kind::Neither => {
                        let message =
                            format!("`{named}` has neither Java sources nor classes in it");
                        return Err(Failure::bad_input(message).into());
                    }
                }
            } else if path.exists() {
                let message =
                    format!("`{named}` is a file; --tests takes folders, and names of classes");
                return Err(Failure::bad_input(message).into());
            } else if named.contains('/') {
                let message = format!("there is no folder `{named}`");
                return Err(Failure::bad_input(message).into());
            } else {
                suite.classes.push(named.clone());
            }
        }
        if !sources.is_empty() {
            let path = [&suite.folders[..], project, dependencies].concat();
            let path = join(&with_junit(&path)?);
            for folder in sources {
                suite.folders.push(workshop.compile(services, &folder, &path)?);
                suite.beside.push(folder);
            }
        }
        for class in &mut suite.classes {
            let places = suite.folders.iter().chain(project);
            let found = places.filter_map(|folder| class_in(folder, class)).next();
            // It may be in a jar still; JUnit says so if it is not.
            *class = match found {
                Some(name) => name,
                None if project.iter().chain(dependencies).any(|entry| entry.is_file()) => continue,
                None => {
                    let message = format!("there is no folder and no test class `{class}`");
                    return Err(Failure::bad_input(message).into());
                }
            };
        }
        if suite.folders.is_empty() {
            suite.folders = project.to_vec();
        }
        Ok(suite)
    }

    /// The compiled tests of a module, or those of them that are named; `None` if it has none of them.
    pub(super) fn compiled(folder: &Path, named: &[String], is_found: &mut [bool]) -> Option<Self> {
        let mut classes = Vec::new();
        for (name, is_found) in named.iter().zip(is_found) {
            if let Some(class) = class_in(folder, name) {
                classes.push(class);
                *is_found = true;
            }
        }
        let is_there =
            if named.is_empty() { kind(folder) == Kind::Classes } else { !classes.is_empty() };
        is_there.then(|| Self { folders: vec![folder.to_owned()], beside: Vec::new(), classes })
    }

    /// Runs them on checked classes.
    pub(super) fn run(
        &self,
        checked: &[PathBuf],
        project: &[PathBuf],
        others: &[PathBuf],
        folder: Option<&Path>,
    ) -> anyhow::Result<Run> {
        let console = JUnitConsole::find(others)?;
        let path =
            [&*self.folders, &self.beside, checked, project, &console.first, others, &console.last];
        Ok(Run {
            class_path: join(&path.concat()),
            folder: folder.map(Path::to_owned),
            what: What::Tests { folders: self.folders.clone(), classes: self.classes.clone() },
        })
    }
}

/// The class path with JUnit in it.
fn with_junit(path: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let console = JUnitConsole::find(path)?;
    Ok([&*console.first, path, &console.last].concat())
}

/// The binary name of a class in a folder, given with dots for nested ones too.
fn class_in(folder: &Path, name: &str) -> Option<String> {
    let is_there =
        |name: &model::ClassName| folder.join(format!("{}.class", name.as_internal())).is_file();
    crate::names::resolve(name, is_there).map(|name| name.to_binary())
}

/// Classes count more: folders that have been built have both now and then.
fn kind(folder: &Path) -> Kind {
    let mut found = Kind::Neither;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
                continue;
            }
            match path.extension().and_then(|ending| ending.to_str()) {
                Some("class") => return Kind::Classes,
                Some("java") => found = Kind::Sources,
                _ => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_known_by_what_is_in_it() {
        let check = |files: &[&str], expected: Kind| {
            let folder = tempfile::tempdir().unwrap();
            for file in files {
                let path = folder.path().join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, "").unwrap();
            }
            assert_eq!(kind(folder.path()), expected, "{files:?}");
        };
        check(&["a/B.java", "a/b.txt"], Kind::Sources);
        check(&["a/B.java", "a/b/B.class"], Kind::Classes);
        check(&["a/b.txt"], Kind::Neither);
    }
}
