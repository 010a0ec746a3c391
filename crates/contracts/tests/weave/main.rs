//! Woven classes, compiled and run.

mod expressions;
mod harness;
mod methods;
mod statements;
mod table;
mod types;
