//! Test cases as JUnit source.
//!
//! Pure: no files, no JVM. What comes out reads like what a careful developer writes, and always
//! compiles: a call is written only in a form for which javac's own rules (overload resolution,
//! inference, access) were shown to pick the intended member; a test with a call that has no such
//! form is rejected with the reason, never written wrongly.
//!
//! The phases of [`write`]: values and their uses (`flow`), statements (`body`, with calls from
//! `call`, classes on the spot from `implement` and assertions from `assertion`), names of variables (`variable`) and tests (`title`),
//! then the file around them (`unit`), in the order of the class's members (`order`), laid out by `doc` once `imports` knows how each class is
//! spelled.
//!
//! Invariants: evaluation order is that of the test case; the same input gives the same bytes.

mod arguments;
mod assertion;
mod body;
mod call;
mod contract;
mod doc;
mod field;
mod flow;
mod generics;
mod identifier;
mod implement;
mod imports;
mod infer;
mod injection;
mod lambda;
mod literal;
mod members;
mod order;
mod overload;
mod parameterize;
mod rejection;
mod suggest;
mod target;
mod temporary;
mod test_name;
mod title;
mod unit;
mod variable;

pub use rejection::Rejection;
pub use unit::{test_path, write};

use model::{ClassName, UnitTest};

/// The tests of one class.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The class under test; the tests live in its package.
    pub class: ClassName,
    /// Its tests.
    pub tests: Vec<UnitTest>,
}

/// A generation of JUnit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Junit {
    /// JUnit 4 (`org.junit`).
    Four {
        /// Whether `Assert.assertThrows` is there (since 4.13).
        assert_throws: bool,
    },
    /// JUnit 5 and later (`org.junit.jupiter.api`).
    Five,
}

/// How tests are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The JUnit they are for.
    pub junit: Junit,
    /// The Java source level they may use, 8 at least. Nothing newer is written, except that files
    /// are read and written as texts from 11 on.
    pub java_release: u16,
    /// What follows the class name: `Test`.
    pub suffix: String,
}

impl Default for Options {
    fn default() -> Self {
        Self { junit: Junit::Five, java_release: 17, suffix: "Test".to_owned() }
    }
}

/// A test class in source.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its package, dotted; empty for the unnamed package.
    pub package: String,
    /// Its simple name.
    pub class_name: String,
    /// Where it goes below the source root: `org/x/FooTest.java`.
    pub path: String,
    /// The file's text.
    pub text: String,
    /// The method of each test of the suite, in its order; `None` where it was rejected.
    pub tests: Vec<Option<String>>,
    /// The tests that cannot be written, by index, and why.
    pub rejected: Vec<(usize, Rejection)>,
}
