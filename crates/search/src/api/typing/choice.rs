//! Which types variables stand for where nothing says it: usual ones, so that elements of
//! collections can be compared, sorted and read.

use model::{ClassKind, GenericType, Type, TypeArgument, TypeParameter, type_accessible};

use super::super::typed::Typed;
use super::{Bindings, Typing};

/// Types tried first, in this order.
const USUAL: [&str; 2] = ["java/lang/String", "java/lang/Integer"];
/// How many different choices are made for the variables of one class or method.
pub(crate) const MAX_CHOICES: usize = 2;
/// Choices made for the sake of each other.
const MAX_CHOOSING: u32 = 3;
/// Subtypes looked at for a bound that nothing usual keeps.
const MAX_TRIED: usize = 40;

impl Typing<'_> {
    /// The first choice for a variable, as an argument at this depth.
    pub(super) fn choice(&self, param: &TypeParameter, known: &Bindings, depth: u32) -> Typed {
        self.choices_at(param, known, depth).swap_remove(0)
    }

    /// Types the variable may stand for, the best first; at least one.
    fn choices_at(&self, param: &TypeParameter, known: &Bindings, depth: u32) -> Vec<Typed> {
        // A bound may lead back here through the supertypes of what might keep it.
        if self.choosing.get() >= MAX_CHOOSING {
            let bound = param.bounds.first().map_or_else(Type::object, |b| self.erasure(b));
            return vec![Typed::raw(&bound)];
        }
        self.choosing.set(self.choosing.get() + 1);
        let found = self.choices_of(param, known, depth);
        self.choosing.set(self.choosing.get() - 1);
        found
    }

    /// Whether what the variables stand for keeps their bounds.
    pub(crate) fn in_bounds(&self, params: &[TypeParameter], bindings: &Bindings) -> bool {
        params.iter().all(|param| {
            let bound_to = bindings.iter().rev().find(|(name, _)| *name == param.name);
            bound_to.is_none_or(|(_, ty)| self.keeps_bounds(param, ty, bindings, 0))
        })
    }

    fn keeps_bounds(
        &self,
        param: &TypeParameter,
        ty: &Typed,
        bindings: &Bindings,
        depth: u32,
    ) -> bool {
        let mut bindings = bindings.clone();
        bindings.push((param.name.clone(), ty.clone()));
        param
            .bounds
            .iter()
            .all(|bound| self.is_subtype(ty, &self.closed(bound, &bindings, depth + 1).bounded()))
    }

    fn choices_of(&self, param: &TypeParameter, known: &Bindings, depth: u32) -> Vec<Typed> {
        if let Some(GenericType::Variable(other)) = param.bounds.first()
            && let Some((_, bound)) = known.iter().rev().find(|(name, _)| name == other)
        {
            return vec![bound.clone()];
        }
        let keeps_bounds = |ty: &Typed| self.keeps_bounds(param, ty, known, depth);
        let mut found: Vec<Typed> =
            USUAL.into_iter().map(Typed::class).filter(|ty| keeps_bounds(ty)).collect();
        let bound = param.bounds.first();
        if found.is_empty()
            && let Some(GenericType::Class { name, .. }) = bound
            && param.bounds.iter().any(|bound| mentions(bound, &param.name))
        {
            let subtypes = self.subtypes(name);
            let candidates = subtypes.iter().take(MAX_TRIED).filter(|name| {
                self.world.class(name).is_some_and(|class| {
                    (class.is_instantiable() || class.kind == ClassKind::Enum)
                        && Self::params(&class).is_empty()
                        && type_accessible(
                            self.world,
                            &Type::Class(class.name.clone()),
                            &self.package,
                        )
                })
            });
            let types = candidates.map(|name| Typed::class(name.as_internal()));
            found.extend(types.filter(keeps_bounds).take(MAX_CHOICES));
        }
        if let Some(bound) = bound {
            let mut bindings = known.clone();
            bindings.push((param.name.clone(), Typed::raw(&self.erasure(bound))));
            let bound = self.closed(bound, &bindings, depth + 1).bounded();
            // Of `Object` there is more than enough.
            if bound != Typed::class("java/lang/Object")
                && (found.is_empty() || !found.contains(&bound))
                && found.len() < MAX_CHOICES
            {
                found.push(bound);
            }
        }
        if found.is_empty() {
            found.push(Typed::class("java/lang/Object"));
        }
        // What code tests a value of the variable's type for, it may well be.
        if depth == 0 {
            let tested = self.tested.iter().find(|ty| !found.contains(ty) && keeps_bounds(ty));
            found.extend(tested.cloned());
        }
        found
    }

    fn erasure(&self, bound: &GenericType) -> Type {
        match bound {
            GenericType::Class { name, .. } => Type::Class(name.clone()),
            _ => Type::object(),
        }
    }

    /// Chooses for the variables that `bindings` has nothing for yet. There are [`MAX_CHOICES`]
    /// ways, and one more where code tests for types; neighbours stand for different types, so that they are not taken for each other.
    pub(crate) fn choose(&self, params: &[TypeParameter], way: usize, bindings: &mut Bindings) {
        for (at, param) in params.iter().enumerate() {
            if bindings.iter().any(|(bound, _)| *bound == param.name) {
                continue;
            }
            let mut choices = self.choices_at(param, bindings, 0);
            let chosen = (at + way) % choices.len();
            bindings.push((param.name.clone(), choices.swap_remove(chosen)));
        }
    }

    /// The different choices for the variables, given what is known of others.
    pub(crate) fn ways(&self, params: &[TypeParameter], known: &Bindings) -> Vec<Bindings> {
        let mut all: Vec<Bindings> = Vec::new();
        for way in 0..MAX_CHOICES + usize::from(!self.tested.is_empty()) {
            let mut bindings = known.clone();
            // What has the same name outside is hidden.
            bindings.retain(|(name, _)| params.iter().all(|param| param.name != *name));
            self.choose(params, way, &mut bindings);
            if !all.contains(&bindings) {
                all.push(bindings);
            }
        }
        all
    }

    /// A class that has objects in place of one that only its subclasses have: what `Class<? extends
    /// Enum<?>>` is given.
    pub(super) fn concrete(&self, ty: Typed) -> Typed {
        let Typed::Class { name, .. } = &ty else { return ty };
        let has_objects = |name: &model::ClassName| {
            self.world.class(name).is_some_and(|class| {
                class.is_instantiable()
                    || class.kind == ClassKind::Enum
                    || class.name.as_internal() == "java/lang/Object"
            })
        };
        if has_objects(name) {
            return ty;
        }
        let found = self.subtypes(name).into_iter().take(MAX_TRIED).find(|sub| {
            has_objects(sub)
                && type_accessible(self.world, &Type::Class(sub.clone()), &self.package)
        });
        found.map_or(ty, |name| Typed::class(name.as_internal()))
    }
}

/// Whether the bound mentions the variable.
fn mentions(bound: &GenericType, variable: &str) -> bool {
    match bound {
        GenericType::Primitive(_) => false,
        GenericType::Variable(name) => &**name == variable,
        GenericType::Array(element) => mentions(element, variable),
        GenericType::Class { args, .. } => args.iter().any(|arg| match arg {
            TypeArgument::Any => false,
            TypeArgument::Exact(ty) | TypeArgument::Extends(ty) | TypeArgument::Super(ty) => {
                mentions(ty, variable)
            }
        }),
    }
}
