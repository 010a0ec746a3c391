//! The file: package, imports, class and methods around the bodies of the tests.

use std::collections::BTreeSet;
use std::sync::Arc;

use model::{Class, ClassName, ClassSource, Temporary, UnitTest, is_identifier};

use crate::body::{Body, Statement};
use crate::call::Throws;
use crate::doc::Doc;
use crate::generics::Scope;
use crate::imports::Spelling;
use crate::injection::Injection;
use crate::order::in_order;
use crate::parameterize;
use crate::rejection::Rejection;
use crate::temporary::Style;
use crate::test_name::{folder, test_class_name};
use crate::title::titles;
use crate::{Junit, Options, Source, Suite};

/// Indentation of one level.
const INDENT: usize = 4;
/// Columns a comment may reach.
const WIDTH: usize = 100;

/// Writes a suite as a test class.
pub fn write(suite: &Suite, classes: &dyn ClassSource, options: &Options) -> Source {
    let package = suite.class.package();
    let scope = Scope { classes, package, files: Style::of(options) };
    let class_name = test_class_name(classes, &suite.class, &options.suffix);
    let mut written: Vec<(usize, Body)> = Vec::new();
    let mut rejected = Vec::new();
    for index in in_order(suite, classes) {
        match test_body(scope, options, &class_name, &suite.tests[index]) {
            Ok(body) => written.push((index, body)),
            Err(reason) => rejected.push((index, reason)),
        }
    }
    let kept: Vec<&UnitTest> = written.iter().map(|(index, _)| &suite.tests[*index]).collect();
    let titles = titles(scope, &kept, ASSERTIONS);
    let mut tests = vec![None; suite.tests.len()];
    for ((index, _), title) in written.iter().zip(&titles) {
        tests[*index] = Some(title.clone());
    }
    let bodies: Vec<&Body> = written.iter().map(|(_, body)| body).collect();
    let has_files = kept.iter().any(|test| Temporary::is_used_in(&test.case));
    let file = File { scope, options, package, class_name: &class_name, has_files };
    let text = file.text(&titles, &bodies);
    Source {
        package: package.replace('/', "."),
        path: test_path(classes, &suite.class, &options.suffix),
        class_name,
        text,
        tests,
        rejected,
    }
}

/// Where the tests of a class go below the source root: `org/x/FooTest.java`.
pub fn test_path(classes: &dyn ClassSource, class: &ClassName, suffix: &str) -> String {
    format!("{}{}.java", folder(class), test_class_name(classes, class, suffix))
}

/// Assertion methods and Mockito's: a test of such a name would hide the static import.
const ASSERTIONS: &[&str] = &[
    "assertArrayEquals",
    "assertEquals",
    "assertFalse",
    "assertNotNull",
    "assertNotSame",
    "assertNull",
    "assertSame",
    "assertThrows",
    "assertTrue",
    "fail",
    "any",
    "anyBoolean",
    "anyByte",
    "anyChar",
    "anyDouble",
    "anyFloat",
    "anyInt",
    "anyLong",
    "anyShort",
    "doReturn",
    "doThrow",
    "eq",
    "isNull",
    "mock",
    "times",
    "verify",
    "when",
];

fn test_body(
    scope: Scope,
    options: &Options,
    class_name: &str,
    test: &UnitTest,
) -> Result<Body, Rejection> {
    let bad_part =
        scope.package.split('/').find(|p| !scope.package.is_empty() && !is_identifier(p));
    for name in [bad_part, Some(class_name)].into_iter().flatten() {
        if !is_identifier(name) {
            return Err(Rejection::NotAnIdentifier { name: name.to_owned() });
        }
    }
    test.case.check(&Classes(scope.classes))?;
    let body = parameterize::write(scope, options, test)?;
    // A class of the test's own name cannot be mentioned in it.
    let own = ClassName::internal(&if scope.package.is_empty() {
        class_name.to_owned()
    } else {
        format!("{}/{class_name}", scope.package)
    });
    let mut mentioned = Vec::new();
    body.statements.iter().for_each(|s| s.classes(&mut mentioned));
    if mentioned.contains(&own) {
        return Err(Rejection::NotAnIdentifier { name: class_name.to_owned() });
    }
    Ok(body)
}

