//! Whether arguments fit the generic parameters of a method.
//!
//! A small, one-sided version of JLS §18: it says yes only where javac certainly infers type
//! arguments; where it says no, the caller tries another form of the call (a cast to the erased
//! type makes the argument raw, which javac takes with an unchecked warning).

use model::{GenericType, TypeArgument, TypeParameter};

use crate::generics::{
    Scope, Static, Supertype, class_type, erase, has_variables, mentions, substitute,
};
use crate::lambda::{Body, Lambda};

/// What is known of one type variable of the method.
struct Variable<'p> {
    param: &'p TypeParameter,
    /// It is exactly these.
    equal: Vec<GenericType>,
    /// It is a supertype of these.
    lower: Vec<GenericType>,
    /// It is a subtype of these.
    upper: Vec<GenericType>,
    /// How often it stands for a captured wildcard.
    captured: u32,
}

/// The constraints gathered from the arguments of one call.
pub(crate) struct Inference<'a, 'p> {
    scope: Scope<'a>,
    variables: Vec<Variable<'p>>,
}

/// Whether a raw type may stand for a parameterized one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unchecked {
    Allowed,
    Refused,
}

impl<'a, 'p> Inference<'a, 'p> {
    /// For a method with these type parameters.
    pub(crate) fn new(scope: Scope<'a>, params: &'p [TypeParameter]) -> Self {
        let variables = params
            .iter()
            .map(|param| Variable {
                param,
                equal: Vec::new(),
                lower: Vec::new(),
                upper: Vec::new(),
                captured: 0,
            })
            .collect();
        Self { scope, variables }
    }

    /// Whether an argument fits a parameter, given what [`Self::holds`] checks in the end.
    pub(crate) fn accept(&mut self, formal: &GenericType, actual: &Static) -> bool {
        match (formal, actual) {
            (GenericType::Primitive(_), Static::Null) => false,
            (_, Static::Null) => true,
            (formal, Static::Lambda(lambda)) => self.accept_lambda(formal, lambda),
            // Which primitive conversions there are is overload resolution's matter.
            (GenericType::Primitive(_), Static::Of(_)) => true,
            (_, Static::Of(_)) => match actual.boxed() {
                Static::Of(ty) => self.subtype(&ty, formal, Unchecked::Allowed),
                Static::Null | Static::Lambda(_) => true,
            },
        }
    }

    /// Whether a lambda fits a parameter. The types of its own parameters are inferred before
    /// javac looks inside, so only what it returns can say something of a variable, and only of one
    /// that is not among them.
    fn accept_lambda(&mut self, formal: &GenericType, lambda: &Lambda) -> bool {
        let Some(wanted) = lambda.wanted(self.scope, formal) else { return false };
        let settled = self.variables.iter().all(|variable| {
            let name = &variable.param.name;
            let plain = |b: &GenericType| *b == class_type("java/lang/Object");
            !wanted.params.iter().any(|param| mentions(param, name))
                || variable.param.bounds.iter().all(plain)
        });
        if !settled || wanted.params.len() != lambda.arity {
            return false;
        }
        match (&lambda.body, &wanted.result) {
            (Body::Nothing, result) => result.is_none(),
            (Body::Throws(class), _) => wanted.may_throw(self.scope, class),
            (Body::Argument(place), Some(result)) => {
                let param = &wanted.params[*place];
                let closed = !has_variables(param) && !has_variables(result);
                param == result
                    || (closed
                        && !matches!(result, GenericType::Primitive(_))
                        && self.accept(result, &Static::Of(param.clone())))
            }
            (Body::Value(value), Some(result)) => match result {
                GenericType::Primitive(_) => *value == Static::Of(result.clone()),
                GenericType::Variable(name) => {
                    let is_input = wanted.params.iter().any(|param| mentions(param, name));
                    !is_input && self.variable(result).is_some() && self.accept(result, value)
                }
                result => !has_variables(result) && self.accept(result, value),
            },
            (_, None) => false,
        }
    }

