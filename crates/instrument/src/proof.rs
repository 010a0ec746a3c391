//! Decides where probes go in one method, and which probes prove that a line was executed.
//!
//! Every way out of a decision has a probe, and so has the entry. Between those, code up to
//! the next instruction that can throw is *proven* by the probes before it. A further probe is
//! needed only where nothing proves what comes next: at a source line behind something that
//! can throw, and at a block that is entered from such a place or by an exception. Where such
//! a block runs into a decision without throwing, the decision's probes prove it instead.
//!
//! Invariant: an instruction was executed if and only if one of the probes of its proof was
//! hit (disregarding errors of the machine, see `throwing`, and a step budget that ends on a
//! backward jump).

use std::collections::{BTreeMap, BTreeSet};

use classfile::{Code, opcode};
use rustc_hash::FxHashMap;

use crate::flow::{Block, Entry, Flow};
use crate::lines::lines_of;
use crate::plan::{Edge, ProbeKind, Site};
use crate::throwing::Throwing;

/// A proof of more probes than this gives way to a probe of its own.
const MAX_PROOF: usize = 16;

/// Probes of one method, numbered in order of their places.
pub(crate) struct MethodProbes {
    pub(crate) probes: Vec<(Site, ProbeKind)>,
    /// Lines with the probes that prove them.
    pub(crate) lines: BTreeMap<u16, BTreeSet<u32>>,
}

/// A set of probes of which any proves that a place was reached.
type Proof = BTreeSet<u32>;

/// What happens inside a block, whatever came before.
struct Inside {
    /// Where a new line needs a probe: the instruction, and the probe.
    line_probes: Vec<(usize, u32)>,
    /// Whether something can throw behind the last probe.
    dirty_end: bool,
    /// Whether anything can throw in the whole block.
    can_throw: bool,
}

struct Placer<'c> {
    flow: &'c Flow<'c>,
    lines: Vec<Option<u16>>,
    probes: Vec<(Site, ProbeKind)>,
    /// Probes on the ways out of decisions: not taken, or to a target.
    edges: FxHashMap<(usize, Option<usize>), u32>,
    /// Blocks with a probe of their own.
    own: Vec<Option<u32>>,
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
        lines: lines_of(code, flow),
        probes: vec![(Site::Entry, ProbeKind::Entry)],
        edges: FxHashMap::default(),
        own: vec![None; flow.blocks.len()],
    };
    placer.probe_decisions();
    let this_is_fixed = !is_static && !flow.instructions.iter().any(|i| stores_slot_0(i));
    let inside: Vec<Inside> = flow
        .blocks
        .iter()
        .map(|block| placer.look_inside(block, throwing, this_is_fixed))
        .collect();
    placer.probe_blocks(&inside);
    let proofs = placer.prove_blocks(&inside);
    let lines = placer.prove_lines(&inside, &proofs);
    placer.number(lines)
}

