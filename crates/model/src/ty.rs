//! Types as the JVM sees them: erased, written as descriptors (JVMS §4.3).

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::ClassName;

/// One of the eight primitive types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Primitive {
    /// `boolean`
    Boolean,
    /// `byte`
    Byte,
    /// `char`
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
}

impl Primitive {
    /// All eight, in the order of their widening.
    pub const ALL: [Self; 8] = [
        Self::Boolean,
        Self::Byte,
        Self::Char,
        Self::Short,
        Self::Int,
        Self::Long,
        Self::Float,
        Self::Double,
    ];

    /// The descriptor character.
    pub fn descriptor(self) -> char {
        match self {
            Self::Boolean => 'Z',
            Self::Byte => 'B',
            Self::Char => 'C',
            Self::Short => 'S',
            Self::Int => 'I',
            Self::Long => 'J',
            Self::Float => 'F',
            Self::Double => 'D',
        }
    }

    /// The Java keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Byte => "byte",
            Self::Char => "char",
            Self::Short => "short",
            Self::Int => "int",
            Self::Long => "long",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    /// The internal name of the class its values are boxed in.
    pub fn boxed(self) -> &'static str {
        match self {
            Self::Boolean => "java/lang/Boolean",
            Self::Byte => "java/lang/Byte",
            Self::Char => "java/lang/Character",
            Self::Short => "java/lang/Short",
            Self::Int => "java/lang/Integer",
            Self::Long => "java/lang/Long",
            Self::Float => "java/lang/Float",
            Self::Double => "java/lang/Double",
        }
    }

    /// The primitive whose values the class boxes, if it is one of the eight.
    pub fn unboxed(class: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.boxed() == class)
    }
}

/// An erased type; `void` is the absence of one.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Type {
    /// A primitive type.
    Primitive(Primitive),
    /// A class, interface, enum, record or annotation type.
    Class(ClassName),
    /// An array of the given element type.
    Array(Arc<Type>),
}

/// Why a descriptor could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("bad descriptor `{descriptor}` at character {at}")]
pub struct DescriptorError {
    /// The descriptor.
    pub descriptor: String,
    /// Where it went wrong.
    pub at: usize,
}

impl Type {
    /// `int`, the type of most literals.
    pub const INT: Self = Self::Primitive(Primitive::Int);

    /// The class of that internal name.
    pub fn class(internal: &str) -> Self {
        Self::Class(ClassName::internal(internal))
    }

    /// `java.lang.Object`.
    pub fn object() -> Self {
        Self::class("java/lang/Object")
    }

    /// `java.lang.String`.
    pub fn string() -> Self {
        Self::class("java/lang/String")
    }

    /// An array of this type.
    pub fn array_of(self) -> Self {
        Self::Array(Arc::new(self))
    }

    /// Reads a field descriptor such as `[Ljava/lang/String;`.
    pub fn parse(descriptor: &str) -> Result<Self, DescriptorError> {
        let mut at = 0;
        let ty = parse_type(descriptor, &mut at)?;
        if at == descriptor.len() { Ok(ty) } else { Err(error(descriptor, at)) }
    }

    /// The descriptor.
    pub fn descriptor(&self) -> String {
        let mut out = String::new();
        self.write_descriptor(&mut out);
        out
    }

    fn write_descriptor(&self, out: &mut String) {
        match self {
            Self::Primitive(p) => out.push(p.descriptor()),
            Self::Class(name) => {
                out.push('L');
                out.push_str(name.as_internal());
                out.push(';');
            }
            Self::Array(element) => {
                out.push('[');
                element.write_descriptor(out);
            }
        }
    }

    /// Whether values of this type are references.
    pub fn is_reference(&self) -> bool {
        !matches!(self, Self::Primitive(_))
    }

    /// The class name, if this is a class type.
    pub fn as_class(&self) -> Option<&ClassName> {
        match self {
            Self::Class(name) => Some(name),
            _ => None,
        }
    }

    /// The primitive, if this is one.
    pub fn as_primitive(&self) -> Option<Primitive> {
        match self {
            Self::Primitive(p) => Some(*p),
            _ => None,
        }
    }

    /// The element type of an array.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Self::Array(element) => Some(element),
            _ => None,
        }
    }

    /// The innermost element type: `int` for `int[][]`, the type itself if it is no array.
    pub fn innermost(&self) -> &Type {
        match self {
            Self::Array(element) => element.innermost(),
            other => other,
        }
    }

    /// The name JNI's `FindClass` takes: internal name, or the descriptor of an array.
    pub fn jni_name(&self) -> String {
        match self {
            Self::Class(name) => name.as_internal().to_owned(),
            other => other.descriptor(),
        }
    }
}

