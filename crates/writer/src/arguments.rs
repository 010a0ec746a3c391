//! The arguments of a call, in the plainest form that means the intended method.

use model::{GenericType, Type};

use crate::call::Argument;
use crate::doc::Doc;
use crate::generics::{Scope, Static, erase};
use crate::literal::Expr;
use crate::members::Candidate;
use crate::overload::{Arity, resolves};

/// The arguments of a call that is proven to mean the intended method.
pub(crate) struct Arranged {
    /// As they are written.
    pub(crate) docs: Vec<Doc>,
    /// Their static types.
    pub(crate) types: Vec<Static>,
    /// How the method is invoked.
    pub(crate) arity: Arity,
}

impl Arranged {
    fn new(form: Vec<Expr>, arity: Arity) -> Self {
        let (docs, types) = form.into_iter().map(|e| (e.doc, e.ty)).unzip();
        Self { docs, types, arity }
    }
}

/// The arguments in the plainest form for which the intended candidate is called.
pub(crate) fn arrange(
    scope: Scope,
    candidates: &[Candidate],
    intended: usize,
    args: &[Argument],
    params: &[Type],
) -> Option<Arranged> {
    if let Some(spread) = spread(&candidates[intended], args, params) {
        for form in [spread.clone(), spread.into_iter().map(Expr::boxed).collect()] {
            if proven(scope, candidates, intended, &form, Arity::Variable) {
                return Some(Arranged::new(form, Arity::Variable));
            }
        }
    }
    let candidate = &candidates[intended];
    forms(scope, candidate, args, params)
        .into_iter()
        .find(|form| {
            proven(scope, candidates, intended, form, Arity::Fixed)
                && (!candidate.is_varargs() || is_exact(candidate, form, params))
        })
        .map(|form| Arranged::new(form, Arity::Fixed))
}

/// Whether the last argument is of the array type: javac warns of any other, as it could be meant
/// as an element.
fn is_exact(candidate: &Candidate, form: &[Expr], params: &[Type]) -> bool {
    let inferred = matches!(candidate.formals.last(), Some(GenericType::Array(element))
        if matches!(**element, GenericType::Variable(_)));
    match form.last().and_then(|e| e.ty.erased()) {
        Some(ty) => inferred || Some(&ty) == params.last(),
        None => false,
    }
}

fn proven(
    scope: Scope,
    candidates: &[Candidate],
    intended: usize,
    form: &[Expr],
    arity: Arity,
) -> bool {
    let types: Vec<Static> = form.iter().map(|e| e.ty.clone()).collect();
    resolves(scope, candidates, intended, &types, arity)
}

/// The arguments with the elements of the last array in its place, if that makes the same array.
fn spread(candidate: &Candidate, args: &[Argument], params: &[Type]) -> Option<Vec<Expr>> {
    let (last, fixed) = args.split_last()?;
    let elements = last.elements.as_ref().filter(|_| candidate.is_varargs())?;
    let array = last.expr.ty.erased()?;
    let element = array.element()?;
    let formal = candidate.formals.last()?;
    let inferred =
        matches!(formal, GenericType::Array(e) if matches!(**e, GenericType::Variable(_)));
    // Javac makes an array of the declared type, or of the type it infers from the elements.
    let same = if inferred {
        let is_element = |e: &Expr| e.ty.boxed().erased().as_ref() == Some(element);
        !elements.is_empty() && elements.iter().all(is_element)
    } else {
        Some(&array) == params.last()
    };
    if !same {
        return None;
    }
    Some(fixed.iter().map(|a| a.expr.clone()).chain(elements.iter().cloned()).collect())
}

/// Forms of the arguments, the plainest first.
fn forms(
    scope: Scope,
    candidate: &Candidate,
    args: &[Argument],
    params: &[Type],
) -> Vec<Vec<Expr>> {
    let plain: Vec<Expr> = args.iter().map(|a| a.expr.clone()).collect();
    let boxed: Vec<Expr> = plain
        .iter()
        .zip(params)
        .map(|(e, p)| if p.is_reference() { e.clone().boxed() } else { e.clone() })
        .collect();
    let cast = |index: usize, to: &Type| -> Expr {
        let expr = plain[index].clone();
        // A lambda that needs a cast is better a variable.
        let is_lambda = matches!(expr.ty, Static::Lambda(_));
        if to.is_reference() && !is_lambda && scope.can_name(to) { expr.cast(to) } else { expr }
    };
    let mut forms = vec![plain.clone(), boxed.clone()];
    for (index, param) in params.iter().enumerate() {
        let mut form = boxed.clone();
        form[index] = cast(index, param);
        forms.push(form);
    }
    let nulls = (0..params.len())
        .map(|i| match plain[i].ty {
            Static::Null => cast(i, &params[i]),
            Static::Of(_) | Static::Lambda(_) => boxed[i].clone(),
        })
        .collect();
    forms.push(nulls);
    let differing = |i: usize| plain[i].ty != Static::raw(&params[i]);
    let all: Vec<Expr> = (0..params.len())
        .map(|i| if differing(i) { cast(i, &params[i]) } else { plain[i].clone() })
        .collect();
    forms.push(all.clone());
    // Of `T extends Object & Comparable<T>` the erasure is not enough: take another bound.
    let mut bounded = all;
    for (i, formal) in candidate.formals.iter().enumerate() {
        let GenericType::Variable(name) = formal else { continue };
        let Some(param) = candidate.type_params.iter().find(|p| p.name == *name) else { continue };
        let known = plain[i].ty.boxed().erased();
        let other = param.bounds.iter().skip(1).map(|b| erase(b, &candidate.type_params));
        let usable = other.into_iter().find(|bound| {
            scope.can_name(bound)
                && known.as_ref().is_some_and(|known| scope.is_subtype(known, bound))
        });
        if let Some(bound) = usable {
            bounded[i] = plain[i].clone().cast(&bound);
        }
    }
    forms.push(bounded);
    forms
}
