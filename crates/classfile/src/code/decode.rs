//! Bytes of a method body to nodes and tables.
//!
//! Positions become labels first; when all tables are read, the labels are woven between the
//! instructions, and a position inside an instruction is an error.

use rustc_hash::FxHashMap;

use super::opcode::*;
use super::{Code, CodeView, Handler, Instruction, Label, LookupSwitch, Node, TableSwitch, table};
use crate::reader::Reader;
use crate::{ClassFileError, ConstantPool};

/// Labels by the offsets they stand for.
pub(super) struct Labels {
    /// The label at each offset, the end included.
    by_offset: Vec<Option<Label>>,
    /// Labels that belong to the instruction at an offset.
    anchors: FxHashMap<usize, Label>,
    count: u32,
    /// An offset behind the end of the code that some table named.
    outside: Option<usize>,
}

impl Labels {
    /// The label of a position.
    pub(super) fn at(&mut self, offset: usize) -> Label {
        match self.by_offset.get_mut(offset) {
            Some(Some(label)) => *label,
            Some(slot) => {
                let label = Label(self.count);
                self.count += 1;
                *slot = Some(label);
                label
            }
            None => {
                self.outside = Some(offset);
                Label(0)
            }
        }
    }

    /// The label of the instruction at a position: code inserted at the position comes before.
    pub(super) fn anchor(&mut self, offset: usize) -> Label {
        if offset >= self.by_offset.len() {
            self.outside = Some(offset);
        }
        *self.anchors.entry(offset).or_insert_with(|| {
            let label = Label(self.count);
            self.count += 1;
            label
        })
    }
}

pub(super) fn decode(view: &CodeView, pool: &ConstantPool) -> Result<Code, ClassFileError> {
    let length = view.bytes.len();
    let base = view.bytes.offset();
    let mut labels = Labels {
        by_offset: vec![None; length + 1],
        anchors: FxHashMap::default(),
        count: 0,
        outside: None,
    };
    let mut instructions = Vec::with_capacity(length / 2);
    let mut reader = Reader::new(&view.bytes, base);
    while !reader.is_empty() {
        let offset = reader.position();
        instructions.push((offset, read_instruction(&mut reader, length, &mut labels)?));
    }
    let handlers = view
        .handlers
        .iter()
        .map(|&[start, end, target, catch_type]| Handler {
            start: labels.at(start.into()),
            end: labels.at(end.into()),
            target: labels.at(target.into()),
            catch_type,
        })
        .collect();
    let tables = view
        .attributes
        .iter()
        .map(|attribute| table::decode(attribute, pool, &mut labels))
        .collect::<Result<_, _>>()?;
    if let Some(outside) = labels.outside {
        let reason = "a table names a position behind the end of the code";
        return Err(ClassFileError::Corrupt { offset: base + outside, reason });
    }
    Ok(Code {
        max_stack: view.max_stack,
        max_locals: view.max_locals,
        nodes: weave(instructions, &labels, base)?,
        handlers,
        tables,
        labels: labels.count,
        anchors: labels.anchors.into_values().collect(),
        narrow: view.narrow,
    })
}

/// Puts the labels between the instructions.
fn weave(
    instructions: Vec<(usize, Instruction)>,
    labels: &Labels,
    base: usize,
) -> Result<Vec<Node>, ClassFileError> {
    let mut nodes = Vec::with_capacity(instructions.len() + labels.count as usize);
    let end = labels.by_offset.len() - 1;
    let mut placed = 0;
    for (offset, instruction) in instructions {
        if let Some(label) = labels.by_offset[offset] {
            nodes.push(Node::Label(label));
            placed += 1;
        }
        if let Some(label) = labels.anchors.get(&offset) {
            nodes.push(Node::Label(*label));
            placed += 1;
        }
        nodes.push(Node::Instruction(instruction));
    }
    if let Some(label) = labels.by_offset[end] {
        nodes.push(Node::Label(label));
        placed += 1;
    }
    if placed != labels.count {
        let reason = "a jump or table names a position inside an instruction";
        return Err(ClassFileError::Corrupt { offset: base, reason });
    }
    Ok(nodes)
}

const WHAT: &str = "an instruction";

