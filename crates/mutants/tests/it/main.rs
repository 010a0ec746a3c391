//! Tests with compiled classes and real JVMs: what is mutated, what mutants do, and that they verify.

mod artefacts;
mod behaviour;
#[path = "../../../classfile/tests/damage/mod.rs"]
mod damage;
mod damaged;
mod fixture;
mod harness;
mod ids;
#[path = "../../../classfile/tests/numbers/mod.rs"]
mod numbers;
mod operators;
mod verifying;
