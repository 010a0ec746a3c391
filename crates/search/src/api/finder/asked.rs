//! Detective (requirement G7), the part for what signatures do not say: a method that takes an
//! `Object` and asks whether it is a list, or an array, is given lists and arrays; one that takes
//! any number of options gets those among them that its code, or code it inherits, looks for.
//!
//! Invariant: what is wanted here can be passed to a member under test, by itself, in an array, or as
//! what a collection holds.

use model::{Hierarchy, OperationKind, Type, type_accessible};

use super::Finder;
use super::detective::MAX_ASKED;
use crate::api::Clues;
use crate::api::literals::literal_types;
use crate::api::typed::Typed;

/// They are as far away as what makes arguments, so that not too much is made for their sake.
const DEPTH: u32 = 1;

impl Finder<'_> {
    /// Wants what the code under test asks objects for.
    pub(in crate::api) fn want_asked(&mut self, clues: &Clues) {
        let mut takes: Vec<Type> = Vec::new();
        for (op, params) in self.api.operations.iter().zip(&self.api.params) {
            if op.kind != OperationKind::StaticField {
                for param in &params[usize::from(op.has_receiver())..] {
                    held(&self.api.types[param.0 as usize], &mut takes);
                }
            }
        }
        let is_wider = |ty: &Type| takes.iter().any(|p| p != ty && self.world.is_subtype(ty, p));
        let is_useful = |ty: &&Type| {
            **ty != Type::object()
                && literal_types().all(|literal| literal != **ty)
                && is_wider(ty)
                && type_accessible(self.world, ty, &self.package)
        };
        let own = clues.tested.iter().chain(&clues.cast).filter(is_useful).take(MAX_ASKED);
        let inherited = clues.inherited.iter().filter(is_useful).take(MAX_ASKED);
        let asked: Vec<Typed> = own.chain(inherited).map(Typed::raw).collect();
        for ty in asked {
            let id = self.type_id(&ty);
            self.wanted.push((id, DEPTH));
        }
    }
}

/// Adds the type, and those of what it holds.
fn held(ty: &Typed, into: &mut Vec<Type>) {
    into.push(ty.erased());
    match ty {
        Typed::Array(element) => held(element, into),
        Typed::Class { args, .. } => args.iter().for_each(|arg| held(arg, into)),
        Typed::Primitive(_) | Typed::Variable(_) => {}
    }
}
