//! Runs JVMs with mutants.

#[path = "../../../../classfile/tests/sources/mod.rs"]
pub mod sources;

pub mod java;
pub mod verify;
