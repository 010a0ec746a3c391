//! Classes that the classes under test need and that are on no class path.
//!
//! Told by class files, before anything runs, so that the answer does not depend on what the search
//! happened to reach: every class that a class under test names in its code or declarations must be
//! there, and so must the supertypes of what it uses. What a worker's JVM missed beyond that is taken
//! from its errors; if those give no name, it is looked for in the dependencies, the nearest first.
//! Annotations do not count: a JVM does without.

use std::collections::{BTreeMap, BTreeSet};

use classfile::{ClassFile, Constant};
use classpath::World;
use model::{Class, ClassName, ClassSource, Origin, Type};
use search::{Reason, ReasonCode};
use serde::Serialize;

use crate::summary::count;

/// Warnings about missing classes; the rest is counted.
const MAX_WARNINGS: usize = 5;

/// From a class under test to the one that names what is missing, in steps from class to class.
const MAX_DISTANCE: usize = 4;

/// A class that is not there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct MissingClass {
    pub(crate) name: String,
    /// The classes that name it.
    pub(crate) needed_by: BTreeSet<String>,
}

/// How what is missing can be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Remedy {
    /// By an option.
    Dependencies,
    /// By the project's build file.
    Pom,
}

/// Missing classes by name, with those that need them.
#[derive(Default, Debug)]
pub(crate) struct Missing(BTreeMap<String, BTreeSet<String>>);

impl Missing {
    /// Looks through the class files of classes under test, their private and local classes
    /// included.
    pub(crate) fn add_needs_of(&mut self, world: &World, classes: &[ClassName]) {
        let mut seen = BTreeSet::new();
        let mut loaded = BTreeSet::new();
        for class in classes {
            let nested = format!("{}$", class.as_internal());
            let inside = world.project_classes().iter();
            let inside = inside.filter(|other| other.as_internal().starts_with(&nested));
            for class in inside.chain([class]) {
                if seen.insert(class.clone()) {
                    for name in named_by(world, class) {
                        self.need(world, &name, class);
                        self.add_supertypes(world, name, &mut loaded);
                    }
                }
            }
        }
    }

    /// A class cannot be loaded without its supertypes.
    fn add_supertypes(&mut self, world: &World, name: ClassName, loaded: &mut BTreeSet<ClassName>) {
        let mut pending = vec![name];
        while let Some(name) = pending.pop() {
            let is_ours = world.origin(&name).is_some_and(|origin| origin != Origin::Jdk);
            if !is_ours || !loaded.insert(name.clone()) {
                continue;
            }
            let Some(class) = world.class(&name) else { continue };
            for supertype in class.superclass.iter().chain(&class.interfaces) {
                self.need(world, supertype, &name);
                pending.push(supertype.clone());
            }
        }
    }

    /// Looks through what a search said of a class.
    pub(crate) fn add_errors_of(&mut self, world: &World, class: &str, reasons: &[Reason]) {
        let by = ClassName::binary(class);
        let mut is_unnamed = false;
        for reason in reasons.iter().filter(|r| r.detail.contains("NoClassDefFoundError")) {
            match not_found(&reason.detail) {
                Some(name) => self.need(world, &name, &by),
                // A class whose initializer failed is not missing.
                None => is_unnamed |= reason.code == ReasonCode::AlwaysThrows,
            }
        }
        let is_known = self.0.values().any(|needed_by| needed_by.contains(class));
        if is_unnamed && !is_known {
            self.add_nearest(world, by);
        }
    }

    /// A dependency needs something, too: the nearest class that names one which is not there.
    fn add_nearest(&mut self, world: &World, class: ClassName) {
        let mut seen = BTreeSet::from([class.clone()]);
        let mut layer = vec![class];
        for _ in 0..MAX_DISTANCE {
            let known = self.0.len();
            let mut next = Vec::new();
            for class in &layer {
                for name in named_by(world, class) {
                    self.need(world, &name, class);
                    let is_ours = world.origin(&name).is_some_and(|origin| origin != Origin::Jdk);
                    if is_ours && seen.insert(name.clone()) {
                        next.push(name);
                    }
                }
            }
            if self.0.len() > known {
                return;
            }
            layer = next;
        }
    }

    fn need(&mut self, world: &World, name: &ClassName, by: &ClassName) {
        if !world.contains(name) {
            self.0.entry(name.to_binary()).or_default().insert(by.to_binary());
        }
    }

    /// All of them, sorted by name.
    pub(crate) fn list(self) -> Vec<MissingClass> {
        let make = |(name, needed_by)| MissingClass { name, needed_by };
        self.0.into_iter().map(make).collect()
    }
}

