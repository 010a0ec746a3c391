//! Exceptions no caller could expect, each cause once (requirements G10, G11).

use model::{ClassName, Frame, TestCase, Thrown};
use serde::{Deserialize, Serialize};

use crate::executor::Executor;

/// A test whose last call throws what it should not.
#[derive(Clone, Debug)]
pub(crate) struct Unexpected {
    pub(crate) case: TestCase,
    pub(crate) class: ClassName,
    pub(crate) message: Option<String>,
    /// Where it was thrown: what tells two causes apart.
    pub(crate) frame: Frame,
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

    /// Looks at an exception of call `at`.
    pub(crate) fn consider(
        &mut self,
        case: &TestCase,
        at: usize,
        thrown: &Thrown,
        passes_null: bool,
    ) {
        let Some(frame) = self.exceptions.unexpected(thrown, passes_null).cloned() else { return };
        let frame = &frame;
        let mut case = case.clone();
        case.calls.truncate(at + 1);
        let known = self.found.iter_mut().find(|f| f.is_same_cause(&thrown.class, frame));
        match known {
            Some(known) => {
                if case.calls.len() < known.case.calls.len() {
                    known.case = case;
                }
            }
            None => {
                let (class, message) = (thrown.class.clone(), thrown.message.as_ref());
                let message = message.map(ToString::to_string);
                self.found.push(Unexpected { case, class, message, frame: frame.clone() });
                self.found.truncate(MAX_CAUSES);
            }
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
