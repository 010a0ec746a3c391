//! Type arguments for the variables of generic classes.
//!
//! A raw variable always compiles, but nobody writes one. So every variable is tried with the type
//! arguments of what it is set to, or those its uses suggest, and the whole test is written anew:
//! the choice stays if javac was again shown to accept every call, and fewer raw types and casts
//! are left. What remains raw has no better type that could be shown to compile.

use model::{GenericType, OperationKind, Type, TypeArgument, TypeParameter, UnitTest};

use crate::Options;
use crate::body::{self, Body, GenericVariable, TypeChoices};
use crate::flow::{Flow, Use};
use crate::generics::{Scope, Static, class_type, has_variables, substitute};
use crate::implement;
use crate::infer::Inference;
use crate::members::Site;
use crate::rejection::Rejection;
use crate::variable::declaration;

/// Writes the statements of a well-formed test.
pub(crate) fn write(scope: Scope, options: &Options, test: &UnitTest) -> Result<Body, Rejection> {
    let mut types = TypeChoices::new();
    let mut best = body::write(scope, options, test, &types)?;
    let flow = Flow::of(test)?;
    for variable in best.generic.clone() {
        for args in suggestions(scope, test, &flow, &variable) {
            let mut tried = types.clone();
            tried.insert(variable.value, args);
            if let Ok(body) = body::write(scope, options, test, &tried)
                && clumsiness(test, &body, &tried) < clumsiness(test, &best, &types)
            {
                best = body;
                types = tried;
                break;
            }
        }
    }
    Ok(best)
}

/// How many types are used raw or in casts; declarations of other variables add the same to every
/// form of the test.
fn clumsiness(test: &UnitTest, body: &Body, types: &TypeChoices) -> usize {
    let counted: usize = body.statements.iter().map(|s| s.count_types(&|_| true)).sum();
    // The arguments of a lambda's type count as types, but spare its reader more than they cost.
    let raw_lambdas = body.generic.iter().filter(|variable| {
        test.case.calls[variable.call].op.kind == OperationKind::Implement
            && !types.contains_key(&variable.value)
    });
    counted + 8 * raw_lambdas.count()
}

/// Type arguments the variable might have, the best first.
fn suggestions(
    scope: Scope,
    test: &UnitTest,
    flow: &Flow,
    variable: &GenericVariable,
) -> Vec<Vec<TypeArgument>> {
    let Some(class) = scope.classes.class(&variable.class) else { return Vec::new() };
    let params = class.signature.as_ref().map_or(&[][..], |s| &s.params);
    if params.is_empty() || class.outer_instance().is_some() {
        return Vec::new();
    }
    let making = &test.case.calls[variable.call].op;
    if making.kind == OperationKind::Implement {
        return for_written(scope, test, flow, variable, params);
    }
    if making.kind == OperationKind::Constructor {
        if making.owner != variable.class {
            return Vec::new();
        }
        let object = class_type("java/lang/Object");
        let used: Vec<GenericType> = params
            .iter()
            .map(|p| used_as(scope, test, flow, variable, params, p).unwrap_or(object.clone()))
            .collect();
        let all = [used, vec![object; params.len()]];
        return all
            .into_iter()
            .filter(|types| in_bounds(scope, params, types))
            .map(|types| types.into_iter().map(TypeArgument::Exact).collect())
            .collect();
    }
    let mut all = Vec::new();
    if let Some(GenericType::Class { name, args }) = &variable.set_to
        && *name == variable.class
        && !args.is_empty()
        && args.iter().all(|arg| nameable(scope, arg))
    {
        all.push(args.clone());
    }
    all.push(vec![TypeArgument::Any; params.len()]);
    all
}

