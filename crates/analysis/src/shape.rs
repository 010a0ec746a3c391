//! How many slots instructions without operands take from the stack and put onto it.

use classfile::opcode::*;

/// The widths of what an instruction pops, bottom first, and of what it pushes.
pub(crate) type Shape = (&'static [u8], u8);

const ONE: &[u8] = &[1];
const TWO: &[u8] = &[2];

/// The shape of an instruction that neither moves stack slots nor touches local variables.
pub(crate) fn shape(op: u8) -> Option<Shape> {
    Some(match op {
        NOP | RETURN => (&[], 0),
        ACONST_NULL..=ICONST_5 | FCONST_0..=FCONST_2 => (&[], 1),
        LCONST_0 | LCONST_1 | DCONST_0 | DCONST_1 => (&[], 2),
        LALOAD | DALOAD => (&[1, 1], 2),
        IALOAD | FALOAD | AALOAD..=SALOAD => (&[1, 1], 1),
        LASTORE | DASTORE => (&[1, 1, 2], 0),
        IASTORE | FASTORE | AASTORE..=SASTORE => (&[1, 1, 1], 0),
        // In each group: int, long, float, double.
        IADD..=DREM => {
            if matches!((op - IADD) % 4, 0 | 2) {
                (&[1, 1], 1)
            } else {
                (&[2, 2], 2)
            }
        }
        INEG | FNEG => (ONE, 1),
        LNEG | DNEG => (TWO, 2),
        ISHL | ISHR | IUSHR | IAND | IOR | IXOR => (&[1, 1], 1),
        LSHL | LSHR | LUSHR => (&[2, 1], 2),
        LAND | LOR | LXOR => (&[2, 2], 2),
        I2F | F2I | I2B | I2C | I2S | ARRAYLENGTH => (ONE, 1),
        I2L | I2D | F2L | F2D => (ONE, 2),
        L2I | L2F | D2I | D2F => (TWO, 1),
        L2D | D2L => (TWO, 2),
        FCMPL | FCMPG => (&[1, 1], 1),
        LCMP | DCMPL | DCMPG => (&[2, 2], 1),
        IRETURN | FRETURN | ARETURN | ATHROW | MONITORENTER | MONITOREXIT => (ONE, 0),
        LRETURN | DRETURN => (TWO, 0),
        _ => return None,
    })
}

/// A load or store of a local variable: whether it stores, the slot, and the width.
pub(crate) fn local_access(op: u8, explicit: Option<u16>) -> Option<(bool, u16, u8)> {
    let width = |kind: u8| if matches!(kind, 1 | 3) { 2 } else { 1 };
    Some(match op {
        ILOAD..=ALOAD => (false, explicit?, width(op - ILOAD)),
        ISTORE..=ASTORE => (true, explicit?, width(op - ISTORE)),
        ILOAD_0..=ALOAD_3 => {
            let number = op - ILOAD_0;
            (false, u16::from(number % 4), width(number / 4))
        }
        ISTORE_0..=ASTORE_3 => {
            let number = op - ISTORE_0;
            (true, u16::from(number % 4), width(number / 4))
        }
        _ => return None,
    })
}

/// How a stack instruction rebuilds the top of the stack: how many slots it takes, and which of
/// them (counted from the bottom one taken) it puts back.
pub(crate) fn shuffle(op: u8) -> Option<(usize, &'static [usize])> {
    Some(match op {
        POP => (1, &[]),
        POP2 => (2, &[]),
        DUP => (1, &[0, 0]),
        DUP_X1 => (2, &[1, 0, 1]),
        DUP_X2 => (3, &[2, 0, 1, 2]),
        DUP2 => (2, &[0, 1, 0, 1]),
        DUP2_X1 => (3, &[1, 2, 0, 1, 2]),
        DUP2_X2 => (4, &[2, 3, 0, 1, 2, 3]),
        SWAP => (2, &[1, 0]),
        _ => return None,
    })
}
