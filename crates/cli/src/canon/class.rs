//! The tests of one class, converted and checked.

use ::canon::{
    Equivalence, Form, Form3, Junit, Keep, Method, Record, Refusal, convert as to_form, write_class,
};
use model::ClassName;
use worker::Diagnostic;

use super::bench::{Bench, Found};

/// What became of a class.
pub(crate) struct Converted {
    pub(crate) class: ClassName,
    pub(crate) tests: Vec<ConvertedTest>,
    pub(crate) sources: Vec<Source>,
}

/// What became of a test.
pub(crate) struct ConvertedTest {
    pub(crate) name: String,
    /// The method that is written: a run of a parameterized test has the number behind its name.
    written: String,
    /// Its form, or why it has none.
    pub(crate) form: Result<Form3, Refusal>,
    /// Calls of the written test that returned other values than those of the test.
    pub(crate) other_values: usize,
    /// What it did, as long as it may be converted in another way.
    record: Option<Record>,
    /// The ways that are left, from the last.
    ways: Vec<Keep>,
}

impl ConvertedTest {
    /// A test that is not converted, yet.
    fn refused(found: &Found, refusal: Refusal) -> Self {
        let name = found.name.clone();
        let written = name.replace('[', "_").replace(']', "");
        Self { name, written, form: Err(refusal), other_values: 0, record: None, ways: Vec::new() }
    }

    /// Converts it in the next way that gives another form; says whether there is one. Else it stays
    /// as it is.
    fn convert_otherwise(&mut self, bench: &Bench<'_>, package: &str) -> bool {
        let Some(record) = &self.record else { return false };
        let site = |number| bench.site(number);
        while let Some(keep) = self.ways.pop() {
            match to_form((record, keep), &site, bench.world(), package) {
                Ok(form) if self.form.as_ref() != Ok(&form) => {
                    self.form = Ok(form);
                    return true;
                }
                Ok(_) => {}
                // The first reason is told: the others are of what it does not need.
                Err(refusal) => {
                    if self.ways.len() + 1 == Keep::ALL.len() {
                        self.form = Err(refusal);
                    }
                }
            }
        }
        false
    }
}

/// A file.
pub(crate) struct Source {
    /// Where it belongs, below a source folder.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Compilers stop at a number of errors, so what is left is compiled again.
const MAX_ROUNDS: usize = 20;

/// Converts these tests of a class to these forms. A test that fails in one form is in no file.
pub(crate) fn convert(
    bench: &mut Bench<'_>,
    class: &ClassName,
    found: &[Found],
    forms: &[Form],
) -> anyhow::Result<Converted> {
    let mut tests = recorded(bench, class, found)?;
    let mut sources = Vec::new();
    for form in forms {
        check(bench, class, (*form, junit(found)), &mut tests)?;
    }
    // A form that was checked before another lost a test is written without that.
    for form in forms {
        let written = names(class, *form);
        let methods = methods(&tests);
        if !methods.is_empty() {
            let of = class.to_binary();
            let text =
                write_class(&written, &of, (*form, junit(found)), &methods, bench.world()).text;
            sources.push(Source { path: format!("{}.java", written.as_internal()), text });
        }
    }
    Ok(Converted { class: class.clone(), tests, sources })
}

fn junit(found: &[Found]) -> Junit {
    found.first().map_or(Junit::Five, |found| found.junit)
}

/// The class that has a form of the tests of another.
fn names(class: &ClassName, form: Form) -> ClassName {
    let name = class.as_internal().replace('$', "_");
    ClassName::internal(&format!("{name}Form{}", form.number()))
}

fn methods(tests: &[ConvertedTest]) -> Vec<Method<'_>> {
    let converted = tests
        .iter()
        .filter_map(|test| Some(Method { name: &test.written, form: test.form.as_ref().ok()? }));
    converted.collect()
}

