//! Values that can be used as inputs, each as the test case that builds it.

use std::sync::Arc;

use model::{Literal, Operation, Slot, TestCase, Type};

use crate::Rng;
use crate::api::{Api, TypeId};

/// A value: the slot of a test case that ran without exception.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) case: Arc<TestCase>,
    pub(crate) slot: Slot,
}

/// Entries kept for one type; past that, a new one takes the place of an old one.
const MAX_PER_TYPE: usize = 400;
/// Primitive values met on the way that are kept for one type.
const MAX_MET: usize = 64;

/// Built objects and met values, by the types they can be used as (requirement Q12: bounded).
#[derive(Debug)]
pub(crate) struct Pool {
    entries: Vec<Vec<Entry>>,
    met: Vec<Vec<(Type, Literal)>>,
}

impl Pool {
    pub(crate) fn new(api: &Api) -> Self {
        Self {
            entries: vec![Vec::new(); api.type_count()],
            met: vec![Vec::new(); api.type_count()],
        }
    }

    /// Adds a value of the given type.
    pub(crate) fn add(
        &mut self,
        api: &Api,
        ty: TypeId,
        case: &Arc<TestCase>,
        slot: Slot,
        rng: &mut Rng,
    ) {
        for as_type in api.fits(ty) {
            let entries = &mut self.entries[as_type.0 as usize];
            let entry = Entry { case: case.clone(), slot };
            if entries.len() < MAX_PER_TYPE {
                entries.push(entry);
            } else {
                let victim = rng.rand_range(0..MAX_PER_TYPE as u64) as usize;
                entries[victim] = entry;
            }
        }
    }

    /// Remembers a primitive value that a call returned.
    pub(crate) fn meet(&mut self, ty: TypeId, of: &Type, value: Literal, rng: &mut Rng) {
        let met = &mut self.met[ty.0 as usize];
        if met.iter().any(|(_, known)| *known == value) {
            return;
        }
        if met.len() < MAX_MET {
            met.push((of.clone(), value));
        } else {
            let victim = rng.rand_range(0..MAX_MET as u64) as usize;
            met[victim] = (of.clone(), value);
        }
    }

    /// Forgets every object that the operation had a part in.
    pub(crate) fn purge(&mut self, op: &Arc<Operation>) {
        for entries in &mut self.entries {
            entries.retain(|entry| !entry.case.calls.iter().any(|call| call.op == *op));
        }
    }

    /// Objects that can be used as this type.
    pub(crate) fn entries(&self, ty: TypeId) -> &[Entry] {
        &self.entries[ty.0 as usize]
    }

    /// Values met of this type.
    pub(crate) fn met(&self, ty: TypeId) -> &[(Type, Literal)] {
        &self.met[ty.0 as usize]
    }
}
