//! Texts and characters as words of a name.

use crate::identifier::upper_camel;

/// Longer texts are told by their first words.
const MAX_WORD: usize = 20;

/// A text, as a word: its letters and digits, with what stands before and after them as far as there is
/// room, or the names of its characters if it has none.
pub(super) fn text_word(text: &str) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric();
    let (Some(first), Some(last)) = (text.find(is_plain), text.rfind(is_plain)) else {
        return name_of_others(text);
    };
    let mut word = inner_word(&text[first..=last])?;
    // `Abc ` is not `Abc`.
    if let Some(before) = around(&text[..first]).filter(|name| name.len() + word.len() <= MAX_WORD)
    {
        word.insert_str(0, &before);
    }
    if let Some(after) =
        around(&text[last + 1..]).filter(|name| name.len() + word.len() <= MAX_WORD)
    {
        word.push_str(&after);
    }
    Some(word)
}

/// What stands before or after letters and digits, if it is short and has a name.
fn around(text: &str) -> Option<String> {
    let names: Option<Vec<String>> = text.chars().map(named).collect();
    names.filter(|names| (1..=2).contains(&names.len())).map(|names| names.concat())
}

fn named(c: char) -> Option<String> {
    const FULL_WIDTH_ZERO: u32 = 0xff10;
    let digit = u32::from(c).checked_sub(FULL_WIDTH_ZERO).filter(|digit| *digit < 10);
    match digit {
        Some(digit) => Some(format!("FullWidth{digit}")),
        None => punctuation(c).map(str::to_owned),
    }
}

/// The letters and digits of a text that begins and ends with one.
fn inner_word(text: &str) -> Option<String> {
    // A long text by its first words.
    let mut word = String::new();
    let mut between = None;
    for part in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let end = part.chars().last().filter(|c| !c.is_ascii_alphanumeric());
        let part = upper_camel(part.trim_end_matches(|c| Some(c) == end));
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        // `1/2` is not 12.
        let joins = is_digit(word.chars().last()) && is_digit(part.chars().next());
        let name = between.filter(|_| joins).map_or("", |c| match c {
            '.' => "Point",
            '-' => "Dash",
            other => punctuation(other).unwrap_or("And"),
        });
        if word.len() + name.len() + part.len() > MAX_WORD {
            break;
        }
        word.push_str(name);
        word.push_str(&part);
        between = end;
    }
    Some(word).filter(|word| !word.is_empty())
}

/// The names of the characters of a text without letters and digits.
fn name_of_others(text: &str) -> Option<String> {
    let pair = match text {
        "[]" => Some("EmptyBrackets"),
        "{}" => Some("EmptyBraces"),
        "()" => Some("EmptyParentheses"),
        _ => None,
    };
    if let Some(pair) = pair {
        return Some(pair.to_owned());
    }
    let names: Option<Vec<&str>> = text.chars().take(3).map(punctuation).collect();
    names.map(|names| names.concat())
}

pub(super) fn char_word(c: char) -> Option<String> {
    if c.is_ascii_uppercase() {
        return Some(format!("Capital{c}"));
    }
    if c.is_ascii_alphanumeric() {
        return Some(c.to_ascii_uppercase().to_string());
    }
    punctuation(c).map(str::to_owned)
}

/// The name of a character that no identifier can have.
fn punctuation(c: char) -> Option<&'static str> {
    Some(match c {
        ' ' => "Space",
        '\t' => "Tab",
        '\n' => "LineFeed",
        '\r' => "CarriageReturn",
        '\0' => "Nul",
        '!' => "Exclamation",
        '"' => "Quote",
        '#' => "Hash",
        '$' => "Dollar",
        '%' => "Percent",
        '&' => "Ampersand",
        '\'' => "Apostrophe",
        '(' => "OpenParenthesis",
        ')' => "CloseParenthesis",
        '*' => "Star",
        '+' => "Plus",
        ',' => "Comma",
        '-' => "Minus",
        '.' => "Dot",
        '/' => "Slash",
        ':' => "Colon",
        ';' => "Semicolon",
        '<' => "Less",
        '=' => "Equals",
        '>' => "Greater",
        '?' => "Question",
        '@' => "At",
        '[' => "OpenBracket",
        '\\' => "Backslash",
        ']' => "CloseBracket",
        '^' => "Caret",
        '_' => "Underscore",
        '`' => "Backtick",
        '{' => "OpenBrace",
        '|' => "Bar",
        '}' => "CloseBrace",
        '~' => "Tilde",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, word: &str) {
        assert_eq!(text_word(text).as_deref(), Some(word), "{text}");
    }

    #[test]
    fn a_text_is_told_by_its_letters_and_digits() {
        check("abc", "Abc");
        check("hello, world", "HelloWorld");
        check("-5", "Minus5");
        check("+", "Plus");
        check("[]", "EmptyBrackets");
        check("some words that go on and on", "SomeWordsThatGoOnAnd");
    }

    #[test]
    fn what_stands_between_digits_is_told() {
        check("1/2", "1Slash2");
        check("0.01", "0Point01");
        check("2020-01-02", "2020Dash01Dash02");
        check("12:30", "12Colon30");
        check("v1.2", "V1Point2");
        check("1 2", "1Space2");
        check("a.b", "AB");
    }

    #[test]
    fn what_stands_around_letters_and_digits_is_told() {
        check("Abc ", "AbcSpace");
        check("Abc\u{ff11}", "AbcFullWidth1");
        check("<1", "Less1");
        check("3..", "3DotDot");
        check("\u{ff17}.0", "FullWidth7Dot0");
        check("(abcdefghijklmnop)", "Abcdefghijklmnop");
    }
}
