//! The embedded Java classes at work, on every JDK of this machine, in child JVMs.
//!
//! Small drivers in `tests/java/drivers` call what a worker would call through JNI and print the
//! answers. Fixtures in `tests/java/fixtures` carry what is expected of them as comments.

#[path = "../../build/jdk.rs"]
mod jdk;

mod boot;
mod compiler;
mod demo;
mod embedding;
mod expectation;
mod junit;
mod machine;
mod settings;
mod standin;
mod statics;
mod test_runner;
