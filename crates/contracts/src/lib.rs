//! Contracts: specifications in JML, read from Java source.
//!
//! Text to text: no files, no JVM, no console. Input is never an error: what cannot be understood
//! is left out and told as a [`Diagnostic`], the rest is used.

mod attach;
pub mod diagnostic;
pub mod java;
pub mod jml;
mod jml_file;
mod parse;
pub mod restate;
pub mod source;
pub mod span;
#[cfg(test)]
mod tests;
pub mod weave;

pub use diagnostic::{Diagnostic, Severity};
pub use jml::Keys;
pub use jml_file::parse_jml;
pub use parse::{parse, parse_with};
pub use source::{Source, SourceFile};
pub use span::{FileId, LineIndex, Position, Span};
pub use weave::{Weaving, Woven, weave};
