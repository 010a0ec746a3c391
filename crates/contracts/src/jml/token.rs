//! The tokens of JML: those of Java, and words that begin with a backslash.

use crate::span::Span;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// An identifier or keyword.
    Word,
    /// A word with a backslash in front.
    Backslash,
    /// An integer.
    Integer,
    /// A number with a point or an exponent.
    Floating,
    /// `'c'`
    Character,
    /// `"text"`
    String,
    /// `"""text"""`
    TextBlock,
    /// `(* text *)`
    Informal,
    /// An operator or a separator.
    Symbol(&'static str),
    /// What is no token of JML: a stray character, a literal that is not closed.
    Unknown,
    /// Behind the last token.
    End,
}

/// A token and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where, in the original file.
    pub span: Span,
    /// Whether it is the first of its line or of its comment.
    pub first: bool,
}
