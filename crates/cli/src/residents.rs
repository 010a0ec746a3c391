//! The test files that are in a test folder before a run: the user's own, and those of earlier runs.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// Folders below folders that are looked into; links may go round in circles.
const MAX_DEPTH: usize = 40;

/// The Java files below a folder that have to do with JUnit, without those written by this run: each
/// by its path below the folder, with its text, sorted.
pub(crate) fn test_files(
    folder: &Path,
    written: &BTreeSet<PathBuf>,
) -> io::Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    if folder.is_dir() {
        collect(folder, Path::new(""), MAX_DEPTH, &mut files)?;
    }
    files.sort();
    let mut found = Vec::new();
    for path in files.iter().filter(|path| !written.contains(&folder.join(path))) {
        // Sources in another encoding are not read, nor do they keep others from it.
        let Ok(text) = std::fs::read_to_string(folder.join(path)) else { continue };
        let Some(path) = path.to_str() else { continue };
        if text.contains("org.junit") && is_in_its_package(path, &text) {
            found.push((path.to_owned(), text));
        }
    }
    Ok(found)
}

fn collect(root: &Path, below: &Path, depth: usize, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(root.join(below))? {
        let entry = entry?;
        let path = below.join(entry.file_name());
        if entry.path().is_dir() {
            if depth > 0 {
                collect(root, &path, depth - 1, files)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "java") {
            files.push(path);
        }
    }
    Ok(())
}

/// Whether the file lies where its package says, or it is no file of this folder's tests.
fn is_in_its_package(path: &str, text: &str) -> bool {
    let package =
        text.lines().find_map(|line| line.trim().strip_prefix("package ")?.split(';').next());
    let folder = Path::new(path).parent().and_then(Path::to_str).unwrap_or_default();
    package.unwrap_or_default().trim().replace('.', "/") == folder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_files_are_those_of_junit_in_the_folders_of_their_packages() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |path: &str, text: &str| {
            let file = folder.path().join(path);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            std::fs::write(&file, text).expect("a file");
            file
        };
        let test = "package a.b;\nimport org.junit.Test;";
        write("a/b/OldTest.java", test);
        write("NoPackageTest.java", "import org.junit.jupiter.api.Test;");
        write("a/b/Helper.java", "package a.b;");
        write("src/a/b/MisplacedTest.java", test);
        write("a/b/notes.txt", test);
        let written = BTreeSet::from([write("a/b/NewTest.java", test)]);
        let found = test_files(folder.path(), &written).expect("a readable folder");
        let paths: Vec<&str> = found.iter().map(|(path, _)| &**path).collect();
        assert_eq!(paths, ["NoPackageTest.java", "a/b/OldTest.java"]);
        let none = test_files(&folder.path().join("missing"), &written).expect("no folder");
        assert!(none.is_empty());
    }
}
