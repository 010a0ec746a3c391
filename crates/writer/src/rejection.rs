//! Why a test cannot be written.

use model::{Type, Violation};

/// Why a test cannot be written as Java source.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Rejection {
    /// The test case itself is not well formed.
    #[error("the test case is not well formed")]
    Malformed(#[from] Violation),
    /// The subject, a check or the failure names a call or slot that is not there.
    #[error("{what} refers to something that is not in the test case")]
    Dangling {
        /// Which part.
        what: &'static str,
    },
    /// A type is missing, private, local or not exported.
    #[error("type {ty} cannot be named in package `{package}`")]
    Unnameable {
        /// The type.
        ty: Type,
        /// The test's package.
        package: String,
    },
    /// A name from the class file is no Java identifier.
    #[error("`{name}` is not a name in Java source")]
    NotAnIdentifier {
        /// The name.
        name: String,
    },
    /// No such member, or not one that source in the test's package may use.
    #[error("{operation} is not there or not accessible")]
    NoMember {
        /// The operation.
        operation: String,
    },
    /// However the arguments are cast, javac cannot be shown to choose this member.
    #[error("no way to write a call of {operation} that the compiler accepts was found")]
    Unresolvable {
        /// The operation.
        operation: String,
    },
    /// An instance of an abstract class, interface or enum would be made.
    #[error("{operation} makes an instance of a class that cannot be instantiated")]
    NotInstantiable {
        /// The operation.
        operation: String,
    },
    /// A string does not fit into a class file (JVMS §4.4.7).
    #[error("a string of {bytes} bytes is too long for a class file")]
    StringTooLong {
        /// Its length in modified UTF-8.
        bytes: usize,
    },
    /// The method would exceed the JVM's size limit (JVMS §4.7.3).
    #[error("{elements} values are too many for one method")]
    TooLarge {
        /// How many values the test spells out.
        elements: usize,
    },
    /// What was observed cannot be a value of the place it was observed in.
    #[error("a value of type {ty} cannot be compared with what was observed")]
    Incomparable {
        /// The type of the place.
        ty: Type,
    },
}