/// Type arguments for what is written on the spot: those of the parameter it is passed to, those
/// its answers have, or the widest.
fn for_written(
    scope: Scope,
    test: &UnitTest,
    flow: &Flow,
    variable: &GenericVariable,
    params: &[TypeParameter],
) -> Vec<Vec<TypeArgument>> {
    let call = &test.case.calls[variable.call];
    if call.op.owner != variable.class {
        return Vec::new();
    }
    let mut all: Vec<Vec<GenericType>> = Vec::new();
    for used in &flow.values[variable.value.0].uses {
        let Use::Argument { call, position } = used else { continue };
        let op = &test.case.calls[*call].op;
        let Some((class, index)) = declaration(scope, op) else { continue };
        let Some(signature) = &class.methods[index].signature else { continue };
        let from_end = op.params.len() - position;
        let at = signature.params.len().checked_sub(from_end);
        let Some(GenericType::Class { name, args }) = at.and_then(|at| signature.params.get(at))
        else {
            continue;
        };
        let bounds: Option<Vec<GenericType>> =
            args.iter().map(|arg| arg.bound().cloned()).collect();
        if *name == variable.class
            && let Some(bounds) = bounds
            && bounds.len() == params.len()
            && !bounds.iter().any(has_variables)
        {
            all.push(bounds);
        }
    }
    let captured: Vec<Type> = call.args.iter().map(|slot| boxed(test.case.ty(*slot))).collect();
    all.push(implement::suggested(scope, &call.op, &captured));
    all.push(implement::suggested(scope, &call.op, &[]));
    all.into_iter()
        .filter(|types| types.len() == params.len() && in_bounds(scope, params, types))
        .map(|types| types.into_iter().map(TypeArgument::Exact).collect::<Vec<_>>())
        .filter(|types| types.iter().all(|arg| nameable(scope, arg)))
        .collect()
}

fn boxed(ty: &Type) -> Type {
    ty.as_primitive().map_or_else(|| ty.clone(), |p| Type::class(p.boxed()))
}

fn nameable(scope: Scope, arg: &TypeArgument) -> bool {
    fn named(scope: Scope, ty: &GenericType) -> bool {
        match ty {
            GenericType::Primitive(_) => true,
            GenericType::Variable(_) => false,
            GenericType::Array(element) => named(scope, element),
            GenericType::Class { name, args } => {
                // A raw type as an argument is no better than a raw variable.
                scope.can_name(&Type::Class(name.clone()))
                    && !scope.is_raw(name, args)
                    && args.iter().all(|arg| nameable(scope, arg))
            }
        }
    }
    match arg {
        TypeArgument::Any => true,
        TypeArgument::Exact(ty) | TypeArgument::Extends(ty) | TypeArgument::Super(ty) => {
            named(scope, ty)
        }
    }
}

/// The one type of all that is passed where the class's methods take the type parameter.
fn used_as(
    scope: Scope,
    test: &UnitTest,
    flow: &Flow,
    variable: &GenericVariable,
    params: &[TypeParameter],
    param: &TypeParameter,
) -> Option<GenericType> {
    let as_itself = GenericType::Class {
        name: variable.class.clone(),
        args: params
            .iter()
            .map(|p| TypeArgument::Exact(GenericType::Variable(p.name.clone())))
            .collect(),
    };
    let wanted = GenericType::Variable(param.name.clone());
    let mut found: Option<GenericType> = None;
    let class = scope.classes.class(&variable.class)?;
    let receiving = flow.values[variable.value.0].uses.iter().filter_map(|u| match u {
        Use::Argument { call, position: 0 } if test.case.calls[*call].op.has_receiver() => {
            Some(*call)
        }
        _ => None,
    });
    for index in std::iter::once(variable.call).chain(receiving) {
        let call = &test.case.calls[index];
        let candidates = if index == variable.call {
            let GenericType::Class { args, .. } = &as_itself else { continue };
            scope.constructors(&class, args)
        } else {
            scope.methods(&Site::Object(&as_itself), &call.op.name)
        };
        let skip = usize::from(call.op.has_receiver());
        let Some(candidate) =
            candidates.iter().find(|c| c.declared.iter().any(|d| d == call.op.arguments()))
        else {
            continue;
        };
        for (formal, slot) in candidate.formals.iter().zip(&call.args[skip..]) {
            let decl = &test.case.slots[slot.index()];
            if *formal != wanted || decl.init == Some(model::Literal::Null) {
                continue;
            }
            let Static::Of(ty) = Static::raw(&decl.ty).boxed() else { continue };
            match &found {
                Some(known) if *known != ty => return None,
                _ => found = Some(ty),
            }
        }
    }
    found.filter(|ty| nameable(scope, &TypeArgument::Exact(ty.clone())))
}

/// Whether the types may be arguments for the parameters (JLS §4.5).
fn in_bounds(scope: Scope, params: &[TypeParameter], types: &[GenericType]) -> bool {
    let bindings = params
        .iter()
        .zip(types)
        .map(|(p, ty)| (p.name.clone(), TypeArgument::Exact(ty.clone())))
        .collect();
    params.iter().zip(types).all(|(param, ty)| {
        param.bounds.iter().all(|bound| {
            substitute(bound, &bindings).is_some_and(|bound| {
                !has_variables(&bound) && Inference::new(scope, &[]).accept_type(ty, &bound)
            })
        })
    })
}
