//! The Java files that are in a test folder before a run: the user's tests, those of earlier runs, and
//! what they need. Which of them are tests the runner finds out, not the text.
//!
//! Invariant: a file that is not handed on is named, with the reason.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// Folders below folders that are looked into; links may go round in circles.
const MAX_DEPTH: usize = 40;
/// They declare no class.
const WITHOUT_CLASS: [&str; 2] = ["module-info.java", "package-info.java"];

/// See the module.
#[derive(Default, Debug)]
pub(crate) struct JavaFiles {
    /// Each by its path below the folder, with its text, sorted.
    pub(crate) files: Vec<(String, String)>,
    /// Files and folders that are not among them, with the reason, a line each.
    pub(crate) left_out: Vec<String>,
}

/// The Java files below a folder, without those written by this run.
pub(crate) fn java_files(folder: &Path, written: &BTreeSet<PathBuf>) -> JavaFiles {
    let mut found = JavaFiles::default();
    let mut paths = Vec::new();
    if folder.is_dir() {
        collect(folder, Path::new(""), MAX_DEPTH, &mut paths, &mut found.left_out);
    }
    paths.sort();
    for path in paths.iter().filter(|path| !written.contains(&folder.join(path))) {
        match readable(folder, path) {
            Ok(file) => found.files.push(file),
            Err(why) => found.left_out.push(format!("{}: {why}", path.display())),
        }
    }
    found
}

/// A file's path as text and what is in it, or why it takes no part.
fn readable(folder: &Path, path: &Path) -> Result<(String, String), String> {
    let name = path.to_str().ok_or("its name is not UTF-8")?;
    let bytes = std::fs::read(folder.join(path)).map_err(|error| error.to_string())?;
    let text = decoded(bytes);
    let package = package_of(&text).replace('.', "/");
    let lies_in = Path::new(name).parent().and_then(Path::to_str).unwrap_or_default();
    if package != lies_in {
        return Err("it does not lie in the folder of its package".to_owned());
    }
    Ok((name.to_owned(), text))
}

/// Sources that are not UTF-8 are nearly always ISO-8859-1 or close to it, where a byte is a character.
fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().copied().map(char::from).collect())
}

fn collect(
    root: &Path,
    below: &Path,
    depth: usize,
    paths: &mut Vec<PathBuf>,
    left_out: &mut Vec<String>,
) {
    let entries = std::fs::read_dir(root.join(below));
    let entries = entries.and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = entries.unwrap_or_else(|error| {
        left_out.push(format!("{}: {error}", root.join(below).display()));
        Vec::new()
    });
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = below.join(entry.file_name());
        if entry.path().is_dir() {
            if depth > 0 {
                collect(root, &path, depth - 1, paths, left_out);
            } else {
                left_out.push(format!("{}: too many folders deep", path.display()));
            }
        } else if path.extension().is_some_and(|extension| extension == "java")
            && !WITHOUT_CLASS.iter().any(|name| path.ends_with(name))
        {
            paths.push(path);
        }
    }
}

/// The package that a source says it is in: its first words that are no comment; empty if none.
fn package_of(text: &str) -> String {
    let rest = after_comments(text.trim_start_matches('\u{feff}'));
    let Some(rest) = rest.strip_prefix("package") else { return String::new() };
    if !rest.starts_with(|c: char| c.is_whitespace() || c == '/') {
        return String::new();
    }
    let name = after_comments(rest).split(';').next().unwrap_or_default();
    name.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The text without the white space and comments that it begins with.
fn after_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let comment_end = if rest.starts_with("//") {
            "\n"
        } else if rest.starts_with("/*") {
            "*/"
        } else {
            return rest;
        };
        rest = rest[2..].split_once(comment_end).map_or("", |(_, rest)| rest).trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_handed_on_or_named_with_the_reason() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |path: &str, text: &[u8]| {
            let file = folder.path().join(path);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            std::fs::write(&file, text).expect("a file");
            file
        };
        let test = b"package a.b;\nimport org.junit.Test;";
        write("a/b/OldTest.java", test);
        write("NoPackageTest.java", b"import org.junit.jupiter.api.Test;");
        write("a/b/Helper.java", b"package a.b;");
        write("a/b/CommentedTest.java", b"// c\n/*\npackage z;\n*/ package a . b;");
        write("a/b/LatinTest.java", b"package a.b; // \xe9t\xe9");
        write("a/b/package-info.java", b"package a.b;");
        write("src/a/b/MisplacedTest.java", test);
        write("a/b/notes.txt", test);
        let dangling = folder.path().join("a/b/GoneTest.java");
        std::os::unix::fs::symlink("nowhere", dangling).expect("a link");
        let written = BTreeSet::from([write("a/b/NewTest.java", test)]);
        let found = java_files(folder.path(), &written);
        let paths: Vec<&str> = found.files.iter().map(|(path, _)| &**path).collect();
        let expected =
            ["NoPackageTest", "a/b/CommentedTest", "a/b/Helper", "a/b/LatinTest", "a/b/OldTest"];
        assert_eq!(paths, expected.map(|name| format!("{name}.java")));
        assert!(found.files[3].1.ends_with("été"), "{:?}", found.files[3]);
        let [gone, misplaced] = &found.left_out[..] else { panic!("{:?}", found.left_out) };
        assert!(gone.starts_with("a/b/GoneTest.java: No such file"), "{gone}");
        let why = "src/a/b/MisplacedTest.java: it does not lie in the folder of its package";
        assert_eq!(misplaced, why);
        let none = java_files(&folder.path().join("missing"), &written);
        assert!(none.files.is_empty() && none.left_out.is_empty());
    }

    #[test]
    fn the_package_is_what_comes_first_but_for_comments() {
        let check = |text: &str, package: &str| assert_eq!(package_of(text), package, "{text}");
        check("package a.b;", "a.b");
        check("\u{feff}/* package x; */\n// package y;\npackage /* z */ a;", "a");
        check("import a.B;\nclass C { String package = \"package a;\"; }", "");
        check("packages();", "");
        check("/* no end", "");
        check("", "");
    }
}
