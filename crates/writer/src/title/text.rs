//! Texts and characters as words of a name.

use crate::identifier::upper_camel;

/// Longer texts are told by their first words.
const MAX_WORD: usize = 20;

/// A text, as a word: its letters and digits, or the names of its characters if it has none.
pub(super) fn text_word(text: &str) -> Option<String> {
    if text.chars().any(|c| c.is_ascii_alphanumeric()) {
        // A long text by its first words.
        let is_negative =
            text.starts_with('-') && text[1..].starts_with(|c: char| c.is_ascii_digit());
        let mut word = if is_negative { "Minus".to_owned() } else { String::new() };
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
        return Some(word).filter(|word| !word.is_empty());
    }
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
}
