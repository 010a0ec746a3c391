//! How classes are spelled in one file: by simple name, imported, or qualified.
//!
//! A simple name stands for one class in a file. Classes of the test's own package come first,
//! because those of the unnamed package have no other spelling, then `java.lang`, then the rest in
//! alphabetical order; who comes too late is qualified. Only top-level classes are imported;
//! members are written `Outer.Inner`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::{ClassName, ClassSource, Nesting};

/// The spelling of every class of a file, and the imports that takes.
#[derive(Default)]
pub(crate) struct Spelling {
    spelled: HashMap<ClassName, String>,
    /// Classes to import, dotted.
    pub(crate) imports: BTreeSet<String>,
}

impl Spelling {
    /// Spells the classes of a file in `package` (internal form) whose own class is `test_class`.
    pub(crate) fn new(
        classes: &dyn ClassSource,
        package: &str,
        test_class: &str,
        mentioned: &[ClassName],
    ) -> Self {
        let paths: BTreeMap<&ClassName, Path> =
            mentioned.iter().map(|name| (name, Path::of(classes, name))).collect();
        let mut tops: Vec<&ClassName> = paths.values().map(|p| &p.top).collect();
        let rank = |name: &ClassName| match name.package() {
            p if p == package => 0,
            "java/lang" => 1,
            _ => 2,
        };
        tops.sort_by_key(|name| (rank(name), *name));
        tops.dedup();
        let mut taken: HashMap<&str, &ClassName> = HashMap::new();
        let mut imports = BTreeSet::new();
        for &top in &tops {
            let simple = top.local();
            let here = top.package() == package;
            let free = simple != test_class && !taken.contains_key(simple);
            // A class of the same package hides one of java.lang that is not imported, and a
            // reader takes an imported `String` for that of java.lang.
            let hidden = match rank(top) {
                1 => exists(classes, package, simple),
                2 => exists(classes, "java/lang", simple) || top.package().is_empty(),
                _ => false,
            };
            if here || (free && !hidden) {
                taken.insert(simple, top);
                if rank(top) == 2 {
                    imports.insert(top.to_binary());
                }
            }
        }
        let spelled = paths
            .iter()
            .map(|(name, path)| {
                let simple = taken.get(path.top.local()) == Some(&&path.top);
                let top = if simple { path.top.local().to_owned() } else { path.top.to_binary() };
                ((*name).clone(), top + &path.members)
            })
            .collect();
        Self { spelled, imports }
    }

    /// How the class is spelled.
    pub(crate) fn of(&self, name: &ClassName) -> &str {
        self.spelled.get(name).expect("every class of the file was collected before layout")
    }
}

fn exists(classes: &dyn ClassSource, package: &str, simple: &str) -> bool {
    let name = if package.is_empty() { simple.to_owned() } else { format!("{package}/{simple}") };
    classes.class(&ClassName::internal(&name)).is_some()
}

/// A class as its top-level class and the members on the way to it.
struct Path {
    top: ClassName,
    /// `.Inner.Leaf`, empty for a top-level class.
    members: String,
}

impl Path {
    fn of(classes: &dyn ClassSource, name: &ClassName) -> Self {
        let mut top = name.clone();
        let mut members = String::new();
        while let Some(class) = classes.class(&top) {
            let Nesting::Member { outer, simple, .. } = &class.nesting else { break };
            members = format!(".{simple}{members}");
            top = outer.clone();
        }
        Self { top, members }
    }
}

/// The simple names on the way to a class, the top-level class's first.
pub(crate) fn simple_names(classes: &dyn ClassSource, name: &ClassName) -> Vec<String> {
    let path = Path::of(classes, name);
    let members = path.members.split('.').skip(1).map(str::to_owned);
    std::iter::once(path.top.local().to_owned()).chain(members).collect()
}
