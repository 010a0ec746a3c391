//! Type arguments for the variables of generic classes.
//!
//! A raw variable always compiles, but nobody writes one. So every variable is tried with the type
//! arguments that are suggested for it ([`crate::suggest`]), and the whole test is written anew: the
//! choice stays if javac was again shown to accept every call, and fewer raw types and casts are
//! left. What remains raw has no better type that could be shown to compile.
//!
//! What a variable is passed to tells its type from the last one back, what a call on it returns
//! from the first one on, so both directions are taken; first with types that the test tells, then
//! with any that do.

use model::{OperationKind, TypeArgument, UnitTest};

use crate::Options;
use crate::body::{self, Body, GenericVariable, TypeChoices};
use crate::flow::Flow;
use crate::generics::Scope;
use crate::rejection::Rejection;
use crate::suggest::{Evidence, suggestions};

/// The directions taken (whether backward), and what types must have for them.
const PASSES: [(bool, Evidence); 6] = [
    (true, Evidence::Needed),
    (false, Evidence::Needed),
    (true, Evidence::Needed),
    (false, Evidence::Needed),
    (true, Evidence::Dispensable),
    (false, Evidence::Dispensable),
];

/// Writes the statements of a well-formed test.
pub(crate) fn write(scope: Scope, options: &Options, test: &UnitTest) -> Result<Body, Rejection> {
    let mut types = TypeChoices::new();
    let mut best = body::write(scope, options, test, &types)?;
    let mut least = clumsiness(test, &best, &types);
    let flow = Flow::of(test)?;
    for (is_backward, evidence) in PASSES {
        let mut values: Vec<_> = best.generic.iter().map(|variable| variable.value).collect();
        if is_backward {
            values.reverse();
        }
        for value in values {
            let known = best.generic.iter().find(|variable| variable.value == value);
            let Some(variable) = known.cloned() else { continue };
            if types.get(&value).is_some_and(|args| !args.contains(&TypeArgument::Any)) {
                continue;
            }
            for args in suggestions(scope, test, &flow, &types, &variable, evidence) {
                let mut tried = types.clone();
                tried.insert(value, args);
                if let Ok(body) = body::write(scope, options, test, &tried) {
                    let clumsiness = clumsiness(test, &body, &tried);
                    // A guess is not worth a cast elsewhere.
                    let saved = if evidence == Evidence::Needed {
                        0
                    } else {
                        raw_uses(test, &types, &variable)
                    };
                    if clumsiness < least && clumsiness.0 + saved <= least.0 {
                        (best, types, least) = (body, tried, clumsiness);
                        break;
                    }
                }
            }
        }
    }
    Ok(best)
}

/// How often the class of a variable stands raw in its declaration, as it is.
fn raw_uses(test: &UnitTest, types: &TypeChoices, variable: &GenericVariable) -> usize {
    let is_new = test.case.calls[variable.call].op.kind == OperationKind::Constructor;
    match types.get(&variable.value) {
        Some(_) => 0,
        None => 1 + usize::from(is_new),
    }
}

/// How many types are used raw or in casts, and after that how many variables have unknown
/// arguments; declarations of other variables add the same to every form of the test.
fn clumsiness(test: &UnitTest, body: &Body, types: &TypeChoices) -> (usize, usize) {
    let raw: usize = body.statements.iter().map(|s| s.count_types(&|_| true)).sum();
    // The arguments of a lambda's type count as types, but spare its reader more than they cost.
    let raw_lambdas = body.generic.iter().filter(|variable| {
        test.case.calls[variable.call].op.kind == OperationKind::Implement
            && !types.contains_key(&variable.value)
    });
    let is_unknown = |args: &&Vec<TypeArgument>| args.contains(&TypeArgument::Any);
    (raw + 8 * raw_lambdas.count(), types.values().filter(is_unknown).count())
}
