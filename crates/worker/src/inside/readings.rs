//! Reads classes for the analyses and remembers those that could not be.
//!
//! A search does without what an analysis cannot tell, so a class that cannot be read is no error; but
//! it is searched worse than others, and its report says so.
//!
//! Invariant: the notes depend on the classes only, not on the order in which they were read.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::error::Error;

use classfile::{ClassFile, ClassFileError};
use classpath::World;
use model::ClassName;

use crate::checked::CheckedClasses;
use crate::inside::describe;

/// Classes that are named in the notes of one; the rest is counted.
const MAX_NAMED: usize = 5;

/// The classes at hand, to be analysed.
pub(crate) struct Readings<'w> {
    pub(crate) world: &'w World,
    /// Those that could not be, with the first reason.
    failed: RefCell<BTreeMap<ClassName, String>>,
}

impl<'w> Readings<'w> {
    pub(crate) fn new(world: &'w World) -> Self {
        Self { world, failed: RefCell::default() }
    }

    /// What an analysis says of a class; nothing if there is none or it cannot be analysed.
    pub(crate) fn of<T, E: Error>(
        &self,
        name: &ClassName,
        analyse: impl FnOnce(&ClassFile) -> Result<T, E>,
    ) -> Option<T> {
        self.analysed(name, &self.world.class_bytes(name)?, analyse)
    }

    /// The same of the class as a search loads it: with its contracts checked, if they are.
    pub(crate) fn of_loaded<T, E: Error>(
        &self,
        name: &ClassName,
        checked: Option<&CheckedClasses>,
        analyse: impl FnOnce(&ClassFile) -> Result<T, E>,
    ) -> Option<T> {
        let with_checks = checked.and_then(|checked| checked.class_bytes(name));
        let bytes = with_checks.or_else(|| self.world.class_bytes(name))?;
        self.analysed(name, &bytes, analyse)
    }

    /// The class as it is, if a search loads another in its place.
    pub(crate) fn without_checks(
        &self,
        name: &ClassName,
        checked: Option<&CheckedClasses>,
    ) -> Option<ClassFile> {
        checked?.class_bytes(name)?;
        self.of(name, |class| Ok::<_, ClassFileError>(class.clone()))
    }

    fn analysed<T, E: Error>(
        &self,
        name: &ClassName,
        bytes: &[u8],
        analyse: impl FnOnce(&ClassFile) -> Result<T, E>,
    ) -> Option<T> {
        let why = match ClassFile::parse(bytes) {
            Ok(class) => match analyse(&class) {
                Ok(told) => return Some(told),
                Err(error) => describe(&error),
            },
            Err(error) => describe(&error),
        };
        self.failed.borrow_mut().entry(name.clone()).or_insert(why);
        None
    }

    /// A line for each class that could not be analysed.
    pub(crate) fn notes(&self) -> Vec<String> {
        notes(&self.failed.borrow())
    }
}

fn notes(failed: &BTreeMap<ClassName, String>) -> Vec<String> {
    let named = failed.iter().take(MAX_NAMED);
    let mut notes: Vec<String> =
        named.map(|(class, why)| format!("not analysed: {class}: {why}")).collect();
    if failed.len() > MAX_NAMED {
        notes.push(format!("not analysed: {} more classes", failed.len() - MAX_NAMED));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_that_cannot_be_analysed_are_named_and_many_are_counted() {
        let failed = |number: usize| -> Vec<String> {
            let name = |at| ClassName::internal(&format!("a/B{at}"));
            notes(&(0..number).map(|at| (name(at), "why".to_owned())).collect())
        };
        assert_eq!(failed(0), [] as [&str; 0]);
        assert_eq!(failed(1), ["not analysed: a.B0: why"]);
        let many = failed(8);
        assert_eq!(many.len(), 6);
        assert_eq!(many[5], "not analysed: 3 more classes");
    }
}
