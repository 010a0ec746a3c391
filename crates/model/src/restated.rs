//! A broken clause as plain assertions, so that a test shows the breach to whoever has no checks.
//!
//! What is said is text of Java with holes: what stands there is named by the test that says it.
//! Invariant: a hole names a value that the [`Restated`] declares, or one that the last call of the
//! test has.

use serde::{Deserialize, Serialize};

use crate::{ClassName, Type};

/// A piece of an expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Piece {
    /// Java as it is.
    Text(String),
    /// The object that the last call is made on; of a constructor, the object it makes.
    Receiver,
    /// An argument of the last call, the receiver not counted.
    Argument(usize),
    /// What the last call returns.
    Result,
    /// A value kept from before the call, by its number.
    Kept(usize),
    /// A variable of a lambda within the expression, by its number.
    Variable(usize),
    /// The name of a class.
    Class(ClassName),
}

/// An expression.
pub type Template = Vec<Piece>;

/// A value that is kept before the last call.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct KeptValue {
    /// What a variable for it would best be called.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// The value.
    pub value: Template,
}

/// How a part of a clause is asserted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Asserted {
    /// The expression is true.
    True,
    /// The expression is false.
    False,
    /// The second expression equals the first, which is what is expected. Both are of whole numbers,
    /// truth values or characters.
    Equal,
    /// Both expressions are the same object.
    Same,
    /// The expressions are two objects.
    NotSame,
    /// The expression is `null`.
    Null,
    /// The expression is not `null`.
    NotNull,
    /// The call does not return: there is nothing to look at.
    Unreached,
}

/// A part of a clause.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// How it is asserted.
    pub asserted: Asserted,
    /// The expressions: two of `Equal`, `Same` and `NotSame`, none of `Unreached`, else one.
    pub of: Vec<Template>,
}

/// A clause in plain Java.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Restated {
    /// Values kept before the last call, in this order.
    pub before: Vec<KeptValue>,
    /// What holds after it, in this order. Nothing: the call itself ends in an exception that the
    /// clause forbids.
    pub claims: Vec<Claim>,
    /// What variables of lambdas would best be called.
    pub variables: Vec<String>,
    /// Whether anything that is called may throw checked exceptions.
    pub throws: bool,
}

impl Restated {
    /// Whether the exception that the last call throws is what is wrong.
    pub fn is_exception(&self) -> bool {
        self.claims.is_empty()
    }

    /// All expressions: of values kept, then of claims.
    pub fn templates(&self) -> impl Iterator<Item = &Template> {
        let kept = self.before.iter().map(|kept| &kept.value);
        kept.chain(self.claims.iter().flat_map(|claim| &claim.of))
    }

    /// Whether a piece occurs anywhere.
    pub fn mentions(&self, piece: &Piece) -> bool {
        self.templates().flatten().any(|one| one == piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restated() -> Restated {
        let text = |text: &str| Piece::Text(text.to_owned());
        Restated {
            before: vec![KeptValue {
                name: "oldSize".to_owned(),
                ty: Type::INT,
                value: vec![Piece::Receiver, text(".size()")],
            }],
            claims: vec![Claim {
                asserted: Asserted::Equal,
                of: vec![vec![Piece::Kept(0)], vec![Piece::Result]],
            }],
            ..Restated::default()
        }
    }

    #[test]
    fn what_it_mentions_is_found_before_and_after_the_call() {
        let check = |piece: Piece, expect: bool| {
            assert_eq!(restated().mentions(&piece), expect, "{piece:?}");
        };
        check(Piece::Receiver, true);
        check(Piece::Result, true);
        check(Piece::Kept(0), true);
        check(Piece::Argument(0), false);
    }

    #[test]
    fn it_survives_being_stored() {
        let bytes = postcard::to_stdvec(&restated()).unwrap();
        assert_eq!(postcard::from_bytes::<Restated>(&bytes).unwrap(), restated());
        assert!(!restated().is_exception() && Restated::default().is_exception());
    }
}
