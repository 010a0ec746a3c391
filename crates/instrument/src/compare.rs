//! Decides which comparisons tell their operands (requirement G15).
//!
//! Every conditional jump, every switch, every call that compares (`called`), and every call that
//! reads a text (`read`). A comparison is told before it is made, so the code goes on as it was; the
//! comparing instructions on `long`, `float` and `double`, whose operands cannot be copied on the
//! stack, become calls that compare the same way.
//!
//! Invariant: a comparison is of interest only for ways that count as branches. What the compiler made
//! of nothing in the source tells nothing, for a search would spend its budget on what no report has;
//! the comparisons of a switch by text are there for the ways of the switch that counts.

mod called;
pub(crate) mod read;

use std::ops::Range;

use classfile::opcode::*;
use classfile::{ClassFile, Instruction, MemberRef};

use crate::filters::Filters;
use crate::flow::Flow;
use crate::plan::{Comparison, ComparisonKind, Edge, Probe, ProbeKind, Site};
use called::{called, counts};

/// How far before a comparison of a count it may have been asked for.
const LOOK_BACK: usize = 3;

/// The jumps of a method that compare numbers by their order, each with a place where it is told
/// that they are equal.
pub(crate) fn place_boundaries(class: &ClassFile, flow: &Flow<'_>) -> Vec<(Site, ProbeKind)> {
    let reached = flow.blocks.iter().flat_map(|block| block.start..block.end);
    let boundary = |at: usize| {
        let two = match flow.instructions[at] {
            Instruction::Jump { op: IF_ICMPLT..=IF_ICMPLE, .. } => true,
            Instruction::Jump { op: IFLT..=IFLE, .. } if !is_truth(class, flow, at) => false,
            _ => return None,
        };
        let instruction = at as u32;
        Some((Site::Equal { at: instruction, two }, ProbeKind::Boundary { instruction }))
    };
    reached.filter_map(boundary).collect()
}

/// The places of a method where the answer of a call is dropped that says whether the call did
/// anything: a truth, or what a container of the JDK gives back.
pub(crate) fn place_dropped(class: &ClassFile, flow: &Flow<'_>) -> Vec<(Site, ProbeKind)> {
    let pairs =
        flow.blocks.iter().flat_map(|block| block.start + 1..block.end.max(block.start + 1));
    let dropped = |at: usize| {
        let Instruction::Plain(POP) = flow.instructions[at] else { return None };
        let index = match flow.instructions[at - 1] {
            Instruction::Constant { op: INVOKEVIRTUAL..=INVOKESTATIC, index }
            | Instruction::InvokeInterface { index, .. } => *index,
            _ => return None,
        };
        let member = class.pool.member_ref(index).ok()?;
        let (_, answer) = member.descriptor.split_once(')')?;
        let of_container =
            member.class.starts_with("java/util/") && member.class.matches('/').count() == 2;
        let is_object = match answer.as_bytes().first()? {
            b'Z' => false,
            b'L' if of_container => true,
            _ => return None,
        };
        Some((at as u32, is_object))
    };
    let places = pairs.filter_map(dropped).flat_map(|(at, is_object)| {
        [false, true].map(|is_some| {
            let kind = ProbeKind::Dropped { instruction: at, is_some };
            (Site::Dropped { at, is_object, is_some }, kind)
        })
    });
    places.collect()
}

/// The comparisons of one method; its probes are those numbered by `ids`.
pub(crate) fn place_comparisons(
    class: &ClassFile,
    flow: &Flow<'_>,
    method: u32,
    probes: &[Probe],
    ids: Range<u32>,
    filters: &Filters,
    is_constructor: bool,
) -> Vec<Comparison> {
    let mut found = Vec::new();
    if filters.whole_method {
        return found;
    }
    let outcomes = |jump: usize| -> Vec<(u32, Edge)> {
        let of_jump = probes.iter().zip(ids.clone()).filter_map(|(probe, id)| match probe.kind {
            ProbeKind::Branch { instruction, edge, .. } if instruction as usize == jump => {
                let is_impossible =
                    matches!(edge, Edge::Target(way) if filters.is_impossible(jump, way as usize));
                (!is_impossible).then_some((id, edge))
            }
            ProbeKind::Boundary { instruction } if instruction as usize == jump => {
                Some((id, Edge::Equal))
            }
            _ => None,
        });
        of_jump.collect()
    };
    let mut decided = None;
    for block in &flow.blocks {
        for at in block.start..block.end {
            let Some(kind) = kind(class, flow, at, is_constructor) else { continue };
            let jump = match &kind {
                ComparisonKind::Int
                | ComparisonKind::Zero
                | ComparisonKind::Truth
                | ComparisonKind::Reference
                | ComparisonKind::Null
                | ComparisonKind::Constant(_)
                | ComparisonKind::Key(_) => Some(at),
                _ => Some(at + 1).filter(|next| {
                    *next < block.end
                        && (flow.instructions[*next].is_conditional()
                            || flow.instructions[*next].is_switch())
                }),
            };
            // A jump on the result of a comparison has no operands of its own.
            if jump == Some(at) && decided == Some(at) {
                continue;
            }
            // What a map holds is of interest only where it decides something.
            if jump.is_none() && is_idle_alone(&kind) {
                continue;
            }
            decided = jump;
            let counted = filters.counts_as(at).or(jump);
            if filters.ignored[counted.unwrap_or(at)] {
                continue;
            }
            let outcomes = counted.map(outcomes).unwrap_or_default();
            // One way only, of those that count: there is nothing to try for.
            if counted.is_some() && !probes.is_empty() && outcomes.len() < 2 {
                continue;
            }
            let is_number =
                matches!(kind, ComparisonKind::Int | ComparisonKind::Zero | ComparisonKind::Truth);
            let counts = is_number && is_of_count(class, flow, block.start..at);
            found.push(Comparison {
                method,
                instruction: at as u32,
                kind,
                outcomes,
                counts,
                until: None,
            });
        }
    }
    found
}

