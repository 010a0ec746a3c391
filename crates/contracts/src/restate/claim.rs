//! Clauses as assertions: a conjunction is several, each of the kind that tells most when it fails.

use super::java::{Java, Ty, level};
use super::print::{Made, Printer};
use super::template::{Asserted, Claim, Piece};
use crate::java::{JavaModifier, Origin};
use crate::jml::ast::{BinaryOp, Expr, ExprKind, Literal, UnaryOp};

impl<'a> Printer<'_, 'a> {
    /// Asserts what can be said of an expression, and remembers why the rest cannot.
    pub(super) fn claim(&mut self, expr: &'a Expr) {
        match &expr.unwrapped().kind {
            ExprKind::Binary { op: BinaryOp::And, left, right, .. } => {
                self.claim(left);
                self.claim(right);
            }
            ExprKind::Label { expr, .. } => self.claim(expr),
            ExprKind::Literal(Literal::Boolean(true)) => {}
            ExprKind::Literal(Literal::Boolean(false)) => self.unreached(),
            _ => {
                let before = (self.kept.len(), self.variables.len(), self.claims.len());
                if let Err(reason) = self.claim_part(expr.unwrapped()) {
                    self.kept.truncate(before.0);
                    self.variables.truncate(before.1);
                    self.claims.truncate(before.2);
                    self.reasons.push(reason);
                }
            }
        }
    }

    fn claim_part(&mut self, expr: &'a Expr) -> Result<(), String> {
        match &expr.kind {
            ExprKind::Unary { op: UnaryOp::Not, operand } => {
                let operand = self.wide(operand)?;
                self.add(Asserted::False, vec![operand]);
            }
            ExprKind::Binary { op, left, right, .. } => match op {
                BinaryOp::Equal | BinaryOp::Iff => self.claim_equal(left, right)?,
                BinaryOp::NotEqual | BinaryOp::NotIff => self.claim_unequal(expr, left, right)?,
                _ => self.claim_true(expr)?,
            },
            ExprKind::Fresh(all) => {
                for one in all {
                    let object = self.narrow(one)?;
                    self.add(Asserted::NotNull, vec![object.clone()]);
                    for other in self.known_before(&object)? {
                        self.add(Asserted::NotSame, vec![other, object.clone()]);
                    }
                }
            }
            _ => self.claim_true(expr)?,
        }
        Ok(())
    }

    fn claim_true(&mut self, expr: &'a Expr) -> Result<(), String> {
        let made = self.wide(expr)?;
        self.add(Asserted::True, vec![made]);
        Ok(())
    }

    fn claim_equal(&mut self, left: &'a Expr, right: &'a Expr) -> Result<(), String> {
        let (left, right) = (self.wide(left)?, self.wide(right)?);
        for (literal, other) in [(&left, &right), (&right, &left)] {
            let asserted = match literal.pieces.as_slice() {
                [Piece::Text(word)] if word == "null" => Asserted::Null,
                [Piece::Text(word)] if word == "true" => Asserted::True,
                [Piece::Text(word)] if word == "false" => Asserted::False,
                _ => continue,
            };
            let is_boxed = asserted != Asserted::Null && other.ty != Ty::Boolean;
            if !is_boxed {
                self.add(asserted, vec![other.clone()]);
                return Ok(());
            }
        }
        let is_left = actuality(&left) > actuality(&right);
        let (expected, actual) = if is_left { (right, left) } else { (left, right) };
        let whole = |java: &Java| java.ty.is_whole();
        let boolean = |java: &Java| java.ty == Ty::Boolean;
        if whole(&expected) && whole(&actual) || boolean(&expected) && boolean(&actual) {
            self.add(Asserted::Equal, vec![expected, actual]);
        } else if expected.ty.is_reference() && actual.ty.is_reference() {
            self.add(Asserted::Same, vec![expected, actual]);
        } else {
            let equal = expected.joined("==", actual, level::EQUALITY, Ty::Boolean);
            self.add(Asserted::True, vec![equal]);
        }
        Ok(())
    }

    fn claim_unequal(
        &mut self,
        expr: &'a Expr,
        left: &'a Expr,
        right: &'a Expr,
    ) -> Result<(), String> {
        let (left, right) = (self.wide(left)?, self.wide(right)?);
        match (&left.ty, &right.ty) {
            (Ty::Null, _) => self.add(Asserted::NotNull, vec![right]),
            (_, Ty::Null) => self.add(Asserted::NotNull, vec![left]),
            (a, b) if a.is_reference() && b.is_reference() => {
                self.add(Asserted::NotSame, vec![left, right]);
            }
            _ => return self.claim_true(expr),
        }
        Ok(())
    }

    fn add(&mut self, asserted: Asserted, of: Vec<Java>) {
        let of = of.into_iter().map(|java| java.pieces).collect();
        let claim = Claim { asserted, of };
        if !self.claims.contains(&claim) {
            self.claims.push(claim);
        }
    }

    /// That the call does not return.
    pub(super) fn unreached(&mut self) {
        self.add(Asserted::Unreached, Vec::new());
    }

    pub(super) fn result_not_null(&mut self) {
        self.add(Asserted::NotNull, vec![Java::primary(vec![Piece::Result], Ty::Unknown)]);
    }

    pub(super) fn field_not_null(&mut self, field: &str) {
        match self.name(field) {
            Ok(value) => self.add(Asserted::NotNull, vec![value]),
            Err(reason) => self.reasons.push(reason),
        }
    }

    /// `\fresh` within an expression.
    pub(super) fn fresh(&mut self, all: &'a [Expr]) -> Made {
        let mut made: Option<Java> = None;
        for one in all {
            let object = self.narrow(one)?;
            let mut others = vec![Java::text("null", Ty::Null)];
            others.extend(self.known_before(&object)?);
            for other in others {
                // Of types that have nothing in common javac refuses the question.
                let left = match other.ty {
                    Ty::Null => object.clone(),
                    _ => object.clone().prefixed("(Object) ", Ty::Variable),
                };
                let differ = left.joined("!=", other, level::EQUALITY, Ty::Boolean);
                made = Some(match made {
                    Some(made) => made.joined("&&", differ, level::AND, Ty::Boolean),
                    None => differ,
                });
            }
        }
        made.ok_or_else(|| "it speaks of nothing".to_owned())
    }

    /// The objects that a test knows from before the call and that another may be.
    fn known_before(&mut self, object: &Java) -> Result<Vec<Java>, String> {
        let mut known = Vec::new();
        let is_made = self.called.method == "<init>";
        if self.called.has_receiver && !is_made && self.site.receiver.is_some() {
            let ty = Ty::Class(self.called.class.to_owned());
            known.push(Java::primary(vec![Piece::Receiver], ty));
        }
        for (at, argument) in self.called.arguments.iter().enumerate() {
            if let Some(name) = argument {
                let ty = super::types::Types::of_library(name);
                known.push(Java::primary(vec![Piece::Argument(at)], ty));
            }
        }
        known.retain(|one| self.may_be(&one.ty, &object.ty));
        if self.called.has_receiver && !is_made {
            known.extend(self.fields_before(object)?);
        }
        Ok(known)
    }

    /// What the fields of the object held before the call, as far as a test can read them.
    fn fields_before(&mut self, object: &Java) -> Result<Vec<Java>, String> {
        let types = self.types;
        let mut found = Vec::new();
        let owners = std::iter::once(self.site.ty).chain(types.ancestors(self.site.ty));
        let fields = owners.flat_map(|ty| &types.all[ty].decl.fields);
        for field in fields.filter(|field| field.origin == Origin::Java) {
            if field.modifiers.has(JavaModifier::Static) {
                continue;
            }
            let before = std::mem::replace(&mut self.before, true);
            let value = self.name(&field.name.text);
            self.before = before;
            let Ok(value) = value else { continue };
            if value.ty.is_reference() && value.ty == object.ty {
                let name = &field.name.text;
                let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
                found.push(self.kept(value, &format!("old{}{rest}", first.to_uppercase()))?);
            }
        }
        Ok(found)
    }

    /// Whether an object may be of both types.
    fn may_be(&self, one: &Ty, other: &Ty) -> bool {
        let (Ty::Class(a), Ty::Class(b)) = (one, other) else {
            return !one.is_primitive() && !matches!((one, other), (Ty::Array(_), Ty::Class(_)));
        };
        match (self.types.named(a), self.types.named(b)) {
            (Some(x), Some(y)) => self.types.is_subtype(x, y) || self.types.is_subtype(y, x),
            _ => a == b,
        }
    }
}

/// How much it is what the call came to rather than what was expected of it.
fn actuality(java: &Java) -> u8 {
    let has = |piece: &dyn Fn(&Piece) -> bool| java.pieces.iter().any(piece);
    let is_primary = java.level == level::PRIMARY;
    match java.pieces.as_slice() {
        [Piece::Result, ..] if is_primary => 3,
        _ if has(&|piece| matches!(piece, Piece::Result)) => 2,
        [Piece::Receiver | Piece::Argument(_), _, ..] if is_primary => 1,
        _ => 0,
    }
}
