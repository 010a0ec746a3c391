//! Members that expressions must know of: those that only specifications have, and private fields
//! that specifications elsewhere may read.

use std::collections::{HashMap, HashSet};

use super::program::{Program, TypeId};
use crate::java::{JavaModifier, JmlModifier, Method, Origin};
use crate::jml::ast::{Represents, StoreRef, StoreRefKind, StoreStep, TypeClauseKind};

#[derive(Debug, Default)]
pub(super) struct Members {
    /// The types that declare a model field of a name.
    model_fields: HashMap<String, HashSet<TypeId>>,
    /// Names of model fields that some type computes.
    pub represented: HashSet<String>,
    /// Model methods without anything to execute, by name: their types and parameters.
    without_body: HashMap<String, Vec<(TypeId, usize)>>,
    /// Names of Java's and ghost fields.
    fields: HashSet<String>,
    /// The types with a private field of a name that is public to specifications.
    hidden: HashMap<String, Vec<TypeId>>,
}

/// The simple name of the field that a place is, of `this` or without target.
pub(super) fn own_field(place: &StoreRef) -> Option<&str> {
    use crate::jml::ast::ExprKind::{Name, This};
    let StoreRefKind::Path { root, steps } = &place.kind else { return None };
    match (&root.kind, steps.as_slice()) {
        (Name(name), []) => Some(name),
        (This, [StoreStep::Field(name)]) => Some(&name.text),
        _ => None,
    }
}

impl Members {
    pub fn of(program: &Program<'_>) -> Members {
        let mut members = Members::default();
        for (id, ty) in program.types.iter().enumerate() {
            for field in &ty.decl.fields {
                let name = &field.name.text;
                members.fields.insert(name.clone());
                let spec = field.modifiers.is(JmlModifier::SpecPublic)
                    || field.modifiers.is(JmlModifier::SpecProtected);
                if spec && field.modifiers.has(JavaModifier::Private) {
                    members.hidden.entry(name.clone()).or_default().push(id);
                }
            }
            for component in &ty.decl.components {
                members.fields.insert(component.name.text.clone());
            }
            for field in &ty.decl.spec.fields {
                let name = field.name.text.clone();
                if field.origin == Origin::Model {
                    members.model_fields.entry(name).or_default().insert(id);
                } else {
                    members.fields.insert(name);
                }
            }
            for clause in &ty.decl.spec.clauses {
                if let TypeClauseKind::Represents(Represents::Value { target, .. }) = &clause.kind
                    && let Some(name) = own_field(target)
                {
                    members.represented.insert(name.to_owned());
                }
            }
            for method in &ty.decl.spec.methods {
                if super::model::result(method).is_none() && method.code.is_none() {
                    let all = members.without_body.entry(method.name.text.clone()).or_default();
                    all.push((id, method.params.len()));
                }
            }
        }
        members
    }

    /// Whether a simple name at a type is a model field.
    pub fn has_model_field(&self, program: &Program<'_>, ty: TypeId, name: &str) -> bool {
        let Some(owners) = self.model_fields.get(name) else { return false };
        let mut at = Some(ty);
        while let Some(id) = at {
            if owners.contains(&id) || program.ancestors(id).iter().any(|up| owners.contains(up)) {
                return true;
            }
            at = program.types[id].outer;
        }
        false
    }

    /// Whether a call at a type is one of a model method without anything to execute; `own` if it is
    /// called of this object or without target. Where the type of the target decides, javac is asked:
    /// such methods are not there to be found.
    pub fn lacks_body(
        &self,
        program: &Program<'_>,
        (ty, own): (TypeId, bool),
        name: &str,
        count: usize,
    ) -> bool {
        let Some(all) = self.without_body.get(name) else { return false };
        let lacking = |id: TypeId| all.contains(&(id, count));
        let has = |id: TypeId| {
            let decl = program.types[id].decl;
            let fits = |method: &&Method| {
                method.name.text == name
                    && (method.params.len() == count || method.params.iter().any(|p| p.varargs))
            };
            let of_java = decl.methods.iter().filter(fits).count();
            let of_model = decl.spec.methods.iter().filter(fits).count();
            of_java + of_model > usize::from(lacking(id))
        };
        let with_above = |id: TypeId| {
            let mut found = program.ancestors(id).to_vec();
            found.push(id);
            found
        };
        if own {
            let mut at = Some(ty);
            while let Some(id) = at {
                let here = with_above(id);
                if here.iter().any(|id| lacking(*id)) {
                    return true;
                }
                if here.iter().any(|id| has(*id)) {
                    return false;
                }
                at = program.types[id].outer;
            }
            return false;
        }
        if !all.iter().any(|(_, other)| *other == count) {
            return false;
        }
        // Another of its name beside it would be taken for it.
        let types = 0..program.types.len();
        let beside = |id: TypeId| {
            let here = with_above(id);
            here.iter().any(|id| lacking(*id)) && here.iter().any(|id| has(*id))
        };
        !types.clone().any(has) || types.into_iter().any(beside)
    }

    /// Whether a name is that of model fields and of no others.
    pub fn is_only_model(&self, name: &str) -> bool {
        self.model_fields.contains_key(name) && !self.fields.contains(name)
    }

    /// The supertype with a private field of this name that specifications may read.
    pub fn hidden_above(&self, program: &Program<'_>, ty: TypeId, name: &str) -> Option<TypeId> {
        let owners = self.hidden.get(name)?;
        let has = |id: TypeId| program.types[id].decl.fields.iter().any(|f| f.name.text == name);
        let mut at = Some(ty);
        while let Some(id) = at {
            if has(id) {
                return None;
            }
            if let Some(owner) =
                program.ancestors(id).iter().copied().find(|up| owners.contains(up))
            {
                return Some(owner);
            }
            at = program.types[id].outer;
        }
        None
    }

    /// The same for a field of another object, or of this one.
    pub fn hidden_elsewhere(
        &self,
        program: &Program<'_>,
        ty: TypeId,
        name: &str,
        own: bool,
    ) -> Option<TypeId> {
        if own {
            return self.hidden_above(program, ty, name);
        }
        let [owner] = self.hidden.get(name)?.as_slice() else { return None };
        let declaring = program
            .types
            .iter()
            .filter(|ty| ty.decl.fields.iter().any(|field| field.name.text == name))
            .count();
        let outermost = |mut id: TypeId| {
            while let Some(outer) = program.types[id].outer {
                id = outer;
            }
            id
        };
        (declaring == 1 && outermost(*owner) != outermost(ty)).then_some(*owner)
    }
}
