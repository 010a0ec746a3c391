//! What tells the cause of a failure from others (requirement G11).
//!
//! Failures that end in an exception, which may be one that breaks a law, have one cause if their stack
//! traces are alike ([`Trace`]); others, if the same class breaks the same law.
//!
//! Invariant: `is_same` is reflexive and symmetric. It is not transitive, because a failure that nobody
//! led anywhere is the same as each of those that somebody did; so whoever folds goes by the first of each.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Trace;

/// The cause of a failure, as far as it can be told by its looks.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Cause {
    /// Where the exception comes from, or the law and the class whose method has to keep it.
    pub text: String,
    /// The trace of the exception, if there is one.
    pub trace: Option<Trace>,
}

impl Cause {
    /// The cause of a broken law or clause.
    pub fn of_law(text: String) -> Self {
        Self { text, trace: None }
    }

    /// The cause of an exception.
    pub fn of_exception(trace: Trace) -> Self {
        let place = trace.way.first().map_or_else(String::new, |place| format!(" in {place}"));
        Self { text: format!("{}{place}", trace.thrown), trace: Some(trace) }
    }

    /// Whether two failures have the same cause.
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.trace, &other.trace) {
            (Some(one), Some(two)) => one.is_same(two),
            (None, None) => self.text == other.text,
            _ => false,
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        let by = self.trace.as_ref().and_then(|trace| trace.way.get(1));
        by.map_or(Ok(()), |by| write!(f, ", called by {by}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ClassName, Frame};

    #[test]
    fn laws_are_told_apart_by_their_words_and_exceptions_by_their_traces() {
        let frame = |class: &str, line| Frame {
            class: ClassName::internal(class),
            method: "c".into(),
            line,
        };
        let thrown = ClassName::internal("a/Wrong");
        let trace = Trace { thrown, message: None, way: vec![frame("a/B", 3), frame("a/D", -1)] };
        let exception = Cause::of_exception(trace.clone());
        assert_eq!(exception.to_string(), "a.Wrong in a.B.c (line 3), called by a.D.c");
        let direct = Cause::of_exception(Trace { way: trace.way[..1].to_vec(), ..trace });
        assert!(exception.is_same(&direct) && direct.is_same(&exception));
        let law = |text: &str| Cause::of_law(text.to_owned());
        assert!(law("EqualsNull of a.B").is_same(&law("EqualsNull of a.B")));
        assert!(!law("EqualsNull of a.B").is_same(&law("EqualsNull of a.C")));
        assert!(!law("a.Wrong in a.B.c (line 3)").is_same(&direct));
    }
}
