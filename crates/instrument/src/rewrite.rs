//! Writes probes and steps into a class, as its plan says.
//!
//! No frame is computed. Probes are straight-line code. What belongs on a jump stands in a
//! detour at the end of the method, which begins with the frame of the jump's target and ends
//! by going there; so it lies outside all exception ranges and variable scopes.

use classfile::opcode::{GOTO, GOTO_W};
use classfile::{
    ClassFile, ClassFileError, Code, CodeTable, Frame, FrameState, Instruction, Label, LineEntry,
    Node,
};
use rustc_hash::FxHashMap;

use crate::InstrumentError;
use crate::emit::{self, Emitter};
use crate::insertion::{Insertion, Insertions};
use crate::plan::{Comparison, MethodPlan, Plan, Probe, SkipReason};
use crate::woven::source_name;

/// From this version on a jump target without frame is an error (JVMS 4.10).
const FRAMES_REQUIRED: u16 = 51;

/// As far as a plain jump reaches.
const JUMP_REACH: usize = 32_767;

/// Where the numbers of a class begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Base {
    /// Probe 0 of the class sets this byte of the map.
    pub probe: u32,
    /// Comparison 0 of the class is told by this number.
    pub comparison: u32,
}

/// Writes a class with what `plan` says.
pub fn rewrite(class: &ClassFile, plan: &Plan, base: Base) -> Result<Vec<u8>, InstrumentError> {
    let mismatch = |reason| InstrumentError::PlanMismatch { class: plan.class.clone(), reason };
    let bad_class = |source| InstrumentError::ClassFile { class: plan.class.clone(), source };
    for (base, count) in
        [(base.probe, plan.probes.len()), (base.comparison, plan.comparisons.len())]
    {
        if base as usize + count > i32::MAX as usize {
            let class = plan.class.clone();
            return Err(InstrumentError::MapTooLarge { class, base, probes: count });
        }
    }
    let mut class = class.clone();
    let mut emitter = Emitter::default();
    if class.name().map_err(bad_class)? != plan.class {
        return Err(mismatch("it is another class"));
    }
    for method in &plan.methods {
        let index = usize::from(method.index);
        let member = class.methods.get(index).ok_or_else(|| mismatch("it has fewer methods"))?;
        if source_name(&member.name(&class.pool).map_err(bad_class)?) != method.name
            || member.descriptor(&class.pool).map_err(bad_class)? != method.descriptor
        {
            return Err(mismatch("it has other methods"));
        }
        let probes = plan
            .probes
            .get(method.probes.start as usize..method.probes.end as usize)
            .ok_or_else(|| mismatch("it has fewer probes"))?;
        let comparisons = plan
            .comparisons
            .get(method.comparisons.start as usize..method.comparisons.end as usize)
            .ok_or_else(|| mismatch("it has fewer comparisons"))?;
        if probes.is_empty() && method.steps.is_empty() && comparisons.is_empty() {
            continue;
        }
        let code = Code::decode(&class, member).map_err(bad_class)?;
        let code = code.ok_or_else(|| mismatch("a method has no code"))?;
        let insertions = Insertions::of(method, probes, comparisons, base);
        if insertions.last_instruction() >= code.instructions().count() {
            return Err(mismatch("a method has fewer instructions"));
        }
        let bytes = write_method(&mut class, index, code, &insertions, &mut emitter).map_err(
            |obstacle| match obstacle {
                Obstacle::ClassFile(source) => bad_class(source),
                Obstacle::MissingFrame => {
                    InstrumentError::MissingFrame { class: plan.class.clone() }
                }
            },
        )?;
        class.methods[index].attributes.replace(&class.pool, "Code", bytes);
    }
    Ok(class.to_bytes())
}

