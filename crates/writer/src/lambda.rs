//! Lambdas as arguments: whether javac takes one for a parameter.
//!
//! A lambda has no type of its own, it gets that of the place where it stands (JLS §15.27). With
//! implicit parameter types it says nothing about which method is meant beyond its shape
//! (JLS §15.12.2.1), so it stands in a call only where no other method could take one of its shape,
//! and where the parameter's type, or what javac infers from the lambda, certainly fits its body.

use std::sync::Arc;

use model::{
    Class, ClassName, GenericType, Hierarchy, Type, TypeArgument, Unimplemented, implementable,
};

use crate::generics::{Scope, Static, class_type, has_variables};

/// A lambda without a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lambda {
    /// The interface it was written for.
    pub(crate) of: ClassName,
    /// How many parameters it has.
    pub(crate) arity: usize,
    /// What it does.
    pub(crate) body: Body,
}

/// What a lambda does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Body {
    /// `{}`
    Nothing,
    /// It returns a value of this type.
    Value(Static),
    /// It returns one of its parameters.
    Argument(usize),
    /// It throws.
    Throws(ClassName),
}

/// A method as seen from a type with given type arguments.
pub(crate) struct Signature {
    /// Parameter types.
    pub(crate) params: Vec<GenericType>,
    /// Result type, `None` for `void`.
    pub(crate) result: Option<GenericType>,
    /// What it may throw.
    pub(crate) exceptions: Vec<GenericType>,
}

/// The method that a lambda for the interface implements, if it is a functional interface.
pub(crate) fn function(scope: Scope, of: &ClassName) -> Option<(Arc<Class>, Unimplemented)> {
    let class = scope.classes.class(of).filter(|class| class.is_interface())?;
    let mut methods = implementable(scope.classes, &class, scope.package)?;
    let method = methods.pop().filter(|method| methods.is_empty() && !method.is_generic())?;
    Some((class, method))
}

/// How a method is seen from `class` with these type arguments; without any a generic class is raw,
/// and so is a method with type parameters of its own: overriding it by its erasure is allowed
/// (JLS §8.4.2).
pub(crate) fn seen_from(class: &Class, method: &Unimplemented, args: &[GenericType]) -> Signature {
    let params = class.signature.as_ref().map_or(&[][..], |s| &s.params);
    let bindings: Vec<_> =
        params.iter().map(|p| p.name.clone()).zip(args.iter().cloned()).collect();
    let own = method.method().signature.as_ref().map_or(&[][..], |s| &s.type_params);
    let is_raw = params.len() != args.len() || !own.is_empty();
    let in_scope = [own, params].concat();
    let view = |ty: &GenericType| {
        let ty = ty.substituted(&bindings);
        if is_raw { GenericType::from(&ty.erasure(&in_scope)) } else { ty }
    };
    // Of a supertype's type variables nothing is known here, so its exceptions are erased.
    let declared = method.method().exceptions.iter();
    let erased = declared.map(|name| GenericType::from(&Type::Class(name.clone())));
    let signature = method.method().signature.as_ref();
    let exceptions = match signature.filter(|s| !s.exceptions.is_empty()) {
        Some(signature) if method.declaring.name == class.name => {
            signature.exceptions.iter().map(view).collect()
        }
        Some(signature) if signature.exceptions.iter().any(has_variables) => {
            if is_raw {
                erased.collect()
            } else {
                Vec::new()
            }
        }
        _ => erased.collect(),
    };
    Signature {
        params: method.params.iter().map(view).collect(),
        result: method.result.as_ref().map(view),
        exceptions,
    }
}

impl Signature {
    /// Whether an implementation may throw the exception.
    pub(crate) fn may_throw(&self, scope: Scope, thrown: &ClassName) -> bool {
        let declared = self.exceptions.iter().any(|declared| match declared {
            GenericType::Class { name, .. } => scope.classes.is_subclass(thrown, name),
            _ => false,
        });
        declared || !scope.classes.is_checked_exception(thrown)
    }
}

impl Lambda {
    /// Whether a parameter of the type could take a lambda of this shape.
    pub(crate) fn may_be(&self, scope: Scope, param: &Type) -> bool {
        let Type::Class(name) = param else { return false };
        let Some((_, method)) = function(scope, name) else {
            // What is missing cannot be judged.
            return scope.classes.class(name).is_none();
        };
        let returns = method.result.is_some();
        method.params.len() == self.arity
            && match self.body {
                Body::Nothing => !returns,
                Body::Value(_) | Body::Argument(_) => returns,
                Body::Throws(_) => true,
            }
    }

    /// The function a parameter of the type wants, if it is of the interface the lambda is for.
    pub(crate) fn wanted(&self, scope: Scope, formal: &GenericType) -> Option<Signature> {
        let GenericType::Class { name, args } = formal else { return None };
        let (class, method) = function(scope, name).filter(|_| *name == self.of)?;
        let params = class.signature.as_ref().map_or(&[][..], |s| &s.params);
        let args: Option<Vec<GenericType>> = args
            .iter()
            .zip(params)
            .map(|(arg, param)| match (arg, &param.bounds[..]) {
                (TypeArgument::Any, []) => Some(class_type("java/lang/Object")),
                (TypeArgument::Any, [bound]) => Some(bound.clone()).filter(|b| !has_variables(b)),
                (TypeArgument::Any, _) => None,
                // JLS §9.9: a wildcard stands for its bound.
                (arg, _) => arg.bound().cloned(),
            })
            .collect();
        Some(seen_from(&class, &method, &args?))
    }
}
