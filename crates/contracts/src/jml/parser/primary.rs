//! Operands: names, literals, calls, accesses, and what follows them.

use crate::jml::ast::{Expr, ExprKind, LambdaBody, Literal, TypeText, UnaryOp};
use crate::jml::token::TokenKind;
use crate::span::Span;

use super::types::is_primitive;
use super::{Parsed, Parser, Problem};

impl Parser<'_> {
    /// An operand with all that follows it.
    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let mut expr = self.operand()?;
        loop {
            let symbol = match self.token().kind {
                TokenKind::Symbol(symbol) => symbol,
                _ => return Ok(expr),
            };
            expr = match symbol {
                "." => self.behind_dot(expr)?,
                "[" if !self.is_ahead(1, "]") => self.index(expr)?,
                "++" => self.postfix(expr, UnaryOp::PostIncrement)?,
                "--" => self.postfix(expr, UnaryOp::PostDecrement)?,
                "::" => self.method_ref(expr.span)?,
                _ => return Ok(expr),
            };
        }
    }

    fn operand(&mut self) -> Parsed<Expr> {
        let token = self.token();
        let text = self.slice(token.span).to_owned();
        let literal = match token.kind {
            TokenKind::Integer => Literal::Integer(text),
            TokenKind::Floating => Literal::Floating(text),
            TokenKind::Character => Literal::Character(text),
            TokenKind::String => Literal::String(text),
            TokenKind::TextBlock => Literal::TextBlock(text),
            TokenKind::Informal => {
                self.bump();
                let code = crate::jml::ast::Code { text, span: token.span };
                self.note(token.span, "an informal description counts as true");
                return self.node(token.span, ExprKind::Informal(code));
            }
            TokenKind::Backslash => return self.backslash_expr(),
            TokenKind::Word => return self.word_expr(),
            TokenKind::Symbol("(") => return self.parens_or_lambda(),
            TokenKind::Symbol("{") => return self.array_init(),
            _ => return Err(self.expected("an expression")),
        };
        self.bump();
        self.node(token.span, ExprKind::Literal(literal))
    }

    fn word_expr(&mut self) -> Parsed<Expr> {
        let span = self.token().span;
        let simple = match self.word() {
            "this" => Some(ExprKind::This),
            "super" => Some(ExprKind::Super),
            "null" => Some(ExprKind::Literal(Literal::Null)),
            "true" => Some(ExprKind::Literal(Literal::Boolean(true))),
            "false" => Some(ExprKind::Literal(Literal::Boolean(false))),
            _ => None,
        };
        if let Some(kind) = simple {
            self.bump();
            if self.is("(") {
                return Err(self.expected("no call of a constructor"));
            }
            return self.node(span, kind);
        }
        match self.word() {
            "new" => return self.creation(None),
            "switch" => {
                self.bump();
                self.brackets()?;
                self.brackets()?;
                let code = self.code(self.span_from(span));
                return self.node(code.span, ExprKind::Switch(code));
            }
            "instanceof" | "assert" | "if" | "else" | "for" | "while" | "return" | "class" => {
                return Err(self.expected("an expression"));
            }
            _ => {}
        }
        if self.is_ahead(1, "->") {
            self.bump();
            return self.lambda(span);
        }
        if let Some(of_type) = self.attempt(Self::type_operand) {
            return Ok(of_type);
        }
        let name = self.take_name();
        if self.is("(") {
            let arguments = self.arguments()?;
            let kind = ExprKind::Call { target: None, type_arguments: None, name, arguments };
            return self.node(self.span_from(span), kind);
        }
        self.node(span, ExprKind::Name(name.text))
    }

    /// What begins with a type that is no plain name: `int.class`, `String[]::new`, `List<T>::of`.
    fn type_operand(&mut self) -> Parsed<Expr> {
        let start = self.token().span;
        let certain = is_primitive(self.word());
        let possible = ["<", "[", "."].iter().any(|symbol| self.is_ahead(1, symbol));
        if !certain && !possible {
            return Err(self.expected("a type"));
        }
        let from = self.at;
        let ty = self.ty()?;
        let plain = self.tokens[from..self.at]
            .iter()
            .all(|token| matches!(token.kind, TokenKind::Word | TokenKind::Symbol(".")));
        if plain && !certain {
            return Err(self.expected("a type"));
        }
        if self.is(".") && self.word_ahead(1) == "class" {
            self.at += 2;
            return self.node(self.span_from(start), ExprKind::ClassLiteral(ty));
        }
        if self.is("::") { self.method_ref(start) } else { Err(self.expected("`::`")) }
    }

    fn behind_dot(&mut self, target: Expr) -> Parsed<Expr> {
        let start = target.span;
        self.bump();
        if self.is("<") {
            let type_arguments = Some(self.type_arguments()?);
            return self.call(target, type_arguments);
        }
        match self.word() {
            "class" => {
                let ty = TypeText { text: self.squeezed(start), span: start };
                self.bump();
                return self.node(self.span_from(start), ExprKind::ClassLiteral(ty));
            }
            "new" => return self.creation(Some(target)),
            _ => {}
        }
        if self.token().kind == TokenKind::Word && self.is_ahead(1, "(") {
            return self.call(target, None);
        }
        let name = match self.token().kind {
            // `x.\inv` and other words of provers, `\fresh(x.*)`.
            TokenKind::Backslash => self.take_name(),
            TokenKind::Symbol("*") if self.is_ahead(1, ")") || self.is_ahead(1, ",") => {
                self.take_name()
            }
            _ => self.name("a name behind the point")?,
        };
        let span = start.to(name.span);
        self.node(span, ExprKind::Field { target: Box::new(target), name })
    }

    fn squeezed(&self, span: Span) -> String {
        self.type_text(span).text
    }

    fn call(&mut self, target: Expr, type_arguments: Option<TypeText>) -> Parsed<Expr> {
        let start = target.span;
        let name = self.name("a method")?;
        let arguments = self.arguments()?;
        let target = Some(Box::new(target));
        let kind = ExprKind::Call { target, type_arguments, name, arguments };
        self.node(self.span_from(start), kind)
    }

    /// `(a, b)`
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.expect("(", "`(`")?;
        let mut arguments = Vec::new();
        if self.eat(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expr()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")", "`,` or `)`")?;
        Ok(arguments)
    }

    fn index(&mut self, array: Expr) -> Parsed<Expr> {
        let start = array.span;
        self.bump();
        let index = Box::new(self.expr()?);
        self.expect("]", "`]`")?;
        let kind = ExprKind::Index { array: Box::new(array), index };
        self.node(self.span_from(start), kind)
    }

    fn postfix(&mut self, operand: Expr, op: UnaryOp) -> Parsed<Expr> {
        self.bump();
        let span = self.span_from(operand.span);
        self.node(span, ExprKind::Unary { op, operand: Box::new(operand) })
    }

    fn method_ref(&mut self, start: Span) -> Parsed<Expr> {
        let target = self.code(start.to(self.previous_span()));
        self.bump();
        if self.is("<") {
            self.type_arguments()?;
        }
        let name = self.name("a method")?;
        self.node(self.span_from(start), ExprKind::MethodRef { target, name })
    }

    fn parens_or_lambda(&mut self) -> Parsed<Expr> {
        let start = self.token().span;
        let close = self.closing_at(self.at);
        if close == self.at {
            return Err(Problem::Other { span: start, text: "this parenthesis is not closed" });
        }
        if matches!(self.token_at(close + 1).kind, TokenKind::Symbol("->")) {
            self.at = close + 1;
            return self.lambda(start);
        }
        self.bump();
        let quantified = self.attempt(|parser| parser.unknown_quantifier(start, close));
        if let Some(quantified) = quantified {
            return Ok(quantified);
        }
        let inner = self.expr()?;
        self.expect(")", "`)`")?;
        self.node(self.span_from(start), ExprKind::Parens(Box::new(inner)))
    }

    fn lambda(&mut self, start: Span) -> Parsed<Expr> {
        let parameters = self.code(self.span_from(start));
        self.expect("->", "`->`")?;
        let body = if self.is("{") {
            LambdaBody::Block(self.brackets()?)
        } else {
            LambdaBody::Expr(Box::new(self.expr()?))
        };
        self.node(self.span_from(start), ExprKind::Lambda { parameters, body })
    }
}
