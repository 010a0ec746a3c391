//! Exceptions no caller could expect, each cause once (requirements G10, G11).

mod breached;
mod given;
mod named;
mod noise;
#[cfg(test)]
mod tests;
mod thrown_from;
mod unset;

use model::{Breach, Call, Cause, ClassName, ClassSource, Frame, Implementation, TestCase, Thrown};
use serde::{Deserialize, Serialize};

pub(crate) use given::Given;
pub use named::Exceptions;
pub(crate) use named::Named;
pub use noise::Noise;
pub use thrown_from::ThrownFrom;
pub(crate) use thrown_from::trace_of;
pub use unset::Setter;
pub(crate) use unset::is_unset;

/// A test whose last call throws what it should not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unexpected {
    /// The test.
    pub case: TestCase,
    /// What its last call throws.
    pub class: ClassName,
    /// The exception's message.
    pub message: Option<String>,
    /// Where it was thrown, and who led there: what tells two causes apart.
    pub origin: ThrownFrom,
    /// The contract that its last call breaks instead, if it does: that tells two causes apart then.
    pub breach: Option<Breach>,
}

impl Unexpected {
    /// Where it was thrown, if that is the same in every run.
    pub(crate) fn place(&self) -> Option<Frame> {
        let differs = ["java/lang/StackOverflowError", "java/lang/OutOfMemoryError"];
        (!differs.contains(&self.class.as_internal())).then(|| self.origin.frame.clone())
    }

