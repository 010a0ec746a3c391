//! The statements of one test.
//!
//! Values are written into the call that uses them where that keeps the order of evaluation:
//! Java evaluates a receiver and then the arguments from left to right (JLS §15.7), so a run of
//! values made just before a call may stand in its arguments if they appear there in the order in
//! which they were made. Everything else becomes a variable.

use std::collections::{HashMap, HashSet};

use model::{
    Call, CheckKind, ClassName, Expectation, FailureKind, GenericType, Hierarchy, Literal,
    Observation, Operation, OperationKind, Primitive, Type, TypeArgument, UnitTest,
};

use crate::assertion::{Actual, Assertions, is_single};
use crate::call::{self, Argument, Throws, Written, converted};
use crate::contract;
use crate::doc::Doc;
use crate::flow::{Flow, From, Use, ValueId, has_identity, throws_at_end};
use crate::generics::{Scope, Static, raw};
use crate::infer::Inference;
use crate::literal::{Expr, generic_doc, literal, type_doc};
use crate::rejection::Rejection;
use crate::variable::{Names, base_name};
use crate::{Junit, Options};

/// A line, or a block of them.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    /// A statement; the semicolon is added.
    Plain(Doc),
    /// A comment, to be broken into lines.
    Comment(String),
    /// `try { … } catch (class name) { … }`.
    Try { body: Vec<Statement>, class: ClassName, name: String, handler: Vec<Statement> },
}

/// A test method without its name.
#[derive(Debug)]
pub(crate) struct Body {
    /// Its statements.
    pub(crate) statements: Vec<Statement>,
    /// What it declares to throw.
    pub(crate) throws: Throws,
    /// The assertion methods it uses.
    pub(crate) assertions: Vec<&'static str>,
    /// Variables of generic classes, as they were declared.
    pub(crate) generic: Vec<GenericVariable>,
}

/// A variable of a generic class.
#[derive(Clone, Debug)]
pub(crate) struct GenericVariable {
    /// Its value.
    pub(crate) value: ValueId,
    /// The class.
    pub(crate) class: ClassName,
    /// The type of what it is set to, where that is known.
    pub(crate) set_to: Option<GenericType>,
    /// The call that made the value.
    pub(crate) call: usize,
}

/// The type arguments chosen for variables; those without are raw.
pub(crate) type TypeChoices = HashMap<ValueId, Vec<TypeArgument>>;

/// More values spelled out than this may exceed the 65535 bytes of a method (JVMS §4.7.3): an
/// element of an array takes up to 16.
const MAX_VALUES: usize = 3_500;
/// What a declaration may take up to the first place in its value where a line can be broken.
const HEAD_WIDTH: usize = 80;
/// Wider expressions than this are not written into a call.
const INLINE_WIDTH: usize = 44;

/// A value that is not written yet.
struct Pending {
    value: ValueId,
    written: Written,
    /// Whether making it runs no code that could end in the exception a test expects.
    calm: bool,
}

struct Writer<'a> {
    scope: Scope<'a>,
    options: &'a Options,
    test: &'a UnitTest,
    flow: Flow,
    names: Names,
    statements: Vec<Statement>,
    assertions: Assertions<'a>,
    throws: Throws,
    pending: Vec<Pending>,
    variables: HashMap<ValueId, Expr>,
    /// Variables that are assigned twice and cannot be used in a lambda.
    reassigned: HashSet<ValueId>,
    types: &'a TypeChoices,
    generic: Vec<GenericVariable>,
}

