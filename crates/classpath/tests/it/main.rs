//! The crate against real compilers, JDKs and libraries.

mod fixture;

mod jdks;