/// Runs each test and converts what it told; nothing is written or checked yet.
pub(crate) fn recorded(
    bench: &mut Bench<'_>,
    class: &ClassName,
    found: &[Found],
) -> anyhow::Result<Vec<ConvertedTest>> {
    let own = bench.own_classes(class);
    let folder = bench.rewritten(&own)?;
    let names: Vec<String> = own.iter().map(ClassName::to_binary).collect();
    let mut tests = Vec::new();
    for found in found {
        let recorded = match (&found.refusal, &folder) {
            (Some(refusal), _) | (None, Err(refusal)) => Err(refusal.clone()),
            (None, Ok(folder)) => bench.record(folder, (class, &found.name), &names)?,
        };
        tests.push(match recorded {
            Ok(record) => {
                let unknown = Refusal::FailsHere(String::new());
                let mut test = ConvertedTest::refused(found, unknown);
                test.record = Some(record);
                test.ways = Keep::ALL.into_iter().rev().collect();
                test.convert_otherwise(bench, class.package());
                test
            }
            Err(refusal) => ConvertedTest::refused(found, refusal),
        });
    }
    if let Ok(folder) = folder {
        std::fs::remove_dir_all(folder)?;
    }
    Ok(tests)
}

/// Compiles a form of the tests and runs it; those that do not do what the test did are refused.
fn check(
    bench: &mut Bench<'_>,
    class: &ClassName,
    (form, junit): (Form, Junit),
    tests: &mut [ConvertedTest],
) -> anyhow::Result<()> {
    let written = names(class, form);
    for _ in 0..MAX_ROUNDS {
        let methods = methods(tests);
        if methods.is_empty() {
            return Ok(());
        }
        let source =
            write_class(&written, &class.to_binary(), (form, junit), &methods, bench.world());
        match bench.compiled(&written, &source.text)? {
            Ok(folder) => {
                let again = compare(bench, (&written, &folder), tests)?;
                std::fs::remove_dir_all(folder)?;
                if !again {
                    return Ok(());
                }
            }
            Err(errors) => refuse(tests, &source.first_lines, &errors),
        }
    }
    for test in tests.iter_mut().filter(|test| test.form.is_ok()) {
        test.form = Err(Refusal::Uncompilable("the compiler finds no end of errors".to_owned()));
    }
    Ok(())
}

/// Refuses the tests that errors are in; all, if one is in none.
fn refuse(tests: &mut [ConvertedTest], first_lines: &[usize], errors: &[Diagnostic]) {
    let written: Vec<usize> = (0..tests.len()).filter(|at| tests[*at].form.is_ok()).collect();
    for error in errors {
        let line = error.line as usize;
        let at = first_lines.partition_point(|first| *first <= line);
        let why = || Err(Refusal::Uncompilable(error.message.clone()));
        match at.checked_sub(1) {
            Some(at) if line > 0 => tests[written[at]].form = why(),
            _ => written.iter().for_each(|at| tests[*at].form = why()),
        }
    }
}

/// Compares all; says whether one is now converted in another way.
fn compare(
    bench: &mut Bench<'_>,
    (written, folder): (&ClassName, &std::path::Path),
    tests: &mut [ConvertedTest],
) -> anyhow::Result<bool> {
    let own = [written.to_binary()];
    let mut again = false;
    for test in tests {
        let Ok(form) = &test.form else { continue };
        let ran = bench.record(folder, (written, &test.written), &own)?;
        let judged = ran.map(|ran| Equivalence::of(form, &ran, &|number| bench.site(number)));
        match judged {
            Ok(Equivalence::Holds { other_values }) => test.other_values = other_values,
            Ok(Equivalence::Broken(why)) => {
                if test.convert_otherwise(bench, written.package()) {
                    again = true;
                } else {
                    test.form = Err(Refusal::Different(why));
                }
            }
            Err(refusal) => test.form = Err(Refusal::Different(refusal.to_string())),
        }
    }
    Ok(again)
}
