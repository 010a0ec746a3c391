//! Class paths as typed: `:` between entries, `folder/*` for the jars of a folder as with `java`.
//!
//! What was typed and cannot be meant is refused here, in the words of whoever typed it.

use std::path::{Path, PathBuf};

use classpath::{Diagnostic, Reason, World};

use crate::exit::Failure;

/// The entries, as absolute paths that exist; empty ones are passed over.
pub(crate) fn entries(path: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for entry in path.split(':').filter(|e| !e.is_empty()) {
        match entry.strip_suffix('*') {
            Some(folder) if folder.is_empty() || folder.ends_with('/') => {
                let folder = if folder.is_empty() { "." } else { folder };
                let jars = jars_in(&existing(folder)?)?;
                if jars.is_empty() {
                    let message = format!("there is no jar in `{folder}`, so `{entry}` names none");
                    return Err(Failure::bad_input(message));
                }
                found.extend(jars);
            }
            _ => {
                let path = existing(entry)?;
                refuse_what_holds_no_classes(entry, &path)?;
                found.push(path);
            }
        }
    }
    Ok(found)
}

pub(crate) fn join(paths: &[PathBuf]) -> String {
    paths.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(":")
}

fn cannot_be_read(entry: &str, error: &std::io::Error) -> Failure {
    let why = match error.kind() {
        std::io::ErrorKind::NotFound => "does not exist".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    Failure::bad_input(format!("the class path entry `{entry}` {why}"))
}

fn existing(entry: &str) -> Result<PathBuf, Failure> {
    Path::new(entry).canonicalize().map_err(|error| cannot_be_read(entry, &error))
}

/// The jars of a folder, not of those below it, sorted so that every run sees the same order.
fn jars_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let refuse = |error| cannot_be_read(&folder.display().to_string(), &error);
    let mut jars = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(refuse)? {
        let path = entry.map_err(refuse)?.path();
        if has_extension(&path, "jar") && path.is_file() {
            jars.push(path);
        }
    }
    jars.sort();
    Ok(jars)
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(extension))
}

/// A folder of jars, a class file and a source file are mistaken for a class path now and then.
fn refuse_what_holds_no_classes(entry: &str, path: &Path) -> Result<(), Failure> {
    let refuse =
        |why: &str| Err(Failure::bad_input(format!("the class path entry `{entry}` {why}")));
    if path.is_dir() {
        let jars = jars_in(path)?;
        if !jars.is_empty() && is_flat_without_classes(path) {
            let folder = entry.trim_end_matches('/');
            return refuse(&format!("holds jars but no classes; `{folder}/*` names its jars"));
        }
        return Ok(());
    }
    if has_extension(path, "class") {
        return refuse("is a class; name the folder that its package begins in, and --class");
    }
    if has_extension(path, "java") {
        return refuse("is a source file; compile it, and name the folder of its classes");
    }
    Ok(())
}

/// Whether a folder has neither folders nor classes in it.
fn is_flat_without_classes(folder: &Path) -> bool {
    let Ok(mut entries) = std::fs::read_dir(folder) else { return false };
    entries.all(|entry| {
        entry.is_ok_and(|entry| {
            let path = entry.path();
            !path.is_dir() && !has_extension(&path, "class")
        })
    })
}

/// An entry that was named and cannot be opened is a mistake; one bad class in it is not.
pub(crate) fn refuse_broken_entries(world: &World, named: &[PathBuf]) -> Result<(), Failure> {
    let is_broken = |reason: &Reason| {
        matches!(reason, Reason::Zip(_) | Reason::Io(_) | Reason::Missing | Reason::NoFile)
    };
    for diagnostic in world.diagnostics() {
        if is_broken(&diagnostic.reason)
            && named.iter().any(|entry| entry.display().to_string() == diagnostic.path)
        {
            return Err(Failure::bad_input(format!(
                "the class path entry {}",
                plainly(&diagnostic)
            )));
        }
    }
    Ok(())
}

/// What is wrong with a file, without the words of those who read zip files.
pub(crate) fn plainly(diagnostic: &Diagnostic) -> String {
    let Diagnostic { path, reason } = diagnostic;
    let Reason::Zip(_) = reason else { return diagnostic.to_string() };
    if path.contains('!') {
        return format!("{path}: is damaged in its jar");
    }
    let why = match std::fs::metadata(path) {
        Ok(data) if data.len() == 0 => "is empty",
        _ => "is no jar, or a damaged one; was it downloaded or copied completely?",
    };
    format!("{path}: {why}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        folder
    }

    fn check(files: &[&str], typed: &str, expected: Result<&[&str], &str>) {
        let folder = folder(files);
        let root = folder.path().canonicalize().unwrap();
        let found = entries(&typed.replace("ROOT", root.to_str().unwrap()));
        let relative = |path: &PathBuf| path.strip_prefix(&root).unwrap().display().to_string();
        match (found, expected) {
            (Ok(found), Ok(expected)) => {
                assert_eq!(found.iter().map(relative).collect::<Vec<_>>(), expected);
            }
            (Err(error), Err(part)) => {
                let message = error.to_string().replace(root.to_str().unwrap(), "ROOT");
                assert!(message.contains(part), "no `{part}` in: {message}");
            }
            (found, expected) => panic!("{found:?} is not {expected:?}"),
        }
    }

    #[test]
    fn a_star_stands_for_the_jars_of_a_folder() {
        let files = ["lib/b.jar", "lib/a.JAR", "lib/a.txt", "lib/below/c.jar", "x.jar"];
        check(&files, "ROOT/x.jar:ROOT/lib/*", Ok(&["x.jar", "lib/a.JAR", "lib/b.jar"]));
        check(&files, "ROOT/lib/below/*:", Ok(&["lib/below/c.jar"]));
        check(&["lib/a.txt"], "ROOT/lib/*", Err("no jar in `ROOT/lib/`"));
        check(&[], "ROOT/lib/*", Err("`ROOT/lib/` does not exist"));
    }

    #[test]
    fn a_folder_of_jars_is_refused_with_what_names_them() {
        let files = ["lib/b.jar", "lib/LICENSE"];
        check(&files, "ROOT/lib", Err("`ROOT/lib/*` names its jars"));
        check(&files, "ROOT/lib/", Err("`ROOT/lib/*` names its jars"));
        check(&["c/b.jar", "c/A.class"], "ROOT/c", Ok(&["c"]));
        check(&["c/b.jar", "c/a/A.class"], "ROOT/c", Ok(&["c"]));
    }

    #[test]
    fn files_that_are_no_class_path_are_refused() {
        check(&["a/B.class"], "ROOT/a/B.class", Err("name the folder"));
        check(&["a/B.java"], "ROOT/a/B.java", Err("compile it"));
        check(&[], "ROOT/absent.jar", Err("`ROOT/absent.jar` does not exist"));
    }
}