/// A class source as a sized type.
struct Classes<'a>(&'a dyn ClassSource);

impl ClassSource for Classes<'_> {
    fn class(&self, name: &ClassName) -> Option<Arc<Class>> {
        self.0.class(name)
    }
}

impl Statement {
    fn classes(&self, found: &mut Vec<ClassName>) {
        match self {
            Self::Plain(doc) => doc.classes(found),
            Self::Comment(_) => {}
            Self::Try { body, class, handler, .. } => {
                found.push(class.clone());
                body.iter().chain(handler).for_each(|s| s.classes(found));
            }
        }
    }
}

impl Statement {
    /// How often a class that satisfies the condition is used as a type without arguments.
    pub(crate) fn count_types(&self, is: &dyn Fn(&ClassName) -> bool) -> usize {
        match self {
            Self::Plain(doc) => doc.count_types(is),
            Self::Comment(_) => 0,
            Self::Try { body, handler, .. } => {
                body.iter().chain(handler).map(|s| s.count_types(is)).sum()
            }
        }
    }
}

struct File<'a> {
    scope: Scope<'a>,
    options: &'a Options,
    package: &'a str,
    class_name: &'a str,
    /// Whether tests need a temporary folder.
    has_files: bool,
}

impl File<'_> {
    fn text(&self, titles: &[String], bodies: &[&Body]) -> String {
        let (test, assertions) = match self.options.junit {
            Junit::Four { .. } => ("org/junit/Test", "org.junit.Assert"),
            Junit::Five => ("org/junit/jupiter/api/Test", "org.junit.jupiter.api.Assertions"),
        };
        let annotation = ClassName::internal(test);
        let mut mentioned = vec![annotation.clone()];
        for body in bodies {
            body.statements.iter().for_each(|s| s.classes(&mut mentioned));
            mentioned.extend(body.thrown());
        }
        if self.has_files {
            mentioned.extend(self.scope.files.declaring());
        }
        let injected = bodies.iter().find_map(|body| body.injected.as_ref());
        let injection = injected.map(|injected| Injection::new(self.options.junit, injected));
        mentioned.extend(injection.iter().flat_map(Injection::classes));
        let raw: Vec<bool> = bodies.iter().map(|b| self.mentions_raw_types(b)).collect();
        let everywhere = raw.iter().filter(|r| **r).count() > 1;
        if raw.contains(&true) {
            mentioned.push(ClassName::internal("java/lang/SuppressWarnings"));
        }
        let names = Spelling::new(self.scope.classes, self.package, self.class_name, &mentioned);
        let mut out = String::new();
        if !self.package.is_empty() {
            out.push_str(&format!("package {};\n\n", self.package.replace('/', ".")));
        }
        let asserting = bodies.iter().flat_map(|b| &b.assertions).map(|name| (assertions, *name));
        let mocking = bodies.iter().flat_map(|b| b.mockito.iter().copied());
        let used: BTreeSet<(&str, &str)> = asserting.chain(mocking).collect();
        for (class, name) in &used {
            out.push_str(&format!("import static {class}.{name};\n"));
        }
        if !used.is_empty() && !names.imports.is_empty() {
            out.push('\n');
        }
        for import in &names.imports {
            out.push_str(&format!("import {import};\n"));
        }
        if !used.is_empty() || !names.imports.is_empty() {
            out.push('\n');
        }
        let suppress = |indent: usize| {
            let name = names.of(&ClassName::internal("java/lang/SuppressWarnings"));
            format!("{}@{name}({{\"rawtypes\", \"unchecked\"}})\n", " ".repeat(indent))
        };
        if everywhere {
            out.push_str(&suppress(0));
        }
        let public = match self.options.junit {
            Junit::Four { .. } => "public ",
            Junit::Five => "",
        };
        if let Some(injection) = &injection {
            out.push_str(&injection.annotation(&names));
        }
        out.push_str(&format!("{public}class {} {{\n", self.class_name));
        if self.has_files {
            let lines = self.scope.files.declaration(|class| names.of(class).to_owned());
            lines.iter().for_each(|line| out.push_str(&format!("    {line}\n")));
            out.push('\n');
        }
        if let Some(injection) = &injection {
            out.push_str(&injection.fields(&names));
        }
        for (index, (title, body)) in titles.iter().zip(bodies).enumerate() {
            if index > 0 {
                out.push('\n');
            }
            out.push_str(&format!("    @{}\n", names.of(&annotation)));
            if raw[index] && !everywhere {
                out.push_str(&suppress(INDENT));
            }
            let throws =
                body.thrown().map_or_else(String::new, |c| format!(" throws {}", names.of(&c)));
            let head = format!("    {public}void {title}()");
            let gap = if head.len() + throws.len() + 2 > WIDTH {
                format!("\n{}", " ".repeat(3 * INDENT - 1))
            } else {
                String::new()
            };
            out.push_str(&format!("{head}{gap}{throws} {{\n"));
            statements(&body.statements, &names, 2 * INDENT, &mut out);
            out.push_str("    }\n");
        }
        out.push_str("}\n");
        out
    }

    /// Whether a raw type may be named, so that warnings are to be expected.
    fn mentions_raw_types(&self, body: &Body) -> bool {
        body.statements.iter().any(|s| s.count_types(&|name| self.scope.is_generic(name)) > 0)
    }
}

