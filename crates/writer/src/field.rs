//! Reading and setting a field, such that the field meant is the one javac finds.

use std::sync::Arc;

use model::{Class, ClassName, GenericType, Hierarchy, Operation, OperationKind, Type};

use crate::call::{Argument, Written, as_element, assigned, identifier, no_member};
use crate::doc::Doc;
use crate::generics::{Scope, Static};
use crate::literal::{Binding, Expr};
use crate::rejection::Rejection;

/// `receiver.name`, or `Owner.name`.
pub(crate) fn read(scope: Scope, op: &Operation, args: &[Argument]) -> Result<Written, Rejection> {
    let ty = op.result.as_ref().ok_or_else(|| no_member(op))?;
    let (doc, signature) = place(scope, op, ty, args)?;
    Ok(Written {
        certain: !signature.as_ref().is_some_and(|s| s.trim_start_matches('[').starts_with('T')),
        parameterized: signature.is_some(),
        ..Written::plain(Expr::primary(doc, Static::raw(ty)))
    })
}

/// `receiver.name = value`. Fields of generic types are left alone: whether javac takes the value
/// would be a question of its arguments.
pub(crate) fn set(scope: Scope, op: &Operation, args: &[Argument]) -> Result<Written, Rejection> {
    let ty = op.params.get(1).ok_or_else(|| no_member(op))?;
    let (place, signature) = place(scope, op, ty, args)?;
    if signature.is_some() {
        return Err(no_member(op));
    }
    let value = as_element(ty, assigned(scope, args[1].expr.clone(), ty).doc);
    let doc = Doc::Seq(vec![place, Doc::text(" = "), value]);
    Ok(Written::plain(Expr { doc, binding: Binding::Operator, ty: Static::raw(ty) }))
}

/// How the field is named, and its generic signature.
fn place(
    scope: Scope,
    op: &Operation,
    ty: &Type,
    args: &[Argument],
) -> Result<(Doc, Option<Arc<str>>), Rejection> {
    identifier(&op.name)?;
    let declares = |class: &Arc<Class>| class.field(&op.name).is_some_and(|f| f.ty == *ty);
    let class = scope.classes.supertypes(&op.owner).into_iter().find(declares);
    let class = class.ok_or_else(|| no_member(op))?;
    let field = class.field(&op.name).ok_or_else(|| no_member(op))?;
    let is_static = op.kind == OperationKind::StaticField;
    let may_set = op.kind != OperationKind::SetField || !field.access.is_final();
    if !scope.may_use(&class, field.access) || field.access.is_static() != is_static || !may_set {
        return Err(no_member(op));
    }
    // A field of the same name elsewhere among the supertypes hides this one, or is ambiguous.
    let alone = |start: &ClassName| {
        let mut all = scope.classes.supertypes(start).into_iter();
        start == &class.name || all.all(|c| c.name == class.name || c.field(&op.name).is_none())
    };
    let target = if alone(&op.owner) { &op.owner } else { &class.name };
    let head = if is_static {
        scope.nameable(&Type::Class(target.clone()))?;
        Doc::Class(target.clone())
    } else {
        let receiver = args[0].expr.clone().boxed();
        let plain = match &receiver.ty {
            Static::Of(GenericType::Class { name, .. }) => {
                scope.classes.is_subclass(name, &class.name) && alone(name)
            }
            _ => false,
        };
        if plain {
            receiver.operand()
        } else {
            let target = Type::Class(target.clone());
            scope.nameable(&target)?;
            receiver.cast(&target).operand()
        }
    };
    let doc = Doc::Seq(vec![head, Doc::text(format!(".{}", op.name))]);
    Ok((doc, field.signature.clone()))
}
