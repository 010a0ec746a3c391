//! Values that can be used as inputs, each as the test case that builds it.
//!
//! Values are kept apart by the call that made them what they are, and drawn evenly over those calls:
//! otherwise the balances of a thousand new accounts, all zero, would crowd out every other amount,
//! and accounts that were closed, which nothing opens again, those that are open.
//!
//! Objects of just the wanted class are kept apart from those of its subclasses too, if there is a
//! ratio to draw them in ([`EXACT`](crate::guided::elephant::EXACT)); else the two are one.

use std::cell::{Cell, LazyCell};
use std::sync::Arc;

use model::{Literal, Operation, Slot, TestCase, Type};
use rustc_hash::FxHashSet;

use crate::Rng;
use crate::api::{Api, OpId, TypeId};
use crate::contracts::Built;
use crate::random::{chance, pick};

/// A value: the slot of a test case that ran without exception.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) case: Arc<TestCase>,
    pub(crate) slot: Slot,
    /// Its type, which may be narrower than the one it is found by.
    pub(crate) ty: TypeId,
    /// What running it takes, in steps.
    pub(crate) cost: u32,
    /// How often it was used.
    pub(crate) selections: Cell<u32>,
}

impl Entry {
    /// A value that was not used yet.
    pub(crate) fn new(case: Arc<TestCase>, slot: Slot, ty: TypeId, cost: u32) -> Self {
        Self { case, slot, ty, cost, selections: Cell::new(0) }
    }
}

/// Entries kept for one type and call; past that, one new one in so many takes the place of an old
/// one: forgetting one costs as much as several calls.
const MAX_PER_CALL: usize = 80;
const ONE_IN: usize = 4;
/// Objects made for other calls that are looked for.
const MAX_ON_THE_SPOT: usize = 400;
/// Primitive values met on the way that are kept for one type.
const MAX_MET: usize = 64;

/// Values by the operation of the last call on them.
type Groups = Vec<(OpId, Vec<Entry>)>;

/// The objects that can be used as one type.
#[derive(Clone, Default, Debug)]
struct Objects {
    /// Those of its very class; all of them if there is no ratio.
    exact: Groups,
    /// Those of subclasses.
    narrower: Groups,
}

impl Objects {
    fn groups(&self) -> impl Iterator<Item = &(OpId, Vec<Entry>)> {
        self.exact.iter().chain(&self.narrower)
    }
}

/// Built objects and met values, by the types they can be used as (requirement Q12: bounded).
#[derive(Debug)]
pub(crate) struct Pool {
    objects: Vec<Objects>,
    met: Vec<Vec<(Type, Literal)>>,
    /// How often, of a thousand, an object of the very class is drawn where there are both.
    exact: Option<u64>,
}

impl Pool {
    /// An empty pool, with the ratio of exact matches in a thousand if there is one.
    pub(crate) fn new(api: &Api, exact: Option<u64>) -> Self {
        let (objects, met) =
            (vec![Objects::default(); api.type_count()], vec![Vec::new(); api.type_count()]);
        Self { objects, met, exact }
    }

