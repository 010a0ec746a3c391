//! What is said in the body of a type: clauses, and members that only specifications have.

use crate::java::{Field, Method, Modifiers};
use crate::span::Span;

use super::{Code, Expr, Name, StoreRef, TypeText};

/// All that JML says in the body of a type and that belongs to no member of Java's.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TypeSpec {
    /// The clauses, in order.
    pub clauses: Vec<TypeClause>,
    /// Ghost and model fields, in order ([`crate::java::Origin`] says which).
    pub fields: Vec<Field>,
    /// Model methods and constructors.
    pub methods: Vec<Method>,
    /// Model types: read, not checked.
    pub types: Vec<RawType>,
}

impl TypeSpec {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.clauses.is_empty()
            && self.fields.is_empty()
            && self.methods.is_empty()
            && self.types.is_empty()
    }
}

/// A type that JML declares, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawType {
    /// Its name.
    pub name: Name,
    /// All of it.
    pub code: Code,
}

/// A clause of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeClause {
    /// From its modifiers to its semicolon.
    pub span: Span,
    /// Its keyword as written.
    pub keyword: Name,
    /// Its modifiers: visibility, `static`, `instance`.
    pub modifiers: Modifiers,
    /// Whether the keyword ends with `_redundantly`.
    pub redundantly: bool,
    /// What it says.
    pub kind: TypeClauseKind,
}

/// What a clause of a type says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeClauseKind {
    /// `invariant`
    Invariant(Expr),
    /// `constraint`
    Constraint {
        /// What holds between the states before and after.
        expr: Expr,
        /// The methods it is for; `None` is all (`for \everything`).
        methods: Option<Vec<MethodName>>,
    },
    /// `initially`
    Initially(Expr),
    /// `axiom`: not checked.
    Axiom(Expr),
    /// `represents`
    Represents(Represents),
    /// `readable x if e`, `writable x if e`, `monitors_for x = e`: not checked. Also any clause
    /// with an error.
    Unchecked {
        /// What stands between keyword and semicolon.
        body: Span,
    },
}

/// A method named by a `constraint`: `m`, `m(int, Object)`, `this.m`, `new(int)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodName {
    /// The simple name, or `new`, or `*`.
    pub name: Name,
    /// What stands before it.
    pub qualifier: Option<String>,
    /// The types of its parameters, where given.
    pub parameters: Option<Vec<TypeText>>,
}

/// What a model field stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Represents {
    /// `represents x = e`, `represents x <- e`
    Value {
        /// The model field.
        target: StoreRef,
        /// Its value.
        value: Expr,
    },
    /// `represents x \such_that e`: the value is not computed.
    SuchThat {
        /// The model field.
        target: StoreRef,
        /// What holds of it.
        condition: Expr,
    },
}

/// What is said of a field after it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FieldSpec {
    /// The data groups it is in: `in a, b`.
    pub groups: Vec<StoreRef>,
    /// `maps x.f \into a, b`
    pub maps: Vec<Maps>,
}

/// `maps member \into groups`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maps {
    /// Where.
    pub span: Span,
    /// What is mapped.
    pub member: StoreRef,
    /// The data groups.
    pub groups: Vec<StoreRef>,
}
