//! Which classes extend or implement which, and whose methods result in which.
//!
//! The first question reads the headers of all classes of the project and its dependencies, on all
//! cores, once. Of the JDK only the types those inherit from are read, so that a class which
//! extends `AbstractList` is found as a `List`; the JDK's own subtypes are a question apart, asked
//! of given packages.
//!
//! Invariant: answers are sorted, whichever thread read what.

use std::sync::{Arc, PoisonError};
use std::thread;

use classfile::{ClassFile, ClassFileError, flags};
use model::{ClassName, Origin};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Diagnostic, World};

/// Classes are handed to threads in portions of at least this many.
const PORTION: usize = 128;

/// What the headers of all classes of the class path say.
#[derive(Debug)]
pub(crate) struct Headers {
    /// Direct subtypes by supertype, among these classes and what they inherit from.
    children: FxHashMap<ClassName, Vec<ClassName>>,
    /// Classes by what methods result in that others can call.
    returning: FxHashMap<ClassName, Vec<ClassName>>,
}

/// What is read of one class.
#[derive(Default)]
struct Header {
    parents: Vec<ClassName>,
    results: Vec<ClassName>,
}

impl World {
    /// The classes and interfaces of the project and its dependencies that extend or implement the
    /// given one, directly or not, concrete or not, sorted; itself is not among them.
    pub fn subtypes(&self, name: &ClassName) -> Vec<ClassName> {
        let headers = self.headers.get_or_init(|| self.scan());
        let mut found: FxHashSet<&ClassName> = FxHashSet::default();
        let mut pending = vec![name];
        while let Some(parent) = pending.pop() {
            for child in headers.children.get(parent).into_iter().flatten() {
                if found.insert(child) {
                    pending.push(child);
                }
            }
        }
        let on_path =
            |child: &&ClassName| *child != name && self.class_path().contains(child.as_internal());
        let mut found: Vec<ClassName> = found.into_iter().filter(on_path).cloned().collect();
        found.sort_unstable();
        found
    }

    /// The classes of the project and its dependencies with methods, not private, whose result is
    /// declared as the given class, sorted.
    pub fn returning(&self, name: &ClassName) -> Vec<ClassName> {
        let headers = self.headers.get_or_init(|| self.scan());
        let mut found = headers.returning.get(name).cloned().unwrap_or_default();
        found.sort_unstable();
        found
    }

    /// The classes and interfaces in the given packages (internal form) of the JDK that extend or
    /// implement the given one, directly or not, sorted; itself is not among them.
    pub fn jdk_subtypes(&self, name: &ClassName, packages: &[&str]) -> Vec<ClassName> {
        let mut known = FxHashMap::from_iter([(name.clone(), true)]);
        let mut found = Vec::new();
        for package in packages {
            if self.jdk().module_of_package(package).is_none() {
                continue;
            }
            for class in self.package_classes(package) {
                if self.jdk_inherits(&class, &mut known) && class != *name {
                    found.push(class);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether the class, one of the JDK's, inherits from one that is known to.
    fn jdk_inherits(&self, class: &ClassName, known: &mut FxHashMap<ClassName, bool>) -> bool {
        if let Some(known) = known.get(class) {
            return *known;
        }
        // Entered before its parents are looked at: a circle ends here.
        known.insert(class.clone(), false);
        let parents = self.parents_in_jdk(class);
        let inherits = parents.iter().any(|parent| self.jdk_inherits(parent, known));
        known.insert(class.clone(), inherits);
        inherits
    }

    fn scan(&self) -> Headers {
        let names: Vec<&ClassName> = self.class_path().names().collect();
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let portion = names.len().div_ceil(threads).max(PORTION);
        let mut children: FxHashMap<ClassName, Vec<ClassName>> = FxHashMap::default();
        let mut returning: FxHashMap<ClassName, Vec<ClassName>> = FxHashMap::default();
        thread::scope(|scope| {
            let read = |names: &[&ClassName]| -> Vec<_> {
                names.iter().map(|name| ((*name).clone(), self.header(name))).collect()
            };
            let running: Vec<_> =
                names.chunks(portion).map(|names| scope.spawn(move || read(names))).collect();
            for thread in running {
                let pairs = thread.join().expect("reading a class does not panic");
                for (class, header) in pairs {
                    for parent in header.parents {
                        children.entry(parent).or_default().push(class.clone());
                    }
                    for result in header.results {
                        returning.entry(result).or_default().push(class.clone());
                    }
                }
            }
        });
        self.add_jdk_parents(&mut children);
        Headers { children, returning }
    }

    /// Adds what the classes of the JDK that occur as parents inherit from in turn.
    fn add_jdk_parents(&self, children: &mut FxHashMap<ClassName, Vec<ClassName>>) {
        let mut pending: Vec<ClassName> = children.keys().cloned().collect();
        let mut seen: FxHashSet<ClassName> = FxHashSet::default();
        while let Some(class) = pending.pop() {
            if !seen.insert(class.clone()) || self.origin(&class) != Some(Origin::Jdk) {
                continue;
            }
            for parent in self.parents_in_jdk(&class).iter() {
                children.entry(parent.clone()).or_default().push(class.clone());
                pending.push(parent.clone());
            }
        }
    }

    /// The parents of a class of the JDK, kept once read.
    fn parents_in_jdk(&self, class: &ClassName) -> Arc<[ClassName]> {
        let known = self.jdk_parents.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(parents) = known.get(class) {
            return Arc::clone(parents);
        }
        drop(known);
        let parents: Arc<[ClassName]> = self.header(class).parents.into();
        let mut known = self.jdk_parents.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(class.clone()).or_insert(parents))
    }

    /// What the header of a class says; nothing if it cannot be read, which is told.
    fn header(&self, name: &ClassName) -> Header {
        let Some(file) = self.class_file(name) else { return Header::default() };
        header_of(&file).unwrap_or_else(|error| {
            self.tell([Diagnostic::new(self.location(name), error)]);
            Header::default()
        })
    }
}

fn header_of(file: &ClassFile) -> Result<Header, ClassFileError> {
    let mut parents = Vec::with_capacity(file.interfaces.len() + 1);
    parents.extend(file.super_name()?.as_deref().map(ClassName::internal));
    parents.extend(file.interface_names()?.iter().map(|name| ClassName::internal(name)));
    let mut results = Vec::new();
    for method in &file.methods {
        if method.has_flag(flags::PRIVATE) || method.has_flag(flags::SYNTHETIC) {
            continue;
        }
        let descriptor = method.descriptor(&file.pool)?;
        let result = descriptor.split_once(")L").and_then(|(_, name)| name.strip_suffix(';'));
        let result = result.filter(|name| !is_everywhere(name)).map(ClassName::internal);
        results.extend(result.filter(|result| !results.contains(result)));
    }
    Ok(Header { parents, results })
}

/// Whether a type is what methods of most classes result in, so that nobody asks for them.
fn is_everywhere(name: &str) -> bool {
    matches!(name, "java/lang/Object" | "java/lang/String" | "java/lang/Class")
}
