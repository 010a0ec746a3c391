//! Names of test classes, and so of files: no two classes get the same.
//!
//! Normally `FooTest`, and `OuterInnerTest` for a nested class. The same letters can stand for
//! several classes (`OuterInner` and `Outer.Inner`; the failing tests of `Foo` and the tests of
//! `FooFailing`): then the one that comes later in this order parts the names by as many underscores
//! as it takes: top-level classes, nested classes by binary name, tests with a longer suffix.
//!
//! Invariant: a name depends on the class, the suffix and the classes of its package only, so that
//! it is the same whichever classes a run is for.

use model::{ClassName, ClassSource};

use crate::imports::simple_names;

/// The name of the class that tests a class.
pub(crate) fn test_class_name(
    classes: &dyn ClassSource,
    class: &ClassName,
    suffix: &str,
) -> String {
    let package = Package { classes, folder: folder(class) };
    let stem = package.stem(class);
    let Some(word) = first_word(suffix) else { return stem + suffix };
    // `Failing` before `Test`: the tests of a class of that name go there.
    let parted = |underscores: &String| {
        let name = format!("{stem}{underscores}{word}");
        let rivals = package.spelled(&name, "").into_iter();
        !rivals.chain(package.spelled(&name, underscores)).any(|rival| {
            package.stem(&ClassName::internal(&format!("{}{rival}", package.folder))) == name
        })
    };
    let underscores = (0..).map(|count| "_".repeat(count)).find(parted);
    format!("{stem}{}{suffix}", underscores.expect("there are fewer classes than numbers"))
}

/// The folder of a class's package, with a slash at its end.
pub(crate) fn folder(class: &ClassName) -> String {
    let package = class.package();
    if package.is_empty() { String::new() } else { format!("{package}/") }
}

/// What comes before the last word of a suffix of several: `Failing` of `FailingTest`.
fn first_word(suffix: &str) -> Option<&str> {
    let last = suffix.rfind(char::is_uppercase)?;
    Some(&suffix[..last]).filter(|word| !word.is_empty())
}

struct Package<'c> {
    classes: &'c dyn ClassSource,
    folder: String,
}

