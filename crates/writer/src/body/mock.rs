//! Mocks, as Mockito has them: `Shop shop = mock(Shop.class)`, then what it is told to answer.
//!
//! A mock that is injected is a field of the test class instead, beside the object it is injected
//! into, and Mockito makes both. What it is told stands where the test case makes it.
//!
//! An answer holds for any arguments, `null` too, so matchers are those that match it. It is told by
//! `when(…).thenReturn(…)` where the value certainly has the type that javac takes the method's result
//! for, and by `doReturn(…).when(…)`, which takes anything, elsewhere.

use model::{
    Answer, Call, Field, GenericType, Hierarchy, ImplementedMethod, Literal, Operation,
    OperationKind, Primitive, Type, TypeArgument,
};

use super::Writer;
use crate::call::{self, Argument, Goal, Written, no_member, unresolvable};
use crate::doc::Doc;
use crate::flow::{Use, ValueId};
use crate::generics::{Static, has_variables, raw};
use crate::infer::Inference;
use crate::literal::Expr;
use crate::members::Site;
use crate::rejection::Rejection;

/// Where static imports of Mockito's methods come from.
pub(crate) const MOCKITO: &str = "org.mockito.Mockito";
/// The same for matchers.
pub(crate) const MATCHERS: &str = "org.mockito.ArgumentMatchers";

/// A method of Mockito that tests import.
pub(crate) type Import = (&'static str, &'static str);

/// An object that Mockito makes, with mocks in its fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Injected {
    /// Its type and the field of the test class that holds it.
    pub(crate) object: (GenericType, String),
    /// The types of the mocks, and the fields that hold them, which are named like its own.
    pub(crate) mocks: Vec<(GenericType, String)>,
}

