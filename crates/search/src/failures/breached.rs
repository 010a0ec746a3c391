//! Broken contracts as failures: each clause is one cause, whatever breaks it.

use model::{Breach, Cause, ClassName, Frame, TestCase, Thrown};

use super::{Failures, ThrownFrom, Unexpected};

impl Unexpected {
    /// A test that breaks a contract with call `at`; what it threw for that, if anything.
    pub(crate) fn of_breach(
        case: &TestCase,
        at: usize,
        breach: Breach,
        thrown: Option<Thrown>,
    ) -> Self {
        let mut case = case.clone();
        case.calls.truncate(at + 1);
        let op = &case.calls[at].op;
        let called = Frame { class: op.owner.clone(), method: op.name.clone(), line: -1 };
        let (class, message, frames) = match thrown {
            Some(thrown) => (thrown.class, thrown.message, thrown.frames),
            None => (ClassName::internal("java/lang/AssertionError"), None, Vec::new()),
        };
        let frame = frames.first().cloned().unwrap_or(called);
        let message = message.as_ref().map(ToString::to_string);
        let origin = ThrownFrom::new(frame, &frames);
        Self { case, class, message, origin, breach: Some(breach) }
    }
}

impl Failures {
    /// Whether a test that breaks this with call `at` would be new, or shorter than the one known.
    pub(crate) fn is_wanted(&self, breach: Breach, at: usize) -> bool {
        let known = self.found.iter().find(|found| found.breach == Some(breach));
        known.is_none_or(|known| known.case.calls.len() > at + 1)
    }
}

/// What tells a broken clause from others.
pub(super) fn cause(breach: Breach) -> Cause {
    Cause::of_law(format!("breaks its {breach}"))
}
