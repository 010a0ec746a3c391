//! Class directories, jars and the JDK's modules as one world of classes, looked up by name.
//!
//! From the ground up: [`JdkImage`] and [`ClassPath`] find bytes; `declare` makes a
//! [`model::Class`] of them; [`World`] keeps what was read and answers for project, dependencies
//! and JDK alike.
//!
//! Invariants: opening reads tables and names, never classes; input leads to a [`Diagnostic`],
//! never to a panic or an allocation out of proportion to the input. Deliberately absent: code,
//! JVMs, and any opinion on which classes are worth testing.

mod class_path;
mod declare;
mod diagnostic;
mod directory;
mod jar;
mod jdk;
mod jimage;
mod manifest;
mod module;
mod positioned;
mod release;
mod search_path;
mod subtypes;
mod world;

pub use class_path::ClassPath;
pub use diagnostic::{Diagnostic, Reason};
pub use jdk::{JdkError, JdkImage};
pub use jimage::JimageError;
pub use module::ModuleError;
pub use search_path::SearchPath;
pub use world::World;
