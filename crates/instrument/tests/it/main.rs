//! Tests with real JVMs: instrumented classes verify, behave, cover and stop as they should.

mod behaviour;
mod harness;
mod hooks;
mod stopping;
mod verifying;