fn read_instruction(
    reader: &mut Reader<'_>,
    length: usize,
    labels: &mut Labels,
) -> Result<Instruction, ClassFileError> {
    let start = reader.position();
    let op = reader.u1(WHAT)?;
    Ok(match op {
        BIPUSH => Instruction::PushByte(reader.u1(WHAT)?.cast_signed()),
        SIPUSH => Instruction::PushShort(reader.i2(WHAT)?),
        LDC => Instruction::Ldc { op, index: reader.u1(WHAT)?.into() },
        LDC_W | LDC2_W => Instruction::Ldc { op, index: reader.u2(WHAT)? },
        ILOAD..=ALOAD | ISTORE..=ASTORE | RET => {
            Instruction::Local { op, index: reader.u1(WHAT)?.into(), wide: false }
        }
        IINC => Instruction::Increment {
            index: reader.u1(WHAT)?.into(),
            amount: reader.u1(WHAT)?.cast_signed().into(),
            wide: false,
        },
        WIDE => match reader.u1(WHAT)? {
            op @ (ILOAD..=ALOAD | ISTORE..=ASTORE | RET) => {
                Instruction::Local { op, index: reader.u2(WHAT)?, wide: true }
            }
            IINC => Instruction::Increment {
                index: reader.u2(WHAT)?,
                amount: reader.i2(WHAT)?,
                wide: true,
            },
            _ => return Err(reader.corrupt_at(start, "`wide` before an instruction without slot")),
        },
        IFEQ..=JSR | IFNULL | IFNONNULL => {
            let distance = i32::from(reader.i2(WHAT)?);
            Instruction::Jump { op, target: jump(reader, start, distance, length, labels)? }
        }
        GOTO_W | JSR_W => {
            let distance = reader.i4(WHAT)?;
            Instruction::Jump { op, target: jump(reader, start, distance, length, labels)? }
        }
        TABLESWITCH => read_table_switch(reader, start, length, labels)?,
        LOOKUPSWITCH => read_lookup_switch(reader, start, length, labels)?,
        GETSTATIC..=INVOKESTATIC | NEW | ANEWARRAY | CHECKCAST | INSTANCEOF => {
            Instruction::Constant { op, index: reader.u2(WHAT)? }
        }
        INVOKEINTERFACE => {
            let instruction =
                Instruction::InvokeInterface { index: reader.u2(WHAT)?, count: reader.u1(WHAT)? };
            if reader.u1(WHAT)? != 0 {
                return Err(reader.corrupt_at(start, "`invokeinterface` must end in a zero"));
            }
            instruction
        }
        INVOKEDYNAMIC => {
            let instruction = Instruction::InvokeDynamic { index: reader.u2(WHAT)? };
            if reader.u2(WHAT)? != 0 {
                return Err(reader.corrupt_at(start, "`invokedynamic` must end in two zeros"));
            }
            instruction
        }
        NEWARRAY => Instruction::NewArray(reader.u1(WHAT)?),
        MULTIANEWARRAY => {
            Instruction::MultiNewArray { index: reader.u2(WHAT)?, dimensions: reader.u1(WHAT)? }
        }
        0..=JSR_W => Instruction::Plain(op),
        _ => return Err(reader.corrupt_at(start, "unknown instruction")),
    })
}

fn read_table_switch(
    reader: &mut Reader<'_>,
    start: usize,
    length: usize,
    labels: &mut Labels,
) -> Result<Instruction, ClassFileError> {
    reader.take(3 - start % 4, WHAT)?;
    let default = reader.i4(WHAT)?;
    let default = jump(reader, start, default, length, labels)?;
    let low = reader.i4(WHAT)?;
    let high = reader.i4(WHAT)?;
    let count = i64::from(high) - i64::from(low) + 1;
    if count < 0 || count > (reader.remaining() / 4) as i64 {
        return Err(reader.corrupt_at(start, "`tableswitch` with bad bounds"));
    }
    let targets = (0..count)
        .map(|_| {
            let distance = reader.i4(WHAT)?;
            jump(reader, start, distance, length, labels)
        })
        .collect::<Result<_, _>>()?;
    Ok(Instruction::TableSwitch(Box::new(TableSwitch { default, low, targets })))
}

fn read_lookup_switch(
    reader: &mut Reader<'_>,
    start: usize,
    length: usize,
    labels: &mut Labels,
) -> Result<Instruction, ClassFileError> {
    reader.take(3 - start % 4, WHAT)?;
    let default = reader.i4(WHAT)?;
    let default = jump(reader, start, default, length, labels)?;
    let count = reader.i4(WHAT)?;
    if count < 0 || count as usize > reader.remaining() / 8 {
        return Err(reader.corrupt_at(start, "`lookupswitch` with bad number of pairs"));
    }
    let pairs = (0..count)
        .map(|_| {
            let value = reader.i4(WHAT)?;
            let distance = reader.i4(WHAT)?;
            Ok((value, jump(reader, start, distance, length, labels)?))
        })
        .collect::<Result<_, _>>()?;
    Ok(Instruction::LookupSwitch(Box::new(LookupSwitch { default, pairs })))
}

/// The label a jump from `start` leads to.
fn jump(
    reader: &Reader<'_>,
    start: usize,
    distance: i32,
    length: usize,
    labels: &mut Labels,
) -> Result<Label, ClassFileError> {
    usize::try_from(start as i64 + i64::from(distance))
        .ok()
        .filter(|target| *target < length)
        .map(|target| labels.at(target))
        .ok_or_else(|| reader.corrupt_at(start, "a jump out of the code"))
}