/// Writes the statements of a well-formed test.
pub(crate) fn write<'a>(
    scope: Scope<'a>,
    options: &'a Options,
    test: &'a UnitTest,
    types: &'a TypeChoices,
) -> Result<Body, Rejection> {
    let passed: usize = test.case.calls.iter().map(|c| c.args.len()).sum();
    let values = test.case.slots.len() + passed + observed_values(test);
    if values > MAX_VALUES {
        return Err(Rejection::TooLarge { elements: values });
    }
    let mut writer = Writer {
        scope,
        options,
        test,
        flow: Flow::of(test)?,
        names: Names::new(scope, test),
        statements: Vec::new(),
        assertions: Assertions::new(scope, options.junit),
        throws: Throws::default(),
        pending: Vec::new(),
        variables: HashMap::new(),
        reassigned: HashSet::new(),
        types,
        generic: Vec::new(),
    };
    for index in 0..test.case.calls.len() {
        writer.call(index)?;
        writer.checks_after(index)?;
    }
    writer.flush_all()?;
    writer.failure()?;
    Ok(Body {
        statements: writer.statements,
        throws: writer.throws.max(writer.assertions.throws),
        assertions: writer.assertions.used.into_iter().collect(),
        generic: writer.generic,
    })
}

impl<'a> Writer<'a> {
    fn call(&mut self, index: usize) -> Result<(), Rejection> {
        let test = self.test;
        let call = &test.case.calls[index];
        let last = index + 1 == test.case.calls.len();
        let expected = match &test.expectation {
            Expectation::Throws(class) if last && throws_at_end(test) => Some(class),
            _ => None,
        };
        let inlined = self.inlined(index, expected.is_some() || call.guarded);
        self.flush(inlined)?;
        let lambda = expected.is_some() && self.has_assert_throws();
        let (written, calm) = self.operation(index, call, lambda)?;
        if let Some(class) = expected {
            return self.expect_throw(class, written, call);
        }
        if call.guarded {
            return self.guarded(index, written, call);
        }
        self.throws = self.throws.max(written.throws);
        if last && matches!(self.unexpected(), Some(FailureKind::UnexpectedException { .. })) {
            self.comment_failure();
            self.statement_of(written, call);
            return Ok(());
        }
        match self.flow.writes[index].filter(|v| !self.flow.values[v.0].uses.is_empty()) {
            None => {
                // An array nobody uses does nothing.
                if call.op.kind != OperationKind::Array {
                    self.statement_of(written, call);
                }
                Ok(())
            }
            Some(value) if self.may_wait(value, index, &call.op, &written) => {
                self.pending.push(Pending { value, written, calm });
                Ok(())
            }
            Some(value) => self.declare(value, written),
        }
    }

