//! What tells the cause of a failure from others (requirement G11).
//!
//! An exception comes of the same cause as another one if both end in the same line and neither was led
//! there by a method of its own: a line that several use is not to blame for what each of them gives it. And
//! if both say the same of the same class, though in different methods: a mistake that was repeated.
//!
//! Invariant: `is_same` is reflexive and symmetric. It is not transitive, because a failure that nobody
//! led anywhere is the same as each of those that somebody did; so whoever folds goes by the first of each.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The cause of a failure, as far as it can be told by its looks.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Cause {
    /// Where the exception comes from, or the law and the class whose method has to keep it.
    pub text: String,
    /// For an exception, the method of another class that led there.
    pub called_by: Option<String>,
    /// For an exception, what it says is wrong, with the class it comes from.
    pub mistake: Option<String>,
}

impl Cause {
    /// The cause of a broken law.
    pub fn of_law(text: String) -> Self {
        Self { text, called_by: None, mistake: None }
    }

    /// Whether two failures have the same cause.
    pub fn is_same(&self, other: &Self) -> bool {
        if self.text == other.text {
            let led = self.called_by.as_ref().zip(other.called_by.as_ref());
            return led.is_none_or(|(one, other)| one == other);
        }
        self.mistake.is_some() && self.mistake == other.mistake && self.called_by == other.called_by
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        self.called_by.as_ref().map_or(Ok(()), |by| write!(f, ", called by {by}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cause(place: &str, called_by: &str, mistake: &str) -> Cause {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let text = format!("Exception in {place}");
        Cause { text, called_by: some(called_by), mistake: some(mistake) }
    }

    fn check(one: &Cause, other: &Cause, expected: bool) {
        assert_eq!(one.is_same(other), expected, "{one} and {other}");
        assert_eq!(other.is_same(one), expected, "{other} and {one}");
    }

    #[test]
    fn a_line_that_two_methods_lead_to_has_two_causes() {
        let ends = cause("Collection.get (line 3)", "Line.setToEnd", "-1 in Collection");
        check(&ends, &ends.clone(), true);
        let reads = cause("Collection.get (line 3)", "Line.getCoordinate", "-1 in Collection");
        check(&ends, &reads, false);
        // Called by the test itself, or from within the class.
        check(&ends, &cause("Collection.get (line 3)", "", "-1 in Collection"), true);
        check(&ends, &cause("Collection.get (line 4)", "", "-1 in Collection"), false);
    }

    #[test]
    fn a_mistake_that_a_class_repeats_is_one_cause() {
        let value = cause("Tasks.getValue (line 3)", "", "-1 in Tasks");
        check(&value, &cause("Tasks.getEndValue (line 7)", "", "-1 in Tasks"), true);
        check(&value, &cause("Tasks.getEndValue (line 7)", "Chart.draw", "-1 in Tasks"), false);
        check(&value, &cause("Tasks.getEndValue (line 7)", "", "5 in Tasks"), false);
        check(&cause("A.b", "", ""), &cause("A.c", "", ""), false);
    }

    #[test]
    fn laws_are_told_apart_by_their_text() {
        let law = |text: &str| Cause::of_law(text.to_owned());
        check(&law("equals of A"), &law("equals of A"), true);
        check(&law("equals of A"), &law("equals of B"), false);
    }
}
