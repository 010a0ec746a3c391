//! Runs javac and JVMs with instrumented classes.

#[path = "../../../../classfile/tests/jdk/mod.rs"]
pub mod jdk;
#[path = "../../../../classfile/tests/sources/mod.rs"]
pub mod sources;

pub mod java;
pub mod subject;
pub mod verify;
