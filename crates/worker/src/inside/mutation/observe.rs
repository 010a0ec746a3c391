//! Runs tests as they are and measures which lines each comes to.

use std::collections::BTreeMap;
use std::time::Duration;

use classfile::ClassFile;
use instrument::{Base, Entered, Plan};

use super::bench::Bench;
use crate::inside::hook;
use crate::mutation::suite::{Observed, Place};
use crate::setup::MUTATION_MAP_SIZE;

/// The classes whose coverage is measured.
#[derive(Default)]
pub(super) struct Measured {
    plans: Vec<(Plan, Base)>,
    /// Of each probe the position of its place.
    meanings: Vec<u32>,
    places: Vec<Place>,
    hits: Vec<u8>,
}

impl Measured {
    /// Has the classes given, by their bytes, measured when they load. Those that cannot be are left
    /// out, and those for which there is no room.
    pub(super) fn place(classes: impl Iterator<Item = (u32, Vec<u8>)>) -> Self {
        let mut measured = Self::default();
        for (class, bytes) in classes {
            let parsed = ClassFile::parse(&bytes).ok();
            let placed = parsed.and_then(|class| instrument::place_entered(&class).ok());
            let Some((plan, meanings)) = placed else { continue };
            let probe = measured.meanings.len() as u32;
            if probe + plan.probes.len() as u32 > MUTATION_MAP_SIZE {
                continue;
            }
            let mut known: BTreeMap<Entered, u32> = BTreeMap::new();
            for entered in meanings {
                let next = measured.places.len() as u32;
                let position = *known.entry(entered).or_insert(next);
                if position == next {
                    let Entered { method, line } = entered;
                    let line = line.unwrap_or_default();
                    measured.places.push(Place { class, method, line });
                }
                measured.meanings.push(position);
            }
            measured.plans.push((plan, Base { probe, comparison: 0 }));
        }
        measured.hits = vec![0; measured.meanings.len()];
        hook::set_targets(&measured.plans);
        measured
    }

    /// The places, by position.
    pub(super) fn places(&self) -> Vec<Place> {
        self.places.clone()
    }

    /// Runs a test of that id.
    pub(super) fn observe(&mut self, bench: &Bench<'_>, id: &str, limit: Duration) -> Observed {
        bench.meter.clear_coverage(self.hits.len());
        let run = bench.run(id, i32::MAX, limit);
        bench.meter.read_coverage(&mut self.hits);
        let millis = u32::try_from(run.time.as_millis()).unwrap_or(u32::MAX);
        Observed { end: run.end, steps: run.steps, millis, places: self.covered() }
    }

    fn covered(&self) -> Vec<u32> {
        let hit = self.hits.iter().zip(&self.meanings).filter(|(hit, _)| **hit != 0);
        let mut covered: Vec<u32> = hit.map(|(_, place)| *place).collect();
        covered.sort_unstable();
        covered.dedup();
        covered
    }
}
