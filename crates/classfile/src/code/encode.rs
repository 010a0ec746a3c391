//! Nodes and tables to the bytes of a method body.
//!
//! Instructions keep their forms, so one pass fixes all offsets: the padding of a switch
//! depends on what precedes it only. A jump that no longer fits its form is an error.

use super::frame;
use super::instruction::is_wide_jump;
use super::opcode::*;
use super::{Code, CodeTable, Instruction, Label, Node, OffsetTarget};
use crate::ClassFileError;

const UNPLACED: u32 = u32::MAX;

pub(super) fn encode(code: &Code) -> Result<Vec<u8>, ClassFileError> {
    let (offsets, length) = layout(code)?;
    let offset_of = |label: Label| match offsets.get(label.number()) {
        // `layout` has checked that no offset exceeds 65535.
        Some(&offset) if offset != UNPLACED => Ok(offset as u16),
        _ => Err(ClassFileError::UnplacedLabel { label: label.0 }),
    };
    let mut out = Vec::with_capacity(length + 64);
    write_sizes(code, length, &mut out)?;
    let start = out.len();
    for node in &code.nodes {
        if let Node::Instruction(instruction) = node {
            let offset = out.len() - start;
            write_instruction(instruction, offset, &mut out, &offset_of)?;
        }
    }
    debug_assert_eq!(out.len() - start, length);
    write_count(code.handlers.len(), "more than 65535 exception handlers", &mut out)?;
    for handler in &code.handlers {
        for label in [handler.start, handler.end, handler.target] {
            out.extend(offset_of(label)?.to_be_bytes());
        }
        out.extend(handler.catch_type.to_be_bytes());
    }
    write_count(code.tables.len(), "more than 65535 attributes", &mut out)?;
    for table in &code.tables {
        write_table(table, &mut out, &offset_of)?;
    }
    Ok(out)
}

/// The offsets of the labels, and the length of the code.
fn layout(code: &Code) -> Result<(Vec<u32>, usize), ClassFileError> {
    let mut offsets = vec![UNPLACED; code.label_count()];
    let mut offset = 0;
    for node in &code.nodes {
        match node {
            Node::Label(label) => offsets[label.number()] = offset as u32,
            Node::Instruction(instruction) => offset += instruction.size(offset),
        }
    }
    if offset > usize::from(u16::MAX) {
        return Err(ClassFileError::CodeTooLarge { reason: "more than 65535 bytes of code" });
    }
    Ok((offsets, offset))
}

fn write_sizes(code: &Code, length: usize, out: &mut Vec<u8>) -> Result<(), ClassFileError> {
    // `layout` has checked that the length has 16 bits.
    if code.narrow {
        for size in [code.max_stack, code.max_locals] {
            let reason = "more than 255 slots in a class file before 45.3";
            out.push(u8::try_from(size).map_err(|_| ClassFileError::CodeTooLarge { reason })?);
        }
        out.extend((length as u16).to_be_bytes());
    } else {
        out.extend(code.max_stack.to_be_bytes());
        out.extend(code.max_locals.to_be_bytes());
        out.extend((length as u32).to_be_bytes());
    }
    Ok(())
}

fn write_instruction(
    instruction: &Instruction,
    offset: usize,
    out: &mut Vec<u8>,
    offset_of: &impl Fn(Label) -> Result<u16, ClassFileError>,
) -> Result<(), ClassFileError> {
    let distance = |target: Label| Ok(i32::from(offset_of(target)?) - offset as i32);
    match instruction {
        Instruction::Plain(op) => out.push(*op),
        Instruction::PushByte(value) => out.extend([BIPUSH, value.cast_unsigned()]),
        Instruction::PushShort(value) => {
            out.push(SIPUSH);
            out.extend(value.to_be_bytes());
        }
        Instruction::Ldc { op: LDC, index } => out.extend([LDC, short(*index)?]),
        Instruction::Ldc { op, index } | Instruction::Constant { op, index } => {
            out.push(*op);
            out.extend(index.to_be_bytes());
        }
        Instruction::Local { op, index, wide: false } => out.extend([*op, short(*index)?]),
        Instruction::Local { op, index, wide: true } => {
            out.extend([WIDE, *op]);
            out.extend(index.to_be_bytes());
        }
        Instruction::Increment { index, amount, wide: false } => {
            let reason = "an increment that needs `wide`";
            let amount =
                i8::try_from(*amount).map_err(|_| ClassFileError::CodeTooLarge { reason })?;
            out.extend([IINC, short(*index)?, amount.cast_unsigned()]);
        }
        Instruction::Increment { index, amount, wide: true } => {
            out.extend([WIDE, IINC]);
            out.extend(index.to_be_bytes());
            out.extend(amount.to_be_bytes());
        }
        Instruction::Jump { op, target } => {
            out.push(*op);
            let distance = distance(*target)?;
            if is_wide_jump(*op) {
                out.extend(distance.to_be_bytes());
            } else {
                let reason = "a jump of more than 32767 bytes";
                let distance =
                    i16::try_from(distance).map_err(|_| ClassFileError::CodeTooLarge { reason })?;
                out.extend(distance.to_be_bytes());
            }
        }
        Instruction::TableSwitch(switch) => {
            out.push(TABLESWITCH);
            out.resize(out.len() + 3 - offset % 4, 0);
            out.extend(distance(switch.default)?.to_be_bytes());
            out.extend(switch.low.to_be_bytes());
            let high = i64::from(switch.low) + switch.targets.len() as i64 - 1;
            let reason = "a `tableswitch` beyond the greatest value";
            let high = i32::try_from(high).map_err(|_| ClassFileError::CodeTooLarge { reason })?;
            out.extend(high.to_be_bytes());
            for target in &switch.targets {
                out.extend(distance(*target)?.to_be_bytes());
            }
        }
        Instruction::LookupSwitch(switch) => {
            out.push(LOOKUPSWITCH);
            out.resize(out.len() + 3 - offset % 4, 0);
            out.extend(distance(switch.default)?.to_be_bytes());
            // The size of the code bounds the number of pairs.
            out.extend((switch.pairs.len() as u32).to_be_bytes());
            for (value, target) in &switch.pairs {
                out.extend(value.to_be_bytes());
                out.extend(distance(*target)?.to_be_bytes());
            }
        }
        Instruction::InvokeInterface { index, count } => {
            out.push(INVOKEINTERFACE);
            out.extend(index.to_be_bytes());
            out.extend([*count, 0]);
        }
        Instruction::InvokeDynamic { index } => {
            out.push(INVOKEDYNAMIC);
            out.extend(index.to_be_bytes());
            out.extend([0, 0]);
        }
        Instruction::NewArray(kind) => out.extend([NEWARRAY, *kind]),
        Instruction::MultiNewArray { index, dimensions } => {
            out.push(MULTIANEWARRAY);
            out.extend(index.to_be_bytes());
            out.push(*dimensions);
        }
    }
    Ok(())
}

