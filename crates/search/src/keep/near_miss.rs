//! Texts that are almost what a member takes: a digit of another script, a sign more, a space, the
//! other case.
//!
//! Code that reads a text is often right about what it accepts and about what is plainly wrong, and
//! wrong about what is nearly right; no branch of its own tells, if it leaves the reading to others.
//! So where a member takes a text, it is given texts like it that differ in one such respect, and the
//! first that it does not take makes a test: `true` has become `false`, or it throws.
//!
//! A text that is only found where the test itself has put it (`get("Abc")` after `put("Abc", 3)`) is
//! looked up, not read, and has none.
//!
//! Their number is bounded by that of the members, not by time.

use std::sync::Arc;

use model::{
    End, Expectation, JavaString, Literal, Observation, Operation, SlotDecl, TestCase, Thrown,
    Type, UnitTest,
};

use crate::driver::{Driver, is_testable};
use crate::executor::Executor;
use crate::record::record;
use crate::regression::Known;

/// Tests that a member gets.
const MAX_OF_MEMBER: usize = 2;
/// Other texts that a member is asked whether it takes them.
const MAX_TEXTS: usize = 40;

/// Makes a text that is almost the given one, if there is one.
type Way = fn(&[u16]) -> Option<Vec<u16>>;

/// Ways in which a text is almost another.
const WAYS: [Way; 4] = [in_another_script, with_sign, with_space, in_the_other_case];

/// How a call went, as far as it says whether what it was given was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Verdict {
    /// It returned, and said this if it says yes or no.
    Took(Option<bool>),
    Refused(model::ClassName),
}

impl Verdict {
    fn of(end: End, result: Option<&Type>) -> Option<Self> {
        match end {
            End::Returned(Observation::Value { value: Literal::Boolean(truth), boxed: false }) => {
                Some(Self::Took(Some(truth)))
            }
            End::Returned(_) if result.is_some() => Some(Self::Took(None)),
            End::Threw(thrown) if is_telling(&thrown) => Some(Self::Refused(thrown.class)),
            _ => None,
        }
    }

    fn is_yes(&self) -> bool {
        matches!(self, Self::Took(Some(true) | None))
    }
}

/// Whether an exception is about what was given, not about where the code fell over it.
fn is_telling(thrown: &Thrown) -> bool {
    let accidents = ["NullPointer", "IndexOutOfBounds", "ClassCast", "Arithmetic"];
    let class = thrown.class.as_internal();
    is_testable(&thrown.class) && !accidents.iter().any(|accident| class.contains(accident))
}

/// A test to be, and what its last call throws if it does.
pub(super) type Miss = (TestCase, Option<model::ClassName>);

/// What the members that these tests are about do not take, though they take texts like it.
/// `texts` are others that they may take.
pub(super) fn near_misses<'t, E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    tests: impl Iterator<Item = &'t UnitTest>,
    texts: &[JavaString],
) -> Vec<Miss> {
    let mut done: Vec<Arc<Operation>> = Vec::new();
    let mut found = Vec::new();
    for test in tests {
        let Some(call) = test.case.calls.last().filter(|_| is_about_last(test)) else { continue };
        if done.contains(&call.op) {
            continue;
        }
        let place = (0..call.args.len()).find(|at| text_at(&test.case, *at).is_some());
        let Some(place) = place else { continue };
        if !verdict(driver, &test.case).is_some_and(|verdict| verdict.is_yes()) {
            continue;
        }
        done.push(call.op.clone());
        found.extend(of_member(driver, known, &test.case, place, texts));
    }
    found
}

fn is_about_last(test: &UnitTest) -> bool {
    test.subject + 1 == test.case.calls.len() && test.expectation == Expectation::Returns
}

/// What the last call of a test does not take at a place, for one way after the other.
fn of_member<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    case: &TestCase,
    place: usize,
    texts: &[JavaString],
) -> Vec<Miss> {
    let Some(own) = text_at(case, place).cloned() else { return Vec::new() };
    let others = texts.iter().filter(|text| **text != own).take(MAX_TEXTS).cloned();
    let mut taken = vec![own.clone()];
    for text in with_a_digit(own.units()).into_iter().chain(others) {
        let is_taken = verdict(driver, &with_text(case, place, &text)).is_some_and(|v| v.is_yes());
        if is_taken {
            taken.push(text);
        }
    }
    if taken.len() == 1 && was_put(case, &own) {
        return Vec::new();
    }
    let mut found: Vec<Miss> = Vec::new();
    for way in WAYS {
        if found.len() == MAX_OF_MEMBER {
            break;
        }
        let almost = taken.iter().filter_map(|text| way(text.units()));
        let miss = almost.into_iter().find_map(|units| {
            let other = with_text(case, place, &JavaString::from_units(&units));
            let verdict = verdict(driver, &other).filter(|verdict| !verdict.is_yes())?;
            let throws = match verdict {
                Verdict::Refused(class) => Some(class),
                Verdict::Took(_) => None,
            };
            other.check(&known.classes).is_ok().then_some((other, throws))
        });
        found.extend(miss);
    }
    found
}

