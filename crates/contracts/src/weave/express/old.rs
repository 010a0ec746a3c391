//! Values of the state before a call.
//!
//! Each is a local variable of whatever surrounds the call, of the type javac infers (`var`). It is
//! taken only if its clause is owed, and whether it could be had is noted: a value that is undefined
//! before the call makes the clause undefined only if the clause asks for it. Values that depend on
//! variables of quantifiers around are kept in tables, taken over the range before the call.

use super::super::names::is_primitive;
use super::super::splice::{Blame, Pieces};
use super::{Binding, Math, Printer, RUN, Text};
use crate::jml::ast::{Expr, ExprKind, StoreRef, StoreRefKind, StoreStep};

/// The values that an expression asked for.
#[derive(Debug, Clone, Default)]
pub(in crate::weave) struct Olds(Vec<Old>);

#[derive(Debug, Clone)]
struct Old {
    name: String,
    /// The expression; what it is known by.
    text: String,
    how: How,
    blame: Blame,
}

#[derive(Debug, Clone)]
enum How {
    /// Nothing can go wrong.
    Plain,
    /// It may be undefined: a flag tells.
    Guarded,
    /// Over the variables of quantifiers: their declarations with any value, the loops that give
    /// them values, how many of those there are, the key.
    Table { like: String, loops: String, depth: usize, key: String },
}

impl Olds {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Statements that declare the variables; values are needed only if `owed` holds.
    pub fn declarations(&self, owed: &str) -> Pieces {
        let mut all = Pieces::new();
        let post = format!("{RUN}Checks.postpone(jml$t);");
        for Old { name, text: value, how, blame } in &self.0 {
            let text = match how {
                How::Plain => format!("var {name} = ({value}); "),
                // Without parentheses: javac passes over what gives an `int` for what gives an object if
                // a call stands in some.
                How::Guarded => format!(
                    "boolean {name}x = false; var {name} = switch (0) {{ default -> {{ \
                     if ({owed}) {{ try {{ var {name}v = ({value}); {name}x = true; \
                     yield {name}v; }} catch (Throwable jml$t) {{ {post} }} }} \
                     yield {RUN}Before.none(() -> {value}); }} }}; \
                     final boolean {name}h = {name}x; "
                ),
                How::Table { like, loops, depth, key } => format!(
                    "var {name} = {RUN}Table.like(() -> {{ {like} return ({value}); }}); \
                     if ({owed}) {{ try {{ {loops} try {{ {name}.put(({value}), {key}); }} \
                     catch (Throwable jml$t) {{ {post} }} {} }} \
                     catch (Throwable jml$t) {{ {post} }} }} ",
                    "}".repeat(*depth)
                ),
            };
            all.add(text, Some(*blame));
        }
        all
    }

    /// These, too.
    pub fn merge(&mut self, other: Olds) {
        for old in other.0 {
            if !self.0.iter().any(|known| known.name == old.name) {
                self.0.push(old);
            }
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// All from this one on are another's fault.
    pub fn blame(&mut self, from: usize, blame: Blame) {
        for old in self.0.iter_mut().skip(from) {
            old.blame = blame;
        }
    }

    fn find(&self, text: &str) -> Option<&Old> {
        self.0.iter().find(|old| old.text == text)
    }
}

impl<'a> Printer<'_, 'a> {
    pub(super) fn old(&mut self, expr: &'a Expr, wide: bool) -> Text {
        let Some(olds) = self.olds.take() else {
            // This is the state before the call.
            return self.print(expr, wide);
        };
        let text = self.before(expr, wide, olds);
        text.map(|text| format!("({text})"))
    }

    fn before(&mut self, expr: &'a Expr, wide: bool, mut olds: Olds) -> Text {
        let printed = self.print(expr, wide);
        let depending = self.depending(expr);
        let made = printed.and_then(|value| {
            if let Some(old) = olds.find(&value) {
                return Ok(old.clone());
            }
            let how = if !depending.is_empty() {
                self.table(&depending)?
            } else if self.is_plain(expr) {
                How::Plain
            } else {
                How::Guarded
            };
            let blame = Blame::Clause(self.clause);
            let old = Old { name: self.unique("o"), text: value, how, blame };
            olds.0.push(old.clone());
            Ok(old)
        });
        self.olds = Some(olds);
        let old = made?;
        Ok(match &old.how {
            How::Plain => old.name,
            How::Guarded => format!("{RUN}Before.known({0}h, {0})", old.name),
            How::Table { key, .. } => format!("{}.get({key})", old.name),
        })
    }

    /// The quantifiers around with variables that an expression speaks of, and those between.
    fn depending(&self, expr: &Expr) -> Vec<&'a Expr> {
        let mentions = |quantifier: &&&Expr| {
            let ExprKind::Quantified { vars, .. } = &quantifier.kind else { return false };
            vars.iter().any(|var| super::range::mentions(expr, &var.name.text))
        };
        self.quantifiers.iter().filter(mentions).copied().collect()
    }

