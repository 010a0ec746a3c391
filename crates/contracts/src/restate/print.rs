//! Expressions of JML as expressions of a test.

use super::java::{Java, Ty, class, level, text};
use super::old::Kept;
use super::template::{Claim, Piece, Restated, Template};
use super::types::{TypeId, Types};
use super::{Called, operator};
use crate::java::Method;
use crate::jml::ast::{Expr, ExprKind, Label, Literal, Pattern, UnaryOp, VarDecl};

/// Java, or why there is none.
pub(super) type Made = Result<Java, String>;

/// Where an expression stands: what its names are names of.
#[derive(Clone)]
pub(super) struct Site<'a> {
    pub ty: TypeId,
    pub method: Option<&'a Method>,
    /// What `this` is; `None` where there is none.
    pub receiver: Option<Template>,
}

impl Site<'_> {
    pub fn of(ty: TypeId) -> Self {
        Site { ty, method: None, receiver: None }
    }
}

/// A variable that a quantifier binds.
pub(super) struct Bound {
    pub name: String,
    pub number: usize,
    pub ty: Ty,
}

pub(super) struct Printer<'p, 'a> {
    pub types: &'p Types<'a>,
    pub called: &'p Called<'p>,
    pub site: Site<'a>,
    /// Variables of the case with the values they have before the call.
    pub olds: Vec<&'a VarDecl>,
    /// Names that stand for any value.
    pub unknown: Vec<&'a str>,
    /// Whether it is the state before the call that is spoken of.
    pub before: bool,
    /// Whether the parts of an expression that depend on no bound variable are of before the call.
    pub lifting: bool,
    pub bound: Vec<Bound>,
    pub kept: Vec<Kept>,
    pub variables: Vec<String>,
    pub throws: bool,
    /// Definitions of model fields that are being put in place of them.
    pub depth: u32,
    pub claims: Vec<Claim>,
    /// Why parts of the clause are left out.
    pub reasons: Vec<String>,
}

impl<'p, 'a> Printer<'p, 'a> {
    pub fn new(types: &'p Types<'a>, called: &'p Called<'p>, site: Site<'a>) -> Self {
        Printer {
            types,
            called,
            site,
            olds: Vec::new(),
            unknown: Vec::new(),
            before: false,
            lifting: false,
            bound: Vec::new(),
            kept: Vec::new(),
            variables: Vec::new(),
            throws: false,
            depth: 0,
            claims: Vec::new(),
            reasons: Vec::new(),
        }
    }

    /// What was said, if anything was.
    pub fn finish(self) -> Result<Restated, String> {
        if self.claims.is_empty() {
            let reason = self.reasons.into_iter().next();
            return Err(reason.unwrap_or_else(|| "nothing is said that could fail".to_owned()));
        }
        let mut claims = self.claims;
        let widened: Vec<bool> = self.kept.iter().map(|kept| kept.is_widened()).collect();
        let of = claims.iter_mut().flat_map(|claim| &mut claim.of);
        of.for_each(|template| super::old::settle(template, &widened));
        let before = self.kept.into_iter().map(Kept::settled).collect();
        Ok(Restated { before, claims, variables: self.variables, throws: self.throws })
    }

    /// An expression whose number may be calculated in a wider type.
    pub fn wide(&mut self, expr: &'a Expr) -> Made {
        self.print(expr, true)
    }

    /// An expression that must have the type it has in Java.
    pub fn narrow(&mut self, expr: &'a Expr) -> Made {
        let mut java = self.print(expr, false)?;
        for piece in &mut java.pieces {
            if let Piece::Kept(number) = piece {
                *piece = Piece::Narrow(*number);
            }
        }
        Ok(java)
    }

