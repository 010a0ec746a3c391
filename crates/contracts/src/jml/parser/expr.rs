//! Operators: an operator-precedence loop over Java's and JML's.
//!
//! From loose to tight: assignment, `?:`, `<==>` `<=!=>`, `==>` `<==`, `||`, `&&`, `|`, `^`, `&`,
//! `==` `!=`, comparisons with `<:` and `instanceof`, shifts, `+` `-`, `*` `/` `%`, unary.

use crate::jml::ast::{AssignOp, BinaryOp, Expr, ExprKind, MAX_HEIGHT, Pattern, UnaryOp};
use crate::jml::token::TokenKind;
use crate::span::Span;

use super::{Parsed, Parser, Problem};

const EQUIVALENCE: u8 = 1;
const IMPLICATION: u8 = 2;
const OR: u8 = 3;
const AND: u8 = 4;
const BIT_OR: u8 = 5;
const BIT_XOR: u8 = 6;
const BIT_AND: u8 = 7;
const EQUALITY: u8 = 8;
const RELATION: u8 = 9;
const SHIFT: u8 = 10;
const SUM: u8 = 11;
const PRODUCT: u8 = 12;

/// An operator as it stands in the text.
struct Found {
    op: BinaryOp,
    strength: u8,
    /// How many tokens it is.
    tokens: usize,
    /// Whether it groups to the right.
    right: bool,
}

