//! Changing a value a little (the primitive half of requirement G5).
//!
//! Numbers move by a Gaussian with σ = 30, as in the paper, and now and then by a power of two, for
//! what is far away; those with a fraction are now and then multiplied by one instead, or turned
//! around. Texts get a character inserted, removed or replaced, or are cut.

use model::{JavaString, Literal};

use crate::Rng;
use crate::guided::aim::text_of;

/// How far numbers move.
const SIGMA: f64 = 30.0;
/// Longer texts are not made.
const MAX_TEXT: usize = 64;
/// Characters that formats are made of.
const USUAL: &[u8] = b"0123456789abcxyzABCXYZ .,:;-+_/\\()[]{}<>=\"'#@$%&*!?\n\t";
/// Characters beyond those: letters with another length or number in upper case, a digit, a space and
/// a sign that are not the usual ones, and halves of a pair.
const UNUSUAL: [u16; 8] = [0xe9, 0xdf, 0x130, 0xff11, 0x663, 0x2003, 0x20ac, 0xd83d];
/// One of so many characters is such a one.
const RARE: u64 = 16;

/// A value near the given one; the same value where there is nothing near.
pub(crate) fn fuzz(literal: &Literal, rng: &mut Rng) -> Literal {
    match literal {
        Literal::Boolean(value) => Literal::Boolean(!value),
        Literal::Float(value) => Literal::Float(moved(f64::from(*value), rng) as f32),
        Literal::Double(value) => Literal::Double(moved(*value, rng)),
        Literal::String(text) => text_of(&edited(text, rng)),
        Literal::Null | Literal::Class(_) => literal.clone(),
        number => {
            let value = number.whole().expect("all other kinds are whole numbers");
            let moved = match below(rng, 4) {
                0 => value.wrapping_add(1_i64 << below(rng, 31)),
                1 => value.wrapping_sub(1_i64 << below(rng, 31)),
                _ => value.wrapping_add(nonzero(gaussian(rng))),
            };
            number.with_number(moved).unwrap_or_else(|| literal.clone())
        }
    }
}

/// Near the number, or of another size or sign.
fn moved(value: f64, rng: &mut Rng) -> f64 {
    match below(rng, 8) {
        0 => value * 2_f64.powi(below(rng, 81) as i32 - 40),
        1 => -value,
        _ => value + gaussian(rng),
    }
}

fn edited(text: &JavaString, rng: &mut Rng) -> Vec<u16> {
    let mut units = text.units().to_vec();
    let length = units.len() as u64;
    match below(rng, 6) {
        0 | 1 if units.len() < MAX_TEXT => {
            units.insert(below(rng, length + 1) as usize, character(text, rng));
        }
        2 if length > 0 => {
            units.remove(below(rng, length) as usize);
        }
        3 if length > 0 => {
            let at = below(rng, length) as usize;
            units[at] = instead_of(units[at], text, rng);
        }
        4 if length > 1 => {
            let start = below(rng, length) as usize;
            let end = start + 1 + below(rng, length - start as u64) as usize;
            units = units[start..end].to_vec();
        }
        5 if length > 0 && units.len() * 2 <= MAX_TEXT => units.extend_from_within(..),
        _ => units.push(character(text, rng)),
    }
    units
}

/// What stands in the place of a character: of a digit, often another one, as what reads a number
/// would take nothing else.
fn instead_of(unit: u16, text: &JavaString, rng: &mut Rng) -> u16 {
    let digits = u16::from(b'0')..=u16::from(b'9');
    if digits.contains(&unit) && below(rng, 2) == 0 {
        return digits.start() + below(rng, 10) as u16;
    }
    character(text, rng)
}

/// One of the text's own characters, or one that formats use.
fn character(text: &JavaString, rng: &mut Rng) -> u16 {
    let own = text.units();
    if !own.is_empty() && below(rng, 4) == 0 {
        return own[below(rng, own.len() as u64) as usize];
    }
    if below(rng, RARE) == 0 {
        return UNUSUAL[below(rng, UNUSUAL.len() as u64) as usize];
    }
    USUAL[below(rng, USUAL.len() as u64) as usize].into()
}

fn nonzero(moved: f64) -> i64 {
    let moved = moved.round() as i64;
    if moved == 0 { 1 } else { moved }
}

/// Box and Muller's method.
fn gaussian(rng: &mut Rng) -> f64 {
    let (u, v) = (rng.rand_float().max(f64::MIN_POSITIVE), rng.rand_float());
    SIGMA * (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

fn below(rng: &mut Rng, end: u64) -> u64 {
    rng.rand_range(0..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_every_kind_change_and_keep_their_kind() {
        let mut rng = Rng::new(3);
        for literal in [
            Literal::Boolean(true),
            Literal::Byte(100),
            Literal::Short(-3),
            Literal::Char(65),
            Literal::Int(0),
            Literal::Long(1 << 50),
            Literal::Float(0.5),
            Literal::Double(-2.0),
            Literal::String("".into()),
            Literal::String("abc".into()),
        ] {
            let fuzzed: Vec<Literal> = (0..50).map(|_| fuzz(&literal, &mut rng)).collect();
            assert!(fuzzed.iter().any(|f| *f != literal), "{literal:?}");
            let kind = std::mem::discriminant(&literal);
            assert!(fuzzed.iter().all(|f| std::mem::discriminant(f) == kind), "{literal:?}");
        }
    }

    #[test]
    fn numbers_move_by_about_thirty() {
        let mut rng = Rng::new(5);
        let moves: Vec<f64> = (0..2000).map(|_| gaussian(&mut rng)).collect();
        let mean = moves.iter().sum::<f64>() / 2000.0;
        let deviation = (moves.iter().map(|m| m * m).sum::<f64>() / 2000.0).sqrt();
        assert!(mean.abs() < 3.0, "{mean}");
        assert!((27.0..33.0).contains(&deviation), "{deviation}");
    }
}