    pub(super) fn print(&mut self, expr: &'a Expr, wide: bool) -> Made {
        if self.lifting && !self.before && !self.mentions_bound(expr) {
            return self.keep(expr);
        }
        match &expr.kind {
            ExprKind::Name(name) => self.name(name),
            ExprKind::Literal(literal) => literal_java(literal),
            ExprKind::This => {
                let ty = Ty::Class(self.types.all[self.site.ty].name.clone());
                Ok(Java::primary(self.receiver()?, ty))
            }
            ExprKind::Parens(inner) => self.print(inner, wide),
            ExprKind::Field { target, name } => self.field(target, &name.text),
            ExprKind::Call { target, name, arguments, .. } => {
                self.call(target.as_deref(), &name.text, arguments)
            }
            ExprKind::Index { array, index } => self.index(array, index),
            ExprKind::Unary { op, operand } => self.unary(*op, operand, wide),
            ExprKind::Binary { op, left, right, .. } => self.binary(*op, left, right, wide),
            ExprKind::Conditional { condition, then, otherwise } => {
                let (condition, then) = (self.wide(condition)?, self.print(then, wide)?);
                let otherwise = self.print(otherwise, wide)?;
                let (ty, bits) = operator::promoted(&then, &otherwise);
                let mut pieces = condition.at(level::CONDITIONAL + 1);
                pieces.push(text(" ? "));
                pieces.extend(then.at(level::CONDITIONAL + 1));
                pieces.push(text(" : "));
                pieces.extend(otherwise.at(level::CONDITIONAL));
                Ok(Java::new(pieces, ty, level::CONDITIONAL).with_bits(bits))
            }
            ExprKind::Cast { ty, operand } => {
                let to = self.types.ty(self.site.ty, self.site.method, &ty.text);
                let operand = self.print(operand, wide)?;
                let mut pieces = vec![text("(")];
                pieces.extend(self.type_pieces(&to, &ty.text)?);
                pieces.push(text(") "));
                pieces.extend(operand.at(level::UNARY + 1));
                Ok(Java::new(pieces, to, level::UNARY))
            }
            ExprKind::InstanceOf { operand, pattern: Pattern::Type { ty, binding: None } } => {
                let of = self.types.ty(self.site.ty, self.site.method, &ty.text);
                let of = self.type_pieces(&of, &ty.text)?;
                let operand = self.narrow(operand)?;
                let right = Java::primary(of, Ty::Unknown);
                Ok(operand.joined("instanceof", right, level::RELATION, Ty::Boolean))
            }
            ExprKind::New { outer: None, class: written, arguments, body: None } => {
                let ty = self.types.ty(self.site.ty, self.site.method, &written.text);
                let mut head = vec![text("new ")];
                head.extend(self.type_pieces(&ty, &written.text)?);
                if written.text.contains('<') {
                    head.push(text("<>"));
                }
                Ok(Java::called(head, self.arguments(arguments)?, ty))
            }
            ExprKind::ClassLiteral(ty) | ExprKind::Type(ty) => {
                let of = self.types.ty(self.site.ty, self.site.method, &ty.text);
                let mut pieces = self.type_pieces(&of, &ty.text)?;
                pieces.push(text(".class"));
                Ok(Java::primary(pieces, Ty::Class(operator::CLASS.to_owned())))
            }
            ExprKind::TypeOf(inner) => {
                let of = self.narrow(inner)?;
                if of.ty.is_primitive() {
                    return Err("it asks for the type of a number".to_owned());
                }
                let pieces = of.followed(".getClass()");
                Ok(Java::primary(pieces, Ty::Class(operator::CLASS.to_owned())))
            }
            ExprKind::ElemType(inner) => {
                let pieces = self.narrow(inner)?.followed(".getComponentType()");
                Ok(Java::primary(pieces, Ty::Class(operator::CLASS.to_owned())))
            }
            ExprKind::Result if self.before => Err("there is no result before the call".to_owned()),
            ExprKind::Result => {
                let declared = self.site.method.and_then(|m| m.return_type.as_ref());
                let ty = declared.map_or(Ty::Unknown, |ty| {
                    self.types.ty(self.site.ty, self.site.method, &ty.text)
                });
                Ok(Java::primary(vec![Piece::Result], ty))
            }
            ExprKind::Old { expr, label: None, .. } => self.old(expr),
            ExprKind::Quantified { .. } => self.quantified(expr),
            ExprKind::NonNullElements(all) => self.non_null_elements(all),
            ExprKind::Fresh(all) => self.fresh(all),
            ExprKind::Label { kind: Label::Lbl | Label::LblNeg | Label::LblPos, expr, .. } => {
                self.print(expr, wide)
            }
            other => Err(unsaid(other)),
        }
    }

    pub(super) fn receiver(&self) -> Result<Template, String> {
        let receiver = self.site.receiver.clone().ok_or("there is no object it speaks of")?;
        let is_made = self.called.method == "<init>" && receiver == [Piece::Receiver];
        if self.before && is_made {
            return Err("an object has no state before it is made".to_owned());
        }
        if self.before && receiver == [Piece::Result] {
            return Err("there is no result before the call".to_owned());
        }
        Ok(receiver)
    }

    pub(super) fn arguments(&mut self, all: &'a [Expr]) -> Result<Vec<Java>, String> {
        all.iter().map(|one| self.narrow(one)).collect()
    }

    /// A type where it is named: classes must be ones that a test can name.
    pub(super) fn type_pieces(&self, ty: &Ty, written: &str) -> Result<Template, String> {
        match ty {
            Ty::Class(name) => self.class(name),
            Ty::Array(of) => {
                let mut pieces = self.type_pieces(of, written)?;
                pieces.push(text("[]"));
                Ok(pieces)
            }
            Ty::Variable | Ty::Null | Ty::Unknown => {
                Err(format!("the type `{written}` cannot be named"))
            }
            primitive => Ok(vec![text(&primitive.name().unwrap_or_default())]),
        }
    }

    fn index(&mut self, array: &'a Expr, index: &'a Expr) -> Made {
        let array = match self.lifting && !self.before {
            true => self.elements(array)?,
            false => self.narrow(array)?,
        };
        let ty = match &array.ty {
            Ty::Array(of) => (**of).clone(),
            _ => Ty::Unknown,
        };
        let mut pieces = array.followed("[");
        pieces.extend(self.narrow(index)?.pieces);
        pieces.push(text("]"));
        Ok(Java::primary(pieces, ty))
    }

