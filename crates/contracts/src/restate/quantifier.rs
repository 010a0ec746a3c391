//! Quantifiers over ranges of whole numbers, as streams.

use super::java::{Java, Ty, class, level, text};
use super::print::{Bound, Made, Printer};
use super::template::{Piece, Template};
use crate::jml::ast::{BinaryOp, Expr, ExprKind, QuantifiedVar, Quantifier};

/// The bounds of a variable: the expression, and whether the variable may be it.
#[derive(Clone, Copy)]
struct Range<'a> {
    low: (&'a Expr, bool),
    high: (&'a Expr, bool),
}

/// What is asked of the values of one variable, and of those of the ones after it.
struct Asked<'s, 'a> {
    quantifier: Quantifier,
    vars: &'s [&'a QuantifiedVar],
    /// What restricts the variables beside their bounds, and is not used yet.
    conditions: Vec<&'a Expr>,
    body: Option<&'a Expr>,
}

impl<'a> Printer<'_, 'a> {
    pub(super) fn quantified(&mut self, expr: &'a Expr) -> Made {
        let ExprKind::Quantified { quantifier, vars, range, body } = &expr.kind else {
            return Err("it is no quantifier".to_owned());
        };
        let mut conditions = Vec::new();
        range.iter().for_each(|range| conjuncts(range, &mut conditions));
        let mut body = Some(&**body);
        if range.is_none() {
            // What is usual in place of a range.
            match (quantifier, body.map(|body| &body.unwrapped().kind)) {
                (
                    Quantifier::Forall,
                    Some(ExprKind::Binary { op: BinaryOp::Implies, left, right, .. }),
                ) => {
                    conjuncts(left, &mut conditions);
                    body = Some(right);
                }
                (Quantifier::Exists | Quantifier::NumOf, Some(_)) => {
                    body.take().into_iter().for_each(|body| conjuncts(body, &mut conditions));
                }
                _ => return Err("a quantifier has no range".to_owned()),
            }
        }
        let depth = self.bound.len();
        let vars: Vec<&QuantifiedVar> = vars.iter().collect();
        let mut made = Err("a variable has no range of whole numbers".to_owned());
        for order in orders(&vars) {
            let (variables, kept) = (self.variables.len(), self.kept.len());
            let asked = Asked {
                quantifier: *quantifier,
                vars: &order,
                conditions: conditions.clone(),
                body,
            };
            made = self.stream(asked);
            self.bound.truncate(depth);
            if made.is_ok() {
                break;
            }
            self.variables.truncate(variables);
            self.kept.truncate(kept);
        }
        made
    }

    fn stream(&mut self, asked: Asked<'_, 'a>) -> Made {
        let Asked { quantifier, vars, mut conditions, body } = asked;
        let (var, rest) = vars.split_first().ok_or("a quantifier binds nothing")?;
        let ty = match var.ty.text.as_str() {
            "int" | "short" | "byte" => Ty::Int,
            "long" => Ty::Long,
            other => return Err(format!("values of `{other}` are not gone through")),
        };
        let unbound: Vec<&str> = vars.iter().map(|var| var.name.text.as_str()).collect();
        let range = take_range(&var.name.text, &unbound, &mut conditions)
            .ok_or_else(|| format!("`{}` has no range of whole numbers", var.name.text))?;
        let source = self.source(&ty, range)?;
        let number = self.variables.len();
        self.variables.push(var.name.text.clone());
        self.bound.push(Bound { name: var.name.text.clone(), number, ty: ty.clone() });
        // What speaks of this variable and none of those to come is asked here.
        let later: Vec<&str> = rest.iter().map(|var| var.name.text.as_str()).collect();
        let (now, conditions): (Vec<&Expr>, Vec<&Expr>) =
            conditions.into_iter().partition(|one| !mentions(one, &later));
        let mut pieces = source;
        let is_last = rest.is_empty();
        let asks = matches!(quantifier, Quantifier::Exists | Quantifier::NumOf);
        let all_here = is_last && body.is_none() && asks;
        let (filters, last) = match all_here {
            true => now.split_last().map_or((&[][..], None), |(last, all)| (all, Some(*last))),
            false => (&now[..], body),
        };
        for filter in filters {
            let test = self.wide(filter)?;
            lambda(&mut pieces, ".filter(", number, test);
        }
        let inner = match (is_last, last) {
            (true, Some(last)) => self.wide(last)?,
            (true, None) => Java::text("true", Ty::Boolean),
            (false, _) => self.stream(Asked { quantifier, vars: rest, conditions, body })?,
        };
        finish(quantifier, &ty, is_last, pieces, number, inner)
    }

    /// `IntStream.range(low, high)`
    fn source(&mut self, ty: &Ty, range: Range<'a>) -> Result<Template, String> {
        let mut low = self.narrow(range.low.0)?;
        if !range.low.1 {
            low = low.joined("+", Java::text("1", Ty::Int), level::SUM, ty.clone());
        }
        let high = self.narrow(range.high.0)?;
        for end in [&low, &high] {
            if *ty == Ty::Int && end.ty.unboxed() == Ty::Long {
                return Err("a range of `int` ends with a `long`".to_owned());
            }
        }
        let stream = match ty {
            Ty::Int => "java.util.stream.IntStream",
            _ => "java.util.stream.LongStream",
        };
        let method = if range.high.1 { ".rangeClosed" } else { ".range" };
        let head = vec![class(stream), text(method)];
        Ok(Java::called(head, vec![low, high], Ty::Unknown).pieces)
    }
}

