//! Which clause is meant: the one that begins at a place.

use super::types::{TypeId, Types};
use crate::java::{JavaModifier, Method};
use crate::jml::ast::{ClauseKind, Expr, FlatCase, TypeClauseKind, VarDecl};
use crate::span::Span;

/// Where a clause stands, and the word it begins with (`non_null` and `normal_behavior` may be
/// meant without being written, and stand where what they are of is declared).
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The file.
    pub file: &'a str,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The keyword.
    pub keyword: &'a str,
}

/// What a clause says.
pub(super) enum Said<'a> {
    /// What holds after a call that returns.
    Ensures { expr: &'a Expr, olds: Vec<&'a VarDecl>, unknown: Vec<&'a str> },
    /// What holds of an object, or a class.
    OfObject { expr: &'a Expr, is_static: bool },
    /// What holds of new objects.
    Initially(&'a Expr),
    /// What holds between the states before and after.
    Constraint { expr: &'a Expr, is_static: bool },
    /// That the result is not `null`.
    ResultNotNull,
    /// That a field is not `null`.
    FieldNotNull { field: &'a str, is_static: bool },
    /// That no such exception is thrown.
    ThrowsNot,
    /// That an exception is thrown.
    Throws,
    /// Something that cannot be asserted after a call, and why.
    Other(&'static str),
}

pub(super) struct Found<'a> {
    pub ty: TypeId,
    pub method: Option<&'a Method>,
    pub said: Said<'a>,
}

pub(super) fn find<'a>(types: &Types<'a>, place: &Place<'_>) -> Option<Found<'a>> {
    (0..types.all.len()).find_map(|ty| {
        let source = types.all[ty].source;
        if !source.files.iter().any(|file| file.name == place.file) {
            return None;
        }
        let is_there = |span: Span| {
            let position = source.position(span);
            source.file(span.file).is_some_and(|file| file.name == place.file)
                && (position.line, position.column) == (place.line, place.column)
        };
        of_type(types, ty, place, &is_there)
    })
}

fn of_type<'a>(
    types: &Types<'a>,
    ty: TypeId,
    place: &Place<'_>,
    is_there: &dyn Fn(Span) -> bool,
) -> Option<Found<'a>> {
    let decl = types.all[ty].decl;
    let found = |method, said| Some(Found { ty, method, said });
    if let Some(clause) = decl.spec.clauses.iter().find(|clause| is_there(clause.span)) {
        let is_static = clause.modifiers.has(JavaModifier::Static);
        return found(
            None,
            match &clause.kind {
                TypeClauseKind::Invariant(expr) => Said::OfObject { expr, is_static },
                TypeClauseKind::Constraint { expr, .. } => Said::Constraint { expr, is_static },
                TypeClauseKind::Initially(expr) => Said::Initially(expr),
                _ => Said::Other("it is a definition"),
            },
        );
    }
    if place.keyword == "non_null" {
        let fields = decl.fields.iter().map(|field| (&field.name, &field.modifiers));
        let components = decl.components.iter().map(|field| (&field.name, &field.modifiers));
        let mut all = fields.chain(components);
        if let Some((name, modifiers)) = all.find(|(name, _)| is_there(name.span)) {
            let is_static = modifiers.has(JavaModifier::Static);
            return found(None, Said::FieldNotNull { field: &name.text, is_static });
        }
    }
    for method in &decl.methods {
        if place.keyword == "non_null" && is_there(method.name.span) {
            return found(Some(method), Said::ResultNotNull);
        }
        if place.keyword == "pure" && is_there(method.name.span) {
            return found(Some(method), Said::Other(ASSIGNABLE));
        }
        if place.keyword == "non_null" && method.params.iter().any(|param| is_there(param.span)) {
            return found(Some(method), Said::Other(PRECONDITION));
        }
        for case in method.spec.flattened() {
            if is_there(case.case.span) && place.keyword == "normal_behavior" {
                return found(Some(method), Said::ThrowsNot);
            }
            if is_there(case.case.span) && place.keyword == "exceptional_behavior" {
                return found(Some(method), Said::Throws);
            }
            if let Some(said) = of_case(&case, is_there) {
                return found(Some(method), said);
            }
        }
        let statements = method.statements.iter().map(|statement| statement.span);
        let loops = method.loops.iter().flat_map(|one| &one.clauses).map(|clause| clause.span);
        if statements.chain(loops).any(is_there) {
            return found(Some(method), Said::Other("it stands within a body"));
        }
    }
    None
}

const PRECONDITION: &str =
    "it is a precondition of a method that the code calls, which no test of the caller can see";
const ASSIGNABLE: &str = "what else was changed cannot be seen by a test";

fn of_case<'a>(case: &FlatCase<'a>, is_there: &dyn Fn(Span) -> bool) -> Option<Said<'a>> {
    let clause = case.clauses.iter().find(|clause| is_there(clause.span))?;
    Some(match &clause.kind {
        ClauseKind::Ensures(expr) => {
            let mut olds = Vec::new();
            let mut unknown = Vec::new();
            for clause in &case.clauses {
                match &clause.kind {
                    ClauseKind::Old(all) => olds.extend(all),
                    ClauseKind::Forall(all) => {
                        unknown.extend(all.iter().map(|var| var.name.text.as_str()));
                    }
                    _ => {}
                }
            }
            Said::Ensures { expr, olds, unknown }
        }
        ClauseKind::SignalsOnly(_) => Said::ThrowsNot,
        ClauseKind::Signals { condition: Some(condition), .. } if is_false(condition) => {
            Said::ThrowsNot
        }
        ClauseKind::Signals { .. } => Said::Other("it speaks of the state after an exception"),
        ClauseKind::Requires(_) => Said::Other(PRECONDITION),
        ClauseKind::Assignable(_) => Said::Other(ASSIGNABLE),
        _ => Said::Other("it is a definition"),
    })
}

fn is_false(expr: &Expr) -> bool {
    use crate::jml::ast::{ExprKind, Literal};
    matches!(expr.unwrapped().kind, ExprKind::Literal(Literal::Boolean(false)))
}
