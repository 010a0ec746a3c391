//! Java class files (JVMS chapter 4): bytes to classes and back, and the layout of code.
//!
//! [`ClassFile::parse`] reads the declarations only: attributes stay raw slices of the input
//! and are decoded when asked for, so that a library's class model costs no more than its
//! declarations. [`Code`] is a method body with labels instead of offsets; it can be edited and
//! laid out anew.
//!
//! Invariants: what was parsed and not changed is written back byte for byte; input bytes lead
//! to an error with reason and offset, never to a panic. Deliberately absent: coverage,
//! mutation, type inference, JVMs.

mod annotation;
mod attribute;
mod bootstrap;
mod class;
mod code;
mod constant;
mod declaration;
mod descriptor;
mod error;
pub mod flags;
mod intern;
mod mutf8;
mod nesting;
mod pool;
mod reader;
mod span;

pub use annotation::{Annotation, ElementValue};
pub use attribute::{Attribute, Attributes};
pub use bootstrap::BootstrapMethod;
pub use class::{ClassFile, Member};
pub use code::{
    Code, CodeTable, CodeView, Frame, FrameKind, FrameState, Handler, Instruction, Label,
    LineEntry, LocalVariable, LookupSwitch, Node, OffsetPatch, OffsetTarget, TableSwitch,
    VerificationType, opcode,
};
pub use constant::{Constant, TextRange};
pub use declaration::{ConstantValue, LineNumber, LocalVariableEntry, MethodParameter};
pub use descriptor::{MethodDescriptor, descriptor_slots};
pub use error::ClassFileError;
pub use nesting::{EnclosingMethod, InnerClass, RecordComponent};
pub use pool::{ConstantPool, MemberRef};
pub use span::Span;

/// The newest major version that is understood: that of JDK 25.
pub const NEWEST_MAJOR: u16 = 69;

/// The Java release of a major version (JVM specification, table 4.1-A).
pub(crate) fn release_of(major: u16) -> u16 {
    major.saturating_sub(44)
}

/// The oldest major version there is: that of JDK 1.0.
pub const OLDEST_MAJOR: u16 = 45;
