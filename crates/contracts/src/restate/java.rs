//! Expressions of Java under construction: pieces, static type, how tightly they bind.

use super::template::{Piece, Template};

/// A static type, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ty {
    Boolean,
    Byte,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
    /// A class by its full name, without type arguments.
    Class(String),
    Array(Box<Ty>),
    /// A type variable, or what a class without type arguments gives for one.
    Variable,
    Null,
    Unknown,
}

impl Ty {
    /// A primitive type.
    pub fn primitive(name: &str) -> Option<Ty> {
        Some(match name {
            "boolean" => Ty::Boolean,
            "byte" => Ty::Byte,
            "short" => Ty::Short,
            "char" => Ty::Char,
            "int" => Ty::Int,
            "long" => Ty::Long,
            "float" => Ty::Float,
            "double" => Ty::Double,
            _ => return None,
        })
    }

    /// Its name in full, for a variable of it.
    pub fn name(&self) -> Option<String> {
        Some(match self {
            Ty::Boolean => "boolean".to_owned(),
            Ty::Byte => "byte".to_owned(),
            Ty::Short => "short".to_owned(),
            Ty::Char => "char".to_owned(),
            Ty::Int => "int".to_owned(),
            Ty::Long => "long".to_owned(),
            Ty::Float => "float".to_owned(),
            Ty::Double => "double".to_owned(),
            Ty::Class(name) => name.clone(),
            Ty::Array(of) => format!("{}[]", of.name()?),
            Ty::Variable => "java.lang.Object".to_owned(),
            Ty::Null | Ty::Unknown => return None,
        })
    }

    /// The primitive type that it is, or is the box of.
    pub fn unboxed(&self) -> Ty {
        let Ty::Class(name) = self else { return self.clone() };
        match name.as_str() {
            "java.lang.Boolean" => Ty::Boolean,
            "java.lang.Byte" => Ty::Byte,
            "java.lang.Short" => Ty::Short,
            "java.lang.Character" => Ty::Char,
            "java.lang.Integer" => Ty::Int,
            "java.lang.Long" => Ty::Long,
            "java.lang.Float" => Ty::Float,
            "java.lang.Double" => Ty::Double,
            _ => self.clone(),
        }
    }

    /// Whether values are whole numbers (characters count).
    pub fn is_whole(&self) -> bool {
        matches!(self, Ty::Byte | Ty::Short | Ty::Char | Ty::Int | Ty::Long)
    }

    pub fn is_floating(&self) -> bool {
        matches!(self, Ty::Float | Ty::Double)
    }

    pub fn is_primitive(&self) -> bool {
        *self == Ty::Boolean || self.is_whole() || self.is_floating()
    }

    /// Whether values are references, for certain.
    pub fn is_reference(&self) -> bool {
        matches!(self, Ty::Class(_) | Ty::Array(_) | Ty::Variable | Ty::Null)
    }

    /// How many bits the size of a whole number takes.
    fn bits(&self) -> u32 {
        match self {
            Ty::Byte => 7,
            Ty::Short => 15,
            Ty::Char => 16,
            Ty::Int => 31,
            _ => 63,
        }
    }
}

/// How tightly operators bind; more is tighter.
pub(super) mod level {
    pub const CONDITIONAL: u8 = 2;
    pub const OR: u8 = 3;
    pub const AND: u8 = 4;
    pub const BIT_OR: u8 = 5;
    pub const BIT_XOR: u8 = 6;
    pub const BIT_AND: u8 = 7;
    pub const EQUALITY: u8 = 8;
    pub const RELATION: u8 = 9;
    pub const SHIFT: u8 = 10;
    pub const SUM: u8 = 11;
    pub const PRODUCT: u8 = 12;
    pub const UNARY: u8 = 14;
    pub const PRIMARY: u8 = 15;
}

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Java {
    pub pieces: Template,
    pub ty: Ty,
    pub level: u8,
    /// Of whole numbers: the bits that their size may take.
    pub bits: u32,
}

impl Java {
    pub fn new(pieces: Template, ty: Ty, level: u8) -> Java {
        let bits = ty.unboxed().bits();
        Java { pieces, ty, level, bits }
    }

    pub fn primary(pieces: Template, ty: Ty) -> Java {
        Java::new(pieces, ty, level::PRIMARY)
    }

    pub fn text(text: &str, ty: Ty) -> Java {
        Java::primary(vec![Piece::Text(text.to_owned())], ty)
    }

    pub fn with_bits(self, bits: u32) -> Java {
        Java { bits, ..self }
    }

    /// The pieces where something must bind at least so tightly.
    pub fn at(self, least: u8) -> Template {
        if self.level >= least {
            return self.pieces;
        }
        let mut pieces = vec![Piece::Text("(".to_owned())];
        pieces.extend(self.pieces);
        pieces.push(Piece::Text(")".to_owned()));
        pieces
    }

    /// `this.name`, `this[index]` and the like.
    pub fn followed(self, by: &str) -> Template {
        let mut pieces = self.at(level::PRIMARY);
        pieces.push(Piece::Text(by.to_owned()));
        pieces
    }

    /// `left op right` of operators that group to the left.
    pub fn joined(self, op: &str, right: Java, level: u8, ty: Ty) -> Java {
        let mut pieces = self.at(level);
        pieces.push(Piece::Text(format!(" {op} ")));
        pieces.extend(right.at(level + 1));
        Java::new(pieces, ty, level)
    }

    /// `head(this, …)`
    pub fn called(head: Template, arguments: Vec<Java>, ty: Ty) -> Java {
        let mut pieces = head;
        pieces.push(Piece::Text("(".to_owned()));
        for (at, argument) in arguments.into_iter().enumerate() {
            if at > 0 {
                pieces.push(Piece::Text(", ".to_owned()));
            }
            pieces.extend(argument.pieces);
        }
        pieces.push(Piece::Text(")".to_owned()));
        Java::primary(pieces, ty)
    }

    /// `prefix operand`
    pub fn prefixed(self, prefix: &str, ty: Ty) -> Java {
        let mut pieces = vec![Piece::Text(prefix.to_owned())];
        pieces.extend(self.at(level::UNARY));
        Java::new(pieces, ty, level::UNARY)
    }
}

pub(super) fn text(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}

pub(super) fn class(name: &str) -> Piece {
    Piece::Class(name.to_owned())
}
