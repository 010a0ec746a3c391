//! Literals that a reader finds simpler than the one a search came upon.

use model::{JavaString, Literal, OperationKind, Slot, TestCase};

/// Numbers, the simplest first.
const NUMBERS: [i8; 7] = [1, 0, 2, -1, 3, 10, 100];

/// Where in an array a literal stands that is used for nothing else.
pub(super) fn place(case: &TestCase, slot: Slot) -> Option<usize> {
    let mut uses = case.calls.iter().flat_map(|call| {
        let at = call.args.iter().enumerate().filter(|(_, arg)| **arg == slot);
        at.map(|(at, _)| (call.op.kind == OperationKind::Array).then_some(at))
    });
    uses.next().flatten().filter(|_| uses.next().is_none())
}

/// Values a reader finds simpler, best first: the usual before the special, and elements of an
/// array counted, for one cannot see what becomes of elements that are all alike.
pub(super) fn values(literal: &Literal, place: Option<usize>) -> Vec<Literal> {
    let numbers: Vec<i8> = place.map_or(NUMBERS.into(), |at| vec![at as i8 + 1, 0]);
    let of = |make: fn(i8) -> Literal| numbers.iter().map(|n| make(*n)).collect();
    let texts = match place {
        Some(at) => vec![char::from(b'a' + at as u8 % 26).to_string()],
        None => ["a", "abc", ""].map(str::to_owned).into(),
    };
    let all: Vec<Literal> = match literal {
        Literal::Byte(_) => of(Literal::Byte),
        Literal::Short(_) => of(|n| Literal::Short(n.into())),
        Literal::Int(_) => of(|n| Literal::Int(n.into())),
        Literal::Long(_) => of(|n| Literal::Long(n.into())),
        Literal::Float(_) => of(|n| Literal::Float(n.into())),
        Literal::Double(_) => of(|n| Literal::Double(n.into())),
        Literal::Char(_) => vec![Literal::Char(texts[0].as_bytes()[0].into())],
        Literal::String(_) => texts.iter().map(|s| Literal::String(s.as_str().into())).collect(),
        Literal::Null | Literal::Boolean(_) | Literal::Class(_) => Vec::new(),
    };
    all.into_iter().take_while(|simple| simple != literal).collect()
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
