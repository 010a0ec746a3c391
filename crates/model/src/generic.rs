//! Generic types, read from `Signature` attributes (JVMS §4.7.9.1).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{ClassName, Primitive, Type};

/// A type with its type arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum GenericType {
    /// A primitive type.
    Primitive(Primitive),
    /// A class with type arguments; of a member of a parameterized class only the innermost
    /// class's arguments are kept.
    Class {
        /// The class.
        name: ClassName,
        /// Its arguments, empty if raw or not generic.
        args: Vec<TypeArgument>,
    },
    /// A type variable.
    Variable(Arc<str>),
    /// An array.
    Array(Box<GenericType>),
}

/// A type argument.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum TypeArgument {
    /// `?`
    Any,
    /// `T`
    Exact(GenericType),
    /// `? extends T`
    Extends(GenericType),
    /// `? super T`
    Super(GenericType),
}

/// A type parameter with its bounds.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct TypeParameter {
    /// Its name.
    pub name: Arc<str>,
    /// Bounds, the class bound first if there is one.
    pub bounds: Vec<GenericType>,
}

/// The generic signature of a class.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ClassSignature {
    /// Type parameters.
    pub params: Vec<TypeParameter>,
    /// The superclass.
    pub superclass: GenericType,
    /// Interfaces.
    pub interfaces: Vec<GenericType>,
}

/// The generic signature of a method.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct MethodSignature {
    /// Type parameters.
    pub type_params: Vec<TypeParameter>,
    /// Parameters; compilers may leave out those they added, so there can be fewer than in the descriptor.
    pub params: Vec<GenericType>,
    /// The result, `None` for `void`.
    pub result: Option<GenericType>,
    /// Exceptions, if any of them is generic.
    pub exceptions: Vec<GenericType>,
}

/// Why a signature could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("bad signature `{signature}` at character {at}")]
pub struct SignatureError {
    /// The signature.
    pub signature: String,
    /// Where it went wrong.
    pub at: usize,
}

impl GenericType {
    /// Reads the signature of a field.
    pub fn parse(signature: &str) -> Result<Self, SignatureError> {
        Reader::whole(signature, Reader::ty)
    }

    /// The erasure, given the type parameters in scope (JLS §4.6).
    pub fn erasure(&self, params: &[TypeParameter]) -> Type {
        match self {
            Self::Primitive(p) => Type::Primitive(*p),
            Self::Class { name, .. } => Type::Class(name.clone()),
            Self::Array(element) => element.erasure(params).array_of(),
            Self::Variable(name) => {
                let at = params.iter().position(|p| p.name == *name);
                let bound = at.and_then(|at| params[at].bounds.first().map(|b| (at, b)));
                // A bound may be another parameter but never, through others, itself.
                bound.map_or_else(Type::object, |(at, bound)| {
                    let mut others = params.to_vec();
                    others.remove(at);
                    bound.erasure(&others)
                })
            }
        }
    }

    /// The type with variables replaced by what they stand for; others stay.
    pub fn substituted(&self, bindings: &[(Arc<str>, GenericType)]) -> Self {
        match self {
            Self::Primitive(_) => self.clone(),
            Self::Variable(name) => {
                let bound = bindings.iter().find(|(bound, _)| bound == name);
                bound.map_or_else(|| self.clone(), |(_, to)| to.clone())
            }
            Self::Array(element) => Self::Array(Box::new(element.substituted(bindings))),
            Self::Class { name, args } => Self::Class {
                name: name.clone(),
                args: args.iter().map(|arg| arg.substituted(bindings)).collect(),
            },
        }
    }
}

impl From<&Type> for GenericType {
    /// The type without type arguments.
    fn from(ty: &Type) -> Self {
        match ty {
            Type::Primitive(p) => Self::Primitive(*p),
            Type::Class(name) => Self::Class { name: name.clone(), args: Vec::new() },
            Type::Array(element) => Self::Array(Box::new(Self::from(&**element))),
        }
    }
}

impl TypeArgument {
    /// The type it is or is bounded by; `None` for `?`.
    pub fn bound(&self) -> Option<&GenericType> {
        match self {
            Self::Any => None,
            Self::Exact(ty) | Self::Extends(ty) | Self::Super(ty) => Some(ty),
        }
    }

    fn substituted(&self, bindings: &[(Arc<str>, GenericType)]) -> Self {
        match self {
            Self::Any => Self::Any,
            Self::Exact(ty) => Self::Exact(ty.substituted(bindings)),
            Self::Extends(ty) => Self::Extends(ty.substituted(bindings)),
            Self::Super(ty) => Self::Super(ty.substituted(bindings)),
        }
    }
}

impl ClassSignature {
    /// Reads the signature of a class.
    pub fn parse(signature: &str) -> Result<Self, SignatureError> {
        Reader::whole(signature, |r| {
            let params = r.type_params()?;
            let superclass = r.ty()?;
            let mut interfaces = Vec::new();
            while !r.done() {
                interfaces.push(r.ty()?);
            }
            Ok(Self { params, superclass, interfaces })
        })
    }
}