    fn unary(&mut self, op: UnaryOp, operand: &'a Expr, wide: bool) -> Made {
        let is_literal = matches!(operand.unwrapped().kind, ExprKind::Literal(_));
        match op {
            UnaryOp::Not => self.negated(operand),
            UnaryOp::Plus => self.print(operand, wide),
            UnaryOp::Minus if is_literal => {
                let number = self.print(operand, wide)?;
                let (ty, bits) = (number.ty.clone(), number.bits);
                Ok(number.prefixed("-", ty).with_bits(bits))
            }
            UnaryOp::Minus => {
                let number = self.print(operand, wide)?;
                Ok(self.minus(number, wide))
            }
            UnaryOp::Complement => {
                let number = self.narrow(operand)?;
                let ty = number.ty.clone();
                Ok(number.prefixed("~", ty))
            }
            _ => Err("it changes what it speaks of".to_owned()),
        }
    }

    /// That all elements of arrays and collections are there.
    fn non_null_elements(&mut self, all: &'a [Expr]) -> Made {
        let mut made: Option<Java> = None;
        for one in all {
            let of = self.narrow(one)?;
            let mut stream = match &of.ty {
                Ty::Array(_) => {
                    let head = vec![class("java.util.Arrays"), text(".stream")];
                    Java::called(head, vec![of.clone()], Ty::Unknown).pieces
                }
                Ty::Class(_) => of.clone().followed(".stream()"),
                _ => return Err("of what its elements are is not known".to_owned()),
            };
            stream.extend([text(".allMatch("), class("java.util.Objects"), text("::nonNull)")]);
            let there = of.joined("!=", Java::text("null", Ty::Null), level::EQUALITY, Ty::Boolean);
            let stream = Java::primary(stream, Ty::Boolean);
            let both = there.joined("&&", stream, level::AND, Ty::Boolean);
            made = Some(match made {
                Some(made) => made.joined("&&", both, level::AND, Ty::Boolean),
                None => both,
            });
        }
        made.ok_or_else(|| "it speaks of nothing".to_owned())
    }
}

fn literal_java(literal: &Literal) -> Made {
    Ok(match literal {
        Literal::Integer(text) => {
            let digits = text.replace('_', "").to_ascii_lowercase();
            let is_long = digits.ends_with('l');
            let digits = digits.trim_end_matches('l');
            let number = match digits.strip_prefix("0x") {
                Some(hex) => u64::from_str_radix(hex, 16).ok(),
                None => digits.parse::<u64>().ok(),
            };
            let bits = number.map_or(63, |number| 64 - number.leading_zeros());
            Java::text(text, if is_long { Ty::Long } else { Ty::Int }).with_bits(bits)
        }
        Literal::Floating(text) => {
            let is_float = text.ends_with(['f', 'F']) && !text.starts_with("0x");
            Java::text(text, if is_float { Ty::Float } else { Ty::Double })
        }
        Literal::Character(text) => Java::text(text, Ty::Char),
        Literal::String(text) => Java::text(text, Ty::Class("java.lang.String".to_owned())),
        Literal::TextBlock(_) => return Err("text blocks are not of every Java".to_owned()),
        Literal::Boolean(value) => Java::text(&value.to_string(), Ty::Boolean),
        Literal::Null => Java::text("null", Ty::Null),
    })
}

/// Why there is no Java for it.
fn unsaid(kind: &ExprKind) -> String {
    let word = match kind {
        ExprKind::Informal(_) => return "it is not formal".to_owned(),
        ExprKind::Super => "super",
        ExprKind::Old { .. } => return "the state at a label is not kept".to_owned(),
        ExprKind::NotModified(_) => "\\not_modified",
        ExprKind::NotAssigned(_) => "\\not_assigned",
        ExprKind::OnlyAssigned(_) => "\\only_assigned",
        ExprKind::Reach { .. } => "\\reach",
        ExprKind::InvariantFor(_) => "\\invariant_for",
        ExprKind::StaticInvariantFor(_) => "\\static_invariant_for",
        ExprKind::IsInitialized(_) => "\\is_initialized",
        ExprKind::LockSet { .. } => "\\lockset",
        ExprKind::Lambda { .. } => "a lambda",
        ExprKind::MethodRef { .. } => "a method reference",
        ExprKind::Switch(_) => "a switch",
        ExprKind::New { .. } => "a new class",
        ExprKind::NewArray(_) | ExprKind::ArrayInit(_) => "a new array",
        ExprKind::InstanceOf { .. } => "a pattern",
        ExprKind::Only { keyword: name, .. }
        | ExprKind::Other { name, .. }
        | ExprKind::OtherQuantified { name, .. }
        | ExprKind::LoopState(name) => return format!("`{}` is not said in Java", name.text),
        _ => return "it is not said in Java".to_owned(),
    };
    format!("`{word}` is not said in a test")
}
