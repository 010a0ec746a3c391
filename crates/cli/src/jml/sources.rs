//! Java sources and the specifications beside them, read from folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use contracts::java::{Method, Modifiers, TypeDecl};
use contracts::jml::ast::FieldSpec;
use contracts::{Diagnostic, FileId, Keys, Position, Severity, Source, Span};

use crate::exit::Failure;

/// A file of another size is not source that anybody wrote.
const MAX_BYTES: u64 = 16 << 20;

/// What was read.
pub(crate) struct Sources {
    /// The files, by their names below the folder that was given, sorted.
    pub(crate) parsed: Vec<Source>,
    /// What was not understood of specifications.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether a build compiles them, which may do so in ways that nobody here knows of: with processors
    /// that write code, say. What does not compile here is then left as the build made it.
    pub(super) are_built: bool,
    /// What is left out of them, a line each with the reason.
    pub(super) left_out: Vec<String>,
}

impl Sources {
    fn nothing(are_built: bool) -> Self {
        Self { parsed: Vec::new(), diagnostics: Vec::new(), are_built, left_out: Vec::new() }
    }

    /// Reads all `.java` files in the folders and below them, with the `.jml` files that belong to them.
    pub(crate) fn read(folders: &[PathBuf], keys: &Keys) -> anyhow::Result<Self> {
        let mut sources = Self::nothing(false);
        let mut alone = Vec::new();
        for folder in folders {
            if !folder.is_dir() {
                let message = format!("`{}` is no folder with Java sources", folder.display());
                return Err(Failure::bad_input(message).into());
            }
            let mut files = BTreeMap::new();
            collect(folder, Path::new(""), &mut files)?;
            let java: Vec<(String, PathBuf)> = (files.iter())
                .filter(|(name, _)| name.ends_with(".java"))
                .map(|(name, path)| (name.clone(), path.clone()))
                .collect();
            for (name, path) in &java {
                sources.add(name, path, &mut files, keys)?;
            }
            alone.extend(files.into_iter().filter(|(name, _)| name.ends_with(".jml")));
        }
        for (name, path) in &alone {
            sources.add_alone(name, path, keys)?;
        }
        if sources.parsed.is_empty() {
            let named: Vec<String> = folders.iter().map(|f| format!("`{}`", f.display())).collect();
            let message = format!("there are no Java sources in {}", named.join(", "));
            return Err(Failure::bad_input(message).into());
        }
        Ok(sources)
    }

    /// Reads the sources of a build, a folder for each module; nothing if no file in them has a comment that
    /// looks like a contract. Of a name that several modules have, no file is read: which of them a
    /// class is of depends on the class path.
    pub(crate) fn of_build(folders: &[PathBuf], keys: &Keys) -> anyhow::Result<Self> {
        let mut sources = Self::nothing(true);
        let mut modules = Vec::new();
        for folder in folders.iter().filter(|folder| folder.is_dir()) {
            let mut files = BTreeMap::new();
            collect(folder, Path::new(""), &mut files)?;
            modules.push(files);
        }
        let mut may_have_any = false;
        for (name, path) in modules.iter().flatten() {
            may_have_any |= name.ends_with(".jml") || may_have_contracts(&text_of(path)?);
        }
        if !may_have_any {
            return Ok(sources);
        }
        let mut alone = Vec::new();
        for files in &modules {
            let mut left = files.clone();
            for (name, path) in files.iter().filter(|(name, _)| name.ends_with(".java")) {
                if modules.iter().filter(|files| files.contains_key(name)).count() == 1 {
                    sources.add(name, path, &mut left, keys)?;
                } else if may_have_contracts(&text_of(path)?) {
                    let line = format!("{name}: not checked, for several modules have such a file");
                    sources.left_out.push(line);
                }
            }
            alone.extend(left.into_iter().filter(|(name, _)| name.ends_with(".jml")));
        }
        for (name, path) in &alone {
            sources.add_alone(name, path, keys)?;
        }
        for source in sources.parsed.iter_mut().filter(|source| source.annotated) {
            // Comments of other tools may look like contracts; they make no file one that has some.
            source.annotated = source.files.len() > 1 || says_anything(source);
        }
        Ok(sources)
    }

