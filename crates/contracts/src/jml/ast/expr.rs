//! Expressions of Java and JML.
//!
//! What Java need only be handed on (types, bodies of anonymous classes, switches) is kept as text.

use crate::span::Span;

use super::operator::{AssignOp, BinaryOp, Label, OldKind, Quantifier, UnaryOp};

/// How high a tree may be. Higher ones are errors of the specification.
pub const MAX_HEIGHT: u16 = 400;

/// An identifier and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Name {
    /// The identifier.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A type as it is written, without comments: `List<? extends T>[]`, `int`, `\bigint`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TypeText {
    /// The text, comments left out, parts that need it set apart by one space.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// Java that is only handed on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Code {
    /// The text, as long as its span; comments and the `@` at the beginning of lines are blanks.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expr {
    /// Where, in the original file, parentheses around it not included.
    pub span: Span,
    /// How many nodes there are on the longest way down.
    pub height: u16,
    /// What it is.
    pub kind: ExprKind,
}

/// What is given to a call.
pub type Arguments = Vec<Expr>;

/// What an expression is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExprKind {
    /// A simple name: variable, field, type or package, as Java finds it.
    Name(String),
    /// A literal as written.
    Literal(Literal),
    /// `this`
    This,
    /// `super`, the target of a call or a field access.
    Super,
    /// `(e)`
    Parens(Box<Expr>),
    /// `target.name`; also parts of qualified names, `Outer.this`, `Outer.super`.
    Field {
        /// What stands before the dot.
        target: Box<Expr>,
        /// The name, or `this`, `super`; `*` and words with a backslash cannot be executed.
        name: Name,
    },
    /// `target.<T>name(arguments)`
    Call {
        /// What stands before the dot.
        target: Option<Box<Expr>>,
        /// Explicit type arguments with their angles.
        type_arguments: Option<TypeText>,
        /// The method.
        name: Name,
        /// Its arguments.
        arguments: Arguments,
    },
    /// `array[index]`
    Index {
        /// The array.
        array: Box<Expr>,
        /// The index.
        index: Box<Expr>,
    },
    /// An operator with one operand.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand.
        operand: Box<Expr>,
    },
    /// An operator with two operands.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Where the operator stands.
        op_span: Span,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// An assignment: in `set` statements.
    Assign {
        /// The operator.
        op: AssignOp,
        /// What is assigned.
        target: Box<Expr>,
        /// The value.
        value: Box<Expr>,
    },
    /// `condition ? then : otherwise`
    Conditional {
        /// The condition.
        condition: Box<Expr>,
        /// The value if it holds.
        then: Box<Expr>,
        /// The value if not.
        otherwise: Box<Expr>,
    },
    /// `(T) operand`
    Cast {
        /// The type; intersections as written.
        ty: TypeText,
        /// The operand.
        operand: Box<Expr>,
    },
    /// `operand instanceof pattern`
    InstanceOf {
        /// The operand.
        operand: Box<Expr>,
        /// The type or pattern.
        pattern: Pattern,
    },
    /// `outer.new T(arguments) { body }`
    New {
        /// The outer instance.
        outer: Option<Box<Expr>>,
        /// The class with its type arguments.
        class: TypeText,
        /// The arguments.
        arguments: Arguments,
        /// The body of an anonymous class, with braces.
        body: Option<Code>,
    },
    /// `new T[n][]`, `new T[] {…}`
    NewArray(NewArray),
    /// `{a, b}` within an initializer of an array.
    ArrayInit(Vec<Expr>),
    /// `parameters -> body`
    Lambda {
        /// The parameters as written, with parentheses if there are any.
        parameters: Code,
        /// The body.
        body: LambdaBody,
    },
    /// `target::name`
    MethodRef {
        /// The type or expression as written.
        target: Code,
        /// The method or `new`.
        name: Name,
    },
    /// `T.class`
    ClassLiteral(TypeText),
    /// `switch (…) {…}` as an expression.
    Switch(Code),
    /// `new JMLObjectSet {T x | e && f}`
    SetComprehension(Code),

    /// `(* text *)`: true, with a note.
    Informal(Code),
    /// `\result`
    Result,
    /// `\old(e)`, `\old(e, label)`, `\pre(e)`, `\past(e)`
    Old {
        /// Which of them.
        kind: OldKind,
        /// The expression.
        expr: Box<Expr>,
        /// The label.
        label: Option<Name>,
    },
    /// `(\forall T x, y; range; body)` and the like.
    Quantified {
        /// Which one.
        quantifier: Quantifier,
        /// The bound variables, at least one.
        vars: Vec<QuantifiedVar>,
        /// The range.
        range: Option<Box<Expr>>,
        /// What is asked, counted or added up.
        body: Box<Expr>,
    },
    /// `\fresh(e, …)`
    Fresh(Arguments),
    /// `\nonnullelements(e, …)`
    NonNullElements(Arguments),
    /// `\typeof(e)`
    TypeOf(Box<Expr>),
    /// `\type(T)`
    Type(TypeText),
    /// `\elemtype(e)`
    ElemType(Box<Expr>),
    /// `\not_modified(e, …)`
    NotModified(Vec<super::StoreRef>),
    /// `\not_assigned(l, …)`
    NotAssigned(Vec<super::StoreRef>),
    /// `\only_assigned(l, …)`
    OnlyAssigned(Vec<super::StoreRef>),
    /// `\only_accessed`, `\only_called`, `\only_captured`: read, not checked.
    Only {
        /// The keyword with its backslash.
        keyword: Name,
        /// What stands between its parentheses.
        arguments: Code,
    },
    /// `\reach(e)`, and its legacy form with a type and a field, which are then `narrowed`.
    Reach {
        /// The expression.
        expr: Box<Expr>,
        /// What follows it in the legacy form.
        narrowed: Option<Code>,
    },
    /// `\invariant_for(e, …)`
    InvariantFor(Arguments),
    /// `\static_invariant_for(T)`
    StaticInvariantFor(TypeText),
    /// `\is_initialized(T, …)`
    IsInitialized(Vec<TypeText>),
    /// `\lblneg`, `\lblpos`, `\lbl`
    Label {
        /// Which of them.
        kind: Label,
        /// The label.
        label: Name,
        /// The expression.
        expr: Box<Expr>,
    },
    /// `\lockset`, `\max(\lockset)`: `maximum` tells the second.
    LockSet {
        /// Whether it is the largest of them that is meant.
        maximum: bool,
    },
    /// `\same`
    Same,
    /// `\not_specified`
    NotSpecified,
    /// `\nothing` where an expression may stand.
    Nothing,
    /// `\everything` where an expression may stand.
    Everything,
    /// `\count` (`\index`) and `\values` of loops over collections.
    LoopState(Name),
    /// Any other `\word` or `\word(e, …)`: cannot be executed.
    Other {
        /// The word with its backslash.
        name: Name,
        /// What stands between its parentheses.
        arguments: Option<Arguments>,
    },
    /// `(\word T x; range; body)` with a word that is no quantifier known here.
    OtherQuantified {
        /// The word with its backslash.
        name: Name,
        /// All between the parentheses.
        code: Code,
    },
}

