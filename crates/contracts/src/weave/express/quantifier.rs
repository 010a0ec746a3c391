//! Quantifiers as switch expressions with loops in them.

use super::{Binding, Math, Printer, RUN, Text};
use crate::jml::ast::{Expr, ExprKind, Quantifier};

impl<'a> Printer<'_, 'a> {
    pub(super) fn quantified(&mut self, expr: &'a Expr, wide: bool) -> Text {
        let ExprKind::Quantified { quantifier, vars, range, body } = &expr.kind else {
            return Err("no quantifier".to_owned());
        };
        let depth = self.scope.len();
        for var in vars {
            let name = self.unique(&var.name.text);
            self.scope.push((var.name.text.clone(), Binding::Bound(name)));
        }
        self.quantifiers.push(expr);
        let text = self.loops(*quantifier, expr, range.as_deref(), body);
        self.quantifiers.pop();
        self.scope.truncate(depth);
        let text = text?;
        let is_number = !matches!(quantifier, Quantifier::Forall | Quantifier::Exists);
        if is_number && !wide && !self.floating {
            return Ok(format!("{RUN}Exact.index({text})"));
        }
        Ok(text)
    }

    fn loops(
        &mut self,
        quantifier: Quantifier,
        expr: &'a Expr,
        range: Option<&'a Expr>,
        body: &'a Expr,
    ) -> Text {
        let opened = self.loops_of(expr, false)?;
        let range = match range {
            Some(range) => self.wide(range)?,
            None => "true".to_owned(),
        };
        let body = self.wide(body)?;
        let (q, label) = (self.unique("q"), self.unique("l"));
        let number = if self.floating { "double" } else { "long" };
        let (start, step, end) = match quantifier {
            Quantifier::Forall => (
                format!("boolean {q} = true;"),
                format!("if ({range} && !({body})) {{ {q} = false; break {label}; }}"),
                q.clone(),
            ),
            Quantifier::Exists => (
                format!("boolean {q} = false;"),
                format!("if ({range} && {body}) {{ {q} = true; break {label}; }}"),
                q.clone(),
            ),
            Quantifier::NumOf => (
                format!("long {q} = 0;"),
                format!("if ({range} && {body}) {{ {q}++; }}"),
                q.clone(),
            ),
            Quantifier::Sum | Quantifier::Product => {
                let sum = quantifier == Quantifier::Sum;
                let (zero, method) = if sum { ("0", "add") } else { ("1", "multiply") };
                let big = self.math == Math::Big;
                let (number, zero) = match (big, sum) {
                    (true, true) => ("java.math.BigInteger", "java.math.BigInteger.ZERO"),
                    (true, false) => ("java.math.BigInteger", "java.math.BigInteger.ONE"),
                    (false, _) => (number, zero),
                };
                let more = match self.math {
                    Math::Java => format!("{q} = {q} {} ({body})", if sum { '+' } else { '*' }),
                    Math::Wide => format!("{q} = {RUN}Wide.{method}({q}, {body})"),
                    Math::Big => format!("{q} = {RUN}Big.{method}({q}, {body})"),
                };
                let start = format!("{number} {q} = {zero};");
                (start, format!("if ({range}) {{ {more}; }}"), q.clone())
            }
            Quantifier::Min | Quantifier::Max => {
                let (any, x) = (self.unique("a"), self.unique("x"));
                let than = if quantifier == Quantifier::Min { '<' } else { '>' };
                (
                    format!("{number} {q} = 0; boolean {any} = false;"),
                    format!(
                        "if ({range}) {{ {number} {x} = {body}; \
                         if (!{any} || {x} {than} {q}) {{ {q} = {x}; }} {any} = true; }}"
                    ),
                    format!("{RUN}Ranges.some({any}) ? {q} : 0"),
                )
            }
            Quantifier::Choose => return Err("`\\choose` cannot be executed".to_owned()),
        };
        Ok(format!(
            "(switch (0) {{ default -> {{ {start} {label}: {} {step} {} yield {end}; }} }})",
            opened.concat(),
            "}".repeat(opened.len()),
        ))
    }
}
