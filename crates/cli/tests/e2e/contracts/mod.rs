//! Classes with contracts in JML: checked while a program runs, and while tests are looked for.

mod check;
mod coverage;
mod preconditions;
mod projects;
mod seeded;
mod strategies;
mod untested;
