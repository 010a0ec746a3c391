//! Values as variables and literals.

use model::{GenericType, Literal, Type};

use super::{GenericVariable, INLINE_WIDTH, Writer, assignment};
use crate::call::{Written, converted};
use crate::doc::Doc;
use crate::flow::{From, ValueId, has_identity};
use crate::generics::{Static, raw};
use crate::infer::Inference;
use crate::literal::{Expr, generic_doc, literal};
use crate::rejection::Rejection;
use crate::variable::base_name;

/// What is asked about a value most.
pub(super) struct Value<'a> {
    pub(super) ty: Type,
    init: Option<&'a Literal>,
    uses: usize,
}

impl<'a> Writer<'a> {
    /// The value as an expression: a variable or a literal.
    pub(super) fn read(&mut self, value: ValueId, lambda: bool) -> Result<Expr, Rejection> {
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

    pub(super) fn value(&self, value: ValueId) -> Value<'a> {
        let value = &self.flow.values[value.0];
        let decl = &self.test.case.slots[value.slot.index()];
        let init = decl.init.as_ref().filter(|_| value.from == From::Initial);
        Value { ty: decl.ty.clone(), init, uses: value.uses.len() }
    }

    /// Declares a variable with a fresh name for the value.
    pub(super) fn variable(&mut self, value: ValueId, ty: GenericType, init: Doc) -> Expr {
        let name = self.names.fresh(&base_name(self.scope, self.test, &self.flow, value));
        self.push(assignment(vec![generic_doc(&ty), Doc::text(format!(" {name}"))], init));
        Expr::primary(Doc::text(name), Static::Of(ty))
    }

    /// The type a variable for the value is declared with.
    pub(super) fn declared_type(&self, value: ValueId, written: &Written) -> Type {
        let ty = self.value(value).ty;
        if self.scope.can_name(&ty) {
            return ty;
        }
        written.expr.ty.erased().filter(|ty| self.scope.can_name(ty)).unwrap_or_else(Type::object)
    }

    pub(super) fn declare(&mut self, value: ValueId, written: Written) -> Result<(), Rejection> {
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

    pub(super) fn unresolvable(&self, value: ValueId) -> Rejection {
        let operation = match self.flow.values[value.0].from {
            From::Call(call) | From::Guarded { call, .. } => {
                self.test.case.calls[call].op.to_string()
            }
            From::Initial => String::new(),
        };
        Rejection::Unresolvable { operation }
    }
}
