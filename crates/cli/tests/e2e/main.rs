//! End-to-end tests: the built program on Java fixtures, real JVMs, the real compiler and JUnit.
//!
//! Fixtures are compiled when a test asks for them and run inside the program's sandbox only: some
//! of them delete files and kill processes for a living. The one for `--no-sandbox` is harmless.

mod bad_input;
mod canon;
mod commands;
mod contracts;
mod defects;
mod determinism;
mod effects;
mod elsewhere;
mod emitted;
mod explore;
mod faults;
mod files;
mod fixture;
mod guided;
mod interruption;
mod jdks;
mod junit;
mod keep;
mod mocks;
mod mutate;
mod progress;
mod project;
mod releases;
mod run;
mod space;
mod statics;
mod surroundings;
mod telling;
mod together;
mod typed;
mod unconfined;
mod versions;
