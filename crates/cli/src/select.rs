//! Which classes of a run's targets get tests.
//!
//! Every name and pattern must fit something in at least one target, because one that fits nothing
//! is a slip of the finger; with several targets (modules of a build) it need not fit in each.

use std::collections::BTreeSet;

use classpath::World;
use model::{ClassName, ClassSource, Nesting, Origin};
use search::Exceptions;

use crate::exit::Failure;
use crate::names::{did_you_mean, resolve, simple};

/// Patterns of a command line.
pub(crate) struct Selection<'a> {
    pub(crate) classes: &'a [String],
    pub(crate) packages: &'a [String],
    pub(crate) exclude: &'a [String],
}

impl Selection<'_> {
    /// The classes chosen, world by world, sorted: those named, or all that can be named in source.
    pub(crate) fn choose(&self, worlds: &[&World]) -> Result<Vec<Vec<ClassName>>, Failure> {
        if worlds.iter().all(|world| world.project_classes().is_empty()) {
            return Err(Failure::bad_input(
                "there are no classes on the class path; sources have to be compiled first",
            ));
        }
        let mut chosen = vec![Vec::new(); worlds.len()];
        for wanted in self.classes {
            add(&mut chosen, worlds, |world| find(world, wanted).into_iter().collect())
                .ok_or_else(|| no_class(worlds, wanted))?;
        }
        for package in self.packages {
            let of = |world: &World| candidates(world, |class| in_package(class, package));
            add(&mut chosen, worlds, of).ok_or_else(|| no_package(worlds, package))?;
        }
        if self.classes.is_empty() && self.packages.is_empty() {
            for (chosen, world) in chosen.iter_mut().zip(worlds) {
                *chosen = candidates(world, |_| true);
            }
        }
        for pattern in self.exclude {
            if !project_classes(worlds).any(|class| matches(pattern, &class.to_binary())) {
                return Err(no_match(worlds, pattern));
            }
        }
        for classes in &mut chosen {
            classes.sort_unstable();
            classes.dedup();
            classes.retain(|class| !self.exclude.iter().any(|p| matches(p, &class.to_binary())));
        }
        if chosen.iter().all(Vec::is_empty) {
            return Err(Failure::bad_input("no class is left to write tests for"));
        }
        Ok(chosen)
    }
}

/// The exception classes of a command line, each of which must exist.
pub(crate) fn exceptions(
    worlds: &[&World],
    [failures, invalid, expected]: [&[String]; 3],
) -> Result<Exceptions, Failure> {
    let find_all = |option: &str, names: &[String]| {
        names.iter().map(|name| exception(worlds, option, name)).collect::<Result<_, _>>()
    };
    Ok(Exceptions {
        failures: find_all("--failure-exception", failures)?,
        invalid: find_all("--invalid-exception", invalid)?,
        expected: find_all("--expected-exception", expected)?,
        noise: Vec::new(),
    })
}

/// Where the JDK has exceptions that people name.
const EXCEPTION_PACKAGES: [&str; 8] = [
    "java/lang",
    "java/util",
    "java/io",
    "java/util/concurrent",
    "java/time",
    "java/nio",
    "java/nio/file",
    "java/net",
];

fn exception(worlds: &[&World], option: &str, wanted: &str) -> Result<ClassName, Failure> {
    let found = worlds.iter().find_map(|world| {
        let name = resolve(wanted, |name| world.contains(name))?;
        Some((world, name))
    });
    if let Some((world, name)) = found {
        if is_throwable(world, &name) {
            return Ok(name);
        }
        let message = format!("{option} `{wanted}` is a class but no exception");
        return Err(Failure::bad_input(message));
    }
    let names = worlds.iter().flat_map(|world| {
        let of_jdk = EXCEPTION_PACKAGES.iter().flat_map(|package| world.package_classes(package));
        let on_path = world.class_path().names().cloned();
        on_path
            .chain(of_jdk)
            .map(|class| (simple(class.as_internal()).to_owned(), class.to_string()))
    });
    let hint = did_you_mean(simple(wanted), names);
    Err(Failure::bad_input(format!("{option} `{wanted}` is not on the class path{hint}")))
}

/// Whether it can be thrown, or nobody can tell because a superclass is missing.
fn is_throwable(world: &World, name: &ClassName) -> bool {
    let mut name = name.clone();
    // No hierarchy is as deep; one that is circular is no reason to hang.
    for _ in 0..256 {
        if name.as_internal() == "java/lang/Throwable" {
            return true;
        }
        match world.class(&name) {
            None => return true,
            Some(class) => match &class.superclass {
                Some(superclass) => name = superclass.clone(),
                None => return false,
            },
        }
    }
    false
}

/// Adds what `of` finds in each world; `None` if it finds nothing in any.
fn add(
    chosen: &mut [Vec<ClassName>],
    worlds: &[&World],
    of: impl Fn(&World) -> Vec<ClassName>,
) -> Option<()> {
    let mut any = None;
    for (chosen, world) in chosen.iter_mut().zip(worlds) {
        let found = of(world);
        if !found.is_empty() {
            any = Some(());
        }
        chosen.extend(found);
    }
    any
}

