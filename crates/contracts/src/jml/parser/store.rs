//! Store references.

use crate::jml::ast::{Code, Expr, ExprKind, StoreRef, StoreRefKind, StoreStep};
use crate::jml::token::TokenKind;

use super::{Parsed, Parser};

impl Parser<'_> {
    /// Places with commas between them.
    pub(super) fn store_refs(&mut self) -> Parsed<Vec<StoreRef>> {
        let mut places = vec![self.store_ref()?];
        while self.eat(",") {
            places.push(self.store_ref()?);
        }
        Ok(places)
    }

    pub(super) fn store_ref(&mut self) -> Parsed<StoreRef> {
        let start = self.token().span;
        let fixed = match self.backslash() {
            "\\nothing" | "\\strictly_nothing" | "\\empty" => Some(StoreRefKind::Nothing),
            "\\everything" => Some(StoreRefKind::Everything),
            "\\not_specified" => Some(StoreRefKind::NotSpecified),
            _ => None,
        };
        if let Some(kind) = fixed {
            self.bump();
            return Ok(StoreRef { span: start, kind });
        }
        if self.token().kind == TokenKind::Informal {
            self.bump();
            let text = self.slice(start).to_owned();
            let kind = StoreRefKind::Informal(Code { text, span: start });
            self.note(start, "an informal description of places is not checked");
            return Ok(StoreRef { span: start, kind });
        }
        let mut root = self.store_root()?;
        let mut steps = Vec::new();
        loop {
            if self.is(".") {
                let calls = self.ahead(1).kind == TokenKind::Word && self.is_ahead(2, "(");
                if calls {
                    root = self.store_call(root, &mut steps)?;
                } else {
                    self.bump();
                    steps.push(if self.eat("*") {
                        StoreStep::AllFields
                    } else {
                        StoreStep::Field(self.name("a field or `*`")?)
                    });
                }
            } else if self.is("[") {
                self.bump();
                steps.push(self.store_index()?);
                self.expect("]", "`]`")?;
            } else {
                let span = self.span_from(start);
                return Ok(StoreRef { span, kind: StoreRefKind::Path { root, steps } });
            }
        }
    }

    fn store_root(&mut self) -> Parsed<Expr> {
        let start = self.token().span;
        let kind = match self.word() {
            "this" => ExprKind::This,
            "super" => ExprKind::Super,
            "" if self.token().kind == TokenKind::Backslash => return self.backslash_expr(),
            "" if self.is("(") => {
                self.bump();
                let inner = Box::new(self.expr()?);
                self.expect(")", "`)`")?;
                return self.node(self.span_from(start), ExprKind::Parens(inner));
            }
            "" | "new" | "if" | "null" | "true" | "false" => {
                return Err(self.expected("a place that can be assigned"));
            }
            _ if self.is_ahead(1, "(") => {
                let name = self.take_name();
                let arguments = self.arguments()?;
                let kind = ExprKind::Call { target: None, type_arguments: None, name, arguments };
                return self.node(self.span_from(start), kind);
            }
            word => ExprKind::Name(word.to_owned()),
        };
        self.bump();
        self.node(start, kind)
    }

    /// A call in the middle of a path: all before it becomes its target.
    fn store_call(&mut self, root: Expr, steps: &mut Vec<StoreStep>) -> Parsed<Expr> {
        let mut target = root;
        let start = target.span;
        for step in steps.drain(..) {
            let (end, kind) = match step {
                StoreStep::Field(name) => {
                    (name.span, ExprKind::Field { target: Box::new(target), name })
                }
                StoreStep::Index(index) => (
                    index.span,
                    ExprKind::Index { array: Box::new(target), index: Box::new(index) },
                ),
                _ => return Err(self.expected("the end of the place")),
            };
            target = self.node(start.to(end), kind)?;
        }
        self.bump();
        let name = self.name("a method")?;
        let arguments = self.arguments()?;
        let span = self.span_from(target.span);
        let target = Some(Box::new(target));
        self.node(span, ExprKind::Call { target, type_arguments: None, name, arguments })
    }

    fn store_index(&mut self) -> Parsed<StoreStep> {
        if self.eat("*") {
            return Ok(StoreStep::AllElements);
        }
        let from = if self.is("..") { None } else { Some(self.expr()?) };
        if !self.eat("..") {
            return match from {
                Some(index) => Ok(StoreStep::Index(index)),
                None => Err(self.expected("an index")),
            };
        }
        let to = if self.eat("*") || self.is("]") { None } else { Some(self.expr()?) };
        Ok(StoreStep::Range { from, to })
    }
}
