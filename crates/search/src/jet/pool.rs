//! Objects that were built and can be built upon (requirement J10; section III-C.3 of the paper).
//!
//! They are kept as the calls that build them. Once there is no room, a new one takes the place of
//! one that is drawn: objects that took many calls are made of older ones, which may go.

use std::sync::Arc;

use super::object::Object;
use crate::Rng;
use crate::api::{Api, TypeId};

/// The pool.
#[derive(Debug)]
pub(super) struct ObjectPool {
    /// By their types.
    objects: Vec<Vec<Arc<Object>>>,
    /// Objects of one type.
    room: usize,
}

impl ObjectPool {
    pub(super) fn new(api: &Api, room: usize) -> Self {
        Self { objects: vec![Vec::new(); api.type_count()], room }
    }

    /// Adds an object.
    pub(super) fn add(&mut self, object: Arc<Object>, rng: &mut Rng) {
        let objects = &mut self.objects[object.ty.0 as usize];
        if objects.len() < self.room {
            objects.push(object);
        } else if self.room > 0 {
            let victim = rng.rand_range(0..self.room as u64) as usize;
            objects[victim] = object;
        }
    }

    /// How full it is of objects of the type, in a thousand.
    pub(super) fn share_of_room(&self, ty: TypeId) -> u64 {
        (1000 * self.objects[ty.0 as usize].len()).checked_div(self.room).unwrap_or(0) as u64
    }

    /// An object that can be used as the type: of two that are drawn the one that takes fewer calls,
    /// because they are made again each time.
    pub(super) fn pick(&self, api: &Api, ty: TypeId, rng: &mut Rng) -> Option<&Arc<Object>> {
        let all: usize = self.fitting(api, ty).map(|objects| objects.len()).sum();
        if all == 0 {
            return None;
        }
        let mut draw = || {
            let place = rng.rand_range(0..all as u64) as usize;
            self.fitting(api, ty).flatten().nth(place)
        };
        let (one, other) = (draw()?, draw()?);
        Some(if other.case.calls.len() < one.case.calls.len() { other } else { one })
    }

    /// Objects that can be used as the type, at most `limit`.
    pub(super) fn some(&self, api: &Api, ty: TypeId, limit: usize) -> Vec<Arc<Object>> {
        self.fitting(api, ty).flatten().take(limit).cloned().collect()
    }

    /// Forgets objects for which this does not hold.
    pub(super) fn retain(&mut self, holds: impl Fn(&Object) -> bool) {
        for objects in &mut self.objects {
            objects.retain(|object| holds(object));
        }
    }

    fn fitting(&self, api: &Api, ty: TypeId) -> impl Iterator<Item = &Vec<Arc<Object>>> {
        let all = (0..).map(TypeId).zip(&self.objects);
        let fits = move |(of, objects): &(TypeId, &Vec<Arc<Object>>)| {
            !objects.is_empty() && api.fits(*of).contains(&ty)
        };
        all.filter(fits).map(|(_, objects)| objects)
    }
}
