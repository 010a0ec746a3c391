//! Changes of code as data, and the classes they make.
//!
//! Invariant: an edit leaves the labels where they are, so that frames, handlers and tables need not
//! change; what it puts in the place of instructions is never empty, so that no range becomes empty
//! that must not be (JVMS 4.7.3).

use classfile::opcode::*;
use classfile::{
    ClassFile, ClassFileError, Code, Constant, ConstantPool, Instruction, MethodDescriptor, Node,
    descriptor_slots,
};
use serde::{Deserialize, Serialize};

use crate::{Mutant, MutantsError};

/// Some instructions of a method, and what stands in their place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Edit {
    /// The number of the first instruction that is replaced.
    pub start: u32,
    /// The number of the instruction behind the last one.
    pub end: u32,
    /// What stands there instead.
    pub with: Vec<Op>,
}

/// An instruction that an edit writes. Constants stand in it themselves, not their indices.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Op {
    /// An instruction without operands, by its operation code.
    Plain(u8),
    /// Pushes an `int`.
    Int(i32),
    /// Pushes a `long`.
    Long(i64),
    /// Pushes a `float`, given as its bits.
    Float(u32),
    /// Pushes a `double`, given as its bits.
    Double(u64),
    /// Pushes a text.
    Text(String),
    /// Adds to a local variable.
    Increment {
        /// Its slot.
        index: u16,
        /// What is added.
        amount: i16,
    },
    /// A jump by this operation to where another instruction of the unchanged method leads.
    Jump {
        /// The operation.
        op: u8,
        /// The number of the other instruction.
        like: u32,
    },
    /// The switch with this number, whose default and first other target have changed places: the former
    /// stands for every other target now.
    SwappedSwitch(u32),
    /// Calls a static method.
    Call {
        /// The internal name of its class.
        class: String,
        /// Its name.
        name: String,
        /// Its descriptor.
        descriptor: String,
        /// Whether the class is an interface.
        interface: bool,
    },
}

/// Makes a mutant of a class.
///
/// # Errors
/// If the class cannot be read, or the mutant is none of it.
pub fn apply(class: &[u8], mutant: &Mutant) -> Result<Vec<u8>, MutantsError> {
    let parsed = ClassFile::parse(class)
        .map_err(|source| MutantsError::ClassFile { class: mutant.class.clone(), source })?;
    apply_to(&parsed, mutant)
}

/// The same for a class that was read before.
///
/// # Errors
/// If the mutant is none of the class.
pub fn apply_to(class: &ClassFile, mutant: &Mutant) -> Result<Vec<u8>, MutantsError> {
    let mismatch = |reason| MutantsError::Mismatch { mutant: mutant.id.clone(), reason };
    let bad = |source| MutantsError::ClassFile { class: mutant.class.clone(), source };
    if class.name().map_err(bad)? != mutant.class {
        return Err(mismatch("it is of another class"));
    }
    let index = class.methods.iter().position(|method| {
        method.name(&class.pool).is_ok_and(|name| name == mutant.method)
            && method.descriptor(&class.pool).is_ok_and(|found| found == mutant.descriptor)
    });
    let index = index.ok_or_else(|| mismatch("the class has no such method"))?;
    let code = Code::decode(class, &class.methods[index]).map_err(bad)?;
    let mut code = code.ok_or_else(|| mismatch("the method has no code"))?;
    let mut class = class.clone();
    edit(&mut code, &mut class.pool, &mutant.edits).map_err(|obstacle| match obstacle {
        Obstacle::ClassFile(source) => bad(source),
        Obstacle::Mismatch(reason) => mismatch(reason),
    })?;
    let bytes = code.encode().map_err(bad)?;
    class.methods[index].attributes.replace(&class.pool, "Code", bytes);
    Ok(class.to_bytes())
}

