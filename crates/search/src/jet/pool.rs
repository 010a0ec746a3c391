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

    /// An object that can be used as the type.
    pub(super) fn pick(&self, api: &Api, ty: TypeId, rng: &mut Rng) -> Option<&Arc<Object>> {
        let of_types: Vec<&Vec<Arc<Object>>> = self.fitting(api, ty).collect();
        let mut left = of_types.iter().map(|objects| objects.len()).sum::<usize>() as u64;
        if left == 0 {
            return None;
        }
        left = rng.rand_range(0..left);
        for objects in of_types {
            match objects.get(left as usize) {
                Some(object) => return Some(object),
                None => left -= objects.len() as u64,
            }
        }
        None
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

    fn fitting<'p>(&'p self, api: &Api, ty: TypeId) -> impl Iterator<Item = &'p Vec<Arc<Object>>> {
        let all = (0..).map(TypeId).zip(&self.objects);
        let fitting =
            all.filter(|(of, objects)| !objects.is_empty() && api.fits(*of).contains(&ty));
        fitting.map(|(_, objects)| objects).collect::<Vec<_>>().into_iter()
    }
}
