//! Arithmetic on constants as the JVM does it (JVMS 6.5): ints wrap, shifts use the low bits.

use classfile::opcode::*;
use model::Literal::{self, Double, Float, Int, Long};

/// The result of an arithmetic instruction on constants; `None` if it throws or is none.
pub(super) fn fold(op: u8, args: &[&Literal]) -> Option<Literal> {
    match *args {
        [&Int(a)] => unary_int(op, a),
        [&Long(a)] => Some(match op {
            LNEG => Long(a.wrapping_neg()),
            L2I => Int(a as i32),
            L2F => Float(a as f32),
            L2D => Double(a as f64),
            _ => return None,
        }),
        // Rust's casts from floating point saturate and turn NaN to 0, as Java's do.
        [&Float(a)] => Some(match op {
            FNEG => Float(-a),
            F2I => Int(a as i32),
            F2L => Long(a as i64),
            F2D => Double(f64::from(a)),
            _ => return None,
        }),
        [&Double(a)] => Some(match op {
            DNEG => Double(-a),
            D2I => Int(a as i32),
            D2L => Long(a as i64),
            D2F => Float(a as f32),
            _ => return None,
        }),
        [&Int(a), &Int(b)] => binary_int(op, a, b),
        [&Long(a), &Long(b)] => binary_long(op, a, b),
        [&Long(a), &Int(by)] => Some(Long(match op {
            LSHL => a.wrapping_shl(by as u32),
            LSHR => a.wrapping_shr(by as u32),
            LUSHR => (a as u64).wrapping_shr(by as u32) as i64,
            _ => return None,
        })),
        [&Float(a), &Float(b)] => Some(Float(match op {
            FADD => a + b,
            FSUB => a - b,
            FMUL => a * b,
            FDIV => a / b,
            FREM => a % b,
            _ => return None,
        })),
        [&Double(a), &Double(b)] => Some(Double(match op {
            DADD => a + b,
            DSUB => a - b,
            DMUL => a * b,
            DDIV => a / b,
            DREM => a % b,
            _ => return None,
        })),
        _ => None,
    }
}

fn unary_int(op: u8, a: i32) -> Option<Literal> {
    Some(match op {
        INEG => Int(a.wrapping_neg()),
        I2L => Long(a.into()),
        I2F => Float(a as f32),
        I2D => Double(a.into()),
        I2B => Int((a as i8).into()),
        I2C => Int((a as u16).into()),
        I2S => Int((a as i16).into()),
        _ => return None,
    })
}

fn binary_int(op: u8, a: i32, b: i32) -> Option<Literal> {
    Some(Int(match op {
        IADD => a.wrapping_add(b),
        ISUB => a.wrapping_sub(b),
        IMUL => a.wrapping_mul(b),
        IDIV if b != 0 => a.wrapping_div(b),
        IREM if b != 0 => a.wrapping_rem(b),
        ISHL => a.wrapping_shl(b as u32),
        ISHR => a.wrapping_shr(b as u32),
        IUSHR => (a as u32).wrapping_shr(b as u32) as i32,
        IAND => a & b,
        IOR => a | b,
        IXOR => a ^ b,
        _ => return None,
    }))
}

fn binary_long(op: u8, a: i64, b: i64) -> Option<Literal> {
    Some(Long(match op {
        LADD => a.wrapping_add(b),
        LSUB => a.wrapping_sub(b),
        LMUL => a.wrapping_mul(b),
        LDIV if b != 0 => a.wrapping_div(b),
        LREM if b != 0 => a.wrapping_rem(b),
        LAND => a & b,
        LOR => a | b,
        LXOR => a ^ b,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(op: u8, args: &[Literal], expected: Option<Literal>) {
        let args: Vec<&Literal> = args.iter().collect();
        assert_eq!(fold(op, &args), expected, "{:?} {args:?}", name(op));
    }

    #[test]
    fn ints_wrap_and_shifts_use_the_low_bits() {
        check(IADD, &[Int(i32::MAX), Int(1)], Some(Int(i32::MIN)));
        check(IDIV, &[Int(i32::MIN), Int(-1)], Some(Int(i32::MIN)));
        check(ISHL, &[Int(1), Int(33)], Some(Int(2)));
        check(IUSHR, &[Int(-1), Int(28)], Some(Int(15)));
        check(LSHR, &[Long(-8), Int(65)], Some(Long(-4)));
        check(INEG, &[Int(i32::MIN)], Some(Int(i32::MIN)));
    }

    #[test]
    fn division_by_zero_is_left_to_the_jvm() {
        check(IDIV, &[Int(1), Int(0)], None);
        check(LREM, &[Long(1), Long(0)], None);
        check(DDIV, &[Double(1.0), Double(0.0)], Some(Double(f64::INFINITY)));
    }

    #[test]
    fn conversions_saturate_and_truncate() {
        check(D2I, &[Double(1e30)], Some(Int(i32::MAX)));
        check(F2L, &[Float(f32::NAN)], Some(Long(0)));
        check(L2I, &[Long(0x1_0000_0005)], Some(Int(5)));
        check(I2B, &[Int(200)], Some(Int(-56)));
        check(I2C, &[Int(-1)], Some(Int(65535)));
    }

    #[test]
    fn operands_of_the_wrong_type_are_not_folded() {
        check(LADD, &[Int(1), Int(2)], None);
        check(IADD, &[Int(1), Long(2)], None);
    }
}
