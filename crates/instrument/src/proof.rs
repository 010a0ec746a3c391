//! Decides where probes go in one method, and which probes prove that control came by a place.
//!
//! Every way out of a decision has a probe, and so has the entry. Between those, code up to
//! the next instruction that can throw is *proven* by the probes before it. A further probe is
//! needed only at a place of interest (see `points`) that is behind something that can throw,
//! or in code that is reached by an exception.
//!
//! Invariant: control came by a place if and only if one of the probes of its proof was hit
//! (disregarding errors of the machine, see `throwing`, and a step budget that ends on a
//! backward jump).

use std::collections::BTreeSet;

use classfile::{Code, opcode};
use rustc_hash::FxHashMap;

use crate::flow::{Block, Entry, Flow};
use crate::lines::lines_of;
use crate::plan::{Edge, ProbeKind, Site};
use crate::points::{Points, is_exit};
use crate::throwing::Throwing;

/// What many ways lead to gets a probe of its own rather than a longer proof than this.
const MAX_PROOF: usize = 16;

/// Probes of one method, numbered in order of their places, and what they prove.
pub(crate) struct MethodProbes {
    pub(crate) probes: Vec<(Site, ProbeKind)>,
    pub(crate) points: Points,
    /// Probes on the ways out of decisions: not taken, or to a target.
    pub(crate) edges: FxHashMap<(usize, Option<usize>), u32>,
    /// What proves that control came to an instruction that leaves the method or jumps.
    pub(crate) reached: FxHashMap<usize, Proof>,
    /// What proves that control came from an instruction to the one behind it.
    pub(crate) passed: FxHashMap<usize, Proof>,
}

/// A set of probes of which any proves that control came by.
pub(crate) type Proof = BTreeSet<u32>;

/// A place inside a block.
#[derive(Clone, Copy)]
enum Stop {
    /// Before an instruction, having come from the one before that.
    Passed(usize),
    /// At an instruction that leaves the method or jumps.
    Reached(usize),
    /// Behind the last instruction of the block.
    End(usize),
}

/// What is found in a block in order of its code.
#[derive(Clone, Copy)]
enum Item {
    Throw,
    Stop(Stop),
}

struct Placer<'c> {
    flow: &'c Flow<'c>,
    points: Points,
    probes: Vec<(Site, ProbeKind)>,
    edges: FxHashMap<(usize, Option<usize>), u32>,
    /// Probes at places inside blocks, by the site of each.
    own: FxHashMap<Site, u32>,
    reached: FxHashMap<usize, Proof>,
    passed: FxHashMap<usize, Proof>,
}

const ENTRY_PROBE: u32 = 0;

/// Places the probes of a method.
pub(crate) fn place_method(
    code: &Code,
    flow: &Flow<'_>,
    throwing: &Throwing<'_>,
    is_static: bool,
) -> MethodProbes {
    let mut placer = Placer {
        flow,
        points: Points::of(code, flow),
        probes: vec![(Site::Entry, ProbeKind::Entry)],
        edges: FxHashMap::default(),
        own: FxHashMap::default(),
        reached: FxHashMap::default(),
        passed: FxHashMap::default(),
    };
    placer.probe_decisions(&lines_of(code, flow));
    let this_is_fixed = !is_static && !flow.instructions.iter().any(|i| stores_slot_0(i));
    let inside: Vec<Vec<Item>> = flow
        .blocks
        .iter()
        .map(|block| placer.look_inside(block, throwing, this_is_fixed))
        .collect();
    let mut crowded = vec![false; flow.blocks.len()];
    let starts = loop {
        let known = placer.known_starts(&inside, &crowded);
        placer.probe_stops(&inside, &known);
        let starts = placer.prove_starts(&inside, &known);
        let many = |proof: &Option<Proof>| proof.as_ref().is_some_and(|p| p.len() > MAX_PROOF);
        if !starts.iter().any(many) {
            break starts;
        }
        for (crowded, proof) in crowded.iter_mut().zip(&starts) {
            *crowded |= many(proof);
        }
    };
    placer.prove_stops(&inside, starts);
    placer.number()
}

