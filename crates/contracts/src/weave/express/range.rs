//! Which values a quantifier tries: read off its range.
//!
//! Whole numbers need a lower and an upper bound among the conjuncts of the range; objects a
//! collection they are in. Bounds may speak of variables bound further out, and of each other
//! (`0 <= i && i < j && j < n`). The loops may try more than the range has: it is tested anyway.

use super::super::names::{erased, is_primitive, parameters};
use super::{Math, Printer, RUN, java_type};
use crate::java::TypeKind;
use crate::jml::ast::{BinaryOp, Expr, ExprKind, QuantifiedVar, Quantifier};

/// Whether a name occurs.
pub(super) fn mentions(expr: &Expr, name: &str) -> bool {
    let mut found = false;
    expr.walk(&mut |part| {
        found |= match &part.kind {
            ExprKind::Name(text) => text == name,
            ExprKind::Switch(code) | ExprKind::SetComprehension(code) => has_word(&code.text, name),
            ExprKind::MethodRef { target, .. } => has_word(&target.text, name),
            ExprKind::New { body: Some(code), .. } => has_word(&code.text, name),
            ExprKind::Lambda { body: crate::jml::ast::LambdaBody::Block(code), .. } => {
                has_word(&code.text, name)
            }
            _ => false,
        };
    });
    found
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).any(|w| w == word)
}

/// A bound: what it is, and whether it is left out itself.
struct Bound<'a> {
    expr: &'a Expr,
    strict: bool,
    /// What is added to (`true`) or taken from the variable before it is compared.
    shift: Option<(bool, &'a Expr)>,
}

/// The parts of a conjunction.
fn conjuncts<'a>(expr: &'a Expr, all: &mut Vec<&'a Expr>) {
    match &expr.kind {
        ExprKind::Parens(inner) => conjuncts(inner, all),
        ExprKind::Binary { op: BinaryOp::And, left, right, .. } => {
            conjuncts(left, all);
            conjuncts(right, all);
        }
        _ => all.push(expr),
    }
}

