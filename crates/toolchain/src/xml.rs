//! A small tree of XML elements, for the few files of Maven that are read.
//!
//! Invariant: any bytes give a tree or an error; depth is bounded, so that dropping a tree cannot
//! overflow the stack.

use quick_xml::Reader;
use quick_xml::events::Event;

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
        let mut reader = Reader::from_str(text);
        let mut open = vec![Self::default()];
        loop {
            let event = reader.read_event().map_err(|error| error.to_string())?;
            let innermost = open.last_mut().expect("the document itself is never closed");
            match event {
                Event::Start(start) => {
                    let name = start.local_name().as_ref().to_owned();
                    open.push(Self { name, ..Self::default() });
                    if open.len() > MAX_DEPTH {
                        return Err(format!("elements are nested more than {MAX_DEPTH} deep"));
                    }
                }
                Event::Empty(empty) => {
                    let name = empty.local_name().as_ref().to_owned();
                    innermost.children.push(Self { name, ..Self::default() });
                }
                Event::End(_) => {
                    let closed = open.pop().expect("the reader checks that tags match");
                    let around = open.last_mut().ok_or("an element is closed twice")?;
                    around.children.push(closed);
                }
                Event::Text(text) => innermost.text += &text.xml10_content(),
                Event::CData(text) => innermost.text += &text.xml10_content(),
                Event::GeneralRef(reference) => {
                    let escaped = format!("&{};", &*reference);
                    innermost.text += &quick_xml::escape::unescape(&escaped)
                        .map_err(|error| error.to_string())?;
                }
                Event::Eof => break,
                _ => {}
            }
        }
        if open.len() > 1 {
            return Err("the document ends in the middle".to_owned());
        }
        let document = open.pop().expect("the document itself");
        document.children.into_iter().next().ok_or_else(|| "there is no element".to_owned())
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
        for at in 0..pom.len() {
            assert!(Element::parse(&pom[..at]).is_err(), "{}", &pom[..at]);
            for other in ["<", ">", "'", "&", "/", "]]>", "&#x110000;", "\u{0}", "\u{fffd}"] {
                // An error or not: it comes back.
                drop(Element::parse(&format!("{}{other}{}", &pom[..at], &pom[at + 1..])));
            }
        }
    }
}
