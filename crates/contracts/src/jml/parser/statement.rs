//! Comments in bodies: statements and what holds of loops.

use crate::java::JmlModifier;
use crate::jml::ast::Name;
use crate::jml::ast::{LoopClause, LoopClauseKind, MethodSpec, StatementKind};
use crate::jml::keyword::{self, MethodClause, StatementKeyword};
use crate::span::Span;

use super::{Parsed, Parser, Problem};

/// Something in a body.
#[derive(Debug)]
pub(crate) enum BodyItem {
    /// A statement: its span, keyword and meaning.
    Statement(Span, Name, StatementKind),
    /// A clause of the loop that follows.
    Loop(LoopClause),
}

impl Parser<'_> {
    /// Reads all tokens as what stands in a body; `loop_follows` tells whether a loop does.
    pub(crate) fn body(&mut self, loop_follows: bool) -> Vec<BodyItem> {
        let mut items = Vec::new();
        while !self.at_end() {
            let from = self.at;
            match self.body_item(loop_follows) {
                Ok(item) => items.extend(item),
                Err(problem) => {
                    self.fail(&problem);
                    self.recover();
                }
            }
            self.at = self.at.max(from + 1);
        }
        items
    }

    fn body_item(&mut self, loop_follows: bool) -> Parsed<Option<BodyItem>> {
        let start = self.token().span;
        if self.eat(";") {
            return Ok(None);
        }
        if let Some(begins) = keyword::statement(self.word()) {
            return self.statement(begins, loop_follows);
        }
        if loop_follows && keyword::method_clause(self.word()) == Some(MethodClause::Assignable) {
            return self.statement(StatementKeyword::LoopAssignable, true);
        }
        if self.is_remark() {
            self.remark()?;
            return Ok(None);
        }
        if matches!(self.word(), "refining" | "loop_contract" | "block_contract") {
            self.bump();
        }
        let modifiers = self.modifiers();
        if modifiers.is(JmlModifier::Ghost) {
            let keyword = Name { text: "ghost".to_owned(), span: start };
            let decls = self.var_decls()?;
            self.semicolon()?;
            let span = self.span_from(start);
            return Ok(Some(BodyItem::Statement(span, keyword, StatementKind::Ghost(decls))));
        }
        if modifiers.is(JmlModifier::Model) {
            let text = "model declarations in bodies are not checked";
            return Err(Problem::Other { span: start, text });
        }
        if self.begins_method_spec() {
            let keyword = Name { text: self.word().to_owned(), span: self.token().span };
            let mut spec = MethodSpec::default();
            self.method_spec(&mut spec, modifiers.visibility(), start);
            self.note(keyword.span, "the specification of a block is not checked");
            let kind = StatementKind::Block(Box::new(spec));
            return Ok(Some(BodyItem::Statement(self.span_from(start), keyword, kind)));
        }
        let any = !modifiers.java.is_empty() || !modifiers.jml.is_empty();
        if any { Ok(None) } else { Err(self.expected("a statement of JML")) }
    }

    fn statement(
        &mut self,
        begins: StatementKeyword,
        loop_follows: bool,
    ) -> Parsed<Option<BodyItem>> {
        let keyword = self.take_name();
        let (plain, redundantly) = keyword::redundantly(&keyword.text);
        let start = keyword.span;
        let unchecked = |parser: &mut Self| {
            parser.note(start, format!("`{plain}` is not checked"));
        };
        let kind = match begins {
            StatementKeyword::Assert => StatementKind::Assert(self.expr()?, self.label_text()?),
            StatementKeyword::Assume => StatementKind::Assume(self.expr()?, self.label_text()?),
            StatementKeyword::Set => StatementKind::Set(self.expr()?),
            StatementKeyword::Debug => {
                unchecked(self);
                StatementKind::Debug(self.expr()?)
            }
            StatementKeyword::Unreachable => StatementKind::Unreachable,
            StatementKeyword::HenceBy => {
                unchecked(self);
                StatementKind::HenceBy(self.expr()?)
            }
            StatementKeyword::Unchecked => {
                unchecked(self);
                let body = self.skip_to_semicolon();
                if plain.starts_with("loop_") {
                    self.semicolon()?;
                    let span = self.span_from(start);
                    let kind = LoopClauseKind::Unchecked { body };
                    return Ok(Some(BodyItem::Loop(LoopClause {
                        span,
                        keyword,
                        redundantly,
                        kind,
                    })));
                }
                StatementKind::Unchecked { body }
            }
            StatementKeyword::LoopInvariant
            | StatementKeyword::Decreases
            | StatementKeyword::LoopAssignable => {
                let kind = match begins {
                    StatementKeyword::LoopInvariant => LoopClauseKind::Invariant(self.expr()?),
                    StatementKeyword::Decreases => self.variant()?,
                    _ => {
                        unchecked(self);
                        LoopClauseKind::Assignable(self.store_refs()?)
                    }
                };
                self.semicolon()?;
                let span = self.span_from(start);
                if !loop_follows {
                    self.fail(&Problem::Other { span, text: "no loop follows this clause" });
                    return Ok(None);
                }
                return Ok(Some(BodyItem::Loop(LoopClause { span, keyword, redundantly, kind })));
            }
        };
        self.proof()?;
        Ok(Some(BodyItem::Statement(self.span_from(start), keyword, kind)))
    }

    /// One value, or several that decrease as words in a dictionary do: those are not checked.
    fn variant(&mut self) -> Parsed<LoopClauseKind> {
        let start = self.token().span;
        let value = self.expr()?;
        if !self.is(",") {
            return Ok(LoopClauseKind::Decreases(value));
        }
        self.skip_to_semicolon();
        self.note(start, "a variant of several values is not checked");
        Ok(LoopClauseKind::Unchecked { body: self.span_from(start) })
    }

    /// Takes the proof of an assertion: `\by {…}`.
    fn proof(&mut self) -> Parsed<()> {
        if self.backslash() != "\\by" {
            return self.semicolon();
        }
        self.bump();
        if !self.is("{") {
            self.skip_to_semicolon();
            return self.semicolon();
        }
        self.brackets()?;
        self.eat(";");
        Ok(())
    }

    fn label_text(&mut self) -> Parsed<Option<crate::jml::ast::Expr>> {
        if self.eat(":") { self.expr().map(Some) } else { Ok(None) }
    }
}
