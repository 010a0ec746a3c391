//! Calls that throw: expected, guarded, or what a failing test is about.

use model::{Call, ClassName, Expectation, FailureKind, Hierarchy, Literal, Primitive, Type};

use super::{Statement, Writer, assignment, is_value, simple_name};
use crate::Junit;
use crate::call::{self, Throws, Written, converted};
use crate::contract;
use crate::doc::Doc;
use crate::flow::From;
use crate::generics::raw;
use crate::literal::literal;
use crate::rejection::Rejection;

impl<'a> Writer<'a> {
    pub(super) fn guarded(
        &mut self,
        index: usize,
        written: Written,
        call: &Call,
    ) -> Result<(), Rejection> {
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

    pub(super) fn expect_throw(
        &mut self,
        class: &ClassName,
        written: Written,
        call: &Call,
    ) -> Result<(), Rejection> {
        let class = self.nameable_exception(class)?;
        let (throws, exceptions) = (written.throws, written.exceptions.clone());
        let is_effect = is_value(call);
        let effect = self.effect(written, call);
        if self.has_assert_throws() {
            let class = Doc::Seq(vec![Doc::Class(class), Doc::text(".class")]);
            let lambda = lambda(effect, is_effect);
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

    /// Whether the test has nothing to assert but that its last call returns, and the framework
    /// has a way to say so.
    pub(super) fn asserts_nothing_else(&self) -> bool {
        let test = self.test;
        self.options.junit == Junit::Five
            && test.expectation == Expectation::Returns
            && test.checks.is_empty()
            && test.failure.is_none()
            && test.case.calls.last().is_some_and(|call| !call.guarded && !is_value(call))
    }

    pub(super) fn expect_return(&mut self, written: Written, call: &Call) {
        let effect = self.effect(written, call);
        let assertion = self.assertions.assert("assertDoesNotThrow", vec![lambda(effect, false)]);
        self.push(assertion);
    }

    /// Whether `try { call; fail(); } catch (class e)` compiles and catches only the call's
    /// exception: javac refuses to catch a checked exception that nothing declares, and a catch
    /// of `Error` also catches what `fail` throws.
    pub(super) fn can_catch(&self, class: &ClassName, declared: &[ClassName]) -> bool {
        let is = |sub: &ClassName, sup: &ClassName| self.scope.classes.is_subclass(sub, sup);
        let named = |name: &str| ClassName::internal(name);
        let catches_fail = is(&named("java/lang/AssertionError"), class);
        let thrown = declared.iter().any(|d| is(d, class) || is(class, d));
        !catches_fail && (thrown || !self.scope.classes.is_checked_exception(class))
    }

    /// The exception class, or the nearest superclass the test can name.
    pub(super) fn nameable_exception(&self, class: &ClassName) -> Result<ClassName, Rejection> {
        let mut name = class.clone();
        while !self.scope.can_name(&Type::Class(name.clone())) {
            name = self.scope.class(&name)?.superclass.clone().ok_or(Rejection::Unnameable {
                ty: Type::Class(class.clone()),
                package: self.scope.package.replace('/', "."),
            })?;
        }
        Ok(name)
    }

    pub(super) fn comment_failure(&mut self) {
        if let Some(failure) = &self.test.failure {
            self.statements.push(Statement::Comment(failure.explanation.clone()));
        }
    }

    pub(super) fn failure(&mut self) -> Result<(), Rejection> {
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

    pub(super) fn has_assert_throws(&self) -> bool {
        !matches!(self.options.junit, Junit::Four { assert_throws: false })
    }

    /// The failure that the last call shows.
    pub(super) fn unexpected(&self) -> Option<&'a FailureKind> {
        self.test.failure.as_ref().map(|f| &f.kind)
    }
}

fn lambda(body: Doc, is_statement: bool) -> Doc {
    let (open, close) = if is_statement { ("() -> { ", "; }") } else { ("() -> ", "") };
    Doc::Seq(vec![Doc::text(open), body, Doc::text(close)])
}

/// What a slot of the type holds before anything was put there.
fn default(ty: &Type) -> Literal {
    match ty {
        Type::Primitive(Primitive::Boolean) => Literal::Boolean(false),
        Type::Primitive(p) => Literal::zero(*p),
        _ => Literal::Null,
    }
}
