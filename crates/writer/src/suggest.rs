//! Which type arguments a variable of a generic class might have.
//!
//! Its uses tell: what it is passed as, what it was made of, what is put into it. Suggestions are
//! guesses; whether they compile is shown by writing the test with them.

use std::sync::Arc;

use model::{
    Answer, GenericType, Literal, MethodDescriptor, Operation, OperationKind, Slot, Type,
    TypeArgument, TypeParameter, UnitTest, mockable,
};

use crate::body::{GenericVariable, TypeChoices};
use crate::flow::{Flow, Use, ValueId};
use crate::generics::{Bindings, Scope, Static, Supertype, class_type, has_variables, substitute};
use crate::implement;
use crate::members::{Candidate, Site};
use crate::target::keeps_bounds;
use crate::variable::declaration;

/// Whether type arguments must come from the test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Evidence {
    /// They must.
    Needed,
    /// If they do not, `Object` and wildcards are tried.
    Dispensable,
}

/// What is known of one type parameter after another, by name.
type Found = Vec<(Arc<str>, GenericType)>;

/// Type arguments the variable might have, the best first.
pub(crate) fn suggestions(
    scope: Scope,
    test: &UnitTest,
    flow: &Flow,
    types: &TypeChoices,
    variable: &GenericVariable,
    evidence: Evidence,
) -> Vec<Vec<TypeArgument>> {
    let Some(class) = scope.classes.class(&variable.class) else { return Vec::new() };
    let params = class.signature.as_ref().map_or(&[][..], |s| &s.params);
    if params.is_empty() || class.outer_instance().is_some() {
        return Vec::new();
    }
    let uses = Uses { scope, test, flow, types, variable, params, evidence };
    let making = &test.case.calls[variable.call].op;
    if making.kind == OperationKind::Implement {
        return for_written(scope, test, flow, variable, params);
    }
    let is_new = making.kind == OperationKind::Constructor;
    if is_new && making.owner != variable.class {
        return Vec::new();
    }
    let mut all: Vec<Vec<TypeArgument>> = Vec::new();
    if !is_new
        && let Some(GenericType::Class { name, args }) = &variable.set_to
        && *name == variable.class
        && !args.is_empty()
        && args.iter().all(|arg| nameable(scope, arg))
    {
        all.push(args.clone());
    }
    let (passed, made, put) = (uses.passed_as(), uses.made_of(), uses.put_into());
    for sources in [&[&passed, &made, &put][..], &[&made, &put], &[&put], &[]] {
        let args = uses.complete(sources);
        if let Some(args) = args
            && !all.contains(&args)
        {
            all.push(args);
        }
    }
    if !is_new && evidence == Evidence::Dispensable {
        all.push(vec![TypeArgument::Any; params.len()]);
    }
    all
}

struct Uses<'t> {
    scope: Scope<'t>,
    test: &'t UnitTest,
    flow: &'t Flow,
    types: &'t TypeChoices,
    variable: &'t GenericVariable,
    params: &'t [TypeParameter],
    evidence: Evidence,
}

