//! The writer against real compilers, JUnits and libraries.

mod fuzz;
mod generator;
mod toolchain;
