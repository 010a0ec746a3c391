//! Expressions that begin with a backslash, quantifiers among them.

use crate::jml::ast::{Expr, ExprKind, Label, OldKind, QuantifiedVar, Quantifier, StoreRef};
use crate::jml::token::TokenKind;
use crate::span::Span;

use super::types::is_backslash_type;
use super::{Parsed, Parser};

fn quantifier(word: &str) -> Option<Quantifier> {
    Some(match word {
        "\\forall" => Quantifier::Forall,
        "\\exists" => Quantifier::Exists,
        "\\num_of" => Quantifier::NumOf,
        "\\sum" => Quantifier::Sum,
        "\\product" => Quantifier::Product,
        "\\min" => Quantifier::Min,
        "\\max" => Quantifier::Max,
        "\\choose" => Quantifier::Choose,
        _ => return None,
    })
}

impl Parser<'_> {
    pub(super) fn backslash_expr(&mut self) -> Parsed<Expr> {
        let start = self.token().span;
        let word = self.backslash();
        if let Some(quantifier) = quantifier(word).filter(|_| !self.is_ahead(1, "(")) {
            self.bump();
            return self.quantified(start, quantifier);
        }
        if is_backslash_type(word) && self.is_ahead(1, ".") && self.word_ahead(2) == "class" {
            let ty = self.ty()?;
            self.at += 2;
            return self.node(self.span_from(start), ExprKind::ClassLiteral(ty));
        }
        let name = self.take_name();
        let kind = match word {
            "\\result" => ExprKind::Result,
            "\\same" => ExprKind::Same,
            "\\not_specified" => ExprKind::NotSpecified,
            "\\nothing" => ExprKind::Nothing,
            "\\everything" => ExprKind::Everything,
            "\\lockset" => ExprKind::LockSet { maximum: false },
            "\\count" | "\\index" | "\\values" => ExprKind::LoopState(name),
            "\\old" => self.old(OldKind::Old)?,
            "\\pre" => self.old(OldKind::Pre)?,
            "\\past" => self.old(OldKind::Past)?,
            "\\fresh" => ExprKind::Fresh(self.arguments()?),
            "\\nonnullelements" => ExprKind::NonNullElements(self.arguments()?),
            "\\invariant_for" => ExprKind::InvariantFor(self.arguments()?),
            "\\typeof" => ExprKind::TypeOf(self.one()?),
            "\\elemtype" => ExprKind::ElemType(self.one()?),
            "\\type" => ExprKind::Type(self.one_type()?),
            "\\static_invariant_for" => ExprKind::StaticInvariantFor(self.one_type()?),
            "\\is_initialized" => ExprKind::IsInitialized(self.types_in_parens()?),
            "\\not_modified" => ExprKind::NotModified(self.places()?),
            "\\not_assigned" => ExprKind::NotAssigned(self.places()?),
            "\\only_assigned" => ExprKind::OnlyAssigned(self.places()?),
            "\\only_accessed" | "\\only_called" | "\\only_captured" => {
                ExprKind::Only { keyword: name, arguments: self.brackets()? }
            }
            "\\reach" => self.reach()?,
            "\\lblneg" => self.label(Label::LblNeg)?,
            "\\lblpos" => self.label(Label::LblPos)?,
            "\\lbl" => self.label(Label::Lbl)?,
            "\\max" if self.is_ahead(0, "(") && self.slice(self.ahead(1).span) == "\\lockset" => {
                self.brackets()?;
                ExprKind::LockSet { maximum: true }
            }
            _ if self.is("(") => {
                let arguments = match self.attempt(Self::arguments) {
                    Some(arguments) => Some(arguments),
                    None => {
                        self.brackets()?;
                        None
                    }
                };
                ExprKind::Other { name, arguments }
            }
            _ => ExprKind::Other { name, arguments: None },
        };
        self.node(self.span_from(start), kind)
    }

    fn one(&mut self) -> Parsed<Box<Expr>> {
        self.expect("(", "`(`")?;
        let expr = self.expr()?;
        self.expect(")", "`)`")?;
        Ok(Box::new(expr))
    }

    fn one_type(&mut self) -> Parsed<crate::jml::ast::TypeText> {
        self.expect("(", "`(`")?;
        let ty = self.ty()?;
        self.expect(")", "`)`")?;
        Ok(ty)
    }

    fn types_in_parens(&mut self) -> Parsed<Vec<crate::jml::ast::TypeText>> {
        self.expect("(", "`(`")?;
        let mut types = vec![self.ty()?];
        while self.eat(",") {
            types.push(self.ty()?);
        }
        self.expect(")", "`)`")?;
        Ok(types)
    }

    fn places(&mut self) -> Parsed<Vec<StoreRef>> {
        self.expect("(", "`(`")?;
        let places = self.nested(Self::store_refs)?;
        self.expect(")", "`)`")?;
        Ok(places)
    }

    fn old(&mut self, kind: OldKind) -> Parsed<ExprKind> {
        self.expect("(", "`(`")?;
        let expr = Box::new(self.expr()?);
        let label = if self.eat(",") { Some(self.name("a label")?) } else { None };
        self.expect(")", "`)`")?;
        // These two are always there, for the state before the call.
        let label = label.filter(|label| !matches!(label.text.as_str(), "Pre" | "Old"));
        Ok(ExprKind::Old { kind, expr, label })
    }

    fn reach(&mut self) -> Parsed<ExprKind> {
        self.expect("(", "`(`")?;
        let expr = Box::new(self.expr()?);
        let mut narrowed = None;
        if self.eat(",") {
            let start = self.token().span;
            self.ty()?;
            if self.eat(",") {
                self.store_ref()?;
            }
            narrowed = Some(self.code(self.span_from(start)));
        }
        self.expect(")", "`)`")?;
        Ok(ExprKind::Reach { expr, narrowed })
    }

    /// `\lbl name e` up to the parenthesis around it, or `\lbl(name, e)`.
    fn label(&mut self, kind: Label) -> Parsed<ExprKind> {
        let call = self.is("(");
        if call {
            self.bump();
        }
        let label = self.name("a label")?;
        if call {
            self.expect(",", "`,`")?;
        }
        let expr = Box::new(self.expr()?);
        if call {
            self.expect(")", "`)`")?;
        }
        Ok(ExprKind::Label { kind, label, expr })
    }

    fn quantified(&mut self, start: Span, quantifier: Quantifier) -> Parsed<Expr> {
        let vars = self.bound_variables()?;
        self.expect(";", "`;` behind the bound variables")?;
        let mut range = None;
        let body;
        if self.eat(";") {
            body = self.expr()?;
        } else {
            let first = self.expr()?;
            if self.eat(";") {
                if self.is(")") {
                    // A range with an empty body: `(\num_of int i; 0 < i && i < n;)`.
                    body = first;
                } else {
                    range = Some(Box::new(first));
                    body = self.expr()?;
                }
            } else {
                body = first;
            }
        }
        let kind = ExprKind::Quantified { quantifier, vars, range, body: Box::new(body) };
        self.node(self.span_from(start), kind)
    }

    fn bound_variables(&mut self) -> Parsed<Vec<QuantifiedVar>> {
        let mut vars = Vec::new();
        loop {
            let nullable = self.nullity();
            let ty = self.ty()?;
            loop {
                let name = self.name("a bound variable")?;
                let ty = self.with_brackets(&ty);
                vars.push(QuantifiedVar { ty, name, nullable });
                // `int i, j` goes on, `int i, long j` begins again.
                let again = match self.ahead(2).kind {
                    TokenKind::Symbol("," | ";") => false,
                    TokenKind::Symbol("[") => self.ahead(4).kind == TokenKind::Word,
                    _ => true,
                };
                if !self.is(",") || again {
                    break;
                }
                self.bump();
            }
            if !self.eat(",") {
                return Ok(vars);
            }
        }
    }

    /// `(\word T x; …)` with a word that is no quantifier known here; the parenthesis is taken.
    pub(super) fn unknown_quantifier(&mut self, start: Span, close: usize) -> Parsed<Expr> {
        if self.token().kind != TokenKind::Backslash || quantifier(self.backslash()).is_some() {
            return Err(self.expected("a quantifier"));
        }
        let name = self.take_name();
        self.nullity();
        self.ty()?;
        self.name("a bound variable")?;
        self.array_brackets();
        if !matches!(self.token().kind, TokenKind::Symbol(";" | "," | "=")) {
            return Err(self.expected("`;`"));
        }
        self.at = close + 1;
        let span = self.span_from(start);
        let inner = Span::new(span.file, start.end, span.end.saturating_sub(1));
        self.node(span, ExprKind::OtherQuantified { name, code: self.code(inner) })
    }
}