    /// Adds a value of the type that a call of `op` made what it is, unless there are enough of them.
    pub(crate) fn add(
        &mut self,
        api: &Api,
        (op, ty): (OpId, TypeId),
        entry: impl FnOnce() -> Entry,
        rng: &mut Rng,
    ) {
        let (op, entry) = (api.first(op), LazyCell::new(entry));
        let victim = rng.rand_range(0..(MAX_PER_CALL * ONE_IN) as u64) as usize;
        for as_type in api.fits(ty) {
            let objects = &mut self.objects[as_type.0 as usize];
            let is_exact = self.exact.is_none() || api.ty(ty) == api.ty(*as_type);
            let groups = if is_exact { &mut objects.exact } else { &mut objects.narrower };
            let at = groups.iter().position(|(of, _)| *of == op).unwrap_or_else(|| {
                groups.push((op, Vec::new()));
                groups.len() - 1
            });
            let entries = &mut groups[at].1;
            if entries.len() < MAX_PER_CALL {
                entries.push(entry.clone());
            } else if let Some(victim) = entries.get_mut(victim) {
                *victim = entry.clone();
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
        for groups in self.objects.iter_mut().flat_map(|of| [&mut of.exact, &mut of.narrower]) {
            for (_, entries) in groups.iter_mut() {
                entries.retain(|entry| !entry.case.calls.iter().any(|call| call.op == *op));
            }
            groups.retain(|(_, entries)| !entries.is_empty());
        }
    }

    /// Objects that can be used as this type, one of each operation by turns, spread over those of
    /// the operation.
    pub(crate) fn spread(&self, ty: TypeId, limit: usize) -> impl Iterator<Item = &Entry> {
        let objects = &self.objects[ty.0 as usize];
        let each = limit.div_ceil(objects.groups().count().max(1));
        let turns = (0..each).flat_map(move |turn| {
            objects.groups().filter_map(move |(_, entries)| {
                let step = entries.len().div_ceil(each).max(1);
                entries.get(turn * step)
            })
        });
        turns.take(limit)
    }

    /// Objects that can be used as this type and were made by the same operation, which is drawn; of
    /// its very class or of subclasses in the ratio that was given.
    pub(crate) fn group(&self, ty: TypeId, rng: &mut Rng) -> Option<&[Entry]> {
        let Objects { exact, narrower } = &self.objects[ty.0 as usize];
        let groups = match self.exact {
            _ if narrower.is_empty() => exact,
            Some(share) if !exact.is_empty() && chance(rng, share) => exact,
            _ => narrower,
        };
        (!groups.is_empty()).then(|| &pick(rng, groups).1[..])
    }

    /// Objects of this type that tests of the pool made for other calls, each different one once, by
    /// just the calls that it takes.
    pub(crate) fn made_on_the_spot(&self, api: &Api, ty: TypeId) -> Vec<Built> {
        let mut found: Vec<Built> = Vec::new();
        let mut seen = FxHashSet::default();
        let groups = self.objects.iter().flat_map(Objects::groups);
        for entry in groups.flat_map(|(_, entries)| entries) {
            for (at, call) in entry.case.calls.iter().enumerate() {
                let Some(slot) = call.result else { continue };
                let made = api.type_made(call, entry.case.ty(slot));
                if !made.is_some_and(|made| api.fits(made).contains(&ty)) {
                    continue;
                }
                let (case, slot) = making(&entry.case, at, slot);
                if seen.insert(case.clone()) {
                    found.push((Arc::new(case), slot));
                }
                if found.len() == MAX_ON_THE_SPOT {
                    return found;
                }
            }
        }
        found
    }

    /// Values met of this type.
    pub(crate) fn met(&self, ty: TypeId) -> &[(Type, Literal)] {
        &self.met[ty.0 as usize]
    }
}

/// The calls that the result of call `at` takes, and its slot among them.
fn making(case: &TestCase, at: usize, slot: Slot) -> (TestCase, Slot) {
    let mut needed = vec![slot];
    let mut calls = Vec::new();
    for call in case.calls[..=at].iter().rev() {
        if call.result.is_some_and(|result| needed.contains(&result)) {
            needed.extend(&call.args);
            calls.push(call.clone());
        }
    }
    calls.reverse();
    let mut case = TestCase { slots: case.slots.clone(), calls };
    let renamed = case.compact(&[slot]);
    (case, renamed[slot.index()].expect("a slot that was kept"))
}

#[cfg(test)]
mod tests {
    use model::{ClassName, OperationKind};

    use super::*;
    use crate::testing::machine::Value;
    use crate::testing::world::{World, class};
    use crate::testing::{api, case, op, told};

    #[test]
    fn an_object_is_made_by_just_the_calls_that_it_takes() {
        let boxed = class("a/Box")
            .method("wrap(La/Box;)La/Box;", |_, args| Ok(args[1].clone()))
            .method("rests()V", |_, _| Ok(Value::Null));
        let world = World::of([boxed]);
        let mut all = case(&world, "a/Box", &["rests"]);
        let first = all.calls[0].result.unwrap();
        let second = all.call(&op(&world, "a/Box", "<init>"), &[]).unwrap();
        let unrelated = all.call(&op(&world, "a/Box", "<init>"), &[]).unwrap();
        let wrapped = all.call(&op(&world, "a/Box", "wrap"), &[first, second]).unwrap();
        all.call(&op(&world, "a/Box", "rests"), &[unrelated]);
        let (made, slot) = making(&all, 4, wrapped);
        assert_eq!(told(&made), ["<init>", "<init>", "wrap"]);
        assert_eq!(made.calls[2].result, Some(slot));
        made.check(&world).expect("a well-formed test");
    }

    /// How many of a thousand shapes that are drawn are no squares, which are made in three ways.
    fn plain_shapes(exact: Option<u64>) -> u32 {
        let mut square = class("a/Square")
            .constructor("(I)V", |_, _| Ok(Value::Null))
            .constructor("(II)V", |_, _| Ok(Value::Null));
        square.class.superclass = Some(ClassName::internal("a/Shape"));
        let takes = class("a/Taker").method("take(La/Shape;La/Square;)V", |_, _| Ok(Value::Null));
        let world = World::of([class("a/Shape"), square, takes]);
        let api = api(&world, "a/Taker");
        let (mut pool, mut rng) = (Pool::new(&api, exact), Rng::new(7));
        let case = Arc::new(case(&world, "a/Taker", &["<init>"]));
        let slot = case.calls[0].result.expect("an object");
        for op in api.operations() {
            let made =
                api.result(op).filter(|_| api.operation(op).kind == OperationKind::Constructor);
            if let Some(ty) = made {
                pool.add(&api, (op, ty), || Entry::new(case.clone(), slot, ty, 1), &mut rng);
            }
        }
        let shape = api.type_id(&Type::class("a/Shape")).expect("a type");
        let drawn = (0..1000).map(|_| pool.group(shape, &mut rng).expect("objects")[0].ty);
        drawn.filter(|ty| *ty == shape).count() as u32
    }

    #[test]
    fn objects_of_the_very_class_are_drawn_in_a_ratio_however_few_make_them() {
        let evenly = plain_shapes(None);
        assert!((200..300).contains(&evenly), "one of four ways: {evenly}");
        let often = plain_shapes(Some(800));
        assert!((750..850).contains(&often), "{often}");
    }
}