/// A literal, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Literal {
    /// `1`, `0xFFL`, `1_000`
    Integer(String),
    /// `1.0`, `2e3f`
    Floating(String),
    /// `'c'`
    Character(String),
    /// `"text"`
    String(String),
    /// A text block with its quotes.
    TextBlock(String),
    /// `true`, `false`
    Boolean(bool),
    /// `null`
    Null,
}

/// A bound variable; `int i, j` are two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuantifiedVar {
    /// Its type, brackets after the name moved here.
    pub ty: TypeText,
    /// Its name.
    pub name: Name,
    /// Whether it is declared `nullable` or `non_null`.
    pub nullable: Option<bool>,
}

/// What `instanceof` asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// `T`, or `T name`.
    Type {
        /// The type.
        ty: TypeText,
        /// The name it binds.
        binding: Option<Name>,
    },
    /// A record pattern as written.
    Record(Code),
}

/// `new T[n][]`, `new T[] {…}`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewArray {
    /// The type without any brackets.
    pub element: TypeText,
    /// The lengths that are given.
    pub lengths: Vec<Expr>,
    /// How many empty brackets follow.
    pub empty: u32,
    /// The elements.
    pub elements: Option<Vec<Expr>>,
}

/// The body of a lambda.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LambdaBody {
    /// An expression.
    Expr(Box<Expr>),
    /// A block with its braces.
    Block(Code),
}