impl Uses<'_> {
    /// An argument for each parameter from the first source that has one, else `Object` where that
    /// may be; `None` if they do not keep their bounds.
    fn complete(&self, sources: &[&Found]) -> Option<Vec<TypeArgument>> {
        let of = |param: &TypeParameter| {
            let known = sources.iter().flat_map(|found| found.iter());
            let known = known.filter(|(name, _)| *name == param.name).map(|(_, ty)| ty);
            let mut nameable =
                known.filter(|ty| nameable(self.scope, &TypeArgument::Exact((*ty).clone())));
            nameable.next().cloned().or_else(|| self.default(param)).map(TypeArgument::Exact)
        };
        let args: Vec<TypeArgument> = self.params.iter().map(of).collect::<Option<_>>()?;
        let names = self.params.iter().map(|param| param.name.clone());
        let bindings: Bindings = names.zip(args.iter().cloned()).collect();
        let in_bounds = |param| keeps_bounds(self.scope, param, &bindings);
        self.params.iter().all(in_bounds).then_some(args)
    }

    /// What a parameter that nothing is known of may stand for.
    fn default(&self, param: &TypeParameter) -> Option<GenericType> {
        let usual = ["java/lang/Object", "java/lang/String"].map(class_type);
        let mut usual = usual.into_iter().filter(|_| self.evidence == Evidence::Dispensable);
        usual.find(|ty| {
            let bindings = vec![(param.name.clone(), TypeArgument::Exact(ty.clone()))];
            keeps_bounds(self.scope, param, &bindings)
        })
    }

    /// The class with its own parameters for arguments.
    fn itself(&self) -> GenericType {
        let args = self.params.iter().map(|p| GenericType::Variable(p.name.clone()));
        let args = args.map(TypeArgument::Exact).collect();
        GenericType::Class { name: self.variable.class.clone(), args }
    }

    /// The arguments it has where it is passed to something whose types are known.
    fn passed_as(&self) -> Found {
        let mut found = Found::new();
        let GenericType::Class { name, args } = self.itself() else { return found };
        for of in &self.flow.values[self.variable.value.0].uses {
            let Use::Argument { call, position } = *of else { continue };
            let formal = self.formal(call, position);
            let Some(GenericType::Class { name: target, args: wanted }) = formal else { continue };
            let seen = self.scope.supertype(&name, &args, &target);
            let Some(Supertype::Args(given)) = seen else { continue };
            for pair in given.iter().zip(&wanted) {
                if let (TypeArgument::Exact(given), Some(wanted)) = (pair.0, bound(pair.1)) {
                    equate(given, wanted, &mut found);
                }
            }
        }
        found
    }

    /// The type of an argument of a call, if the types of all variables around it are known.
    fn formal(&self, call: usize, position: usize) -> Option<GenericType> {
        let op = &self.test.case.calls[call].op;
        if op.kind == OperationKind::Array {
            return None;
        }
        if op.as_mock().is_some() {
            return answered(self.scope, op, position);
        }
        let at = position.checked_sub(usize::from(op.has_receiver()))?;
        let candidate = self.called(call)?;
        let formal = candidate.formals.get(at)?.clone();
        let formal = match self.flow.writes[call] {
            // What the result is wanted as says what the method's variables are.
            Some(value) if has_variables(&formal) => {
                let chosen = self.types.get(&value)?;
                let GenericType::Class { args, .. } = candidate.result.as_ref()? else {
                    return None;
                };
                let mut known = Found::new();
                for pair in args.iter().zip(chosen) {
                    if let (TypeArgument::Exact(of), TypeArgument::Exact(wanted)) = pair {
                        equate(of, wanted, &mut known);
                    }
                }
                let exact = known.into_iter().map(|(name, ty)| (name, TypeArgument::Exact(ty)));
                substitute(&formal, &exact.collect())?
            }
            _ => formal,
        };
        Some(formal).filter(|formal| !has_variables(formal))
    }

    /// The method or constructor that a call means, seen from the types that are chosen.
    fn called(&self, call: usize) -> Option<Candidate> {
        let made = &self.test.case.calls[call];
        let op = &made.op;
        let candidates = match op.kind {
            OperationKind::Constructor => {
                let class = self.scope.classes.class(&op.owner)?;
                let chosen = self.flow.writes[call].and_then(|value| self.types.get(&value));
                let args = chosen.map_or(&[][..], Vec::as_slice);
                self.scope.constructors(&class, args)
            }
            OperationKind::StaticMethod => self.scope.methods(&Site::Class(&op.owner), &op.name),
            OperationKind::InstanceMethod => {
                let receiver = self.type_of(self.flow.reads[call].first().copied()?)?;
                self.scope.methods(&Site::Object(&receiver), &op.name)
            }
            _ => return None,
        };
        let wanted = op.arguments();
        candidates.into_iter().find(|c| c.declared.iter().any(|declared| declared == wanted))
    }

    /// The type of a value with the arguments that are chosen for it; raw if there are none.
    fn type_of(&self, value: ValueId) -> Option<GenericType> {
        let slot = self.flow.values[value.0].slot;
        let decl = &self.test.case.slots[slot.index()];
        if let Some(Literal::Class(Some(of))) = &decl.init {
            let Static::Of(of) = Static::raw(of).boxed() else { return None };
            let name = decl.ty.as_class()?.clone();
            return Some(GenericType::Class { name, args: vec![TypeArgument::Exact(of)] });
        }
        match (self.types.get(&value), &decl.ty) {
            (Some(args), Type::Class(name)) => {
                Some(GenericType::Class { name: name.clone(), args: args.clone() })
            }
            _ if decl.init == Some(Literal::Null) => None,
            _ => match Static::raw(&decl.ty).boxed() {
                Static::Of(ty) => Some(ty),
                Static::Null | Static::Lambda(_) => None,
            },
        }
    }

    /// The arguments that what it was made of suggests.
    fn made_of(&self) -> Found {
        let call = self.variable.call;
        let made = &self.test.case.calls[call];
        let op = &made.op;
        let is_new = op.kind == OperationKind::Constructor;
        let candidate = if is_new {
            let GenericType::Class { args, .. } = self.itself() else { return Found::new() };
            let class = self.scope.classes.class(&op.owner);
            let candidates = class.map(|class| self.scope.constructors(&class, &args));
            candidates.into_iter().flatten().find(|c| c.declared.iter().any(|d| *d == op.params))
        } else {
            self.called(call)
        };
        let Some(candidate) = candidate else { return Found::new() };
        let skip = usize::from(op.has_receiver());
        let mut inside = Found::new();
        for (formal, value) in candidate.formals.iter().zip(&self.flow.reads[call][skip..]) {
            if let Some(actual) = self.type_of(*value) {
                self.fit(formal, &actual, &mut inside);
            }
            if let GenericType::Array(element) = formal {
                self.fit_elements(element, *value, &mut inside);
            }
        }
        if is_new {
            return inside;
        }
        // From the variables of the method to the parameters of the class, by its result.
        let Some(GenericType::Class { name, args }) = &candidate.result else {
            return Found::new();
        };
        if *name != self.variable.class {
            return Found::new();
        }
        let exact = inside.into_iter().map(|(name, ty)| (name, TypeArgument::Exact(ty)));
        let bindings: Bindings = exact.collect();
        let closed = self.params.iter().zip(args).filter_map(|(param, arg)| match arg {
            TypeArgument::Exact(of) => {
                let of = substitute(of, &bindings).filter(|of| !has_variables(of))?;
                Some((param.name.clone(), of))
            }
            _ => None,
        });
        closed.collect()
    }

    /// Takes what variables in a formal type must stand for, if a value of the actual type fits.
    fn fit(&self, formal: &GenericType, actual: &GenericType, found: &mut Found) {
        match (formal, actual) {
            (GenericType::Variable(_), _) => equate(formal, actual, found),
            (
                GenericType::Class { name: target, args: wanted },
                GenericType::Class { name, args },
            ) => {
                let Some(Supertype::Args(given)) = self.scope.supertype(name, args, target) else {
                    return;
                };
                for (wanted, given) in wanted.iter().zip(&given) {
                    if let (Some(wanted), Some(given)) = (bound(wanted), bound(given)) {
                        equate(wanted, given, found);
                    }
                }
            }
            _ => {}
        }
    }

    /// The same for the elements of an array that is made in the test.
    fn fit_elements(&self, element: &GenericType, array: ValueId, found: &mut Found) {
        let slot = self.flow.values[array.0].slot;
        let made =
            |call: &&model::Call| call.result == Some(slot) && call.op.kind == OperationKind::Array;
        let Some(at) = self.test.case.calls.iter().position(|call| made(&call)) else { return };
        let values = self.flow.reads[at].iter().filter_map(|value| self.type_of(*value));
        for actual in values.take(1) {
            self.fit(element, &actual, found);
        }
    }

    /// The one type of all that is passed where the class's methods take a type parameter.
    fn put_into(&self) -> Found {
        let as_itself = self.itself();
        let mut found: Vec<(Arc<str>, Option<GenericType>)> = Vec::new();
        for of in &self.flow.values[self.variable.value.0].uses {
            let Use::Argument { call, position: 0 } = *of else { continue };
            let made = &self.test.case.calls[call];
            if !made.op.has_receiver() {
                continue;
            }
            let candidates = self.scope.methods(&Site::Object(&as_itself), &made.op.name);
            let wanted = made.op.arguments();
            let is_called = |c: &&Candidate| c.declared.iter().any(|d| d == wanted);
            let Some(candidate) = candidates.iter().find(is_called) else { continue };
            for (formal, slot) in candidate.formals.iter().zip(&made.args[1..]) {
                let (GenericType::Variable(name), Some(ty)) = (formal, self.raw_type(*slot)) else {
                    continue;
                };
                match found.iter_mut().find(|(known, _)| known == name) {
                    // Things of different types: nothing is known.
                    Some((_, known)) if known.as_ref() != Some(&ty) => *known = None,
                    Some(_) => {}
                    None => found.push((name.clone(), Some(ty))),
                }
            }
        }
        found.into_iter().filter_map(|(name, ty)| Some((name, ty?))).collect()
    }

    fn raw_type(&self, slot: Slot) -> Option<GenericType> {
        let decl = &self.test.case.slots[slot.index()];
        match Static::raw(&decl.ty).boxed() {
            Static::Of(ty) if decl.init != Some(Literal::Null) => Some(ty),
            _ => None,
        }
    }
}

