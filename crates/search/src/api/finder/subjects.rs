//! The members of the class under test, with the types they are used with.
//!
//! A generic class is tested as a class of one thing and of another, so that all calls on one object
//! agree on its arguments.

use std::sync::Arc;

use model::{Class, ClassKind, Hierarchy, Method, Operation, Origin, Type, member_accessible};

use super::{Finder, owner_type};
use crate::api::typed::Typed;
use crate::api::typing::{Bindings, Shape, Super, Typing, bind};

impl Finder<'_> {
    pub(in crate::api) fn add_subjects(&mut self, class: &Class) {
        let around = self.typing.around(class);
        let params = Typing::params(class);
        let owners: Vec<Typed> = self
            .typing
            .ways(params, &around)
            .iter()
            .map(|bindings| owner_type(class, bindings))
            .collect();
        self.add_subjects_on(class, &owners);
        self.add_constants(class, 0);
        self.add_disguised(class, &owners[0]);
        let raw = self.type_id(&Typed::Class { name: class.name.clone(), args: Vec::new() });
        self.wanted.push((raw, 0));
        for owner in &owners {
            let id = self.type_id(owner);
            self.wanted.push((id, 0));
        }
    }

    /// Objects of a class that no constructor gives away, where the class hands them out as something
    /// wider: a single instance in a field of its interface's type, or what a static method returns.
    fn add_disguised(&mut self, class: &Class, owner: &Typed) {
        let ty = Type::Class(class.name.clone());
        let usable = |method: &&Method| self.is_usable(class, method);
        if class.kind == ClassKind::Interface || class.constructors().any(|c| usable(&c)) {
            return;
        }
        let is_wider = |of: &Type| {
            *of != ty
                && *of != Type::object()
                && of.is_reference()
                && self.world.is_subtype(&ty, of)
        };
        let fields = class.fields.iter().filter(|f| {
            f.access.is_static()
                && !f.access.is_synthetic()
                && is_wider(&f.ty)
                && member_accessible(self.world, class, f.access, &self.package)
        });
        let methods = class.methods.iter().filter(|m| {
            m.access.is_static() && m.result.as_ref().is_some_and(is_wider) && usable(m)
        });
        let mut found: Vec<(Operation, Vec<Typed>)> =
            fields.map(|field| (Operation::of_field(class, field), Vec::new())).collect();
        for method in methods {
            let params = self.typing.shape(method, &Bindings::new()).params;
            found.push((Operation::of_method(class, method), params));
        }
        for (op, params) in found {
            self.add(op, &Shape { params, result: Some(owner.clone()) }, 0);
        }
    }

    /// Adds the members of the class under test, called on objects of these types.
    pub(super) fn add_subjects_on(&mut self, class: &Class, owners: &[Typed]) {
        let around = self.typing.around(class);
        let mut seen: Vec<(Arc<str>, Vec<Type>)> = Vec::new();
        for declaring in self.world.supertypes(&class.name) {
            let own = declaring.name == class.name;
            if !own && declaring.origin == Origin::Jdk {
                continue;
            }
            for method in &declaring.methods {
                if !self.is_usable(&declaring, method) || (!own && !inherits(method)) {
                    continue;
                }
                if method.is_constructor() && !(own && class.is_instantiable()) {
                    continue;
                }
                let key = (
                    method.name.clone(),
                    method.params.iter().map(|p| p.ty.clone()).collect::<Vec<_>>(),
                );
                if seen.contains(&key) {
                    continue;
                }
                // Static methods of interfaces are not inherited (JLS §8.4.8).
                if declaring.is_interface() && method.access.is_static() && !own {
                    continue;
                }
                seen.push(key);
                let mut first = None;
                for (owner, bindings) in self.uses(owners, &declaring, method, &around) {
                    let id = self.add_method((class, &owner), method, &bindings, 0);
                    first = first.or(id);
                }
                if let Some(id) = first.map(|id| self.api.firsts[id.0 as usize])
                    && !self.api.subjects.contains(&id)
                {
                    self.api.subjects.push(id);
                }
            }
        }
    }

    /// The ways in which the types of a method under test are used: the type it is called on, and
    /// what its variables stand for.
    fn uses(
        &self,
        owners: &[Typed],
        declaring: &Class,
        method: &Method,
        around: &Bindings,
    ) -> Vec<(Typed, Bindings)> {
        let own = method.signature.as_ref().map_or(&[][..], |s| &s.type_params);
        let mut uses = Vec::new();
        let is_static = method.access.is_static();
        for (at, owner) in owners.iter().enumerate().take(if is_static { 1 } else { owners.len() })
        {
            let Typed::Class { name, args } = owner else { continue };
            let mut known = around.clone();
            if !is_static {
                match self.typing.supertype(name, args, &declaring.name) {
                    Some(Super::Args(args)) => known.extend(bind(Typing::params(declaring), &args)),
                    Some(Super::Raw) | None => {
                        self.typing.choose(Typing::params(declaring), at, &mut known);
                    }
                }
            }
            let ways = self.typing.ways(own, &known);
            if owners.len() > 1 && !is_static {
                // One way for each type, so that there are not more of them than of types.
                let way = ways.into_iter().cycle().nth(at).expect("there is a way");
                uses.push((owner.clone(), way));
            } else {
                uses.extend(ways.into_iter().map(|way| (owner.clone(), way)));
            }
        }
        uses
    }
}

/// Whether a subclass has the method too.
fn inherits(method: &Method) -> bool {
    !method.is_constructor() && !method.access.is_private()
}