fn find(world: &World, wanted: &str) -> Option<ClassName> {
    resolve(wanted, |name| world.origin(name) == Some(Origin::Project))
}

fn candidates(world: &World, fits: impl Fn(&ClassName) -> bool) -> Vec<ClassName> {
    let all = world.project_classes().iter();
    all.filter(|class| fits(class) && is_worth_trying(world, class)).cloned().collect()
}

fn project_classes<'w>(worlds: &'w [&World]) -> impl Iterator<Item = &'w ClassName> {
    worlds.iter().flat_map(|world| world.project_classes())
}

fn no_class(worlds: &[&World], wanted: &str) -> Failure {
    let elsewhere = worlds.iter().find_map(|world| {
        let name = resolve(wanted, |name| world.contains(name))?;
        world.origin(&name)
    });
    match elsewhere {
        Some(Origin::Jdk) => {
            return Failure::bad_input(format!(
                "`{wanted}` is a class of the JDK, which gets no tests"
            ));
        }
        Some(_) => {
            return Failure::bad_input(format!(
                "the class `{wanted}` is in a dependency, which gets no tests; to write tests for it, \
                 name its jar with --classpath"
            ));
        }
        None => {}
    }
    let named = worlds.iter().flat_map(|world| candidates(world, |_| true));
    let names = named.map(|class| (simple(class.as_internal()).to_owned(), class.to_string()));
    let hint = did_you_mean(simple(wanted), names);
    Failure::bad_input(format!("the class `{wanted}` is not on the class path{hint}"))
}

/// The packages of the project, dotted.
fn packages(worlds: &[&World]) -> BTreeSet<String> {
    project_classes(worlds).map(|class| class.package().replace('/', ".")).collect()
}

fn no_package(worlds: &[&World], wanted: &str) -> Failure {
    let packages = packages(worlds);
    let root = format!("{wanted}.");
    let hint = if packages.iter().any(|package| package.starts_with(&root)) {
        format!("; with those below it, it is `{wanted}.*`")
    } else {
        let guesses = packages.iter().map(|package| (package.clone(), package.clone()));
        did_you_mean(wanted.trim_end_matches(".*"), guesses)
    };
    Failure::bad_input(format!("no class in package `{wanted}`{hint}"))
}

/// A pattern may lack a package, or have a slip in a class, a package or a part of one.
fn no_match(worlds: &[&World], pattern: &str) -> Failure {
    let core = pattern.trim_matches(['*', '.']);
    let fits = |pattern: &str| project_classes(worlds).any(|c| matches(pattern, &c.to_binary()));
    let mut guesses = Vec::new();
    for class in project_classes(worlds) {
        let name = class.to_binary();
        guesses.push((simple(&name).to_owned(), name.clone()));
        guesses.push((name.clone(), name));
    }
    for package in packages(worlds) {
        for part in package.split('.').chain([&*package]) {
            let guess = if core.is_empty() { String::new() } else { pattern.replace(core, part) };
            let guess = if fits(&guess) { guess } else { format!("{package}.*") };
            guesses.push((part.to_owned(), guess));
        }
    }
    let mut hint = did_you_mean(core, guesses);
    if hint.is_empty() {
        // As for a class that is named: whatever its package is.
        let names = project_classes(worlds).map(ClassName::to_binary);
        hint = did_you_mean(simple(core), names.map(|name| (simple(&name).to_owned(), name)));
    }
    Failure::bad_input(format!("--exclude `{pattern}` fits no class{hint}"))
}

fn in_package(class: &ClassName, pattern: &str) -> bool {
    let package = class.package().replace('/', ".");
    match pattern.strip_suffix(".*") {
        Some(root) => {
            package == root || package.strip_prefix(root).is_some_and(|rest| rest.starts_with('.'))
        }
        None => package == pattern,
    }
}

/// When nothing is named, classes that no source can name are passed over; a class that cannot be
/// read is not: the user should hear of it.
fn is_worth_trying(world: &World, class: &ClassName) -> bool {
    match world.class(class) {
        None => true,
        Some(class) => {
            class.nesting != Nesting::Local
                && !class.access.is_synthetic()
                && !class.access.is_private()
        }
    }
}

/// Whether a name fits a pattern in which `*` stands for any text.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        assert!(matches("*.internal.*", "a.internal.B"));
        assert!(!matches("*.internal.*", "a.B"));
        assert!(matches("a.B", "a.B"));
        assert!(!matches("a.B", "a.BC"));
        assert!(matches("a.*", "a.b.C"));
        assert!(matches("*Test", "a.FooTest"));
        assert!(!matches("a*a", "a"));
    }

    #[test]
    fn a_package_is_alone_or_with_those_below() {
        let class = ClassName::binary("a.b.C");
        assert!(in_package(&class, "a.b"));
        assert!(in_package(&class, "a.*"));
        assert!(!in_package(&class, "a"));
        assert!(!in_package(&ClassName::binary("ab.C"), "a.*"));
    }
}
