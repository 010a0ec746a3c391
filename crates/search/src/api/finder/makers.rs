//! Operations that make arguments: what the wanted class offers itself, its subtypes, and its
//! neighbours in the package.
//!
//! Wanted are types with arguments. An operation makes a `List<String>` if what its result says can
//! be made that by a choice for its variables; those left over are chosen freely.

use std::rc::Rc;
use std::sync::Arc;

use model::{
    Class, ClassKind, ClassName, Hierarchy, Method, Operation, Origin, Type, TypeParameter,
    type_accessible,
};

use super::detective::{MAX_DEPTH, MAX_FAR_SUBTYPES, MAX_JDK_SUBTYPES, MAX_NEARBY, MAX_SUBTYPES};
use super::{Declared, Finder, jdk, owner_type};
use crate::api::literals::is_written_down;
use crate::api::typed::Typed;
use crate::api::typing::{Bindings, Shape, Typing, open};

/// Operations that only make arguments.
const MAX_SUPPORT: usize = 600;
/// The same, each counted as often as its types are used differently.
const MAX_USES: usize = 1500;
/// Constructors and factories taken of one class.
const MAX_OFFERED: usize = 16;
/// The same of one of the JDK's classes.
const MAX_JDK_OFFERED: usize = 6;

impl Finder<'_> {
    pub(in crate::api) fn add_makers(&mut self) {
        let mut next = 0;
        while next < self.wanted.len() {
            let (ty, depth) = self.wanted[next];
            next += 1;
            if std::mem::replace(&mut self.explored[ty.0 as usize], true)
                || depth >= MAX_DEPTH
                || self.api.op_ids.len() >= MAX_SUPPORT
                || self.api.operations.len() >= MAX_USES
            {
                continue;
            }
            self.add_makers_of(&self.api.types[ty.0 as usize].clone(), depth + 1);
        }
    }

    /// Adds what makes values of a type.
    fn add_makers_of(&mut self, wanted: &Typed, depth: u32) {
        match wanted {
            Typed::Primitive(_) | Typed::Variable(_) => {}
            Typed::Array(element) => {
                let op = Operation::array(&element.erased());
                let params = vec![element.as_ref().clone()];
                self.add(op, &Shape { params, result: Some(wanted.clone()) }, depth);
            }
            Typed::Class { name, args } => {
                if is_written_down(name) {
                    return self.add_files(wanted, depth);
                }
                let Some(class) = self.world.class(name) else { return };
                let params = Typing::params(&class);
                if args.is_empty() && !params.is_empty() {
                    // Any arguments will do, so the usual ones are made.
                    let bindings = self.typing.ways(params, &self.typing.around(&class)).remove(0);
                    let usual = self.type_id(&owner_type(&class, &bindings));
                    self.wanted.push((usual, depth - 1));
                    return;
                }
                self.add_files(wanted, depth);
                self.add_makers_in(&class, wanted, depth);
                if !self.extras.detective.finds() {
                    return;
                }
                if !class.is_instantiable() && class.kind != ClassKind::Enum {
                    self.add_subtypes_of(&class, wanted, depth);
                }
                if let Some(holder) = jdk::elsewhere(name.as_internal()) {
                    self.add_makers_elsewhere(&ClassName::internal(holder), wanted, depth);
                }
                if !self.is_made(wanted) {
                    self.add_makers_nearby(&class, wanted, depth);
                }
            }
        }
    }

    /// What the variables of a method of a class stand for if its result is wanted as a type, and
    /// the type of the object it is called on; `None` if its result is none of these.
    pub(super) fn bound(
        &self,
        class: &Class,
        method: &Method,
        wanted: &Typed,
    ) -> Option<(Typed, Bindings)> {
        let own = method.signature.as_ref().map_or(&[][..], |s| &s.type_params);
        let of_class = if method.access.is_static() { &[][..] } else { Typing::params(class) };
        let mut variables: Vec<TypeParameter> = of_class.to_vec();
        variables.retain(|param| own.iter().all(|own| own.name != param.name));
        variables.extend(own.iter().cloned());
        let mut patterns = self.typing.around(class);
        patterns.extend(open(&variables));
        let made = if method.is_constructor() {
            owner_type(class, &patterns)
        } else {
            self.typing.shape(method, &patterns).result?
        };
        let mut bindings = self.typing.around(class);
        if !self.typing.unify(&made, wanted, &mut bindings)
            || !self.typing.in_bounds(&variables, &bindings)
        {
            return None;
        }
        self.typing.choose(&variables, 0, &mut bindings);
        Some((owner_type(class, &bindings), bindings))
    }

    /// Constructors, factories and constants that a class itself offers: the simplest few.
    fn add_makers_in(&mut self, class: &Class, wanted: &Typed, depth: u32) {
        self.add_constants(class, depth);
        let is_jdk = class.origin == Origin::Jdk;
        let limit = if is_jdk { MAX_JDK_OFFERED } else { MAX_OFFERED };
        let mut added = 0;
        for method in self.offered(class, &wanted.erased()) {
            if let Some((owner, bindings)) = self.bound(class, method, wanted)
                && self.add_method((class, &owner), method, &bindings, depth).is_some()
            {
                added += 1;
            }
            if added == limit {
                break;
            }
        }
        if class.name != self.api.class && class.is_instantiable() {
            self.add_mutators(class, wanted, depth + 1);
        }
        if !is_jdk {
            self.add_settable_fields(class, wanted, depth + 1);
        }
    }

    /// Constructors and factories of a class for values of the type, the best first: those that
    /// give the same everywhere, that do not need such a value, that take least.
    fn offered<'c>(&self, class: &'c Class, wanted: &Type) -> Vec<&'c Method> {
        let makes = |method: &&Method| {
            self.is_usable(class, method)
                && !method.deprecated
                && if method.is_constructor() {
                    class.is_instantiable()
                } else {
                    method.access.is_static()
                        && method.params.len() <= 3
                        && method.result.as_ref().is_some_and(|r| self.world.is_subtype(r, wanted))
                        && !method.params.iter().any(|p| p.ty == *wanted)
                }
        };
        let mut found: Vec<&Method> = class.methods.iter().filter(makes).collect();
        let name = class.name.as_internal();
        let is_steady = |m: &&Method| !jdk::is_from_environment(name, &m.name, m.params.len());
        if found.iter().any(is_steady) {
            found.retain(is_steady);
        }
        let grows = |of: &str| self.world.is_subclass(&class.name, &ClassName::internal(of));
        if class.origin == Origin::Jdk && jdk::GROWING.into_iter().any(grows) {
            found.retain(|method| {
                let mut numbers = method.params.iter().map(|p| p.ty.as_primitive().is_some());
                method.params.is_empty() || !method.is_constructor() || !numbers.all(|is| is)
            });
        }
        found.sort_by_key(|method| (self.wraps(method, wanted), method.params.len()));
        found
    }

    /// Whether a maker of the type needs a value of it, or of what it is a kind of.
    fn wraps(&self, method: &Method, wanted: &Type) -> bool {
        method.params.iter().any(|param| {
            let ty = &param.ty;
            let is_kind = *ty != Type::object() && self.world.is_subtype(wanted, ty);
            is_kind || self.world.is_subtype(ty, wanted)
        })
    }

    /// Whether any operation so far results in the type, other than from an object of it, or from
    /// one that is made of it.
    fn is_made(&self, wanted: &Typed) -> bool {
        let wanted_id = self.api.type_ids.get(wanted);
        let results = self.api.results.iter().zip(&self.api.params);
        let mut made = results.zip(&self.api.operations).filter(|((result, params), _)| {
            let result = result.map(|result| &self.api.types[result.0 as usize]);
            wanted_id.is_none_or(|id| !params.contains(id))
                && result.is_some_and(|result| self.typing.is_subtype(result, wanted))
        });
        made.any(|(_, op)| !self.gives_back(op, &wanted.erased()))
    }

    /// Whether the operation asks an object that only something of the type makes, so that it can
    /// give that back at best.
    pub(super) fn gives_back(&self, op: &Operation, ty: &Type) -> bool {
        let Some(receiver) = op.params.first().filter(|_| op.has_receiver()) else { return false };
        let makes = |maker: &&Arc<Operation>| {
            !maker.params.contains(receiver)
                && maker.result.as_ref().is_some_and(|r| self.world.is_subtype(r, receiver))
        };
        let mut makers = self.api.operations.iter().filter(makes).peekable();
        makers.peek().is_some() && makers.all(|maker| maker.params.contains(ty))
    }

    /// Constants and methods of a class that has some for the wanted type.
    fn add_makers_elsewhere(&mut self, holder: &ClassName, wanted: &Typed, depth: u32) {
        let Some(class) = self.world.class(holder) else { return };
        self.add_constants_of(&class, &wanted.erased(), depth);
        let makers = self.makers_by(&class, &wanted.erased());
        for is_static in [true, false] {
            let mut found = false;
            for (_, at) in &makers {
                let method = &class.methods[*at];
                found |= method.access.is_static() == is_static
                    && self.add_maker(&class, method, wanted, depth);
            }
            if found {
                return;
            }
        }
    }

    /// Methods of other classes of the package that result in the type: what makes a builder whose
    /// constructor is private. Static ones first, then those of objects.
    fn add_makers_nearby(&mut self, class: &Class, wanted: &Typed, depth: u32) {
        let nearby = self.nearby(class);
        for is_static in [true, false] {
            let mut found = 0;
            for (other, at) in nearby.iter() {
                let method = &other.methods[*at];
                if method.access.is_static() == is_static
                    && self.add_maker(other, method, wanted, depth)
                {
                    found += 1;
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

    /// Methods of other classes of the package that result in objects of the class, whatever its
    /// arguments.
    fn nearby(&mut self, class: &Class) -> Rc<[Declared]> {
        if let Some(known) = self.nearby.get(&class.name) {
            return known.clone();
        }
        let mut found = Vec::new();
        for name in self.world.package_classes(class.name.package()) {
            if name != class.name
                && let Some(other) = self.world.class(&name)
            {
                found.extend(self.makers_by(&other, &Type::Class(class.name.clone())));
            }
        }
        let found: Rc<[_]> = found.into();
        self.nearby.insert(class.name.clone(), found.clone());
        found
    }

    /// Methods of a class that result in the erased type.
    fn makers_by(&self, other: &Arc<Class>, wanted: &Type) -> Vec<Declared> {
        let makes = |method: &Method| {
            !method.is_constructor()
                && method.params.len() <= 3
                && method.result.as_ref().is_some_and(|r| self.world.is_subtype(r, wanted))
                && self.is_usable(other, method)
        };
        let all = (0..other.methods.len()).filter(|at| makes(&other.methods[*at]));
        all.map(|at| (other.clone(), at)).collect()
    }

    /// Adds a method of another class if its result is of the type.
    pub(super) fn add_maker(
        &mut self,
        other: &Class,
        method: &Method,
        wanted: &Typed,
        depth: u32,
    ) -> bool {
        let bound = self.bound(other, method, wanted);
        bound.is_some_and(|(owner, bindings)| {
            self.add_method((other, &owner), method, &bindings, depth).is_some()
        })
    }

    fn add_subtypes_of(&mut self, class: &Class, wanted: &Typed, depth: u32) {
        // A thread is a `Runnable`, but a lambda is a better one.
        let only_own = self.takes_lambda(class);
        let mut found: Vec<((bool, usize), Arc<Class>)> = Vec::new();
        for name in self.typing.subtypes(&class.name) {
            let Some(sub) = self.world.class(&name) else { continue };
            let usable = (sub.is_instantiable() || sub.kind == ClassKind::Enum)
                && (!only_own || sub.origin == Origin::Project);
            if !usable || !type_accessible(self.world, &Type::Class(name), &self.package) {
                continue;
            }
            // The fewer arguments the simplest constructor takes, the sooner it is tried; what needs
            // another such object comes last.
            let effort = sub
                .constructors()
                .filter(|c| self.is_usable(&sub, c))
                .map(|c| (self.wraps(c, &wanted.erased()), c.params.len()))
                .min()
                .unwrap_or((false, 9));
            found.push((effort, sub));
        }
        let usual = |sub: &Class| jdk::rank_among_usual(sub.name.as_internal());
        if found.iter().any(|(_, sub)| usual(sub).is_some()) {
            found.retain(|(_, sub)| sub.origin != Origin::Jdk || usual(sub).is_some());
        }
        let first = found.iter().filter_map(|(_, sub)| usual(sub)).min();
        found.sort_by_key(|(effort, sub)| {
            let rank = usual(sub);
            // The most usual one comes first, then those of the project.
            (rank.is_none() || rank != first, *effort, sub.origin == Origin::Jdk, rank)
        });
        if found.is_empty() {
            return self.want_skeletons(class, wanted, depth);
        }
        let limit = if depth > 2 { MAX_FAR_SUBTYPES } else { MAX_SUBTYPES };
        let (mut taken, mut of_jdk) = (0, 0);
        for (_, sub) in found {
            let is_jdk = sub.origin == Origin::Jdk;
            if is_jdk && of_jdk == MAX_JDK_SUBTYPES {
                continue;
            }
            let Some(ty) = self.type_of_subclass(&sub, wanted) else { continue };
            let id = self.type_id(&ty);
            self.explored[id.0 as usize] = true;
            self.add_makers_in(&sub, &ty, depth);
            taken += 1;
            of_jdk += usize::from(is_jdk);
            if taken == limit {
                break;
            }
        }
    }

    /// The type of a subclass whose objects are of the wanted type.
    pub(super) fn type_of_subclass(&self, sub: &Class, wanted: &Typed) -> Option<Typed> {
        let params = Typing::params(sub);
        let around = self.typing.around(sub);
        let mut patterns = around.clone();
        patterns.extend(open(params));
        let mut bindings = around;
        let fits = self.typing.unify(&owner_type(sub, &patterns), wanted, &mut bindings)
            && self.typing.in_bounds(params, &bindings);
        fits.then(|| {
            self.typing.choose(params, 0, &mut bindings);
            owner_type(sub, &bindings)
        })
    }
}
