//! What generic types come to where values are made for them (JLS §4.5, §4.10).
//!
//! A parameter of type `List<? extends Number>` is given lists of something: a wildcard is taken for
//! its bound, a variable for what was chosen for it. So one type is wanted in each place, and every
//! call on one object agrees on its arguments.
//!
//! Invariant: what is chosen depends on the class files alone.

mod choice;
mod members;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use model::{
    Class, ClassName, GenericType, Hierarchy, Implementations, Type, TypeArgument, TypeParameter,
    type_accessible,
};
use rustc_hash::FxHashMap;

use super::typed::Typed;
pub(crate) use members::Shape;

/// What type variables stand for.
pub(crate) type Bindings = Vec<(Arc<str>, Typed)>;

/// A type seen as one of its supertypes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Super {
    /// Its arguments are not known.
    Raw,
    /// With these, none if it is not generic.
    Args(Vec<Typed>),
}

/// Answers questions about types with arguments, for tests in a package.
pub(crate) struct Typing<'w> {
    world: &'w dyn Implementations,
    package: String,
    /// Asking for subtypes of the JDK's types takes long.
    subtypes: RefCell<FxHashMap<ClassName, Vec<ClassName>>>,
    /// Supertypes that were asked for.
    supertypes: RefCell<FxHashMap<Typed, Rc<[Typed]>>>,
    /// How many choices are being made, each for the sake of the one before.
    choosing: Cell<u32>,
    /// What the code under test asks objects for, whatever its signatures say.
    tested: Vec<Typed>,
}

