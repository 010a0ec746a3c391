//! What JML says within bodies: statements, and what holds of loops.

use crate::span::Span;

use super::{Expr, MethodSpec, Name, StoreRef, VarDecl};

/// A statement that stands in a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// From its keyword to its semicolon.
    pub span: Span,
    /// Its keyword as written.
    pub keyword: Name,
    /// The comment it stands in. What is woven goes in front of it.
    pub comment: Span,
    /// Whether a statement of Java's may stand in front of the comment: it is directly in a block
    /// or a group of a switch. Where it may not, it cannot be checked.
    pub in_block: bool,
    /// What it says.
    pub kind: StatementKind,
}

/// What a statement says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatementKind {
    /// `assert e : m;`
    Assert(Expr, Option<Expr>),
    /// `assume e : m;`
    Assume(Expr, Option<Expr>),
    /// `set x = e;`
    Set(Expr),
    /// `debug e;`: not executed.
    Debug(Expr),
    /// `unreachable;`
    Unreachable,
    /// `hence_by e;`: not checked.
    HenceBy(Expr),
    /// `ghost T x = e;`
    Ghost(Vec<VarDecl>),
    /// A specification of the statement that follows: not checked.
    Block(Box<MethodSpec>),
    /// Any other keyword: not checked.
    Unchecked {
        /// What stands between keyword and semicolon.
        body: Span,
    },
}

/// A loop with what JML says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopSpec {
    /// Which loop it is.
    pub kind: LoopKind,
    /// The whole statement, with its labels.
    pub statement: Span,
    /// The loop itself.
    pub span: Span,
    /// Its body, a statement.
    pub body: Span,
    /// Whether the body is a block; the span then begins with its brace.
    pub body_is_block: bool,
    /// Its condition, without parentheses.
    pub condition: Option<Span>,
    /// Of `for`: its updates.
    pub update: Option<Span>,
    /// The labels in front of it.
    pub labels: Vec<Name>,
    /// What is said, in order.
    pub clauses: Vec<LoopClause>,
}

/// Which loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the keywords'")]
pub enum LoopKind {
    While,
    Do,
    For,
    ForEach,
}

/// A clause in front of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopClause {
    /// From its keyword to its semicolon.
    pub span: Span,
    /// Its keyword as written.
    pub keyword: Name,
    /// Whether the keyword ends with `_redundantly`.
    pub redundantly: bool,
    /// What it says.
    pub kind: LoopClauseKind,
}

/// What a clause in front of a loop says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoopClauseKind {
    /// `loop_invariant`, `maintaining`
    Invariant(Expr),
    /// `decreases`, `decreasing`, `loop_variant`
    Decreases(Expr),
    /// `loop_modifies`, `loop_assignable`, `assignable` and its kin: not checked.
    Assignable(Vec<StoreRef>),
    /// Any other keyword: not checked.
    Unchecked {
        /// What stands between keyword and semicolon.
        body: Span,
    },
}
