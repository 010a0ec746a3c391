//! Detective (requirement G7), the part for what signatures do not say: a method that takes an
//! `Object` and asks whether it is a list, or an array, is given lists and arrays.
//!
//! Invariant: what is wanted here can be passed to a member under test.

use model::{Hierarchy, OperationKind, Type, type_accessible};

use super::Finder;
use crate::api::Clues;
use crate::api::literals::literal_types;
use crate::api::typed::Typed;

/// Types that are made because code asks for them.
const MAX_ASKED: usize = 8;
/// They are as far away as what makes arguments, so that not too much is made for their sake.
const DEPTH: u32 = 1;

impl Finder<'_> {
    /// Wants what the code under test asks objects for.
    pub(in crate::api) fn want_asked(&mut self, clues: &Clues) {
        let takes: Vec<Type> = self
            .api
            .operations
            .iter()
            .filter(|op| op.kind != OperationKind::StaticField)
            .flat_map(|op| op.arguments().iter().cloned())
            .collect();
        let is_wider = |ty: &Type| takes.iter().any(|p| p != ty && self.world.is_subtype(ty, p));
        let all = clues.tested.iter().chain(&clues.cast);
        let asked: Vec<Typed> = all
            .filter(|ty| {
                **ty != Type::object()
                    && literal_types().all(|literal| literal != **ty)
                    && is_wider(ty)
                    && type_accessible(self.world, ty, &self.package)
            })
            .take(MAX_ASKED)
            .map(Typed::raw)
            .collect();
        for ty in asked {
            let id = self.type_id(&ty);
            self.wanted.push((id, DEPTH));
        }
    }
}
