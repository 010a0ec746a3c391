//! Which runs make a test: by how they ended, and by what they threw.

use model::{ClassName, TestCase, Thrown};

use crate::strategy::Ending;

/// Exceptions that say something of the machine or of us, not of the code.
const UNTESTABLE: [&str; 12] = [
    "java/lang/OutOfMemoryError",
    "java/lang/StackOverflowError",
    "java/lang/InternalError",
    "java/lang/UnknownError",
    "java/lang/NoClassDefFoundError",
    "java/lang/ExceptionInInitializerError",
    "java/lang/UnsatisfiedLinkError",
    "java/lang/VerifyError",
    "java/lang/IncompatibleClassChangeError",
    "java/lang/ThreadDeath",
    "java/lang/TesthoundStop",
    "java/lang/TesthoundExit",
];

/// A test can be kept if it ran normally, or if just its last call threw something that says
/// something of the code.
pub(super) fn is_keepable(ending: &Ending, case: &TestCase, thrown: Option<&Thrown>) -> bool {
    match ending {
        Ending::Normal => !case.calls.is_empty(),
        Ending::Threw(at) => {
            *at + 1 == case.calls.len() && thrown.is_some_and(|t| is_testable(&t.class))
        }
        Ending::Breached(..) | Ending::Cut(..) | Ending::Unlinkable(..) => false,
    }
}

/// Whether an exception says something of the code under test.
pub(crate) fn is_testable(exception: &ClassName) -> bool {
    !UNTESTABLE.contains(&exception.as_internal())
}
