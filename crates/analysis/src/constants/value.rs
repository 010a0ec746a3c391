//! What is known of a value: a constant, or at least its type.

use std::sync::Arc;

use model::{ClassName, Literal, Primitive};
use rustc_hash::FxHashMap;

use crate::machine::Value;

/// What a value may be known to be.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Known {
    /// Nothing.
    Nothing,
    /// Not a constant, but a primitive of this type.
    Of(Primitive),
    /// An int that stands for something else (the outcome of a comparison, a hash code, an
    /// ordinal): what it is compared with is no input.
    Token,
    /// A constant; ints, chars, shorts, bytes and booleans alike as `Int`.
    Constant(Literal),
    /// A static field of the type of its own class: an enum constant, or what is like one.
    Static(ClassName, Arc<str>),
    /// One of several constants or static fields, by their numbers, ascending.
    OneOf(Box<[Value]>),
    /// A string builder not yet initialized, by the instruction that made it.
    NewBuilder(usize),
    /// A string builder with what it holds.
    Builder(usize, Arc<[u16]>),
}

/// More constants than this that meet are no constants any more.
const MAX_CHOICES: usize = 8;

/// All that is known of values in a method, numbered. Number 0 is [`Known::Nothing`].
pub(super) struct Values {
    all: Vec<Known>,
    numbers: FxHashMap<Known, Value>,
}

impl Values {
    pub(super) fn new() -> Self {
        let mut values = Self { all: Vec::new(), numbers: FxHashMap::default() };
        values.number(Known::Nothing);
        values
    }

    pub(super) fn number(&mut self, known: Known) -> Value {
        if let Some(number) = self.numbers.get(&known) {
            return *number;
        }
        let number = self.all.len() as Value;
        self.all.push(known.clone());
        self.numbers.insert(known, number);
        number
    }

    pub(super) fn get(&self, value: Value) -> &Known {
        &self.all[value as usize]
    }

    /// The primitive type of a value.
    pub(super) fn primitive(&self, value: Value) -> Option<Primitive> {
        match self.get(value) {
            Known::Of(primitive) => Some(*primitive),
            Known::Constant(literal) => literal.primitive(),
            Known::OneOf(choices) => choices.first().and_then(|choice| self.primitive(*choice)),
            _ => None,
        }
    }

    /// The literal a value is.
    pub(super) fn literal(&self, value: Value) -> Option<&Literal> {
        match self.get(value) {
            Known::Constant(literal) => Some(literal),
            _ => None,
        }
    }

    /// The constants a value may be, by their numbers.
    pub(super) fn choices<'v>(&'v self, value: &'v Value) -> &'v [Value] {
        match self.get(*value) {
            Known::Constant(_) | Known::Static(..) => std::slice::from_ref(value),
            Known::OneOf(choices) => choices,
            _ => &[],
        }
    }

    /// What is left of two values that meet: both constants, or their common type.
    pub(super) fn join(&mut self, a: Value, b: Value) -> Value {
        let (first, second) = (self.choices(&a), self.choices(&b));
        if !first.is_empty() && !second.is_empty() {
            let mut choices = [first, second].concat();
            choices.sort_unstable();
            choices.dedup();
            if choices.len() <= MAX_CHOICES {
                return self.number(Known::OneOf(choices.into()));
            }
        }
        let (first, second) = (self.primitive(a), self.primitive(b));
        let constants = [a, b].map(|value| !self.choices(&value).is_empty());
        let joined = match (self.get(a), self.get(b)) {
            (Known::Token, _) if second.is_some() => Known::Token,
            (_, Known::Token) if first.is_some() => Known::Token,
            _ => match (first, second) {
                (Some(p), Some(q)) if p == q => Known::Of(p),
                // A constant that meets a char or a boolean is one itself.
                (Some(Primitive::Int), Some(q)) if constants[0] => Known::Of(q),
                (Some(p), Some(Primitive::Int)) if constants[1] => Known::Of(p),
                (Some(_), Some(_)) => Known::Of(Primitive::Int),
                _ => Known::Nothing,
            },
        };
        self.number(joined)
    }
}

/// The primitive type a descriptor begins with.
pub(super) fn primitive(descriptor: u8) -> Option<Primitive> {
    Primitive::ALL.into_iter().find(|p| p.descriptor() == char::from(descriptor))
}

/// An int constant as one of the type it is used as; booleans are not worth keeping.
pub(super) fn typed(literal: &Literal, ty: Option<Primitive>) -> Option<Literal> {
    Some(match (literal, ty) {
        (Literal::Null, _) | (Literal::Int(_), Some(Primitive::Boolean)) => return None,
        (Literal::Int(value), Some(Primitive::Char)) => match u16::try_from(*value) {
            Ok(unit) => Literal::Char(unit),
            Err(_) => Literal::Int(*value),
        },
        (Literal::Int(value), Some(Primitive::Byte)) => match i8::try_from(*value) {
            Ok(byte) => Literal::Byte(byte),
            Err(_) => Literal::Int(*value),
        },
        (Literal::Int(value), Some(Primitive::Short)) => match i16::try_from(*value) {
            Ok(short) => Literal::Short(short),
            Err(_) => Literal::Int(*value),
        },
        (other, _) => other.clone(),
    })
}