    /// Whether every value of a type fits a parameter, without unchecked conversion.
    pub(crate) fn accept_type(&mut self, ty: &GenericType, formal: &GenericType) -> bool {
        self.subtype(ty, formal, Unchecked::Refused)
    }

    fn variable(&mut self, ty: &GenericType) -> Option<&mut Variable<'p>> {
        let GenericType::Variable(name) = ty else { return None };
        self.variables.iter_mut().find(|v| v.param.name == *name)
    }

    fn subtype(&mut self, sub: &GenericType, sup: &GenericType, unchecked: Unchecked) -> bool {
        if let Some(variable) = self.variable(sup) {
            if matches!(sub, GenericType::Primitive(_)) {
                return false;
            }
            variable.lower.push(sub.clone());
            return true;
        }
        match (sub, sup) {
            (_, GenericType::Class { name, .. }) if name.as_internal() == "java/lang/Object" => {
                !matches!(sub, GenericType::Primitive(_))
            }
            (
                GenericType::Class { name, args },
                GenericType::Class { name: target, args: wanted },
            ) => {
                match self.scope.supertype(name, args, target) {
                    None => false,
                    // To the raw type or one that is not generic.
                    Some(_) if wanted.is_empty() => true,
                    Some(Supertype::Raw) => unchecked == Unchecked::Allowed,
                    Some(Supertype::Unknown) => wanted.iter().all(|w| *w == TypeArgument::Any),
                    Some(Supertype::Args(given)) => {
                        given.len() == wanted.len()
                            && wanted.iter().zip(&given).all(|(w, g)| self.contains(w, g))
                    }
                }
            }
            (GenericType::Array(sub), GenericType::Array(sup)) => match (&**sub, &**sup) {
                (GenericType::Primitive(a), GenericType::Primitive(b)) => a == b,
                (GenericType::Primitive(_), _) | (_, GenericType::Primitive(_)) => false,
                (sub, sup) => self.subtype(sub, sup, unchecked),
            },
            (GenericType::Array(_), GenericType::Class { .. }) => {
                self.scope.is_subtype(&erase(sub, &[]), &erase(sup, &[]))
            }
            (GenericType::Primitive(a), GenericType::Primitive(b)) => a == b,
            _ => false,
        }
    }

    /// Whether a type argument contains another (JLS §4.5.1).
    fn contains(&mut self, wanted: &TypeArgument, given: &TypeArgument) -> bool {
        use TypeArgument::{Any, Exact, Extends, Super};
        let object = || class_type("java/lang/Object");
        match (wanted, given) {
            (Any, _) => true,
            (Exact(wanted), Exact(given)) => self.equal(wanted, given),
            (Exact(wanted), _) => match self.variable(wanted) {
                Some(variable) => {
                    variable.captured += 1;
                    true
                }
                None => false,
            },
            (Extends(wanted), Exact(given) | Extends(given)) => {
                self.subtype(given, wanted, Unchecked::Refused)
            }
            (Extends(wanted), Any | Super(_)) => {
                self.subtype(&object(), wanted, Unchecked::Refused)
            }
            (Super(wanted), Exact(given) | Super(given)) => match self.variable(wanted) {
                Some(variable) => {
                    variable.upper.push(given.clone());
                    true
                }
                None => self.subtype(wanted, given, Unchecked::Refused),
            },
            (Super(_), Any | Extends(_)) => false,
        }
    }

    fn equal(&mut self, wanted: &GenericType, given: &GenericType) -> bool {
        if let Some(variable) = self.variable(wanted) {
            variable.equal.push(given.clone());
            return true;
        }
        match (wanted, given) {
            (
                GenericType::Class { name: a, args: wanted },
                GenericType::Class { name: b, args: given },
            ) => {
                a == b
                    && wanted.len() == given.len()
                    && wanted.iter().zip(given).all(|(w, g)| match (w, g) {
                        (TypeArgument::Exact(w), TypeArgument::Exact(g)) => self.equal(w, g),
                        (w, g) => w == g,
                    })
            }
            (GenericType::Array(a), GenericType::Array(b)) => self.equal(a, b),
            (a, b) => a == b,
        }
    }

    /// Whether the constraints have a solution within the bounds of the variables.
    pub(crate) fn holds(mut self) -> bool {
        // `U extends T`: what U is a supertype of, T is too. Bounds have no cycles, so as many
        // rounds as there are variables suffice.
        for _ in 0..self.variables.len() {
            for index in 0..self.variables.len() {
                let variable = &self.variables[index];
                let known: Vec<_> = variable.lower.iter().chain(&variable.equal).cloned().collect();
                let bounds = variable.param.bounds.clone();
                for bound in &bounds {
                    let Some(target) = self.variable(bound) else { continue };
                    for ty in &known {
                        if !target.lower.contains(ty) {
                            target.lower.push(ty.clone());
                        }
                    }
                }
            }
        }
        self.variables.iter().all(|v| solvable(self.scope, v))
    }
}

