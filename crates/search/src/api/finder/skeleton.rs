//! Detective (requirement G7), the part for interfaces whose implementations are left to users of the
//! library: often it has an abstract class that does most of the work, which a test completes on the
//! spot. Such objects run real code, which neither a mock nor a class with made-up answers does.
//!
//! Invariant: what is wanted here is of the project or a dependency, can be written by a test in the
//! package of the class under test, and leaves few methods to be written.

use model::{Class, Origin, Type, implementable, type_accessible};

use super::Finder;
use crate::api::typed::Typed;

/// Methods that an abstract class may leave to be written.
const MAX_LEFT: usize = 3;
/// Abstract classes wanted for one type.
const MAX_SKELETONS: usize = 2;

impl Finder<'_> {
    /// Wants abstract classes that come closest to being of a type that has no class to instantiate.
    pub(super) fn want_skeletons(&mut self, class: &Class, wanted: &Typed, depth: u32) {
        if !self.extras.detective.writes() || class.origin == Origin::Jdk {
            return;
        }
        let mut found: Vec<(usize, usize, Typed)> = Vec::new();
        for name in self.typing.subtypes(&class.name) {
            let Some(sub) = self.world.class(&name) else { continue };
            let ty = Type::Class(name);
            if sub.is_interface()
                || !sub.access.is_abstract()
                || !type_accessible(self.world, &ty, &self.package)
            {
                continue;
            }
            let Some(left) = implementable(self.world, &sub, &self.package) else { continue };
            let least = self.constructors(&sub).iter().map(Vec::len).min();
            if let (0..=MAX_LEFT, Some(least)) = (left.len(), least)
                && let Some(ty) = self.type_of_subclass(&sub, wanted)
            {
                found.push((left.len(), least, ty));
            }
        }
        found.sort_by_key(|(left, least, _)| (*left, *least));
        found.truncate(MAX_SKELETONS);
        for (_, _, ty) in found {
            let id = self.type_id(&ty);
            self.wanted.push((id, depth));
        }
    }
}
