//! What arrays hold.
//!
//! Code that takes any number of objects of an interface often wants one of each kind, such as the
//! options of a call; with elements drawn one by one it would hardly ever get them.

use model::{Args, TestCase};

use super::{FeedbackDirected, chance};
use crate::Rng;
use crate::api::TypeId;

/// Chances, in 1000.
const ONE_OF_EACH: u64 = 200;
const OF_A_KIND: u64 = 750;
/// Elements drawn one by one are fewer.
const MAX_ELEMENTS: u64 = 4;
/// Kinds of which there is one.
const MAX_KINDS: usize = 8;

impl FeedbackDirected<'_> {
    /// The elements of an array.
    pub(super) fn elements(
        &self,
        ty: TypeId,
        case: &mut TestCase,
        rng: &mut Rng,
        depth: u32,
    ) -> Option<Args> {
        if self.api.ty(ty).is_reference() && chance(rng, ONE_OF_EACH) {
            let kinds = self.kinds(ty);
            if kinds.len() > 1 {
                return Some(self.one_of_each(kinds, case, rng, depth));
            }
        }
        let count = rng.rand_range(0..MAX_ELEMENTS);
        (0..count).map(|_| self.input(ty, case, rng, depth, true)).collect()
    }

    /// The types that makers of the type promise, each once.
    fn kinds(&self, ty: TypeId) -> Vec<TypeId> {
        let mut kinds: Vec<TypeId> = Vec::new();
        for maker in self.api.makers(ty).iter().filter(|op| !self.avoided[op.0 as usize]) {
            let made = self.api.result(*maker).filter(|made| !kinds.contains(made));
            kinds.extend(made);
        }
        kinds
    }

    /// An object of each kind, of most of them; of many kinds, of some.
    fn one_of_each(
        &self,
        mut kinds: Vec<TypeId>,
        case: &mut TestCase,
        rng: &mut Rng,
        depth: u32,
    ) -> Args {
        while kinds.len() > MAX_KINDS {
            kinds.swap_remove(rng.rand_range(0..kinds.len() as u64) as usize);
        }
        let mut elements = Args::new();
        for kind in kinds {
            if !chance(rng, OF_A_KIND) {
                continue;
            }
            let before = (case.slots.len(), case.calls.len());
            match self.input(kind, case, rng, depth, false) {
                Some(element) => elements.push(element),
                None => {
                    case.slots.truncate(before.0);
                    case.calls.truncate(before.1);
                }
            }
        }
        elements
    }
}
