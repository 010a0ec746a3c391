//! Tokens → trees: descent by hand, an operator-precedence loop for expressions.
//!
//! A piece that cannot be read is an error with its place; the caller records it and goes on behind
//! it. Invariants: every loop consumes a token or ends; nesting is limited, so that no input
//! overflows the stack.

mod backslash;
mod clause;
mod construct;
mod cursor;
mod declaration;
mod expr;
mod member;
mod method_spec;
mod modifiers;
mod primary;
mod statement;
mod store;
mod type_clause;
mod types;

use crate::diagnostic::Severity;
use crate::span::{FileId, Span};

use super::token::{Token, TokenKind};

pub(crate) use member::{HeaderNote, TypeNotes};
pub(crate) use statement::BodyItem;

/// How deep constructs may nest while they are read.
const MAX_NESTING: u32 = 120;

/// A message and the place it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub severity: Severity,
    pub span: Span,
    pub text: String,
}

/// Why a piece could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Problem {
    #[error("expected {what}, found {found}")]
    Expected { span: Span, what: &'static str, found: String },
    #[error("this is nested too deeply")]
    TooDeep { span: Span },
    #[error("{text}")]
    Other { span: Span, text: &'static str },
}

impl Problem {
    fn span(&self) -> Span {
        match self {
            Problem::Expected { span, .. }
            | Problem::TooDeep { span }
            | Problem::Other { span, .. } => *span,
        }
    }
}

type Parsed<T> = Result<T, Problem>;

/// Reads the tokens of neighbouring comments.
pub(crate) struct Parser<'a> {
    text: &'a str,
    file: FileId,
    tokens: &'a [Token],
    /// For each opening bracket the index of the one that closes it, else the token's own.
    closing: Vec<u32>,
    at: usize,
    nesting: u32,
    messages: Vec<Message>,
}

impl<'a> Parser<'a> {
    /// A parser of `tokens`, which are of `text`.
    pub fn new(text: &'a str, file: FileId, tokens: &'a [Token]) -> Parser<'a> {
        let closing = closing_brackets(tokens);
        Parser { text, file, tokens, closing, at: 0, nesting: 0, messages: Vec::new() }
    }

    /// What was to be said, in the order of reading.
    pub fn into_messages(self) -> Vec<Message> {
        self.messages
    }

    fn say(&mut self, severity: Severity, span: Span, text: impl Into<String>) {
        self.messages.push(Message { severity, span, text: text.into() });
    }

    fn note(&mut self, span: Span, text: impl Into<String>) {
        self.say(Severity::Note, span, text);
    }

    fn fail(&mut self, problem: &Problem) {
        self.say(Severity::Error, problem.span(), problem.to_string());
    }
}

fn closing_brackets(tokens: &[Token]) -> Vec<u32> {
    let mut closing: Vec<u32> = (0..tokens.len() as u32).collect();
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let TokenKind::Symbol(symbol) = token.kind else { continue };
        let opener = match symbol {
            "(" | "[" | "{" | "{|" => {
                open.push((at, symbol));
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            "|}" => "{|",
            _ => continue,
        };
        // A bracket that does not fit closes nothing, unless it fits one further out.
        let Some(depth) = open.iter().rev().take(8).position(|(_, found)| *found == opener) else {
            continue;
        };
        open.truncate(open.len() - depth);
        if let Some((opened, _)) = open.pop() {
            closing[opened] = at as u32;
        }
    }
    closing
}
