//! Values that can be written down in source.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Primitive, Type};

/// A Java string: UTF-16 code units, lone surrogates included, as Java allows them.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JavaString(Arc<[u16]>);

impl JavaString {
    /// From UTF-16 code units.
    pub fn from_units(units: &[u16]) -> Self {
        Self(units.into())
    }

    /// The UTF-16 code units.
    pub fn units(&self) -> &[u16] {
        &self.0
    }
}

impl From<&str> for JavaString {
    fn from(text: &str) -> Self {
        Self(text.encode_utf16().collect())
    }
}

impl fmt::Display for JavaString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf16_lossy(&self.0))
    }
}

impl fmt::Debug for JavaString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", String::from_utf16_lossy(&self.0))
    }
}

/// A value that Java source can spell: the members of primitive pools, strings, class literals
/// and `null`.
///
/// Floating-point values are equal when their bits are, so that `NaN` and `-0.0` can be looked up.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Literal {
    /// `null`
    Null,
    /// A `boolean`.
    Boolean(bool),
    /// A `byte`.
    Byte(i8),
    /// A `char`, one UTF-16 code unit.
    Char(u16),
    /// A `short`.
    Short(i16),
    /// An `int`.
    Int(i32),
    /// A `long`.
    Long(i64),
    /// A `float`.
    Float(f32),
    /// A `double`.
    Double(f64),
    /// A string.
    String(JavaString),
    /// A class literal; `None` is `void.class`.
    Class(Option<Type>),
}

impl Literal {
    /// The primitive type of the value, if it has one.
    pub fn primitive(&self) -> Option<Primitive> {
        Some(match self {
            Self::Boolean(_) => Primitive::Boolean,
            Self::Byte(_) => Primitive::Byte,
            Self::Char(_) => Primitive::Char,
            Self::Short(_) => Primitive::Short,
            Self::Int(_) => Primitive::Int,
            Self::Long(_) => Primitive::Long,
            Self::Float(_) => Primitive::Float,
            Self::Double(_) => Primitive::Double,
            Self::Null | Self::String(_) | Self::Class(_) => return None,
        })
    }

    /// The zero of a primitive type.
    pub fn zero(primitive: Primitive) -> Self {
        match primitive {
            Primitive::Boolean => Self::Boolean(false),
            Primitive::Byte => Self::Byte(0),
            Primitive::Char => Self::Char(0),
            Primitive::Short => Self::Short(0),
            Primitive::Int => Self::Int(0),
            Primitive::Long => Self::Long(0),
            Primitive::Float => Self::Float(0.0),
            Primitive::Double => Self::Double(0.0),
        }
    }

    /// The number, if it is of a type of whole numbers.
    pub fn whole(&self) -> Option<i64> {
        Some(match self {
            Self::Byte(value) => (*value).into(),
            Self::Char(value) => (*value).into(),
            Self::Short(value) => (*value).into(),
            Self::Int(value) => (*value).into(),
            Self::Long(value) => *value,
            _ => return None,
        })
    }

    /// Another number of the same type, if that has room for it; of `float` and `double` the nearest.
    pub fn with_number(&self, number: i64) -> Option<Self> {
        Some(match self {
            Self::Byte(_) => Self::Byte(number.try_into().ok()?),
            Self::Char(_) => Self::Char(number.try_into().ok()?),
            Self::Short(_) => Self::Short(number.try_into().ok()?),
            Self::Int(_) => Self::Int(number.try_into().ok()?),
            Self::Long(_) => Self::Long(number),
            Self::Float(_) => Self::Float(number as f32),
            Self::Double(_) => Self::Double(number as f64),
            _ => return None,
        })
    }

    /// Bits that tell two values of one variant apart.
    fn key(&self) -> u64 {
        match self {
            Self::Null | Self::String(_) | Self::Class(_) => 0,
            Self::Boolean(v) => u64::from(*v),
            Self::Byte(v) => *v as u64,
            Self::Char(v) => u64::from(*v),
            Self::Short(v) => *v as u64,
            Self::Int(v) => *v as u64,
            Self::Long(v) => *v as u64,
            Self::Float(v) => u64::from(v.to_bits()),
            Self::Double(v) => v.to_bits(),
        }
    }
}

impl PartialEq for Literal {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::String(a), Self::String(b)) => a == b,
            (Self::Class(a), Self::Class(b)) => a == b,
            _ => {
                std::mem::discriminant(self) == std::mem::discriminant(other)
                    && self.key() == other.key()
            }
        }
    }
}

impl Eq for Literal {}

impl Hash for Literal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::String(s) => s.hash(state),
            Self::Class(c) => c.hash(state),
            other => other.key().hash(state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_told_apart_by_their_bits() {
        assert_eq!(Literal::Double(f64::NAN), Literal::Double(f64::NAN));
        assert_ne!(Literal::Double(0.0), Literal::Double(-0.0));
        assert_ne!(Literal::Int(1), Literal::Long(1));
        assert_ne!(Literal::Null, Literal::Class(None));
    }

    #[test]
    fn a_number_is_written_in_every_type_that_has_room_for_it() {
        use Primitive::{Boolean, Byte, Char, Double, Float, Int, Long, Short};
        let fits = |number: i64| {
            let all = [Boolean, Byte, Char, Short, Int, Long, Float, Double].into_iter();
            let has_room = |p: &Primitive| Literal::zero(*p).with_number(number).is_some();
            all.filter(has_room).collect::<Vec<_>>()
        };
        assert_eq!(fits(100), [Byte, Char, Short, Int, Long, Float, Double]);
        assert_eq!(fits(-1), [Byte, Short, Int, Long, Float, Double]);
        assert_eq!(fits(1000), [Char, Short, Int, Long, Float, Double]);
        assert_eq!(fits(i64::MAX), [Long, Float, Double]);
        assert_eq!(Literal::Char(1).with_number(97).and_then(|a| a.whole()), Some(97));
        assert_eq!(Literal::Float(1.0).whole(), None);
    }
}
