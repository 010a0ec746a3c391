//! The specification trees: expressions, method specifications, clauses of types, statements.
//!
//! Trees say what was written, where it was written; names are not resolved and nothing is
//! type-checked (javac does that with what is woven). Invariant: a tree is at most
//! [`MAX_HEIGHT`] nodes high, so that whoever walks it may recurse.

mod expr;
mod method;
mod operator;
mod statement;
mod store;
mod type_spec;

pub use expr::{
    Arguments, Code, Expr, ExprKind, LambdaBody, Literal, MAX_HEIGHT, Name, NewArray, Pattern,
    QuantifiedVar, TypeText,
};
pub use method::{
    Behavior, Clause, ClauseKind, FlatCase, MethodSpec, SpecCase, Unchecked, VarDecl,
};
pub use operator::{AssignOp, BinaryOp, Label, OldKind, Quantifier, UnaryOp};
pub use statement::{LoopClause, LoopClauseKind, LoopKind, LoopSpec, Statement, StatementKind};
pub use store::{StoreRef, StoreRefKind, StoreStep};
pub use type_spec::{
    FieldSpec, Maps, MethodName, RawType, Represents, TypeClause, TypeClauseKind, TypeSpec,
};
