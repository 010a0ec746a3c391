//! Tests with real JVMs: instrumented classes verify, behave, cover and stop as they should.

mod behaviour;
mod handmade;
mod harness;
mod hooks;
mod limits;
mod stopping;
mod verifying;