impl Placer<'_> {
    fn add(&mut self, site: Site, kind: ProbeKind) -> u32 {
        self.probes.push((site, kind));
        self.probes.len() as u32 - 1
    }

    /// A probe on each way out of each conditional jump and switch.
    fn probe_decisions(&mut self) {
        let flow = self.flow;
        for from in flow.blocks.iter().filter_map(|block| flow.decision(block)) {
            let kind = |line: Option<u16>, edge| ProbeKind::Branch {
                instruction: from as u32,
                line,
                edge,
            };
            let line = self.lines[from];
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

    /// Finds what can throw in a block, and gives probes to the lines behind it.
    fn look_inside(
        &mut self,
        block: &Block,
        throwing: &Throwing<'_>,
        this_is_fixed: bool,
    ) -> Inside {
        let mut inside = Inside { line_probes: Vec::new(), dirty_end: false, can_throw: false };
        let mut seen = Vec::new();
        for index in block.start..block.end {
            if let Some(line) = self.lines[index]
                && is_new(line, &mut seen)
                && inside.dirty_end
            {
                let probe = self.add(Site::Before(index as u32), ProbeKind::Line);
                inside.line_probes.push((index, probe));
                inside.dirty_end = false;
            }
            let receiver_is_this = this_is_fixed
                && index > block.start
                && self.flow.instructions[index - 1].opcode() == opcode::ALOAD_0;
            if throwing.can_throw(self.flow.instructions[index], receiver_is_this) {
                inside.dirty_end = true;
                inside.can_throw = true;
            }
        }
        inside
    }

    /// A probe for each block whose entries and exits prove nothing.
    fn probe_blocks(&mut self, inside: &[Inside]) {
        for (number, block) in self.flow.blocks.iter().enumerate() {
            let unproven = block.entries.iter().any(|entry| match entry {
                Entry::Unknown => true,
                Entry::Flow(before) => inside[*before].dirty_end,
                Entry::Start | Entry::NotTaken(_) | Entry::Taken(_) => false,
            });
            if unproven && !self.is_proven_by_exits(block, &inside[number]) {
                self.probe_block(number);
            }
        }
    }

    fn probe_block(&mut self, number: usize) {
        let start = self.flow.blocks[number].start;
        self.own[number] = Some(self.add(Site::Before(start as u32), ProbeKind::Block));
    }

    /// Whether who enters the block is sure to reach a decision at its end.
    fn is_proven_by_exits(&self, block: &Block, inside: &Inside) -> bool {
        !inside.can_throw
            && self.flow.decision(block).is_some_and(|from| self.exits(from).len() <= MAX_PROOF)
    }

    fn exits(&self, from: usize) -> Proof {
        let targets = self.flow.targets(from).into_iter().map(Some);
        targets
            .chain([None])
            .filter_map(|target| self.edges.get(&(from, target)).copied())
            .collect()
    }

    /// What proves that each block was entered: the least solution, because a block that only
    /// loops lead to is first entered from outside the loop.
    fn prove_blocks(&mut self, inside: &[Inside]) -> Vec<Proof> {
        let blocks = &self.flow.blocks;
        let mut proofs = vec![Proof::new(); blocks.len()];
        loop {
            let mut changed = false;
            for (number, block) in blocks.iter().enumerate() {
                let proof = match self.own[number] {
                    Some(probe) => Proof::from([probe]),
                    None => match self.flow.decision(block) {
                        Some(from) if self.is_proven_by_exits(block, &inside[number]) => {
                            self.exits(from)
                        }
                        _ => self.prove_by_entries(block, inside, &proofs),
                    },
                };
                if proof.len() > MAX_PROOF {
                    self.probe_block(number);
                    changed = true;
                } else if proof != proofs[number] {
                    proofs[number] = proof;
                    changed = true;
                }
            }
            if !changed {
                return proofs;
            }
        }
    }

    fn prove_by_entries(&self, block: &Block, inside: &[Inside], proofs: &[Proof]) -> Proof {
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
                Entry::Flow(before) => match inside[before].line_probes.last() {
                    Some((_, probe)) => {
                        proof.insert(*probe);
                    }
                    None => proof.extend(&proofs[before]),
                },
                Entry::Unknown => unreachable!("such a block has its own probe or proving exits"),
            }
        }
        proof
    }

    /// What proves that each line was executed.
    fn prove_lines(&self, inside: &[Inside], proofs: &[Proof]) -> BTreeMap<u16, Proof> {
        let mut lines: BTreeMap<u16, Proof> = BTreeMap::new();
        for (number, block) in self.flow.blocks.iter().enumerate() {
            let mut proof = proofs[number].clone();
            let mut line_probes = inside[number].line_probes.iter().peekable();
            let mut seen = Vec::new();
            for index in block.start..block.end {
                if let Some((_, probe)) = line_probes.next_if(|(at, _)| *at == index) {
                    proof = Proof::from([*probe]);
                }
                if let Some(line) = self.lines[index]
                    && is_new(line, &mut seen)
                {
                    lines.entry(line).or_default().extend(&proof);
                }
            }
        }
        lines
    }

    /// Numbers the probes in order of their places, so that ids follow the code.
    fn number(self, lines: BTreeMap<u16, Proof>) -> MethodProbes {
        let key = |site: &Site| match *site {
            Site::Entry => (0, 0, 0),
            Site::Before(at) => (at + 1, 0, 0),
            Site::After(at) => (at + 1, 1, 0),
            Site::Jump { from, to } => (from + 1, 2, to),
            Site::Equal { at, .. } => (at + 1, 3, 0),
        };
        let mut order: Vec<usize> = (0..self.probes.len()).collect();
        order.sort_by_key(|&old| key(&self.probes[old].0));
        let mut new = vec![0; order.len()];
        for (position, &old) in order.iter().enumerate() {
            new[old] = position as u32;
        }
        let lines = lines
            .into_iter()
            .map(|(line, proof)| (line, proof.iter().map(|old| new[*old as usize]).collect()))
            .collect();
        let mut probes: Vec<Option<_>> = self.probes.into_iter().map(Some).collect();
        let probes = order
            .into_iter()
            .map(|old| probes[old].take().expect("an order names each probe once"))
            .collect();
        MethodProbes { probes, lines }
    }
}

/// Whether a line was not seen in a block before. Most lines follow each other, and the one in
/// question is the last one seen.
fn is_new(line: u16, seen: &mut Vec<u16>) -> bool {
    let new = seen.last() != Some(&line) && !seen.contains(&line);
    if new {
        seen.push(line);
    }
    new
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