impl MethodSignature {
    /// Reads the signature of a method.
    pub fn parse(signature: &str) -> Result<Self, SignatureError> {
        Reader::whole(signature, |r| {
            let type_params = r.type_params()?;
            r.expect(b'(')?;
            let mut params = Vec::new();
            while !r.eat(b')') {
                params.push(r.ty()?);
            }
            let result = if r.eat(b'V') { None } else { Some(r.ty()?) };
            let mut exceptions = Vec::new();
            while r.eat(b'^') {
                exceptions.push(r.ty()?);
            }
            Ok(Self { type_params, params, result, exceptions })
        })
    }
}

/// Deeper nesting than any compiler writes is refused, so that reading cannot overflow the stack.
const MAX_DEPTH: u32 = 64;

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

impl<'a> Reader<'a> {
    fn whole<T>(
        text: &'a str,
        read: impl FnOnce(&mut Self) -> Result<T, SignatureError>,
    ) -> Result<T, SignatureError> {
        let mut reader = Self { text, at: 0, depth: 0 };
        let value = read(&mut reader)?;
        if reader.done() { Ok(value) } else { Err(reader.error()) }
    }

    fn error(&self) -> SignatureError {
        SignatureError { signature: self.text.to_owned(), at: self.at }
    }

    fn done(&self) -> bool {
        self.at >= self.text.len()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), SignatureError> {
        if self.eat(byte) { Ok(()) } else { Err(self.error()) }
    }

    /// Text up to one of the given characters, which is not consumed.
    fn until(&mut self, stops: &[char]) -> Result<&'a str, SignatureError> {
        let rest = &self.text[self.at..];
        match rest.find(stops) {
            Some(0) | None => Err(self.error()),
            Some(end) => {
                self.at += end;
                Ok(&rest[..end])
            }
        }
    }

    fn type_params(&mut self) -> Result<Vec<TypeParameter>, SignatureError> {
        let mut params = Vec::new();
        if !self.eat(b'<') {
            return Ok(params);
        }
        while !self.eat(b'>') {
            let name = self.until(&[':'])?.into();
            let mut bounds = Vec::new();
            while self.eat(b':') {
                // The class bound may be empty when interface bounds follow.
                if self.peek() != Some(b':') {
                    bounds.push(self.ty()?);
                }
            }
            params.push(TypeParameter { name, bounds });
        }
        Ok(params)
    }

    fn ty(&mut self) -> Result<GenericType, SignatureError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error());
        }
        let first = self.peek().ok_or_else(|| self.error())?;
        let ty = match first {
            b'L' => {
                self.at += 1;
                self.class()?
            }
            b'T' => {
                self.at += 1;
                let name = self.until(&[';'])?;
                self.at += 1;
                GenericType::Variable(name.into())
            }
            b'[' => {
                self.at += 1;
                GenericType::Array(Box::new(self.ty()?))
            }
            _ => {
                let primitive = Primitive::ALL
                    .into_iter()
                    .find(|p| p.descriptor() == char::from(first))
                    .ok_or_else(|| self.error())?;
                self.at += 1;
                GenericType::Primitive(primitive)
            }
        };
        self.depth -= 1;
        Ok(ty)
    }

    fn class(&mut self) -> Result<GenericType, SignatureError> {
        let mut name = self.until(&['<', ';', '.'])?.to_owned();
        let mut args = self.type_args()?;
        while self.eat(b'.') {
            name.push('$');
            name.push_str(self.until(&['<', ';', '.'])?);
            args = self.type_args()?;
        }
        self.expect(b';')?;
        Ok(GenericType::Class { name: ClassName::internal(&name), args })
    }

    fn type_args(&mut self) -> Result<Vec<TypeArgument>, SignatureError> {
        let mut args = Vec::new();
        if !self.eat(b'<') {
            return Ok(args);
        }
        while !self.eat(b'>') {
            args.push(if self.eat(b'*') {
                TypeArgument::Any
            } else if self.eat(b'+') {
                TypeArgument::Extends(self.ty()?)
            } else if self.eat(b'-') {
                TypeArgument::Super(self.ty()?)
            } else {
                TypeArgument::Exact(self.ty()?)
            });
        }
        Ok(args)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn class(name: &str, args: Vec<TypeArgument>) -> GenericType {
        GenericType::Class { name: ClassName::internal(name), args }
    }

    #[test]
    fn a_bounded_method_signature_is_read() {
        let text = "<T::Ljava/lang/Comparable<-TT;>;X:Ljava/lang/Exception;>([TT;I)TT;^TX;";
        let read = MethodSignature::parse(text).unwrap();
        assert_eq!(read.type_params.len(), 2);
        assert_eq!(
            read.type_params[0].bounds,
            [class(
                "java/lang/Comparable",
                vec![TypeArgument::Super(GenericType::Variable("T".into()))]
            )]
        );
        assert_eq!(read.params[1], GenericType::Primitive(Primitive::Int));
        assert_eq!(read.exceptions, [GenericType::Variable("X".into())]);
    }

    #[test]
    fn a_member_of_a_generic_class_has_its_binary_name() {
        let read = GenericType::parse("La/Outer<TK;>.Inner<*>.Leaf<TV;>;").unwrap();
        let value = TypeArgument::Exact(GenericType::Variable("V".into()));
        assert_eq!(read, class("a/Outer$Inner$Leaf", vec![value]));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[LTV;<>:()\\[*+^.a/IJ-]{0,40}|\\PC{0,10}") {
            let _ = GenericType::parse(&text);
            let _ = ClassSignature::parse(&text);
            let _ = MethodSignature::parse(&text);
        }
    }
}
