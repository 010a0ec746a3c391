//! Documents damaged in every place.

/// What is put in the place of a character.
const OTHERS: [&str; 11] =
    ["<", ">", "'", "&", "/", "]]>", "&#x110000;", "-1", "99999999999", "\u{0}", "\u{fffd}"];

/// Damages an XML document in every place; nothing may panic, and nothing cut off may pass for whole.
///
/// # Panics
/// If the document cannot be read as it is, or can be read when it is cut off.
pub fn check_damaged<T>(document: &str, parse: impl Fn(&str) -> Result<T, String>) {
    assert!(document.is_ascii() && parse(document).is_ok(), "{document}");
    for at in 0..document.len() {
        assert!(parse(&document[..at]).is_err(), "{}", &document[..at]);
        for other in OTHERS {
            // An error or not: it comes back.
            drop(parse(&format!("{}{other}{}", &document[..at], &document[at + 1..])));
        }
    }
}