impl<'a> Printer<'_, 'a> {
    /// The beginnings of the loops of a quantifier, each with its brace; its variables are in scope.
    /// Of those for the state before a call there is one step more at either end.
    pub(super) fn loops_of(
        &mut self,
        quantifier: &'a Expr,
        further: bool,
    ) -> Result<Vec<String>, String> {
        let ExprKind::Quantified { quantifier: which, vars, range, body } = &quantifier.kind else {
            return Err("no quantifier".to_owned());
        };
        let mut parts = Vec::new();
        if let Some(range) = range {
            conjuncts(range, &mut parts);
        }
        match (&body.unwrapped().kind, which) {
            (ExprKind::Binary { op: BinaryOp::Implies, left, .. }, Quantifier::Forall) => {
                conjuncts(left, &mut parts);
            }
            (_, Quantifier::Exists | Quantifier::NumOf) => conjuncts(body, &mut parts),
            _ => {}
        }
        let mut left: Vec<&QuantifiedVar> = vars.iter().collect();
        let mut loops = Vec::new();
        while !left.is_empty() {
            let names: Vec<&str> = left.iter().map(|var| var.name.text.as_str()).collect();
            let mut found = None;
            'search: for through in [false, true] {
                for (at, var) in left.iter().enumerate() {
                    if let Some(text) = self.one_loop(var, &parts, &names, through, further)? {
                        found = Some((at, text));
                        break 'search;
                    }
                }
            }
            let Some((at, text)) = found else {
                return Err(format!("the range of `{}` cannot be gone over", names[0]));
            };
            left.remove(at);
            loops.push(text);
        }
        Ok(loops)
    }

    fn one_loop(
        &mut self,
        var: &'a QuantifiedVar,
        parts: &[&'a Expr],
        unbound: &[&str],
        through: bool,
        further: bool,
    ) -> Result<Option<String>, String> {
        let name = self.name(&var.name.text)?;
        let ty = java_type(&var.ty.text);
        if ty == "boolean" {
            return Ok(Some(format!("for (final boolean {name} : {RUN}Ranges.BOOLEANS) {{ ")));
        }
        if let Some(text) = self.members_of(var, &name, parts, unbound)? {
            return Ok(Some(text));
        }
        if matches!(
            ty.as_str(),
            "int" | "long" | "short" | "byte" | "char" | "java.math.BigInteger"
        ) {
            let math = std::mem::replace(&mut self.math, Math::Wide);
            let ends = self.ends(var, parts, unbound, through);
            self.math = math;
            let Some((first, last)) = ends? else { return Ok(None) };
            let (at, to) = (self.unique("i"), self.unique("n"));
            // Ends that are numbers are the same in any state.
            let moves = |end: &str| further && end.parse::<i64>().is_err();
            let less = if moves(&first) { " - 1" } else { "" };
            let more = if moves(&last) { " + 1" } else { "" };
            let value = match ty.as_str() {
                "java.math.BigInteger" => format!("java.math.BigInteger.valueOf({at})"),
                "long" => at.clone(),
                _ => format!("({ty}) {at}"),
            };
            return Ok(Some(format!(
                "for (long {at} = ({first}){less}, {to} = {RUN}Ranges.last({at}, ({last}){more}); \
                 {at} <= {to}; {at}++) {{ final {ty} {name} = {value}; "
            )));
        }
        if is_primitive(&ty) {
            return Err(format!("there are too many values for `{}`", var.name.text));
        }
        let found =
            self.program.types.iter().find(|found| {
                found.decl.kind == TypeKind::Enum && found.decl.name.text == erased(&ty)
            });
        if found.is_some() {
            return Ok(Some(format!("for (final {ty} {name} : {ty}.values()) {{ ")));
        }
        Ok(None)
    }

    /// The loop over a collection that a variable is said to be in.
    fn members_of(
        &mut self,
        var: &'a QuantifiedVar,
        name: &str,
        parts: &[&'a Expr],
        unbound: &[&str],
    ) -> Result<Option<String>, String> {
        for part in parts {
            let ExprKind::Call { target: Some(target), name: method, arguments, .. } = &part.kind
            else {
                continue;
            };
            let [argument] = arguments.as_slice() else { continue };
            let view = match method.text.as_str() {
                "contains" | "has" => "",
                "containsKey" => ".keySet()",
                "containsValue" => ".values()",
                _ => continue,
            };
            let is_var =
                matches!(&argument.unwrapped().kind, ExprKind::Name(n) if *n == var.name.text);
            if !is_var || unbound.iter().any(|name| mentions(target, name)) {
                continue;
            }
            let target = self.narrow(target)?;
            let each = self.unique("e");
            let ty = java_type(&var.ty.text);
            let test = match self.boxed(&ty) {
                Some(boxed) => format!("if (!({each} instanceof {boxed})) {{ continue; }} "),
                None => String::new(),
            };
            return Ok(Some(format!(
                "for (Object {each} : {RUN}Ranges.each(({target}){view})) {{ {test}\
                 final {ty} {name} = ({ty}) {each}; "
            )));
        }
        Ok(None)
    }

    /// The class of the values of a type; `None` for type variables.
    fn boxed(&self, ty: &str) -> Option<String> {
        let name = erased(ty);
        let mut variables = self.type_variables.clone();
        let mut at = Some(self.ty);
        while let Some(id) = at {
            let text = self.program.types[id].decl.type_parameters.as_ref();
            let known = text.map(|text| parameters(&text.text)).unwrap_or_default();
            variables.extend(known.into_iter().map(|(name, _)| name));
            at = self.program.types[id].outer;
        }
        if variables.contains(&name) {
            return None;
        }
        Some(match name.as_str() {
            "int" => "Integer".to_owned(),
            "char" => "Character".to_owned(),
            "long" => "Long".to_owned(),
            "short" => "Short".to_owned(),
            "byte" => "Byte".to_owned(),
            "float" => "Float".to_owned(),
            "double" => "Double".to_owned(),
            _ => name,
        })
    }

    /// The first and the last value to try.
    fn ends(
        &mut self,
        var: &QuantifiedVar,
        parts: &[&'a Expr],
        unbound: &[&str],
        through: bool,
    ) -> Result<Option<(String, String)>, String> {
        let (low, high) = match var.ty.text.as_str() {
            "byte" => (Some("-128"), Some("127")),
            "short" => (Some("-32768"), Some("32767")),
            "char" => (Some("0"), Some("65535")),
            _ => (None, None),
        };
        let name = var.name.text.as_str();
        let first = self.end(name, parts, unbound, through, false, &mut Vec::new())?;
        let last = self.end(name, parts, unbound, through, true, &mut Vec::new())?;
        let first = first.or(low.map(str::to_owned));
        let last = last.or(high.map(str::to_owned));
        Ok(first.zip(last))
    }

    fn end(
        &mut self,
        name: &str,
        parts: &[&'a Expr],
        unbound: &[&str],
        through: bool,
        upper: bool,
        seen: &mut Vec<String>,
    ) -> Result<Option<String>, String> {
        let mut bounds = Vec::new();
        for part in parts {
            bounds_in(part, name, upper, &mut bounds);
        }
        for bound in &bounds {
            let parts = std::iter::once(bound.expr).chain(bound.shift.map(|(_, by)| by));
            let known = |expr: &Expr| unbound.iter().all(|name| !mentions(expr, name));
            if parts.into_iter().all(known) {
                return self.bound_text(bound, upper).map(Some);
            }
        }
        if through {
            seen.push(name.to_owned());
            for bound in &bounds {
                if let ExprKind::Name(other) = &bound.expr.unwrapped().kind
                    && bound.shift.is_none()
                    && !seen.contains(other)
                    && let Some(text) = self.end(other, parts, unbound, through, upper, seen)?
                {
                    return Ok(Some(text));
                }
            }
        }
        Ok(None)
    }

    fn bound_text(&mut self, bound: &Bound<'a>, upper: bool) -> Result<String, String> {
        let mut text = self.wide(bound.expr)?;
        if let Some((added, by)) = bound.shift {
            let by = self.wide(by)?;
            let method = if added { "subtract" } else { "add" };
            text = format!("{RUN}Wide.{method}({text}, {by})");
        }
        Ok(match (bound.strict, upper) {
            (false, _) => text,
            (true, true) => format!("{RUN}Wide.subtract({text}, 1)"),
            (true, false) => format!("{RUN}Wide.add({text}, 1)"),
        })
    }
}

/// The bounds that a conjunct gives a variable on one side.
fn bounds_in<'a>(part: &'a Expr, name: &str, upper: bool, found: &mut Vec<Bound<'a>>) {
    use BinaryOp::*;
    let ExprKind::Binary { op, left, right, .. } = &part.kind else { return };
    if super::operators::is_comparison(*op)
        && let ExprKind::Binary { op: before, right: middle, .. } = &left.kind
        && super::operators::is_comparison(*before)
    {
        // `a <= v < b`
        bounds_in(left, name, upper, found);
        compare(*op, middle, right, name, upper, found);
        return;
    }
    match op {
        Less | LessEqual | Greater | GreaterEqual | Equal => {
            compare(*op, left, right, name, upper, found);
        }
        _ => {}
    }
}

fn compare<'a>(
    op: BinaryOp,
    left: &'a Expr,
    right: &'a Expr,
    name: &str,
    upper: bool,
    found: &mut Vec<Bound<'a>>,
) {
    use BinaryOp::*;
    let strict = matches!(op, Less | Greater);
    // Whether the left side is at most the right one, or the other way round.
    let (left_is_less, right_is_less) = match op {
        Less | LessEqual => (true, false),
        Greater | GreaterEqual => (false, true),
        _ => (true, true),
    };
    if (if upper { left_is_less } else { right_is_less })
        && let Some(shift) = variable(left, name)
    {
        found.push(Bound { expr: right, strict, shift });
    }
    if (if upper { right_is_less } else { left_is_less })
        && let Some(shift) = variable(right, name)
    {
        found.push(Bound { expr: left, strict, shift });
    }
}

/// Whether an expression is the variable, or the variable with something added or taken.
fn variable<'a>(expr: &'a Expr, name: &str) -> Option<Option<(bool, &'a Expr)>> {
    match &expr.unwrapped().kind {
        ExprKind::Name(text) if text == name => Some(None),
        ExprKind::Binary { op, left, right, .. } => {
            let is_var = matches!(&left.unwrapped().kind, ExprKind::Name(text) if text == name);
            match op {
                BinaryOp::Add if is_var => Some(Some((true, right))),
                BinaryOp::Subtract if is_var => Some(Some((false, right))),
                _ => None,
            }
        }
        _ => None,
    }
}