/// Why a method of this plan could not be rewritten; `None` if it can.
pub(crate) fn fits(
    class: &ClassFile,
    code: &Code,
    method: &MethodPlan,
    probes: &[Probe],
    comparisons: &[Comparison],
) -> Option<SkipReason> {
    let insertions = Insertions::of(method, probes, comparisons, Base::default());
    if class.major_version >= FRAMES_REQUIRED && !insertions.jumps.is_empty() {
        let framed = framed_instructions(code);
        if insertions.jumps.keys().any(|(_, to)| framed.binary_search(&(*to as usize)).is_err()) {
            return Some(SkipReason::MissingFrame);
        }
    }
    let size = code.instructions().fold(0, |offset, next| offset + next.size(offset));
    let small_stack = code.max_stack <= u16::MAX - emit::PROBE_STACK;
    if size + insertions.size_bound(code) <= JUMP_REACH && small_stack {
        return None;
    }
    let index = usize::from(method.index);
    let mut scratch = class.clone();
    match write_method(&mut scratch, index, code.clone(), &insertions, &mut Emitter::default()) {
        Ok(_) => None,
        Err(Obstacle::MissingFrame) => Some(SkipReason::MissingFrame),
        Err(Obstacle::ClassFile(error)) => Some(SkipReason::TooLarge(error.to_string())),
    }
}

enum Obstacle {
    ClassFile(ClassFileError),
    MissingFrame,
}

impl From<ClassFileError> for Obstacle {
    fn from(error: ClassFileError) -> Self {
        Self::ClassFile(error)
    }
}

/// A detour on the way of a jump.
struct Detour {
    from: usize,
    to: usize,
    label: Label,
    target: Label,
    insertion: Insertion,
}

fn write_method(
    class: &mut ClassFile,
    index: usize,
    mut code: Code,
    insertions: &Insertions,
    emitter: &mut Emitter,
) -> Result<Vec<u8>, Obstacle> {
    let targets = code.label_instructions();
    let detours = insert(class, &mut code, insertions, &targets, emitter)?;
    write_detours(class, index, &mut code, &detours, &targets, emitter)?;
    let too_deep = ClassFileError::CodeTooLarge { reason: "more than 65535 stack slots" };
    if insertions.has_inner_probes() {
        code.max_stack = code.max_stack.checked_add(emit::PROBE_STACK).ok_or(too_deep)?;
    } else if insertions.entry.probe.is_some() {
        // At the entry the stack is empty.
        code.max_stack = code.max_stack.max(emit::PROBE_STACK);
    }
    Ok(code.encode()?)
}

/// Inserts what is straight-line code, and sends jumps to detours that are yet to be written.
fn insert(
    class: &mut ClassFile,
    code: &mut Code,
    insertions: &Insertions,
    targets: &[usize],
    emitter: &mut Emitter,
) -> Result<Vec<Detour>, ClassFileError> {
    let old = std::mem::take(&mut code.nodes);
    let mut new = Vec::with_capacity(old.len() + 6 * targets.len() + 8);
    let start = code.new_label();
    new.push(Node::Label(start));
    insertions.entry.write(class, emitter, &mut new)?;
    // The first line begins with what was inserted, for the sake of stack traces.
    for table in &mut code.tables {
        if let CodeTable::Lines { entries, .. } = table {
            let first = entries.iter_mut().filter(|entry| targets[entry.at.number()] == 0);
            first.for_each(|entry| entry.at = start);
        }
    }
    let mut detours: Vec<Detour> = Vec::new();
    let mut next = 0_u32;
    let mut before_is_written = false;
    for mut node in old {
        // Before the label that belongs to the instruction, if there is one.
        let behind_labels = match &node {
            Node::Label(label) => code.is_anchor(*label),
            Node::Instruction(_) => true,
        };
        if behind_labels && !before_is_written {
            let insertion = insertions.before.get(&next).copied().unwrap_or_default();
            insertion.write(class, emitter, &mut new)?;
            before_is_written = true;
        }
        let Node::Instruction(instruction) = &mut node else {
            new.push(node);
            continue;
        };
        if !insertions.jumps.is_empty() {
            instruction.map_targets(|target| {
                let key = (next, targets[target.number()] as u32);
                let Some(insertion) = insertions.jumps.get(&key) else { return target };
                let (from, to) = (key.0 as usize, key.1 as usize);
                let known = detours.iter().rev().take_while(|detour| detour.from == from);
                if let Some(detour) = known.into_iter().find(|detour| detour.to == to) {
                    return detour.label;
                }
                let label = code.new_label();
                detours.push(Detour { from, to, label, target, insertion: *insertion });
                label
            });
        }
        match (insertions.replaced.get(&next), &node) {
            (Some(number), Node::Instruction(Instruction::Plain(op))) => {
                emitter.compare(&mut class.pool, *op, *number, &mut new)?;
            }
            _ => new.push(node),
        }
        let insertion = insertions.after.get(&next).copied().unwrap_or_default();
        insertion.write(class, emitter, &mut new)?;
        next += 1;
        before_is_written = false;
    }
    code.nodes = new;
    Ok(detours)
}

