//! Numbers that are written in a text: where they stand, and the text with others in their place.
//!
//! Code that reads a text often compares numbers that it has cut out of it, so that a test can only
//! change them where they are written. Fields of fixed width, as dates have them, keep their width:
//! another number is written as wide as the one it replaces, and plainly too where that is different.

use std::ops::Range;

use super::places;

/// Numbers of one text that are looked at, and the digits of one of them.
const MAX_NUMBERS: usize = 8;
const MAX_DIGITS: usize = 18;

/// A number in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Written {
    at: Range<usize>,
    pub(super) value: i64,
}

/// The numbers of a text, each as long as it goes.
pub(super) fn numbers(units: &[u16]) -> Vec<Written> {
    let is_digit = |unit: &u16| (u16::from(b'0')..=u16::from(b'9')).contains(unit);
    let mut found = Vec::new();
    let mut at = 0;
    while at < units.len() && found.len() < MAX_NUMBERS {
        let digits = units[at..].iter().take_while(|unit| is_digit(unit)).count();
        if (1..=MAX_DIGITS).contains(&digits) {
            let value = units[at..at + digits]
                .iter()
                .fold(0, |value, unit| value * 10 + i64::from(unit - u16::from(b'0')));
            found.push(Written { at: at..at + digits, value });
        }
        at += digits.max(1);
    }
    found
}

/// Where a number stands in a text: as a whole, with its sign, or else as part of longer ones.
pub(super) fn standing(units: &[u16], numbers: &[Written], value: i64) -> Vec<Written> {
    let is_negative = |at: usize| at > 0 && units[at - 1] == u16::from(b'-');
    let whole = numbers.iter().filter_map(|number| {
        let Range { start, end } = number.at;
        if number.value == value {
            Some(number.clone())
        } else if value < 0 && value.checked_neg() == Some(number.value) && is_negative(start) {
            Some(Written { at: start - 1..end, value })
        } else {
            None
        }
    });
    let whole: Vec<Written> = whole.collect();
    if !whole.is_empty() {
        return whole;
    }
    let digits: Vec<u16> = value.to_string().encode_utf16().collect();
    let parts = if digits.len() > 1 { places(units, &digits) } else { Vec::new() };
    parts.into_iter().map(|at| Written { at: at..at + digits.len(), value }).collect()
}

/// The text with another number in the place of one.
pub(super) fn with(units: &[u16], number: &Written, value: i64) -> Vec<Vec<u16>> {
    let Range { start, end } = number.at;
    let plain = value.to_string();
    let mut written = Vec::new();
    let width = end - start;
    if value >= 0 && plain.len() < width {
        written.push(format!("{value:0width$}"));
    }
    written.push(plain);
    let around = |text: String| {
        let text: Vec<u16> = text.encode_utf16().collect();
        [&units[..start], &text, &units[end..]].concat()
    };
    written.into_iter().map(around).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, from: i64, to: i64, expected: &[&str]) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let all = numbers(&units);
        let standing = standing(&units, &all, from);
        let texts = standing.iter().flat_map(|number| with(&units, number, to));
        let texts: Vec<String> = texts.map(|units| String::from_utf16_lossy(&units)).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_field_keeps_its_width() {
        check("2024-12-03", 3, 31, &["2024-12-31"]);
        check("2024-12-03", 12, 2, &["2024-02-03", "2024-2-03"]);
        check("2024-12-03", 2024, 1900, &["1900-12-03"]);
    }

    #[test]
    fn a_number_is_replaced_wherever_it_stands() {
        check("12-12", 12, 34, &["34-12", "12-34"]);
        check("x=7;", 7, 100, &["x=100;"]);
    }

    #[test]
    fn a_number_may_be_part_of_digits_without_separators() {
        check("20241203", 12, 34, &["20243403"]);
        check("20241203", 2, 3, &[]);
    }

    #[test]
    fn a_sign_belongs_to_the_number_where_it_has_one() {
        check("a=-15", -15, 20, &["a=020", "a=20"]);
        check("a=15", -15, 20, &[]);
        check("a=-15", i64::MIN, 20, &[]);
    }

    #[test]
    fn a_text_without_numbers_or_with_endless_ones_has_none() {
        assert_eq!(numbers(&[]), []);
        let endless: Vec<u16> = "1".repeat(40).encode_utf16().collect();
        assert_eq!(numbers(&endless), []);
    }
}
