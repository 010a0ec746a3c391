//! Where the compiler found errors, from what Maven printed.

use std::collections::BTreeSet;
use std::path::PathBuf;

/// A place in a source file; lines count from 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
}

/// The places that Maven's log names, each once: `[ERROR] /a/File.java:[12,34] message`.
pub(crate) fn places(log: &str) -> Vec<Place> {
    let place = |line: &str| {
        let rest = line.strip_prefix("[ERROR] ")?;
        let (file, rest) = rest.split_once(".java:[")?;
        let (line, _) = rest.split_once([',', ']'])?;
        Some(Place { file: PathBuf::from(format!("{file}.java")), line: line.parse().ok()? })
    };
    let places: BTreeSet<Place> = log.lines().filter_map(place).collect();
    places.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_compiler_are_found_once_and_others_are_not() {
        let log = "[INFO] building\n[ERROR] COMPILATION ERROR : \n\
            [ERROR] /p/src/test/java/a/BTest.java:[12,34] cannot find symbol\n\
            [ERROR]   symbol:   method m()\n\
            [WARNING] /p/src/test/java/a/BTest.java:[9,1] deprecated\n\
            [ERROR] Failed to execute goal\n\
            [ERROR] /p/src/test/java/a/BTest.java:[12,34] cannot find symbol\n\
            [ERROR] /p/src/test/java/a/ATest.java:[3] broken\n";
        let place = |file: &str, line| Place { file: PathBuf::from(file), line };
        assert_eq!(
            places(log),
            [place("/p/src/test/java/a/ATest.java", 3), place("/p/src/test/java/a/BTest.java", 12)]
        );
    }
}