    /// The failure that the last call shows.
    fn unexpected(&self) -> Option<&'a FailureKind> {
        self.test.failure.as_ref().map(|f| &f.kind)
    }

    fn has_assert_throws(&self) -> bool {
        !matches!(self.options.junit, Junit::Four { assert_throws: false })
    }

    /// How many pending values, from the front, cannot stand in the arguments of the call.
    fn inlined(&self, index: usize, only_calm: bool) -> usize {
        let mut limit = usize::MAX;
        let mut first = self.pending.len();
        while let Some(pending) = first.checked_sub(1).map(|i| &self.pending[i]) {
            match self.flow.values[pending.value.0].uses[..] {
                [Use::Argument { call, position }]
                    if call == index && position < limit && (pending.calm || !only_calm) =>
                {
                    limit = position;
                    first -= 1;
                }
                _ => break,
            }
        }
        first
    }

    /// Declares variables for the pending values before the given one.
    fn flush(&mut self, upto: usize) -> Result<(), Rejection> {
        let rest = self.pending.split_off(upto);
        for pending in std::mem::replace(&mut self.pending, rest) {
            self.declare(pending.value, pending.written)?;
        }
        Ok(())
    }

    fn flush_all(&mut self) -> Result<(), Rejection> {
        self.flush(self.pending.len())
    }

    /// Writes the operation of a call, using up the pending values.
    fn operation(
        &mut self,
        index: usize,
        call: &Call,
        lambda: bool,
    ) -> Result<(Written, bool), Rejection> {
        let mut pending: HashMap<ValueId, Pending> =
            self.pending.drain(..).map(|p| (p.value, p)).collect();
        let mut calm = matches!(call.op.kind, OperationKind::Array | OperationKind::StaticField);
        let mut args = Vec::new();
        for value in self.flow.reads[index].clone() {
            args.push(match pending.remove(&value) {
                Some(inline) => {
                    calm &= inline.calm;
                    Argument { expr: inline.written.expr, elements: inline.written.elements }
                }
                None => Argument { expr: self.read(value, lambda)?, elements: None },
            });
        }
        let chosen = self.flow.writes[index].and_then(|value| self.types.get(&value));
        let type_args = chosen.map_or(&[][..], Vec::as_slice);
        let written = call::write(self.scope, &call.op, &args, type_args)?;
        Ok((written, calm))
    }

    /// The value as an expression: a variable or a literal.
    fn read(&mut self, value: ValueId, lambda: bool) -> Result<Expr, Rejection> {
        if let Some(variable) = self.variables.get(&value).cloned() {
            if !(lambda && self.reassigned.contains(&value)) {
                return Ok(variable);
            }
            // A lambda takes only variables that are assigned once (JLS §15.27.2).
            let ty = variable.ty.erased().expect("variables have a type");
            return Ok(self.variable(value, raw(&ty), variable.doc));
        }
        let Value { ty, init, uses } = self.value(value);
        let init = init.expect("what is not initial was declared when it was made");
        let expr = literal(self.scope, init)?;
        let is_object = ty.is_reference() && has_identity(init);
        let is_long = matches!(init, Literal::String(_)) && expr.doc.width() > INLINE_WIDTH;
        if uses < 2 || !(is_object || is_long) {
            return Ok(expr);
        }
        let ty = if self.scope.can_name(&ty) { ty } else { Type::object() };
        let variable = self.variable(value, raw(&ty), expr.doc);
        self.variables.insert(value, variable.clone());
        Ok(variable)
    }

    fn value(&self, value: ValueId) -> Value<'a> {
        let value = &self.flow.values[value.0];
        let decl = &self.test.case.slots[value.slot.index()];
        let init = decl.init.as_ref().filter(|_| value.from == From::Initial);
        Value { ty: decl.ty.clone(), init, uses: value.uses.len() }
    }

    /// Declares a variable with a fresh name for the value.
    fn variable(&mut self, value: ValueId, ty: GenericType, init: Doc) -> Expr {
        let name = self.names.fresh(&base_name(self.scope, self.test, &self.flow, value));
        self.push(assignment(vec![generic_doc(&ty), Doc::text(format!(" {name}"))], init));
        Expr::primary(Doc::text(name), Static::Of(ty))
    }

    fn push(&mut self, doc: Doc) {
        self.statements.push(Statement::Plain(doc));
    }

    /// The type a variable for the value is declared with.
    fn declared_type(&self, value: ValueId, written: &Written) -> Type {
        let ty = self.value(value).ty;
        if self.scope.can_name(&ty) {
            return ty;
        }
        written.expr.ty.erased().filter(|ty| self.scope.can_name(ty)).unwrap_or_else(Type::object)
    }

    fn declare(&mut self, value: ValueId, written: Written) -> Result<(), Rejection> {
        let ty = self.declared_type(value, &written);
        if let From::Call(call) = self.flow.values[value.0].from
            && let Type::Class(class) = &ty
            && self.scope.is_generic(class)
        {
            let class = class.clone();
            let set_to = written.generic.clone();
            self.generic.push(GenericVariable { value, class, set_to, call });
        }
        let variable = match (self.types.get(&value), &ty) {
            (Some(args), Type::Class(name)) => {
                let declared = GenericType::Class { name: name.clone(), args: args.clone() };
                let set_to = written.generic.clone().ok_or_else(|| self.unresolvable(value))?;
                if !Inference::new(self.scope, &[]).accept_type(&set_to, &declared) {
                    return Err(self.unresolvable(value));
                }
                self.variable(value, declared, written.expr.doc)
            }
            _ => {
                let init = converted(self.scope, written, &ty);
                self.variable(value, raw(&ty), init.doc)
            }
        };
        self.variables.insert(value, variable);
        Ok(())
    }

    fn unresolvable(&self, value: ValueId) -> Rejection {
        let operation = match self.flow.values[value.0].from {
            From::Call(call) | From::Guarded { call, .. } => {
                self.test.case.calls[call].op.to_string()
            }
            From::Initial => String::new(),
        };
        Rejection::Unresolvable { operation }
    }

    /// Whether the value need not be written before its only use.
    fn may_wait(&self, value: ValueId, index: usize, op: &Operation, written: &Written) -> bool {
        let [only] = self.flow.values[value.0].uses[..] else { return false };
        let slot = self.value(value).ty;
        let known =
            written.certain
                && !written.parameterized
                && written.expr.ty.erased().is_some_and(|ty| {
                    self.scope.can_name(&ty) && self.scope.is_subtype(&ty, &slot)
                });
        match only {
            Use::Check(check) => {
                let first = self.test.checks.iter().position(|c| c.after == index);
                let direct = first == Some(check);
                direct
                    && match &self.test.checks[check].kind {
                        CheckKind::Holds(_, seen) => is_single(seen),
                        CheckKind::NotNull(_) => true,
                        CheckKind::Same(..) | CheckKind::View(..) => false,
                    }
            }
            Use::Argument { call, position } => {
                let user = &self.test.case.calls[call].op;
                let receiver = position == 0 && user.has_receiver();
                match op.kind {
                    OperationKind::StaticField => known,
                    OperationKind::Array => !receiver,
                    OperationKind::Constructor => {
                        known
                            && !self.scope.is_generic(&op.owner)
                            && !receiver
                            && written.expr.doc.width() <= INLINE_WIDTH
                            && !self.is_outer(call, position)
                    }
                    _ => false,
                }
            }
            Use::Failure | Use::Before => false,
        }
    }

    /// Whether the argument is the outer instance of an inner class's constructor.
    fn is_outer(&self, call: usize, position: usize) -> bool {
        let op = &self.test.case.calls[call].op;
        position == 0
            && op.kind == OperationKind::Constructor
            && self
                .scope
                .classes
                .class(&op.owner)
                .is_some_and(|class| class.outer_instance().is_some())
    }

    /// The call for its effect only.
    fn statement_of(&mut self, written: Written, call: &Call) {
        let statement = self.effect(written, call);
        self.push(statement);
    }

    /// A statement with the effect of the call: reading a field is none by itself.
    fn effect(&mut self, written: Written, call: &Call) -> Doc {
        match call.op.kind {
            OperationKind::StaticField | OperationKind::InstanceField | OperationKind::Array => {
                let ty = written.expr.ty.erased().filter(|ty| self.scope.can_name(ty));
                let ty = ty.unwrap_or_else(Type::object);
                let name = self.names.fresh("unused");
                assignment(vec![type_doc(&ty), Doc::text(format!(" {name}"))], written.expr.doc)
            }
            _ => written.expr.doc,
        }
    }

    fn guarded(&mut self, index: usize, written: Written, call: &Call) -> Result<(), Rejection> {
        let result = self.flow.writes[index].filter(|v| !self.flow.values[v.0].uses.is_empty());
        let inner = match result {
            None => self.effect(written, call),
            Some(value) => {
                let From::Guarded { before, .. } = self.flow.values[value.0].from else {
                    unreachable!("the result of a guarded call is guarded")
                };
                let ty = self.declared_type(value, &written);
                let init = match before {
                    Some(before) => {
                        let before = self.read(before, false)?;
                        call::assigned(self.scope, before, &ty).doc
                    }
                    None => literal(self.scope, &default(&ty))?.doc,
                };
                let variable = self.variable(value, raw(&ty), init);
                let new = converted(self.scope, written, &ty);
                let target = variable.doc.clone();
                self.variables.insert(value, variable);
                self.reassigned.insert(value);
                assignment(vec![target], new.doc)
            }
        };
        let name = self.names.fresh("ignored");
        self.statements.push(Statement::Try {
            body: vec![Statement::Plain(inner)],
            class: ClassName::internal("java/lang/Throwable"),
            name,
            handler: vec![Statement::Comment("the test goes on without this call".to_owned())],
        });
        Ok(())
    }

    fn expect_throw(
        &mut self,
        class: &ClassName,
        written: Written,
        call: &Call,
    ) -> Result<(), Rejection> {
        let class = self.nameable_exception(class)?;
        let (throws, exceptions) = (written.throws, written.exceptions.clone());
        let is_effect = matches!(
            call.op.kind,
            OperationKind::StaticField | OperationKind::InstanceField | OperationKind::Array
        );
        let effect = self.effect(written, call);
        if self.has_assert_throws() {
            let class = Doc::Seq(vec![Doc::Class(class), Doc::text(".class")]);
            let (open, close) = if is_effect { ("() -> { ", "; }") } else { ("() -> ", "") };
            let lambda = Doc::Seq(vec![Doc::text(open), effect, Doc::text(close)]);
            let assertion = self.assertions.assert("assertThrows", vec![class, lambda]);
            self.push(assertion);
            return Ok(());
        }
        if self.can_catch(&class, &exceptions) {
            let caught = |e: &ClassName| self.scope.classes.is_subclass(e, &class);
            if throws == Throws::Throwable || !exceptions.iter().all(caught) {
                self.throws = self.throws.max(throws);
            }
            let message = format!("expected {}", simple_name(&class));
            let fail = self.assertions.assert("fail", vec![Doc::text(format!("\"{message}\""))]);
            let name = self.names.fresh("expected");
            self.statements.push(Statement::Try {
                body: vec![Statement::Plain(effect), Statement::Plain(fail)],
                class,
                name,
                handler: vec![Statement::Comment("expected".to_owned())],
            });
            return Ok(());
        }
        let throwable = ClassName::internal("java/lang/Throwable");
        let thrown = self.names.fresh("thrown");
        let head = vec![Doc::Class(throwable.clone()), Doc::text(format!(" {thrown}"))];
        self.push(assignment(head, Doc::text("null")));
        let name = self.names.fresh("expected");
        let keep = assignment(vec![Doc::text(thrown.clone())], Doc::text(name.clone()));
        self.statements.push(Statement::Try {
            body: vec![Statement::Plain(effect)],
            class: throwable,
            name,
            handler: vec![Statement::Plain(keep)],
        });
        let test = Doc::Seq(vec![Doc::text(format!("{thrown} instanceof ")), Doc::Class(class)]);
        let assertion = self.assertions.assert("assertTrue", vec![test]);
        self.push(assertion);
        Ok(())
    }

    /// Whether `try { call; fail(); } catch (class e)` compiles and catches only the call's
    /// exception: javac refuses to catch a checked exception that nothing declares, and a catch
    /// of `Error` also catches what `fail` throws.
    fn can_catch(&self, class: &ClassName, declared: &[ClassName]) -> bool {
        let is = |sub: &ClassName, sup: &ClassName| self.scope.classes.is_subclass(sub, sup);
        let named = |name: &str| ClassName::internal(name);
        let catches_fail = is(&named("java/lang/AssertionError"), class);
        let thrown = declared.iter().any(|d| is(d, class) || is(class, d));
        !catches_fail && (thrown || !self.scope.classes.is_checked_exception(class))
    }

    /// The exception class, or the nearest superclass the test can name.
    fn nameable_exception(&self, class: &ClassName) -> Result<ClassName, Rejection> {
        let mut name = class.clone();
        while !self.scope.can_name(&Type::Class(name.clone())) {
            name = self.scope.class(&name)?.superclass.clone().ok_or(Rejection::Unnameable {
                ty: Type::Class(class.clone()),
                package: self.scope.package.replace('/', "."),
            })?;
        }
        Ok(name)
    }

    fn checks_after(&mut self, index: usize) -> Result<(), Rejection> {
        let test = self.test;
        for (number, check) in test.checks.iter().enumerate() {
            if check.after != index {
                continue;
            }
            let values = self.flow.checks[number].clone();
            let actual = self.checked(values[0])?;
            let docs = match &check.kind {
                CheckKind::Holds(_, seen) => self.assertions.holds(actual, seen)?,
                CheckKind::NotNull(_) => {
                    vec![self.assertions.assert("assertNotNull", vec![actual.expr.doc])]
                }
                CheckKind::Same(..) => {
                    let other = self.checked(values[1])?;
                    let args = vec![actual.expr.doc, other.expr.doc];
                    vec![self.assertions.assert("assertSame", args)]
                }
                CheckKind::View(_, view, seen) => self.assertions.view(&actual.expr, view, seen)?,
            };
            docs.into_iter().for_each(|doc| self.push(doc));
        }
        Ok(())
    }

    /// A value in an assertion: the call itself if it was kept for that.
    fn checked(&mut self, value: ValueId) -> Result<Actual, Rejection> {
        if self.pending.last().is_some_and(|p| p.value == value) {
            let pending = self.pending.pop().expect("there is a last one");
            self.flush_all()?;
            return Ok(Actual { expr: pending.written.expr, certain: pending.written.certain });
        }
        self.flush_all()?;
        Ok(Actual { expr: self.read(value, false)?, certain: true })
    }

    fn comment_failure(&mut self) {
        if let Some(failure) = &self.test.failure {
            self.statements.push(Statement::Comment(failure.explanation.clone()));
        }
    }

    fn failure(&mut self) -> Result<(), Rejection> {
        let Some(FailureKind::Contract { contract, .. }) = self.unexpected() else {
            return Ok(());
        };
        let mut values = Vec::new();
        for value in self.flow.failure.clone() {
            values.push(self.read(value, false)?);
        }
        self.comment_failure();
        if contract::may_throw(*contract) {
            self.throws = self.throws.max(Throws::Exception);
        }
        let docs = contract::assertions(&mut self.assertions, *contract, &values)?;
        docs.into_iter().for_each(|doc| self.push(doc));
        Ok(())
    }
}

