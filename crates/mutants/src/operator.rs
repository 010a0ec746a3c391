//! The kinds of faults, and choices of them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

macro_rules! operators {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// A kind of fault. Those with PIT's names make PIT's changes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Operator {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)*
        }

        impl Operator {
            /// All operators. Of those that make the same mutant the first gives it its id.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name, as users write it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

operators! {
    /// `<` to `<=`, `>=` to `>`, and so on.
    ConditionalsBoundary = "CONDITIONALS_BOUNDARY",
    /// `i++` to `i--`, of local variables.
    Increments = "INCREMENTS",
    /// `-x` to `x`.
    InvertNegs = "INVERT_NEGS",
    /// One other arithmetic, bitwise or shift operator for each.
    Math = "MATH",
    /// A condition to its opposite.
    NegateConditionals = "NEGATE_CONDITIONALS",
    /// Removes calls of methods that return nothing; arguments are still evaluated.
    VoidMethodCalls = "VOID_METHOD_CALLS",
    /// Returns `""`, an empty collection, an empty `Optional` or a boxed 0.
    EmptyReturns = "EMPTY_RETURNS",
    /// Returns `false`.
    FalseReturns = "FALSE_RETURNS",
    /// Returns `true`.
    TrueReturns = "TRUE_RETURNS",
    /// Returns `null` where there is nothing empty to return.
    NullReturns = "NULL_RETURNS",
    /// Returns 0.
    PrimitiveReturns = "PRIMITIVE_RETURNS",
    /// A constant to one other value.
    InlineConsts = "INLINE_CONSTS",
    /// A condition to one that always holds, and to one that never does.
    RemoveConditionals = "REMOVE_CONDITIONALS",
    /// Takes 0, `false` or `null` for what a method returns, without calling it; arguments are still
    /// evaluated.
    NonVoidMethodCalls = "NON_VOID_METHOD_CALLS",
    /// Takes `null` for a new object; arguments are still evaluated.
    ConstructorCalls = "CONSTRUCTOR_CALLS",
    /// Removes `i++`, of local variables.
    RemoveIncrements = "REMOVE_INCREMENTS",
    /// The default of a `switch` takes the place of its first case, and that of all others.
    Switch = "SWITCH",
    /// The source document's "replace operator": an operator to each other one of its class
    /// (arithmetic, bitwise, shift, relational, `||` to `&&` where frames allow it).
    ReplaceOperator = "REPLACE_OPERATOR",
    /// The source document's "replace constant": `C` to 0, 1, -1, `C` + 1 and `C` - 1.
    ReplaceConstant = "REPLACE_CONSTANT",
    /// The source document's "negate decision".
    NegateDecision = "NEGATE_DECISION",
    /// The source document's "delete statement": assignments, increments and calls.
    DeleteStatement = "DELETE_STATEMENT",
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of operators; serialized, it is a list of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<Operator>", into = "Vec<Operator>")]
pub struct Operators(u32);

/// A name that neither an operator nor a group has.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("no mutation operator and no group of them is called {name}")]
pub struct UnknownOperator {
    /// The name.
    pub name: String,
}

impl Operators {
    /// The groups that users can name, with what they hold.
    pub const GROUPS: [(&str, Self); 3] = [
        ("default", Self::between(Operator::ConditionalsBoundary, Operator::PrimitiveReturns)),
        ("paper", Self::between(Operator::ReplaceOperator, Operator::DeleteStatement)),
        ("all", Self::between(Operator::ConditionalsBoundary, Operator::DeleteStatement)),
    ];

    /// No operator.
    pub const NONE: Self = Self(0);

    /// The four of the source document.
    pub const fn paper() -> Self {
        Self::GROUPS[1].1
    }

    /// Every operator.
    pub const fn all() -> Self {
        Self::GROUPS[2].1
    }

    const fn between(first: Operator, last: Operator) -> Self {
        Self((1 << (last as u32 + 1)) - (1 << first as u32))
    }

    /// This set and one more.
    #[must_use]
    pub const fn with(self, operator: Operator) -> Self {
        Self(self.0 | 1 << operator as u32)
    }

    /// Whether an operator is in the set.
    pub const fn contains(self, operator: Operator) -> bool {
        self.0 & 1 << operator as u32 != 0
    }

    /// What is in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in one of the sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The operators of the set, in their order.
    pub fn iter(self) -> impl Iterator<Item = Operator> {
        Operator::ALL.iter().copied().filter(move |operator| self.contains(*operator))
    }
}

impl From<Vec<Operator>> for Operators {
    fn from(operators: Vec<Operator>) -> Self {
        operators.into_iter().fold(Self::NONE, Self::with)
    }
}

impl From<Operators> for Vec<Operator> {
    fn from(set: Operators) -> Self {
        set.iter().collect()
    }
}

/// PIT's defaults.
impl Default for Operators {
    fn default() -> Self {
        Self::GROUPS[0].1
    }
}

/// Names of operators and groups, separated by commas, in any case.
impl FromStr for Operators {
    type Err = UnknownOperator;

    fn from_str(text: &str) -> Result<Self, UnknownOperator> {
        let mut set = Self::NONE;
        for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let group = Self::GROUPS.iter().find(|(group, _)| group.eq_ignore_ascii_case(name));
            let operator = Operator::ALL.iter().find(|one| one.name().eq_ignore_ascii_case(name));
            set = match (group, operator) {
                (Some((_, group)), _) => set.union(*group),
                (None, Some(operator)) => set.with(*operator),
                (None, None) => return Err(UnknownOperator { name: name.to_owned() }),
            };
        }
        Ok(set)
    }
}

/// The names, separated by commas.
impl fmt::Display for Operators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, operator) in self.iter().enumerate() {
            let separator = if number == 0 { "" } else { "," };
            write!(f, "{separator}{operator}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<usize, &str>) {
        let found = text.parse::<Operators>();
        let found = found.as_ref().map(|set| set.iter().count());
        assert_eq!(found.map_err(|error| error.name.as_str()), expected, "{text}");
    }

    #[test]
    fn operators_and_groups_are_chosen_by_name() {
        check("", Ok(0));
        check("MATH", Ok(1));
        check("math, switch,", Ok(2));
        check("default", Ok(11));
        check("paper", Ok(4));
        check("default,MATH,SWITCH", Ok(12));
        check("all", Ok(Operator::ALL.len()));
        check("MATHS", Err("MATHS"));
    }

    #[test]
    fn a_set_is_written_as_it_is_read() {
        let set = Operators::paper().with(Operator::Math);
        assert_eq!(set.to_string().parse(), Ok(set));
    }
}
