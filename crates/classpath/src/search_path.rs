//! Where a class loader looks: the entries of a class path, and what the manifests of jars name,
//! whether or not it is there.
//!
//! Who watches code that looks for files has to know these places: a class loader looks there on
//! nobody's behalf. [`crate::ClassPath`] tells only what it could open.

use std::path::{Component, Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::jar::Jar;
use crate::manifest::resolve;

/// Finds the places; jars once read are remembered.
#[derive(Default, Debug)]
pub struct SearchPath {
    named: FxHashMap<PathBuf, Vec<PathBuf>>,
}

impl SearchPath {
    /// The entries and all that is named by them, or by what they name.
    pub fn places(&mut self, entries: &[PathBuf]) -> Vec<PathBuf> {
        let mut places = Vec::new();
        let mut pending: Vec<PathBuf> = entries.iter().rev().cloned().collect();
        while let Some(entry) = pending.pop() {
            if places.contains(&entry) {
                continue;
            }
            let named = self.named.entry(entry.clone()).or_insert_with(|| named_by(&entry));
            pending.extend(named.iter().rev().cloned());
            places.push(entry);
        }
        places
    }
}

/// What a jar's manifest names; nothing if it cannot be read, for then no class loader can either.
fn named_by(entry: &Path) -> Vec<PathBuf> {
    if !entry.is_file() {
        return Vec::new();
    }
    // The release bears on classes only.
    let Ok((_, contents)) = Jar::open(entry, 0) else { return Vec::new() };
    let targets = contents.class_path.iter().filter_map(|name| resolve(entry, name));
    targets.map(|target| without_dots(&target)).collect()
}

/// The path as a URL has it: `..` takes away what stands before it, whatever that is.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_resolved_as_in_a_url() {
        let check = |path: &str, plain: &str| {
            assert_eq!(without_dots(Path::new(path)), Path::new(plain));
        };
        check("/a/b/../c.jar", "/a/c.jar");
        check("/a/./b", "/a/b");
        check("/../a", "/a");
    }
}
