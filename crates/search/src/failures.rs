//! Exceptions no caller could expect, each cause once (requirements G10, G11).

#[cfg(test)]
mod tests;

use model::{ClassName, Frame, Implementation, TestCase, Thrown};
use serde::{Deserialize, Serialize};

use crate::executor::Executor;

/// A test whose last call throws what it should not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unexpected {
    /// The test.
    pub case: TestCase,
    /// What its last call throws.
    pub class: ClassName,
    /// The exception's message.
    pub message: Option<String>,
    /// Where it was thrown: what tells two causes apart.
    pub frame: Frame,
}

impl Unexpected {
    /// Whether both report the same cause.
    pub(crate) fn is_same_cause(&self, class: &ClassName, frame: &Frame) -> bool {
        self.class == *class && self.frame == *frame
    }
}

/// Which exceptions are failures, besides null pointers without a null given and failed assertions.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Exceptions {
    /// These always are.
    pub failures: Vec<ClassName>,
    /// These never are.
    pub expected: Vec<ClassName>,
}

/// Failing tests found so far, the shortest per cause.
#[derive(Debug)]
pub(crate) struct Failures {
    pub(crate) exceptions: Exceptions,
    found: Vec<Unexpected>,
}

/// Causes remembered; the rest of a flood says nothing new.
const MAX_CAUSES: usize = 50;

impl Failures {
    pub(crate) fn new(exceptions: Exceptions) -> Self {
        Self { exceptions, found: Vec::new() }
    }

    /// Looks at an exception of call `at`; what is new about it, or shorter than before.
    pub(crate) fn consider(
        &mut self,
        case: &TestCase,
        at: usize,
        thrown: &Thrown,
        passes_null: bool,
    ) -> Option<&Unexpected> {
        let frame = self.exceptions.unexpected(thrown, passes_null)?.clone();
        let known = self.found.iter().find(|f| f.is_same_cause(&thrown.class, &frame));
        if known.is_some_and(|known| known.case.calls.len() <= at + 1) {
            return None;
        }
        let mut case = case.clone();
        case.calls.truncate(at + 1);
        let message = thrown.message.as_ref().map(ToString::to_string);
        self.add(Unexpected { case, class: thrown.class.clone(), message, frame })
    }

    /// Adds a failing test; it, if its cause is new or it is shorter than the one known.
    pub(crate) fn add(&mut self, new: Unexpected) -> Option<&Unexpected> {
        let known = self.found.iter().position(|f| f.is_same_cause(&new.class, &new.frame));
        match known {
            Some(known) if new.case.calls.len() < self.found[known].case.calls.len() => {
                self.found[known] = new;
                self.found.get(known)
            }
            None if self.found.len() < MAX_CAUSES => {
                self.found.push(new);
                self.found.last()
            }
            _ => None,
        }
    }

    pub(crate) fn take(&mut self) -> Vec<Unexpected> {
        std::mem::take(&mut self.found)
    }
}

impl Exceptions {
    /// Where the exception came from, if it is one no caller could expect: one that was named, a
    /// null pointer although no null was given, or a failed assertion, in code that is not the
    /// JDK's.
    pub(crate) fn unexpected<'t>(
        &self,
        thrown: &'t Thrown,
        passes_null: bool,
    ) -> Option<&'t Frame> {
        let frame = thrown.frames.first()?;
        // What the test itself throws says nothing of the class.
        if Implementation::is_name_of_one(frame.class.as_internal()) {
            return None;
        }
        if self.failures.contains(&thrown.class) {
            return Some(frame);
        }
        let in_jdk = ["java/", "javax/", "jdk/", "sun/"]
            .iter()
            .any(|prefix| frame.class.as_internal().starts_with(prefix));
        let counts = match thrown.class.as_internal() {
            "java/lang/NullPointerException" => {
                // `Objects.requireNonNull` and explicit throws carry a message of the author's; the
                // JVM's own helpful messages start with this word.
                let by_jvm =
                    thrown.message.as_ref().is_some_and(|m| m.to_string().starts_with("Cannot "));
                by_jvm && !passes_null
            }
            "java/lang/AssertionError" => true,
            _ => false,
        };
        (counts && !in_jdk && !self.expected.contains(&thrown.class)).then_some(frame)
    }
}

/// Whether any call up to `at` is given a `null`, written down or come from another call.
pub(crate) fn passes_null(executor: &impl Executor, case: &TestCase, at: usize) -> bool {
    case.calls[..=at].iter().flat_map(|call| &call.args).any(|slot| executor.is_null(*slot))
}
