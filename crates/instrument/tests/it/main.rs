//! Tests with real JVMs: instrumented classes verify, behave, cover and stop as they should.

mod agreement;
mod behaviour;
mod boundary;
#[path = "../../../classfile/tests/damage/mod.rs"]
mod damage;
mod damaged;
mod handmade;
mod harness;
mod hooks;
mod limits;
#[path = "../../../classfile/tests/numbers/mod.rs"]
mod numbers;
mod stopping;
mod verifying;
