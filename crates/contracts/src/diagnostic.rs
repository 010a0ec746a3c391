//! What is said about a source: errors of syntax, and what is read but not checked.
//!
//! Input is never an error: whatever cannot be understood is left out of the result and told here.

use std::fmt;

use crate::span::{Position, Span};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Read, and left out of the checks by design.
    Note,
    /// Read, and probably not what was meant.
    Warning,
    /// Not understood, and left out.
    Error,
}

/// Something to say about a place of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The file, as it was named to the parser.
    pub file: String,
    /// Where it begins.
    pub position: Position,
    /// The bytes it is about.
    pub span: Span,
    /// What is to be said, in lower case.
    pub message: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let Position { line, column } = self.position;
        write!(f, "{}:{line}:{column}: {severity}: {}", self.file, self.message)
    }
}