/// Shown as a Java reader would write it, with binary class names.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Primitive(p) => f.write_str(p.keyword()),
            Self::Class(name) => write!(f, "{name}"),
            Self::Array(element) => write!(f, "{element}[]"),
        }
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.descriptor())
    }
}

/// A method's parameter and result types.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MethodDescriptor {
    /// Parameter types.
    pub params: Vec<Type>,
    /// Result type, `None` for `void`.
    pub result: Option<Type>,
}

impl MethodDescriptor {
    /// Reads a descriptor such as `(I[J)V`.
    pub fn parse(descriptor: &str) -> Result<Self, DescriptorError> {
        let bytes = descriptor.as_bytes();
        if bytes.first() != Some(&b'(') {
            return Err(error(descriptor, 0));
        }
        let mut at = 1;
        let mut params = Vec::new();
        while bytes.get(at).is_some_and(|&b| b != b')') {
            params.push(parse_type(descriptor, &mut at)?);
        }
        if bytes.get(at) != Some(&b')') {
            return Err(error(descriptor, at));
        }
        at += 1;
        let result = if &descriptor[at..] == "V" {
            None
        } else {
            let result = parse_type(descriptor, &mut at)?;
            if at != descriptor.len() {
                return Err(error(descriptor, at));
            }
            Some(result)
        };
        Ok(Self { params, result })
    }
}

impl fmt::Display for MethodDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for param in &self.params {
            f.write_str(&param.descriptor())?;
        }
        f.write_str(")")?;
        f.write_str(&self.result.as_ref().map_or_else(|| "V".to_owned(), Type::descriptor))
    }
}

fn error(descriptor: &str, at: usize) -> DescriptorError {
    DescriptorError { descriptor: descriptor.to_owned(), at }
}

fn parse_type(descriptor: &str, at: &mut usize) -> Result<Type, DescriptorError> {
    let start = *at;
    let bytes = descriptor.as_bytes();
    let mut dimensions = 0;
    while bytes.get(*at) == Some(&b'[') {
        dimensions += 1;
        *at += 1;
    }
    // JVMS §4.3.2: an array type has at most 255 dimensions.
    if dimensions > 255 {
        return Err(error(descriptor, start));
    }
    let first = *bytes.get(*at).ok_or_else(|| error(descriptor, *at))?;
    let innermost = if first == b'L' {
        let end = descriptor[*at..].find(';').ok_or_else(|| error(descriptor, *at))? + *at;
        let name = &descriptor[*at + 1..end];
        if name.is_empty() {
            return Err(error(descriptor, *at));
        }
        *at = end + 1;
        Type::class(name)
    } else {
        let primitive = Primitive::ALL
            .into_iter()
            .find(|p| p.descriptor() == char::from(first))
            .ok_or_else(|| error(descriptor, *at))?;
        *at += 1;
        Type::Primitive(primitive)
    };
    Ok((0..dimensions).fold(innermost, |ty, _| ty.array_of()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bad_descriptors_are_errors() {
        for bad in ["", "L;", "Ljava/lang/String", "X", "II", "[", "V"] {
            assert!(Type::parse(bad).is_err(), "{bad}");
        }
        for bad in ["", "()", "(V)V", "(I", "()VV", "I", "(Lx;"] {
            assert!(MethodDescriptor::parse(bad).is_err(), "{bad}");
        }
    }

    fn types() -> impl Strategy<Value = Type> {
        let leaf = prop_oneof![
            (0..8usize).prop_map(|i| Type::Primitive(Primitive::ALL[i])),
            "[a-z]{1,4}(/[A-Z$]{1,3})?".prop_map(|n| Type::class(&n)),
        ];
        leaf.prop_recursive(3, 4, 1, |inner| inner.prop_map(Type::array_of))
    }

    proptest! {
        #[test]
        fn reading_a_written_descriptor_gives_the_same_type(
            params in proptest::collection::vec(types(), 0..4),
            result in proptest::option::of(types()),
        ) {
            for ty in &params {
                prop_assert_eq!(&Type::parse(&ty.descriptor()).unwrap(), ty);
            }
            let method = MethodDescriptor { params, result };
            prop_assert_eq!(MethodDescriptor::parse(&method.to_string()).unwrap(), method);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,12}") {
            let _ = Type::parse(&text);
            let _ = MethodDescriptor::parse(&text);
        }
    }
}