/// Why code cannot be edited.
#[derive(Debug)]
pub(crate) enum Obstacle {
    ClassFile(ClassFileError),
    Mismatch(&'static str),
}

impl From<ClassFileError> for Obstacle {
    fn from(error: ClassFileError) -> Self {
        Self::ClassFile(error)
    }
}

/// Edits the code of a method.
pub(crate) fn edit(
    code: &mut Code,
    pool: &mut ConstantPool,
    edits: &[Edit],
) -> Result<(), Obstacle> {
    let originals: Vec<Instruction> = code.instructions().cloned().collect();
    let mut growth = 0;
    let mut written: Vec<(usize, usize, Vec<Instruction>)> = Vec::with_capacity(edits.len());
    for edit in edits {
        let (start, end) = (edit.start as usize, edit.end as usize);
        if start >= end || end > originals.len() || edit.with.is_empty() {
            return Err(Obstacle::Mismatch("the method has fewer instructions"));
        }
        let with = edit.with.iter().map(|op| op.write(pool, &originals));
        written.push((start, end, with.collect::<Result<_, _>>()?));
        growth = growth.max(stack_growth(&edit.with)?);
    }
    written.sort_unstable_by_key(|(start, ..)| *start);
    if written.windows(2).any(|pair| pair[0].1 > pair[1].0) {
        return Err(Obstacle::Mismatch("two edits are at one place"));
    }
    let mut nodes = Vec::with_capacity(code.nodes.len() + 8);
    let mut pending = written.into_iter().peekable();
    let (mut next, mut left_out) = (0, 0);
    for node in std::mem::take(&mut code.nodes) {
        if let Node::Instruction(_) = node {
            if let Some((_, end, with)) = pending.next_if(|(start, ..)| *start == next) {
                nodes.extend(with.into_iter().map(Node::Instruction));
                left_out = end;
            }
            next += 1;
            if next <= left_out {
                continue;
            }
        }
        nodes.push(node);
    }
    code.nodes = nodes;
    let too_deep = ClassFileError::CodeTooLarge { reason: "more than 65535 stack slots" };
    code.max_stack = code.max_stack.checked_add(growth).ok_or(too_deep)?;
    Ok(())
}

/// How many slots are needed, at most, beyond those in use where the operations begin.
fn stack_growth(with: &[Op]) -> Result<u16, ClassFileError> {
    let (mut depth, mut most) = (0_i64, 0);
    for op in with {
        depth += match op {
            Op::Plain(POP) => -1,
            Op::Plain(POP2) => -2,
            Op::Plain(LCONST_0..=LCONST_1 | DCONST_0..=DCONST_1) | Op::Long(_) | Op::Double(_) => 2,
            Op::Plain(ACONST_NULL | FCONST_0..=FCONST_2) => 1,
            Op::Int(_) | Op::Float(_) | Op::Text(_) => 1,
            Op::Plain(_) | Op::Increment { .. } | Op::SwappedSwitch(_) => 0,
            Op::Jump { op, .. } => match *op {
                GOTO => 0,
                IF_ICMPEQ..=IF_ACMPNE => -2,
                _ => -1,
            },
            Op::Call { descriptor, .. } => {
                let parsed = MethodDescriptor::parse(descriptor)?;
                i64::from(descriptor_slots(parsed.result)) - parsed.parameter_slots() as i64
            }
        };
        most = most.max(depth);
    }
    Ok(u16::try_from(most).unwrap_or(u16::MAX))
}

impl Op {
    fn write(
        &self,
        pool: &mut ConstantPool,
        originals: &[Instruction],
    ) -> Result<Instruction, Obstacle> {
        Ok(match self {
            Self::Plain(op) => Instruction::Plain(*op),
            Self::Int(value) => push_int(pool, *value)?,
            Self::Long(value @ 0..=1) => Instruction::Plain(LCONST_0 + *value as u8),
            Self::Long(value) => Instruction::Ldc { op: LDC2_W, index: pool.add_long(*value)? },
            Self::Float(bits) => match [0.0_f32, 1.0, 2.0].map(f32::to_bits) {
                [zero, ..] if *bits == zero => Instruction::Plain(FCONST_0),
                [_, one, _] if *bits == one => Instruction::Plain(FCONST_1),
                [.., two] if *bits == two => Instruction::Plain(FCONST_2),
                _ => ldc(pool.add(Constant::Float(*bits))?),
            },
            Self::Double(bits) => match [0.0_f64, 1.0].map(f64::to_bits) {
                [zero, _] if *bits == zero => Instruction::Plain(DCONST_0),
                [_, one] if *bits == one => Instruction::Plain(DCONST_1),
                _ => Instruction::Ldc { op: LDC2_W, index: pool.add(Constant::Double(*bits))? },
            },
            Self::Text(text) => ldc(pool.add_string(text)?),
            Self::Increment { index, amount } => {
                let wide = *index > 255 || i8::try_from(*amount).is_err();
                Instruction::Increment { index: *index, amount: *amount, wide }
            }
            Self::Jump { op, like } => match originals.get(*like as usize) {
                Some(Instruction::Jump { target, .. }) => {
                    Instruction::Jump { op: *op, target: *target }
                }
                _ => return Err(Obstacle::Mismatch("the method jumps elsewhere")),
            },
            Self::SwappedSwitch(like) => originals
                .get(*like as usize)
                .and_then(swapped)
                .ok_or(Obstacle::Mismatch("the method has other switches"))?,
            Self::Call { class, name, descriptor, interface } => {
                let index = if *interface {
                    pool.add_interface_method_ref(class, name, descriptor)?
                } else {
                    pool.add_method_ref(class, name, descriptor)?
                };
                Instruction::Constant { op: INVOKESTATIC, index }
            }
        })
    }
}

fn push_int(pool: &mut ConstantPool, value: i32) -> Result<Instruction, ClassFileError> {
    Ok(match value {
        -1..=5 => Instruction::Plain((i32::from(ICONST_0) + value) as u8),
        -128..=127 => Instruction::PushByte(value as i8),
        -32_768..=32_767 => Instruction::PushShort(value as i16),
        _ => ldc(pool.add_integer(value)?),
    })
}

fn ldc(index: u16) -> Instruction {
    Instruction::Ldc { op: if index <= 255 { LDC } else { LDC_W }, index }
}

/// A switch whose default leads to the first target that differs from it, and all else to the default.
pub(crate) fn swapped(switch: &Instruction) -> Option<Instruction> {
    let mut targets = switch.targets();
    let default = targets.next().filter(|_| switch.is_switch())?;
    let first = targets.find(|target| *target != default)?;
    let mut written = switch.clone();
    let mut is_default = true;
    // The default is told first.
    written.map_targets(|_| if std::mem::take(&mut is_default) { first } else { default });
    Some(written)
}
