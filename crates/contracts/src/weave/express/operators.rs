//! Operators with two operands.

use super::{Math, Printer, RUN, Text};
use crate::jml::ast::{BinaryOp, Expr, ExprKind, Literal, UnaryOp};

impl<'a> Printer<'_, 'a> {
    /// The class of the run-time part that calculates.
    pub(super) fn arithmetic(&self, wide: bool) -> &'static str {
        match (self.math, wide) {
            (_, false) => "Exact",
            (Math::Big, true) => "Big",
            (_, true) => "Wide",
        }
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &'a Expr,
        right: &'a Expr,
        wide: bool,
    ) -> Text {
        use BinaryOp::*;
        match op {
            Add | Subtract | Multiply | Divide | Remainder => {
                let (a, b) = (self.print(left, wide)?, self.print(right, wide)?);
                let text = is_text(left) || is_text(right);
                if self.math == Math::Java || (op == Add && text) {
                    return Ok(format!("({a} {} {b})", java_symbol(op)));
                }
                let method = match op {
                    Add => "add",
                    Subtract => "subtract",
                    Multiply => "multiply",
                    Divide => "divide",
                    _ => "remainder",
                };
                Ok(format!("{RUN}{}.{method}({a}, {b})", self.arithmetic(wide)))
            }
            Less | LessEqual | Greater | GreaterEqual => self.comparison(op, left, right),
            Equal | NotEqual => {
                let (a, b) = (self.wide(left)?, self.wide(right)?);
                let big = self.math == Math::Big && (calculates(left) || calculates(right));
                Ok(match (big, op) {
                    (false, _) => format!("({a} {} {b})", java_symbol(op)),
                    (true, Equal) => format!("{RUN}Big.equal({a}, {b})"),
                    (true, _) => format!("!{RUN}Big.equal({a}, {b})"),
                })
            }
            And | Or => {
                let a = self.wide(left)?;
                Ok(format!("({a} {} {})", java_symbol(op), self.wide(right)?))
            }
            ShiftLeft | ShiftRight | ShiftRightUnsigned | BitAnd | BitOr | BitXor => {
                let a = self.narrow(left)?;
                Ok(format!("({a} {} {})", java_symbol(op), self.narrow(right)?))
            }
            Implies => {
                let a = self.wide(left)?;
                Ok(format!("(!({a}) || {})", self.wide(right)?))
            }
            ImpliedBy => {
                let a = self.wide(left)?;
                Ok(format!("({a} || !({}))", self.wide(right)?))
            }
            Iff => {
                let a = self.wide(left)?;
                Ok(format!("(({a}) == ({}))", self.wide(right)?))
            }
            NotIff => {
                let a = self.wide(left)?;
                Ok(format!("(({a}) != ({}))", self.wide(right)?))
            }
            Subtype => {
                let a = self.narrow(left)?;
                Ok(format!("{RUN}Types.subtype({a}, {})", self.narrow(right)?))
            }
            LockLess | LockLessEqual => Err("the order of locks is not known".to_owned()),
        }
    }

    /// Comparisons, also those that are chained: `0 <= i < n`.
    fn comparison(&mut self, op: BinaryOp, left: &'a Expr, right: &'a Expr) -> Text {
        if let ExprKind::Binary { op: before, left: first, right: middle, .. } = &left.kind
            && is_comparison(*before)
        {
            let a = self.comparison(*before, first, middle)?;
            return Ok(format!("({a} && {})", self.comparison(op, middle, right)?));
        }
        let (a, b) = (self.wide(left)?, self.wide(right)?);
        if self.math != Math::Big || !(calculates(left) || calculates(right)) {
            return Ok(format!("({a} {} {b})", java_symbol(op)));
        }
        Ok(match op {
            BinaryOp::Less => format!("{RUN}Big.less({a}, {b})"),
            BinaryOp::LessEqual => format!("{RUN}Big.lessEqual({a}, {b})"),
            BinaryOp::Greater => format!("{RUN}Big.less({b}, {a})"),
            _ => format!("{RUN}Big.lessEqual({b}, {a})"),
        })
    }
}

pub(super) fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Less | LessEqual | Greater | GreaterEqual)
}

fn is_text(expr: &Expr) -> bool {
    match &expr.unwrapped().kind {
        ExprKind::Literal(Literal::String(_)) => true,
        ExprKind::Binary { op: BinaryOp::Add, left, right, .. } => is_text(left) || is_text(right),
        _ => false,
    }
}

/// Whether numbers are calculated that may have become too large.
pub(in crate::weave) fn calculates(expr: &Expr) -> bool {
    use crate::jml::ast::Quantifier::{Product, Sum};
    let mut found = false;
    expr.walk(&mut |part| {
        found |= match &part.kind {
            ExprKind::Binary { op, .. } => matches!(
                op,
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide
            ),
            ExprKind::Unary { op: UnaryOp::Minus, operand } => {
                !matches!(operand.kind, ExprKind::Literal(_))
            }
            ExprKind::Quantified { quantifier: Sum | Product, .. } => true,
            _ => false,
        };
    });
    found
}

/// The operator in Java, of those that Java has.
pub(super) fn java_symbol(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Add => "+",
        Subtract => "-",
        Multiply => "*",
        Divide => "/",
        Remainder => "%",
        ShiftLeft => "<<",
        ShiftRight => ">>",
        ShiftRightUnsigned => ">>>",
        Less | LockLess => "<",
        LessEqual | LockLessEqual => "<=",
        Greater => ">",
        GreaterEqual => ">=",
        Equal | Iff => "==",
        NotEqual | NotIff => "!=",
        BitAnd => "&",
        BitOr => "|",
        BitXor => "^",
        And => "&&",
        Or => "||",
        Implies | ImpliedBy | Subtype => "?",
    }
}
