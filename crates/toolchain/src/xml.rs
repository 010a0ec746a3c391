//! XML of other programs: going over a document, and a small tree of elements for the few files of
//! Maven that are read.
//!
//! Invariant: any text gives what it says or an error; what is cut off is an error, however much of it
//! could be read. The depth of a tree is bounded, so that dropping it cannot overflow the stack.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Hands every part of a document to `on_event`, up to its end.
pub fn go_over(
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
pub fn attribute(tag: &BytesStart<'_>, key: &str) -> Result<String, String> {
    let found = tag.try_get_attribute(key).map_err(|error| error.to_string())?;
    let found = found.ok_or_else(|| format!("an element lacks `{key}`"))?;
    let value = found
        .normalized_value(quick_xml::XmlVersion::Implicit1_0)
        .map_err(|error| error.to_string())?;
    Ok(value.into_owned())
}

/// Deeper than any POM.
const MAX_DEPTH: usize = 100;

/// An element: its name without prefix, its own text, its child elements.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) children: Vec<Element>,
}

impl Element {
    /// The root element of a document.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        // The first stands for the document itself.
        let mut open = vec![Self::default()];
        let named = |tag: &BytesStart<'_>| {
            let name = tag.local_name().as_ref().to_owned();
            Self { name, ..Self::default() }
        };
        go_over(text, |event| {
            let innermost = open.last_mut().expect("no more is closed than was opened");
            match event {
                Event::Start(start) => {
                    open.push(named(start));
                    if open.len() > MAX_DEPTH {
                        return Err(format!("elements are nested more than {MAX_DEPTH} deep"));
                    }
                }
                Event::Empty(empty) => innermost.children.push(named(empty)),
                Event::End(_) => {
                    let closed = open.pop().expect("it was opened");
                    let around = open.last_mut().expect("no more is closed than was opened");
                    around.children.push(closed);
                }
                Event::Text(text) => innermost.text += &text.xml10_content(),
                Event::CData(text) => innermost.text += &text.xml10_content(),
                Event::GeneralRef(reference) => {
                    let escaped = format!("&{};", &**reference);
                    innermost.text += &quick_xml::escape::unescape(&escaped)
                        .map_err(|error| error.to_string())?;
                }
                _ => {}
            }
            Ok(())
        })?;
        let document = open.pop().expect("the document itself is never closed");
        Ok(document.children.into_iter().next().expect("a document has an element"))
    }

    /// The first child of this name.
    pub(crate) fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The trimmed text of the element that `path` leads to, if it is not empty.
    pub(crate) fn text_at(&self, path: &[&str]) -> Option<&str> {
        let element = path.iter().try_fold(self, |element, name| element.child(name))?;
        Some(element.text.trim()).filter(|text| !text.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, path: &[&str], expected: Result<Option<&str>, &str>) {
        let outcome = Element::parse(text).map(|root| root.text_at(path).map(str::to_owned));
        let expected = expected.map(|text| text.map(str::to_owned));
        assert_eq!(outcome, expected.map_err(str::to_owned), "{text}");
    }

    #[test]
    fn text_is_found_by_path() {
        let pom =
            "<?xml version='1.0'?><!-- x --><p:project><a/><b><c> R&amp;D </c></b></p:project>";
        check(pom, &["b", "c"], Ok(Some("R&D")));
        check(pom, &["a"], Ok(None));
        check(pom, &["b", "d"], Ok(None));
    }

    #[test]
    fn broken_documents_are_errors() {
        check("<a><b></b>", &[], Err("the document ends in the middle"));
        check("", &[], Err("there is no element"));
        check(&"<a>".repeat(200), &[], Err("elements are nested more than 100 deep"));
        assert!(Element::parse("<a></b>").is_err());
        assert!(Element::parse("</a>").is_err());
    }

    #[test]
    fn a_damaged_document_is_an_error_or_read() {
        let pom = "<?xml version='1.0'?><!-- x --><p:a b='c'><d/>R&amp;D<![CDATA[e]]></p:a>";
        testkit::check_damaged(pom, Element::parse);
    }
}