    /// That something looks like contracts and none of it is, if it is so.
    pub(crate) fn only_mistakes(&self) -> Option<String> {
        let mut errors = self.diagnostics.iter().filter(|it| it.severity == Severity::Error);
        let first = errors.next().filter(|_| !self.have_contracts())?;
        Some(format!(
            "no contracts are checked: comments of the sources begin as contracts do, and none is \
             understood, such as {first}"
        ))
    }

    fn add(
        &mut self,
        name: &str,
        path: &Path,
        files: &mut BTreeMap<String, PathBuf>,
        keys: &Keys,
    ) -> anyhow::Result<()> {
        let (mut source, diagnostics) = contracts::parse_with(name, &text_of(path)?, keys);
        self.diagnostics.extend(diagnostics);
        let beside = format!("{}.jml", name.trim_end_matches(".java"));
        if let Some(path) = files.remove(&beside) {
            let path = &path;
            self.diagnostics.extend(source.add_jml(&beside, &text_of(path)?, keys));
        }
        self.parsed.push(source);
        Ok(())
    }

    /// A `.jml` file beside which there is no source of its name: the source may be in another folder, or
    /// have another name. What there is no source of is told: checks are woven into sources.
    fn add_alone(&mut self, name: &str, path: &Path, keys: &Keys) -> anyhow::Result<()> {
        let text = text_of(path)?;
        let (jml, _) = contracts::parse_jml(name, &text, keys);
        let package = |source: &Source| source.package.as_ref().map(|name| name.text.clone());
        let wanted: Vec<&str> = jml.types.iter().map(|ty| ty.name.text.as_str()).collect();
        let declares = |source: &&mut Source| {
            let named = |ty: &TypeDecl| wanted.contains(&ty.name.text.as_str());
            package(source) == package(&jml) && source.types.iter().any(named)
        };
        if let Some(source) = self.parsed.iter_mut().find(declares) {
            self.diagnostics.extend(source.add_jml(name, &text, keys));
            return Ok(());
        }
        let java = format!("{}.java", name.trim_end_matches(".jml"));
        self.diagnostics.push(Diagnostic {
            severity: Severity::Error,
            file: name.to_owned(),
            position: Position { line: 1, column: 1 },
            span: Span::new(FileId::JAVA, 0, 0),
            message: format!(
                "not checked: there is no source of what this specifies; put `{java}` into a folder of \
                 `--source`, or remove this file"
            ),
        });
        Ok(())
    }

    /// Whether there is any specification.
    pub(crate) fn have_contracts(&self) -> bool {
        self.parsed.iter().any(|source| source.annotated || source.files.len() > 1)
    }

    /// File names and texts, as a compiler takes them; module descriptions are left out, for classes are
    /// compiled and run on a class path.
    pub(crate) fn texts(&self) -> Vec<(String, String)> {
        let files = self.parsed.iter().filter(|source| is_compiled(source.name()));
        files.map(|source| (source.name().to_owned(), source.text().to_owned())).collect()
    }
}

/// Whether a source goes to the compiler.
pub(crate) fn is_compiled(name: &str) -> bool {
    !name.ends_with("module-info.java")
}

/// Whether a text has a comment that begins as those of contracts do: `//@`, `/*@`, `//+KEY@`.
fn may_have_contracts(text: &str) -> bool {
    let is_of_key = |c: char| c.is_ascii_alphanumeric() || ['_', '+', '-'].contains(&c);
    text.match_indices('/').any(|(at, _)| {
        let rest = text[at + 1..].strip_prefix(['/', '*']);
        rest.is_some_and(|rest| rest.trim_start_matches(is_of_key).starts_with('@'))
    })
}