fn finish(
    quantifier: Quantifier,
    ty: &Ty,
    is_last: bool,
    mut pieces: Template,
    number: usize,
    inner: Java,
) -> Made {
    let of = inner.ty.unboxed();
    let bits = inner.bits;
    // The streams of `int` and `long` have other names for what makes one the other.
    let map = match (ty, &of) {
        (_, Ty::Float | Ty::Double) => ".mapToDouble(",
        (Ty::Int, _) => ".mapToLong(",
        _ => ".map(",
    };
    let number_type = if of.is_floating() { Ty::Double } else { Ty::Long };
    match quantifier {
        Quantifier::Forall => lambda(&mut pieces, ".allMatch(", number, inner),
        Quantifier::Exists => lambda(&mut pieces, ".anyMatch(", number, inner),
        Quantifier::NumOf if is_last => {
            lambda(&mut pieces, ".filter(", number, inner);
            pieces.push(text(".count()"));
            return Ok(Java::primary(pieces, Ty::Long).with_bits(31));
        }
        Quantifier::NumOf | Quantifier::Sum | Quantifier::Product
            if of.is_whole() || of.is_floating() =>
        {
            lambda(&mut pieces, map, number, inner);
            let is_sum = quantifier != Quantifier::Product;
            let fits = of.is_floating() || bits <= 31;
            match (is_sum, of.is_floating()) {
                (true, _) if fits => pieces.push(text(".sum()")),
                (false, true) => pieces.push(text(".reduce(1, (a, b) -> a * b)")),
                _ => {
                    let (unit, method) =
                        if is_sum { ("0", "::addExact)") } else { ("1", "::multiplyExact)") };
                    let head = format!(".reduce({unit}, ");
                    pieces.extend([text(&head), class("java.lang.Math"), text(method)]);
                }
            }
            return Ok(Java::primary(pieces, number_type));
        }
        Quantifier::Min | Quantifier::Max if is_last && (of.is_whole() || of.is_floating()) => {
            lambda(&mut pieces, map, number, inner);
            let name = if quantifier == Quantifier::Min { "min" } else { "max" };
            let get = if of.is_floating() { "Double" } else { "Long" };
            pieces.push(text(&format!(".{name}().getAs{get}()")));
            return Ok(Java::primary(pieces, number_type).with_bits(bits));
        }
        _ => return Err("a quantifier of this kind is not said in a test".to_owned()),
    }
    Ok(Java::primary(pieces, Ty::Boolean))
}

/// `.method(x -> body)`
fn lambda(pieces: &mut Template, head: &str, number: usize, body: Java) {
    pieces.extend([text(head), Piece::Variable(number), text(" -> ")]);
    pieces.extend(body.pieces);
    pieces.push(text(")"));
}

