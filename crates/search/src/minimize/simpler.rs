//! Literals that a reader finds simpler than the one a search came upon.
//!
//! Of simple values those come first that tell most: `x * 1` is `x`, `2 + 2` is `2 * 2`, `false` is
//! what a field holds that nobody set, and `"a"` looks the same from behind.

use model::{JavaString, Literal, OperationKind, Primitive, Slot, TestCase, Type};

use super::apart;

/// Numbers, the best first.
const NUMBERS: [i64; 8] = [3, 2, 10, 1, 0, -3, -1, 100];
/// Texts, the best first.
const TEXTS: [&str; 4] = ["Abc", "abc", "a", ""];

/// A text that serves where any does.
pub(super) const ANY_TEXT: &str = TEXTS[0];

/// A simple value of a type, if there is one.
pub(crate) fn any_value(ty: &Type) -> Option<Literal> {
    Some(match ty {
        Type::Primitive(Primitive::Boolean) => Literal::Boolean(true),
        Type::Primitive(Primitive::Char) => Literal::Char(b'a'.into()),
        Type::Primitive(number) => Literal::zero(*number).with_number(NUMBERS[0])?,
        ty if *ty == Type::string() => Literal::String(ANY_TEXT.into()),
        _ => return None,
    })
}

/// Where in an array a literal stands that is used for nothing else.
pub(super) fn place(case: &TestCase, slot: Slot) -> Option<usize> {
    let mut uses = case.calls.iter().flat_map(|call| {
        let at = call.args.iter().enumerate().filter(|(_, arg)| **arg == slot);
        at.map(|(at, _)| (call.op.kind == OperationKind::Array).then_some(at))
    });
    uses.next().flatten().filter(|_| uses.next().is_none())
}

/// Values a reader finds simpler, best first: the usual before the special, and the elements of an
/// array each another one, for one cannot see what becomes of elements that are all alike.
pub(super) fn values(literal: &Literal, ty: &Type, place: Option<usize>) -> Vec<Literal> {
    let numbers: Vec<i64> = place.map_or(NUMBERS.into(), |at| vec![apart::number(at), 0]);
    let letter = b'a' + place.map_or(0, |at| at as u8 % 26);
    let texts: Vec<String> = match place {
        Some(_) => vec![char::from(letter).to_string()],
        None => TEXTS.map(str::to_owned).into(),
    };
    let all: Vec<Literal> = match literal {
        Literal::Char(_) => vec![Literal::Char(letter.into())],
        Literal::String(_) => texts.iter().map(|s| Literal::String(s.as_str().into())).collect(),
        Literal::Boolean(_) if place.is_none() => vec![Literal::Boolean(true)],
        Literal::Null => match unboxed(ty) {
            Some(Primitive::Boolean) => vec![Literal::Boolean(true)],
            Some(Primitive::Char) => vec![Literal::Char(letter.into())],
            Some(number) => {
                numbers.iter().filter_map(|n| Literal::zero(number).with_number(*n)).collect()
            }
            None => any_value(ty).into_iter().collect(),
        },
        Literal::Boolean(_) | Literal::Class(_) => Vec::new(),
        number => numbers.iter().filter_map(|n| number.with_number(*n)).collect(),
    };
    all.into_iter().take_while(|simple| simple != literal).collect()
}

/// The primitive that a class is the box of.
fn unboxed(ty: &Type) -> Option<Primitive> {
    ty.as_class().and_then(|name| Primitive::unboxed(name.as_internal()))
}

/// The test with the value in place of a literal wherever that stands, if it stands elsewhere too:
/// objects that have to be equal are made of the same values.
pub(super) fn everywhere(case: &TestCase, slot: Slot, value: &Literal) -> Option<TestCase> {
    let old = &case.slots[slot.index()];
    let is_same =
        |other: usize| case.slots[other].init == old.init && case.slots[other].ty == old.ty;
    let same: Vec<usize> = (0..case.slots.len()).filter(|other| is_same(*other)).collect();
    let mut candidate = case.clone();
    for slot in &same {
        candidate.slots[*slot].init = Some(value.clone());
    }
    (same.len() > 1).then_some(candidate)
}

/// Takes parts out of a text, ever smaller ones, as long as `is_good` says that the rest does.
pub(super) fn shorten(text: &JavaString, mut is_good: impl FnMut(&JavaString) -> bool) {
    let mut best: Vec<u16> = text.units().to_vec();
    let mut part = best.len() / 2;
    while part > 0 {
        let mut at = 0;
        while at < best.len() && best.len() > 1 {
            let mut shorter = best.clone();
            shorter.drain(at..(at + part).min(best.len()));
            if !shorter.is_empty() && is_good(&JavaString::from_units(&shorter)) {
                best = shorter;
            } else {
                at += part;
            }
        }
        part /= 2;
    }
}
