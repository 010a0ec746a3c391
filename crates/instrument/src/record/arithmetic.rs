//! Arithmetic of a test, as calls that do the same and tell it.

use classfile::opcode::*;
use classfile::{ClassFile, ClassFileError, Instruction, Node};

use super::tap::told;
use crate::emit;

/// Operand stack slots that telling needs on top of what is there.
pub(super) const STACK: u16 = 2;

/// Appends what does the same as an instruction and tells it; `false` if it is no arithmetic.
pub(super) fn tell(
    class: &mut ClassFile,
    instruction: &Instruction,
    out: &mut Vec<Node>,
) -> Result<bool, ClassFileError> {
    match *instruction {
        Instruction::Plain(op) => {
            let Some((operator, descriptor)) = binary(op) else { return Ok(false) };
            emit::number(&mut class.pool, u32::from(operator), out)?; // a b operator
            emit::push(out, told(class, "binary", descriptor)?); // result
        }
        Instruction::Increment { index, amount, .. } => {
            emit::push(out, instruction.clone());
            emit::push(out, Instruction::Local { op: ILOAD, index, wide: index > 255 }); // now
            emit::push(out, Instruction::PushShort(amount)); // now by
            emit::push(out, told(class, "grown", "(II)V")?); //
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// The sign by which an operation is told, and what tells it.
fn binary(op: u8) -> Option<(u8, &'static str)> {
    const INT: &str = "(III)I";
    const LONG: &str = "(JJI)J";
    const FLOAT: &str = "(FFI)F";
    const DOUBLE: &str = "(DDI)D";
    let of_types = |sign: u8, first: u8| {
        [INT, LONG, FLOAT, DOUBLE]
            .get(usize::from(op - first))
            .map(|descriptor| (sign, *descriptor))
    };
    match op {
        IADD..=DADD => of_types(b'+', IADD),
        ISUB..=DSUB => of_types(b'-', ISUB),
        IMUL..=DMUL => of_types(b'*', IMUL),
        IDIV..=DDIV => of_types(b'/', IDIV),
        IREM..=DREM => of_types(b'%', IREM),
        IAND => Some((b'&', INT)),
        LAND => Some((b'&', LONG)),
        IOR => Some((b'|', INT)),
        LOR => Some((b'|', LONG)),
        IXOR => Some((b'^', INT)),
        LXOR => Some((b'^', LONG)),
        ISHL => Some((b'<', INT)),
        ISHR => Some((b'>', INT)),
        IUSHR => Some((b'u', INT)),
        _ => None,
    }
}
