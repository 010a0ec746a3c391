//! Which method a call means (JLS §15.12.2), decided on erased types.
//!
//! One-sided like [`crate::infer`]: other candidates count as applicable when they might be, so a
//! yes is a proof that javac picks the intended method.

use model::{GenericType, Primitive, Type, TypeArgument};

use crate::generics::{Scope, Static, Supertype, class_type, mentions, raw, widens};
use crate::infer::Inference;
use crate::members::Candidate;

/// How a method is invoked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arity {
    /// One argument a parameter.
    Fixed,
    /// The last arguments are elements of the array the last parameter is.
    Variable,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Strict,
    Loose,
    Variable,
}

/// Whether javac certainly takes the call as one of `candidates[intended]`, in that arity.
pub(crate) fn resolves(
    scope: Scope,
    candidates: &[Candidate],
    intended: usize,
    args: &[Static],
    arity: Arity,
) -> bool {
    for phase in [Phase::Strict, Phase::Loose, Phase::Variable] {
        let applicable: Vec<usize> = (0..candidates.len())
            .filter(|&i| applies(scope, &candidates[i], args, phase))
            .collect();
        if applicable.is_empty() {
            continue;
        }
        // Which of several methods a lambda means is a question of what is in it.
        let is_clear = applicable.len() == 1 || !args.iter().any(is_lambda);
        let right_arity = (phase == Phase::Variable) == (arity == Arity::Variable);
        return right_arity
            && is_clear
            && candidates[intended].is_known
            && applicable.contains(&intended)
            && applicable.iter().all(|&other| {
                other == intended
                    || more_specific(scope, &candidates[intended], &candidates[other], args, phase)
            })
            && generic_fit(scope, &candidates[intended], args, phase);
    }
    false
}

/// The erased parameter type argument `index` is held against.
fn param(candidate: &Candidate, index: usize, phase: Phase) -> Option<&Type> {
    let params = &candidate.erased;
    if phase == Phase::Variable && index + 1 >= params.len() {
        return params.last().and_then(Type::element);
    }
    params.get(index)
}

fn applies(scope: Scope, candidate: &Candidate, args: &[Static], phase: Phase) -> bool {
    let fits_count = if phase == Phase::Variable {
        candidate.is_varargs() && args.len() + 1 >= candidate.erased.len()
    } else {
        args.len() == candidate.erased.len()
    };
    fits_count
        && args.iter().enumerate().all(|(index, arg)| {
            let formal_type = || formal(candidate, index, phase);
            let by_variable =
                is_lambda(arg) && matches!(formal_type(), Some(GenericType::Variable(_)));
            let fits = param(candidate, index, phase)
                .is_some_and(|param| converts(scope, arg, param, phase != Phase::Strict));
            (fits || by_variable)
                && !formal(candidate, index, phase)
                    .is_some_and(|formal| certainly_unfit(scope, arg, formal))
        })
}

/// Whether a value of the static type can be passed, with boxing if `loose`.
fn converts(scope: Scope, arg: &Static, param: &Type, loose: bool) -> bool {
    if let Static::Lambda(lambda) = arg {
        return lambda.may_be(scope, param);
    }
    let Some(arg) = arg.erased() else { return param.is_reference() };
    match (&arg, param) {
        (Type::Primitive(from), Type::Primitive(to)) => widens(*from, *to),
        (Type::Primitive(from), to) => loose && scope.is_subtype(&Type::class(from.boxed()), to),
        (Type::Class(from), Type::Primitive(to)) => {
            loose && Primitive::unboxed(from.as_internal()).is_some_and(|from| widens(from, *to))
        }
        (Type::Array(_), Type::Primitive(_)) => false,
        (from, to) => scope.is_subtype(from, to),
    }
}

/// Whether type arguments rule out what the erased types allow: `Properties`, a
/// `Map<Object, Object>`, is no `Map<String, V>`.
fn certainly_unfit(scope: Scope, arg: &Static, formal: &GenericType) -> bool {
    let (
        Static::Of(GenericType::Class { name, args }),
        GenericType::Class { name: target, args: wanted },
    ) = (arg, formal)
    else {
        return false;
    };
    let Some(Supertype::Args(given)) = scope.supertype(name, args, target) else { return false };
    wanted.iter().zip(&given).any(|pair| match pair {
        (
            TypeArgument::Exact(GenericType::Class { name: wanted, .. }),
            TypeArgument::Exact(GenericType::Class { name: given, .. }),
        ) => wanted != given,
        _ => false,
    })
}