/// Whether a source has any specification that is understood.
fn says_anything(source: &Source) -> bool {
    let says = |modifiers: &Modifiers| !modifiers.jml.is_empty();
    let of_method = |method: &Method| {
        let said = !method.spec.is_empty() || !method.loops.is_empty();
        let inside = method.params.iter().any(|param| says(&param.modifiers));
        said || inside || says(&method.modifiers) || !method.statements.is_empty()
    };
    let of_type = |ty: &&TypeDecl| {
        says(&ty.modifiers)
            || !ty.spec.is_empty()
            || ty.methods.iter().any(of_method)
            || ty.fields.iter().any(|f| says(&f.modifiers) || f.spec != FieldSpec::default())
            || ty.components.iter().any(|component| says(&component.modifiers))
            || ty.initializers.iter().any(|block| {
                !block.spec.is_empty() || !block.statements.is_empty() || !block.loops.is_empty()
            })
    };
    source.all_types().iter().any(of_type)
}

fn collect(
    folder: &Path,
    below: &Path,
    files: &mut BTreeMap<String, PathBuf>,
) -> anyhow::Result<()> {
    let reading = || format!("cannot read the folder `{}`", folder.display());
    for entry in std::fs::read_dir(folder).with_context(reading)? {
        let entry = entry.with_context(reading)?;
        let (path, name) = (entry.path(), below.join(entry.file_name()));
        let kind = entry.file_type().with_context(reading)?;
        if kind.is_dir() {
            collect(&path, &name, files)?;
        } else if path.extension().is_some_and(|ending| ending == "java" || ending == "jml")
            && let Some(name) = name.to_str()
        {
            files.insert(name.to_owned(), path);
        }
    }
    Ok(())
}

fn text_of(path: &Path) -> anyhow::Result<String> {
    let reading = || format!("cannot read `{}`", path.display());
    let size = std::fs::metadata(path).with_context(reading)?.len();
    if size > MAX_BYTES {
        let message = format!("`{}` is too large for a source: {size} bytes", path.display());
        return Err(Failure::bad_input(message).into());
    }
    let bytes = std::fs::read(path).with_context(reading)?;
    // What is not in UTF-8 is older than that: every byte is a character of Latin-1.
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().map(|byte| char::from(*byte)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_that_begin_as_contracts_do_are_seen() {
        let check =
            |text: &str, expect: bool| assert_eq!(may_have_contracts(text), expect, "{text}");
        check("int n; //@ requires n > 0;", true);
        check("int /*@ pure @*/ n;", true);
        check("//+ESC-RAC@ pure", true);
        check("// @ pure", false);
        check("/** @param n */ int n = a / b;", false);
        check("", false);
    }

    #[test]
    fn a_source_says_something_if_any_of_its_comments_is_understood() {
        let check = |body: &str, expect: bool| {
            let text = format!("class A {{\n{body}\n}}");
            let (source, _) = contracts::parse("A.java", &text);
            assert_eq!(says_anything(&source), expect, "{body}");
        };
        check("int m() { return 1; }", false);
        check("//@todo rewrite\nint m() { return 1; }", false);
        check("//@ requires true;\nvoid m() { }", true);
        check("/*@ pure @*/ int m() { return 1; }", true);
        check("void m(/*@ nullable @*/ Object o) { }", true);
        check("/*@ spec_public @*/ private int n;", true);
        check("//@ invariant true;\nint n;", true);
        check("void m() {\n//@ assert true;\nreturn; }", true);
        check("class B {\n//@ ensures true;\nvoid m() { } }", true);
    }

    #[test]
    fn files_of_one_name_in_several_modules_are_left_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            std::fs::write(file, text).expect("a file");
        };
        write("a/p/A.java", "package p; class A { //@ invariant true;\n }");
        write("b/p/A.java", "package p; class A { }");
        write("b/p/B.java", "package p; class B { }");
        let folders = ["a", "b", "absent"].map(|name| folder.path().join(name));
        let sources = Sources::of_build(&folders, &Keys::default()).expect("sources");
        let names: Vec<&str> = sources.parsed.iter().map(Source::name).collect();
        assert_eq!(names, ["p/B.java"]);
        assert_eq!(sources.left_out.len(), 1, "{:?}", sources.left_out);
        assert!(!sources.have_contracts());
        write("a/p/A.java", "package p; class A { }");
        let sources = Sources::of_build(&folders, &Keys::default()).expect("sources");
        assert!(sources.parsed.is_empty(), "nothing looks like a contract: nothing is parsed");
    }
}
