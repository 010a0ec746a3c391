//! Objects of classes written on the spot: `x -> x`, or `new Shape("a") { … }`.
//!
//! A lambda is written where the type is a functional interface, an anonymous class elsewhere. What
//! a captured value is written as is evaluated when the method is called, so only literals,
//! constants and variables that are assigned once stand in a body.

use model::{
    Answer, Class, ClassName, GenericType, Hierarchy, Operation, Type, TypeArgument, Unimplemented,
    implementable,
};

use crate::call::{Argument, Written, no_member, unresolvable};
use crate::doc::Doc;
use crate::generics::{Scope, Static, mentions, raw};
use crate::identifier::is_variable_name;
use crate::imports::simple_names;
use crate::infer::Inference;
use crate::lambda::{Body, Lambda, Signature, function, seen_from};
use crate::literal::{Binding, Expr, generic_doc};
use crate::rejection::Rejection;
use crate::variable::Names;

/// Writes an object of a class written on the spot; of a generic class with these type arguments,
/// raw if there are none.
pub(crate) fn write(
    scope: Scope,
    op: &Operation,
    args: &[Argument],
    type_args: &[TypeArgument],
    names: &mut Names,
) -> Result<Written, Rejection> {
    let ty = Type::Class(op.owner.clone());
    scope.nameable(&ty)?;
    let class = scope.class(&op.owner)?;
    let of = GenericType::Class { name: op.owner.clone(), args: type_args.to_vec() };
    let exact: Option<Vec<GenericType>> = type_args
        .iter()
        .map(|arg| match arg {
            TypeArgument::Exact(ty) => Some(ty.clone()),
            _ => None,
        })
        .collect();
    let exact = exact.ok_or_else(|| unresolvable(op))?;
    let writer = Implementer { scope, op, class: &class, args, type_args: &exact, names };
    match function(scope, &op.owner) {
        Some((_, method)) => writer.lambda(&method, of),
        None => writer.anonymous(of, type_args),
    }
}

struct Implementer<'a> {
    scope: Scope<'a>,
    op: &'a Operation,
    class: &'a Class,
    args: &'a [Argument],
    type_args: &'a [GenericType],
    names: &'a mut Names,
}

