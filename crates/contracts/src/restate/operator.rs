//! Operators. Whole numbers are those of mathematics: what may not fit an `int` is taken in `long`,
//! what may not fit a `long` by the methods of `Math` that refuse to overflow.

use super::java::{Java, Ty, class, level, text};
use super::print::{Made, Printer};
use super::template::Piece;
use crate::jml::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

pub(super) const CLASS: &str = "java.lang.Class";

/// The type that two numbers have together, and the bits that either may take.
pub(super) fn promoted(left: &Java, right: &Java) -> (Ty, u32) {
    let bits = left.bits.max(right.bits);
    let (a, b) = (left.ty.unboxed(), right.ty.unboxed());
    let has = |ty: Ty| a == ty || b == ty;
    let numbers = (a.is_whole() || a.is_floating()) && (b.is_whole() || b.is_floating());
    let ty = match () {
        () if numbers && has(Ty::Double) => Ty::Double,
        () if numbers && has(Ty::Float) => Ty::Float,
        () if numbers && has(Ty::Long) => Ty::Long,
        () if numbers => Ty::Int,
        () if a == b => a,
        () if a == Ty::Null => right.ty.clone(),
        () if b == Ty::Null => left.ty.clone(),
        () => Ty::Unknown,
    };
    (ty, bits)
}

