//! What happened when a test case ran.
//!
//! Whatever code under test does is an outcome, never an error of ours.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Breach, ClassName, Effect, JavaString, Literal, Operation, Type};

/// A line of a stack trace.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Frame {
    /// The class.
    pub class: ClassName,
    /// The method.
    pub method: Arc<str>,
    /// The line, or a negative number where that is not known.
    pub line: i32,
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.class, self.method)?;
        if self.line > 0 { write!(f, " (line {})", self.line) } else { Ok(()) }
    }
}

impl Frame {
    /// Whether it is in code of the JDK, by the name of the class.
    pub fn is_of_jdk(&self) -> bool {
        let prefixes = ["java/", "javax/", "jdk/", "sun/"];
        prefixes.iter().any(|prefix| self.class.as_internal().starts_with(prefix))
    }
}

/// An exception that left a call.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Thrown {
    /// Its run-time class.
    pub class: ClassName,
    /// Its message.
    pub message: Option<JavaString>,
    /// The top of its stack trace, innermost first.
    pub frames: Vec<Frame>,
}

/// What is remembered of a value, so that it can be compared or asserted.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Observation {
    /// `void`.
    Nothing,
    /// `null`.
    Null,
    /// A primitive, boxed value, string or class literal; `boxed` tells the first two apart.
    Value {
        /// The value.
        value: Literal,
        /// Whether it was a boxed object.
        boxed: bool,
    },
    /// An enum constant.
    Enum {
        /// The enum class.
        class: ClassName,
        /// The constant's name.
        constant: Arc<str>,
    },
    /// An array; elements past a limit are not remembered.
    Array {
        /// The element type.
        element: Type,
        /// Its length.
        length: u32,
        /// The elements, all of them or none.
        elements: Option<Vec<Observation>>,
    },
    /// Any other object, by its class and what its pure methods said.
    Object {
        /// Its run-time class.
        class: ClassName,
        /// Results of methods called on it.
        views: Vec<(Arc<Operation>, Observation)>,
    },
}

/// What cut a call short.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Cut {
    /// The step budget counted in the probes: the same count every time.
    Steps,
    /// The clock: the thread was stopped.
    Stopped,
    /// It was not made at all, for processes died in calls like it.
    Killed,
}

/// How a call ended, before anyone looks at values: what the executor says at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CallEnd {
    /// It returned; the result is in its slot.
    Returned,
    /// It threw.
    Threw,
    /// It broke a contract.
    Breached(Breach),
    /// It was cut short.
    Cut(Cut),
    /// It could not be linked: a class is missing, fails to initialize or to verify.
    Unlinkable(String),
}

/// How a call ended.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum End {
    /// It returned.
    Returned(Observation),
    /// It threw.
    Threw(Thrown),
    /// It broke a contract.
    Breached(Breach),
    /// It did not end by itself.
    Hung(Cut),
    /// Processes died in calls like it, so it was not made.
    Crashed,
    /// It could not be linked: a class is missing, fails to initialize or to verify.
    Unlinkable(String),
    /// It was not reached.
    NotRun,
}

/// The outcome of one call.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct CallOutcome {
    /// How it ended.
    pub end: End,
    /// What it tried to do outside the heap.
    pub effects: Vec<Effect>,
}

/// The outcome of a test case, call by call.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// One entry a call.
    pub calls: Vec<CallOutcome>,
}
