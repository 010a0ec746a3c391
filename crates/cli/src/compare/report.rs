//! What `compare` tells: differences folded by member and kind, each with its shortest test.

use std::fmt::Write;

use classpath::World;
use model::{ClassName, UnitTest};
use search::{Change, Difference, Reason};
use serde::Serialize;
use writer::{Options, Suite};

use super::shown::{kind, sides};
use crate::summary::count;

/// What came of comparing.
#[derive(Debug, Serialize)]
pub(super) struct CompareReport {
    pub(super) classes: Vec<ComparedClass>,
    /// Test cases that were run on both versions.
    tests: u32,
    /// Folded differences of all classes.
    pub(super) differences: usize,
    pub(super) interrupted: bool,
}

/// A class.
#[derive(Debug, Serialize)]
pub(super) struct ComparedClass {
    pub(super) name: String,
    /// Test cases that were found.
    pub(super) tests: u32,
    /// Those of them that do not do the same twice on the old version, and are not compared.
    pub(super) unstable: u32,
    /// Why there are no test cases, if there are none.
    reasons: Vec<String>,
    differences: Vec<Folded>,
    #[serde(skip)]
    class: ClassName,
}

/// A version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Side {
    Old,
    New,
}

/// Differences of one member and kind.
#[derive(Debug, Serialize)]
struct Folded {
    /// The call that does something else; empty if it is the whole class.
    member: String,
    kind: &'static str,
    /// What the old version did in the shortest test.
    before: String,
    /// What the new version does.
    after: String,
    /// Test cases that show it.
    tests: u32,
    /// The shortest one as Java source.
    example: Option<String>,
    /// The version that it was found on: where its assertions hold.
    holds_on: Option<Side>,
    #[serde(skip)]
    shortest: Option<UnitTest>,
}

impl ComparedClass {
    pub(super) fn new(class: &ClassName, tests: usize) -> Self {
        Self {
            name: class.to_binary(),
            tests: tests as u32,
            unstable: 0,
            reasons: Vec::new(),
            differences: Vec::new(),
            class: class.clone(),
        }
    }

    /// No test case was found.
    pub(super) fn untested(&mut self, reasons: &[Reason]) {
        let of_class = reasons.iter().filter(|reason| reason.member.is_empty());
        self.reasons = of_class.map(|reason| reason.detail.clone()).collect();
        if self.reasons.is_empty() {
            self.reasons.push("no test case was found".to_owned());
        }
    }

    /// The new version does not have the class, or it cannot be used there.
    pub(super) fn class_is_gone(&mut self, why: &str) {
        self.differences.push(Folded {
            member: String::new(),
            kind: "gone",
            before: "could be used".to_owned(),
            after: format!("cannot be used: {why}"),
            tests: self.tests,
            example: None,
            holds_on: None,
            shortest: None,
        });
    }

    /// A process died of the test on the new version only.
    pub(super) fn kills(&mut self, (test, side): (&UnitTest, Side)) {
        let call = test.case.calls.len().saturating_sub(1);
        self.differs((test, side), Difference { call, change: Change::Hangs });
    }

    /// A test shows a difference.
    pub(super) fn differs(&mut self, (test, side): (&UnitTest, Side), found: Difference) {
        let member = match &found.change {
            Change::Text { class, .. } => format!("{class}.toString()"),
            _ => test.case.calls.get(found.call).map_or_else(String::new, |c| c.op.to_string()),
        };
        let kind = kind(&found.change);
        let [before, after] = sides(&found.change);
        let known = self.differences.iter_mut().find(|it| it.member == member && it.kind == kind);
        let folded = match known {
            Some(folded) => folded,
            None => {
                self.differences.push(Folded {
                    member,
                    kind,
                    before: String::new(),
                    after: String::new(),
                    tests: 0,
                    example: None,
                    holds_on: None,
                    shortest: None,
                });
                self.differences.last_mut().expect("one was pushed")
            }
        };
        folded.tests += 1;
        // People expect the old version's word first.
        let rank = |test: &UnitTest, side: Option<Side>| {
            (side != Some(Side::Old), test.case.calls.len(), test.case.slots.len())
        };
        let known = folded.shortest.as_ref().map(|shortest| rank(shortest, folded.holds_on));
        if known.is_none_or(|known| rank(test, Some(side)) < known) {
            (folded.before, folded.after) = (before, after);
            folded.shortest = Some(test.clone());
            folded.holds_on = Some(side);
        }
    }

    /// Writes the shortest tests as Java.
    pub(super) fn show(&mut self, world: &World, java_release: u16) {
        let options = Options { java_release, ..Options::default() };
        for folded in &mut self.differences {
            let Some(test) = folded.shortest.take() else { continue };
            let suite = Suite { class: self.class.clone(), tests: vec![test] };
            let source = writer::write(&suite, world, &options);
            let name = source.tests.into_iter().next().flatten();
            folded.example = name.and_then(|name| method(&source.text, &name));
        }
    }
}

/// A test method's body, without its indentation.
fn method(text: &str, name: &str) -> Option<String> {
    let head = format!("    void {name}(");
    let mut lines = text.lines().skip_while(|line| !line.starts_with(&head)).skip(1);
    let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "    }").collect();
    let unindented: Vec<&str> =
        body.iter().map(|line| line.strip_prefix("        ").unwrap_or(line)).collect();
    (!unindented.is_empty()).then(|| unindented.join("\n"))
}

impl CompareReport {
    pub(super) fn of(classes: Vec<ComparedClass>, interrupted: bool) -> Self {
        let tests = classes.iter().map(|class| class.tests - class.unstable).sum();
        let differences = classes.iter().map(|class| class.differences.len()).sum();
        Self { classes, tests, differences, interrupted }
    }

    /// The summary for people.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let mut put = |line: &str| {
            let _ = writeln!(text, "{line}");
        };
        for class in self.classes.iter().filter(|class| !class.differences.is_empty()) {
            put(&class.name);
            for folded in &class.differences {
                let subject = if folded.member.is_empty() { "the class" } else { &folded.member };
                let tests = count(folded.tests as usize, "test");
                put(&format!("  {subject}"));
                put(&format!("    {}, now {} ({tests})", folded.before, folded.after));
                if folded.example.is_some() && folded.holds_on == Some(Side::New) {
                    put("    by a test that holds on the new version:");
                }
                for line in folded.example.iter().flat_map(|example| example.lines()) {
                    put(&format!("      {line}"));
                }
            }
            put("");
        }
        let untested = self.classes.iter().filter(|class| class.tests == 0).count();
        let unstable: u32 = self.classes.iter().map(|class| class.unstable).sum();
        let (classes, tests) =
            (count(self.classes.len(), "class"), count(self.tests as usize, "test"));
        let differences = count(self.differences, "difference");
        put(&format!("{classes} compared by {tests}: {differences}"));
        if untested > 0 {
            put(&format!("no test was found for {}", count(untested, "class")));
        }
        if unstable > 0 {
            let tests = count(unstable as usize, "test");
            put(&format!("{tests} left out, for the old version does not do the same twice"));
        }
        if self.interrupted {
            put("interrupted: the classes that were not reached are not compared");
        }
        text.trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_of_a_test_is_taken_out_of_its_file() {
        let text = "class T {\n    @Test\n    void a_b() {\n        int i = 1;\n\n        \
                    if (x) {\n        }\n    }\n}\n";
        let found = method(text, "a_b");
        assert_eq!(found.as_deref(), Some("int i = 1;\n\nif (x) {\n}"));
        assert_eq!(method(text, "a"), None);
    }
}
