//! Operations that make arguments: what the wanted class offers itself, its subtypes, and its
//! neighbours in the package.

use std::sync::Arc;

use model::{Class, ClassKind, Hierarchy, Operation, Origin, Type, type_accessible};

use super::Finder;
use crate::api::literals::is_written_down;

/// How far from the class under test makers of arguments are looked for.
const MAX_DEPTH: u32 = 4;
/// Subtypes tried for an interface or abstract class.
const MAX_SUBTYPES: usize = 6;
/// Operations that only make arguments.
const MAX_SUPPORT: usize = 600;
/// Methods of other classes tried for a type that cannot be made otherwise.
const MAX_NEARBY: usize = 4;
/// Names of methods that put something into an object.
const CHANGING: [&str; 8] = ["add", "put", "append", "set", "push", "offer", "with", "insert"];

impl Finder<'_> {
    pub(in crate::api) fn add_makers(&mut self) {
        let mut next = 0;
        while next < self.wanted.len() {
            let (ty, depth) = self.wanted[next];
            next += 1;
            if std::mem::replace(&mut self.explored[ty.0 as usize], true)
                || depth >= MAX_DEPTH
                || self.api.operations.len() >= MAX_SUPPORT
            {
                continue;
            }
            self.add_makers_of(&self.api.types[ty.0 as usize].clone(), depth + 1);
        }
    }

    fn add_makers_of(&mut self, ty: &Type, depth: u32) {
        match ty {
            Type::Primitive(_) => {}
            Type::Array(element) => {
                self.add(Operation::array(element), depth);
            }
            Type::Class(name) => {
                if is_written_down(name) {
                    return;
                }
                let Some(class) = self.world.class(name) else { return };
                self.add_makers_in(&class, ty, depth);
                if !class.is_instantiable() && class.kind != ClassKind::Enum {
                    self.add_subtypes_of(&class, depth);
                }
                if class.origin != Origin::Jdk && !self.is_made(ty) {
                    self.add_makers_nearby(&class, ty, depth);
                }
            }
        }
    }

    /// Constructors, factories and constants that a class itself offers.
    fn add_makers_in(&mut self, class: &Class, wanted: &Type, depth: u32) {
        self.add_constants(class, depth);
        for method in &class.methods {
            if !self.is_usable(class, method) || method.deprecated {
                continue;
            }
            let makes = if method.is_constructor() {
                class.is_instantiable()
            } else {
                method.access.is_static()
                    && method.params.len() <= 3
                    && method.result.as_ref().is_some_and(|r| self.world.is_subtype(r, wanted))
                    && !method.params.iter().any(|p| p.ty == *wanted)
            };
            let changes = !method.access.is_static()
                && class.is_instantiable()
                && !method.is_constructor()
                && matches!(method.params.len(), 1 | 2)
                && CHANGING.iter().any(|prefix| method.name.starts_with(prefix));
            if makes {
                self.add(Operation::of_method(class, method), depth);
            } else if changes
                && class.name != self.api.class
                && let Some(id) = self.add(Operation::of_method(class, method), depth + 1)
                && !self.api.subjects.contains(&id)
                && !self.api.mutators.contains(&id)
            {
                self.api.mutators.push(id);
            }
        }
    }

    /// Whether any operation so far results in the type, other than from an object of it.
    fn is_made(&self, ty: &Type) -> bool {
        self.api.operations.iter().any(|op| {
            let makes = op.result.as_ref().is_some_and(|result| self.world.is_subtype(result, ty));
            makes && !op.params.contains(ty)
        })
    }

    /// Methods of other classes of the package that result in the type: what makes a builder whose
    /// constructor is private. Static ones first, then those of objects.
    fn add_makers_nearby(&mut self, class: &Class, wanted: &Type, depth: u32) {
        for is_static in [true, false] {
            let mut found = 0;
            for name in self.world.package_classes(class.name.package()) {
                let Some(other) = self.world.class(&name) else { continue };
                for method in &other.methods {
                    let makes = method.access.is_static() == is_static
                        && !method.is_constructor()
                        && method.params.len() <= 3
                        && name != class.name
                        && method.result.as_ref().is_some_and(|r| self.world.is_subtype(r, wanted))
                        && self.is_usable(&other, method);
                    if makes && self.add(Operation::of_method(&other, method), depth).is_some() {
                        found += 1;
                    }
                }
                if found >= MAX_NEARBY {
                    break;
                }
            }
            if found > 0 {
                return;
            }
        }
    }

    fn add_subtypes_of(&mut self, class: &Class, depth: u32) {
        let mut found: Vec<(usize, Arc<Class>)> = Vec::new();
        // A thread is a `Runnable`, but a lambda is a better one.
        let only_own = self.takes_lambda(class);
        for name in self.world.subtypes(&class.name) {
            let Some(sub) = self.world.class(&name) else { continue };
            let usable = (sub.is_instantiable() || sub.kind == ClassKind::Enum)
                && (!only_own || sub.origin == Origin::Project);
            if !usable || !type_accessible(self.world, &Type::Class(name), &self.package) {
                continue;
            }
            // The fewer arguments the simplest constructor takes, the sooner it is tried.
            let effort = sub
                .constructors()
                .filter(|c| self.is_usable(&sub, c))
                .map(|c| c.params.len())
                .min()
                .unwrap_or(9);
            found.push((effort, sub));
        }
        found.sort_by_key(|(effort, sub)| (*effort, sub.origin == Origin::Jdk));
        for (_, sub) in found.into_iter().take(MAX_SUBTYPES) {
            let ty = Type::Class(sub.name.clone());
            let id = self.type_id(&ty);
            self.explored[id.0 as usize] = true;
            self.add_makers_in(&sub, &ty, depth);
        }
    }
}
