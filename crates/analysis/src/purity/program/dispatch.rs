//! What a virtual call may reach.

use classfile::flags;
use rustc_hash::FxHashSet;

use super::super::ids::method_id;
use super::super::summary::Summary;
use super::{Found, Program, Unit};

impl Program<'_> {
    /// The unit of a virtual call.
    pub(crate) fn dispatch(&mut self, class: u64, signature: u64) -> Option<u32> {
        let key = method_id(class, signature);
        if let Some(unit) = self.virtual_units.get(&key) {
            return Some(*unit);
        }
        let found = self.find(class, signature)?;
        let mut targets = Vec::new();
        let mut is_final = false;
        let mut own = None;
        match found {
            Found::Inside(place, number) => {
                let fixed = flags::FINAL | flags::PRIVATE | flags::STATIC;
                is_final = self.method(place, number).access & fixed != 0
                    || self.places.get(&class).is_some_and(|place| {
                        self.classes[*place as usize].access & flags::FINAL != 0
                    });
                if !self.is_abstract(place, number) {
                    own = Some(self.unit_of(&found, signature));
                    targets.extend(own.map(|own| (own, 1)));
                }
            }
            Found::Outside(declaring) => {
                if let Some((summary, weight)) = self.outside.dispatch(declaring, signature) {
                    if weight > 0 {
                        targets.push((self.add(Unit::Settled, summary), weight));
                    }
                } else {
                    is_final = true;
                    targets.push((self.unit_of(&found, signature), 1));
                }
            }
        }
        if !is_final {
            self.add_overriding(class, signature, &mut targets);
        }
        let functions = self.functions.get(&key).copied().unwrap_or(0);
        if functions as usize > targets.len() {
            // What function objects do is counted where they are made.
            let unit = self.add(Unit::Settled, Summary::function());
            targets = vec![(unit, functions)];
        }
        let unit = match targets[..] {
            [] => self.add(Unit::Settled, Summary::unknown(8)),
            [(only, _)] => only,
            _ => {
                let unit = self.add(Unit::Any(targets.clone(), own), Summary::default());
                self.callees[unit as usize] = targets.iter().map(|target| target.0).collect();
                unit
            }
        };
        self.virtual_units.insert(key, unit);
        Some(unit)
    }

    /// The methods that classes of the program below a class have under a signature.
    pub(super) fn add_overriding(
        &mut self,
        class: u64,
        signature: u64,
        targets: &mut Vec<(u32, u32)>,
    ) {
        let mut below = Vec::new();
        let mut seen = FxHashSet::default();
        let mut pending = vec![class];
        while let Some(parent) = pending.pop() {
            for place in self.children.get(&parent).into_iter().flatten() {
                if seen.insert(*place) {
                    below.push(*place);
                    pending.push(self.classes[*place as usize].id);
                }
            }
        }
        below.sort_unstable();
        let mut known: FxHashSet<u32> = targets.iter().map(|target| target.0).collect();
        for place in below {
            let id = self.classes[place as usize].id;
            let declared = self.methods.get(&method_id(id, signature));
            let is_concrete = self.classes[place as usize].access & flags::ABSTRACT == 0;
            let found = match declared {
                Some(number) if self.is_abstract(place, *number) => continue,
                Some(number) => Some(Found::Inside(place, *number)),
                None if is_concrete => self.find(id, signature),
                None => None,
            };
            // What outside classes have was counted with them.
            if let Some(found @ Found::Inside(place, number)) = found
                && !self.is_abstract(place, number)
            {
                let unit = self.unit_of(&found, signature);
                if known.insert(unit) {
                    targets.push((unit, 1));
                }
            }
        }
    }
}