/// Appends the detours, each with the frame of the place it leads to.
fn write_detours(
    class: &mut ClassFile,
    index: usize,
    code: &mut Code,
    detours: &[Detour],
    targets: &[usize],
    emitter: &mut Emitter,
) -> Result<(), Obstacle> {
    if detours.is_empty() {
        return Ok(());
    }
    let states = frame_states(class, index, code, targets)?;
    let size = code.instructions().fold(0, |offset, next| offset + next.size(offset));
    let per_detour = emit::PROBE_SIZE + emit::STEP_SIZE + 3;
    let op = if size + detours.len() * per_detour > JUMP_REACH { GOTO_W } else { GOTO };
    let lines = line_by_instruction(code, targets);
    let mut frames = Vec::new();
    let mut line_entries = Vec::new();
    for detour in detours {
        match states.get(&detour.to) {
            Some(state) => frames.push(Frame { at: detour.label, kind: state.to_kind() }),
            None if class.major_version >= FRAMES_REQUIRED => return Err(Obstacle::MissingFrame),
            None => {}
        }
        // Only a step can throw, and so show its line.
        let line = lines.range(..=detour.from).next_back();
        if let (true, Some((_, line))) = (detour.insertion.step, line) {
            line_entries.push(LineEntry { at: detour.label, line: *line });
        }
        code.nodes.push(Node::Label(detour.label));
        detour.insertion.write(class, emitter, &mut code.nodes)?;
        emit::push(&mut code.nodes, Instruction::Jump { op, target: detour.target });
    }
    if let Some(present) = code.frames_mut() {
        present.extend(frames);
    }
    let tables = code.tables.iter_mut().find_map(|table| match table {
        CodeTable::Lines { entries, .. } => Some(entries),
        _ => None,
    });
    if let Some(present) = tables {
        present.extend(line_entries);
    }
    Ok(())
}

/// The lines that begin at instructions.
fn line_by_instruction(code: &Code, targets: &[usize]) -> std::collections::BTreeMap<usize, u16> {
    // The label at the start of the method is new: it has no entry among the targets.
    let position = |label: Label| targets.get(label.number()).copied().unwrap_or(0);
    code.lines().map(|entry| (position(entry.at), entry.line)).collect()
}

/// Locals and stack at every instruction that has a frame.
fn frame_states(
    class: &mut ClassFile,
    index: usize,
    code: &Code,
    targets: &[usize],
) -> Result<FxHashMap<usize, FrameState>, Obstacle> {
    let mut states = FxHashMap::default();
    if code.frames().is_empty() {
        return Ok(states);
    }
    let mut state = FrameState::initial(class, index)?;
    for frame in code.frames() {
        if !state.apply(&frame.kind) {
            let reason = "a stack map frame removes more locals than there are";
            return Err(ClassFileError::Corrupt { offset: 0, reason }.into());
        }
        states.insert(targets[frame.at.number()], state.clone());
    }
    Ok(states)
}

/// The instructions that have a frame, ascending.
fn framed_instructions(code: &Code) -> Vec<usize> {
    let targets = code.label_instructions();
    code.frames().iter().map(|frame| targets[frame.at.number()]).collect()
}