    /// Why it is reported, as the end of a sentence.
    pub(crate) fn why(&self, classes: &dyn ClassSource, exceptions: &Exceptions) -> &'static str {
        let named = exceptions.named(classes, &self.class);
        match self.class.as_internal() {
            _ if named == Some(Named::Failure) => ", which was named as a failure",
            NULL_POINTER => ", although no null was given",
            ASSERTION => ", which the code itself says must not happen",
            "java/lang/OutOfMemoryError" => "",
            _ => ", although no number was given",
        }
    }

    /// Whether both report the same cause.
    fn is_same_cause(&self, other: &Self) -> bool {
        match (self.breach, other.breach) {
            (None, None) => self.is_of(&other.class, &other.origin),
            (one, other) => one == other,
        }
    }

    /// Whether it reports the cause of such an exception.
    fn is_of(&self, class: &ClassName, origin: &ThrownFrom) -> bool {
        self.breach.is_none() && self.class == *class && self.origin.is_same(origin)
    }

    /// What tells its cause from those of other classes under test.
    pub(crate) fn cause(&self) -> Cause {
        if let Some(breach) = self.breach {
            return breached::cause(breach);
        }
        Cause::of_exception(self.origin.trace(&self.class, self.message.as_deref()))
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

pub(crate) const NULL_POINTER: &str = "java/lang/NullPointerException";
const ASSERTION: &str = "java/lang/AssertionError";
const ARRAY_INDEX: &str = "java/lang/ArrayIndexOutOfBoundsException";
/// What a number that was given may explain.
const INDEXES: [&str; 5] = [
    ARRAY_INDEX,
    "java/lang/StringIndexOutOfBoundsException",
    "java/lang/IndexOutOfBoundsException",
    "java/lang/NegativeArraySizeException",
    "java/lang/ArithmeticException",
];

/// Causes remembered; the rest of a flood says nothing new.
const MAX_CAUSES: usize = 50;

impl Failures {
    pub(crate) fn new(exceptions: Exceptions) -> Self {
        Self { exceptions, found: Vec::new(), noise: Vec::new() }
    }

    /// Looks at an exception of call `at`; what is new about it, or shorter than before.
    pub(crate) fn consider(
        &mut self,
        classes: &dyn ClassSource,
        case: &TestCase,
        at: usize,
        thrown: &Thrown,
        (given, is_deprecated): (Given, bool),
    ) -> Option<&Unexpected> {
        let origin = self.exceptions.unexpected(classes, &case.calls[at], thrown, given)?;
        let known = self.found.iter().find(|f| f.is_of(&thrown.class, &origin));
        if known.is_some_and(|known| known.case.calls.len() <= at + 1) {
            return None;
        }
        let mut case = case.clone();
        case.calls.truncate(at + 1);
        let message = thrown.message.as_ref().map(ToString::to_string);
        let class = thrown.class.clone();
        let found = Unexpected { case, class, message, origin, breach: None };
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
        noise.is_some_and(|noise| self.counts(noise, &found.class, &found.origin.frame))
    }

    /// Counts noise, each cause once; `false` if somebody asked for this kind.
    pub(crate) fn counts(&mut self, noise: Noise, class: &ClassName, frame: &Frame) -> bool {
        if self.exceptions.noise.contains(&noise) {
            return false;
        }
        let cause = (noise, class.clone(), frame.clone());
        if self.noise.len() < MAX_CAUSES && !self.noise.contains(&cause) {
            self.noise.push(cause);
        }
        true
    }

    /// Whether a failure, shown by this test, comes of an object that was not set up, which nobody
    /// asked for; it is counted then.
    pub(crate) fn is_of_unset(
        &mut self,
        classes: &dyn ClassSource,
        setters: &[Setter],
        case: &TestCase,
        found: &Unexpected,
    ) -> bool {
        let message = found.message.as_deref().unwrap_or_default();
        found.class.as_internal() == NULL_POINTER
            && is_unset(classes, setters, case, message, &found.origin.frame)
            && self.counts(Noise::Unset, &found.class, &found.origin.frame)
    }

    /// Adds a failing test; it, if its cause is new or it is shorter than the one known.
    pub(crate) fn add(&mut self, new: Unexpected) -> Option<&Unexpected> {
        let known = self.found.iter().position(|f| f.is_same_cause(&new));
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
    /// named, a null pointer or failed assertion although no null was given, an index or size that is
    /// wrong although no number was given, a division by zero likewise, memory or stack used up; in
    /// code that is not the JDK's.
    pub(crate) fn unexpected(
        &self,
        classes: &dyn ClassSource,
        call: &Call,
        thrown: &Thrown,
        given: Given,
    ) -> Option<ThrownFrom> {
        let frame = self.unexpected_frame(classes, call, thrown, given)?;
        Some(ThrownFrom::new(frame, &thrown.frames))
    }

    fn unexpected_frame(
        &self,
        classes: &dyn ClassSource,
        call: &Call,
        thrown: &Thrown,
        given: Given,
    ) -> Option<Frame> {
        let top = thrown.frames.first()?;
        // What the test itself throws says nothing of the class.
        if Implementation::is_name_of_one(top.class.as_internal()) {
            return None;
        }
        match self.named(classes, &thrown.class) {
            Some(Named::Failure) => return Some(top.clone()),
            Some(Named::Invalid | Named::Expected) => return None,
            None => {}
        }
        match thrown.class.as_internal() {
            NULL_POINTER => {
                // `Objects.requireNonNull` and explicit throws carry a message of the author's; the
                // JVM's own helpful messages start with this word.
                let by_jvm =
                    thrown.message.as_ref().is_some_and(|m| m.to_string().starts_with("Cannot "));
                (by_jvm && !given.null && !top.is_of_jdk()).then(|| top.clone())
            }
            ASSERTION => {
                let is_own = !top.is_of_jdk() && !given.null && !given.written;
                (is_own && !is_precondition(call, thrown, given)).then(|| top.clone())
            }
            class if INDEXES.contains(&class) => {
                if given.number || given.null || given.written {
                    return None;
                }
                // Who gives an array with too few elements is to blame.
                if length_exceeded(thrown).is_some_and(|length| given.has_array_of(length)) {
                    return None;
                }
                // The JDK's own classes throw these for those that call them.
                let own = thrown.frames.iter().find(|frame| !frame.is_of_jdk())?;
                (!is_explicit(thrown)).then(|| own.clone())
            }
            // How deep it goes may be what a number says.
            "java/lang/StackOverflowError" if given.number => None,
            // Where exactly that happens differs from run to run.
            "java/lang/StackOverflowError" => {
                Some(ThrownFrom::circle(&thrown.frames).unwrap_or_else(|| called(call)))
            }
            "java/lang/OutOfMemoryError" => Some(called(call)),
            _ => None,
        }
    }
}

/// The method that the test calls.
fn called(call: &Call) -> Frame {
    Frame { class: call.op.owner.clone(), method: call.op.name.clone(), line: -1 }
}

/// Whether an assertion says what numbers the caller may give: the call was given one, and the method
/// it calls, or a constructor that this one calls, asserts.
fn is_precondition(call: &Call, thrown: &Thrown, given: Given) -> bool {
    let is_called = |frame: &Frame| frame.method == call.op.name;
    given.last_number
        && match &thrown.frames[..] {
            [top, by, ..] if &*top.method == "<init>" => is_called(top) || is_called(by),
            [top, ..] => is_called(top),
            [] => false,
        }
}

/// The length of the array that has no element at an index: not if the index is wrong for any array,
/// as `-1` is for all but an empty one, whose last element it would be.
fn length_exceeded(thrown: &Thrown) -> Option<u64> {
    let is_of_array = thrown.class.as_internal() == ARRAY_INDEX;
    let message = thrown.message.as_ref().filter(|_| is_of_array)?.to_string();
    let (index, length) =
        message.strip_prefix("Index ")?.split_once(" out of bounds for length ")?;
    let (index, length): (i64, u64) = (index.parse().ok()?, length.parse().ok()?);
    (index >= 0 || length == 0).then_some(length)
}

/// Whether the authors of the class throw the exception themselves, knowing what they do: there is
/// no code of the JDK on top, and the text is not the JVM's.
fn is_explicit(thrown: &Thrown) -> bool {
    const BY_JVM: [&str; 3] = ["Index ", "/ by zero", "-"];
    let by_jdk = thrown.frames.first().is_some_and(Frame::is_of_jdk);
    let text = thrown.message.as_ref().map(ToString::to_string).unwrap_or_default();
    !by_jdk && !BY_JVM.iter().any(|start| text.starts_with(start))
}