fn kind(
    class: &ClassFile,
    flow: &Flow<'_>,
    at: usize,
    is_constructor: bool,
) -> Option<ComparisonKind> {
    let instruction = flow.instructions[at];
    if instruction.is_switch()
        && let Some(of) = switched_enum(class, flow, at)
    {
        return Some(ComparisonKind::Constant(of));
    }
    Some(match instruction {
        Instruction::Plain(LCMP) => ComparisonKind::Long,
        Instruction::Plain(FCMPL | FCMPG) => ComparisonKind::Float,
        Instruction::Plain(DCMPL | DCMPG) => ComparisonKind::Double,
        Instruction::Jump { op: IF_ICMPEQ..=IF_ICMPLE, .. } => ComparisonKind::Int,
        Instruction::Jump { op: IFEQ..=IFLE, .. } if is_truth(class, flow, at) => {
            ComparisonKind::Truth
        }
        Instruction::Jump { op: IFEQ..=IFLE, .. } => ComparisonKind::Zero,
        Instruction::Jump { op: IFNULL | IFNONNULL, .. } => ComparisonKind::Null,
        Instruction::Constant { op: INSTANCEOF, index } => {
            ComparisonKind::Instance(class.pool.class_name(*index).ok()?.into_owned())
        }
        // What is not initialized yet cannot be passed on.
        Instruction::Jump { op: IF_ACMPEQ | IF_ACMPNE, .. } if !is_constructor => {
            ComparisonKind::Reference
        }
        Instruction::TableSwitch(table) => {
            let keys = (table.low..).zip(&table.targets);
            ComparisonKind::Key(keyed(flow, at, keys.map(|(key, label)| (key, *label))))
        }
        Instruction::LookupSwitch(table) => {
            ComparisonKind::Key(keyed(flow, at, table.pairs.iter().copied()))
        }
        Instruction::Constant { op: INVOKEVIRTUAL..=INVOKESTATIC, index } => {
            called(class, *index, instruction.opcode())?
        }
        Instruction::InvokeInterface { index, .. } => called(class, *index, INVOKEVIRTUAL)?,
        _ => return None,
    })
}

/// Whether a comparison without a jump by its result is left out.
fn is_idle_alone(kind: &ComparisonKind) -> bool {
    matches!(kind, ComparisonKind::Held | ComparisonKind::Order | ComparisonKind::Elements)
}

/// The method that an instruction calls: its class, name and descriptor.
fn called_at<'c>(class: &'c ClassFile, instruction: &Instruction) -> Option<MemberRef<'c>> {
    let index = match instruction {
        Instruction::Constant { op: INVOKEVIRTUAL..=INVOKESTATIC, index }
        | Instruction::InvokeInterface { index, .. } => *index,
        _ => return None,
    };
    class.pool.member_ref(index).ok()
}

/// Whether one of the last few instructions asks how many things there are.
fn is_of_count(class: &ClassFile, flow: &Flow<'_>, before: Range<usize>) -> bool {
    let start = before.start.max(before.end.saturating_sub(LOOK_BACK));
    (start..before.end).any(|at| {
        let called = called_at(class, flow.instructions[at]);
        called.is_some_and(|member| counts(&member.name, &member.descriptor))
    })
}

/// The enum whose constant a switch goes by: by its ordinal, which may be looked up in a table.
fn switched_enum(class: &ClassFile, flow: &Flow<'_>, at: usize) -> Option<String> {
    let before = |back: usize| Some(flow.instructions[at.checked_sub(back)?]);
    let back = if matches!(before(1)?, Instruction::Plain(IALOAD)) { 2 } else { 1 };
    let member = called_at(class, before(back)?)?;
    let is_ordinal = *member.name == *"ordinal" && *member.descriptor == *"()I";
    is_ordinal.then(|| member.class.into_owned())
}

/// The keys of a switch, each with the number of its target among the distinct ones.
fn keyed(
    flow: &Flow<'_>,
    at: usize,
    keys: impl Iterator<Item = (i32, classfile::Label)>,
) -> Vec<(i32, u32)> {
    let targets = flow.targets(at);
    keys.filter_map(|(key, label)| {
        let target = flow.at(label);
        let number = targets.iter().position(|known| *known == target)? as u32;
        (number != 0).then_some((key, number))
    })
    .collect()
}

/// Whether the jump goes by a `boolean`, which says nothing of how far off it is.
fn is_truth(class: &ClassFile, flow: &Flow<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|at| flow.instructions[at]) else { return false };
    let index = match before {
        Instruction::Constant { op, index } if (GETSTATIC..=INVOKESTATIC).contains(op) => *index,
        Instruction::InvokeInterface { index, .. } => *index,
        _ => return false,
    };
    class.pool.member_ref(index).is_ok_and(|member| member.descriptor.ends_with('Z'))
}
