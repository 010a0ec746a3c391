//! The writer against real compilers, JUnits and libraries.

mod breaches;
mod callbacks;
mod files;
mod fixture;
mod fuzz;
mod generator;
mod mocks;
mod order;
mod rejections;
mod snapshots;
mod titles;
mod toolchain;
mod type_arguments;
mod written;
