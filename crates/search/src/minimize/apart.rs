//! Values that can be told apart: if a call is given `1` twice, nobody sees what becomes of which.

use model::{Literal, OperationKind, TestCase};

/// The test with another value for an argument that equals an earlier one of the same call.
pub(super) fn other_argument(case: &TestCase, call: usize, at: usize) -> Option<TestCase> {
    let called = &case.calls[call];
    if called.op.kind == OperationKind::Array {
        return None;
    }
    let init = |position: usize| case.slots[called.args[position].index()].init.as_ref();
    let literal = init(at)?;
    let (is_letter, place) = plain(literal)?;
    let values = |positions: std::ops::Range<usize>| -> Vec<u8> {
        let plain = positions.filter_map(|position| plain(init(position)?));
        plain.filter(|(letter, _)| *letter == is_letter).map(|(_, place)| place).collect()
    };
    if !values(0..at).contains(&place) {
        return None;
    }
    let used = values(0..called.args.len());
    let other = (2..=9).find(|n| !used.contains(n))?;
    let mut candidate = case.clone();
    let ty = case.slots[called.args[at].index()].ty.clone();
    candidate.calls[call].args[at] = candidate.literal(ty, like(literal, other));
    Some(candidate)
}

/// Whether a simple value is a letter, and its place in the row of those.
fn plain(literal: &Literal) -> Option<(bool, u8)> {
    let letter = |unit: u16| {
        let unit = u8::try_from(unit).ok().filter(u8::is_ascii_lowercase)?;
        Some((true, i64::from(unit - b'a' + 1)))
    };
    let (is_letter, place) = match literal {
        Literal::Byte(n) => (false, i64::from(*n)),
        Literal::Short(n) => (false, i64::from(*n)),
        Literal::Int(n) => (false, i64::from(*n)),
        Literal::Long(n) => (false, *n),
        Literal::Float(n) if n.fract() == 0.0 => (false, *n as i64),
        Literal::Double(n) if n.fract() == 0.0 => (false, *n as i64),
        Literal::Char(unit) => letter(*unit)?,
        Literal::String(text) => match text.units() {
            [unit] => letter(*unit)?,
            _ => return None,
        },
        _ => return None,
    };
    let place = u8::try_from(place).ok().filter(|place| (1..=9).contains(place))?;
    Some((is_letter, place))
}

/// Another value of the same kind.
fn like(literal: &Literal, place: u8) -> Literal {
    let letter = b'a' + place - 1;
    match literal {
        Literal::Byte(_) => Literal::Byte(place.cast_signed()),
        Literal::Short(_) => Literal::Short(place.into()),
        Literal::Long(_) => Literal::Long(place.into()),
        Literal::Float(_) => Literal::Float(place.into()),
        Literal::Double(_) => Literal::Double(place.into()),
        Literal::Char(_) => Literal::Char(letter.into()),
        Literal::String(_) => Literal::String(char::from(letter).to_string().as_str().into()),
        _ => Literal::Int(place.into()),
    }
}
