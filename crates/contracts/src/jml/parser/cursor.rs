//! Going over tokens: looking ahead, taking, skipping to where reading can go on.

use crate::span::Span;

use super::{MAX_NESTING, Parsed, Parser, Problem};
use crate::jml::ast::{Code, Name};
use crate::jml::keyword;
use crate::jml::token::{Token, TokenKind};

impl<'a> Parser<'a> {
    pub(super) fn token(&self) -> Token {
        self.ahead(0)
    }

    pub(super) fn ahead(&self, count: usize) -> Token {
        self.token_at(self.at + count)
    }

    pub(super) fn token_at(&self, index: usize) -> Token {
        self.tokens.get(index).copied().unwrap_or_else(|| {
            let end = self.tokens.last().map_or(0, |token| token.span.end);
            Token { kind: TokenKind::End, span: Span::new(self.file, end, end), first: true }
        })
    }

    pub(super) fn at_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    pub(super) fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// The word here; empty if there is none.
    pub(super) fn word(&self) -> &'a str {
        self.word_ahead(0)
    }

    pub(super) fn word_ahead(&self, count: usize) -> &'a str {
        let token = self.ahead(count);
        if token.kind == TokenKind::Word { self.slice(token.span) } else { "" }
    }

    /// The word with a backslash here; empty if there is none.
    pub(super) fn backslash(&self) -> &'a str {
        let token = self.token();
        if token.kind == TokenKind::Backslash { self.slice(token.span) } else { "" }
    }

    pub(super) fn is(&self, symbol: &str) -> bool {
        self.is_ahead(0, symbol)
    }

    pub(super) fn is_ahead(&self, count: usize, symbol: &str) -> bool {
        matches!(self.ahead(count).kind, TokenKind::Symbol(found) if found == symbol)
    }

    pub(super) fn bump(&mut self) -> Token {
        let token = self.token();
        if !self.at_end() {
            self.at += 1;
        }
        token
    }

    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        if found {
            self.at += 1;
        }
        found
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        if found {
            self.at += 1;
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &'static str, what: &'static str) -> Parsed<Span> {
        if self.is(symbol) { Ok(self.bump().span) } else { Err(self.expected(what)) }
    }

    pub(super) fn expected(&self, what: &'static str) -> Problem {
        let token = self.token();
        let text = self.slice(token.span);
        let found = match token.kind {
            TokenKind::End => "the end of the comment".to_owned(),
            TokenKind::Unknown if text.starts_with('"') => "a string that is not closed".to_owned(),
            TokenKind::Unknown if text.starts_with("(*") => {
                "an informal description that is not closed".to_owned()
            }
            _ => format!("`{}`", text.lines().next().unwrap_or_default()),
        };
        Problem::Expected { span: token.span, what, found }
    }

    pub(super) fn name(&mut self, what: &'static str) -> Parsed<Name> {
        if self.token().kind == TokenKind::Word {
            Ok(self.take_name())
        } else {
            Err(self.expected(what))
        }
    }

    /// The token here as a name, whatever it is.
    pub(super) fn take_name(&mut self) -> Name {
        let token = self.bump();
        Name { text: self.slice(token.span).to_owned(), span: token.span }
    }

    /// The end of the token before.
    pub(super) fn previous_span(&self) -> Span {
        match self.at.checked_sub(1).and_then(|at| self.tokens.get(at)) {
            Some(token) => token.span,
            None => self.token().span,
        }
    }

    pub(super) fn span_from(&self, start: Span) -> Span {
        start.to(self.previous_span())
    }

    /// The index of the bracket that closes the one here; of no bracket its own.
    pub(super) fn closing_at(&self, index: usize) -> usize {
        self.closing.get(index).map_or(index, |closing| *closing as usize)
    }

    /// Takes the bracket here with all up to the one that closes it.
    pub(super) fn brackets(&mut self) -> Parsed<Code> {
        let close = self.closing_at(self.at);
        if close == self.at {
            return Err(Problem::Other {
                span: self.token().span,
                text: "this bracket is not closed",
            });
        }
        let start = self.token().span;
        self.at = close + 1;
        Ok(self.code(self.span_from(start)))
    }

    /// What stands at `span`: as long as that, with blanks for what is no token.
    pub(super) fn code(&self, span: Span) -> Code {
        let from = self.tokens.partition_point(|token| token.span.start < span.start);
        let mut text = String::with_capacity(span.range().len());
        let mut at = span.start;
        for token in self.tokens[from..].iter().take_while(|token| token.span.end <= span.end) {
            self.blanks(Span::new(span.file, at, token.span.start), &mut text);
            text.push_str(self.slice(token.span));
            at = token.span.end;
        }
        self.blanks(Span::new(span.file, at, span.end), &mut text);
        Code { text, span }
    }

    fn blanks(&self, span: Span, text: &mut String) {
        text.extend(self.slice(span).bytes().map(|byte| match byte {
            b'\n' => '\n',
            b'\r' => '\r',
            _ => ' ',
        }));
    }

    /// Runs `read` one level deeper.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_NESTING {
            return Err(Problem::TooDeep { span: self.token().span });
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    /// Runs `read`; if it fails, nothing was read.
    pub(super) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Option<T> {
        let (at, messages, nesting) = (self.at, self.messages.len(), self.nesting);
        let result = read(self).ok();
        if result.is_none() {
            self.at = at;
            self.messages.truncate(messages);
            self.nesting = nesting;
        }
        result
    }

    /// Skips to a word that begins something, behind a semicolon or at the beginning of a line.
    /// Takes at least one token.
    pub(super) fn recover(&mut self) {
        while !self.at_end() {
            if self.eat(";") {
                if keyword::begins(self.word()) || self.may_begin() {
                    return;
                }
                continue;
            }
            self.at = self.closing_at(self.at).max(self.at) + 1;
            if self.may_begin() {
                return;
            }
        }
    }

    /// Whether something may begin here, by the look of it.
    pub(super) fn may_begin(&self) -> bool {
        let token = self.token();
        token.first && (keyword::begins(self.word()) || self.is("{|") || self.is("|}"))
    }

    /// Takes the semicolon of a clause. Where it is missing at the end of a comment, or something
    /// new begins on the next line, that is only a warning.
    pub(super) fn semicolon(&mut self) -> Parsed<()> {
        if self.eat(";") {
            return Ok(());
        }
        if self.at_end() || self.may_begin() || self.is("|}") {
            let span = self.previous_span();
            let text = "a semicolon is missing behind this";
            self.say(crate::Severity::Warning, span, text);
            return Ok(());
        }
        Err(self.expected("`;`"))
    }

    /// Takes all up to the semicolon of a clause that is not understood in detail.
    pub(super) fn skip_to_semicolon(&mut self) -> Span {
        let start = self.token().span;
        let from = self.at;
        while !self.at_end() && !self.is(";") && (self.at == from || !self.may_begin()) {
            self.at = self.closing_at(self.at).max(self.at) + 1;
        }
        if self.at == from {
            return Span::new(start.file, start.start, start.start);
        }
        self.span_from(start)
    }
}
