//! A source file as the rest of the crate sees it: declarations with their specifications.

use crate::java::{Import, TypeDecl};
use crate::jml::ast::Name;
use crate::span::{FileId, LineIndex, Position, Span};

/// A text with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The name it was given.
    pub name: String,
    /// All of it.
    pub text: String,
    /// Its lines.
    pub lines: LineIndex,
}

/// The declarations of a `.java` file, with the specifications in it and in the `.jml` files that
/// were merged into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The files spans speak of: the first is the `.java` file, `.jml` files follow.
    pub files: Vec<SourceFile>,
    /// The package; `None` is the unnamed one.
    pub package: Option<Name>,
    /// The imports, Java's and JML's.
    pub imports: Vec<Import>,
    /// The types, without those in types.
    pub types: Vec<TypeDecl>,
    /// Whether Java's syntax was understood in full.
    pub java_is_whole: bool,
    /// Whether there is any comment of JML's.
    pub annotated: bool,
}

impl Source {
    /// The text of the `.java` file.
    pub fn text(&self) -> &str {
        self.files.first().map_or("", |file| &file.text)
    }

    /// The name of the `.java` file.
    pub fn name(&self) -> &str {
        self.files.first().map_or("", |file| &file.name)
    }

    /// The file of a span.
    pub fn file(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(usize::from(id.0))
    }

    /// The text at `span`, as it is written.
    pub fn slice(&self, span: Span) -> &str {
        self.file(span.file).and_then(|file| file.text.get(span.range())).unwrap_or_default()
    }

    /// Line and column where `span` begins.
    pub fn position(&self, span: Span) -> Position {
        match self.file(span.file) {
            Some(file) => file.lines.position(&file.text, span.start),
            None => Position { line: 1, column: 1 },
        }
    }

    /// All types, also those in types and in bodies.
    pub fn all_types(&self) -> Vec<&TypeDecl> {
        let mut all = Vec::new();
        let mut stack: Vec<&TypeDecl> = self.types.iter().rev().collect();
        while let Some(ty) = stack.pop() {
            all.push(ty);
            stack.extend(ty.locals.iter().rev());
            stack.extend(ty.types.iter().rev());
        }
        all
    }
}
