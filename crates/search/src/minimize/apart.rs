//! Values that can be told apart: if a call is given `3` twice, nobody sees what becomes of which.

use model::{Literal, OperationKind, TestCase};

/// Numbers that stand side by side, in an order in which sums, differences, products and quotients of
/// neighbours differ, and which is not that of their size.
const ROW: [u8; 9] = [3, 5, 2, 7, 4, 6, 8, 9, 1];

/// The kinds of values that are told apart among themselves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    /// `a`, as a character or text.
    Letter,
    /// `Abc`, `Def` and so on.
    Word,
}

/// The number that stands at a place of an array.
pub(super) fn number(place: usize) -> i64 {
    ROW.get(place).map_or_else(|| place as i64 + 1, |number| (*number).into())
}

/// The test with another value for an argument that equals an earlier one of the same call.
pub(crate) fn other_argument(case: &TestCase, call: usize, at: usize) -> Option<TestCase> {
    let called = &case.calls[call];
    if called.op.kind == OperationKind::Array {
        return None;
    }
    let init = |position: usize| case.slots[called.args[position].index()].init.as_ref();
    let literal = init(at)?;
    let (kind, place) = plain(literal)?;
    let values = |positions: std::ops::Range<usize>| -> Vec<u8> {
        let plain = positions.filter_map(|position| plain(init(position)?));
        plain.filter(|(other, _)| *other == kind).map(|(_, place)| place).collect()
    };
    if !values(0..at).contains(&place) {
        return None;
    }
    let used = values(0..called.args.len());
    let row: &[u8] = match kind {
        Kind::Number => &ROW,
        Kind::Letter => &[2, 3, 4, 5, 6, 7, 8, 9],
        Kind::Word => &[2, 3, 4, 5, 6, 7, 8],
    };
    let other = row.iter().find(|n| !used.contains(n))?;
    let mut candidate = case.clone();
    let ty = case.slots[called.args[at].index()].ty.clone();
    candidate.calls[call].args[at] = candidate.literal(ty, like(literal, kind, *other)?);
    Some(candidate)
}

/// Of which kind a simple value is, and its place in the row of those.
fn plain(literal: &Literal) -> Option<(Kind, u8)> {
    let letter = |unit: u16| {
        let unit = u8::try_from(unit).ok().filter(u8::is_ascii_lowercase)?;
        Some((Kind::Letter, i64::from(unit - b'a' + 1)))
    };
    let (kind, place) = match literal {
        Literal::Float(n) if n.fract() == 0.0 => (Kind::Number, *n as i64),
        Literal::Double(n) if n.fract() == 0.0 => (Kind::Number, *n as i64),
        Literal::Char(unit) => letter(*unit)?,
        Literal::String(text) => match text.units() {
            [unit] => letter(*unit)?,
            _ => {
                let text = text.to_string();
                (Kind::Word, (1..=8).find(|place| word(*place) == text)?.into())
            }
        },
        other => (Kind::Number, other.whole()?),
    };
    let place = u8::try_from(place).ok().filter(|place| (1..=9).contains(place))?;
    Some((kind, place))
}

/// The words, counted from 1: three letters of the alphabet each.
fn word(place: u8) -> String {
    let first = (place - 1) * 3;
    [b'A' + first, b'b' + first, b'c' + first].map(char::from).iter().collect()
}

/// Another value of the same kind.
fn like(literal: &Literal, kind: Kind, place: u8) -> Option<Literal> {
    let letter = b'a' + place - 1;
    Some(match literal {
        Literal::Char(_) => Literal::Char(letter.into()),
        Literal::String(_) if kind == Kind::Word => Literal::String(word(place).as_str().into()),
        Literal::String(_) => Literal::String(char::from(letter).to_string().as_str().into()),
        number => number.with_number(place.into())?,
    })
}