/// A line for each of the first few, and how many more there are.
pub(crate) fn warnings(missing: &[MissingClass], remedy: Remedy) -> Vec<String> {
    let how = match remedy {
        Remedy::Dependencies => "add its jar with --dependencies",
        Remedy::Pom => "add a dependency that has it to the POM",
    };
    let say = |class: &MissingClass| {
        let first = class.needed_by.first().map_or("", String::as_str);
        let more = match class.needed_by.len() {
            0 | 1 => String::new(),
            number => format!(" and {}", count(number - 1, "more class")),
        };
        format!("{} is missing, needed by {first}{more}; {how}", class.name)
    };
    let mut lines: Vec<String> = missing.iter().take(MAX_WARNINGS).map(say).collect();
    if missing.len() > MAX_WARNINGS {
        let number = missing.len() - MAX_WARNINGS;
        let are = if number == 1 { "is" } else { "are" };
        let more = count(number, "more class");
        lines.push(format!("{more} {are} missing; --json lists all"));
    }
    lines
}

/// All that a class names; nothing if it cannot be read, which is told elsewhere.
fn named_by(world: &World, class: &ClassName) -> BTreeSet<ClassName> {
    let Some(declared) = world.class(class) else { return BTreeSet::new() };
    let mut names = declared_types(&declared);
    names.extend(world.class_bytes(class).iter().flat_map(|bytes| classes_in_pool(bytes)));
    names
}

/// The classes that its declaration names.
fn declared_types(class: &Class) -> BTreeSet<ClassName> {
    let fields = class.fields.iter().map(|field| &field.ty);
    let params = class.methods.iter().flat_map(|m| m.params.iter().map(|p| &p.ty));
    let results = class.methods.iter().filter_map(|method| method.result.as_ref());
    let types = fields.chain(params).chain(results);
    let named = types.filter_map(|ty| ty.innermost().as_class().cloned());
    let thrown = class.methods.iter().flat_map(|method| method.exceptions.iter().cloned());
    let supertypes = class.superclass.iter().chain(&class.interfaces).cloned();
    named.chain(thrown).chain(supertypes).collect()
}

/// The classes that its code names (JVMS §4.4.1).
fn classes_in_pool(bytes: &[u8]) -> Vec<ClassName> {
    let Ok(file) = ClassFile::parse(bytes) else { return Vec::new() };
    let named = file.pool.iter().filter(|(_, constant)| matches!(constant, Constant::Class(_)));
    let names = named.filter_map(|(index, _)| file.pool.class_name(index).ok());
    let class_of = |name: &str| {
        if name.starts_with('[') {
            Type::parse(name).ok()?.innermost().as_class().cloned()
        } else {
            Some(ClassName::internal(name))
        }
    };
    names.filter_map(|name| class_of(&name)).collect()
}

/// The class that the JVM says it did not find.
fn not_found(detail: &str) -> Option<ClassName> {
    let marks = ["NoClassDefFoundError: ", "ClassNotFoundException: "];
    let at = marks.iter().filter_map(|mark| Some(detail.rfind(mark)? + mark.len())).max()?;
    let rest = &detail[at..];
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '$' | '_');
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    // `Could not initialize class X` and `a/B (wrong name: …)` are other troubles.
    let is_all = end > 0 && !rest[end..].starts_with(' ');
    is_all.then(|| ClassName::binary(&rest[..end].trim_end_matches('.').replace('/', ".")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(number: usize) -> Vec<MissingClass> {
        let needed_by = BTreeSet::from(["a.A".to_owned(), "a.B".to_owned()]);
        let class = |n| MissingClass { name: format!("x.C{n}"), needed_by: needed_by.clone() };
        (0..number).map(class).collect()
    }

    #[test]
    fn a_few_are_named_and_the_rest_is_counted() {
        let lines = warnings(&missing(7), Remedy::Dependencies);
        assert_eq!(lines.len(), MAX_WARNINGS + 1);
        let first =
            "x.C0 is missing, needed by a.A and 1 more class; add its jar with --dependencies";
        assert_eq!(lines[0], first);
        assert_eq!(lines[5], "2 more classes are missing; --json lists all");
        assert_eq!(warnings(&missing(5), Remedy::Pom).len(), 5);
        assert!(warnings(&missing(1), Remedy::Pom)[0].ends_with("to the POM"));
        let last = warnings(&missing(6), Remedy::Pom).pop();
        assert_eq!(last.as_deref(), Some("1 more class is missing; --json lists all"));
    }

    #[test]
    fn the_jvms_words_name_what_is_missing() {
        let check = |detail: &str, expected: Option<&str>| {
            assert_eq!(not_found(detail).map(|c| c.to_binary()).as_deref(), expected, "{detail}");
        };
        check("java.lang.NoClassDefFoundError: org/x/Y", Some("org.x.Y"));
        check("java.lang.NoClassDefFoundError: org/x/Y$Z; linking", Some("org.x.Y$Z"));
        check("java.lang.NoClassDefFoundError: Could not initialize class org.x.Y", None);
        check("java.lang.NoClassDefFoundError: a/B (wrong name: a/C)", None);
        check("java.lang.VerifyError: Bad type", None);
    }
}