impl Parser<'_> {
    /// An expression, assignments included.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.nested(|parser| {
            let left = parser.conditional()?;
            let Some((op, tokens)) = parser.assignment() else { return Ok(left) };
            parser.at += tokens;
            let value = Box::new(parser.expr()?);
            let span = left.span.to(value.span);
            parser.node(span, ExprKind::Assign { op, target: Box::new(left), value })
        })
    }

    /// An expression without assignments.
    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        let condition = self.binary(EQUIVALENCE)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let then = Box::new(self.nested(Self::conditional)?);
        self.expect(":", "`:` of a conditional")?;
        let otherwise = Box::new(self.nested(Self::conditional)?);
        let span = condition.span.to(otherwise.span);
        self.node(span, ExprKind::Conditional { condition: Box::new(condition), then, otherwise })
    }

    fn binary(&mut self, weakest: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        loop {
            if self.word() == "instanceof" && weakest <= RELATION {
                self.bump();
                let pattern = self.pattern()?;
                let span = self.span_from(left.span);
                left =
                    self.node(span, ExprKind::InstanceOf { operand: Box::new(left), pattern })?;
                continue;
            }
            let Some(found) = self.operator().filter(|found| found.strength >= weakest) else {
                return Ok(left);
            };
            let start = self.token().span;
            self.at += found.tokens;
            let op_span = self.span_from(start);
            let weakest_right = if found.right { found.strength } else { found.strength + 1 };
            let right = Box::new(self.nested(|parser| parser.binary(weakest_right))?);
            let span = left.span.to(right.span);
            let kind = ExprKind::Binary { op: found.op, op_span, left: Box::new(left), right };
            left = self.node(span, kind)?;
        }
    }

    /// How many of the tokens from here on are `>` without a gap.
    fn angles(&self) -> usize {
        let mut count = 0;
        while self.is_ahead(count, ">")
            && (count == 0 || self.ahead(count - 1).span.end == self.ahead(count).span.start)
        {
            count += 1;
        }
        count
    }

    fn operator(&self) -> Option<Found> {
        let TokenKind::Symbol(symbol) = self.token().kind else { return None };
        let (op, strength) = match symbol {
            "<==>" => (BinaryOp::Iff, EQUIVALENCE),
            "<=!=>" => (BinaryOp::NotIff, EQUIVALENCE),
            "==>" => (BinaryOp::Implies, IMPLICATION),
            "<==" => (BinaryOp::ImpliedBy, IMPLICATION),
            "||" => (BinaryOp::Or, OR),
            "&&" => (BinaryOp::And, AND),
            "|" => (BinaryOp::BitOr, BIT_OR),
            "^" => (BinaryOp::BitXor, BIT_XOR),
            "&" => (BinaryOp::BitAnd, BIT_AND),
            "==" => (BinaryOp::Equal, EQUALITY),
            "!=" => (BinaryOp::NotEqual, EQUALITY),
            "<" => (BinaryOp::Less, RELATION),
            "<=" => (BinaryOp::LessEqual, RELATION),
            ">=" => (BinaryOp::GreaterEqual, RELATION),
            "<:" => (BinaryOp::Subtype, RELATION),
            "<#" => (BinaryOp::LockLess, RELATION),
            "<#=" => (BinaryOp::LockLessEqual, RELATION),
            "<<" => (BinaryOp::ShiftLeft, SHIFT),
            "+" => (BinaryOp::Add, SUM),
            "-" => (BinaryOp::Subtract, SUM),
            "*" => (BinaryOp::Multiply, PRODUCT),
            "/" => (BinaryOp::Divide, PRODUCT),
            "%" => (BinaryOp::Remainder, PRODUCT),
            ">" => {
                let tokens = self.angles();
                let (op, strength) = match tokens {
                    1 => (BinaryOp::Greater, RELATION),
                    2 => (BinaryOp::ShiftRight, SHIFT),
                    _ => (BinaryOp::ShiftRightUnsigned, SHIFT),
                };
                return Some(Found { op, strength, tokens: tokens.min(3), right: false });
            }
            _ => return None,
        };
        Some(Found { op, strength, tokens: 1, right: op == BinaryOp::Implies })
    }

    fn assignment(&self) -> Option<(AssignOp, usize)> {
        let TokenKind::Symbol(symbol) = self.token().kind else { return None };
        let op = match symbol {
            "=" => None,
            "+=" => Some(BinaryOp::Add),
            "-=" => Some(BinaryOp::Subtract),
            "*=" => Some(BinaryOp::Multiply),
            "/=" => Some(BinaryOp::Divide),
            "%=" => Some(BinaryOp::Remainder),
            "&=" => Some(BinaryOp::BitAnd),
            "|=" => Some(BinaryOp::BitOr),
            "^=" => Some(BinaryOp::BitXor),
            "<<=" => Some(BinaryOp::ShiftLeft),
            ">>=" => Some(BinaryOp::ShiftRight),
            ">>>=" => Some(BinaryOp::ShiftRightUnsigned),
            _ => return None,
        };
        Some((AssignOp(op), 1))
    }

    pub(super) fn unary(&mut self) -> Parsed<Expr> {
        let start = self.token().span;
        let op = match self.token().kind {
            TokenKind::Symbol("+") => UnaryOp::Plus,
            TokenKind::Symbol("-") => UnaryOp::Minus,
            TokenKind::Symbol("!") => UnaryOp::Not,
            TokenKind::Symbol("~") => UnaryOp::Complement,
            TokenKind::Symbol("++") => UnaryOp::PreIncrement,
            TokenKind::Symbol("--") => UnaryOp::PreDecrement,
            _ => {
                let cast = self.cast()?;
                return match cast {
                    Some(cast) => Ok(cast),
                    None => self.primary(),
                };
            }
        };
        self.bump();
        let operand = Box::new(self.nested(Self::unary)?);
        let span = self.span_from(start);
        self.node(span, ExprKind::Unary { op, operand })
    }

    fn cast(&mut self) -> Parsed<Option<Expr>> {
        if !self.is("(") {
            return Ok(None);
        }
        let start = self.token().span;
        let close = self.closing_at(self.at);
        let found = self.attempt(|parser| {
            parser.bump();
            let (ty, primitive) = parser.cast_type()?;
            if parser.at != close {
                return Err(parser.expected("`)`"));
            }
            parser.bump();
            if primitive || parser.operand_follows() {
                Ok(ty)
            } else {
                Err(parser.expected("an operand"))
            }
        });
        let Some(ty) = found else { return Ok(None) };
        let operand = Box::new(self.nested(Self::unary)?);
        let span = self.span_from(start);
        self.node(span, ExprKind::Cast { ty, operand }).map(Some)
    }

    /// Whether what follows can only be the operand of a cast to a reference type.
    fn operand_follows(&self) -> bool {
        match self.token().kind {
            TokenKind::Word => self.word() != "instanceof",
            TokenKind::Symbol(symbol) => matches!(symbol, "(" | "!" | "~"),
            TokenKind::Unknown | TokenKind::End => false,
            _ => true,
        }
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        let start = self.token().span;
        self.eat_word("final");
        let ty = self.ty()?;
        if self.is("(") {
            self.brackets()?;
            return Ok(Pattern::Record(self.code(self.span_from(start))));
        }
        let is_binding = self.token().kind == TokenKind::Word && self.word() != "instanceof";
        let binding = if is_binding { Some(self.name("a name")?) } else { None };
        Ok(Pattern::Type { ty, binding })
    }

    /// A node of the tree, unless it is too high.
    pub(super) fn node(&self, span: Span, kind: ExprKind) -> Parsed<Expr> {
        let expr = Expr::new(span, kind);
        if expr.height > MAX_HEIGHT { Err(Problem::TooDeep { span }) } else { Ok(expr) }
    }
}