fn solvable(scope: Scope, variable: &Variable) -> bool {
    let plain = variable.param.bounds.iter().all(|bound| match bound {
        GenericType::Class { args, .. } => args.is_empty(),
        GenericType::Variable(_) => true,
        GenericType::Array(_) | GenericType::Primitive(_) => false,
    });
    let unbounded = variable.param.bounds.iter().all(|bound| {
        *bound == class_type("java/lang/Object") || matches!(bound, GenericType::Variable(_))
    });
    let constrained = !variable.lower.is_empty() || !variable.equal.is_empty();
    if variable.captured > 0 {
        return variable.captured == 1 && unbounded && !constrained && variable.upper.is_empty();
    }
    if let Some(first) = variable.equal.first() {
        return variable.equal.iter().all(|e| e == first)
            && variable.lower.iter().all(|l| fits(scope, l, first, Unchecked::Refused))
            && variable.upper.iter().all(|u| fits(scope, first, u, Unchecked::Refused))
            && within_bounds(scope, variable.param, first, &variable.lower);
    }
    if !constrained {
        // Types that are not related have no common subtype that javac would infer.
        let least = variable
            .upper
            .iter()
            .any(|least| variable.upper.iter().all(|u| fits(scope, least, u, Unchecked::Refused)));
        return variable.upper.is_empty() || (unbounded && least);
    }
    let top = variable.lower.iter().find(|candidate| {
        variable.lower.iter().all(|other| fits(scope, other, candidate, Unchecked::Refused))
    });
    let below =
        |ty: &GenericType| variable.upper.iter().all(|u| fits(scope, ty, u, Unchecked::Refused));
    match top {
        Some(ty) => below(ty) && within_bounds(scope, variable.param, ty, &variable.lower),
        // The least upper bound has every supertype they share, so a plain bound holds for it.
        None => {
            plain
                && variable
                    .lower
                    .iter()
                    .all(|l| below(l) && within_bounds(scope, variable.param, l, &[]))
        }
    }
}

/// Whether the bounds hold if the variable is `ty`: for the type itself and, as javac holds every
/// bound against every other (JLS §18.3.1), for all it is a supertype of.
fn within_bounds(
    scope: Scope,
    param: &TypeParameter,
    ty: &GenericType,
    lower: &[GenericType],
) -> bool {
    let bindings = vec![(param.name.clone(), TypeArgument::Exact(ty.clone()))];
    param.bounds.iter().all(|bound| match bound {
        // Handled by passing the constraint on.
        GenericType::Variable(_) => true,
        bound => substitute(bound, &bindings).is_some_and(|bound| {
            fits(scope, ty, &bound, Unchecked::Allowed)
                && lower.iter().all(|l| fits(scope, l, &bound, Unchecked::Allowed))
        }),
    })
}

fn fits(scope: Scope, sub: &GenericType, sup: &GenericType, unchecked: Unchecked) -> bool {
    Inference::new(scope, &[]).subtype(sub, sup, unchecked)
}
