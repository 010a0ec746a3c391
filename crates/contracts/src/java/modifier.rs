//! Modifiers of declarations, Java's and JML's, however they are written.

use crate::jml::ast::Code;
use crate::span::Span;

/// Who can see a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the keywords'")]
pub enum Visibility {
    Private,
    Package,
    Protected,
    Public,
}

/// A modifier of Java's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the keywords'")]
pub enum JavaModifier {
    Public,
    Protected,
    Private,
    Abstract,
    Static,
    Final,
    Strictfp,
    Default,
    Synchronized,
    Native,
    Transient,
    Volatile,
    Sealed,
    NonSealed,
}

/// A modifier of JML's: in a comment, or an annotation of the same name (`@Pure`, `@SpecPublic`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the keywords'")]
pub enum JmlModifier {
    Pure,
    StrictlyPure,
    Helper,
    Nullable,
    NonNull,
    NullableByDefault,
    NonNullByDefault,
    SpecPublic,
    SpecProtected,
    Instance,
    Ghost,
    Model,
    Uninitialized,
    Monitored,
    Extract,
    Query,
    Secret,
    Function,
    Immutable,
    NoState,
    TwoState,
    CodeJavaMath,
    CodeSafeMath,
    CodeBigintMath,
    SpecJavaMath,
    SpecSafeMath,
    SpecBigintMath,
    Peer,
    Rep,
    ReadOnly,
    Inline,
    Options,
    SkipEsc,
    SkipRac,
}

/// An annotation of Java's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// All of it, with `@`.
    pub span: Span,
    /// Its name, as written, without `@`.
    pub name: String,
    /// What stands between its parentheses.
    pub arguments: Option<Code>,
}

/// The modifiers of a declaration.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Modifiers {
    /// Java's, in order.
    pub java: Vec<(JavaModifier, Span)>,
    /// Java's annotations, those that stand for modifiers of JML's too.
    pub annotations: Vec<Annotation>,
    /// JML's, in order.
    pub jml: Vec<(JmlModifier, Span)>,
}

impl Modifiers {
    /// Whether this modifier of Java's is there.
    pub fn has(&self, modifier: JavaModifier) -> bool {
        self.java.iter().any(|(found, _)| *found == modifier)
    }

    /// Whether this modifier of JML's is there.
    pub fn is(&self, modifier: JmlModifier) -> bool {
        self.jml.iter().any(|(found, _)| *found == modifier)
    }

    /// Whether `pure` or `strictly_pure` is there.
    pub fn is_pure(&self) -> bool {
        self.is(JmlModifier::Pure) || self.is(JmlModifier::StrictlyPure)
    }

    /// The visibility that is written; `None` where none is.
    pub fn visibility(&self) -> Option<Visibility> {
        self.java.iter().find_map(|(modifier, _)| match modifier {
            JavaModifier::Public => Some(Visibility::Public),
            JavaModifier::Protected => Some(Visibility::Protected),
            JavaModifier::Private => Some(Visibility::Private),
            _ => None,
        })
    }

    /// Whether it is declared `nullable` (`Some(true)`) or `non_null` (`Some(false)`).
    pub fn nullable(&self) -> Option<bool> {
        self.jml.iter().find_map(|(modifier, _)| match modifier {
            JmlModifier::Nullable => Some(true),
            JmlModifier::NonNull => Some(false),
            _ => None,
        })
    }

    /// The default of nullity this declaration sets for what is in it.
    pub fn nullable_by_default(&self) -> Option<bool> {
        self.jml.iter().find_map(|(modifier, _)| match modifier {
            JmlModifier::NullableByDefault => Some(true),
            JmlModifier::NonNullByDefault => Some(false),
            _ => None,
        })
    }
}
