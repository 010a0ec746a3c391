//! Store references: the places that `assignable` and its kin speak of.

use crate::span::Span;

use super::{Code, Expr, Name};

/// A place, or many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreRef {
    /// Where it is written.
    pub span: Span,
    /// What it is.
    pub kind: StoreRefKind,
}

/// What a store reference is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreRefKind {
    /// `\nothing`, `\strictly_nothing`
    Nothing,
    /// `\everything`
    Everything,
    /// `\not_specified`
    NotSpecified,
    /// `(* text *)`
    Informal(Code),
    /// `x`, `this.x`, `x.y[3].*`, `a[*]`, `a[1..n]`, `\result.f`, `\reach(x)`: a root, then steps.
    ///
    /// The root is a name, `this`, `super`, or any expression when it is in parentheses or a call;
    /// fields and indices are steps.
    Path {
        /// Where it begins.
        root: Expr,
        /// What follows.
        steps: Vec<StoreStep>,
    },
}

/// A step from a place to places in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreStep {
    /// `.name`
    Field(Name),
    /// `.*`
    AllFields,
    /// `[index]`
    Index(Expr),
    /// `[*]`
    AllElements,
    /// `[from .. to]`, both included; an end may be left out (`a[i..]`, `a[i..*]`).
    Range {
        /// The first index.
        from: Option<Expr>,
        /// The last index.
        to: Option<Expr>,
    },
}

impl StoreRef {
    /// Calls `visit` with each expression in it.
    pub fn each_expr<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        let StoreRefKind::Path { root, steps } = &self.kind else { return };
        visit(root);
        for step in steps {
            match step {
                StoreStep::Index(index) => visit(index),
                StoreStep::Range { from, to } => from.iter().chain(to).for_each(&mut *visit),
                StoreStep::Field(_) | StoreStep::AllFields | StoreStep::AllElements => {}
            }
        }
    }
}
