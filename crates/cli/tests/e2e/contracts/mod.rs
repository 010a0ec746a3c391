//! Java sources with contracts: J4 to J15 by the whole program.

mod seeded;
mod strategies;