impl Expr {
    /// An expression of what was parsed; its height follows from its parts'.
    pub fn new(span: Span, kind: ExprKind) -> Expr {
        let mut height = 0;
        kind.each_child(&mut |child| height = height.max(child.height));
        Expr { span, height: height.saturating_add(1), kind }
    }

    /// This, without parentheses around it.
    pub fn unwrapped(&self) -> &Expr {
        let mut expr = self;
        while let ExprKind::Parens(inner) = &expr.kind {
            expr = inner;
        }
        expr
    }

    /// This and all expressions in it, each before its parts.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        let mut stack = vec![self];
        while let Some(expr) = stack.pop() {
            visit(expr);
            let from = stack.len();
            expr.kind.each_child(&mut |child| stack.push(child));
            stack[from..].reverse();
        }
    }
}

impl ExprKind {
    /// Calls `visit` with each direct part, in the order of the text.
    pub fn each_child<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        use ExprKind::*;
        match self {
            Parens(one) | TypeOf(one) | ElemType(one) => visit(one),
            Field { target: one, .. }
            | Unary { operand: one, .. }
            | Cast { operand: one, .. }
            | InstanceOf { operand: one, .. }
            | Old { expr: one, .. }
            | Reach { expr: one, .. }
            | Label { expr: one, .. } => visit(one),
            Call { target, arguments, .. } | New { outer: target, arguments, .. } => {
                target.iter().for_each(|target| visit(target));
                arguments.iter().for_each(visit);
            }
            Index { array: left, index: right }
            | Binary { left, right, .. }
            | Assign { target: left, value: right, .. } => {
                visit(left);
                visit(right);
            }
            Conditional { condition, then, otherwise } => {
                visit(condition);
                visit(then);
                visit(otherwise);
            }
            NewArray(array) => {
                array.lengths.iter().for_each(&mut *visit);
                array.elements.iter().flatten().for_each(visit);
            }
            ArrayInit(all) | Fresh(all) | NonNullElements(all) | InvariantFor(all) => {
                all.iter().for_each(visit);
            }
            Lambda { body: LambdaBody::Expr(body), .. } => visit(body),
            Quantified { range, body, .. } => {
                range.iter().for_each(|range| visit(range));
                visit(body);
            }
            NotModified(all) | NotAssigned(all) | OnlyAssigned(all) => {
                all.iter().for_each(|place| place.each_expr(visit));
            }
            Other { arguments, .. } => arguments.iter().flatten().for_each(visit),
            Lambda { body: LambdaBody::Block(_), .. }
            | Name(_)
            | Literal(_)
            | This
            | Super
            | MethodRef { .. }
            | ClassLiteral(_)
            | Switch(_)
            | SetComprehension(_)
            | Informal(_)
            | Result
            | Type(_)
            | Only { .. }
            | StaticInvariantFor(_)
            | IsInitialized(_)
            | LockSet { .. }
            | Same
            | NotSpecified
            | Nothing
            | Everything
            | LoopState(_)
            | OtherQuantified { .. } => {}
        }
    }
}
