//! Generic types: erasing, substituting, and looking at a type as one of its supertypes.
//!
//! A class type without arguments is raw if its class is generic: then the types of its members
//! are erased too (JLS §4.8), which is why raw variables always compile.

use std::sync::Arc;

use model::{
    Class, ClassName, ClassSource, GenericType, Hierarchy, Nesting, Primitive, Type, TypeArgument,
    TypeParameter, type_accessible,
};

use crate::lambda::Lambda;
use crate::rejection::Rejection;
use crate::temporary::Style;

/// Where classes are looked up from: the class path, seen from the test's package.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    /// The classes.
    pub(crate) classes: &'a dyn ClassSource,
    /// The package of the test, in internal form.
    pub(crate) package: &'a str,
    /// How tests get at files.
    pub(crate) files: Style,
}

/// The static type of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Static {
    /// The type of `null`.
    Null,
    /// A lambda, which has the type of the place it stands in.
    Lambda(Arc<Lambda>),
    /// Any other.
    Of(GenericType),
}

/// What type variables stand for.
pub(crate) type Bindings = Vec<(Arc<str>, TypeArgument)>;

/// A type seen as one of its supertypes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Supertype {
    /// The supertype is raw.
    Raw,
    /// With these arguments, none if it is not generic.
    Args(Vec<TypeArgument>),
    /// It has arguments that cannot be written down (captured wildcards).
    Unknown,
}

/// The type without type arguments, as a generic type.
pub(crate) fn raw(ty: &Type) -> GenericType {
    GenericType::from(ty)
}

/// A class type without type arguments.
pub(crate) fn class_type(internal: &str) -> GenericType {
    raw(&Type::class(internal))
}

/// Whether the type mentions a type variable.
pub(crate) fn has_variables(ty: &GenericType) -> bool {
    match ty {
        GenericType::Primitive(_) => false,
        GenericType::Variable(_) => true,
        GenericType::Array(element) => has_variables(element),
        GenericType::Class { args, .. } => args.iter().any(|arg| match arg {
            TypeArgument::Any => false,
            TypeArgument::Exact(t) | TypeArgument::Extends(t) | TypeArgument::Super(t) => {
                has_variables(t)
            }
        }),
    }
}

/// Whether the type mentions this type variable.
pub(crate) fn mentions(ty: &GenericType, variable: &str) -> bool {
    match ty {
        GenericType::Primitive(_) => false,
        GenericType::Variable(name) => **name == *variable,
        GenericType::Array(element) => mentions(element, variable),
        GenericType::Class { args, .. } => {
            args.iter().filter_map(TypeArgument::bound).any(|ty| mentions(ty, variable))
        }
    }
}

/// Replaces bound variables; `None` if one stands for a wildcard where a type is needed.
pub(crate) fn substitute(ty: &GenericType, bindings: &Bindings) -> Option<GenericType> {
    Some(match ty {
        GenericType::Primitive(_) => ty.clone(),
        GenericType::Variable(name) => match bindings.iter().find(|(bound, _)| bound == name) {
            None => ty.clone(),
            Some((_, TypeArgument::Exact(to))) => to.clone(),
            Some(_) => return None,
        },
        GenericType::Array(element) => GenericType::Array(Box::new(substitute(element, bindings)?)),
        GenericType::Class { name, args } => {
            let args: Option<Vec<_>> =
                args.iter().map(|arg| substitute_argument(arg, bindings)).collect();
            GenericType::Class { name: name.clone(), args: args? }
        }
    })
}

/// Whether the type mentions a variable that stands for a wildcard.
pub(crate) fn captures(ty: &GenericType, bindings: &Bindings) -> bool {
    match ty {
        GenericType::Primitive(_) => false,
        GenericType::Variable(name) => bindings
            .iter()
            .any(|(bound, to)| bound == name && !matches!(to, TypeArgument::Exact(_))),
        GenericType::Array(element) => captures(element, bindings),
        GenericType::Class { args, .. } => args.iter().any(|arg| match arg {
            TypeArgument::Any => false,
            TypeArgument::Exact(t) | TypeArgument::Extends(t) | TypeArgument::Super(t) => {
                captures(t, bindings)
            }
        }),
    }
}

fn substitute_argument(arg: &TypeArgument, bindings: &Bindings) -> Option<TypeArgument> {
    Some(match arg {
        TypeArgument::Any => TypeArgument::Any,
        TypeArgument::Exact(GenericType::Variable(name)) => bindings
            .iter()
            .find(|(bound, _)| bound == name)
            .map_or_else(|| arg.clone(), |(_, to)| to.clone()),
        // Deeper inside, a wildcard is captured: it is one type everywhere, not any.
        TypeArgument::Exact(ty) | TypeArgument::Extends(ty) | TypeArgument::Super(ty)
            if captures(ty, bindings) =>
        {
            return None;
        }
        TypeArgument::Exact(ty) => TypeArgument::Exact(substitute(ty, bindings)?),
        TypeArgument::Extends(ty) => TypeArgument::Extends(substitute(ty, bindings)?),
        TypeArgument::Super(ty) => TypeArgument::Super(substitute(ty, bindings)?),
    })
}

/// The erasure, given the type parameters in scope (JLS §4.6).
pub(crate) fn erase(ty: &GenericType, params: &[TypeParameter]) -> Type {
    ty.erasure(params)
}