impl Body {
    fn thrown(&self) -> Option<ClassName> {
        match self.throws {
            Throws::Nothing => None,
            Throws::Exception => Some(ClassName::internal("java/lang/Exception")),
            Throws::Throwable => Some(ClassName::internal("java/lang/Throwable")),
        }
    }
}

fn statements(all: &[Statement], names: &Spelling, indent: usize, out: &mut String) {
    let pad = " ".repeat(indent);
    for statement in all {
        match statement {
            Statement::Plain(doc) => {
                out.push_str(&pad);
                let doc = Doc::Seq(vec![doc.clone(), Doc::text(";")]);
                doc.layout(names, indent, out);
                out.push('\n');
            }
            Statement::Comment(text) => comment(text, indent, out),
            Statement::Try { body, class, name, handler } => {
                out.push_str(&format!("{pad}try {{\n"));
                statements(body, names, indent + INDENT, out);
                out.push_str(&format!("{pad}}} catch ({} {name}) {{\n", names.of(class)));
                statements(handler, names, indent + INDENT, out);
                out.push_str(&format!("{pad}}}\n"));
            }
        }
    }
}

/// The text as line comments.
fn comment(text: &str, indent: usize, out: &mut String) {
    let text = comment_text(text);
    let room = WIDTH - indent - 3;
    let mut line = String::new();
    let flush = |line: &mut String, out: &mut String| {
        if !line.is_empty() {
            out.push_str(&format!("{}// {line}\n", " ".repeat(indent)));
            line.clear();
        }
    };
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > room {
            flush(&mut line, out);
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    flush(&mut line, out);
}

/// The text in printable ASCII; Java reads `\u` escapes even in comments (JLS §3.3), so a
/// backslash before a `u` is doubled and everything else beyond ASCII is shown by its number.
fn comment_text(text: &str) -> String {
    let mut out = String::new();
    let mut backslashes = 0;
    for c in text.chars() {
        if c == 'u' && backslashes % 2 == 1 {
            out.push('\\');
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        match c {
            ' '..='~' => out.push(c),
            c if c.is_control() => out.push(' '),
            c => out.push_str(&format!("U+{:04X}", u32::from(c))),
        }
    }
    out
}
