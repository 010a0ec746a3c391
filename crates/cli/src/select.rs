//! Which classes of a target get tests.

use classpath::World;
use model::{ClassName, ClassSource, Nesting};

use crate::exit::Failure;

/// Patterns of a command line.
pub(crate) struct Selection<'a> {
    pub(crate) classes: &'a [String],
    pub(crate) packages: &'a [String],
    pub(crate) exclude: &'a [String],
}

impl Selection<'_> {
    /// The classes chosen, sorted: those named, or all that can be named in source.
    pub(crate) fn choose(&self, world: &World) -> Result<Vec<ClassName>, Failure> {
        let mut chosen = Vec::new();
        for wanted in self.classes {
            chosen.push(find(world, wanted)?);
        }
        for package in self.packages {
            let found: Vec<ClassName> = world
                .project_classes()
                .iter()
                .filter(|class| in_package(class, package) && is_worth_trying(world, class))
                .cloned()
                .collect();
            if found.is_empty() {
                return Err(Failure::bad_input(format!("no class in package `{package}`")));
            }
            chosen.extend(found);
        }
        if self.classes.is_empty() && self.packages.is_empty() {
            let all = world.project_classes();
            if all.is_empty() {
                return Err(Failure::bad_input("there are no classes on the class path"));
            }
            chosen.extend(all.iter().filter(|class| is_worth_trying(world, class)).cloned());
        }
        chosen.sort_unstable();
        chosen.dedup();
        chosen.retain(|class| !self.exclude.iter().any(|p| matches(p, &class.to_binary())));
        if chosen.is_empty() {
            return Err(Failure::bad_input("no class is left to write tests for"));
        }
        Ok(chosen)
    }
}

/// A class by binary name, or with dots for nested classes too.
fn find(world: &World, wanted: &str) -> Result<ClassName, Failure> {
    let mut name = ClassName::binary(wanted);
    loop {
        if world.contains(&name) {
            return Ok(name);
        }
        let Some(at) = name.as_internal().rfind('/') else { break };
        let internal = name.as_internal();
        name = ClassName::internal(&format!("{}${}", &internal[..at], &internal[at + 1..]));
    }
    let similar = similar(world, wanted);
    let hint = if similar.is_empty() {
        String::new()
    } else {
        format!("; did you mean {}?", similar.join(" or "))
    };
    Err(Failure::bad_input(format!("the class `{wanted}` is not on the class path{hint}")))
}

/// Up to three classes with the same simple name, or one that differs by a slip of the finger.
fn similar(world: &World, wanted: &str) -> Vec<String> {
    let simple = |name: &str| name.rsplit(['.', '/', '$']).next().unwrap_or(name).to_lowercase();
    let wanted = simple(wanted);
    let mut found: Vec<(usize, String)> = world
        .project_classes()
        .iter()
        .filter(|class| is_worth_trying(world, class))
        .map(|class| (distance(&wanted, &simple(class.as_internal())), class.to_string()))
        .filter(|(distance, _)| *distance <= 2)
        .collect();
    found.sort();
    found.into_iter().take(3).map(|(_, name)| name).collect()
}

/// Letters to change, add or take away to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let changed = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = changed.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
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
fn matches(pattern: &str, name: &str) -> bool {
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
    fn slips_of_the_finger_are_counted() {
        assert_eq!(distance("version", "version"), 0);
        assert_eq!(distance("versoin", "version"), 2);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("stak", "stack"), 1);
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
