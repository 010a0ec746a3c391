//! How a test gets at what only the class itself sees: getters.

use super::types::{TypeId, Types};
use crate::java::{Field, JavaModifier, Method, MethodKind, Origin};
use crate::jml::ast::{BinaryOp, ClauseKind, Expr, ExprKind};

impl<'a> Types<'a> {
    /// A method that a test in a package may call and that gives just the field.
    pub fn getter(&self, ty: TypeId, field: &Field, package: &str) -> Option<&'a Method> {
        let declared = &self.all[ty];
        let is_static = self.is_static_field(ty, field);
        declared.decl.methods.iter().find(|method| {
            method.origin == Origin::Java
                && method.kind == MethodKind::Method
                && method.params.is_empty()
                && method.modifiers.has(JavaModifier::Static) == is_static
                && self.is_accessible(ty, &method.modifiers, package)
                && (self.returns(ty, method, &field.name.text)
                    || promises(method, &field.name.text))
        })
    }

    /// Whether the body is `return field;`.
    fn returns(&self, ty: TypeId, method: &Method, field: &str) -> bool {
        let Some(body) = method.body else { return false };
        let body = self.all[ty].source.slice(body);
        let words: String = body.split_whitespace().collect::<Vec<_>>().join(" ");
        let code = words.trim_start_matches('{').trim_end_matches('}').trim();
        let Some(value) = code.strip_prefix("return ").and_then(|c| c.strip_suffix(';')) else {
            return false;
        };
        let value = value.trim();
        value.strip_prefix("this.").unwrap_or(value) == field
    }
}

/// Whether the one case of its specification says that the result is the field.
fn promises(method: &Method, field: &str) -> bool {
    let flat = method.spec.flattened();
    let [case] = flat.as_slice() else { return false };
    case.clauses.iter().any(|clause| match &clause.kind {
        ClauseKind::Ensures(expr) => is_equation(expr, field),
        _ => false,
    })
}

fn is_equation(expr: &Expr, field: &str) -> bool {
    let ExprKind::Binary { op, left, right, .. } = &expr.unwrapped().kind else { return false };
    let is_result = |expr: &Expr| matches!(expr.unwrapped().kind, ExprKind::Result);
    match op {
        BinaryOp::And => is_equation(left, field) || is_equation(right, field),
        BinaryOp::Equal | BinaryOp::Iff => {
            is_result(left) && is_field(right, field) || is_result(right) && is_field(left, field)
        }
        _ => false,
    }
}

fn is_field(expr: &Expr, field: &str) -> bool {
    match &expr.unwrapped().kind {
        ExprKind::Name(name) => name == field,
        ExprKind::Field { target, name } => {
            matches!(target.unwrapped().kind, ExprKind::This) && name.text == field
        }
        _ => false,
    }
}
