//! `new`: objects, arrays, sets.

use crate::jml::ast::{Expr, ExprKind, NewArray};

use super::{Parsed, Parser};

impl Parser<'_> {
    /// What begins with `new`, of `outer` where there is one.
    pub(super) fn creation(&mut self, outer: Option<Expr>) -> Parsed<Expr> {
        let start = outer.as_ref().map_or(self.token().span, |outer| outer.span);
        self.bump();
        if self.is("<") {
            self.type_arguments()?;
        }
        let class = self.element_type()?;
        if self.is("[") {
            let mut array = NewArray { element: class, lengths: vec![], empty: 0, elements: None };
            while self.is("[") {
                self.bump();
                if self.eat("]") {
                    array.empty += 1;
                    continue;
                }
                if array.empty > 0 {
                    return Err(self.expected("`]`"));
                }
                array.lengths.push(self.expr()?);
                self.expect("]", "`]`")?;
            }
            if array.lengths.is_empty() {
                array.elements = Some(self.elements()?);
            }
            return self.node(self.span_from(start), ExprKind::NewArray(array));
        }
        if self.is("{") {
            self.brackets()?;
            let code = self.code(self.span_from(start));
            return self.node(code.span, ExprKind::SetComprehension(code));
        }
        let arguments = self.arguments()?;
        let body = if self.is("{") { Some(self.brackets()?) } else { None };
        let outer = outer.map(Box::new);
        self.node(self.span_from(start), ExprKind::New { outer, class, arguments, body })
    }

    /// `{a, {b}}`
    pub(super) fn array_init(&mut self) -> Parsed<Expr> {
        let start = self.token().span;
        let elements = self.nested(Self::elements)?;
        self.node(self.span_from(start), ExprKind::ArrayInit(elements))
    }

    fn elements(&mut self) -> Parsed<Vec<Expr>> {
        self.expect("{", "`{`")?;
        let mut elements = Vec::new();
        while !self.eat("}") {
            elements.push(self.expr()?);
            if !self.is("}") {
                self.expect(",", "`,` or `}`")?;
            }
        }
        Ok(elements)
    }
}
