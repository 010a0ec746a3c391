//! Detective (requirement G7), the part for what neither its own class nor its neighbours make:
//! methods of any class of the project or its dependencies that result in the type or a subtype.
//!
//! A factory in another package is often the only way to an object whose constructor is kept back.
//! Static methods come first, then those of objects, the ones that can be made before the others;
//! what they take is looked for in turn.
//!
//! Invariant: only types of which there is no value are looked for, so that what can be had closer
//! by stays as it is.

use std::sync::Arc;

use model::{Class, ClassName, Hierarchy, Method, Type};

use super::detective::{
    MAX_ARGUMENTS, MAX_DEPTH, MAX_FOUND, MAX_HOLDERS, MAX_LOOKED_FOR, MAX_RESULTS, MAX_ROUNDS,
};
use super::{Declared, Finder};
use crate::api::TypeId;
use crate::api::literals::is_written_down;
use crate::api::typed::Typed;
use crate::api::typing::Typing;

impl Finder<'_> {
    /// Adds methods of whichever class for all that operations take and of which there is nothing.
    pub(in crate::api) fn add_makers_anywhere(&mut self) {
        if !self.extras.detective.finds() {
            return;
        }
        let mut looked_for: Vec<TypeId> = Vec::new();
        for _ in 0..MAX_ROUNDS {
            let buildable = self.buildable();
            let mut missing: Vec<(TypeId, u32)> = Vec::new();
            for (ty, depth) in &self.wanted {
                let is_new =
                    !looked_for.contains(ty) && missing.iter().all(|(known, _)| known != ty);
                if is_new && *depth < MAX_DEPTH && !buildable[ty.0 as usize] {
                    missing.push((*ty, *depth));
                }
            }
            let known = self.api.operations.len();
            for (ty, depth) in missing {
                if looked_for.len() < MAX_LOOKED_FOR {
                    looked_for.push(ty);
                    self.add_returning(&self.api.types[ty.0 as usize].clone(), depth + 1);
                }
            }
            if self.api.operations.len() == known {
                return;
            }
            self.add_makers();
        }
    }

    /// Adds methods that result in the type: static ones, or else those of objects.
    fn add_returning(&mut self, wanted: &Typed, depth: u32) {
        let Typed::Class { name, args } = wanted else { return };
        let Some(class) = self.world.class(name) else { return };
        // Without arguments a generic class is looked for as what it usually is.
        let is_open = args.is_empty() && !Typing::params(&class).is_empty();
        if is_open || is_written_down(name) || self.takes_lambda(&class) {
            return;
        }
        let all = self.returning(name);
        for is_static in [true, false] {
            let mut found = 0;
            for (other, at) in &all {
                let method = &other.methods[*at];
                if method.access.is_static() == is_static
                    && self.add_maker(other, method, wanted, depth)
                {
                    found += 1;
                }
                if found >= MAX_FOUND {
                    break;
                }
            }
            if found > 0 {
                return;
            }
        }
    }

    /// Methods that can be called and result in a class or a subtype, the simplest first.
    fn returning(&self, name: &ClassName) -> Vec<Declared> {
        let mut results = vec![name.clone()];
        results.extend(self.typing.subtypes(name).into_iter().take(MAX_RESULTS));
        let mut holders: Vec<ClassName> = Vec::new();
        for holder in results.iter().flat_map(|result| self.world.returning(result)) {
            if !holders.contains(&holder) {
                holders.push(holder);
            }
        }
        holders.truncate(MAX_HOLDERS);
        let mut found: Vec<((bool, usize), Declared)> = Vec::new();
        for holder in holders.iter().filter_map(|holder| self.world.class(holder)) {
            for (at, method) in holder.methods.iter().enumerate() {
                if self.gives(&holder, method, name) {
                    let is_far = !method.access.is_static() && !self.can_be_new(&holder);
                    found.push(((is_far, method.params.len()), (Arc::clone(&holder), at)));
                }
            }
        }
        found.sort_by_key(|(effort, _)| *effort);
        found.into_iter().map(|(_, declared)| declared).collect()
    }

    /// Whether a method gives an object of the class that it was not given.
    fn gives(&self, holder: &Class, method: &Method, name: &ClassName) -> bool {
        let wanted = Type::Class(name.clone());
        let is_it = |ty: &Type| self.world.is_subtype(ty, &wanted);
        !method.is_constructor()
            && !method.deprecated
            && method.params.len() <= MAX_ARGUMENTS
            && method.result.as_ref().is_some_and(is_it)
            && !method.params.iter().any(|param| is_it(&param.ty))
            && (method.access.is_static() || !self.world.is_subclass(&holder.name, name))
            && self.is_usable(holder, method)
    }

    fn can_be_new(&self, class: &Class) -> bool {
        class.is_instantiable() && class.constructors().any(|new| self.is_usable(class, new))
    }
}
