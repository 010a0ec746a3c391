//! What JML says within bodies, in front of the comments that say it.
//!
//! Values of the state before the call are variables declared where the body begins.

use std::collections::HashMap;

use super::clause::ClauseId;
use super::express::{Math, Olds, RUN};
use super::owed::UNKNOWN;
use super::splice::{Blame, Pieces, Splices};
use super::weaver::Weaver;
use super::{Arithmetic, express::java_type};
use crate::jml::ast::{
    Expr, ExprKind, LoopClauseKind, LoopKind, LoopSpec, Statement, StatementKind,
};
use crate::source::Source;
use crate::span::Span;

/// Whether this code is not run by a clause.
const WATCHED: &str = "testhound.contracts.Checks.evaluator == null \
                       || !testhound.contracts.Checks.evaluating()";

impl<'a> Weaver<'_, 'a> {
    /// Puts the checks of a body in; `start` is where its variables can be declared.
    pub fn weave_statements(
        &self,
        statements: &'a [Statement],
        loops: &'a [LoopSpec],
        ids: &HashMap<Span, ClauseId>,
        start: u32,
        splices: &mut Splices,
    ) {
        let mut olds = Olds::default();
        for (rank, statement) in (0..).zip(statements) {
            let Some(&id) = ids.get(&statement.span) else { continue };
            if self.is_dropped(id) {
                continue;
            }
            if !statement.in_block {
                self.skip(id, "no statement can stand here");
                continue;
            }
            match self.statement(statement, id, &mut olds) {
                Ok(pieces) => {
                    let pieces = pieces.blaming(Blame::Clause(id));
                    splices.insert(statement.comment.start, rank, pieces);
                }
                Err(reason) => self.skip(id, reason),
            }
        }
        for one in loops {
            self.weave_loop(one, ids, &mut olds, splices);
        }
        splices.insert(start, 5, olds.declarations("true"));
    }

    fn statement(
        &self,
        statement: &'a Statement,
        id: ClauseId,
        olds: &mut Olds,
    ) -> Result<Pieces, String> {
        let mut pieces = Pieces::new();
        match &statement.kind {
            StatementKind::Assert(..) | StatementKind::Assume(..) => {
                if let Some(check) = self.check(id, olds) {
                    pieces = check;
                }
            }
            StatementKind::Unreachable => {
                pieces.glue(format!("{RUN}Checks.violated({id}); "));
            }
            StatementKind::Set(expr) => {
                if !matches!(
                    expr.unwrapped().kind,
                    ExprKind::Assign { .. } | ExprKind::Unary { .. } | ExprKind::Call { .. }
                ) {
                    return Err("it sets nothing".to_owned());
                }
                let (text, calls) = self.plain(id, expr, olds)?;
                if calls {
                    pieces.glue(format!(
                        "if ({WATCHED}) {{ {RUN}Checks.begin(); try {{ {text}; }} finally {{ \
                         {RUN}Checks.end(); }} }} else {{ {text}; }} "
                    ));
                } else {
                    pieces.glue(format!("{text}; "));
                }
            }
            StatementKind::Ghost(variables) => {
                for variable in variables {
                    let ty = java_type(&variable.ty.text);
                    let value = match &variable.value {
                        Some(value) => format!(" = {}", self.plain(id, value, olds)?.0),
                        None => String::new(),
                    };
                    pieces.glue(format!("{ty} {}{value}; ", variable.name.text));
                }
            }
            _ => {}
        }
        Ok(pieces)
    }

    /// An expression as plain Java, and whether it calls anything.
    fn plain(
        &self,
        id: ClauseId,
        expr: &'a Expr,
        olds: &mut Olds,
    ) -> Result<(String, bool), String> {
        let mut printer = self.printer(id, self.math());
        printer.olds = Some(olds.clone());
        // Parentheses around an assignment make no statement.
        let text = printer.narrow(expr.unwrapped());
        self.needs.take(&printer.needs);
        let calls = printer.calls;
        *olds = printer.olds.unwrap_or_default();
        text.map(|text| (text, calls))
    }

    pub fn math(&self) -> Math {
        match self.options.arithmetic {
            Arithmetic::Java => Math::Java,
            Arithmetic::Mathematical => Math::Wide,
        }
    }

    /// The statement that checks an assertion.
    fn check(&self, id: ClauseId, olds: &mut Olds) -> Option<Pieces> {
        let entry = self.contracts.entry(id);
        if entry.method.is_some_and(|at| self.asks_unknown(entry.ty, at)) {
            self.skip(id, UNKNOWN);
            return None;
        }
        let evaluation = self.evaluation(id)?;
        olds.merge(evaluation.olds.clone());
        let mut pieces = Pieces::new();
        pieces.glue(format!("if ({WATCHED}) {{ "));
        if evaluation.calls {
            pieces.glue(format!("{RUN}Checks.begin(); "));
        }
        pieces.append(evaluation.code.clone());
        if evaluation.calls {
            pieces.glue(format!("{RUN}Checks.end(); "));
        }
        pieces.glue(format!("if (!jml$h) {{ {RUN}Checks.violated({id}); }} }} "));
        Some(pieces)
    }

    fn weave_loop(
        &self,
        one: &'a LoopSpec,
        ids: &HashMap<Span, ClauseId>,
        olds: &mut Olds,
        splices: &mut Splices,
    ) {
        let mut at_condition = Pieces::new();
        let mut at_body = Pieces::new();
        for clause in &one.clauses {
            let Some(&id) = ids.get(&clause.span) else { continue };
            if self.is_dropped(id) {
                continue;
            }
            match &clause.kind {
                LoopClauseKind::Invariant(_) => {
                    let Some(check) = self.check(id, olds) else { continue };
                    let check = check.blaming(Blame::Clause(id));
                    let source = self.program.source(self.contracts.entry(id).ty);
                    if Self::tests_condition(source, one) {
                        at_condition.append(check);
                    } else {
                        at_body.append(check);
                    }
                }
                LoopClauseKind::Decreases(expr) => {
                    match self.variant(id, expr, one, olds, splices) {
                        Ok(check) => drop(at_body.append(check.blaming(Blame::Clause(id)))),
                        Err(reason) => self.skip(id, reason),
                    }
                }
                _ => {}
            }
        }
        if !at_condition.is_empty()
            && let Some(condition) = one.condition
        {
            let mut open = Pieces::new();
            open.glue("(switch (0) { default -> { ");
            open.append(at_condition);
            open.glue("yield true; } }) && (");
            splices.insert(condition.start, 0, open);
            let mut close = Pieces::new();
            close.glue(")");
            splices.insert(condition.end, 0, close);
        }
        if !at_body.is_empty() {
            if one.body_is_block {
                splices.insert(one.body.start + 1, 0, at_body);
            } else {
                let mut open = Pieces::new();
                open.glue("{ ");
                open.append(at_body);
                splices.insert(one.body.start, 0, open);
                let mut close = Pieces::new();
                close.glue(" }");
                splices.insert(one.body.end, 0, close);
            }
        }
    }

    /// Whether invariants can be checked wherever the condition is tested: not if the condition is
    /// constant, because code behind the loop is reachable or not by that, nor if it may declare a
    /// variable for what is behind the loop (`!(o instanceof A a)`).
    fn tests_condition(source: &Source, one: &LoopSpec) -> bool {
        let is_constant = one.condition.is_none_or(|span| {
            let text = source.slice(span).trim();
            text == "true" || text.contains('!') && text.contains("instanceof")
        });
        matches!(one.kind, LoopKind::While | LoopKind::For) && !is_constant
    }

    /// The check of a variant; the variable it needs is declared around the loop.
    fn variant(
        &self,
        id: ClauseId,
        expr: &'a Expr,
        one: &LoopSpec,
        olds: &mut Olds,
        splices: &mut Splices,
    ) -> Result<Pieces, String> {
        let mut printer = self.printer(id, self.math());
        printer.olds = Some(olds.clone());
        let text = printer.wide(expr)?;
        let calls = printer.calls;
        *olds = printer.olds.unwrap_or_default();
        let mut open = Pieces::new();
        open.glue(format!("{{ long jml$v{id} = Long.MAX_VALUE; "));
        splices.insert(one.statement.start, 0, open.blaming(Blame::Clause(id)));
        let mut close = Pieces::new();
        close.glue(" }");
        splices.insert(one.statement.end, -1, close.blaming(Blame::Clause(id)));
        let (begin, end) = if calls {
            (format!("{RUN}Checks.begin(); "), format!("{RUN}Checks.end(); "))
        } else {
            (String::new(), String::new())
        };
        let mut check = Pieces::new();
        check.glue(format!(
            "if ({WATCHED}) {{ {begin}try {{ jml$v{id} = {RUN}Checks.variant({id}, jml$v{id}, \
             {text}); }} catch (Throwable jml$t) {{ {RUN}Checks.undefined({id}, jml$t); }} {end}}} "
        ));
        Ok(check)
    }
}
