//! What compiler and test runner say, read from the lines of their Java parts.

use std::fmt;

use model::{ClassName, EffectKind, EffectSet, Frame};

/// What the compiler said of a source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The file, by the name it was given with.
    pub file: String,
    /// The line, from 1; 0 where there is none.
    pub line: u32,
    /// The column, from 1, as javac counts; 0 where there is none.
    pub column: u32,
    /// The message.
    pub message: String,
}

/// How a test ended in the runner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TestEnd {
    /// It passed.
    Passed,
    /// An assertion failed, or an exception came.
    Failed(Failed),
    /// It did not end in time.
    TimedOut,
    /// It left something changed or tried something outside the heap: what, in words.
    LeftChanged(String),
    /// The runner's process did not survive it.
    Killed(String),
}

/// What a test failed with.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Failed {
    /// The exception's class, by binary name.
    pub exception: String,
    /// Its message.
    pub message: String,
    /// The top of its stack.
    pub frames: Vec<Frame>,
    /// The line that the test method was in; none if the stack does not go as far.
    pub line: Option<u32>,
    /// The method that the test method had called, if the exception came from one.
    pub called: String,
}

impl fmt::Display for TestEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passed => f.write_str("passed"),
            Self::Failed(failed) if failed.message.is_empty() => f.write_str(&failed.exception),
            Self::Failed(failed) => write!(f, "{}: {}", failed.exception, failed.message),
            Self::TimedOut => f.write_str("did not end"),
            Self::LeftChanged(what) => f.write_str(what),
            Self::Killed(how) => write!(f, "took the JVM down, which {how}"),
        }
    }
}

/// One test's run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestRun {
    /// The test class, by binary name.
    pub class: String,
    /// The test method; empty if the class as a whole could not be run.
    pub method: String,
    /// How it ended.
    pub end: TestEnd,
}

/// `file:line:column:ERROR:message`, as the Java part writes it.
pub(crate) fn parse_diagnostic(text: &str) -> Diagnostic {
    let mut parts = text.splitn(5, ':');
    let file = parts.next().unwrap_or_default().to_owned();
    let line = parts.next().and_then(|l| l.parse().ok()).unwrap_or(0);
    let column = parts.next().and_then(|c| c.parse().ok()).unwrap_or(0);
    let message = parts.nth(1).unwrap_or(text).to_owned();
    Diagnostic { file, line, column, message }
}

/// `class#method`, status, exception, message, frames, line and method called, separated by tabs.
pub(crate) fn parse_run(text: &str) -> Option<TestRun> {
    let mut parts = text.split('\t');
    let (class, method) = parts.next()?.split_once('#')?;
    let status = parts.next()?;
    let exception = parts.next().unwrap_or_default().to_owned();
    let message = parts.next().unwrap_or_default().to_owned();
    let end = match status {
        "PASS" => TestEnd::Passed,
        "TIMEOUT" => TestEnd::TimedOut,
        "LEFT_CHANGED" => TestEnd::LeftChanged(changed(&message)),
        _ => TestEnd::Failed(Failed {
            exception,
            message,
            frames: parts.next().unwrap_or_default().split(';').filter_map(parse_frame).collect(),
            line: parts.next().and_then(|line| line.parse().ok()),
            called: parts.next().unwrap_or_default().to_owned(),
        }),
    };
    Some(TestRun { class: class.to_owned(), method: method.to_owned(), end })
}

/// `class/method/line`.
fn parse_frame(text: &str) -> Option<Frame> {
    let mut parts = text.split('/');
    let (class, method) = (parts.next()?, parts.next()?);
    let line = parts.next()?.parse().ok()?;
    Some(Frame { class: ClassName::binary(class), method: method.into(), line })
}

/// What a test left changed, or the effects it had, which the Java part tells by their bits.
pub(crate) fn changed(message: &str) -> String {
    let bits = message.strip_prefix("effects ").and_then(|hex| u32::from_str_radix(hex, 16).ok());
    match bits {
        Some(bits) => {
            let kinds: Vec<_> =
                EffectSet::from_bits(bits).iter().map(EffectKind::describe).collect();
            kinds.join(", ")
        }
        None => format!("left {message} changed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_java_part_are_read() {
        assert_eq!(
            parse_diagnostic("a/BTest.java:12:5:ERROR:cannot find symbol: x"),
            Diagnostic {
                file: "a/BTest.java".into(),
                line: 12,
                column: 5,
                message: "cannot find symbol: x".into()
            }
        );
        let frames = "a.B$C/d/-2;a.BTest/m/31";
        let line = format!("a.BTest#m\tERROR\tjava.lang.Error\twhy\t{frames}\t31\td");
        let run = parse_run(&line).unwrap();
        assert_eq!((&*run.class, &*run.method), ("a.BTest", "m"));
        let frame = |class: &str, method: &str, line| Frame {
            class: ClassName::binary(class),
            method: method.into(),
            line,
        };
        let expected = Failed {
            exception: "java.lang.Error".into(),
            message: "why".into(),
            frames: vec![frame("a.B$C", "d", -2), frame("a.BTest", "m", 31)],
            line: Some(31),
            called: "d".into(),
        };
        assert_eq!(run.end, TestEnd::Failed(expected));
        let cut = parse_run("a.BTest#m\tERROR\tjava.lang.Error\t\t\t\t").unwrap();
        let expected = Failed { exception: "java.lang.Error".into(), ..Failed::default() };
        assert_eq!(cut.end, TestEnd::Failed(expected));
        assert_eq!(parse_run("a.BTest#m\tPASS\t\t\t\t\t").unwrap().end, TestEnd::Passed);
        let ended = |line| parse_run(line).unwrap().end.to_string();
        assert_eq!(ended("a.B#m\tLEFT_CHANGED\t\teffects 3\t"), "wrote a file, deleted a file");
        assert_eq!(ended("a.B#m\tLEFT_CHANGED\t\tlocale\t"), "left locale changed");
        assert_eq!(parse_run("nonsense"), None);
    }
}