impl Implementer<'_> {
    fn lambda(mut self, method: &Unimplemented, of: GenericType) -> Result<Written, Rejection> {
        let signature = seen_from(self.class, method, self.type_args);
        let params = self.parameters(method);
        let answer = self.answer(method)?;
        let (doc, body) = match &answer {
            Answer::Nothing => (Doc::text("{}"), Body::Nothing),
            Answer::Default | Answer::First(_) => return Err(no_member(self.op)),
            Answer::Captured(place) => {
                let value = self.value(usize::from(*place), &signature)?;
                (value.doc, Body::Value(value.ty))
            }
            Answer::Argument(place) => {
                let place = usize::from(*place);
                (self.argument(place, &params, &signature)?, Body::Argument(place))
            }
            Answer::Throws(thrown) => {
                let throw = self.throw(thrown, &signature)?;
                let doc = Doc::Seq(vec![Doc::text("{ "), throw, Doc::text(" }")]);
                (doc, Body::Throws(thrown.clone()))
            }
        };
        let head = match &params[..] {
            [only] => format!("{only} -> "),
            params => format!("({}) -> ", params.join(", ")),
        };
        let lambda = Lambda { of: self.op.owner.clone(), arity: params.len(), body };
        let expr = Expr {
            doc: Doc::Seq(vec![Doc::text(head), doc]),
            binding: Binding::Operator,
            ty: Static::Lambda(lambda.into()),
        };
        Ok(Written { generic: Some(of), ..Written::plain(expr) })
    }

    fn anonymous(
        mut self,
        of: GenericType,
        type_args: &[TypeArgument],
    ) -> Result<Written, Rejection> {
        let (scope, op) = (self.scope, self.op);
        let methods = implementable(scope.classes, self.class, scope.package)
            .ok_or_else(|| Rejection::NotInstantiable { operation: op.to_string() })?;
        let given = op.implementation.as_ref().map_or(0, |i| usize::from(i.given));
        let head = Doc::Seq(vec![Doc::text("new "), generic_doc(&of)]);
        let superclass = if self.class.is_interface() {
            None
        } else {
            let (args, params) = (&self.args[..given], &op.params[..given]);
            Some(crate::call::superclass(scope, op, self.class, (args, params), type_args)?)
        };
        let (given, throws, exceptions) = superclass.unwrap_or_default();
        let mut lines = Vec::new();
        for method in &methods {
            if !lines.is_empty() {
                lines.push(Doc::text(""));
            }
            lines.push(Doc::text("@Override"));
            lines.push(self.method(method)?);
        }
        self.check_names(&lines)?;
        let body = if lines.is_empty() { Doc::text("{}") } else { Doc::block(lines) };
        let doc = Doc::Seq(vec![Doc::call(head, given), Doc::text(" "), body]);
        Ok(Written {
            // It is of a class of its own, which javac knows to be no other.
            certain: false,
            generic: Some(of.clone()),
            throws,
            exceptions,
            ..Written::plain(Expr::primary(doc, Static::Of(of)))
        })
    }

    /// `public String name(int a) { … }`.
    fn method(&mut self, method: &Unimplemented) -> Result<Doc, Rejection> {
        let signature = seen_from(self.class, method, self.type_args);
        let params = self.parameters(method);
        let answer = self.answer(method)?;
        let mut throws = None;
        let body = match &answer {
            Answer::Nothing => None,
            Answer::Default | Answer::First(_) => return Err(no_member(self.op)),
            Answer::Captured(place) => Some(self.value(usize::from(*place), &signature)?.doc),
            Answer::Argument(place) => {
                Some(self.argument(usize::from(*place), &params, &signature)?)
            }
            Answer::Throws(thrown) => {
                throws = Some(thrown);
                Some(self.throw(thrown, &signature)?)
            }
        };
        let access = method.method().access;
        let access = match () {
            () if access.is_public() => "public ",
            () if access.is_protected() => "protected ",
            () => "",
        };
        let mut head = vec![Doc::text(access)];
        head.push(signature.result.as_ref().map_or_else(|| Doc::text("void"), generic_doc));
        head.push(Doc::text(format!(" {}", method.method().name)));
        let declared = signature.params.iter().zip(&params);
        let declared = declared
            .map(|(ty, name)| Doc::Seq(vec![generic_doc(ty), Doc::text(format!(" {name}"))]));
        let mut doc = vec![Doc::call(Doc::Seq(head), declared.collect())];
        if let Some(thrown) = throws {
            doc.extend([Doc::text(" throws "), Doc::Class(thrown.clone())]);
        }
        doc.push(match (body, throws) {
            (None, _) => Doc::text(" {}"),
            (Some(throw), Some(_)) => Doc::Seq(vec![Doc::text(" "), Doc::block(vec![throw])]),
            (Some(value), None) => {
                let line = Doc::Seq(vec![Doc::text("return "), value, Doc::text(";")]);
                Doc::Seq(vec![Doc::text(" "), Doc::block(vec![line])])
            }
        });
        Ok(Doc::Seq(doc))
    }

    /// What the operation says the method does.
    fn answer(&self, method: &Unimplemented) -> Result<Answer, Rejection> {
        let name = &method.method().name;
        let all = self.op.implementation.iter().flat_map(|i| &i.methods);
        let mut matching = all.filter(|m| {
            let same = |e: &model::MethodDescriptor| e.params == m.params && e.result == m.result;
            m.name == *name && method.erasures.iter().any(same)
        });
        matching.next().map(|m| m.answer.clone()).ok_or_else(|| no_member(self.op))
    }

    /// Names for the parameters: as declared where that is told.
    fn parameters(&mut self, method: &Unimplemented) -> Vec<String> {
        let declared = &method.method().params;
        let letters = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let mut names: Vec<String> = Vec::new();
        for (place, param) in declared.iter().enumerate() {
            let told = param.name.as_deref().filter(|name| is_variable_name(name));
            let plain = match declared.len() {
                1 => "x",
                _ => letters.get(place).copied().unwrap_or("other"),
            };
            let name = self.names.parameter(told.unwrap_or(plain), &names);
            names.push(name);
        }
        names
    }

    /// A captured value where the method returns it.
    fn value(&self, place: usize, signature: &Signature) -> Result<Expr, Rejection> {
        let plain = self.args[place].expr.clone();
        let to = signature.result.as_ref().ok_or_else(|| unresolvable(self.op))?;
        let param = &self.op.params[place];
        let fits = |expr: &Expr| match to {
            GenericType::Primitive(_) => expr.ty == Static::Of(to.clone()),
            to => Inference::new(self.scope, &[]).accept(to, &expr.ty),
        };
        if fits(&plain) {
            return Ok(plain);
        }
        let cast = || plain.cast(param);
        Some(param)
            .filter(|param| param.is_reference() && self.scope.can_name(param))
            .map(|_| cast())
            .filter(fits)
            .ok_or_else(|| unresolvable(self.op))
    }

    /// A parameter where the method returns it.
    fn argument(
        &self,
        place: usize,
        params: &[String],
        signature: &Signature,
    ) -> Result<Doc, Rejection> {
        let (from, to) = (signature.params.get(place), signature.result.as_ref());
        let fits = from.zip(to).is_some_and(|(from, to)| {
            let expr = Static::Of(from.clone());
            from == to
                || (!matches!(from, GenericType::Primitive(_))
                    && !matches!(to, GenericType::Primitive(_))
                    && Inference::new(self.scope, &[]).accept(to, &expr))
        });
        if fits { Ok(Doc::text(params[place].clone())) } else { Err(unresolvable(self.op)) }
    }

    fn throw(&self, thrown: &ClassName, signature: &Signature) -> Result<Doc, Rejection> {
        self.scope.nameable(&Type::Class(thrown.clone()))?;
        if !signature.may_throw(self.scope, thrown) {
            return Err(unresolvable(self.op));
        }
        let class = Doc::Type(thrown.clone());
        Ok(Doc::Seq(vec![Doc::text("throw new "), class, Doc::text("();")]))
    }

    /// Inside an anonymous class, members it inherits hide variables and classes of the same name
    /// (JLS §6.4.1): a test in which they would is not written.
    fn check_names(&self, lines: &[Doc]) -> Result<(), Rejection> {
        let mut mentioned = Vec::new();
        lines.iter().for_each(|line| line.classes(&mut mentioned));
        let simple = |name: &ClassName| simple_names(self.scope.classes, name).pop();
        let hidden = self.scope.classes.supertypes(&self.op.owner).iter().any(|class| {
            let hides_class = class.members.iter().any(|member| {
                mentioned.iter().any(|name| name != member && simple(name) == simple(member))
            });
            let hides_value = self.args.iter().any(|arg| match &arg.expr.doc {
                Doc::Text(text) => class.field(text).is_some(),
                _ => false,
            });
            hides_class || hides_value
        });
        if hidden { Err(unresolvable(self.op)) } else { Ok(()) }
    }
}

/// The type arguments that what a class on the spot answers suggests.
pub(crate) fn suggested(scope: Scope, op: &Operation, captured: &[Type]) -> Vec<GenericType> {
    let Some(class) = scope.classes.class(&op.owner) else { return Vec::new() };
    let params = class.signature.as_ref().map_or(&[][..], |s| &s.params);
    let mut types: Vec<GenericType> = params
        .iter()
        .map(|p| raw(&GenericType::Variable(p.name.clone()).erasure(params)))
        .collect();
    let methods = implementable(scope.classes, &class, scope.package).unwrap_or_default();
    for method in &methods {
        let Some(GenericType::Variable(result)) = &method.result else { continue };
        let Some(at) = params.iter().position(|p| p.name == *result) else { continue };
        // What is passed to it is cast to what its parameters are said to be.
        if methods.iter().flat_map(|m| &m.params).any(|param| mentions(param, result)) {
            continue;
        }
        let all = op.implementation.iter().flat_map(|i| &i.methods);
        let mut own = all.filter(|m| m.name == method.method().name);
        if let Some(Answer::Captured(place)) = own.next().map(|m| &m.answer)
            && let Some(ty) = captured.get(usize::from(*place))
        {
            types[at] = raw(ty);
        }
    }
    types
}
