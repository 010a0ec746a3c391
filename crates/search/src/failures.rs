//! Exceptions no caller could expect, each cause once (requirements G10, G11).

use model::{ClassName, Frame, TestCase, Thrown};

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

/// Failing tests found so far, the shortest per cause.
#[derive(Default, Debug)]
pub(crate) struct Failures {
    found: Vec<Unexpected>,
}

/// Causes remembered; the rest of a flood says nothing new.
const MAX_CAUSES: usize = 50;

impl Failures {
    /// Looks at an exception of call `at`.
    pub(crate) fn consider(
        &mut self,
        case: &TestCase,
        at: usize,
        thrown: &Thrown,
        passes_null: bool,
    ) {
        let Some(frame) = unexpected(thrown, passes_null) else { return };
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

/// Where the exception came from, if it is one no caller could expect: a null pointer although no
/// null was passed, or a failed assertion, in code that is not the JDK's.
pub(crate) fn unexpected(thrown: &Thrown, passes_null: bool) -> Option<&Frame> {
    let frame = thrown.frames.first()?;
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
    (counts && !in_jdk).then_some(frame)
}

/// Whether any call up to `at` is given a `null`, written down or come from another call.
pub(crate) fn passes_null(executor: &impl Executor, case: &TestCase, at: usize) -> bool {
    case.calls[..=at].iter().flat_map(|call| &call.args).any(|slot| executor.is_null(*slot))
}
