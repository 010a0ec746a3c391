//! Operators, quantifiers and other words that come in kinds.

/// An operator with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the operators'")]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    Complement,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
}

/// An operator with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the operators'")]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    ShiftRightUnsigned,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitOr,
    BitXor,
    And,
    Or,
    /// `==>`
    Implies,
    /// `<==`
    ImpliedBy,
    /// `<==>`
    Iff,
    /// `<=!=>`
    NotIff,
    /// `<:`: of types, the left is a subtype of the right.
    Subtype,
    /// `<#`: of locks; cannot be executed.
    LockLess,
    /// `<#=`: of locks; cannot be executed.
    LockLessEqual,
}

/// An assignment: plain, or with the operator that is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AssignOp(pub Option<BinaryOp>);

/// Which state `\old` and its kin mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the words'")]
pub enum OldKind {
    Old,
    Pre,
    Past,
}

/// Which label expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the words'")]
pub enum Label {
    Lbl,
    LblNeg,
    LblPos,
}

/// A quantifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the words'")]
pub enum Quantifier {
    Forall,
    Exists,
    NumOf,
    Sum,
    Product,
    Min,
    Max,
    /// `\choose`: any value for which the body holds.
    Choose,
}
