//! The crate against real compilers, JDKs and libraries.

mod damage;
mod declarations;
mod fixture;
mod jars;
mod jdks;
mod libraries;
mod reflection;
mod releases;
