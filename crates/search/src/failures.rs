//! Exceptions no caller could expect, each cause once (requirements G10, G11).

mod noise;
#[cfg(test)]
mod tests;

use model::{Call, ClassName, Frame, Implementation, Literal, TestCase, Thrown};
use serde::{Deserialize, Serialize};

use crate::executor::Executor;
pub use noise::Noise;

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
    /// Where it was thrown, if that is the same in every run.
    pub(crate) fn place(&self) -> Option<Frame> {
        let differs = ["java/lang/StackOverflowError", "java/lang/OutOfMemoryError"];
        (!differs.contains(&self.class.as_internal())).then(|| self.frame.clone())
    }

    /// Whether both report the same cause.
    pub(crate) fn is_same_cause(&self, class: &ClassName, frame: &Frame) -> bool {
        self.class == *class && self.frame == *frame
    }
}

/// Which exceptions are failures, besides those that no caller could expect.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Exceptions {
    /// These always are.
    pub failures: Vec<ClassName>,
    /// These never are.
    pub expected: Vec<ClassName>,
    /// Kinds of noise that are reported all the same.
    pub noise: Vec<Noise>,
}

/// What the calls up to one were given that may explain an exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Given {
    /// A `null`, written down or come from another call.
    null: bool,
    /// A number, which may be an index or a size.
    number: bool,
}

impl Given {
    /// What a test gave; `is_wired` if a container would have set fields of the object under test,
    /// which are `null` else.
    pub(crate) fn of(executor: &impl Executor, case: &TestCase, at: usize, is_wired: bool) -> Self {
        let calls = &case.calls[..=at];
        let mut given = calls.iter().flat_map(|call| &call.args);
        let mut numbers = given.clone().filter_map(|slot| executor.primitive(*slot));
        // A mock answers `null` and zero where nobody told it anything.
        let mocks = calls.iter().any(|call| call.op.as_mock().is_some());
        let is_number = |value| !matches!(value, Literal::Boolean(_) | Literal::Char(_));
        Self {
            null: mocks || is_wired || given.any(|slot| executor.is_null(*slot)),
            number: mocks || numbers.any(is_number),
        }
    }
}

/// Failing tests found so far, the shortest per cause.
#[derive(Debug)]
pub(crate) struct Failures {
    pub(crate) exceptions: Exceptions,
    found: Vec<Unexpected>,
    /// What was left out, each cause once.
    noise: Vec<(Noise, ClassName, Frame)>,
}

/// Causes remembered; the rest of a flood says nothing new.
const MAX_CAUSES: usize = 50;

impl Failures {
    pub(crate) fn new(exceptions: Exceptions) -> Self {
        Self { exceptions, found: Vec::new(), noise: Vec::new() }
    }

    /// Looks at an exception of call `at`; what is new about it, or shorter than before.
    pub(crate) fn consider(
        &mut self,
        case: &TestCase,
        at: usize,
        thrown: &Thrown,
        given: Given,
        is_deprecated: bool,
    ) -> Option<&Unexpected> {
        let frame = self.exceptions.unexpected(&case.calls[at], thrown, given)?;
        let known = self.found.iter().find(|f| f.is_same_cause(&thrown.class, &frame));
        if known.is_some_and(|known| known.case.calls.len() <= at + 1) {
            return None;
        }
        let mut case = case.clone();
        case.calls.truncate(at + 1);
        let message = thrown.message.as_ref().map(ToString::to_string);
        let found = Unexpected { case, class: thrown.class.clone(), message, frame };
        if self.leaves_out(&found.case, &found, is_deprecated) {
            return None;
        }
        self.add(found)
    }

    /// Whether a failure, shown by this test, is noise that nobody asked for; it is counted then.
    pub(crate) fn leaves_out(
        &mut self,
        case: &TestCase,
        found: &Unexpected,
        is_deprecated: bool,
    ) -> bool {
        let noise = Noise::of(case, &found.class, is_deprecated);
        let Some(noise) = noise.filter(|noise| !self.exceptions.noise.contains(noise)) else {
            return false;
        };
        let cause = (noise, found.class.clone(), found.frame.clone());
        if self.noise.len() < MAX_CAUSES && !self.noise.contains(&cause) {
            self.noise.push(cause);
        }
        true
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

    /// How many causes were left out, by kind.
    pub(crate) fn left_out(&self) -> Vec<(Noise, u32)> {
        let count = |kind| self.noise.iter().filter(|(noise, ..)| *noise == kind).count() as u32;
        let all = Noise::ALL.into_iter().map(|kind| (kind, count(kind)));
        all.filter(|(_, count)| *count > 0).collect()
    }
}

impl Exceptions {
    /// Where the exception of a call came from, if it is one no caller could expect: one that was
    /// named, a null pointer although no null was given, an index or size that is wrong although no
    /// number was given, a division by zero likewise, a failed assertion, memory or stack used up; in
    /// code that is not the JDK's.
    pub(crate) fn unexpected(&self, call: &Call, thrown: &Thrown, given: Given) -> Option<Frame> {
        let top = thrown.frames.first()?;
        // What the test itself throws says nothing of the class.
        if Implementation::is_name_of_one(top.class.as_internal()) {
            return None;
        }
        if self.failures.contains(&thrown.class) {
            return Some(top.clone());
        }
        if self.expected.contains(&thrown.class) {
            return None;
        }
        match thrown.class.as_internal() {
            "java/lang/NullPointerException" => {
                // `Objects.requireNonNull` and explicit throws carry a message of the author's; the
                // JVM's own helpful messages start with this word.
                let by_jvm =
                    thrown.message.as_ref().is_some_and(|m| m.to_string().starts_with("Cannot "));
                (by_jvm && !given.null && !top.is_of_jdk()).then(|| top.clone())
            }
            "java/lang/AssertionError" => (!top.is_of_jdk()).then(|| top.clone()),
            "java/lang/ArrayIndexOutOfBoundsException"
            | "java/lang/StringIndexOutOfBoundsException"
            | "java/lang/IndexOutOfBoundsException"
            | "java/lang/NegativeArraySizeException"
            | "java/lang/ArithmeticException"
                if !given.number && !given.null =>
            {
                // The JDK's own classes throw these for those that call them.
                let own = thrown.frames.iter().find(|frame| !frame.is_of_jdk())?;
                (!is_explicit(thrown)).then(|| own.clone())
            }
            // How deep it goes may be what a number says.
            "java/lang/StackOverflowError" if given.number => None,
            // Where exactly that happens differs from run to run.
            "java/lang/StackOverflowError" | "java/lang/OutOfMemoryError" => {
                Some(Frame { class: call.op.owner.clone(), method: call.op.name.clone(), line: -1 })
            }
            _ => None,
        }
    }
}

/// Whether the authors of the class throw the exception themselves, knowing what they do: there is
/// no code of the JDK on top, and the text is not the JVM's.
fn is_explicit(thrown: &Thrown) -> bool {
    const BY_JVM: [&str; 3] = ["Index ", "/ by zero", "-"];
    let by_jdk = thrown.frames.first().is_some_and(Frame::is_of_jdk);
    let text = thrown.message.as_ref().map(ToString::to_string).unwrap_or_default();
    !by_jdk && !BY_JVM.iter().any(|start| text.starts_with(start))
}
