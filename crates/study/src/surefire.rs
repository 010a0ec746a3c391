//! The XML reports of Surefire: which tests ran, and which of them were red.

use std::path::Path;

use quick_xml::events::Event;
use toolchain::xml::{attribute, go_over};

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
    // The test that is open, and what became of it so far.
    let mut open: Option<(String, End)> = None;
    go_over(text, |event| {
        match event {
            Event::Start(tag) | Event::Empty(tag) => match tag.local_name().as_ref() {
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
            },
            Event::End(tag) if tag.local_name().as_ref() == "testcase" => close(&mut open, all),
            _ => {}
        }
        Ok(())
    })
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
    fn a_damaged_report_is_an_error_or_read() {
        let report = "<?xml version='1.0'?><testsuite><testcase classname='a.B' name='c'/>\
            <testcase classname='a.B' name='d'><failure message='&lt;1>' type='x.Y'>trace</failure>\
            </testcase><testcase classname='a.B' name='e'><skipped/></testcase></testsuite>";
        testkit::check_damaged(report, |text| parse(text, &mut Surefire::default()));
    }
}
