//! For which Java release the classes in a directory were compiled.
//!
//! Read from the class files (JVM specification 4.1: `major_version` is 44 plus the release),
//! which is what was really compiled, however many settings of the build took part in it.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use crate::ToolchainError;

/// The highest release of the class files below `directory`, or `None` if it has none.
pub(crate) fn release_of(directory: &Path) -> Result<Option<u16>, ToolchainError> {
    let mut highest = None;
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        if !directory.is_dir() {
            continue;
        }
        let entries = fs::read_dir(&directory).map_err(ToolchainError::io("list", &directory))?;
        for entry in entries {
            let entry = entry.map_err(ToolchainError::io("list", &directory))?;
            let path = entry.path();
            let kind = entry.file_type().map_err(ToolchainError::io("read", &path))?;
            let is_class = path.extension().is_some_and(|extension| extension == "class");
            if kind.is_dir() {
                // Classes below are for other releases (multi-release jars).
                if !path.ends_with("META-INF/versions") {
                    pending.push(path);
                }
            } else if is_class && path.file_stem().is_some_and(|name| name != "module-info") {
                highest = highest.max(release(&path)?);
            }
        }
    }
    Ok(highest)
}

/// The release of one class file; `None` if it is not one.
fn release(path: &Path) -> Result<Option<u16>, ToolchainError> {
    let mut header = [0; 8];
    let mut file = File::open(path).map_err(ToolchainError::io("open", path))?;
    if file.read_exact(&mut header).is_err() {
        return Ok(None);
    }
    let is_class = header[..4] == [0xca, 0xfe, 0xba, 0xbe];
    let major = u16::from_be_bytes([header[6], header[7]]);
    Ok(major.checked_sub(44).filter(|_| is_class))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[(&str, &[u8])], expected: Option<u16>) {
        let directory = tempfile::tempdir().expect("a temporary directory");
        for (name, bytes) in files {
            let path = directory.path().join(name);
            fs::create_dir_all(path.parent().expect("in the directory")).expect("a directory");
            fs::write(path, bytes).expect("a file");
        }
        assert_eq!(release_of(directory.path()).expect("readable"), expected);
    }

    const JAVA_8: &[u8] = &[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52];
    const JAVA_17: &[u8] = &[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61];

    #[test]
    fn the_highest_release_counts_but_not_that_of_variants() {
        check(&[("a/A.class", JAVA_8), ("a/b/B.class", JAVA_17)], Some(17));
        check(&[("A.class", JAVA_8), ("META-INF/versions/17/A.class", JAVA_17)], Some(8));
        check(&[("A.class", JAVA_8), ("module-info.class", JAVA_17)], Some(8));
        check(&[("A.class", b"no class"), ("B.class", b"")], None);
        check(&[], None);
    }
}
