//! Members that only specifications have: ghost fields become fields, model fields methods that
//! compute them (`jml$model$x`), model methods methods.

use super::clause::ClauseId;
use super::express::{RUN, java_type};
use super::members::own_field;
use super::program::TypeId;
use super::splice::{Blame, Pieces};
use super::weaver::Weaver;
use crate::java::{Field, JavaModifier, Method, Modifiers, Origin, TypeKind};
use crate::jml::ast::{BinaryOp, ClauseKind, Expr, ExprKind, Represents, TypeClauseKind};
use crate::span::Span;

/// The value that a specification gives a method without body: `ensures \result == e`.
pub(super) fn result(method: &Method) -> Option<&Expr> {
    let [case] = method.spec.cases.as_slice() else { return None };
    case.clauses.iter().find_map(|clause| {
        let ClauseKind::Ensures(expr) = &clause.kind else { return None };
        let ExprKind::Binary { op, left, right, .. } = &expr.unwrapped().kind else { return None };
        let is_result = matches!(left.unwrapped().kind, ExprKind::Result);
        (is_result && matches!(op, BinaryOp::Equal | BinaryOp::Iff)).then_some(&**right)
    })
}

impl<'a> Weaver<'_, 'a> {
    /// The members that a type gets because its specification declares or defines them.
    pub fn model_members(&self, ty: TypeId) -> Pieces {
        let spec = &self.program.types[ty].decl.spec;
        let mut pieces = Pieces::new();
        for field in &spec.fields {
            let Some(id) = self.definition(ty, field.name.span) else { continue };
            let made = match field.origin {
                Origin::Model => Ok(self.model_field(ty, field)),
                _ => self.ghost_field(ty, field, id),
            };
            self.member(id, made, &mut pieces);
        }
        for clause in &spec.clauses {
            let TypeClauseKind::Represents(represents) = &clause.kind else { continue };
            let Some(id) = self.definition(ty, clause.span) else { continue };
            let is_static = clause.modifiers.has(JavaModifier::Static);
            self.member(id, self.represents(ty, represents, id, is_static), &mut pieces);
        }
        for method in &spec.methods {
            let Some(id) = self.definition(ty, method.name.span) else { continue };
            self.member(id, self.model_method(ty, method, id), &mut pieces);
        }
        pieces
    }

    fn definition(&self, ty: TypeId, span: Span) -> Option<ClauseId> {
        let id = self.contracts.types[ty].definitions.get(&span).copied()?;
        (!self.is_dropped(id)).then_some(id)
    }

    fn member(&self, id: ClauseId, made: Result<String, String>, pieces: &mut Pieces) {
        match made {
            Ok(text) => drop(pieces.add(text, Some(Blame::Clause(id)))),
            Err(reason) => self.skip(id, reason),
        }
    }

    fn ghost_field(&self, ty: TypeId, field: &'a Field, id: ClauseId) -> Result<String, String> {
        let decl = self.program.types[ty].decl;
        let is_static = field.modifiers.has(JavaModifier::Static);
        if decl.kind == TypeKind::Interface {
            return Err("fields of interfaces cannot be set".to_owned());
        }
        if decl.kind == TypeKind::Record && !is_static {
            return Err("records have no other fields than their components".to_owned());
        }
        let value = match &field.value {
            Some(value) => {
                let mut printer = self.printer(id, self.math());
                let text = printer.narrow(value)?;
                self.needs.take(&printer.needs);
                format!(" = {text}")
            }
            None => String::new(),
        };
        let (head, of) = (modifiers(&field.modifiers), java_type(&field.ty.text));
        Ok(format!("{head}{of} {}{value}; ", field.name.text))
    }

    /// The method of a model field where it is declared; nothing if it is defined there as well.
    fn model_field(&self, ty: TypeId, field: &'a Field) -> String {
        let name = &field.name.text;
        let decl = self.program.types[ty].decl;
        let here = decl.spec.clauses.iter().any(|clause| {
            matches!(&clause.kind, TypeClauseKind::Represents(Represents::Value { target, .. })
                if own_field(target) == Some(name))
        });
        if here || !self.members.represented.contains(name) {
            return String::new();
        }
        let shared = if field.modifiers.has(JavaModifier::Static) { "static " } else { "" };
        let default =
            if self.program.is_interface(ty) && shared.is_empty() { "default " } else { "public " };
        let of = java_type(&field.ty.text);
        format!(
            "{default}{shared}{of} jml$model${name}() {{ \
             throw {RUN}Types.unrepresented(\"{name}\"); }} "
        )
    }

    fn represents(
        &self,
        ty: TypeId,
        represents: &'a Represents,
        id: ClauseId,
        is_static: bool,
    ) -> Result<String, String> {
        let (target, value) = match represents {
            Represents::Value { target, value } => (target, value),
            Represents::SuchThat { .. } => {
                return Err("`\\such_that` gives no value".to_owned());
            }
        };
        let name = own_field(target).ok_or("it represents no field of this type")?;
        let mut at = Some(ty);
        let mut field = None;
        while let (Some(id), None) = (at, field) {
            let types = std::iter::once(id).chain(self.program.ancestors(id).iter().copied());
            field = types
                .flat_map(|one| &self.program.types[one].decl.spec.fields)
                .find(|field| field.name.text == name && field.origin == Origin::Model);
            at = self.program.types[id].outer;
        }
        let field = field.ok_or_else(|| format!("there is no model field `{name}`"))?;
        let mut printer = self.printer(id, self.math());
        let mut text = printer.narrow(value)?;
        self.needs.take(&printer.needs);
        let of = java_type(&field.ty.text);
        if of == "java.math.BigInteger" {
            text = format!("java.math.BigInteger.valueOf({text})");
        }
        let is_static = is_static || field.modifiers.has(JavaModifier::Static);
        let shared = if is_static { "static " } else { "" };
        let default =
            if self.program.is_interface(ty) && !is_static { "default " } else { "public " };
        Ok(format!("{default}{shared}{of} jml$model${name}() {{ return {text}; }} "))
    }

    fn model_method(&self, ty: TypeId, method: &'a Method, id: ClauseId) -> Result<String, String> {
        let body = match (&method.code, result(method)) {
            (Some(code), _) if code.text.contains("\"\"\"") => {
                return Err("text blocks cannot be put on one line".to_owned());
            }
            (Some(code), _) => code.text.clone(),
            (None, Some(value)) => {
                let mut printer = self.printer(id, self.math());
                for param in &method.params {
                    let variable = super::express::Binding::Variable;
                    printer.scope.push((param.name.text.clone(), variable));
                }
                let text = printer.narrow(value)?;
                self.needs.take(&printer.needs);
                format!("{{ return {text}; }}")
            }
            (None, None) => return Err("it has no body".to_owned()),
        };
        let params: Vec<String> = method
            .params
            .iter()
            .map(|param| {
                let dots = if param.varargs { "..." } else { "" };
                format!("{}{dots} {}", java_type(&param.ty.text), param.name.text)
            })
            .collect();
        let is_static = method.modifiers.has(JavaModifier::Static);
        let default = if self.program.is_interface(ty) && !is_static { "default " } else { "" };
        let variables =
            method.type_parameters.as_ref().map_or(String::new(), |text| format!("{} ", text.text));
        let of = method.return_type.as_ref().map_or("void".to_owned(), |ty| java_type(&ty.text));
        let head = modifiers(&method.modifiers);
        let (name, params) = (&method.name.text, params.join(", "));
        Ok(format!("{default}{head}{variables}{of} {name}({params}) {body} "))
    }
}

/// The modifiers of Java's that a woven member keeps.
fn modifiers(modifiers: &Modifiers) -> String {
    let kept = [
        (JavaModifier::Public, "public "),
        (JavaModifier::Protected, "protected "),
        (JavaModifier::Private, "private "),
        (JavaModifier::Static, "static "),
    ];
    kept.iter().filter(|(one, _)| modifiers.has(*one)).map(|(_, word)| *word).collect()
}