/// Whether an earlier call was given the same text: what is asked for is then what was put there, and
/// nobody reads it.
fn was_put(case: &TestCase, text: &JavaString) -> bool {
    let is_it =
        |decl: &SlotDecl| matches!(&decl.init, Some(Literal::String(other)) if other == text);
    let before = case.calls.split_last().map_or(&[][..], |(_, before)| before);
    before.iter().flat_map(|call| &call.args).any(|slot| is_it(&case.slots[slot.index()]))
}

/// How the last call of a test goes.
fn verdict<E: Executor>(driver: &mut Driver<'_, E>, case: &TestCase) -> Option<Verdict> {
    let result = case.calls.last()?.op.result.clone();
    Verdict::of(record(driver.executor, case).calls.pop()?.end, result.as_ref())
}

/// The text that is written down for an argument of the last call.
fn text_at(case: &TestCase, place: usize) -> Option<&JavaString> {
    let slot = *case.calls.last()?.args.get(place)?;
    match &case.slots[slot.index()].init {
        Some(Literal::String(text)) => Some(text),
        _ => None,
    }
}

fn with_text(case: &TestCase, place: usize, text: &JavaString) -> TestCase {
    let mut other = case.clone();
    let last = other.calls.len() - 1;
    let ty = case.ty(case.calls[last].args[place]).clone();
    other.calls[last].args[place] = other.literal(ty, Literal::String(text.clone()));
    other.compact(&[]);
    other
}

/// The text with a digit more, at its end and at its start: the shortest of a kind often has none.
fn with_a_digit(units: &[u16]) -> Vec<JavaString> {
    if units.iter().any(|unit| is_digit(*unit)) {
        return Vec::new();
    }
    let digit = [u16::from(b'1')];
    [[units, &digit], [&digit, units]].map(|parts| JavaString::from_units(&parts.concat())).into()
}

fn is_digit(unit: u16) -> bool {
    u8::try_from(unit).is_ok_and(|unit| unit.is_ascii_digit())
}

/// The first digit in full width, which `Character.isDigit` and `Integer.parseInt` take as one.
fn in_another_script(units: &[u16]) -> Option<Vec<u16>> {
    let at = units.iter().position(|unit| is_digit(*unit))?;
    let mut other = units.to_vec();
    other[at] += 0xff10 - u16::from(b'0');
    Some(other)
}

/// A plus before the last number.
fn with_sign(units: &[u16]) -> Option<Vec<u16>> {
    let last = units.iter().rposition(|unit| is_digit(*unit))?;
    let start = units[..last].iter().rposition(|unit| !is_digit(*unit)).map_or(0, |at| at + 1);
    let mut other = units.to_vec();
    other.insert(start, b'+'.into());
    Some(other)
}

/// A space at the end.
fn with_space(units: &[u16]) -> Option<Vec<u16>> {
    (!units.is_empty()).then(|| [units, &[b' '.into()]].concat())
}

/// The first letter in the other case.
fn in_the_other_case(units: &[u16]) -> Option<Vec<u16>> {
    let is_letter = |unit: &u16| u8::try_from(*unit).is_ok_and(|u| u.is_ascii_alphabetic());
    let at = units.iter().position(is_letter)?;
    let mut other = units.to_vec();
    other[at] ^= 0x20;
    Some(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_almost_others_in_four_ways() {
        let check = |text: &str, expected: [Option<&str>; 4]| {
            let units: Vec<u16> = text.encode_utf16().collect();
            let others = WAYS.map(|way| way(&units).map(|units| String::from_utf16_lossy(&units)));
            assert_eq!(others, expected.map(|text| text.map(str::to_owned)), "{text}");
        };
        check("1.25", [Some("\u{ff11}.25"), Some("1.+25"), Some("1.25 "), None]);
        check("aB", [None, None, Some("aB "), Some("AB")]);
        check("::1f", [Some("::\u{ff11}f"), Some("::+1f"), Some("::1f "), Some("::1F")]);
        check("", [None, None, None, None]);
    }
}
