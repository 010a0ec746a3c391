//! What JaCoCo measured, read from its XML report.

use std::collections::BTreeMap;
use std::iter::Sum;
use std::ops::AddAssign;
use std::path::Path;

use quick_xml::events::{BytesStart, Event};
use serde::{Deserialize, Serialize};
use toolchain::xml::{attribute, go_over};

use crate::StudyError;

/// So many of so many.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Count {
    /// Reached.
    pub covered: u32,
    /// All there are.
    pub total: u32,
}

impl Count {
    /// In percent; `None` of nothing.
    pub fn percent(self) -> Option<f64> {
        (self.total > 0).then(|| f64::from(self.covered) * 100.0 / f64::from(self.total))
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.covered += other.covered;
        self.total += other.total;
    }
}

impl Sum for Count {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |mut all, count| {
            all += count;
            all
        })
    }
}

/// The coverage of a class, or of several.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Coverage {
    /// Branches.
    pub branches: Count,
    /// Source lines.
    pub lines: Count,
    /// Bytecode instructions.
    pub instructions: Count,
}

impl AddAssign for Coverage {
    fn add_assign(&mut self, other: Self) {
        self.branches += other.branches;
        self.lines += other.lines;
        self.instructions += other.instructions;
    }
}

/// Reads JaCoCo's report: coverage by internal class name.
pub(crate) fn read(file: &Path) -> Result<BTreeMap<String, Coverage>, StudyError> {
    let text = std::fs::read_to_string(file).map_err(StudyError::io("read", file))?;
    parse(&text).map_err(StudyError::bad_output(file.display().to_string()))
}

fn parse(text: &str) -> Result<BTreeMap<String, Coverage>, String> {
    let mut classes: BTreeMap<String, Coverage> = BTreeMap::new();
    let mut class: Option<String> = None;
    let mut in_method = false;
    go_over(text, |event| {
        match event {
            Event::Start(tag) => match tag.local_name().as_ref() {
                "class" => class = Some(attribute(tag, "name")?),
                "method" => in_method = true,
                _ => {}
            },
            // A class's own counters come after its methods, which have the same elements.
            Event::Empty(tag) if tag.local_name().as_ref() == "counter" && !in_method => {
                if let Some(class) = &class {
                    count(tag, classes.entry(class.clone()).or_default())?;
                }
            }
            Event::End(tag) => match tag.local_name().as_ref() {
                "class" => class = None,
                "method" => in_method = false,
                _ => {}
            },
            _ => {}
        }
        Ok(())
    })?;
    Ok(classes)
}

fn count(tag: &BytesStart<'_>, coverage: &mut Coverage) -> Result<(), String> {
    let number = |key| attribute(tag, key)?.parse::<u32>().map_err(|error| error.to_string());
    let (missed, covered) = (number("missed")?, number("covered")?);
    let total = missed.checked_add(covered).ok_or("a counter is too large")?;
    let count = Count { covered, total };
    match attribute(tag, "type")?.as_str() {
        "BRANCH" => coverage.branches = count,
        "LINE" => coverage.lines = count,
        "INSTRUCTION" => coverage.instructions = count,
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counters_of_a_class_are_not_those_of_its_methods_or_its_package() {
        let report = "<!DOCTYPE report PUBLIC '-//JACOCO//DTD' 'report.dtd'><report name='x'>\
            <package name='a'><class name='a/B'><method name='m' desc='()V'>\
            <counter type='BRANCH' missed='9' covered='9'/></method>\
            <counter type='INSTRUCTION' missed='1' covered='2'/>\
            <counter type='BRANCH' missed='3' covered='1'/></class><class name='a/C'/>\
            <counter type='BRANCH' missed='30' covered='10'/></package></report>";
        testkit::check_damaged(report, parse);
        let classes = parse(report).expect("well-formed");
        let expected = Coverage {
            branches: Count { covered: 1, total: 4 },
            lines: Count::default(),
            instructions: Count { covered: 2, total: 3 },
        };
        assert_eq!(classes, BTreeMap::from([("a/B".to_owned(), expected)]));
    }

    #[test]
    fn a_percentage_of_nothing_is_none() {
        assert_eq!(Count::default().percent(), None);
        assert_eq!(Count { covered: 1, total: 4 }.percent(), Some(25.0));
    }
}