/// The type in an argument, a wildcard's being its bound.
fn bound(arg: &TypeArgument) -> Option<&GenericType> {
    match arg {
        TypeArgument::Any => None,
        TypeArgument::Exact(ty) | TypeArgument::Extends(ty) | TypeArgument::Super(ty) => Some(ty),
    }
}

/// Takes what the variables in a type stand for if it is the other; the first that is found stays.
fn equate(of: &GenericType, other: &GenericType, found: &mut Found) {
    match (of, other) {
        (GenericType::Variable(name), other) => {
            let is_known = found.iter().any(|(known, _)| known == name);
            if !is_known && !matches!(other, GenericType::Primitive(_)) && !has_variables(other) {
                found.push((name.clone(), other.clone()));
            }
        }
        (GenericType::Class { name: a, args: of }, GenericType::Class { name: b, args: other })
            if a == b =>
        {
            for (of, other) in of.iter().zip(other) {
                if let (Some(of), Some(other)) = (bound(of), bound(other)) {
                    equate(of, other, found);
                }
            }
        }
        (GenericType::Array(of), GenericType::Array(other)) => equate(of, other, found),
        _ => {}
    }
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

/// The type of what a mock of a class without type parameters answers with a captured value.
fn answered(scope: Scope, op: &Operation, place: usize) -> Option<GenericType> {
    let class = scope.classes.class(&op.owner)?;
    let captured = Answer::Captured(place as u16);
    let told = op.as_mock()?.methods.iter().find(|method| method.answer == captured)?;
    let methods = mockable(scope.classes, &class, scope.package)?;
    let method = methods.into_iter().find(|method| {
        let is_told = |e: &MethodDescriptor| e.params == told.params && e.result == told.result;
        method.method().name == told.name && method.erasures.iter().any(is_told)
    })?;
    method.result.filter(|result| !has_variables(result))
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
    let in_bounds = |types: &[GenericType]| {
        let exact = types.iter().cloned().map(TypeArgument::Exact);
        let bindings: Bindings = params.iter().map(|p| p.name.clone()).zip(exact).collect();
        params.iter().all(|param| keeps_bounds(scope, param, &bindings))
    };
    let captured: Vec<Type> = call.args.iter().map(|slot| boxed(test.case.ty(*slot))).collect();
    all.push(implement::suggested(scope, &call.op, &captured));
    all.push(implement::suggested(scope, &call.op, &[]));
    all.into_iter()
        .filter(|types| types.len() == params.len() && in_bounds(types))
        .map(|types| types.into_iter().map(TypeArgument::Exact).collect::<Vec<_>>())
        .filter(|types| types.iter().all(|arg| nameable(scope, arg)))
        .collect()
}

fn boxed(ty: &Type) -> Type {
    ty.as_primitive().map_or_else(|| ty.clone(), |p| Type::class(p.boxed()))
}
