//! Names for tests and what is in them.

use model::is_identifier;

/// Words that are keywords in some places only; no name of ours, though they may be others'.
const CONTEXTUAL: &[&str] = &[
    "exports",
    "module",
    "open",
    "opens",
    "permits",
    "provides",
    "record",
    "requires",
    "sealed",
    "to",
    "transitive",
    "uses",
    "var",
    "when",
    "with",
    "yield",
];

/// Whether the text can be the name of a method that is called through a receiver or class.
pub(crate) fn is_type_identifier(text: &str) -> bool {
    // JLS §3.8: these cannot be the simple names of types.
    is_identifier(text) && !["permits", "record", "sealed", "var", "yield"].contains(&text)
}

/// Whether we would give a variable this name.
pub(crate) fn is_variable_name(text: &str) -> bool {
    is_identifier(text) && !CONTEXTUAL.contains(&text)
}

/// The text with its first letter in upper case.
pub(crate) fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// The text as the start of a camel-case name: `Account` is `account`, `URLParser` `urlParser`,
/// `MAX_VALUE` `maxValue`.
pub(crate) fn lower_camel(text: &str) -> String {
    if text.chars().any(|c| c.is_lowercase()) {
        let letters: Vec<char> = text.chars().collect();
        let capitals = letters.iter().take_while(|c| c.is_uppercase()).count();
        // Of several leading capitals the last begins the next word.
        let lowered =
            if capitals > 1 && capitals < letters.len() { capitals - 1 } else { capitals };
        let head = letters[..lowered].iter().flat_map(|c| c.to_lowercase());
        return head.chain(letters[lowered..].iter().copied()).collect();
    }
    let mut words = text.split('_').filter(|w| !w.is_empty()).map(str::to_lowercase);
    let first = words.next().unwrap_or_default();
    words.fold(first, |name, word| name + &capitalized(&word))
}

/// The text as one word of a camel-case name, first letter in upper case.
pub(crate) fn upper_camel(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
    words
        .map(|word| {
            let shouted = word.len() > 1 && !word.chars().any(|c| c.is_lowercase());
            capitalized(&if shouted { word.to_lowercase() } else { word.to_owned() })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_words_are_names_of_some_things_only() {
        assert!(!is_type_identifier("record"));
        assert!(!is_variable_name("yield"));
    }

    #[test]
    fn names_are_made_camel_case() {
        for (from, to) in [
            ("Account", "account"),
            ("URLParser", "urlParser"),
            ("MAX_VALUE", "maxValue"),
            ("URL", "url"),
            ("iPhone", "iPhone"),
            ("A", "a"),
        ] {
            assert_eq!(lower_camel(from), to);
        }
        assert_eq!(upper_camel("DARK_RED"), "DarkRed");
        assert_eq!(upper_camel("hello world"), "HelloWorld");
    }
}
