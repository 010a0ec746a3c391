//! Tests of reading, editing and writing, on classes of real JDKs and on classes made by hand.

#[path = "../damage/mod.rs"]
mod damage;
#[path = "../jdk/mod.rs"]
mod jdk;
#[path = "../numbers/mod.rs"]
mod numbers;
#[path = "../sources/mod.rs"]
mod sources;
#[path = "../unchanged/mod.rs"]
mod unchanged;

mod editing;
mod readers;
mod round_trip;
