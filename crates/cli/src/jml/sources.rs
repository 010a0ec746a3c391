//! Java sources and the specifications beside them, read from folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use contracts::java::TypeDecl;
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
}

impl Sources {
    /// Reads all `.java` files in the folders and below them, with the `.jml` files that belong to them.
    pub(crate) fn read(folders: &[PathBuf], keys: &Keys) -> anyhow::Result<Self> {
        let mut sources = Self { parsed: Vec::new(), diagnostics: Vec::new() };
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
