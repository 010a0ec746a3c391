//! Impurity (requirement G5): an input is changed before it is used.
//!
//! Values are fuzzed ([`fuzz`](super::fuzz)); on objects a method is called that can change them, as
//! the purity analysis says, with arguments first from the object's own test, then from the pool. Now
//! and then such a call is the whole test, so that the pool has objects that were changed often. An
//! object that was only asked something is not kept as another one.

use model::{Args, Slot, TestCase};

use crate::Rng;
use crate::api::{Api, OpId, TypeId};
use crate::guided::Knowledge;
use crate::random::{FeedbackDirected, chance, pick};

/// Chances, in 1000.
const CHANGE: u64 = 200;
const OWN: u64 = 500;

/// The methods that change objects, by the type of the object.
#[derive(Clone, Debug)]
pub(crate) struct Impurity {
    changing: Vec<Vec<OpId>>,
    /// For each operation whether it leaves its receiver as it is.
    preserving: Vec<bool>,
}

impl Impurity {
    /// By what is known of which operations change their receiver.
    pub(crate) fn new(api: &Api, knowledge: &Knowledge) -> Self {
        let of_type = |ty: TypeId| {
            let takes = |op: &OpId| {
                api.operation(*op).has_receiver() && api.fits(ty).contains(&api.params(*op)[0])
            };
            knowledge.changing.iter().copied().filter(takes).collect()
        };
        let changing = (0..api.type_count() as u32).map(TypeId).map(of_type).collect();
        let preserving = api.operations().map(|op| knowledge.preserving.contains(&op)).collect();
        Self { changing, preserving }
    }

    /// Whether an object is the same after the operation as before: nothing new for the pool.
    pub(crate) fn preserves(&self, op: OpId) -> bool {
        self.preserving[op.0 as usize]
    }

    fn on(&self, ty: TypeId) -> &[OpId] {
        &self.changing[ty.0 as usize]
    }
}

impl FeedbackDirected<'_> {
    /// Now and then has the test change the object in a slot.
    pub(crate) fn vary(
        &self,
        (slot, ty): (Slot, TypeId),
        case: &mut TestCase,
        rng: &mut Rng,
        depth: u32,
    ) {
        let Some(impurity) = &self.guidance.impurity else { return };
        let usable: Vec<OpId> =
            impurity.on(ty).iter().copied().filter(|op| self.may_call(*op)).collect();
        if usable.is_empty() || !chance(rng, CHANGE) {
            return;
        }
        let op = *pick(rng, &usable);
        let mut args = Args::new();
        args.push(slot);
        for param in &self.api.params(op)[1..] {
            let own = if chance(rng, OWN) { self.in_test(*param, case, rng) } else { None };
            match own.or_else(|| self.input(*param, case, rng, depth + 1, true)) {
                Some(arg) => args.push(arg),
                None => return,
            }
        }
        self.api.call(case, op, &args);
    }
}
