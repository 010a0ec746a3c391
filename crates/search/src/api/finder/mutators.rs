//! Operations that change arguments: methods that put something into objects of other classes, and
//! assignments of fields.
//!
//! Without them collections would be as empty as their constructors make them. What a method is
//! called tells which ones put something into an object of the JDK; of the project's own classes all
//! are there that may change their object, so that Impurity finds those that do.

use model::{Class, Field, Hierarchy, Method, Operation, Origin, is_identifier, member_accessible};

use super::{Declared, Finder};
use crate::api::typed::Typed;
use crate::api::typing::{Bindings, Shape, Super, Typing, bind};

/// Methods taken of one class.
const MAX_MUTATORS: usize = 12;
/// The same of one of the JDK's.
const MAX_JDK_MUTATORS: usize = 4;
/// Fields assigned of one class.
const MAX_FIELDS: usize = 16;
/// Names of methods that put something into an object.
const CHANGING: [&str; 8] = ["add", "put", "append", "set", "push", "offer", "with", "insert"];

/// What the names of methods begin with that tell something.
const ASKING: [&str; 12] = [
    "get",
    "is",
    "has",
    "to",
    "as",
    "equals",
    "hashCode",
    "compareTo",
    "clone",
    "size",
    "length",
    "iterator",
];

impl Finder<'_> {
    /// Methods that put something into objects of a class, inherited ones included.
    pub(super) fn add_mutators(&mut self, class: &Class, wanted: &Typed, depth: u32) {
        let Some(new) = class.constructors().next() else { return };
        let Some((owner, around)) = self.bound(class, new, wanted) else { return };
        let Typed::Class { name, args } = &owner else { return };
        let mut found: Vec<(Declared, Bindings)> = Vec::new();
        for declaring in self.world.supertypes(name) {
            if declaring.is_interface() {
                continue;
            }
            let mut known = around.clone();
            if let Some(Super::Args(args)) = self.typing.supertype(name, args, &declaring.name) {
                known.extend(bind(Typing::params(&declaring), &args));
            }
            for (at, method) in declaring.methods.iter().enumerate() {
                let is_known = found.iter().any(|((other, at), _)| {
                    other.methods[*at].name == method.name
                        && other.methods[*at]
                            .params
                            .iter()
                            .map(|p| &p.ty)
                            .eq(method.params.iter().map(|p| &p.ty))
                });
                if !is_known && self.changes(&declaring, method) {
                    found.push(((declaring.clone(), at), known.clone()));
                }
            }
        }
        found.sort_by_key(|((declaring, at), _)| {
            let method = &declaring.methods[*at];
            (!is_named_changing(method), method.result.is_some(), method.params.len())
        });
        let is_jdk = class.origin == Origin::Jdk;
        found.truncate(if is_jdk { MAX_JDK_MUTATORS } else { MAX_MUTATORS });
        for ((declaring, at), known) in found {
            let method = &declaring.methods[at];
            let params = method.signature.as_ref().map_or(&[][..], |s| &s.type_params);
            let bindings = self.typing.ways(params, &known).remove(0);
            let id = self.add_method((class, &owner), method, &bindings, depth);
            if let Some(id) = id
                && is_named_changing(method)
                && !self.api.subjects.contains(&self.api.firsts[id.0 as usize])
                && !self.api.mutators.contains(&id)
            {
                self.api.mutators.push(id);
            }
        }
    }

    /// Assignments of fields that callers are meant to assign (requirement J15): public ones, and all
    /// of a class that keeps nothing to itself. Other fields may hold what methods rely upon.
    pub(super) fn add_settable_fields(&mut self, class: &Class, owner: &Typed, depth: u32) {
        let is_of_object = |f: &&Field| !f.access.is_static() && !f.access.is_synthetic();
        let hides = |f: &Field| f.access.is_private() || f.access.is_protected();
        let is_open = !class.fields.iter().filter(is_of_object).any(hides);
        let settable = |f: &&Field| {
            is_of_object(f)
                && !f.access.is_final()
                && (f.access.is_public() || is_open)
                && f.signature.is_none()
                && is_identifier(&f.name)
                && member_accessible(self.world, class, f.access, &self.package)
        };
        let fields: Vec<Field> =
            class.fields.iter().filter(settable).take(MAX_FIELDS).cloned().collect();
        for field in fields {
            let params = vec![owner.clone(), Typed::raw(&field.ty)];
            let shape = Shape { params, result: None };
            let id = self.add(Operation::of_setting(class, &field), &shape, depth);
            if let Some(id) = id
                && !self.api.mutators.contains(&id)
            {
                self.api.mutators.push(id);
            }
        }
    }

    /// Whether a method may change its object: of the JDK's, those whose name says so.
    fn changes(&self, declaring: &Class, method: &Method) -> bool {
        let is_jdk = declaring.origin == Origin::Jdk;
        let named = matches!(method.params.len(), 1 | 2) && is_named_changing(method);
        let may = method.params.len() <= 2 && !is_named_asking(method);
        self.is_usable(declaring, method)
            && !method.deprecated
            && !method.access.is_static()
            && !method.is_constructor()
            && (named || (!is_jdk && may))
    }
}

/// Whether a method puts something into its object, to go by its name.
fn is_named_changing(method: &Method) -> bool {
    !method.params.is_empty() && CHANGING.iter().any(|prefix| method.name.starts_with(prefix))
}

/// Whether a method only tells something, to go by its name.
fn is_named_asking(method: &Method) -> bool {
    let rest = ASKING.iter().find_map(|prefix| method.name.strip_prefix(prefix));
    rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase))
}
