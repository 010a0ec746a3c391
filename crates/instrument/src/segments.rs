//! Cuts a method into segments: what a report counts, and what shows that it was run.
//!
//! Segments that lead to each other without a place of interest between them form a tree, from
//! the first instruction behind such a place to the next ones. A hit at one of these covers the
//! segments on the way to it.

use rustc_hash::FxHashMap;

use crate::filters::Filters;
use crate::flow::Flow;
use crate::plan::{Branch, Plan, Segment};
use crate::points::is_exit;
use crate::proof::{MethodProbes, Proof};

/// Where a way out of an instruction leads.
enum Way {
    /// By a place of interest, with what proves that.
    Noted(Proof),
    /// To an instruction, unseen.
    On(usize),
}

/// Adds the segments and branches of a method, whose probes begin at `first`, to the plan.
pub(crate) fn add_segments(
    plan: &mut Plan,
    method: u32,
    first: u32,
    flow: &Flow<'_>,
    lines: &[Option<u16>],
    placed: &MethodProbes,
    filters: &Filters,
) {
    let count = flow.instructions.len();
    let ways: Vec<Vec<Way>> = (0..count).map(|index| ways_out(index, flow, placed)).collect();
    let mut before = vec![None; count];
    for (index, ways) in ways.iter().enumerate() {
        for way in ways {
            if let Way::On(next) = way {
                before[*next] = Some(index);
            }
        }
    }
    let goes_on = |index: usize| {
        index > 0
            && before[index] == Some(index - 1)
            && ways[index - 1].len() == 1
            && lines[index - 1] == lines[index]
            && filters.ignored[index - 1] == filters.ignored[index]
            && !filters.is_copied(index - 1)
            && !filters.is_copied(index)
    };
    let base = plan.segments.len() as u32;
    let mut segment_of: Vec<u32> = Vec::with_capacity(count);
    for index in 0..count {
        let number = match segment_of.last() {
            Some(last) if goes_on(index) => *last,
            Some(last) => last + 1,
            None => base,
        };
        segment_of.push(number);
    }
    for index in 0..count {
        if !goes_on(index) {
            plan.segments.push(Segment {
                method,
                line: lines[index],
                instructions: 0,
                probes: Vec::new(),
                before: before[index].map(|before| segment_of[before]),
                copy_of: filters.copies.get(&index).map(|original| segment_of[*original]),
            });
        }
        let segment = plan.segments.last_mut().expect("the first instruction begins one");
        segment.instructions += u32::from(!filters.ignored[index]);
        for way in &ways[index] {
            if let Way::Noted(proof) = way {
                segment.probes.extend(proof.iter().map(|probe| first + probe));
            }
        }
    }
    let mut branches: FxHashMap<(usize, usize), u32> = FxHashMap::default();
    for index in 0..count {
        let counted: Vec<_> = decision(index, flow)
            .into_iter()
            .enumerate()
            .filter(|(way, _)| !filters.ignored[index] && !filters.is_impossible(index, *way))
            .collect();
        if counted.len() < 2 {
            continue;
        }
        for (way, target) in counted {
            let Some(probe) = placed.edges.get(&(index, target)) else { continue };
            let to = match &ways[index][way] {
                Way::Noted(_) => None,
                Way::On(next) => Some(segment_of[*next]),
            };
            branches.insert((index, way), plan.branches.len() as u32);
            plan.branches.push(Branch {
                method,
                line: lines[index],
                probe: first + probe,
                to,
                // Put in below, for a copy may stand before its original.
                copy_of: None,
            });
        }
    }
    for ((index, way), number) in &branches {
        if let Some(original) = filters.copies.get(index) {
            plan.branches[*number as usize].copy_of = branches.get(&(*original, *way)).copied();
        }
    }
}

/// The ways out of a decision: past it, or to a target.
fn decision(index: usize, flow: &Flow<'_>) -> Vec<Option<usize>> {
    let instruction = flow.instructions[index];
    if instruction.is_conditional() {
        [None].into_iter().chain(flow.targets(index).into_iter().map(Some)).collect()
    } else if instruction.is_switch() {
        flow.targets(index).into_iter().map(Some).collect()
    } else {
        Vec::new()
    }
}

fn ways_out(index: usize, flow: &Flow<'_>, placed: &MethodProbes) -> Vec<Way> {
    let points = &placed.points;
    let instruction = flow.instructions[index];
    let found = |proofs: &FxHashMap<usize, Proof>| proofs.get(&index).cloned().unwrap_or_default();
    let decision = decision(index, flow);
    if !decision.is_empty() {
        let noted = |to| Way::Noted(placed.edges.get(&(index, to)).copied().into_iter().collect());
        let way = |to: Option<usize>| match to {
            None if points.notes_pass_behind(index) => noted(None),
            None => Way::On(index + 1),
            Some(target) if points.notes_jump_to(target) => noted(to),
            Some(target) => Way::On(target),
        };
        decision.into_iter().map(way).collect()
    } else if is_exit(instruction) {
        vec![Way::Noted(found(&placed.reached))]
    } else if let Some(target) = flow.targets(index).first() {
        match points.notes_jump_to(*target) {
            true => vec![Way::Noted(found(&placed.reached))],
            false => vec![Way::On(*target)],
        }
    } else if points.notes_pass_behind(index) {
        vec![Way::Noted(found(&placed.passed))]
    } else if instruction.falls_through() && index + 1 < flow.instructions.len() {
        vec![Way::On(index + 1)]
    } else {
        Vec::new()
    }
}
