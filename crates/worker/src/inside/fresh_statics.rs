//! Which static fields a search puts back after every test case: what a test would not find set in a
//! fresh JVM, another one of the same search must not have left behind.
//!
//! They are those that code of the project sets at will, among the classes that the search calls and
//! the types of their static fields, and those that tests can assign themselves. Classes that are
//! first initialized during a call are not looked after: what they held before is not known.

use std::collections::{BTreeMap, BTreeSet};

use analysis::{FieldKey, SetTo};
use classfile::ClassFile;
use classpath::World;
use model::{ClassName, ClassSource, Hierarchy, Origin, Type};
use search::Api;

/// Classes, and fields as [`spelled`]; both by binary names.
pub(crate) struct Watched {
    pub(crate) classes: Vec<String>,
    pub(crate) fields: Vec<String>,
}

/// What a search over these operations has to watch.
pub(crate) fn watched(world: &World, api: &Api) -> Watched {
    let of_project = |name: &ClassName| world.origin(name) == Some(Origin::Project);
    let mut names: BTreeSet<ClassName> = BTreeSet::new();
    let mut add = |name: &ClassName| {
        let with_supertypes = world.supertypes(name).into_iter().map(|class| class.name.clone());
        names.extend(with_supertypes.filter(of_project));
    };
    for id in api.erased_operations() {
        let owner = &api.operation(id).owner;
        add(owner);
        let class = world.class(owner).filter(|_| of_project(owner));
        for field in class.iter().flat_map(|class| &class.fields) {
            if let (true, Type::Class(held)) = (field.access.is_static(), field.ty.clone()) {
                add(&held);
            }
        }
    }
    let mut fields = BTreeMap::new();
    for class in names.iter().filter_map(|name| world.class(name)) {
        let is_assigned = |field: &&model::Field| {
            field.access.is_static() && !field.access.is_final() && !field.access.is_private()
        };
        for field in class.fields.iter().filter(is_assigned) {
            let key = (class.name.as_internal().to_owned(), field.name.to_string());
            fields.insert(key, SetTo::Anything);
        }
    }
    // What cannot be read was told when the class was asked for; it is left out.
    let parsed = names.iter().filter_map(|name| ClassFile::parse(&world.class_bytes(name)?).ok());
    for class in parsed {
        for (field, to) in analysis::set_fields(std::slice::from_ref(&class)).unwrap_or_default() {
            let known = fields.entry(field).or_insert(to);
            *known = to.max(*known);
        }
    }
    Watched {
        classes: names.iter().map(|name| binary(name.as_internal())).collect(),
        fields: fields.iter().map(|(field, to)| spelled(field, *to)).collect(),
    }
}

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
