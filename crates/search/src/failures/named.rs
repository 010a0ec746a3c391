//! The exceptions that somebody named, and what they are taken for (requirement G10).
//!
//! Naming a class means it and all that extend it. Where both a class and one that it extends are named, the
//! nearer one counts; where one class is named for several things, failures come first, then invalid
//! input.

use model::{ClassName, ClassSource, Hierarchy};
use serde::{Deserialize, Serialize};

use super::Noise;

/// What exceptions are taken for, besides those that no caller could expect.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Exceptions {
    /// These are failures, wherever they come from.
    pub failures: Vec<ClassName>,
    /// These say that the input was not valid: a call that throws one is in no test.
    pub invalid: Vec<ClassName>,
    /// These are no failures; tests expect them.
    pub expected: Vec<ClassName>,
    /// Kinds of noise that are reported all the same.
    pub noise: Vec<Noise>,
}

/// What an exception was named for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Named {
    Failure,
    Invalid,
    Expected,
}

impl Exceptions {
    /// What the class, or the nearest class that it extends, was named for.
    pub(crate) fn named(&self, classes: &dyn ClassSource, class: &ClassName) -> Option<Named> {
        if self.failures.is_empty() && self.invalid.is_empty() && self.expected.is_empty() {
            return None;
        }
        let exactly = |class: &ClassName| {
            let named = [
                (&self.failures, Named::Failure),
                (&self.invalid, Named::Invalid),
                (&self.expected, Named::Expected),
            ];
            named.into_iter().find(|(names, _)| names.contains(class)).map(|(_, named)| named)
        };
        // A class that is made while the code runs is not among those at hand.
        exactly(class)
            .or_else(|| classes.supertypes(class).iter().find_map(|above| exactly(&above.name)))
    }

    /// Whether it says that the input was not valid.
    pub(crate) fn is_invalid(&self, classes: &dyn ClassSource, class: &ClassName) -> bool {
        !self.invalid.is_empty() && self.named(classes, class) == Some(Named::Invalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::world::World;

    fn name(class: &str) -> ClassName {
        ClassName::internal(&format!("java/lang/{class}"))
    }

    fn check(exceptions: &Exceptions, class: &str, expected: Option<Named>) {
        assert_eq!(exceptions.named(&World::new(), &name(class)), expected, "{class}");
    }

    #[test]
    fn a_named_class_means_those_that_extend_it_and_the_nearest_counts() {
        let exceptions = Exceptions {
            failures: vec![name("RuntimeException")],
            expected: vec![name("IllegalStateException"), name("Error")],
            invalid: vec![name("IllegalArgumentException")],
            noise: Vec::new(),
        };
        check(&exceptions, "RuntimeException", Some(Named::Failure));
        check(&exceptions, "NullPointerException", Some(Named::Failure));
        check(&exceptions, "IllegalStateException", Some(Named::Expected));
        check(&exceptions, "IllegalArgumentException", Some(Named::Invalid));
        check(&exceptions, "StackOverflowError", Some(Named::Expected));
        check(&exceptions, "Throwable", None);
        check(&exceptions, "NoClassOfThisWorld", None);
        check(&Exceptions::default(), "Error", None);
    }

    #[test]
    fn a_class_that_is_named_twice_is_a_failure_before_all_else() {
        let error = vec![name("Error")];
        let (failures, invalid, expected) = (error.clone(), error.clone(), error);
        let two = Exceptions { invalid, expected, ..Exceptions::default() };
        check(&two, "AssertionError", Some(Named::Invalid));
        check(&Exceptions { failures, ..two }, "AssertionError", Some(Named::Failure));
    }
}
