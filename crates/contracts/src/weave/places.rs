//! `assignable`: which places a clause names, and whether a body has to be watched at all.
//!
//! A body that visibly changes only what it may is not watched ([`super::frame`]); any other is
//! compared with a snapshot of all that could be reached before the call.

use std::collections::BTreeSet;

use super::clause::ClauseId;
use super::contract::Body;
use super::express::{Binding, RUN};
use super::frame::{Allowed, stays_within};
use super::members::own_field;
use super::program::TypeId;
use super::splice::{Blame, Pieces};
use super::weaver::{Weaver, java_string};
use crate::java::{JavaModifier, MethodKind};
use crate::jml::ast::{
    Expr, ExprKind, Represents, StoreRef, StoreRefKind, StoreStep, TypeClauseKind,
};

impl<'a> Weaver<'_, 'a> {
    /// Whether a call of a method has to be watched for a clause.
    pub fn needs_frame(&self, id: ClauseId, ty: TypeId, at: usize) -> bool {
        let Body::Assignable(places) = &self.contracts.entry(id).body else { return false };
        let open = |place: &&StoreRef| {
            matches!(
                place.kind,
                StoreRefKind::Everything | StoreRefKind::NotSpecified | StoreRefKind::Informal(_)
            )
        };
        if self.is_dropped(id) || places.iter().any(open) {
            return false;
        }
        if let Err(reason) = self.places(id) {
            self.skip(id, reason);
            return false;
        }
        let method = &self.program.types[ty].decl.methods[at];
        let Some(body) = method.body else { return false };
        let mut allowed = Allowed::default();
        for place in places {
            self.allow(place, &mut allowed);
        }
        allowed.new_object = method.kind != MethodKind::Method;
        let params = self.params(ty, method).iter();
        allowed.locals.extend(params.map(|param| param.name.text.clone()));
        let implied = self.contracts.entry(id).clause.implied;
        match self.tree(ty) {
            Some(tree) => !stays_within(self.program, tree, ty, body, &allowed, implied),
            None => !implied,
        }
    }

    fn allow(&self, place: &StoreRef, allowed: &mut Allowed) {
        if let Some(name) = own_field(place) {
            allowed.fields.insert(name.to_owned());
            allowed.fields.extend(self.group(name));
            return;
        }
        let StoreRefKind::Path { root, steps } = &place.kind else { return };
        match (&root.kind, steps.as_slice()) {
            (ExprKind::This, [StoreStep::AllFields]) => allowed.all_fields = true,
            (ExprKind::Name(name), [StoreStep::AllElements])
            | (
                ExprKind::This,
                [
                    StoreStep::Field(crate::jml::ast::Name { text: name, .. }),
                    StoreStep::AllElements,
                ],
            ) => {
                allowed.elements.insert(name.clone());
            }
            _ => {}
        }
    }

    /// The fields that a model field stands for: those in its data group, and those its value is
    /// made of.
    fn group(&self, name: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut todo = vec![name.to_owned()];
        while let Some(group) = todo.pop() {
            for ty in &self.program.types {
                let spec = &ty.decl.spec;
                for field in ty.decl.fields.iter().chain(&spec.fields) {
                    let named = |place: &StoreRef| own_field(place) == Some(group.as_str());
                    let mapped = |maps: &crate::jml::ast::Maps| maps.groups.iter().any(named);
                    let is_in =
                        field.spec.groups.iter().any(named) || field.spec.maps.iter().any(mapped);
                    if is_in && found.insert(field.name.text.clone()) {
                        todo.push(field.name.text.clone());
                    }
                }
                for clause in &spec.clauses {
                    let TypeClauseKind::Represents(represents) = &clause.kind else { continue };
                    let (target, value) = match represents {
                        Represents::Value { target, value } => (target, value),
                        Represents::SuchThat { target, condition } => (target, condition),
                    };
                    if own_field(target) == Some(group.as_str()) {
                        for name in fields_in(value) {
                            if found.insert(name.clone()) {
                                todo.push(name);
                            }
                        }
                    }
                }
            }
        }
        found
    }

    /// The method that evaluates the places of a clause before a call.
    pub fn places_method(&self, id: ClauseId, head: &str, parameters: &str) -> Pieces {
        let mut pieces = Pieces::new();
        if self.is_dropped(id) {
            return pieces;
        }
        let Ok(text) = self.places(id) else { return pieces };
        pieces.glue(format!(
            "{head}{RUN}Places jml$places{id}({parameters}) {{ try {{ return {text}; }} \
             catch (Throwable jml$t) {{ {RUN}Checks.undefined({id}, jml$t); return null; }} }} "
        ));
        pieces.blaming(Blame::Clause(id))
    }

    fn places(&self, id: ClauseId) -> Result<String, String> {
        let entry = self.contracts.entry(id);
        let Body::Assignable(places) = &entry.body else { return Err("no places".to_owned()) };
        let method = self.method_of(id);
        let is_static = method.is_some_and(|m| m.modifiers.has(JavaModifier::Static));
        let this = if is_static { "null" } else { "this" };
        let mut text = format!("new {RUN}Places()");
        for place in places {
            let StoreRefKind::Path { root, steps } = &place.kind else { continue };
            let mut printer = self.printer(id, self.math());
            if let Some(name) = own_field(place) {
                let is_variable = steps.is_empty()
                    && printer.scope.iter().any(|(known, binding)| {
                        known == name && matches!(binding, Binding::Variable)
                    });
                if !is_variable {
                    text.push_str(&format!(".own({this}, {})", java_string(name)));
                    for member in self.group(name) {
                        text.push_str(&format!(".group({this}, {})", java_string(&member)));
                    }
                }
                continue;
            }
            let Some((last, first)) = steps.split_last() else {
                text.push_str(&match &root.kind {
                    ExprKind::This => format!(".all({this})"),
                    ExprKind::Reach { .. } => format!(".reached({})", printer.narrow(root)?),
                    _ => return Err("it names no place".to_owned()),
                });
                continue;
            };
            if let (ExprKind::Name(class), [], StoreStep::Field(name)) = (&root.kind, first, last)
                && class.starts_with(char::is_uppercase)
            {
                text.push_str(&format!(".shared({})", java_string(&name.text)));
                continue;
            }
            let object = match (&root.kind, first) {
                (ExprKind::Super, []) => "this".to_owned(),
                _ => printer.path(root, first)?,
            };
            text.push_str(&match last {
                StoreStep::Field(name) => {
                    let mut all = format!(".field({object}, {})", java_string(&name.text));
                    for member in self.group(&name.text) {
                        all.push_str(&format!(".group({object}, {})", java_string(&member)));
                    }
                    all
                }
                StoreStep::AllFields => format!(".all({object})"),
                StoreStep::AllElements => format!(".elements({object})"),
                StoreStep::Index(index) => {
                    let index = printer.wide(index)?;
                    format!(".elements({object}, {index}, {index})")
                }
                StoreStep::Range { from, to } => {
                    let from = match from {
                        Some(from) => printer.wide(from)?,
                        None => "0".to_owned(),
                    };
                    let to = match to {
                        Some(to) => printer.wide(to)?,
                        None => "Long.MAX_VALUE".to_owned(),
                    };
                    format!(".elements({object}, {from}, {to})")
                }
            });
        }
        Ok(text)
    }
}

/// The names of fields of `this` that an expression may read.
fn fields_in(expr: &Expr) -> Vec<String> {
    let mut names = Vec::new();
    expr.walk(&mut |part| match &part.kind {
        ExprKind::Name(name) => names.push(name.clone()),
        ExprKind::Field { target, name } if matches!(target.kind, ExprKind::This) => {
            names.push(name.text.clone());
        }
        _ => {}
    });
    names
}
