//! Types as text: names with type arguments, primitive types, arrays; modifiers of nullity in them
//! are left out.

use crate::jml::ast::TypeText;
use crate::jml::token::TokenKind;
use crate::span::Span;

use super::{Parsed, Parser};

pub(super) fn is_primitive(word: &str) -> bool {
    matches!(
        word,
        "boolean" | "byte" | "short" | "int" | "long" | "char" | "float" | "double" | "void"
    )
}

/// The types that begin with a backslash.
pub(super) fn is_backslash_type(word: &str) -> bool {
    matches!(
        word,
        "\\bigint"
            | "\\real"
            | "\\TYPE"
            | "\\locset"
            | "\\seq"
            | "\\map"
            | "\\set"
            | "\\free"
            | "\\datagroup"
            | "\\string"
            | "\\array"
            | "\\index_set"
            | "\\ghost"
            | "\\storeref"
            | "\\intset"
            | "\\intmap"
            | "\\range"
    )
}

impl Parser<'_> {
    /// A type with its brackets.
    pub(super) fn ty(&mut self) -> Parsed<TypeText> {
        let start = self.token().span;
        self.nested(Self::bare_type)?;
        self.array_brackets();
        Ok(self.type_text(self.span_from(start)))
    }

    /// A type without its brackets.
    pub(super) fn element_type(&mut self) -> Parsed<TypeText> {
        let start = self.token().span;
        self.nested(Self::bare_type)?;
        Ok(self.type_text(self.span_from(start)))
    }

    /// A type of a cast, and whether no name is in it: a plus may then follow.
    pub(super) fn cast_type(&mut self) -> Parsed<(TypeText, bool)> {
        let start = self.token().span;
        self.nullity();
        let primitive = is_primitive(self.word()) || is_backslash_type(self.backslash());
        self.ty()?;
        let primitive = primitive && !self.slice(self.span_from(start)).contains('[');
        while self.eat("&") {
            self.ty()?;
        }
        Ok((self.type_text(self.span_from(start)), primitive))
    }

    pub(super) fn array_brackets(&mut self) {
        loop {
            self.annotations_in_type();
            if !(self.is("[") && self.is_ahead(1, "]")) {
                return;
            }
            self.at += 2;
        }
    }

    fn annotations_in_type(&mut self) {
        while self.is("@") && self.ahead(1).kind == TokenKind::Word {
            self.at += 2;
            while self.is(".") {
                self.at += 2;
            }
            if self.is("(") {
                self.at = self.closing_at(self.at) + 1;
            }
        }
    }

    /// Takes `nullable` and `non_null` where a type follows.
    pub(super) fn nullity(&mut self) -> Option<bool> {
        let mut found = None;
        loop {
            self.annotations_in_type();
            let nullable = match self.word() {
                "nullable" => true,
                "non_null" => false,
                "final" | "readonly" | "peer" | "rep" => {
                    self.bump();
                    continue;
                }
                _ => return found,
            };
            if !matches!(self.ahead(1).kind, TokenKind::Word | TokenKind::Backslash) {
                return found;
            }
            self.bump();
            found = Some(nullable);
        }
    }

    fn bare_type(&mut self) -> Parsed<()> {
        self.nullity();
        if self.token().kind == TokenKind::Backslash {
            self.bump();
            return self.type_arguments_if_any();
        }
        if is_primitive(self.word()) {
            self.bump();
            return Ok(());
        }
        loop {
            self.annotations_in_type();
            if matches!(self.word(), "this" | "super" | "new" | "null" | "true" | "false") {
                return Err(self.expected("a type"));
            }
            self.name("a type")?;
            self.type_arguments_if_any()?;
            if !(self.is(".") && self.ahead(1).kind == TokenKind::Word) {
                return Ok(());
            }
            if matches!(self.word_ahead(1), "class" | "this" | "super" | "new" | "length") {
                return Ok(());
            }
            self.bump();
        }
    }

    fn type_arguments_if_any(&mut self) -> Parsed<()> {
        if self.is("<") { self.type_arguments().map(drop) } else { Ok(()) }
    }

    /// `<T, ? extends U>`
    pub(super) fn type_arguments(&mut self) -> Parsed<TypeText> {
        let start = self.expect("<", "`<`")?;
        while !self.eat(">") {
            self.nested(Self::type_argument)?;
            if !self.is(">") {
                self.expect(",", "`,` or `>`")?;
            }
        }
        Ok(self.type_text(self.span_from(start)))
    }

    fn type_argument(&mut self) -> Parsed<()> {
        self.nullity();
        if self.eat("?") {
            if !matches!(self.word(), "extends" | "super") {
                return Ok(());
            }
            self.bump();
        }
        self.ty().map(drop)
    }

    /// `<T extends A & B, U>` of a declaration.
    pub(super) fn type_parameters(&mut self) -> Parsed<TypeText> {
        let start = self.expect("<", "`<`")?;
        while !self.eat(">") {
            self.nullity();
            self.name("a type parameter")?;
            if self.eat_word("extends") {
                self.ty()?;
                while self.eat("&") {
                    self.ty()?;
                }
            }
            if !self.is(">") {
                self.expect(",", "`,` or `>`")?;
            }
        }
        Ok(self.type_text(self.span_from(start)))
    }

    /// The type at `span`.
    pub(super) fn type_text(&self, span: Span) -> TypeText {
        let from = self.tokens.partition_point(|token| token.span.start < span.start);
        let mut text = String::new();
        let mut before = TokenKind::End;
        for token in self.tokens[from..].iter().take_while(|token| token.span.end <= span.end) {
            let word = self.slice(token.span);
            if matches!(word, "nullable" | "non_null" | "readonly" | "peer" | "rep") {
                continue;
            }
            let is_word = matches!(token.kind, TokenKind::Word | TokenKind::Backslash);
            let apart = match before {
                TokenKind::Word | TokenKind::Symbol("?") => is_word,
                TokenKind::Symbol("," | "&") => true,
                _ => false,
            };
            if apart || word == "&" {
                text.push(' ');
            }
            text.push_str(word);
            before = token.kind;
        }
        TypeText { text, span }
    }

    /// `ty` with the brackets that stand here, behind a name.
    pub(super) fn with_brackets(&mut self, ty: &TypeText) -> TypeText {
        let mut ty = ty.clone();
        while self.is("[") && self.is_ahead(1, "]") {
            self.at += 2;
            ty.text.push_str("[]");
        }
        ty
    }
}