fn conjuncts<'a>(expr: &'a Expr, found: &mut Vec<&'a Expr>) {
    match &expr.unwrapped().kind {
        ExprKind::Binary { op: BinaryOp::And, left, right, .. } => {
            conjuncts(left, found);
            conjuncts(right, found);
        }
        _ => found.push(expr.unwrapped()),
    }
}

/// The bounds of a variable among conditions, taken out of them; not by variables without bounds.
fn take_range<'a>(
    name: &str,
    unbound: &[&str],
    conditions: &mut Vec<&'a Expr>,
) -> Option<Range<'a>> {
    let (mut low, mut high) = (None, None);
    let mut taken = Vec::new();
    for (at, condition) in conditions.iter().enumerate() {
        let Some(End { of, is_lower, closed }) = end_of(name, condition) else { continue };
        let side = if is_lower { &mut low } else { &mut high };
        if side.is_none() && !mentions(of, unbound) {
            *side = Some((of, closed));
            taken.push(at);
        }
    }
    let through = |is_lower| end_through(name, is_lower, unbound, conditions, unbound.len());
    let range =
        Range { low: low.or_else(|| through(true))?, high: high.or_else(|| through(false))? };
    let mut at = 0;
    conditions.retain(|_| {
        at += 1;
        !taken.contains(&(at - 1))
    });
    Some(range)
}

/// An end of the range of a variable.
struct End<'a> {
    of: &'a Expr,
    is_lower: bool,
    closed: bool,
}

/// The end that a condition sets a variable.
fn end_of<'a>(name: &str, condition: &'a Expr) -> Option<End<'a>> {
    let is_it = |expr: &Expr| matches!(&expr.unwrapped().kind, ExprKind::Name(n) if n == name);
    let ExprKind::Binary { op, left, right, .. } = &condition.kind else { return None };
    let (of, is_lower, closed) = match (op, is_it(left), is_it(right)) {
        (BinaryOp::LessEqual, true, false) => (right, false, true),
        (BinaryOp::Less, true, false) => (right, false, false),
        (BinaryOp::GreaterEqual, true, false) => (right, true, true),
        (BinaryOp::Greater, true, false) => (right, true, false),
        (BinaryOp::LessEqual, false, true) => (left, true, true),
        (BinaryOp::Less, false, true) => (left, true, false),
        (BinaryOp::GreaterEqual, false, true) => (left, false, true),
        (BinaryOp::Greater, false, true) => (left, false, false),
        _ => return None,
    };
    Some(End { of, is_lower, closed })
}

/// The end that another variable sets it: `i < j && j < n` sets `i` one. The condition between them
/// still has to be asked.
fn end_through<'a>(
    name: &str,
    is_lower: bool,
    unbound: &[&str],
    conditions: &[&'a Expr],
    depth: usize,
) -> Option<(&'a Expr, bool)> {
    let ends = conditions.iter().filter_map(|one| end_of(name, one));
    let ends: Vec<End<'a>> = ends.filter(|end| end.is_lower == is_lower).collect();
    if let Some(end) = ends.iter().find(|end| !mentions(end.of, unbound)) {
        return Some((end.of, end.closed));
    }
    let depth = depth.checked_sub(1)?;
    ends.iter().find_map(|end| match &end.of.unwrapped().kind {
        ExprKind::Name(other) => end_through(other, is_lower, unbound, conditions, depth),
        _ => None,
    })
}

fn mentions(expr: &Expr, names: &[&str]) -> bool {
    let mut found = false;
    expr.walk(&mut |part| {
        found |= matches!(&part.kind, ExprKind::Name(name) if names.contains(&name.as_str()));
    });
    found
}

/// The orders in which variables may get their values.
fn orders<'a>(vars: &[&'a QuantifiedVar]) -> Vec<Vec<&'a QuantifiedVar>> {
    match vars {
        [a, b] => vec![vec![*a, *b], vec![*b, *a]],
        [a, b, c] => {
            let all = [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]];
            all.map(|order| order.into_iter().copied().collect()).to_vec()
        }
        _ => vec![vars.to_vec()],
    }
}
