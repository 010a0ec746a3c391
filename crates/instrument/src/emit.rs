//! The instructions that are inserted.
//!
//! All have a fixed size whatever the id, so that the layout of a method does not depend on
//! where its probes begin in the map.

use classfile::opcode::{BASTORE, GETSTATIC, ICONST_1, INVOKESTATIC, LDC_W};
use classfile::{ClassFileError, ConstantPool, Instruction, Node};

use crate::names::{RUNTIME, RuntimeNames};

/// Operand stack slots a probe needs on top of what is there.
pub(crate) const PROBE_STACK: u16 = 3;

/// Bytes of a probe.
pub(crate) const PROBE_SIZE: usize = 8;

/// Bytes of a call of `step`.
pub(crate) const STEP_SIZE: usize = 3;

/// References to members of the runtime class, looked up once per class.
#[derive(Clone, Copy, Default)]
pub(crate) struct Emitter {
    map: Option<u16>,
    step: Option<u16>,
}

impl Emitter {
    /// Appends a probe: `.. -> ..`, with three slots more in between.
    pub(crate) fn probe(
        &mut self,
        pool: &mut ConstantPool,
        id: u32,
        out: &mut Vec<Node>,
    ) -> Result<(), ClassFileError> {
        const DESCRIPTOR: &str = RuntimeNames::MAP_DESCRIPTOR;
        let map = match self.map {
            Some(map) => map,
            None => pool.add_field_ref(RUNTIME.class, RUNTIME.map, DESCRIPTOR)?,
        };
        self.map = Some(map);
        push(out, Instruction::Constant { op: GETSTATIC, index: map }); // .. map
        number(pool, id, out)?; // .. map id
        push(out, Instruction::Plain(ICONST_1)); // .. map id 1
        push(out, Instruction::Plain(BASTORE)); // ..
        Ok(())
    }

    /// Appends a call that counts down the step budget: `.. -> ..`.
    pub(crate) fn step(
        &mut self,
        pool: &mut ConstantPool,
        out: &mut Vec<Node>,
    ) -> Result<(), ClassFileError> {
        const DESCRIPTOR: &str = RuntimeNames::STEP_DESCRIPTOR;
        let step = match self.step {
            Some(step) => step,
            None => pool.add_method_ref(RUNTIME.class, RUNTIME.step, DESCRIPTOR)?,
        };
        self.step = Some(step);
        push(out, Instruction::Constant { op: INVOKESTATIC, index: step });
        Ok(())
    }
}

/// Appends a call of a method of the runtime class that takes an `int`: `.. int -> ..`.
pub(crate) fn call_with_int(
    pool: &mut ConstantPool,
    method: &str,
    out: &mut Vec<Node>,
) -> Result<(), ClassFileError> {
    let method = pool.add_method_ref(RUNTIME.class, method, RuntimeNames::INT_DESCRIPTOR)?;
    push(out, Instruction::Constant { op: INVOKESTATIC, index: method });
    Ok(())
}

/// Appends a push of a number, always in three bytes: `.. -> .. int`.
pub(crate) fn number(
    pool: &mut ConstantPool,
    value: u32,
    out: &mut Vec<Node>,
) -> Result<(), ClassFileError> {
    let instruction = match i16::try_from(value) {
        Ok(short) => Instruction::PushShort(short),
        Err(_) => Instruction::Ldc { op: LDC_W, index: pool.add_integer(value.cast_signed())? },
    };
    push(out, instruction);
    Ok(())
}

pub(crate) fn push(out: &mut Vec<Node>, instruction: Instruction) {
    out.push(Node::Instruction(instruction));
}
