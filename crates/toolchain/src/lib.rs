//! Finds what a user's machine has for building and testing Java, and asks Maven about projects.
//!
//! JDKs are recognized by their files, never by running them; what a build consists of is asked
//! of Maven itself, in one run, because no other program reads a POM as Maven does. Of a Gradle build
//! that was built the folders are read.
//!
//! Invariants: no JVM is loaded into this process; no file of a project is edited; everything
//! that is missing is an error that says where it was looked for and what to do.

mod cache;
mod class_version;
mod declared;
mod dependency;
mod discover;
mod effective_pom;
mod error;
mod gradle;
mod jdk;
mod junit;
mod junit_console;
mod junit_jars;
mod junit_report;
mod maven;
mod maven_log;
mod project;
mod repository;
mod resolve;
mod version;
pub mod xml;

pub use declared::declared;
pub use dependency::{Dependency, Scope};
pub use discover::{Looked, discover, select, unsuitable_java_home};
pub use error::ToolchainError;
pub use gradle::{GradleBuild, GradleProject};
pub use jdk::{JavaVersion, Jdk};
pub use junit::{JUnitKind, JUnitOnPath};
pub use junit_console::JUnitConsole;
pub use junit_jars::{JUnitSources, installed_junit_jars, installed_mockito, junit_jars};
pub use junit_report::{FailedTest, JUnitReport};
pub use maven::Maven;
pub use project::{MavenBuild, MavenProject};
pub use repository::local_repository;
pub use resolve::{Transitive, resolve};
