//! Woven classes, compiled and run.

mod damaged;
mod expressions;
mod frames;
mod harness;
mod inherited;
mod manual;
mod methods;
mod rows;
mod statements;
mod table;
mod types;
