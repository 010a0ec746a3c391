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

#[cfg(test)]
mod tests {
    use crate::weave::{NoSupertypes, Options, weave};

    /// What is told of the first method of a class: that it is pure, that its result is new, what it may
    /// change.
    fn check(contract: &str, method: &str, expected: (bool, bool, Option<bool>)) {
        let text = format!("class C {{ int n; {contract}\n {method} }}");
        let (source, diagnostics) = crate::parse("C.java", &text);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let sources = [source];
        let weaving = weave(&sources, &NoSupertypes, &Options::default());
        let told = weaving.methods.first().expect("a method with a contract");
        assert_eq!((told.pure, told.fresh_result, told.assigns), expected, "{contract}");
    }

    #[test]
    fn places_of_all_cases_tell_what_is_changed() {
        let add = "void add(int a) { n += a; }";
        check("//@ requires a > 0; assignable n;", add, (false, false, Some(true)));
        check("//@ requires a > 0; assignable \\nothing;", add, (false, false, Some(false)));
        check("//@ requires a > 0;", add, (false, false, None));
        let one_of_two = "/*@ requires a > 0; assignable \\nothing; also requires a < 0; @*/";
        check(one_of_two, add, (false, false, None));
    }

    #[test]
    fn a_new_result_is_told() {
        let of = "static C of(int a) { return new C(); }";
        check("//@ ensures \\result != null && \\fresh(\\result);", of, (false, true, None));
        check("//@ ensures \\result != null;", of, (false, false, None));
        check("//@ pure", of, (true, false, None));
    }
}
