//! Which static fields a search puts back after every test case: what a test would not find set in a
//! fresh JVM, another one of the same search must not have left behind.
//!
//! They are those that code of the project sets at will, among the classes that the search calls and
//! the types of their static fields, those that tests can assign themselves, and counts: what code keeps
//! in a field for a number. A count may say how much there is of something else that is kept, so it is put
//! back only where a class has no static field for anything else, flags included: they say what was done once
//! and need not be done again. Classes that are first initialized during a
//! call are not looked after: what they held before is not known.

use std::collections::BTreeSet;

use analysis::{FieldKey, SetTo};
use classfile::ClassFile;
use classpath::World;
use model::{Class, ClassName, ClassSource, Hierarchy, Origin, Primitive, Type};
use search::Api;

/// Classes, and fields as [`spelled`]; both by binary names.
pub(crate) struct Watched {
    pub(crate) classes: Vec<String>,
    pub(crate) fields: Vec<String>,
}

/// What a search over these operations has to watch.
pub(crate) fn watched(world: &World, api: &Api) -> Watched {
    let owners = api.erased_operations().map(|id| api.operation(id).owner.clone());
    watched_of(world, &owners.collect())
}

/// The same for operations of these classes.
fn watched_of(world: &World, owners: &BTreeSet<ClassName>) -> Watched {
    let of_project = |name: &ClassName| world.origin(name) == Some(Origin::Project);
    let mut names: BTreeSet<ClassName> = BTreeSet::new();
    let mut add = |name: &ClassName| {
        let with_supertypes = world.supertypes(name).into_iter().map(|class| class.name.clone());
        names.extend(with_supertypes.filter(of_project));
    };
    for owner in owners {
        add(owner);
        let class = world.class(owner).filter(|_| of_project(owner));
        for field in class.iter().flat_map(|class| &class.fields) {
            if let (true, Type::Class(held)) = (field.access.is_static(), field.ty.clone()) {
                add(&held);
            }
        }
    }
    // What cannot be read was told when the class was asked for; it is left out.
    let parsed = names.iter().filter_map(|name| ClassFile::parse(&world.class_bytes(name)?).ok());
    let mut fields = analysis::set_fields(&parsed.collect::<Vec<_>>());
    for class in names.iter().filter_map(|name| world.class(name)) {
        let counts = has_counts_only(&class);
        let is_put_back = |field: &&model::Field| {
            let is_set = field.access.is_static() && !field.access.is_final();
            is_set && (counts || !field.access.is_private())
        };
        for field in class.fields.iter().filter(is_put_back) {
            let key = (class.name.as_internal().to_owned(), field.name.to_string());
            fields.insert(key, SetTo::Anything);
        }
    }
    Watched {
        classes: names.iter().map(|name| binary(name.as_internal())).collect(),
        fields: fields.iter().map(|(field, to)| spelled(field, *to)).collect(),
    }
}

/// Whether all static fields that change are numbers, and the others hold what cannot change.
fn has_counts_only(class: &Class) -> bool {
    let mut fields = class.fields.iter().filter(|field| field.access.is_static());
    fields.all(|field| match &field.ty {
        Type::Primitive(Primitive::Boolean) => field.access.is_final(),
        Type::Primitive(_) => true,
        Type::Class(held) => field.access.is_final() && UNCHANGING.contains(&held.as_internal()),
        _ => false,
    })
}

/// Types whose objects stay as they are.
const UNCHANGING: [&str; 11] = [
    "java/lang/String",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Double",
    "java/lang/Character",
    "java/lang/Boolean",
    "java/math/BigInteger",
    "java/math/BigDecimal",
    "java/util/regex/Pattern",
    "java/nio/charset/Charset",
    "java/util/Locale",
];

/// A field as the Java part reads it.
pub(crate) fn spelled((class, name): &FieldKey, to: SetTo) -> String {
    let what = match to {
        SetTo::Anything => "",
        SetTo::Null => "=null",
    };
    format!("{}#{name}{what}", binary(class))
}

fn binary(internal: &str) -> String {
    internal.replace('/', ".")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use classpath::JdkImage;

    use super::*;

    /// What is watched for operations of a class.
    fn check(text: &str, owner: &str, classes: &[&str], fields: &[&str]) {
        let home = &testkit::jdk_homes()[0];
        let folder = testkit::compile_text(home, &[], "Fixture.java", text);
        let jdk = Arc::new(JdkImage::open(home).expect("the JDK's classes"));
        let world = World::new(&[folder.path().to_owned()], &[], jdk);
        let watched = watched_of(&world, &BTreeSet::from([ClassName::internal(owner)]));
        assert_eq!(watched.classes, classes, "{text}");
        assert_eq!(watched.fields, fields, "{text}");
    }

    #[test]
    fn counts_are_watched_where_they_count_nothing_that_stays() {
        let alone = "class A { static final String NAME = \"a\"; private static int used;
                     static void use(int n) { used += n; } }";
        check(alone, "A", &["A"], &["A#used"]);
        let table = "class A { private static final int[] TABLE = new int[9];
                     private static int used; static void use(int n) { TABLE[used++] = n; } }";
        check(table, "A", &["A"], &[]);
        let flag = "class A { private static boolean done; private static int count;
                     static void run() { if (!done) { done = true; count++; } } }";
        check(flag, "A", &["A"], &[]);
        let cache = "class A { private static Object made; private static int count;
                     static Object get() { if (made == null) { made = new Object(); count++; }
                     return made; } }";
        check(cache, "A", &["A"], &[]);
    }

    #[test]
    fn fields_that_a_subclass_sets_are_watched_where_they_are_declared() {
        let text = "
            class Base { private static int kept; static int unset() { return kept++; }
                         Base held; protected String text; }
            class Derived extends Base {
                private static Derived last;
                private static final Derived FIRST = new Derived();
                static void drop() { last = null; }
                static Derived last() { if (last == null) { last = new Derived(); } return last; }
                void hold(Base other) { held = other; }
                void write(String other) { text = other; } }";
        let fields = ["Base#held", "Base#kept", "Base#text", "Derived#last=null"];
        check(text, "Derived", &["Base", "Derived"], &fields);
    }
}
