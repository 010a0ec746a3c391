//! Specifications of methods: cases, clauses.

use crate::java::Visibility;
use crate::span::Span;

use super::{Expr, Name, StoreRef, TypeText};

/// All that is said about a method in front of it (or, in legacy form, after its parameters).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MethodSpec {
    /// Whether it begins with `also`: it adds to inherited cases.
    pub also: bool,
    /// The cases, which `also` joins.
    pub cases: Vec<SpecCase>,
    /// The cases of `implies_that`: not checked.
    pub implies_that: Vec<SpecCase>,
    /// The cases of `for_example`: not checked.
    pub for_example: Vec<SpecCase>,
}

/// A specification case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecCase {
    /// From its first to its last token.
    pub span: Span,
    /// What it speaks of.
    pub behavior: Behavior,
    /// Its visibility, where given.
    pub visibility: Option<Visibility>,
    /// Whether it is marked `code`: not inherited.
    pub code: bool,
    /// Its clauses in order; with `nested` cases they hold for each of those.
    pub clauses: Vec<Clause>,
    /// The cases between `{|` and `|}`.
    pub nested: Vec<SpecCase>,
}

/// What a case speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Behavior {
    /// No keyword: a lightweight case.
    #[default]
    Lightweight,
    /// `behavior`
    Any,
    /// `normal_behavior`: does not throw.
    Normal,
    /// `exceptional_behavior`: throws.
    Exceptional,
}

/// A clause of a method's specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// From its keyword to its semicolon.
    pub span: Span,
    /// Its keyword as written.
    pub keyword: Name,
    /// Whether the keyword ends with `_redundantly`.
    pub redundantly: bool,
    /// What it says.
    pub kind: ClauseKind,
}

/// What a clause says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClauseKind {
    /// `requires`, `pre`. The expression may be `\same` or `\not_specified`.
    Requires(Expr),
    /// `ensures`, `post`.
    Ensures(Expr),
    /// `signals`, `exsures`.
    Signals {
        /// The type of the exception; `java.lang.Exception` where left out.
        exception: TypeText,
        /// The name it has in the condition.
        name: Option<Name>,
        /// The condition; none is true.
        condition: Option<Expr>,
    },
    /// `signals_only`; no type for `\nothing`.
    SignalsOnly(Vec<TypeText>),
    /// `assignable`, `assigns`, `modifies`, `modifiable`, `writes`.
    Assignable(Vec<StoreRef>),
    /// `old T x = e;`, or `forall`'s kin: names with the value they have before the call.
    Old(Vec<VarDecl>),
    /// `forall T x;`
    Forall(Vec<VarDecl>),
    /// A clause that is read only.
    Unchecked(Unchecked),
}

/// A clause that is read and not checked: `accessible`, `captures`, `when`, …; also any clause with
/// an error: a case whose `requires` is one of these must not be taken to require nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unchecked {
    /// What stands behind the keyword.
    pub body: Span,
}

/// A variable that JML declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VarDecl {
    /// From its type to the end of its value.
    pub span: Span,
    /// Its type, brackets after the name moved here.
    pub ty: TypeText,
    /// Its name.
    pub name: Name,
    /// Its value.
    pub value: Option<Expr>,
    /// Whether it is declared `nullable` or `non_null`.
    pub nullable: Option<bool>,
}

/// A case with all its clauses, those of the cases around it first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlatCase<'a> {
    /// The innermost case: its span, behavior and visibility count.
    pub case: &'a SpecCase,
    /// What it speaks of; a nested case has that of the outermost.
    pub behavior: Behavior,
    /// The visibility of the outermost case.
    pub visibility: Option<Visibility>,
    /// Whether the outermost case is marked `code`.
    pub code: bool,
    /// The clauses.
    pub clauses: Vec<&'a Clause>,
}

impl MethodSpec {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.cases.is_empty() && self.implies_that.is_empty() && self.for_example.is_empty()
    }

    /// The cases that are checked, `{| … |}` multiplied out.
    pub fn flattened(&self) -> Vec<FlatCase<'_>> {
        let mut flat = Vec::new();
        for case in &self.cases {
            flatten(case, case, &[], &mut flat);
        }
        flat
    }
}

fn flatten<'a>(
    outermost: &'a SpecCase,
    case: &'a SpecCase,
    around: &[&'a Clause],
    flat: &mut Vec<FlatCase<'a>>,
) {
    let clauses: Vec<&Clause> = around.iter().copied().chain(&case.clauses).collect();
    if case.nested.is_empty() {
        flat.push(FlatCase {
            case,
            behavior: outermost.behavior,
            visibility: outermost.visibility,
            code: outermost.code,
            clauses,
        });
    } else {
        for nested in &case.nested {
            flatten(outermost, nested, &clauses, flat);
        }
    }
}
