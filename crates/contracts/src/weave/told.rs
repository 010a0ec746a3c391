//! What contracts say of methods beyond what is checked: it helps whoever builds objects by calls.

use super::contract::{Body, Case};
use super::program::TypeId;
use super::weaver::Weaver;
use crate::jml::ast::{Expr, ExprKind, StoreRefKind};

impl Weaver<'_, '_> {
    /// Whether a postcondition says that the result of a method is a new object.
    pub fn has_fresh_result(&self, ty: TypeId, at: usize) -> bool {
        let mut ensured = self.cases_of(ty, at).into_iter().flat_map(|case| &case.ensures);
        ensured.any(|id| match &self.contracts.entry(*id).body {
            Body::Condition(condition) => says_fresh(condition),
            _ => false,
        })
    }

    /// Whether a method may change what was there before; `None` if that is not said for all cases.
    pub fn assigns(&self, ty: TypeId, at: usize) -> Option<bool> {
        let cases = self.cases_of(ty, at);
        let mut named = cases.iter().filter_map(|case| case.assignable);
        let changes = named.any(|id| match &self.contracts.entry(id).body {
            Body::Assignable(places) => {
                places.iter().any(|place| !matches!(place.kind, StoreRefKind::Nothing))
            }
            _ => false,
        });
        let is_said = !cases.is_empty() && cases.iter().all(|case| case.assignable.is_some());
        (changes || is_said).then_some(changes)
    }

    /// The cases of a method's own specification and of those it inherits.
    fn cases_of(&self, ty: TypeId, at: usize) -> Vec<&Case> {
        let method = &self.program.types[ty].decl.methods[at];
        let mut declared = vec![(ty, at)];
        declared.extend(self.program.overridden(ty, method).declared);
        declared.into_iter().flat_map(|(ty, at)| &self.contracts.methods[ty][at].cases).collect()
    }
}

fn says_fresh(condition: &Expr) -> bool {
    let mut says = false;
    condition.walk(&mut |part| {
        if let ExprKind::Fresh(all) = &part.kind {
            says |= all.iter().any(|one| matches!(one.unwrapped().kind, ExprKind::Result));
        }
    });
    says
}