fn write_table(
    table: &CodeTable,
    out: &mut Vec<u8>,
    offset_of: &impl Fn(Label) -> Result<u16, ClassFileError>,
) -> Result<(), ClassFileError> {
    let name = match table {
        CodeTable::Raw(attribute) => {
            attribute.write(out);
            return Ok(());
        }
        CodeTable::Lines { name, .. }
        | CodeTable::Locals { name, .. }
        | CodeTable::Frames { name, .. }
        | CodeTable::Patched { name, .. } => *name,
    };
    out.extend(name.to_be_bytes());
    let length_at = out.len();
    out.extend([0; 4]);
    match table {
        CodeTable::Lines { entries, .. } => {
            write_count(entries.len(), "more than 65535 line numbers", out)?;
            for entry in entries {
                out.extend(offset_of(entry.at)?.to_be_bytes());
                out.extend(entry.line.to_be_bytes());
            }
        }
        CodeTable::Locals { variables, .. } => {
            write_count(variables.len(), "more than 65535 local variables", out)?;
            for variable in variables {
                write_range(variable.start, variable.end, out, offset_of)?;
                out.extend(variable.name.to_be_bytes());
                out.extend(variable.descriptor.to_be_bytes());
                out.extend(variable.index.to_be_bytes());
            }
        }
        CodeTable::Frames { frames, .. } => frame::write(frames, out, offset_of)?,
        CodeTable::Patched { bytes, patches, .. } => {
            let start = out.len();
            out.extend_from_slice(bytes);
            for patch in patches {
                let mut value = Vec::with_capacity(4);
                match patch.target {
                    OffsetTarget::Instruction(label) => {
                        value.extend(offset_of(label)?.to_be_bytes());
                    }
                    OffsetTarget::Range(from, to) => write_range(from, to, &mut value, offset_of)?,
                }
                let at = start + patch.at as usize;
                out[at..at + value.len()].copy_from_slice(&value);
            }
        }
        CodeTable::Raw(_) => unreachable!("written above"),
    }
    let length = u32::try_from(out.len() - length_at - 4).expect("tables have 16-bit counts");
    out[length_at..length_at + 4].copy_from_slice(&length.to_be_bytes());
    Ok(())
}

/// Writes a range as its start and length.
fn write_range(
    from: Label,
    to: Label,
    out: &mut Vec<u8>,
    offset_of: &impl Fn(Label) -> Result<u16, ClassFileError>,
) -> Result<(), ClassFileError> {
    let (from, to) = (offset_of(from)?, offset_of(to)?);
    let length = to.checked_sub(from).ok_or(ClassFileError::RangeOrder { from, to })?;
    out.extend(from.to_be_bytes());
    out.extend(length.to_be_bytes());
    Ok(())
}

fn write_count(
    count: usize,
    reason: &'static str,
    out: &mut Vec<u8>,
) -> Result<(), ClassFileError> {
    let count = u16::try_from(count).map_err(|_| ClassFileError::CodeTooLarge { reason })?;
    out.extend(count.to_be_bytes());
    Ok(())
}

/// An index that must fit one byte.
fn short(index: u16) -> Result<u8, ClassFileError> {
    let reason = "an index beyond 255 in the short form of an instruction";
    u8::try_from(index).map_err(|_| ClassFileError::CodeTooLarge { reason })
}