impl<'w> Typing<'w> {
    pub(crate) fn new<'t>(
        world: &'w dyn Implementations,
        package: &str,
        tested: impl Iterator<Item = &'t Type>,
    ) -> Self {
        let can_be = |ty: &&Type| type_accessible(world, ty, package);
        Self {
            world,
            package: package.to_owned(),
            subtypes: RefCell::default(),
            supertypes: RefCell::default(),
            choosing: Cell::new(0),
            tested: tested.filter(can_be).map(Typed::raw).collect(),
        }
    }

    /// Classes known to extend or implement a class.
    pub(crate) fn subtypes(&self, name: &ClassName) -> Vec<ClassName> {
        let known = self.subtypes.borrow().get(name).cloned();
        known.unwrap_or_else(|| {
            let found = self.world.subtypes(name);
            self.subtypes.borrow_mut().insert(name.clone(), found.clone());
            found
        })
    }

    /// The type parameters of a class.
    pub(crate) fn params(class: &Class) -> &[TypeParameter] {
        class.signature.as_ref().map_or(&[][..], |s| &s.params)
    }

    fn is_generic(&self, name: &ClassName) -> bool {
        self.world.class(name).is_some_and(|class| !Self::params(&class).is_empty())
    }

    /// The type with variables and wildcards replaced.
    pub(crate) fn close(&self, ty: &GenericType, bindings: &Bindings) -> Typed {
        self.closed(ty, bindings, 0).bounded()
    }

    fn closed(&self, ty: &GenericType, bindings: &Bindings, depth: u32) -> Typed {
        match ty {
            GenericType::Primitive(p) => Typed::Primitive(*p),
            GenericType::Variable(name) => bindings
                .iter()
                .rev()
                .find(|(bound, _)| bound == name)
                .map_or_else(|| Typed::class("java/lang/Object"), |(_, to)| to.clone()),
            GenericType::Array(element) => {
                Typed::Array(Arc::new(self.closed(element, bindings, depth)))
            }
            GenericType::Class { name, args } => {
                // Deeper than any type is kept; bounds that mention themselves end here.
                let any = args.iter().all(|arg| *arg == TypeArgument::Any);
                if any || depth > 3 {
                    return Typed::Class { name: name.clone(), args: Vec::new() };
                }
                let class = self.world.class(name);
                let params = class.as_ref().map_or(&[][..], |class| Self::params(class));
                let args = args.iter().enumerate().map(|(at, arg)| match arg {
                    TypeArgument::Any => params.get(at).map_or_else(
                        || Typed::class("java/lang/Object"),
                        |param| self.choice(param, &Bindings::new(), depth + 1),
                    ),
                    TypeArgument::Extends(bound) if name.as_internal() == "java/lang/Class" => {
                        self.concrete(self.closed(bound, bindings, depth + 1))
                    }
                    TypeArgument::Exact(ty)
                    | TypeArgument::Extends(ty)
                    | TypeArgument::Super(ty) => self.closed(ty, bindings, depth + 1),
                });
                Typed::Class { name: name.clone(), args: args.collect() }
            }
        }
    }

    /// The parents of a type; those of a raw type are raw.
    fn parents(&self, name: &ClassName, args: &[Typed]) -> Vec<Typed> {
        let Some(class) = self.world.class(name) else { return Vec::new() };
        let params = Self::params(&class);
        match &class.signature {
            Some(signature) if params.len() == args.len() => {
                let bindings = bind(params, args);
                let all = std::iter::once(&signature.superclass).chain(&signature.interfaces);
                all.map(|parent| self.closed(parent, &bindings, 0)).collect()
            }
            _ => class
                .parents()
                .map(|parent| Typed::Class { name: parent.clone(), args: Vec::new() })
                .collect(),
        }
    }

    /// All types that values of a type can be used as, itself first: with their arguments, and raw.
    pub(crate) fn supertypes(&self, ty: &Typed) -> Rc<[Typed]> {
        let known = self.supertypes.borrow().get(ty).cloned();
        known.unwrap_or_else(|| {
            let found: Rc<[Typed]> = self.find_supertypes(ty).into();
            // What is chosen for the sake of another choice is cut short.
            if self.choosing.get() == 0 {
                self.supertypes.borrow_mut().insert(ty.clone(), found.clone());
            }
            found
        })
    }

    fn find_supertypes(&self, ty: &Typed) -> Vec<Typed> {
        match ty {
            Typed::Primitive(_) | Typed::Variable(_) => vec![ty.clone()],
            Typed::Array(element) => {
                let mut all: Vec<Typed> = Vec::new();
                for element in self.supertypes(element).iter() {
                    push_new(&mut all, Typed::Array(Arc::new(element.clone())));
                }
                for of_arrays in ["java/lang/Object", "java/lang/Cloneable", "java/io/Serializable"]
                {
                    push_new(&mut all, Typed::class(of_arrays));
                }
                all
            }
            Typed::Class { .. } => {
                let mut all = vec![ty.clone()];
                let mut next = 0;
                while next < all.len() {
                    let Typed::Class { name, args } = all[next].clone() else { break };
                    next += 1;
                    let parents = self.parents(&name, &args);
                    if !args.is_empty() {
                        // Its own parents are those above, without their arguments.
                        push_new(&mut all, Typed::Class { name, args: Vec::new() });
                    }
                    for parent in parents {
                        push_new(&mut all, parent.bounded());
                    }
                }
                push_new(&mut all, Typed::class("java/lang/Object"));
                all
            }
        }
    }

    /// Whether a value of one type can be used as the other.
    pub(crate) fn is_subtype(&self, from: &Typed, to: &Typed) -> bool {
        from == to
            || (self.world.is_subtype(&from.erased(), &to.erased())
                && (to.is_raw() || self.supertypes(from).contains(to)))
    }

    /// A class type seen as one of its superclasses or interfaces; `None` if it is none.
    pub(crate) fn supertype(
        &self,
        name: &ClassName,
        args: &[Typed],
        target: &ClassName,
    ) -> Option<Super> {
        if !self.world.is_subclass(name, target) {
            return None;
        }
        if !self.is_generic(target) {
            return Some(Super::Args(Vec::new()));
        }
        if name == target {
            let is_known = !args.is_empty();
            return Some(if is_known { Super::Args(args.to_vec()) } else { Super::Raw });
        }
        for parent in self.parents(name, args) {
            let Typed::Class { name, args } = parent else { continue };
            if let Some(found) = self.supertype(&name, &args, target) {
                return Some(found);
            }
        }
        Some(Super::Raw)
    }

    /// Whether values of the pattern, once its variables stand for what is put into `bindings`, can
    /// be used as the wanted type.
    pub(crate) fn unify(&self, pattern: &Typed, wanted: &Typed, bindings: &mut Bindings) -> bool {
        match (pattern, wanted) {
            (Typed::Class { name, args }, Typed::Class { name: target, args: wanted }) => {
                match self.supertype(name, args, target) {
                    None => false,
                    Some(_) if wanted.is_empty() => true,
                    Some(Super::Raw) => false,
                    Some(Super::Args(given)) => {
                        given.len() == wanted.len()
                            && given.iter().zip(wanted).all(|(g, w)| Self::equate(g, w, bindings))
                    }
                }
            }
            (Typed::Array(element), Typed::Array(wanted)) => match (&**element, &**wanted) {
                (Typed::Class { .. } | Typed::Array(_), _) => self.unify(element, wanted, bindings),
                (element, wanted) => Self::equate(element, wanted, bindings),
            },
            _ => Self::equate(pattern, wanted, bindings),
        }
    }

    /// Makes the pattern the wanted type.
    fn equate(pattern: &Typed, wanted: &Typed, bindings: &mut Bindings) -> bool {
        match (pattern, wanted) {
            (Typed::Variable(_), Typed::Primitive(_)) => false,
            (Typed::Variable(name), wanted) => {
                match bindings.iter().find(|(bound, _)| bound == name) {
                    Some((_, known)) => known == wanted,
                    None => {
                        bindings.push((name.clone(), wanted.clone()));
                        true
                    }
                }
            }
            (Typed::Class { name: a, args: pattern }, Typed::Class { name: b, args: wanted }) => {
                a == b
                    && pattern.len() == wanted.len()
                    && pattern.iter().zip(wanted).all(|(p, w)| Self::equate(p, w, bindings))
            }
            (Typed::Array(pattern), Typed::Array(wanted)) => {
                Self::equate(pattern, wanted, bindings)
            }
            (pattern, wanted) => pattern == wanted,
        }
    }
}

/// The parameters with their arguments.
pub(crate) fn bind(params: &[TypeParameter], args: &[Typed]) -> Bindings {
    params.iter().map(|p| p.name.clone()).zip(args.iter().cloned()).collect()
}

/// The parameters, each standing for itself.
pub(crate) fn open(params: &[TypeParameter]) -> Bindings {
    params.iter().map(|p| (p.name.clone(), Typed::Variable(p.name.clone()))).collect()
}

fn push_new(all: &mut Vec<Typed>, ty: Typed) {
    if !all.contains(&ty) {
        all.push(ty);
    }
}
