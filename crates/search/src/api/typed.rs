//! Types with their arguments, as the search numbers them.
//!
//! Wildcards are gone: a type is one that values are made for, so each argument is a type. A class
//! without arguments is not generic, or it is raw: then values with any arguments can be used as it.
//! Types that an [`Api`](super::Api) numbers have no variables.

use std::fmt;
use std::sync::Arc;

use model::{ClassName, Primitive, Type};

/// Arguments nested deeper than this are left out, so that there are finitely many types.
const MAX_NESTING: u32 = 2;

/// A type with its arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Typed {
    /// A primitive type.
    Primitive(Primitive),
    /// A class.
    Class {
        /// Which.
        name: ClassName,
        /// Its arguments; none if it is raw or not generic.
        args: Vec<Typed>,
    },
    /// An array.
    Array(Arc<Typed>),
    /// A type variable that stands for a type still to be found.
    Variable(Arc<str>),
}

impl Typed {
    /// A class without arguments.
    pub(crate) fn class(internal: &str) -> Self {
        Self::Class { name: ClassName::internal(internal), args: Vec::new() }
    }

    /// The type without arguments.
    pub(crate) fn raw(ty: &Type) -> Self {
        match ty {
            Type::Primitive(p) => Self::Primitive(*p),
            Type::Class(name) => Self::Class { name: name.clone(), args: Vec::new() },
            Type::Array(element) => Self::Array(Arc::new(Self::raw(element))),
        }
    }

    /// The erasure. A variable is taken for an `Object`.
    pub(crate) fn erased(&self) -> Type {
        match self {
            Self::Primitive(p) => Type::Primitive(*p),
            Self::Class { name, .. } => Type::Class(name.clone()),
            Self::Array(element) => element.erased().array_of(),
            Self::Variable(_) => Type::object(),
        }
    }

    /// Whether it is the raw form of itself.
    pub(crate) fn is_raw(&self) -> bool {
        match self {
            Self::Primitive(_) => true,
            Self::Class { args, .. } => args.is_empty(),
            Self::Array(element) => element.is_raw(),
            Self::Variable(_) => false,
        }
    }

    /// The type with what is nested too deep raw.
    pub(crate) fn bounded(self) -> Self {
        self.cut(0)
    }

    fn cut(self, depth: u32) -> Self {
        match self {
            Self::Class { name, args } if !args.is_empty() => {
                let args = if depth >= MAX_NESTING {
                    Vec::new()
                } else {
                    args.into_iter().map(|arg| arg.cut(depth + 1)).collect()
                };
                Self::Class { name, args }
            }
            Self::Array(element) => Self::Array(Arc::new(element.as_ref().clone().cut(depth))),
            other => other,
        }
    }

    /// Every class that is mentioned satisfies the condition.
    pub(crate) fn all_classes(&self, holds: &dyn Fn(&ClassName) -> bool) -> bool {
        match self {
            Self::Primitive(_) | Self::Variable(_) => true,
            Self::Class { name, args } => {
                holds(name) && args.iter().all(|arg| arg.all_classes(holds))
            }
            Self::Array(element) => element.all_classes(holds),
        }
    }
}

/// As Java source has it, with binary class names.
impl fmt::Display for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Primitive(p) => f.write_str(p.keyword()),
            Self::Class { name, args } => {
                write!(f, "{name}")?;
                for (at, arg) in args.iter().enumerate() {
                    write!(f, "{}{arg}", if at == 0 { "<" } else { ", " })?;
                }
                f.write_str(if args.is_empty() { "" } else { ">" })
            }
            Self::Array(element) => write!(f, "{element}[]"),
            Self::Variable(name) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(of: Typed) -> Typed {
        Typed::Class { name: ClassName::internal("java/util/List"), args: vec![of] }
    }

    #[test]
    fn arguments_nested_too_deep_are_left_out() {
        let deep = list(list(list(list(Typed::class("java/lang/String")))));
        assert_eq!(deep.bounded().to_string(), "java.util.List<java.util.List<java.util.List>>");
        let array = Typed::Array(Arc::new(list(Typed::class("a/B"))));
        assert_eq!(array.clone().bounded(), array);
        assert_eq!(array.to_string(), "java.util.List<a.B>[]");
    }
}
