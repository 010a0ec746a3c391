//! Which fields a method reads and writes, itself or by what it calls within the program.
//!
//! A search calls what changes the fields that a method reads before it calls that method. So this follows calls between
//! the analysed classes only, a few steps deep: what is farther away says little.

use std::collections::BTreeSet;

use model::ClassName;
use rustc_hash::FxHashSet;

use super::ids::{class_id, signature_id};
use super::program::{Known, Unit};
use super::{FieldName, Purity};

/// Calls are followed so deep.
const MAX_DEPTH: usize = 6;
/// So many methods are looked at for one question.
const MAX_METHODS: usize = 400;
/// Virtual calls that may reach more methods than this are not followed.
const MAX_TARGETS: usize = 8;

/// A field, by the class that declares it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FieldRef {
    /// The class.
    pub class: ClassName,
    /// The name.
    pub name: Box<str>,
}

/// The fields that a method may read and write.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FieldAccess {
    /// Fields read, of any object or class.
    pub reads: BTreeSet<FieldRef>,
    /// Fields written.
    pub writes: BTreeSet<FieldRef>,
}

impl FieldAccess {
    /// Whether the other method may change what this one reads.
    pub fn depends_on(&self, other: &Self) -> bool {
        self.reads.intersection(&other.writes).next().is_some()
    }
}

impl Purity<'_> {
    /// The fields of analysed classes that a method may read and write; `None` if there is no such
    /// method among the analysed classes.
    pub fn field_access(
        &self,
        class: &ClassName,
        name: &str,
        descriptor: &str,
    ) -> Option<FieldAccess> {
        let found =
            self.program.known(class_id(class.as_internal()), signature_id(name, descriptor));
        let Some(Known::Inside { unit, .. }) = found else { return None };
        let mut access = FieldAccess::default();
        let mut level = vec![unit];
        let mut seen: FxHashSet<u32> = FxHashSet::from_iter([unit]);
        for _ in 0..MAX_DEPTH {
            let mut next = Vec::new();
            for unit in level {
                self.collect(unit, &mut access);
                for callee in self.callees(unit) {
                    if seen.len() < MAX_METHODS && seen.insert(callee) {
                        next.push(callee);
                    }
                }
            }
            level = next;
        }
        Some(access)
    }

    /// The methods that a unit calls, few enough to tell something.
    fn callees(&self, unit: u32) -> Vec<u32> {
        let mut methods = Vec::new();
        for callee in &self.program.callees[unit as usize] {
            match &self.program.units[*callee as usize] {
                Unit::Method(..) => methods.push(*callee),
                Unit::Any(targets, _) if targets.len() <= MAX_TARGETS => {
                    methods.extend(targets.iter().map(|target| target.0));
                }
                Unit::Any(..) | Unit::Settled => {}
            }
        }
        methods
    }

    fn collect(&self, unit: u32, access: &mut FieldAccess) {
        let Unit::Method(place, number) = self.program.units[unit as usize] else { return };
        let Some(body) = &self.program.method(place, number).body else { return };
        access.reads.extend(body.reads.iter().filter_map(|field| self.declaration(field)));
        access.writes.extend(body.writes.iter().filter_map(|field| self.declaration(field)));
    }

    /// The analysed class that declares a field which code names.
    fn declaration(&self, (class, name): &FieldName) -> Option<FieldRef> {
        let mut pending = vec![class_id(class)];
        let mut seen = FxHashSet::default();
        while let Some(class) = pending.pop() {
            let Some(place) = self.program.place(class).filter(|place| seen.insert(*place)) else {
                continue;
            };
            let code = &self.program.classes[place as usize];
            if code.fields.contains(name) {
                let class = self.names[place as usize].clone();
                return Some(FieldRef { class, name: name.clone() });
            }
            pending.extend(&code.parents);
        }
        None
    }
}
