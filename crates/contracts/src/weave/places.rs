//! `assignable`: which places a clause names, and whether a body has to be watched at all.
//!
//! A body that visibly changes only what it may is not watched ([`super::frame`]); any other is
//! compared with a snapshot of all that could be reached before the call.

use std::collections::BTreeSet;

use super::clause::ClauseId;
use super::contract::Body;
use super::express::{Binding, RUN};
use super::frame::Allowed;
use super::members::own_field;
use super::program::TypeId;
use super::splice::{Blame, Pieces};
use super::weaver::{Weaver, java_string};
use crate::java::{JavaModifier, Method, MethodKind};
use crate::jml::ast::{
    Expr, ExprKind, Maps, Represents, StoreRef, StoreRefKind, StoreStep, TypeClauseKind,
};
use crate::span::Span;

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
        let mut allowed = Allowed { locals: self.locals(ty, at), ..Allowed::default() };
        for place in places {
            self.allow(place, &mut allowed);
        }
        allowed.new_object = method.kind != MethodKind::Method;
        if allowed.new_object && !self.begins_within(ty, method, body, &allowed) {
            self.skip(id, "what runs before the body of this constructor may change anything");
            return false;
        }
        let watched = !self.stays_within(ty, body, &allowed);
        if watched {
            self.watches.set(true);
        }
        watched
    }

    /// Whether what runs before the body of a constructor changes nothing: no snapshot is taken
    /// before.
    fn begins_within(&self, ty: TypeId, method: &Method, body: Span, allowed: &Allowed) -> bool {
        match &method.explicit_call {
            Some(call) if call.this => self.stays_within(ty, call.span, allowed),
            Some(call) => {
                let own = Span::new(body.file, call.span.start, call.span.end);
                self.begins_harmlessly(ty, allowed) && self.stays_within(ty, own, allowed)
            }
            None => self.begins_harmlessly(ty, allowed),
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
            (ExprKind::Name(name), [StoreStep::Field(field)])
                if allowed.locals.contains_key(name) =>
            {
                let of = allowed.of_locals.entry(name.clone()).or_default();
                of.insert(field.text.clone());
                of.extend(self.group(&field.text));
            }
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
                    let is_in = field.spec.groups.iter().any(named);
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

    /// The field that a place is or ends with, if specifications declare it as a set of places.
    fn set_of_places<'s>(&self, place: &'s StoreRef) -> Option<&'s str> {
        let name = match &place.kind {
            StoreRefKind::Path { steps, .. } => match steps.last() {
                Some(StoreStep::Field(name)) => name.text.as_str(),
                _ => own_field(place)?,
            },
            _ => return None,
        };
        let fields = self.program.types.iter().flat_map(|ty| &ty.decl.spec.fields);
        let mut of_name = fields.filter(|field| field.name.text == name);
        of_name.any(|field| field.ty.text.trim().starts_with("\\locset")).then_some(name)
    }

    /// The fields of its own object that a call of a method may change, by a frame that is owed and
    /// checked at every call; `None` if it may change anything else, or nothing is said.
    pub(super) fn own_frame(&self, ty: TypeId, at: usize) -> Option<BTreeSet<String>> {
        let contract = &self.contracts.methods[ty][at];
        let locals = self.locals(ty, at);
        let mut fields = BTreeSet::new();
        // A call that no case is for may still be made, if a declaration above asks nothing.
        let always = contract.cases.iter().any(|case| case.requires.is_empty());
        let overridden = self.program.overridden(ty, &self.program.types[ty].decl.methods[at]);
        if !always && (overridden.compiled || !overridden.declared.is_empty()) {
            return None;
        }
        for case in &contract.cases {
            if case.same || case.requires.iter().any(|id| self.evaluation(*id).is_none()) {
                return None;
            }
            let id = case.assignable?;
            let Body::Assignable(places) = &self.contracts.entry(id).body else { return None };
            if self.is_dropped(id) || case.code || self.places(id).is_err() {
                return None;
            }
            for place in places {
                if matches!(place.kind, StoreRefKind::Nothing) {
                    continue;
                }
                let name = own_field(place).filter(|name| !locals.contains_key(*name))?;
                if !self.mapped(name).is_empty() {
                    return None;
                }
                fields.insert(name.to_owned());
                fields.extend(self.group(name));
            }
        }
        (!contract.cases.is_empty()).then_some(fields)
    }

    /// The places of other objects that a field stands for: `maps part.value \into name`, each with the
    /// type that says it.
    fn mapped(&self, name: &str) -> Vec<(TypeId, &'a StoreRef)> {
        let mut groups = self.group(name);
        groups.insert(name.to_owned());
        let into = |maps: &&'a Maps| {
            maps.groups.iter().any(|group| own_field(group).is_some_and(|g| groups.contains(g)))
        };
        let types = self.program.types.iter().enumerate();
        let found = types.flat_map(|(id, ty)| {
            let fields = ty.decl.fields.iter().chain(&ty.decl.spec.fields);
            let maps = fields.flat_map(|field| &field.spec.maps).filter(into);
            maps.map(move |maps| (id, &maps.member))
        });
        found.collect()
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
        let scope = self.class_literal(entry.ty);
        if let Some(name) = places.iter().find_map(|place| self.set_of_places(place)) {
            return Err(format!("`{name}` is a set of places, which is not computed"));
        }
        let mut text = format!("new {RUN}Places()");
        let mut all: Vec<(&'a StoreRef, Option<TypeId>)> =
            places.iter().map(|place| (*place, None)).collect();
        for place in places {
            let named = own_field(place).into_iter().flat_map(|name| self.mapped(name));
            all.extend(named.map(|(owner, place)| (place, Some(owner))));
        }
        for (place, mapped_by) in all {
            let StoreRefKind::Path { root, steps } = &place.kind else { continue };
            let mut printer = self.printer(id, self.math());
            if let Some(owner) = mapped_by {
                // Parameters are not what stands at the field.
                printer.scope.clear();
                if owner != entry.ty && !self.program.ancestors(entry.ty).contains(&owner) {
                    text.push_str(&held(place, this)?);
                    continue;
                }
            }
            if let Some(name) = own_field(place) {
                let is_variable = steps.is_empty()
                    && printer.scope.iter().any(|(known, binding)| {
                        known == name && matches!(binding, Binding::Variable)
                    });
                if !is_variable {
                    text.push_str(&format!(".own({this}, {scope}, {})", java_string(name)));
                    for member in self.group(name) {
                        let member = java_string(&member);
                        text.push_str(&format!(".group({this}, {scope}, {member})"));
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
            if let Some((class, last)) = of_class(root, steps, &printer.scope) {
                match last {
                    StoreStep::Field(name) => {
                        let name = java_string(&name.text);
                        text.push_str(&format!(".shared({class}.class, {name})"));
                    }
                    _ => text.push_str(&format!(".shared({class}.class)")),
                }
                continue;
            }
            let object = match (&root.kind, first) {
                (ExprKind::Super, []) => "this".to_owned(),
                _ => printer.path(root, first)?,
            };
            text.push_str(&match last {
                StoreStep::Field(name) => {
                    if !self.mapped(&name.text).is_empty() {
                        return Err("`maps` of other objects is not followed".to_owned());
                    }
                    let mut all = format!(".field({object}, {})", java_string(&name.text));
                    for member in self.group(&name.text) {
                        let member = java_string(&member);
                        all.push_str(&format!(".group({object}, null, {member})"));
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

/// A place of what a field of `this` holds, where only a subtype has the field.
fn held(place: &StoreRef, this: &str) -> Result<String, String> {
    let no = || Err("`maps` of a subtype is not followed".to_owned());
    let StoreRefKind::Path { root, steps } = &place.kind else { return no() };
    let (name, last) = match (&root.kind, steps.as_slice()) {
        (ExprKind::Name(name), [last]) => (name, last),
        (ExprKind::This, [StoreStep::Field(name), last]) => (&name.text, last),
        _ => return no(),
    };
    let part = match last {
        StoreStep::Field(part) => java_string(&part.text),
        StoreStep::AllFields | StoreStep::AllElements => "null".to_owned(),
        StoreStep::Index(_) | StoreStep::Range { .. } => return no(),
    };
    Ok(format!(".held({this}, {}, {part})", java_string(name)))
}

/// The class whose static fields a place names, and the step that names them: `a.B.count`, `B.*`.
fn of_class<'s>(
    root: &Expr,
    steps: &'s [StoreStep],
    scope: &[(String, Binding<'_>)],
) -> Option<(String, &'s StoreStep)> {
    let ExprKind::Name(first) = &root.kind else { return None };
    let (last, path) = steps.split_last()?;
    if scope.iter().any(|(known, _)| known == first) {
        return None;
    }
    let mut names = vec![first.as_str()];
    for step in path {
        let StoreStep::Field(name) = step else { return None };
        names.push(&name.text);
    }
    // By the customs of names: packages are small, classes begin large, constants are large.
    let is_class = |name: &str| {
        name.starts_with(char::is_uppercase)
            && (name.len() == 1 || name.contains(char::is_lowercase))
    };
    let class = names.iter().position(|name| is_class(name))?;
    let fits = names[..class].iter().all(|name| name.starts_with(char::is_lowercase))
        && names[class..].iter().all(|name| is_class(name))
        && matches!(last, StoreStep::Field(_) | StoreStep::AllFields);
    fits.then(|| (names.join("."), last))
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