/// JLS §15.12.2.5, for arguments that are no lambdas: whatever `this` takes, `other` takes too.
fn more_specific(
    scope: Scope,
    this: &Candidate,
    other: &Candidate,
    args: &[Static],
    phase: Phase,
) -> bool {
    let count = match phase {
        Phase::Variable => args.len().max(this.erased.len()).max(other.erased.len()),
        _ => args.len(),
    };
    let mut inference = Inference::new(scope, &other.type_params);
    let fit = (0..count).all(|index| {
        let (Some(a), Some(b)) = (param(this, index, phase), param(other, index, phase)) else {
            return false;
        };
        if let (Type::Primitive(a), Type::Primitive(b)) = (a, b) {
            return widens(*a, *b);
        }
        let (Some(generic), Some(other)) =
            (formal(this, index, phase), formal(other, index, phase))
        else {
            return false;
        };
        let generic = match generic {
            GenericType::Variable(_) => raw(a),
            GenericType::Array(e) if matches!(**e, GenericType::Variable(_)) => raw(a),
            generic => opaque(generic),
        };
        scope.is_subtype(a, b) && inference.accept_type(&generic, other)
    });
    fit && inference.holds()
}

/// The type with its variables taken for classes of their own.
fn opaque(ty: &GenericType) -> GenericType {
    let argument = |arg: &TypeArgument| match arg {
        TypeArgument::Any => TypeArgument::Any,
        TypeArgument::Exact(t) => TypeArgument::Exact(opaque(t)),
        TypeArgument::Extends(t) => TypeArgument::Extends(opaque(t)),
        TypeArgument::Super(t) => TypeArgument::Super(opaque(t)),
    };
    match ty {
        GenericType::Primitive(_) => ty.clone(),
        GenericType::Variable(name) => class_type(&format!("<{name}>")),
        GenericType::Array(element) => GenericType::Array(Box::new(opaque(element))),
        GenericType::Class { name, args } => {
            GenericType::Class { name: name.clone(), args: args.iter().map(argument).collect() }
        }
    }
}

/// The parameter type argument `index` is held against.
fn formal(candidate: &Candidate, index: usize, phase: Phase) -> Option<&GenericType> {
    let formals = &candidate.formals;
    if phase == Phase::Variable && index + 1 >= formals.len() {
        return match formals.last() {
            Some(GenericType::Array(element)) => Some(element),
            _ => None,
        };
    }
    formals.get(index)
}

fn is_lambda(arg: &Static) -> bool {
    matches!(arg, Static::Lambda(_))
}

/// Whether type arguments can be inferred for arguments that the method is known to take.
pub(crate) fn takes(scope: Scope, candidate: &Candidate, args: &[Static], arity: Arity) -> bool {
    let phase = match arity {
        Arity::Fixed => Phase::Loose,
        Arity::Variable => Phase::Variable,
    };
    generic_fit(scope, candidate, args, phase)
}

/// Whether type arguments can be inferred.
fn generic_fit(scope: Scope, candidate: &Candidate, args: &[Static], phase: Phase) -> bool {
    // In which order javac looks at lambdas that share a variable is not modelled.
    let lambdas = || (0..args.len()).filter(|index| is_lambda(&args[*index]));
    let mentions = |index: usize, name: &str| {
        formal(candidate, index, phase).is_some_and(|formal| mentions(formal, name))
    };
    let shared = candidate
        .type_params
        .iter()
        .any(|variable| lambdas().filter(|index| mentions(*index, &variable.name)).count() > 1);
    if shared {
        return false;
    }
    let mut inference = Inference::new(scope, &candidate.type_params);
    let fit = args.iter().enumerate().all(|(index, arg)| {
        formal(candidate, index, phase).is_some_and(|formal| inference.accept(formal, arg))
    });
    fit && inference.holds()
}
