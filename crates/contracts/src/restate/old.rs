//! Values of the state before the call: kept in variables before it is made.
//!
//! Inside a quantifier `\old(a[i])` has no single value; of an array a copy is kept.

use super::java::{Java, Ty, text};
use super::print::{Made, Printer};
use super::template::{KeptValue, Piece, Template};
use crate::jml::ast::{Expr, ExprKind};

/// A value that is kept.
pub(super) struct Kept {
    value: KeptValue,
    /// Whether it is a whole number that `int` holds.
    is_int: bool,
    widened: bool,
}

impl Kept {
    /// Keeps an `int` in a `long`; whether that is done.
    pub fn widen(&mut self) -> bool {
        self.widened |= self.is_int;
        self.widened
    }

    pub fn is_widened(&self) -> bool {
        self.widened
    }

    pub fn settled(self) -> KeptValue {
        let mut value = self.value;
        if self.widened {
            value.ty = "long".to_owned();
        }
        settle(&mut value.value, &[]);
        value
    }
}

/// Writes the casts of values that are kept in a wider type than they have.
pub(super) fn settle(template: &mut Template, widened: &[bool]) {
    let mut settled = Vec::with_capacity(template.len());
    for piece in template.drain(..) {
        match piece {
            Piece::Narrow(at) => {
                if widened.get(at) == Some(&true) {
                    settled.push(text("(int) "));
                }
                settled.push(Piece::Kept(at));
            }
            // Pieces of text in a row are one.
            Piece::Text(more) => match settled.last_mut() {
                Some(Piece::Text(before)) => before.push_str(&more),
                _ => settled.push(Piece::Text(more)),
            },
            other => settled.push(other),
        }
    }
    *template = settled;
}

impl<'a> Printer<'_, 'a> {
    pub(super) fn old(&mut self, expr: &'a Expr) -> Made {
        if self.before {
            return self.wide(expr);
        }
        if !self.mentions_bound(expr) {
            return self.keep(expr);
        }
        let lifting = std::mem::replace(&mut self.lifting, true);
        let made = match &expr.unwrapped().kind {
            ExprKind::Name(_)
            | ExprKind::Index { .. }
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Conditional { .. } => self.wide(expr),
            _ => Err(DEPENDS.to_owned()),
        };
        self.lifting = lifting;
        made
    }

    /// A value of before the call that depends on no bound variable.
    pub(super) fn keep(&mut self, expr: &'a Expr) -> Made {
        let value = self.of_before(expr)?;
        // What the test passes stays what it was.
        let is_constant = |piece: &Piece| matches!(piece, Piece::Text(_) | Piece::Argument(_));
        let is_plain = value.ty.is_primitive() && value.pieces.iter().all(is_constant);
        let is_call =
            |piece: &Piece| matches!(piece, Piece::Text(text) if text.contains(['.', '[']));
        if is_plain && !value.pieces.iter().any(is_call) || value.ty == Ty::Null {
            return Ok(value);
        }
        self.kept(value, &hint(expr))
    }

    fn of_before(&mut self, expr: &'a Expr) -> Made {
        let before = std::mem::replace(&mut self.before, true);
        let made = self.wide(expr);
        self.before = before;
        made
    }

    /// An array of before the call, with the elements it had.
    pub(super) fn elements(&mut self, array: &'a Expr) -> Made {
        if self.mentions_bound(array) {
            return Err(DEPENDS.to_owned());
        }
        let value = self.of_before(array)?;
        let ty = value.ty.clone();
        if !matches!(ty, Ty::Array(_)) {
            return Err("of what it is an array is not known".to_owned());
        }
        let copy = Java::primary(value.followed(".clone()"), ty);
        self.kept(copy, &hint(array))
    }

    /// Keeps a value of before the call.
    pub(super) fn kept(&mut self, value: Java, hint: &str) -> Made {
        let ty = value.ty.name().ok_or("of what type a value before the call is, is not known")?;
        let bits = value.bits;
        let same = self.kept.iter().position(|kept| kept.value.value == value.pieces);
        let at = same.unwrap_or_else(|| {
            let is_int = matches!(value.ty, Ty::Byte | Ty::Short | Ty::Char | Ty::Int);
            let name = hint.to_owned();
            let kept = KeptValue { name, ty, value: value.pieces };
            self.kept.push(Kept { value: kept, is_int, widened: false });
            self.kept.len() - 1
        });
        Ok(Java::primary(vec![Piece::Kept(at)], value.ty).with_bits(bits))
    }

    /// Whether an expression speaks of a variable that a quantifier around it binds.
    pub(super) fn mentions_bound(&self, expr: &Expr) -> bool {
        let mut found = false;
        expr.walk(&mut |part| {
            if let ExprKind::Name(name) = &part.kind {
                found |= self.bound.iter().any(|bound| bound.name == *name);
            }
        });
        found
    }
}

const DEPENDS: &str = "there are many values before the call, one for each value of a variable";

/// What a variable for a value of before the call would best be called: `oldBalance`.
fn hint(expr: &Expr) -> String {
    let name = match &expr.unwrapped().kind {
        ExprKind::Name(name) => name.as_str(),
        ExprKind::Field { name, .. } => name.text.as_str(),
        ExprKind::Call { name, arguments, .. } if arguments.is_empty() => {
            let name = name.text.as_str();
            let noun = ["get", "is", "has"].iter().find_map(|verb| name.strip_prefix(verb));
            noun.filter(|noun| noun.starts_with(char::is_uppercase)).unwrap_or(name)
        }
        ExprKind::Call { name, .. } => name.text.as_str(),
        ExprKind::Index { array, .. } => return format!("{}Element", hint(array)),
        _ => "value",
    };
    let mut chars = name.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("old{first}{}", chars.as_str())
}
