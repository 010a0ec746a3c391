//! Tells stores that fill a cache from others.
//!
//! A field that was just found null or zero, or that holds a map in which something was looked up
//! in vain, is filled by a store or call there: nobody can tell by looking, unless what is stored
//! comes from outside.

use super::super::body::{Def, Laziness, Set};
use super::super::ids::{ELEMENT, field_id};
use super::Extractor;
use crate::machine::{UNKNOWN, Value};

impl Extractor {
    /// The one field that an object comes from.
    pub(super) fn holder(&self, set: Set) -> Option<u32> {
        let mut fields = self.defs(set).map(|def| match def {
            Def::Loaded(field) | Def::Static(field, _) if field != ELEMENT => Some(field),
            _ => None,
        });
        let first = fields.next()??;
        fields.all(|field| field == Some(first)).then_some(first)
    }

    /// Whether a call puts something into a map, say, that was just looked up there in vain. What
    /// is put there under its key must not come from outside.
    pub(super) fn fills_cache(&self, receiver: Set, args: &[Value], facts: &[u32]) -> bool {
        let is_static = self.is_static;
        let from_outside = |def: Def| matches!(def, Def::Param(index, _) if is_static || index > 0);
        self.holder(receiver).is_some_and(|field| facts.contains(&lookup_fact(field)))
            && !args.iter().skip(2).any(|value| self.defs(*value).any(from_outside))
    }

    /// Whether a store to a field fills a cache, given the facts that hold.
    pub(super) fn laziness(&mut self, field: u32, value: Set, facts: &[u32]) -> Laziness {
        if !facts.contains(&field) {
            return Laziness::Eager;
        }
        let is_static = self.is_static;
        let from_outside = |def: Def| matches!(def, Def::Param(index, _) if is_static || index > 0);
        if self.defs(value).any(from_outside) {
            return Laziness::Eager;
        }
        let is_constant = |def: Def| matches!(def, Def::Constant | Def::Zero);
        if value != UNKNOWN && self.defs(value).all(is_constant) {
            return Laziness::Flag;
        }
        self.body.caches = true;
        Laziness::Value
    }
}

/// The fact that a static field is zero, apart from that of an instance field of the same name.
pub(super) fn static_fact(name: &str) -> u32 {
    field_id(name) ^ 0x8000_0000
}

/// The fact that something looked up in what a field holds is null.
pub(super) fn lookup_fact(field: u32) -> u32 {
    field ^ 0x4000_0000
}