impl Static {
    /// Of an erased type.
    pub(crate) fn raw(ty: &Type) -> Self {
        Self::Of(raw(ty))
    }

    /// The erasure; `None` for the type of `null`, of a lambda the interface it is for.
    pub(crate) fn erased(&self) -> Option<Type> {
        match self {
            Self::Null => None,
            Self::Lambda(lambda) => Some(Type::Class(lambda.of.clone())),
            Self::Of(ty) => Some(erase(ty, &[])),
        }
    }

    /// The type after boxing.
    pub(crate) fn boxed(&self) -> Self {
        match self {
            Self::Of(GenericType::Primitive(p)) => Self::Of(class_type(p.boxed())),
            other => other.clone(),
        }
    }
}

impl Scope<'_> {
    /// The class of that name, or a rejection that names it.
    pub(crate) fn class(&self, name: &ClassName) -> Result<Arc<Class>, Rejection> {
        self.classes.class(name).ok_or_else(|| self.unnameable(&Type::Class(name.clone())))
    }

    /// Whether the test can name the type.
    pub(crate) fn can_name(&self, ty: &Type) -> bool {
        type_accessible(self.classes, ty, self.package)
            && match ty.innermost() {
                Type::Class(name) => self.spellable(name),
                _ => true,
            }
    }

    /// Rejects a type the test cannot name.
    pub(crate) fn nameable(&self, ty: &Type) -> Result<(), Rejection> {
        if self.can_name(ty) { Ok(()) } else { Err(self.unnameable(ty)) }
    }

    fn unnameable(&self, ty: &Type) -> Rejection {
        Rejection::Unnameable { ty: ty.clone(), package: self.package.replace('/', ".") }
    }

    /// Whether all parts of a class's name are identifiers.
    fn spellable(&self, name: &ClassName) -> bool {
        let simple = crate::imports::simple_names(self.classes, name);
        let package = name.package();
        simple.iter().all(|part| crate::identifier::is_type_identifier(part))
            && (package.is_empty() || package.split('/').all(model::is_identifier))
    }

    /// Whether one erased type is a subtype of another.
    pub(crate) fn is_subtype(&self, sub: &Type, sup: &Type) -> bool {
        self.classes.is_subtype(sub, sup)
    }

    /// Whether the class has type parameters, its own or those of the instance around it.
    pub(crate) fn is_generic(&self, name: &ClassName) -> bool {
        self.classes.class(name).is_some_and(|class| {
            class.signature.as_ref().is_some_and(|s| !s.params.is_empty())
                || match &class.nesting {
                    Nesting::Member { outer, is_static: false, .. } => self.is_generic(outer),
                    _ => false,
                }
        })
    }

    /// Whether a class type is raw.
    pub(crate) fn is_raw(&self, name: &ClassName, args: &[TypeArgument]) -> bool {
        args.is_empty() && self.is_generic(name)
    }

    /// The type `name<args>` seen as its supertype `target`; `None` if it is none.
    pub(crate) fn supertype(
        &self,
        name: &ClassName,
        args: &[TypeArgument],
        target: &ClassName,
    ) -> Option<Supertype> {
        if !self.classes.is_subclass(name, target) {
            return None;
        }
        if self.is_raw(name, args) {
            return Some(if self.is_generic(target) {
                Supertype::Raw
            } else {
                Supertype::Args(Vec::new())
            });
        }
        if name == target {
            return Some(Supertype::Args(args.to_vec()));
        }
        let Some(class) = self.classes.class(name) else { return Some(Supertype::Unknown) };
        let bindings = bind(&class, args);
        for parent in parents(&class) {
            let GenericType::Class { name: parent_name, .. } = &parent else { continue };
            if !self.classes.is_subclass(parent_name, target) {
                continue;
            }
            let Some(GenericType::Class { name, args }) = substitute(&parent, &bindings) else {
                return Some(Supertype::Unknown);
            };
            return self.supertype(&name, &args, target);
        }
        // Only `Object`, which interfaces do not name as a parent.
        Some(Supertype::Args(Vec::new()))
    }
}

/// The class's parameters bound to the arguments; empty if there are none.
pub(crate) fn bind(class: &Class, args: &[TypeArgument]) -> Bindings {
    let params = class.signature.as_ref().map_or(&[][..], |s| &s.params);
    params.iter().map(|p| p.name.clone()).zip(args.iter().cloned()).collect()
}

fn parents(class: &Class) -> Vec<GenericType> {
    match &class.signature {
        Some(signature) => {
            std::iter::once(&signature.superclass).chain(&signature.interfaces).cloned().collect()
        }
        None => class.parents().map(|name| raw(&Type::Class(name.clone()))).collect(),
    }
}

/// Whether a primitive is widened to another, or is the other (JLS §4.10.1).
pub(crate) fn widens(from: Primitive, to: Primitive) -> bool {
    use Primitive::{Boolean, Byte, Char, Double, Float, Int, Long, Short};
    from == to
        || match from {
            Byte => matches!(to, Short | Int | Long | Float | Double),
            Short | Char => matches!(to, Int | Long | Float | Double),
            Int => matches!(to, Long | Float | Double),
            Long => matches!(to, Float | Double),
            Float => to == Double,
            Boolean | Double => false,
        }
}
