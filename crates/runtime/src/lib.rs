//! What runs inside a worker's JVM, in Java, as bytes; and the demo project, as text.
//!
//! The sources are in `runtime/` and `demo/` at the root of the workspace. They are compiled and
//! embedded when this crate is built, so the program needs neither a jar beside it nor a compiler
//! to start. Nothing here knows how the classes get into a JVM or are called.
//!
//! Invariant: a class comes after its superclass and interfaces, so that a list can be defined
//! class by class in the order given.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// A class by internal name (`java/lang/Testhound`) and the bytes of its class file.
pub type EmbeddedClass = (&'static str, &'static [u8]);

/// What rewritten classes call. To be defined into the boot loader before any class under test
/// runs; the natives `Testhound.record(I)V` and `Testhound.exited(I)Z` are to be registered.
pub fn boot_classes() -> &'static [EmbeddedClass] {
    BOOT
}

/// Settings, compiler and test runner, in package `testhound.runtime`. To be defined into a class
/// loader that sees the platform's classes, in a JVM that has the boot classes.
pub fn service_classes() -> &'static [EmbeddedClass] {
    SERVICE
}

/// A stand-in for the part of the JUnit 5 API that emitted tests use, for machines without JUnit.
/// To be written below a folder that is put on the class path of the tests.
pub fn standin_classes() -> &'static [EmbeddedClass] {
    STANDIN
}

/// What woven classes call when contracts are checked, in package `testhound.contracts`. To be put
/// beside the woven classes, or defined before them.
pub fn contract_classes() -> &'static [EmbeddedClass] {
    CONTRACTS
}

/// The demo project: relative path, with `/`, and contents of each file.
pub fn demo_files() -> &'static [(&'static str, &'static str)] {
    DEMO
}
