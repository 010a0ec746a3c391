//! Going over the XML reports of other programs.
//!
//! Invariant: any text gives what it says or an error; what is cut off is an error, however much of it
//! could be read.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Hands every part of a document to `on_event`, up to its end.
pub(crate) fn go_over(
    text: &str,
    mut on_event: impl FnMut(&Event<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let mut reader = Reader::from_str(text);
    let mut open = 0_u32;
    let mut elements = 0_u32;
    loop {
        let event = reader.read_event().map_err(|error| error.to_string())?;
        match &event {
            Event::Start(_) => (open, elements) = (open + 1, elements + 1),
            Event::Empty(_) => elements += 1,
            Event::End(_) => open = open.checked_sub(1).ok_or("an element is closed twice")?,
            Event::Eof if elements == 0 => return Err("there is no element".to_owned()),
            Event::Eof if open > 0 => return Err("the document ends in the middle".to_owned()),
            Event::Eof => return Ok(()),
            _ => {}
        }
        on_event(&event)?;
    }
}

/// An attribute, unescaped.
pub(crate) fn attribute(tag: &BytesStart<'_>, key: &str) -> Result<String, String> {
    let found = tag.try_get_attribute(key).map_err(|error| error.to_string())?;
    let found = found.ok_or_else(|| format!("an element lacks `{key}`"))?;
    let value = found
        .normalized_value(quick_xml::XmlVersion::Implicit1_0)
        .map_err(|error| error.to_string())?;
    Ok(value.into_owned())
}

/// Damages a document in every place; nothing may panic, and nothing cut off may pass for whole.
#[cfg(test)]
pub(crate) fn check_damaged<T>(document: &str, parse: impl Fn(&str) -> Result<T, String>) {
    assert!(document.is_ascii() && parse(document).is_ok(), "{document}");
    for at in 0..document.len() {
        assert!(parse(&document[..at]).is_err(), "{}", &document[..at]);
        for other in
            ["<", ">", "'", "&", "/", "&#x110000;", "-1", "99999999999", "\u{0}", "\u{fffd}"]
        {
            // An error or not: it comes back.
            drop(parse(&format!("{}{other}{}", &document[..at], &document[at + 1..])));
        }
    }
}
