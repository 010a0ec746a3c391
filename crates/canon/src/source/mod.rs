//! The source of the forms: a class of tests for JUnit, a test for each.
//!
//! A method of the JVM has 64 KB of code (JVMS 4.7.3). A longer test becomes a class of its own, whose
//! methods do a part each: pools and variables are its fields.

mod expression;
mod literal;
mod names;
mod statements;

use std::fmt::Write as _;

use model::{ClassName, Hierarchy};

use crate::Form3;
use expression::Spelling;
use statements::{Body, Statement};

/// A canonical form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Form {
    /// Simple statements over variables, with arithmetic.
    First,
    /// The same without arithmetic.
    Second,
    /// Calls over pools of values.
    Third,
}

impl Form {
    /// All three.
    pub const ALL: [Self; 3] = [Self::First, Self::Second, Self::Third];

    /// Its number.
    pub fn number(self) -> u8 {
        match self {
            Self::First => 1,
            Self::Second => 2,
            Self::Third => 3,
        }
    }
}

/// Which JUnit runs the tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Junit {
    /// JUnit 3, by the superclass.
    Three,
    /// JUnit 4.
    Four,
    /// JUnit 5.
    Five,
}

/// A test to write.
#[derive(Clone, Copy, Debug)]
pub struct Method<'m> {
    /// Its name.
    pub name: &'m str,
    /// What it is.
    pub form: &'m Form3,
}

/// A class that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The source.
    pub text: String,
    /// The first line of each test, from 1; a test ends before the next begins.
    pub first_lines: Vec<usize>,
}

/// The weight of statements that certainly fit into one method.
const MAX_WEIGHT: usize = 24_000;

/// Writes a class of tests.
pub fn write_class<C: Hierarchy + ?Sized>(
    class: &ClassName,
    of: &str,
    (form, junit): (Form, Junit),
    methods: &[Method<'_>],
    classes: &C,
) -> Written {
    let mut out = Lines::default();
    let spelling = Spelling { classes, package: class.package() };
    if !class.package().is_empty() {
        out.line(&format!("package {};", class.package().replace('/', ".")));
        out.line("");
    }
    out.line(&format!("/** Canonical form {} of the tests of {of}. */", form.number()));
    out.line("@SuppressWarnings({\"unchecked\", \"rawtypes\", \"deprecation\", \"removal\"})");
    let superclass = if junit == Junit::Three { " extends junit.framework.TestCase" } else { "" };
    out.line(&format!("public class {}{superclass} {{", class.local()));
    let mut first_lines = Vec::new();
    for method in methods {
        first_lines.push(out.count + 1);
        out.line("");
        let body = Body::of(method.form, form, &spelling);
        write_method(&mut out, method, junit, &body, &spelling);
    }
    out.line("}");
    Written { text: out.text, first_lines }
}

fn write_method<C: Hierarchy + ?Sized>(
    out: &mut Lines,
    method: &Method<'_>,
    junit: Junit,
    body: &Body,
    spelling: &Spelling<'_, C>,
) {
    let throws = method.form.throws.as_ref();
    match (junit, throws) {
        (Junit::Five, _) => out.line("    @org.junit.jupiter.api.Test"),
        (Junit::Four, None) => out.line("    @org.junit.Test"),
        (Junit::Four, Some(class)) => {
            let class = spelling.class(class);
            out.line(&format!("    @org.junit.Test(expected = {class}.class)"));
        }
        (Junit::Three, _) => {}
    }
    out.line(&format!("    public void {}() throws Throwable {{", method.name));
    let weight: usize = body.statements.iter().map(|statement| statement.weight).sum();
    if weight <= MAX_WEIGHT {
        for declaration in &body.declarations {
            out.line(&format!("        {declaration}"));
        }
        for statement in &body.statements {
            out.line(&format!("        {}", statement.text));
        }
        out.line("    }");
        return;
    }
    let parts = parts(&body.statements);
    let holder = format!("{}Parts", upper(method.name));
    out.line(&format!("        {holder} parts = new {holder}();"));
    for number in 0..parts.len() {
        out.line(&format!("        parts.part{number}();"));
    }
    out.line("    }");
    out.line("");
    out.line(&format!("    private static final class {holder} {{"));
    for declaration in &body.declarations {
        out.line(&format!("        {declaration}"));
    }
    for (number, part) in parts.iter().enumerate() {
        out.line("");
        out.line(&format!("        void part{number}() throws Throwable {{"));
        for statement in *part {
            out.line(&format!("            {}", statement.text));
        }
        out.line("        }");
    }
    out.line("    }");
}

/// Runs of statements that fit into one method each.
fn parts(statements: &[Statement]) -> Vec<&[Statement]> {
    let mut parts = Vec::new();
    let (mut start, mut weight) = (0, 0);
    for (at, statement) in statements.iter().enumerate() {
        if weight + statement.weight > MAX_WEIGHT && at > start {
            parts.push(&statements[start..at]);
            (start, weight) = (at, 0);
        }
        weight += statement.weight;
    }
    parts.push(&statements[start..]);
    parts
}

fn upper(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// Text that knows how many lines it has.
#[derive(Default)]
struct Lines {
    text: String,
    count: usize,
}

impl Lines {
    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("writing to a string does not fail");
        self.count += 1;
    }
}