impl<'a> Printer<'_, 'a> {
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &'a Expr,
        right: &'a Expr,
        wide: bool,
    ) -> Made {
        use BinaryOp::*;
        match op {
            Add | Subtract | Multiply | Divide | Remainder => {
                let (left, right) = (self.print(left, wide)?, self.print(right, wide)?);
                Ok(self.arithmetic(op, left, right, wide))
            }
            ShiftLeft | ShiftRight | ShiftRightUnsigned => {
                let (left, right) = (self.narrow(left)?, self.narrow(right)?);
                let ty = if left.ty.unboxed() == Ty::Long { Ty::Long } else { Ty::Int };
                let symbol = match op {
                    ShiftLeft => "<<",
                    ShiftRight => ">>",
                    _ => ">>>",
                };
                Ok(left.joined(symbol, right, level::SHIFT, ty))
            }
            BitAnd | BitOr | BitXor => {
                let (left, right) = (self.narrow(left)?, self.narrow(right)?);
                let (ty, _) = promoted(&left, &right);
                let (symbol, at) = match op {
                    BitAnd => ("&", level::BIT_AND),
                    BitOr => ("|", level::BIT_OR),
                    _ => ("^", level::BIT_XOR),
                };
                Ok(left.joined(symbol, right, at, ty))
            }
            Less => self.joined("<", left, right, level::RELATION),
            LessEqual => self.joined("<=", left, right, level::RELATION),
            Greater => self.joined(">", left, right, level::RELATION),
            GreaterEqual => self.joined(">=", left, right, level::RELATION),
            And => self.joined("&&", left, right, level::AND),
            Or => self.joined("||", left, right, level::OR),
            Equal | NotEqual | Iff | NotIff => {
                let is_equal = matches!(op, Equal | Iff);
                let (left, right) = (self.wide(left)?, self.wide(right)?);
                Ok(equation(left, right, is_equal))
            }
            Implies => {
                let (left, right) = (self.negated(left)?, self.wide(right)?);
                Ok(left.joined("||", right, level::OR, Ty::Boolean))
            }
            ImpliedBy => {
                let (left, right) = (self.wide(left)?, self.negated(right)?);
                Ok(left.joined("||", right, level::OR, Ty::Boolean))
            }
            Subtype => {
                if let ExprKind::TypeOf(object) = &left.unwrapped().kind
                    && let ExprKind::Type(ty) = &right.unwrapped().kind
                {
                    let of = self.types.ty(self.site.ty, self.site.method, &ty.text);
                    let of = Java::primary(self.type_pieces(&of, &ty.text)?, Ty::Unknown);
                    let object = self.narrow(object)?;
                    return Ok(object.joined("instanceof", of, level::RELATION, Ty::Boolean));
                }
                let (below, above) = (self.narrow(left)?, self.narrow(right)?);
                let head = above.followed(".isAssignableFrom");
                Ok(Java::called(head, vec![below], Ty::Boolean))
            }
            LockLess | LockLessEqual => Err("the order of locks is not known".to_owned()),
        }
    }

    fn joined(&mut self, symbol: &str, left: &'a Expr, right: &'a Expr, at: u8) -> Made {
        let left = self.wide(left)?;
        Ok(left.joined(symbol, self.wide(right)?, at, Ty::Boolean))
    }

    /// That a condition does not hold.
    pub(super) fn negated(&mut self, expr: &'a Expr) -> Made {
        use BinaryOp::*;
        let expr = expr.unwrapped();
        match &expr.kind {
            ExprKind::Unary { op: UnaryOp::Not, operand } => return self.wide(operand),
            ExprKind::Binary { op, left, right, .. } => match op {
                Equal | Iff => return self.binary(NotEqual, left, right, true),
                NotEqual | NotIff => return self.binary(Equal, left, right, true),
                Less | LessEqual | Greater | GreaterEqual => {
                    let (a, b) = (self.wide(left)?, self.wide(right)?);
                    // Of floating numbers neither need hold.
                    if a.ty.unboxed().is_whole() && b.ty.unboxed().is_whole() {
                        let symbol = match op {
                            Less => ">=",
                            LessEqual => ">",
                            Greater => "<=",
                            _ => "<",
                        };
                        return Ok(a.joined(symbol, b, level::RELATION, Ty::Boolean));
                    }
                }
                _ => {}
            },
            _ => {}
        }
        Ok(self.wide(expr)?.prefixed("!", Ty::Boolean))
    }

    pub(super) fn minus(&mut self, number: Java, wide: bool) -> Java {
        if !wide || !number.ty.unboxed().is_whole() {
            let ty = number.ty.clone();
            return number.prefixed("-", ty);
        }
        if number.bits >= 63 {
            let head = vec![class("java.lang.Math"), text(".negateExact")];
            return Java::called(head, vec![number], Ty::Long);
        }
        let bits = number.bits + 1;
        let number = if bits > 31 { self.widened(number) } else { number };
        let ty = number.ty.clone();
        number.prefixed("-", ty).with_bits(bits)
    }

    fn arithmetic(&mut self, op: BinaryOp, left: Java, right: Java, wide: bool) -> Java {
        use BinaryOp::*;
        let (symbol, at, exact) = match op {
            Add => ("+", level::SUM, Some(".addExact")),
            Subtract => ("-", level::SUM, Some(".subtractExact")),
            Multiply => ("*", level::PRODUCT, Some(".multiplyExact")),
            Divide => ("/", level::PRODUCT, None),
            _ => ("%", level::PRODUCT, None),
        };
        let (ty, most) = promoted(&left, &right);
        if !wide || !ty.is_whole() {
            let is_text = |java: &Java| java.ty == Ty::Class("java.lang.String".to_owned());
            let ty = if is_text(&left) || is_text(&right) {
                Ty::Class("java.lang.String".to_owned())
            } else {
                ty
            };
            return left.joined(symbol, right, at, ty);
        }
        let bits = match op {
            Add | Subtract => most + 1,
            Multiply => left.bits + right.bits,
            // Only the least number by -1 takes more.
            Divide => left.bits,
            _ => left.bits.min(right.bits),
        };
        if bits > 63
            && let Some(exact) = exact
        {
            let head = vec![class("java.lang.Math"), text(exact)];
            let (left, right) = (self.widened(left), self.widened(right));
            return Java::called(head, vec![left, right], Ty::Long);
        }
        if bits <= 31 || ty == Ty::Long {
            return left.joined(symbol, right, at, ty).with_bits(bits);
        }
        // One of them in `long` makes all of it so.
        let (left, right) = match right.pieces.as_slice() {
            [Piece::Kept(_)] => (left, self.widened(right)),
            _ => (self.widened(left), right),
        };
        left.joined(symbol, right, at, Ty::Long).with_bits(bits)
    }

    /// A whole number in `long`: what is kept is kept so, all else is cast.
    fn widened(&mut self, number: Java) -> Java {
        if number.ty == Ty::Long {
            return number;
        }
        if let [Piece::Kept(at)] = number.pieces.as_slice()
            && self.kept[*at].widen()
        {
            return Java { ty: Ty::Long, ..number };
        }
        let bits = number.bits;
        if let [Piece::Text(digits)] = number.pieces.as_slice()
            && digits.bytes().all(|digit| digit.is_ascii_digit())
        {
            return Java::text(&format!("{digits}L"), Ty::Long).with_bits(bits);
        }
        number.prefixed("(long) ", Ty::Long).with_bits(bits)
    }
}

/// Whether two values are the same.
fn equation(left: Java, right: Java, is_equal: bool) -> Java {
    let of_class = |java: &Java| java.ty == Ty::Class(CLASS.to_owned());
    if of_class(&left) && of_class(&right) {
        // javac may know that two classes differ, and refuse to compare them.
        let equal = Java::called(left.followed(".equals"), vec![right], Ty::Boolean);
        return if is_equal { equal } else { equal.prefixed("!", Ty::Boolean) };
    }
    let symbol = if is_equal { "==" } else { "!=" };
    left.joined(symbol, right, level::EQUALITY, Ty::Boolean)
}