impl Placer<'_> {
    fn add(&mut self, site: Site, kind: ProbeKind) -> u32 {
        self.probes.push((site, kind));
        self.probes.len() as u32 - 1
    }

    /// A probe on each way out of each conditional jump and switch.
    fn probe_decisions(&mut self, lines: &[Option<u16>]) {
        let flow = self.flow;
        for from in flow.blocks.iter().filter_map(|block| flow.decision(block)) {
            let kind = |line: Option<u16>, edge| ProbeKind::Branch {
                instruction: from as u32,
                line,
                edge,
            };
            let line = lines[from];
            let conditional = flow.instructions[from].is_conditional();
            if conditional {
                let probe = self.add(Site::After(from as u32), kind(line, Edge::FallThrough));
                self.edges.insert((from, None), probe);
            }
            for (number, to) in flow.targets(from).into_iter().enumerate() {
                let edge = if conditional { Edge::Taken } else { Edge::Target(number as u32) };
                let site = if to > from && self.is_only_way(from, to) {
                    Site::Before(to as u32)
                } else {
                    Site::Jump { from: from as u32, to: to as u32 }
                };
                let probe = self.add(site, kind(line, edge));
                self.edges.insert((from, Some(to)), probe);
            }
        }
    }

    /// Whether the jump is the only way to its target.
    fn is_only_way(&self, from: usize, to: usize) -> bool {
        let blocks = &self.flow.blocks;
        blocks
            .binary_search_by_key(&to, |block| block.start)
            .is_ok_and(|number| blocks[number].entries == [Entry::Taken(from)])
    }

    /// Finds what can throw in a block, and the places of interest.
    fn look_inside(
        &self,
        block: &Block,
        throwing: &Throwing<'_>,
        this_is_fixed: bool,
    ) -> Vec<Item> {
        let mut items = Vec::new();
        for index in block.start..block.end {
            let instruction = self.flow.instructions[index];
            if index > block.start && self.points.passed[index] {
                items.push(Item::Stop(Stop::Passed(index)));
            }
            let decides = instruction.is_conditional() || instruction.is_switch();
            let jumps_to_place = || {
                let mut targets = instruction.targets().map(|label| self.flow.at(label));
                !decides && targets.any(|target| self.points.notes_jump_to(target))
            };
            if is_exit(instruction) || jumps_to_place() {
                items.push(Item::Stop(Stop::Reached(index)));
            }
            let receiver_is_this = this_is_fixed
                && index > block.start
                && self.flow.instructions[index - 1].opcode() == opcode::ALOAD_0;
            if throwing.can_throw(instruction, receiver_is_this) {
                items.push(Item::Throw);
            }
        }
        let last = block.end - 1;
        if self.flow.decision(block).is_none()
            && self.flow.instructions[last].falls_through()
            && self.points.notes_pass_behind(last)
        {
            items.push(Item::Stop(Stop::End(last)));
        }
        items
    }

    /// The blocks whose entries prove that they were entered.
    fn known_starts(&self, inside: &[Vec<Item>], crowded: &[bool]) -> Vec<bool> {
        let mut known: Vec<bool> = crowded.iter().map(|crowded| !crowded).collect();
        loop {
            let mut changed = false;
            for (number, block) in self.flow.blocks.iter().enumerate() {
                let is_proof = |entry: &Entry| match *entry {
                    Entry::Unknown => false,
                    Entry::Flow(before) => match inside[before].last() {
                        None => known[before],
                        Some(Item::Stop(_)) => true,
                        Some(Item::Throw) => false,
                    },
                    Entry::Start | Entry::NotTaken(_) | Entry::Taken(_) => true,
                };
                if known[number] && !block.entries.iter().all(is_proof) {
                    known[number] = false;
                    changed = true;
                }
            }
            if !changed {
                return known;
            }
        }
    }

    /// A probe for each place that nothing before it proves.
    fn probe_stops(&mut self, inside: &[Vec<Item>], known: &[bool]) {
        for (items, known) in inside.iter().zip(known) {
            let mut known = *known;
            for item in items {
                match item {
                    Item::Throw => known = false,
                    Item::Stop(stop) => {
                        let site = stop.site();
                        if !known && !self.own.contains_key(&site) {
                            let probe = self.add(site, ProbeKind::Place);
                            self.own.insert(site, probe);
                        }
                        known = true;
                    }
                }
            }
        }
    }

    /// What proves that each block was entered, as far as its entries do: the least solution,
    /// because a block that only loops lead to is first entered from outside the loop.
    fn prove_starts(&self, inside: &[Vec<Item>], known: &[bool]) -> Vec<Option<Proof>> {
        let blocks = &self.flow.blocks;
        let mut proofs: Vec<Option<Proof>> =
            known.iter().map(|known| known.then(Proof::new)).collect();
        loop {
            let mut changed = false;
            for (number, block) in blocks.iter().enumerate() {
                if proofs[number].as_ref().is_none_or(|proof| proof.len() > MAX_PROOF) {
                    continue;
                }
                let mut proof = Proof::new();
                for entry in &block.entries {
                    match *entry {
                        Entry::Start => {
                            proof.insert(ENTRY_PROBE);
                        }
                        Entry::NotTaken(from) => {
                            proof.insert(self.edges[&(from, None)]);
                        }
                        Entry::Taken(from) => {
                            proof.insert(self.edges[&(from, Some(block.start))]);
                        }
                        Entry::Flow(before) => {
                            let start = proofs[before].clone();
                            let end = self.prove_inside(&inside[before], start, |_, _| {});
                            proof.extend(end.iter().flatten());
                        }
                        Entry::Unknown => unreachable!("such a block is not known"),
                    }
                }
                if proofs[number].as_ref() != Some(&proof) {
                    proofs[number] = Some(proof);
                    changed = true;
                }
            }
            if !changed {
                return proofs;
            }
        }
    }

    /// Goes through a block, tells what proves each place, and returns what proves its end.
    fn prove_inside(
        &self,
        items: &[Item],
        start: Option<Proof>,
        mut tell: impl FnMut(Stop, &Proof),
    ) -> Option<Proof> {
        let mut proof = start;
        for item in items {
            match item {
                Item::Throw => proof = None,
                Item::Stop(stop) => {
                    if let Some(probe) = self.own.get(&stop.site()) {
                        proof = Some(Proof::from([*probe]));
                    }
                    tell(*stop, proof.as_ref().expect("what nothing proves has a probe"));
                }
            }
        }
        proof
    }

    fn prove_stops(&mut self, inside: &[Vec<Item>], starts: Vec<Option<Proof>>) {
        let (mut reached, mut passed) = (FxHashMap::default(), FxHashMap::default());
        for (items, start) in inside.iter().zip(starts) {
            self.prove_inside(items, start, |stop, proof| {
                match stop {
                    Stop::Reached(at) => reached.insert(at, proof.clone()),
                    Stop::Passed(at) => passed.insert(at - 1, proof.clone()),
                    Stop::End(at) => passed.insert(at, proof.clone()),
                };
            });
        }
        (self.reached, self.passed) = (reached, passed);
    }

    /// Numbers the probes in order of their places, so that ids follow the code.
    fn number(self) -> MethodProbes {
        let key = |site: &Site| match *site {
            Site::Entry => (0, 0, 0),
            Site::Before(at) => (at + 1, 0, 0),
            Site::After(at) => (at + 1, 1, 0),
            Site::Jump { from, to } => (from + 1, 2, to),
            Site::Equal { at, .. } => (at + 1, 3, 0),
            Site::Dropped { at, is_some, .. } => (at + 1, 4, u32::from(is_some)),
        };
        let mut order: Vec<usize> = (0..self.probes.len()).collect();
        order.sort_by_key(|&old| key(&self.probes[old].0));
        let mut new = vec![0; order.len()];
        for (position, &old) in order.iter().enumerate() {
            new[old] = position as u32;
        }
        let renumbered = |proofs: FxHashMap<usize, Proof>| {
            let rename = |proof: Proof| proof.iter().map(|old| new[*old as usize]).collect();
            proofs.into_iter().map(|(at, proof)| (at, rename(proof))).collect()
        };
        let (reached, passed) = (renumbered(self.reached), renumbered(self.passed));
        let edges = self.edges.into_iter().map(|(edge, old)| (edge, new[old as usize])).collect();
        let mut probes: Vec<Option<_>> = self.probes.into_iter().map(Some).collect();
        let probes = order
            .into_iter()
            .map(|old| probes[old].take().expect("an order names each probe once"))
            .collect();
        MethodProbes { probes, points: self.points, edges, reached, passed }
    }
}

impl Stop {
    fn site(self) -> Site {
        match self {
            Self::Passed(at) | Self::Reached(at) => Site::Before(at as u32),
            Self::End(at) => Site::After(at as u32),
        }
    }
}

/// Whether an instruction replaces `this`.
fn stores_slot_0(instruction: &classfile::Instruction) -> bool {
    use opcode::*;
    match instruction {
        classfile::Instruction::Plain(op) => {
            matches!(*op, ISTORE_0 | LSTORE_0 | FSTORE_0 | DSTORE_0 | ASTORE_0)
        }
        classfile::Instruction::Local { op, index: 0, .. } => matches!(*op, ISTORE..=ASTORE),
        _ => false,
    }
}
