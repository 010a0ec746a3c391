//! Calls of generic methods whose result goes into a variable with type arguments.
//!
//! What javac infers for `List<String> list = List.of()` is what the variable needs (JLS §18.5.2).
//! One-sided like [`crate::infer`]: the result is said to be of the wanted type only if the type
//! arguments that it takes are given by it, keep their bounds, and the arguments fit with them.

use model::{GenericType, TypeArgument, TypeParameter};

use crate::arguments::Arranged;
use crate::generics::{Bindings, Scope, has_variables, mentions, substitute};
use crate::infer::Inference;
use crate::members::Candidate;
use crate::overload::takes;

/// The type of the result if it is assigned to a variable of its class with these arguments.
pub(crate) fn result_as(
    scope: Scope,
    candidate: &Candidate,
    given: &Arranged,
    wanted: &[TypeArgument],
) -> Option<GenericType> {
    let result = candidate.result.as_ref()?;
    let GenericType::Class { args, .. } = result else { return None };
    let params = &candidate.type_params;
    if args.len() != wanted.len() || params.is_empty() {
        return None;
    }
    let mut bindings = Bindings::new();
    for pair in args.iter().zip(wanted) {
        match pair {
            (TypeArgument::Exact(of), TypeArgument::Exact(wanted)) => {
                equate(of, wanted, params, &mut bindings)?;
            }
            (of, wanted) if of == wanted => {}
            _ => return None,
        }
    }
    let is_bound = |param: &&TypeParameter| bindings.iter().any(|(name, _)| *name == param.name);
    let (bound, mut left): (Vec<_>, Vec<_>) = params.iter().partition(is_bound);
    if !bound.iter().all(|param| keeps_bounds(scope, param, &bindings)) {
        return None;
    }
    let mut type_params: Vec<TypeParameter> = left.drain(..).cloned().collect();
    for bound in type_params.iter_mut().flat_map(|param| &mut param.bounds) {
        *bound = substitute(bound, &bindings)?;
    }
    let formals: Option<Vec<_>> =
        candidate.formals.iter().map(|formal| substitute(formal, &bindings)).collect();
    let special = candidate.with_types(formals?, type_params);
    let result = substitute(result, &bindings).filter(|result| !has_variables(result))?;
    takes(scope, &special, &given.types, given.arity).then_some(result)
}

/// The type of the result where nothing tells what its variables stand for, neither an argument nor
/// what it is assigned to: they are their bounds then (JLS §18.4).
pub(crate) fn result_alone(candidate: &Candidate) -> Option<GenericType> {
    let result = candidate.result.as_ref()?;
    if !matches!(result, GenericType::Class { .. }) {
        return None;
    }
    let mut bindings = Bindings::new();
    for param in candidate.type_params.iter().filter(|param| mentions(result, &param.name)) {
        let [bound] = &param.bounds[..] else { return None };
        let is_told = candidate.formals.iter().any(|formal| mentions(formal, &param.name));
        if is_told || has_variables(bound) {
            return None;
        }
        bindings.push((param.name.clone(), TypeArgument::Exact(bound.clone())));
    }
    substitute(result, &bindings).filter(|result| !has_variables(result))
}

/// Finds what variables stand for if the two types are the same.
fn equate(
    of: &GenericType,
    wanted: &GenericType,
    params: &[TypeParameter],
    bindings: &mut Bindings,
) -> Option<()> {
    match (of, wanted) {
        (GenericType::Variable(name), _) if params.iter().any(|param| param.name == *name) => {
            match bindings.iter().find(|(bound, _)| bound == name) {
                Some((_, TypeArgument::Exact(known))) => (known == wanted).then_some(()),
                Some(_) => None,
                None => {
                    bindings.push((name.clone(), TypeArgument::Exact(wanted.clone())));
                    Some(())
                }
            }
        }
        (GenericType::Class { name, args }, GenericType::Class { name: other, args: wanted })
            if name == other && args.len() == wanted.len() =>
        {
            args.iter().zip(wanted).try_for_each(|pair| match pair {
                (TypeArgument::Exact(of), TypeArgument::Exact(wanted)) => {
                    equate(of, wanted, params, bindings)
                }
                (of, wanted) => (of == wanted).then_some(()),
            })
        }
        (GenericType::Array(of), GenericType::Array(wanted)) => {
            equate(of, wanted, params, bindings)
        }
        (of, wanted) => (of == wanted).then_some(()),
    }
}

/// Whether what a parameter stands for is within its bounds (JLS §4.5).
pub(crate) fn keeps_bounds(scope: Scope, param: &TypeParameter, bindings: &Bindings) -> bool {
    let ty = bindings.iter().find_map(|(name, to)| match to {
        TypeArgument::Exact(ty) if *name == param.name => Some(ty),
        _ => None,
    });
    ty.is_some_and(|ty| {
        param.bounds.iter().all(|bound| {
            substitute(bound, bindings).is_some_and(|bound| {
                !has_variables(&bound) && Inference::new(scope, &[]).accept_type(ty, &bound)
            })
        })
    })
}