/// What is asked about a value most.
struct Value<'a> {
    ty: Type,
    init: Option<&'a Literal>,
    uses: usize,
}

/// `target = value`, broken after the sign if the value's own first line would be too long.
fn assignment(target: Vec<Doc>, value: Doc) -> Doc {
    let mut doc = target;
    let before: usize = doc.iter().map(Doc::width).sum();
    if before + value.head_width() > HEAD_WIDTH {
        doc.push(Doc::text(" ="));
        doc.push(Doc::Nest(vec![Doc::Line, value]));
        return Doc::Group(doc);
    }
    doc.push(Doc::text(" = "));
    doc.push(value);
    Doc::Seq(doc)
}

/// What a slot of the type holds before anything was put there.
fn default(ty: &Type) -> Literal {
    match ty {
        Type::Primitive(Primitive::Boolean) => Literal::Boolean(false),
        Type::Primitive(p) => Literal::zero(*p),
        _ => Literal::Null,
    }
}

/// What follows the package and outer classes.
pub(crate) fn simple_name(class: &ClassName) -> &str {
    class.local().rsplit('$').find(|part| !part.is_empty()).unwrap_or(class.local())
}

/// How many values the checks spell out.
fn observed_values(test: &UnitTest) -> usize {
    fn count(seen: &Observation) -> usize {
        match seen {
            Observation::Array { elements: Some(elements), .. } => elements.iter().map(count).sum(),
            Observation::Object { views, .. } => views.iter().map(|(_, seen)| count(seen)).sum(),
            _ => 1,
        }
    }
    let each = test.checks.iter().map(|check| match &check.kind {
        CheckKind::Holds(_, seen) | CheckKind::View(_, _, seen) => count(seen),
        CheckKind::NotNull(_) | CheckKind::Same(..) => 1,
    });
    each.sum()
}
