//! Clauses of methods, from keyword to semicolon.

use crate::jml::ast::{Clause, ClauseKind, TypeText, Unchecked, VarDecl};
use crate::jml::keyword::{self, MethodClause};
use crate::jml::token::TokenKind;
use crate::span::Span;

use super::{Parsed, Parser};

impl Parser<'_> {
    /// The clause that begins here with a keyword that `begins` it.
    pub(super) fn clause(&mut self, begins: MethodClause) -> Parsed<Clause> {
        let keyword = self.take_name();
        let start = keyword.span;
        let (plain, redundantly) = keyword::redundantly(&keyword.text);
        if self.is("<") || begins == MethodClause::Unchecked {
            let body = self.skip_to_semicolon();
            self.note(start, format!("`{plain}` is not checked"));
            self.semicolon()?;
            let kind = ClauseKind::Unchecked(Unchecked { body });
            return Ok(Clause { span: self.span_from(start), redundantly, kind, keyword });
        }
        let kind = match begins {
            MethodClause::Requires => ClauseKind::Requires(self.expr()?),
            MethodClause::Ensures => ClauseKind::Ensures(self.expr()?),
            MethodClause::Signals => self.signals()?,
            MethodClause::SignalsOnly => ClauseKind::SignalsOnly(self.exceptions()?),
            MethodClause::Assignable => ClauseKind::Assignable(self.store_refs()?),
            MethodClause::Old => ClauseKind::Old(self.var_decls()?),
            MethodClause::Forall | MethodClause::Unchecked => ClauseKind::Forall(self.var_decls()?),
        };
        self.semicolon()?;
        Ok(Clause { span: self.span_from(start), redundantly, kind, keyword })
    }

    /// `(E | F name) condition`; each part may be left out.
    fn signals(&mut self) -> Parsed<ClauseKind> {
        let start = self.token().span;
        let close = self.closing_at(self.at);
        let declared = self.attempt(|parser| {
            let parens = parser.eat("(");
            let from = parser.token().span;
            parser.eat_word("final");
            parser.ty()?;
            while parser.eat("|") {
                parser.ty()?;
            }
            let exception = parser.type_text(parser.span_from(from));
            let is_name = parser.token().kind == TokenKind::Word;
            let name = if is_name { Some(parser.name("a name")?) } else { None };
            if parens && parser.at != close {
                return Err(parser.expected("`)`"));
            }
            if parens {
                parser.bump();
            } else if !parser.is(";") {
                return Err(parser.expected("`;`"));
            }
            Ok((exception, name))
        });
        let (exception, name) = declared.unwrap_or_else(|| {
            let span = Span::new(start.file, start.start, start.start);
            (TypeText { text: "java.lang.Exception".to_owned(), span }, None)
        });
        let condition = if self.is(";") || self.at_end() || self.may_begin() {
            None
        } else {
            Some(self.expr()?)
        };
        Ok(ClauseKind::Signals { exception, name, condition })
    }

    fn exceptions(&mut self) -> Parsed<Vec<TypeText>> {
        if self.backslash() == "\\nothing" {
            self.bump();
            return Ok(Vec::new());
        }
        let mut types = vec![self.ty()?];
        while self.eat(",") {
            types.push(self.ty()?);
        }
        Ok(types)
    }

    /// `T a = e, b[]`
    pub(super) fn var_decls(&mut self) -> Parsed<Vec<VarDecl>> {
        let start = self.token().span;
        let nullable = self.nullity();
        let ty = self.ty()?;
        let mut decls = Vec::new();
        loop {
            let from = if decls.is_empty() { start } else { self.token().span };
            let name = self.name("a variable")?;
            let ty = self.with_brackets(&ty);
            let value = if self.eat("=") { Some(self.expr()?) } else { None };
            decls.push(VarDecl { span: self.span_from(from), ty, name, value, nullable });
            if !self.eat(",") {
                return Ok(decls);
            }
        }
    }
}
