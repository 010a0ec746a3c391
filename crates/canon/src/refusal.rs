//! Why a test has no canonical form here.

use serde::{Deserialize, Serialize};

/// A reason, with a code that scripts can rely on.
#[derive(
    Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, thiserror::Error,
)]
pub enum Refusal {
    /// JUnit runs it with parameters, by a runner, rules, or with a temporary folder; or not at all.
    #[error("{}", of_junit(.0))]
    Junit(String),
    /// It does not pass when it is run here.
    #[error("it does not pass here: {0}")]
    FailsHere(String),
    /// It does not end.
    #[error("it does not end in time")]
    Timeout,
    /// The process that ran it died.
    #[error("the process that ran it {0}")]
    Died(String),
    /// Other threads call too.
    #[error("other threads make calls too")]
    Threads,
    /// It makes too many calls.
    #[error("it makes more calls than a test in one class can")]
    TooLong,
    /// It passes itself to what it calls, or an object of an inner class of its.
    #[error("it passes the test object itself")]
    TestObject,
    /// It passes a lambda or a reference to a method.
    #[error("it passes a lambda")]
    Lambda,
    /// It passes an object of an anonymous or local class.
    #[error("it passes an object of the anonymous or local class {0}")]
    AnonymousClass(String),
    /// It uses a class that no other source can name.
    #[error("it uses {0}, which source elsewhere cannot name")]
    PrivateType(String),
    /// It uses a member that no other source can use.
    #[error("it uses {0}, which source elsewhere cannot use")]
    PrivateMember(String),
    /// It uses an object that came from no recorded call.
    #[error("it uses an object of {0} that came from no call of its own")]
    UnknownOrigin(String),
    /// An array has too many elements to spell out.
    #[error("it makes an array of too many elements to spell out")]
    LargeArray,
    /// A text is too long for a class file.
    #[error("it uses a text that is too long for a class file")]
    LongText,
    /// It sets a static field of other code.
    #[error("it sets the static field {0}")]
    SetsStatic(String),
    /// It throws an exception itself.
    #[error("its own code throws the exception that ends it")]
    ThrowsItself,
    /// No type that can be named fits all uses of a value.
    #[error("no type that can be named fits all uses of an object of {0}")]
    Untypable(String),
    /// The test class could not be rewritten.
    #[error("its class cannot be rewritten: {0}")]
    Unrecordable(String),
    /// What was written does not compile.
    #[error("what was written does not compile: {0}")]
    Uncompilable(String),
    /// What was written does something else.
    #[error("what was written does something else: {0}")]
    Different(String),
}

fn of_junit(code: &str) -> String {
    match code {
        "parameterized" => "it is run several times with parameters".to_owned(),
        "parameters" => "it has parameters that JUnit gives it".to_owned(),
        "runner" => "its class has a runner of its own".to_owned(),
        "rule" => "its class has rules of JUnit 4".to_owned(),
        "temporary-folder" => "it uses a temporary folder".to_owned(),
        "disabled" => "it is disabled".to_owned(),
        other => other.to_owned(),
    }
}

impl Refusal {
    /// Its code.
    pub fn code(&self) -> &str {
        match self {
            Self::Junit(code) => match &**code {
                "parameterized" | "parameters" | "runner" | "rule" | "temporary-folder"
                | "disabled" => code,
                _ => "cannot-be-loaded",
            },
            Self::FailsHere(why) => code_of_failure(why),
            Self::Timeout => "timeout",
            Self::Died(_) => "died",
            Self::Threads => "threads",
            Self::TooLong => "too-long",
            Self::TestObject => "test-object",
            Self::Lambda => "lambda",
            Self::AnonymousClass(_) => "anonymous-class",
            Self::PrivateType(_) => "private-type",
            Self::PrivateMember(_) => "private-member",
            Self::UnknownOrigin(_) => "unknown-origin",
            Self::LargeArray => "large-array",
            Self::LongText => "long-text",
            Self::SetsStatic(_) => "sets-static",
            Self::ThrowsItself => "throws-itself",
            Self::Untypable(_) => "untypable",
            Self::Unrecordable(_) => "unrecordable",
            Self::Uncompilable(_) => "does-not-compile",
            Self::Different(_) => "not-equivalent",
        }
    }
}

/// The code of a test that does not pass, by the exception it ends with.
fn code_of_failure(why: &str) -> &'static str {
    let exception = why.split(':').next().unwrap_or_default();
    match exception {
        "java.io.FileNotFoundException" | "java.nio.file.NoSuchFileException" => "reads-files",
        "java.lang.NoClassDefFoundError" | "java.lang.ClassNotFoundException" => "missing-class",
        _ => "fails-here",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(why: &str, code: &str) {
        assert_eq!(Refusal::FailsHere(why.to_owned()).code(), code, "{why}");
    }

    #[test]
    fn what_a_failing_test_lacks_is_told_by_its_exception() {
        check("java.io.FileNotFoundException: a.txt (No such file or directory)", "reads-files");
        check("java.lang.NoClassDefFoundError: a/B", "missing-class");
        check("a.BException: java.io.FileNotFoundException", "fails-here");
        check("", "fails-here");
    }
}
