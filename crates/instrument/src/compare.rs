//! Decides which comparisons tell their operands (requirement G15).
//!
//! Every conditional jump, every switch, every call that compares two objects, and every call that
//! reads a text (`read`). A comparison is told before it is made, so the code goes on as it was; the
//! comparing instructions on `long`, `float` and `double`, whose operands cannot be copied on the
//! stack, become calls that compare the same way.

pub(crate) mod read;

use std::ops::Range;

use classfile::opcode::*;
use classfile::{ClassFile, Instruction};

use crate::flow::Flow;
use crate::plan::{Comparison, ComparisonKind, Edge, Probe, ProbeKind, ReadBy, Site};

/// Methods of `String` that compare it with their only argument.
const TEXT_METHODS: [&str; 11] = [
    "equals",
    "equalsIgnoreCase",
    "startsWith",
    "endsWith",
    "contains",
    "contentEquals",
    "compareTo",
    "compareToIgnoreCase",
    "indexOf",
    "lastIndexOf",
    "matches",
];

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
    is_constructor: bool,
) -> Vec<Comparison> {
    let mut found = Vec::new();
    let outcomes = |jump: usize| -> Vec<(u32, Edge)> {
        let of_jump = probes.iter().zip(ids.clone()).filter_map(|(probe, id)| match probe.kind {
            ProbeKind::Branch { instruction, edge, .. } if instruction as usize == jump => {
                Some((id, edge))
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
            decided = jump;
            let outcomes = jump.map(outcomes).unwrap_or_default();
            found.push(Comparison { method, instruction: at as u32, kind, outcomes });
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

/// What a called method compares.
fn called(class: &ClassFile, index: u16, op: u8) -> Option<ComparisonKind> {
    let member = class.pool.member_ref(index).ok()?;
    let is_static = op == INVOKESTATIC;
    let (owner, name, descriptor) = (&*member.class, &*member.name, &*member.descriptor);
    if op == INVOKESPECIAL && name != "<init>" {
        return None;
    }
    if owner == "java/util/regex/Pattern" && takes_text_to_match(name, descriptor) {
        return Some(ComparisonKind::Object("matcher".to_owned()));
    }
    let is_text = owner == "java/lang/String" && TEXT_METHODS.contains(&name);
    let two_objects = match descriptor.split_once(')') {
        Some(("(Ljava/lang/Object;", "Z")) => name == "equals" && !is_static,
        Some(("(Ljava/lang/String;" | "(Ljava/lang/CharSequence;", "Z" | "I")) => {
            is_text && !is_static
        }
        Some(("(Ljava/lang/Object;Ljava/lang/Object;", "Z")) => {
            is_static && owner == "java/util/Objects" && name == "equals"
        }
        _ => false,
    };
    if two_objects {
        return Some(ComparisonKind::Object(name.to_owned()));
    }
    if read::reads_text(owner, name, descriptor, is_static) {
        let (class, name) = (owner.to_owned(), name.to_owned());
        let descriptor = descriptor.to_owned();
        return Some(ComparisonKind::Read(ReadBy { class, name, descriptor }));
    }
    let hashed = !is_static && owner == "java/lang/String" && name == "hashCode";
    hashed.then_some(ComparisonKind::Hash)
}

/// Whether a method of `Pattern` takes a text after a regular expression, which may be the pattern
/// itself.
fn takes_text_to_match(name: &str, descriptor: &str) -> bool {
    matches!(
        (name, descriptor.split_once(')')),
        ("matcher", Some(("(Ljava/lang/CharSequence;", _)))
            | ("matches", Some(("(Ljava/lang/String;Ljava/lang/CharSequence;", _)))
    )
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
