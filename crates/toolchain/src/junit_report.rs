//! The XML reports of a run of tests: what ran, and what became of it.

use std::fs;
use std::path::Path;

use quick_xml::events::Event;

use crate::ToolchainError;
use crate::xml::{attribute, go_over};

/// What became of the tests of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JUnitReport {
    /// How many ran; those that were skipped are not among them.
    pub run: usize,
    /// Those that failed.
    pub failed: Vec<FailedTest>,
}

/// A test that failed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FailedTest {
    /// Class and test.
    pub name: String,
    /// What was thrown, with its stack and its causes.
    pub thrown: String,
}

impl JUnitReport {
    /// Reads all reports in a folder.
    pub fn read(folder: &Path) -> Result<Self, ToolchainError> {
        let mut report = Self::default();
        let mut files = Vec::new();
        let reading = || ToolchainError::io("read", folder);
        for entry in fs::read_dir(folder).map_err(reading())? {
            let path = entry.map_err(reading())?.path();
            if path.extension().is_some_and(|ending| ending == "xml") {
                files.push(path);
            }
        }
        files.sort();
        for file in files {
            let text = fs::read_to_string(&file).map_err(ToolchainError::io("read", &file))?;
            report
                .add(&text)
                .map_err(|reason| ToolchainError::JUnitOutput { file: file.clone(), reason })?;
        }
        Ok(report)
    }

    fn add(&mut self, text: &str) -> Result<(), String> {
        let (mut name, mut kind) = (String::new(), String::new());
        let mut thrown: Option<String> = None;
        let (mut is_skipped, mut is_told) = (false, false);
        go_over(text, |event| {
            match event {
                Event::Start(tag) | Event::Empty(tag) => match tag.local_name().as_ref() {
                    "testcase" => {
                        name =
                            format!("{}.{}", attribute(tag, "classname")?, attribute(tag, "name")?);
                        (thrown, is_skipped) = (None, false);
                        self.run += usize::from(matches!(event, Event::Empty(_)));
                    }
                    "failure" | "error" => {
                        thrown = Some(String::new());
                        kind = attribute(tag, "type").unwrap_or_default();
                        is_told = matches!(event, Event::Start(_));
                    }
                    "skipped" => is_skipped = true,
                    _ => {}
                },
                Event::CData(text) if is_told => {
                    thrown.get_or_insert_default().push_str(&text.xml10_content());
                }
                Event::Text(text) if is_told => {
                    thrown.get_or_insert_default().push_str(&text.xml10_content());
                }
                Event::End(tag) => match tag.local_name().as_ref() {
                    "failure" | "error" => is_told = false,
                    "testcase" => {
                        self.run += usize::from(!is_skipped);
                        if let Some(thrown) = thrown.take() {
                            let thrown = if thrown.is_empty() { &kind } else { &thrown };
                            let (name, thrown) = (name.clone(), thrown.clone());
                            self.failed.push(FailedTest { name, thrown });
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that ran, and name and exception of those that failed.
    type Told<'a> = (usize, &'a [(&'a str, &'a str)]);

    #[test]
    fn tests_that_ran_are_counted_and_those_that_failed_told() {
        let check = |text: &str, expected: Result<Told<'_>, &str>| {
            let mut report = JUnitReport::default();
            let read = report.add(text);
            let failed: Vec<(&str, &str)> =
                report.failed.iter().map(|test| (&*test.name, &*test.thrown)).collect();
            match (read, expected) {
                (Ok(()), Ok(expected)) => assert_eq!((report.run, &*failed), expected),
                (Err(why), Err(part)) => assert!(why.contains(part), "{why}"),
                (read, expected) => panic!("{read:?} is not {expected:?}"),
            }
        };
        check(
            "<testsuite><testcase name=\"a()\" classname=\"p.T\"><error message=\"m\" type=\"E\">\
             <![CDATA[E: m\n\tat p.T.a(T.java:3)]]></error><system-out>x</system-out></testcase>\
             <testcase name=\"b()\" classname=\"p.T\"><skipped>why</skipped></testcase>\
             <testcase name=\"c()\" classname=\"p.T\"/>\
             <testcase name=\"d()\" classname=\"p.T\"><system-out>x</system-out></testcase></testsuite>",
            Ok((3, &[("p.T.a()", "E: m\n\tat p.T.a(T.java:3)")])),
        );
        check("<testsuite tests=\"0\"></testsuite>", Ok((0, &[])));
        check("<testsuite><testcase name=\"a\"/></testsuite>", Err("classname"));
    }
}
