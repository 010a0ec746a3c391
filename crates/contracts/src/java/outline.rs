//! The declarations of a source, each with its specification.
//!
//! Members that only specifications have (ghost and model fields, model methods) use the same types
//! and stand in [`TypeSpec`]; their [`Origin`] tells them apart.

use crate::jml::ast::{
    Code, Expr, FieldSpec, LoopSpec, MethodSpec, Name, Statement, TypeSpec, TypeText,
};
use crate::span::Span;

use super::Modifiers;

/// An import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// All of it, with its semicolon.
    pub span: Span,
    /// The name, without `.*`.
    pub name: String,
    /// Whether it is `import static`.
    pub is_static: bool,
    /// Whether it ends with `.*`.
    pub on_demand: bool,
    /// Whether it stands in a comment (`model import`): Java does not see it.
    pub model: bool,
}

/// What declares a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Origin {
    /// Java.
    #[default]
    Java,
    /// JML, `ghost`.
    Ghost,
    /// JML, `model`.
    Model,
}

/// What kind of type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[expect(missing_docs, reason = "the names are the keywords'")]
pub enum TypeKind {
    #[default]
    Class,
    Interface,
    Enum,
    Record,
    Annotation,
}

/// Where a type is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TypePlace {
    /// In the file.
    #[default]
    TopLevel,
    /// In the body of a type.
    Member,
    /// In a body of a method, constructor or initializer.
    Local,
    /// `new T() {…}`: without a name, `extends` says what stands after `new`.
    Anonymous,
    /// The body of a constant of an enum; its name is the constant's.
    EnumConstant,
}

/// A type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeDecl {
    /// What kind.
    pub kind: TypeKind,
    /// Where it is declared.
    pub place: TypePlace,
    /// Its simple name; of an anonymous class empty.
    pub name: Name,
    /// All of it, from its modifiers on; of an anonymous class its body.
    pub span: Span,
    /// Its modifiers.
    pub modifiers: Modifiers,
    /// `<T extends …>` with its angles.
    pub type_parameters: Option<TypeText>,
    /// What it extends: classes one type at most, interfaces any number.
    pub extends: Vec<TypeText>,
    /// What it implements.
    pub implements: Vec<TypeText>,
    /// The components of a record.
    pub components: Vec<Param>,
    /// Its body with its braces. Empty where there is none (broken source).
    pub body: Span,
    /// The constants of an enum.
    pub constants: Vec<EnumConstant>,
    /// Its fields; `int a, b;` are two.
    pub fields: Vec<Field>,
    /// Its methods and constructors.
    pub methods: Vec<Method>,
    /// Its initializers.
    pub initializers: Vec<Initializer>,
    /// Its member types.
    pub types: Vec<TypeDecl>,
    /// Local and anonymous types, and bodies of enum constants, directly in its members (those in
    /// them are theirs).
    pub locals: Vec<TypeDecl>,
    /// What JML says in its body.
    pub spec: TypeSpec,
}

/// A constant of an enum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumConstant {
    /// Its name.
    pub name: Name,
    /// All of it.
    pub span: Span,
    /// Its body with braces; a [`TypeDecl`] of the enum's `locals` describes it.
    pub body: Option<Span>,
}

/// A field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// What declares it.
    pub origin: Origin,
    /// Its name.
    pub name: Name,
    /// Its type, brackets after the name moved here.
    pub ty: TypeText,
    /// The whole declaration, which it may share with others.
    pub span: Span,
    /// Its modifiers.
    pub modifiers: Modifiers,
    /// Its initializer as written.
    pub initializer: Option<Span>,
    /// Of ghost fields: the initializer.
    pub value: Option<Expr>,
    /// What is said of it.
    pub spec: FieldSpec,
}

/// What kind of method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MethodKind {
    /// A method, also an element of an annotation type.
    #[default]
    Method,
    /// A constructor.
    Constructor,
    /// A constructor of a record without parameters of its own.
    CompactConstructor,
}

/// A method or constructor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// What declares it.
    pub origin: Origin,
    /// What kind.
    pub kind: MethodKind,
    /// Its name; of a constructor its class's.
    pub name: Name,
    /// All of it, from its modifiers to its brace or semicolon.
    pub span: Span,
    /// Its modifiers.
    pub modifiers: Modifiers,
    /// `<T extends …>` with its angles.
    pub type_parameters: Option<TypeText>,
    /// What it returns, brackets after the parameters moved here; `None` for constructors.
    pub return_type: Option<TypeText>,
    /// Its parameters, a receiver parameter (`T this`) not counted. A compact constructor has none;
    /// see [`TypeDecl::components`].
    pub params: Vec<Param>,
    /// The parentheses around the parameters. Empty for compact constructors.
    pub params_span: Span,
    /// What it throws.
    pub throws: Vec<TypeText>,
    /// Its body with its braces.
    pub body: Option<Span>,
    /// Of model methods: the body.
    pub code: Option<Code>,
    /// Of a constructor: the call that comes first in its body.
    pub explicit_call: Option<ExplicitCall>,
    /// What JML says of it.
    pub spec: MethodSpec,
    /// What JML says in its body (types in it not counted).
    pub statements: Vec<Statement>,
    /// The loops of its body of which JML says something.
    pub loops: Vec<LoopSpec>,
}

/// `this(…);`, `super(…);`, `outer.super(…);`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplicitCall {
    /// With its semicolon.
    pub span: Span,
    /// Whether it is `this(…)`.
    pub this: bool,
    /// The parentheses.
    pub arguments: Span,
    /// The first argument.
    pub first: Option<Span>,
}

/// A parameter, or a component of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// All of it.
    pub span: Span,
    /// Its modifiers.
    pub modifiers: Modifiers,
    /// Its type, brackets after the name moved here, without `...`.
    pub ty: TypeText,
    /// Its name.
    pub name: Name,
    /// Whether it is written `T... name`.
    pub varargs: bool,
}

/// An initializer of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Initializer {
    /// Whether it is `static`.
    pub is_static: bool,
    /// All of it.
    pub span: Span,
    /// Its body with its braces.
    pub body: Span,
    /// What JML says in front of it: not checked.
    pub spec: MethodSpec,
    /// What JML says in its body.
    pub statements: Vec<Statement>,
    /// The loops of its body of which JML says something.
    pub loops: Vec<LoopSpec>,
}