    fn table(&mut self, quantifiers: &[&'a Expr]) -> Result<How, String> {
        let (mut like, mut loops, mut depth) = (String::new(), String::new(), 0);
        let mut key = Vec::new();
        for quantifier in quantifiers {
            let ExprKind::Quantified { vars, .. } = &quantifier.kind else { continue };
            for var in vars {
                let name = self.name(&var.name.text)?;
                let ty = super::java_type(&var.ty.text);
                let any = match ty.as_str() {
                    "boolean" => "false",
                    "char" => "'a'",
                    _ if is_primitive(&ty) => "0",
                    _ => "null",
                };
                like.push_str(&format!("final {ty} {name} = {any}; "));
                key.push(name);
            }
            let opened = self.loops_of(quantifier, true)?;
            depth += opened.len();
            loops.push_str(&opened.concat());
        }
        let key = if key.len() == 1 { format!("(Object) {}", key[0]) } else { key.join(", ") };
        Ok(How::Table { like, loops, depth, key })
    }

    /// Whether nothing can go wrong when it is evaluated, and nothing is called.
    fn is_plain(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => {
                match self.scope.iter().rev().find(|(known, _)| known == name) {
                    Some((_, Binding::Before(..))) => false,
                    Some(_) => true,
                    None => !self.members.has_model_field(self.program, self.ty, name),
                }
            }
            ExprKind::Field { target, name } => {
                matches!(target.kind, ExprKind::This)
                    && !self.members.has_model_field(self.program, self.ty, &name.text)
            }
            ExprKind::Parens(inner) => self.is_plain(inner),
            ExprKind::This | ExprKind::Literal(_) => true,
            ExprKind::Binary { op, left, right, .. } => {
                self.math == Math::Java
                    && matches!(op, crate::jml::ast::BinaryOp::Add)
                    && self.is_plain(left)
                    && self.is_plain(right)
            }
            _ => false,
        }
    }

    /// `\fresh`: none of the objects that could be reached before the call.
    pub(super) fn fresh(&mut self, all: &'a [Expr]) -> Text {
        let value = format!("{RUN}Reach.withStatics(new Object[] {{{}}})", self.roots);
        let name = self.kept(value)?;
        let mut parts = Vec::new();
        for one in all {
            parts.push(format!("{name}.isFresh({})", self.narrow(one)?));
        }
        Ok(format!("({})", parts.join(" && ")))
    }

    /// A value that is not written in the clause but taken before the call.
    fn kept(&mut self, value: String) -> Text {
        let name = self.unique("o");
        let Some(olds) = &mut self.olds else {
            return Err("there is no state before this one".to_owned());
        };
        let old = match olds.find(&value) {
            Some(old) => old.clone(),
            None => {
                let blame = Blame::Clause(self.clause);
                let old = Old { name, text: value, how: How::Guarded, blame };
                olds.0.push(old.clone());
                old
            }
        };
        Ok(format!("{RUN}Before.known({0}h, {0})", old.name))
    }

    /// `\not_modified`: the same value as before.
    pub(super) fn not_modified(&mut self, places: &'a [StoreRef]) -> Text {
        let mut parts = Vec::new();
        for place in places {
            let now = self.place_value(place)?;
            let before = match self.olds.take() {
                None => now.clone(),
                Some(olds) => {
                    let value = self.place_value(place);
                    self.olds = Some(olds);
                    self.kept(value?)?
                }
            };
            parts.push(format!("{now} == {before}"));
        }
        Ok(format!("({})", parts.join(" && ")))
    }

    /// A place as the expression that reads it, where there is one.
    fn place_value(&mut self, place: &'a StoreRef) -> Text {
        let StoreRefKind::Path { root, steps } = &place.kind else {
            return Err("places that are no expressions cannot be compared".to_owned());
        };
        self.path(root, steps)
    }

    /// A root and steps as the expression that reads the place.
    pub fn path(&mut self, root: &'a Expr, steps: &'a [StoreStep]) -> Text {
        let mut text = self.narrow(root)?;
        let own = matches!(root.kind, ExprKind::This);
        for (at, step) in steps.iter().enumerate() {
            match step {
                StoreStep::Field(name)
                    if own
                        && at == 0
                        && self.members.has_model_field(self.program, self.ty, &name.text) =>
                {
                    text = self.name(&name.text)?;
                }
                StoreStep::Field(name) => text.push_str(&format!(".{}", name.text)),
                StoreStep::Index(index) => text.push_str(&format!("[{}]", self.narrow(index)?)),
                _ => return Err("many places at once have no value".to_owned()),
            }
        }
        Ok(text)
    }
}