impl Package<'_> {
    /// The name of the test class without its suffix.
    fn stem(&self, class: &ClassName) -> String {
        let names = simple_names(self.classes, class);
        if names.len() == 1 {
            return names.concat();
        }
        let me = &class.as_internal()[self.folder.len()..];
        for count in 0.. {
            let underscores = "_".repeat(count);
            let stem = names.join(&underscores);
            let is_before = |rival: &str| rival != me && (!rival.contains('$') || rival < me);
            let is_other = |rival: &str| rival != me && (count > 0 || is_before(rival));
            let is_taken = self.spelled(&stem, "").iter().any(|rival| is_other(rival))
                || self.spelled(&stem, &underscores).iter().any(|rival| is_before(rival));
            if !is_taken {
                return stem;
            }
        }
        unreachable!("there are fewer classes than numbers")
    }

    /// The classes whose simple names, joined by `separator`, make this text: by binary name,
    /// without the package.
    fn spelled(&self, text: &str, separator: &str) -> Vec<String> {
        let mut found = Vec::new();
        self.spell("", text, separator, &mut found);
        found
    }

    fn spell(&self, outer: &str, rest: &str, separator: &str, found: &mut Vec<String>) {
        let ends = rest.char_indices().map(|(at, _)| at).skip(1).chain([rest.len()]);
        for end in ends {
            let name = format!("{outer}{}", &rest[..end]);
            let full = ClassName::internal(&format!("{}{name}", self.folder));
            if self.classes.class(&full).is_none() {
                continue;
            }
            if end == rest.len() {
                found.push(name);
            } else if let Some(inner) = rest[end..].strip_prefix(separator) {
                self.spell(&format!("{name}$"), inner, separator, found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Arc;

    use model::{Access, Class, ClassKind, Nesting, Origin};

    use super::*;

    struct Known(BTreeMap<String, Arc<Class>>);

    impl ClassSource for Known {
        fn class(&self, name: &ClassName) -> Option<Arc<Class>> {
            self.0.get(name.as_internal()).cloned()
        }
    }

    fn made(name: ClassName, nesting: Nesting) -> Class {
        Class {
            name,
            kind: ClassKind::Class,
            access: Access::default(),
            nesting,
            superclass: None,
            interfaces: Vec::new(),
            signature: None,
            fields: Vec::new(),
            methods: Vec::new(),
            has_initializer: false,
            record: Vec::new(),
            permitted: Vec::new(),
            members: Vec::new(),
            annotations: Vec::new(),
            deprecated: false,
            source: None,
            version: 61,
            origin: Origin::Project,
            exported: true,
        }
    }

    /// Classes by binary name; what comes after a dollar sign is a member.
    fn known(names: &[&str]) -> Known {
        let class = |name: &&str| {
            let nesting = match name.rsplit_once('$') {
                None => Nesting::Top,
                Some((outer, simple)) => Nesting::Member {
                    outer: ClassName::internal(outer),
                    simple: simple.into(),
                    is_static: true,
                },
            };
            let class = made(ClassName::internal(name), nesting);
            ((*name).to_owned(), Arc::new(class))
        };
        Known(names.iter().map(class).collect())
    }

    /// The names of the passing and failing tests of classes, which are never the same.
    fn check(named: &[(&str, &str, &str)]) {
        let names: Vec<&str> = named.iter().map(|(class, _, _)| *class).collect();
        let known = known(&names);
        let mut all = BTreeSet::new();
        for (class, passing, failing) in named {
            for (suffix, expected) in [("Test", passing), ("FailingTest", failing)] {
                let name = test_class_name(&known, &ClassName::internal(class), suffix);
                assert_eq!(name, **expected, "{class} {suffix}");
                assert!(all.insert(name), "{class} {suffix} has the name of another");
            }
        }
    }

    #[test]
    fn names_are_plain_where_nothing_is_in_the_way() {
        check(&[
            ("a/Foo", "FooTest", "FooFailingTest"),
            ("a/Outer", "OuterTest", "OuterFailingTest"),
            ("a/Outer$Inner", "OuterInnerTest", "OuterInnerFailingTest"),
            ("a/Outer$Inner$Leaf", "OuterInnerLeafTest", "OuterInnerLeafFailingTest"),
        ]);
        check(&[("Foo", "FooTest", "FooFailingTest")]);
    }

    #[test]
    fn failing_tests_give_way_to_a_class_of_their_name() {
        check(&[
            ("a/Foo", "FooTest", "Foo_FailingTest"),
            ("a/FooFailing", "FooFailingTest", "FooFailingFailingTest"),
        ]);
        check(&[
            ("a/Foo", "FooTest", "Foo__FailingTest"),
            ("a/FooFailing", "FooFailingTest", "FooFailingFailingTest"),
            ("a/Foo_Failing", "Foo_FailingTest", "Foo_FailingFailingTest"),
        ]);
        check(&[
            ("a/Foo", "FooTest", "Foo__FailingTest"),
            ("a/FooFailing", "FooFailingTest", "FooFailingFailingTest"),
            ("a/Foo$Failing", "Foo_FailingTest", "Foo_FailingFailingTest"),
        ]);
    }

    #[test]
    fn nested_classes_give_way_to_others() {
        check(&[
            ("a/Outer", "OuterTest", "OuterFailingTest"),
            ("a/OuterInner", "OuterInnerTest", "OuterInnerFailingTest"),
            ("a/Outer_Inner", "Outer_InnerTest", "Outer_InnerFailingTest"),
            ("a/Outer$Inner", "Outer__InnerTest", "Outer__InnerFailingTest"),
        ]);
        check(&[
            ("a/Outer", "OuterTest", "OuterFailingTest"),
            ("a/Outer$Inner", "OuterInnerTest", "OuterInnerFailingTest"),
            ("a/Outer$Inner$Leaf", "OuterInnerLeafTest", "OuterInnerLeafFailingTest"),
            ("a/Outer$InnerLeaf", "Outer_InnerLeafTest", "Outer_InnerLeafFailingTest"),
        ]);
    }
}
