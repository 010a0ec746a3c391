//! The XML reports of Surefire: which tests ran, and which of them were red.

use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::{RedTest, StudyError};

/// What Surefire says of all test classes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Surefire {
    pub(crate) green: u32,
    pub(crate) skipped: u32,
    pub(crate) red: Vec<RedTest>,
}

/// Reads every report in a folder; a folder that is not there has none.
pub(crate) fn read(folder: &Path) -> Result<Surefire, StudyError> {
    let mut all = Surefire::default();
    if !folder.is_dir() {
        return Ok(all);
    }
    let entries = std::fs::read_dir(folder).map_err(StudyError::io("read", folder))?;
    let mut files = Vec::new();
    for entry in entries {
        let file = entry.map_err(StudyError::io("read", folder))?.path();
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with("TEST-") && name.ends_with(".xml") {
            files.push(file);
        }
    }
    files.sort_unstable();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(StudyError::io("read", &file))?;
        parse(&text, &mut all).map_err(StudyError::bad_output(file.display().to_string()))?;
    }
    Ok(all)
}

/// Adds one report.
fn parse(text: &str, all: &mut Surefire) -> Result<(), String> {
    let mut reader = Reader::from_str(text);
    // The test that is open, and what became of it so far.
    let mut open: Option<(String, End)> = None;
    loop {
        let event = reader.read_event().map_err(|error| error.to_string())?;
        match &event {
            Event::Start(tag) | Event::Empty(tag) => {
                match tag.local_name().as_ref() {
                    "testcase" => {
                        let [class, name] = ["classname", "name"].map(|key| attribute(tag, key));
                        open = Some((format!("{}.{}", class?, name?), End::Green));
                        if matches!(event, Event::Empty(_)) {
                            close(&mut open, all);
                        }
                    }
                    kind @ ("failure" | "error") => {
                        let (message, class) = (attribute(tag, "message"), attribute(tag, "type"));
                        let exception = class.clone().unwrap_or_default();
                        let message = message.or(class).unwrap_or_else(|_| kind.to_owned());
                        set(&mut open, End::Red { message, exception });
                    }
                    "skipped" => set(&mut open, End::Skipped),
                    _ => {}
                };
            }
            Event::End(tag) if tag.local_name().as_ref() == "testcase" => close(&mut open, all),
            Event::Eof => break,
            _ => {}
        }
    }
    Ok(())
}

enum End {
    Green,
    Skipped,
    Red { message: String, exception: String },
}

fn set(open: &mut Option<(String, End)>, end: End) {
    if let Some((_, current)) = open {
        *current = end;
    }
}

fn close(open: &mut Option<(String, End)>, all: &mut Surefire) {
    match open.take() {
        Some((_, End::Green)) => all.green += 1,
        Some((_, End::Skipped)) => all.skipped += 1,
        Some((name, End::Red { message, exception })) => {
            all.red.push(RedTest { name, message, exception });
        }
        None => {}
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, green: u32, skipped: u32, red: &[(&str, &str)]) {
        let mut all = Surefire::default();
        parse(text, &mut all).expect("well-formed");
        let red: Vec<RedTest> = red
            .iter()
            .map(|(name, message)| RedTest {
                name: (*name).to_owned(),
                message: (*message).to_owned(),
                exception: "x.Y".to_owned(),
            })
            .collect();
        assert_eq!(all, Surefire { green, skipped, red });
    }

    #[test]
    fn tests_are_green_unless_an_element_inside_says_otherwise() {
        check(
            "<testsuite><testcase classname='a.B' name='c'/><testcase classname='a.B' name='d'>\
             <failure message='expected &lt;1>' type='x.Y'>trace</failure></testcase>\
             <testcase classname='a.B' name='e'><error type='x.Y'/></testcase>\
             <testcase classname='a.B' name='f'><skipped/></testcase>\
             <testcase classname='a.B' name='g'><system-out>failure</system-out></testcase>\
             </testsuite>",
            2,
            1,
            &[("a.B.d", "expected <1>"), ("a.B.e", "x.Y")],
        );
    }

    #[test]
    fn what_is_cut_off_is_an_error() {
        let mut all = Surefire::default();
        assert!(parse("<testsuite><testcase name='c'/>", &mut all).is_err());
    }
}
