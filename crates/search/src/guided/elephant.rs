//! Elephant brain (requirement G6): objects are remembered by what they are, not by what the method
//! that made them says they are.
//!
//! A method that returns `Object` or an interface returns objects of a class; where the search knows
//! that class, the object joins its pool, and the emitted test has a cast. Asking for the class costs
//! as much as many calls, so an operation whose results never turn out narrower is asked less and
//! less.
//!
//! Where a class is wanted and the pool has objects of it and of its subclasses, the two are drawn in a
//! set ratio ([`EXACT`]), however many ways there are to make either.
//!
//! Off with `--without elephant`. The ratio is [`EXACT`].

use model::{Slot, TestCase};

use crate::api::{Api, OpId, TypeId};
use crate::strategy::Values;

/// Results of an operation that are all asked for their class.
const ALWAYS: u32 = 32;
/// After that, one of so many.
const SOMETIMES: u32 = 16;
/// How often, of a thousand, an object of the very class is drawn. Even, for nobody knows which of the
/// two the code under test treats in a special way; without a ratio the kind that more methods make
/// would crowd out the other.
pub(crate) const EXACT: u64 = 500;

/// What is known of the results of operations.
#[derive(Clone, Debug)]
pub(crate) struct Elephant {
    /// For each operation whether its results may be of a type of their own.
    may_be_narrower: Vec<bool>,
    asked: Vec<u32>,
}

impl Elephant {
    pub(crate) fn new(api: &Api) -> Self {
        let may_be_narrower = api
            .operations()
            .map(|op| {
                let Some(result) = api.result(op) else { return false };
                let narrower = |ty: TypeId| ty != result && api.fits(ty).contains(&result);
                api.ty(result).is_reference()
                    && (0..api.type_count() as u32).map(TypeId).any(narrower)
            })
            .collect();
        Self { may_be_narrower, asked: vec![0; api.operations().count()] }
    }

    /// The narrower type of what the operation put into the slot, if it has one that is known.
    pub(crate) fn exact(
        &mut self,
        api: &Api,
        op: OpId,
        case: &TestCase,
        slot: Slot,
        values: &dyn Values,
    ) -> Option<TypeId> {
        if !self.may_be_narrower[op.0 as usize] {
            return None;
        }
        let asked = &mut self.asked[op.0 as usize];
        *asked = asked.saturating_add(1);
        if *asked > ALWAYS && !asked.is_multiple_of(SOMETIMES) {
            return None;
        }
        let result = api.result(op)?;
        let class = values.class_of(slot)?;
        // Its arguments are those that the operation promises; of others nothing is known.
        let exact = api.narrowed(result, &class)?;
        (class != *case.ty(slot)).then_some(exact)
    }
}