impl Writer<'_> {
    /// Writes a call that makes a mock.
    pub(super) fn mock(&mut self, index: usize, call: &Call) -> Result<(), Rejection> {
        self.flush_all()?;
        let used = self.flow.writes[index].filter(|v| !self.flow.values[v.0].uses.is_empty());
        let Some(value) = used else { return Ok(()) };
        if call.guarded {
            return Err(unresolvable(&call.op));
        }
        let class = Type::Class(call.op.owner.clone());
        self.scope.nameable(&class)?;
        match self.injected_as(value)? {
            Some((ty, name)) => {
                let field = Expr::primary(Doc::text(name), Static::Of(ty));
                self.variables.insert(value, field);
            }
            None => {
                let of = Doc::Seq(vec![Doc::Class(call.op.owner.clone()), Doc::text(".class")]);
                let doc = Doc::call(self.mockito("mock"), vec![of]);
                let args = self.types.get(&value).cloned().unwrap_or_default();
                let generic = GenericType::Class { name: call.op.owner.clone(), args };
                let written = Written::plain(Expr::primary(doc, Static::raw(&class)));
                self.declare(value, Written { generic: Some(generic), ..written })?;
            }
        }
        let mock = self.read(value, true)?;
        for place in 0..call.args.len() {
            let captured = [Answer::Captured(place as u16), Answer::First(place as u16)];
            let all = call.op.implementation.iter().flat_map(|i| &i.methods);
            let mut told = all.filter(|method| captured.contains(&method.answer));
            let method = told.next().ok_or_else(|| no_member(&call.op))?.clone();
            let answer = self.read(self.flow.reads[index][place], false)?;
            // What is `false` at once stays so.
            let init = &self.test.case.slots[call.args[place].index()].init;
            let ends = method.answer == captured[1] && *init != Some(Literal::Boolean(false));
            self.tell(&call.op, &mock, &method, answer, ends)?;
        }
        // Several erasures of one method throw the same.
        let all = call.op.implementation.iter().flat_map(|i| &i.methods);
        let mut throwing = all.filter(|method| matches!(method.answer, Answer::Throws(_)));
        throwing.next().map_or(Ok(()), |method| self.tell_to_throw(&call.op, &mock, method))
    }

    /// Has the mock throw when a method is called.
    fn tell_to_throw(
        &mut self,
        op: &Operation,
        mock: &Expr,
        method: &ImplementedMethod,
    ) -> Result<(), Rejection> {
        let Answer::Throws(thrown) = &method.answer else { return Err(no_member(op)) };
        self.scope.nameable(&Type::Class(thrown.clone()))?;
        let new = Doc::Seq(vec![Doc::text("new "), Doc::Type(thrown.clone()), Doc::text("()")]);
        let told = asked(op, method);
        let plain = self.called(&told, mock.clone(), &[])?;
        self.throws = self.throws.max(plain.throws);
        let doc = if method.result.is_some() {
            let when = Doc::call(self.mockito("when"), vec![plain.expr.doc]);
            Doc::call(Doc::Seq(vec![when, Doc::text(".thenThrow")]), vec![new])
        } else {
            let throws = Doc::call(self.mockito("doThrow"), vec![new]);
            let when = Doc::Seq(vec![throws, Doc::text(".when")]);
            let when = Doc::call(when, vec![mock.doc.clone()]);
            self.called(&told, Expr::primary(when, mock.ty.clone()), &[])?.expr.doc
        };
        self.push(doc);
        Ok(())
    }

    /// Has the mock answer a method so; once, and `false` after that, if it `ends`.
    fn tell(
        &mut self,
        op: &Operation,
        mock: &Expr,
        method: &ImplementedMethod,
        answer: Expr,
        ends: bool,
    ) -> Result<(), Rejection> {
        let told = asked(op, method);
        let plain = self.called(&told, mock.clone(), &[])?;
        self.throws = self.throws.max(plain.throws);
        let is_accepted = self.is_accepted(&plain, &answer);
        let mut answers = vec![answer.doc];
        answers.extend(ends.then(|| Doc::text("false")));
        let doc = if is_accepted {
            let when = Doc::call(self.mockito("when"), vec![plain.expr.doc]);
            let returns = Doc::Seq(vec![when, Doc::text(".thenReturn")]);
            Doc::call(returns, answers)
        } else {
            let returned = Doc::call(self.mockito("doReturn"), answers);
            let when = Doc::Seq(vec![returned, Doc::text(".when")]);
            let when = Doc::call(when, vec![mock.doc.clone()]);
            self.called(&told, Expr::primary(when, mock.ty.clone()), &[])?.expr.doc
        };
        self.push(doc);
        Ok(())
    }

    /// A call on the mock with matchers for arguments: of what is given there, and of anything else
    /// in the other places.
    pub(super) fn called(
        &mut self,
        op: &Operation,
        receiver: Expr,
        given: &[Option<Expr>],
    ) -> Result<Written, Rejection> {
        let Static::Of(ty) = &receiver.ty else { return Err(unresolvable(op)) };
        let candidates = self.scope.methods(&Site::Object(ty), &op.name);
        let meant = candidates.iter().find(|c| c.declared.iter().any(|d| d == op.arguments()));
        let meant = meant.ok_or_else(|| no_member(op))?;
        // What `any()` is, javac infers; with another method that takes as much it may not.
        let alike = candidates.iter().filter(|c| c.formals.len() == meant.formals.len());
        let is_alone = alike.count() == 1 && candidates.iter().all(|c| !c.is_varargs());
        let mut args = vec![Argument { expr: receiver, elements: None }];
        for (at, (formal, erased)) in meant.formals.iter().zip(&meant.erased).enumerate() {
            let (name, matched) = match (given.get(at).cloned().flatten(), erased) {
                (Some(value), _) if value.ty == Static::Null => ("isNull", Vec::new()),
                (Some(value), _) => ("eq", vec![value.doc]),
                (None, Type::Primitive(primitive)) => (of_primitive(*primitive), Vec::new()),
                (None, _) => ("any", Vec::new()),
            };
            self.mockito.insert((MATCHERS, name));
            let known = if has_variables(formal) { raw(erased) } else { formal.clone() };
            let matcher = Doc::call(Doc::text(name), matched);
            let matcher = Expr::primary(matcher, Static::Of(known));
            let needs_cast = !is_alone && erased.is_reference();
            let expr = if needs_cast { matcher.cast(erased) } else { matcher };
            args.push(Argument { expr, elements: None });
        }
        call::write(self.scope, op, &args, Goal::Nothing)
    }

    /// Whether `thenReturn` takes the value after the call.
    fn is_accepted(&self, called: &Written, answer: &Expr) -> bool {
        let to = match (&called.generic, called.expr.ty.erased()) {
            (Some(known), _) => known.clone(),
            // A method's own type variable is inferred to be its bound.
            (None, Some(erased)) if !called.parameterized => raw(&erased),
            _ => return false,
        };
        match &to {
            GenericType::Primitive(_) => answer.ty == Static::Of(to),
            _ if matches!(answer.ty, Static::Lambda(_)) || !is_exact(&to) => false,
            to => Inference::new(self.scope, &[]).accept(to, &answer.ty),
        }
    }

    pub(super) fn mockito(&mut self, name: &'static str) -> Doc {
        self.mockito.insert((MOCKITO, name));
        Doc::text(name)
    }

    /// The field that a mock is, if it is injected: its type and name.
    fn injected_as(&mut self, value: ValueId) -> Result<Option<(GenericType, String)>, Rejection> {
        let uses = self.flow.values[value.0].uses.clone();
        let test = self.test;
        let injected = uses.iter().find_map(|of| match of {
            Use::Argument { call, position }
                if test.case.calls[*call].op.kind == OperationKind::Inject =>
            {
                Some((*call, *position))
            }
            _ => None,
        });
        let Some((call, position)) = injected else { return Ok(None) };
        let injected = self.injected_by(&test.case.calls[call].op)?;
        Ok(Some(injected.mocks[position].clone()))
    }

    /// Writes a call that makes an object with mocks in its fields: Mockito has made it already.
    pub(super) fn inject(&mut self, index: usize, call: &Call) -> Result<(), Rejection> {
        self.flush_all()?;
        let used = self.flow.writes[index].filter(|v| !self.flow.values[v.0].uses.is_empty());
        let Some(value) = used.filter(|_| !call.guarded) else {
            return Err(unresolvable(&call.op));
        };
        let injections = self.test.case.calls.iter().filter(|c| c.op.kind == OperationKind::Inject);
        if injections.count() > 1 {
            // A test class has one.
            return Err(unresolvable(&call.op));
        }
        let (ty, name) = self.injected_by(&call.op)?.object;
        self.variables.insert(value, Expr::primary(Doc::text(name), Static::Of(ty)));
        Ok(())
    }

    /// What the fields of the test class are for an injection.
    fn injected_by(&mut self, op: &Operation) -> Result<Injected, Rejection> {
        if let Some(known) = &self.injected {
            return Ok(known.clone());
        }
        let classes = self.scope.classes.supertypes(&op.owner);
        let mut mocks = Vec::new();
        for (name, ty) in op.injected_fields().zip(&op.params) {
            let mut fields = classes.iter().filter_map(|class| class.field(name));
            let field = fields.next().ok_or_else(|| no_member(op))?;
            mocks.push((self.field_type(field, ty), name.to_owned()));
        }
        let own = crate::body::simple_name(&op.owner);
        let mut object: String = own.chars().take(1).flat_map(char::to_lowercase).collect();
        object.extend(own.chars().skip(1));
        let names = mocks.iter().map(|(_, name)| name.clone()).chain([object.clone()]);
        for name in names.collect::<Vec<_>>() {
            if self.names.fresh(&name) != name {
                return Err(Rejection::NotAnIdentifier { name });
            }
        }
        let object = (raw(&Type::Class(op.owner.clone())), object);
        let injected = Injected { object, mocks };
        self.injected = Some(injected.clone());
        Ok(injected)
    }

    /// The type of a field as its class declares it, where that can be written in the test.
    fn field_type(&self, field: &Field, erased: &Type) -> GenericType {
        let declared = field.signature.as_ref().and_then(|text| GenericType::parse(text).ok());
        let names = |ty: &GenericType| match ty {
            GenericType::Class { args, .. } => args.iter().all(|arg| match arg {
                TypeArgument::Exact(GenericType::Class { name, args }) => {
                    args.is_empty() && self.scope.can_name(&Type::Class(name.clone()))
                }
                _ => false,
            }),
            _ => false,
        };
        declared.filter(names).unwrap_or_else(|| raw(erased))
    }
}

/// The call of a method that a mock is told how to answer.
fn asked(op: &Operation, method: &ImplementedMethod) -> Operation {
    let mut params = vec![Type::Class(op.owner.clone())];
    params.extend(method.params.iter().cloned());
    Operation {
        kind: OperationKind::InstanceMethod,
        owner: op.owner.clone(),
        name: method.name.clone(),
        params,
        result: method.result.clone(),
        implementation: None,
    }
}

/// Whether the type has no wildcards, which javac would capture.
fn is_exact(ty: &GenericType) -> bool {
    match ty {
        GenericType::Class { args, .. } => args.iter().all(|arg| match arg {
            TypeArgument::Exact(ty) => is_exact(ty),
            _ => false,
        }),
        GenericType::Array(element) => is_exact(element),
        GenericType::Primitive(_) | GenericType::Variable(_) => true,
    }
}

/// The matcher of any value of a primitive type.
fn of_primitive(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Boolean => "anyBoolean",
        Primitive::Byte => "anyByte",
        Primitive::Char => "anyChar",
        Primitive::Short => "anyShort",
        Primitive::Int => "anyInt",
        Primitive::Long => "anyLong",
        Primitive::Float => "anyFloat",
        Primitive::Double => "anyDouble",
    }
}
